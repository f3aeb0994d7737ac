/* SQLite with one-line errors: statements are prepared, bound and stepped here and nowhere else.
 *
 * A statement that fails leaves a line that names the file and what SQLite says; then the
 * transaction is rolled back, and nothing of it stays. */
#ifndef WW_STUDY_SQL_H
#define WW_STUDY_SQL_H

#include "base/error.h"

#include <sqlite3.h>
#include <stdint.h>

typedef struct ww_sql {
    sqlite3 *db;
    const char *path;
} ww_sql;

/* Adds "FILE: what: reason of SQLite". */
int ww_sql_fail(const ww_sql *sql, ww_errors *errors);
/* The same for damage that was found without a failure. */
int ww_sql_fail_damaged(const ww_sql *sql, const char *reason, ww_errors *errors);
/* One or several statements without results. */
int ww_sql_run(const ww_sql *sql, const char *text, ww_errors *errors);
/* NULL with an error. Free it with sqlite3_finalize. */
sqlite3_stmt *ww_sql_prepare(const ww_sql *sql, const char *text, ww_errors *errors);

/* Binds a parameter by its number, from 1. A NULL text is NULL; a NAN number is NULL. Texts stay
 * until the statement ran. */
void ww_sql_text(sqlite3_stmt *statement, int parameter, const char *text);
void ww_sql_number(sqlite3_stmt *statement, int parameter, int64_t number);
void ww_sql_real(sqlite3_stmt *statement, int parameter, double number);

/* Runs a bound statement that gives no rows, and makes it ready for the next values. */
int ww_sql_step(const ww_sql *sql, sqlite3_stmt *statement, ww_errors *errors);
/* Steps to the next row: *row false at the end. */
int ww_sql_next(const ww_sql *sql, sqlite3_stmt *statement, bool *row, ww_errors *errors);
const char *ww_sql_column(sqlite3_stmt *statement, int column); /* "" for NULL */

#endif
