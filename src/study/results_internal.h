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
/* A number, or the text of a key's value, "16KiB"; NAN: neither. */
double ww_results_key_number(sqlite3_stmt *statement, int column, const char *key);

/* results_series.c: `series` of a result into the database; NULL: it has none. */
int ww_results_insert_series(ww_results *results, int64_t run, json_t *series, ww_errors *errors);
/* The rows of a statement about one run, name, cycles and bins, as a result has them. */
json_t *ww_results_series_json(ww_results *results, sqlite3_stmt *statement, int64_t run,
                               ww_errors *errors);

/* results_rows.c: the lists of rows of a result (sim/row_list.h), those that it has. */
int ww_results_insert_rows(ww_results *results, int64_t run, const json_t *result,
                           ww_errors *errors);
/* The rows of a statement about one run, name and entry in the order of the lists, into `raw`. */
void ww_results_add_rows(ww_results *results, sqlite3_stmt *statement, int64_t run, json_t *raw,
                         ww_errors *errors);

/* "[0.5,1]"; the caller frees it. */
char *ww_results_json_text(const json_t *json);

/* Ends a transaction: commits it when `status` is WW_OK, else rolls it back. */
int ww_results_end(ww_results *results, int status, ww_errors *errors);

#endif
