/* What the files of the database share. */
#ifndef WW_STUDY_RESULTS_PARTS_H
#define WW_STUDY_RESULTS_PARTS_H

#include "study/results.h"
#include "study/sql.h"

struct ww_results {
    ww_sql sql;
    char *path;
};

/* Ends a transaction: keeps it when `status` is WW_OK, else nothing of it stays. */
int ww_results_end(ww_results *results, int status, ww_errors *errors);

#endif
