/* Internal to results*.c. */
#ifndef WW_STUDY_RESULTS_INTERNAL_H
#define WW_STUDY_RESULTS_INTERNAL_H

#include "study/results.h"
#include "study/sql.h"

struct ww_results {
    ww_sql sql;
    char *path;
};

/* Begins a transaction that will write. WW_FAILED when the file is no longer at its path: SQLite
 * would keep writing to a file that no reader can open. */
int ww_results_begin(ww_results *results, ww_errors *errors);
/* Ends a transaction: commits it when `status` is WW_OK, else rolls it back. */
int ww_results_end(ww_results *results, int status, ww_errors *errors);

#endif
