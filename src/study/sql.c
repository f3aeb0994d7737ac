#include "study/sql.h"

#include <math.h>

int ww_sql_fail(const ww_sql *sql, ww_errors *errors)
{
    int code = sqlite3_errcode(sql->db) & 0xff;
    ww_where at = {sql->path, 0, 0};
    const char *reason = sqlite3_errmsg(sql->db);
    if (code == SQLITE_NOTADB)
        return ww_fail(errors, WW_BAD_INPUT, at, "not a database of results (%s)", reason);
    if (code == SQLITE_CORRUPT)
        return ww_fail(errors, WW_FAILED, at,
                       "the database is damaged: %s ('sqlite3 FILE .recover' saves what can be)",
                       reason);
    if (code == SQLITE_FULL)
        return ww_fail(errors, WW_FAILED, at, "no room left on the disk (what was stored is safe)");
    if (code == SQLITE_READONLY || code == SQLITE_CANTOPEN || code == SQLITE_PERM)
        return ww_fail(errors, WW_BAD_INPUT, at, "cannot be opened for writing (%s)", reason);
    if (code == SQLITE_BUSY || code == SQLITE_LOCKED)
        return ww_fail(errors, WW_FAILED, at, "another program keeps it locked");
    return ww_fail(errors, WW_FAILED, at, "%s", reason);
}

int ww_sql_run(const ww_sql *sql, const char *text, ww_errors *errors)
{
    return sqlite3_exec(sql->db, text, NULL, NULL, NULL) ? ww_sql_fail(sql, errors) : WW_OK;
}

sqlite3_stmt *ww_sql_prepare(const ww_sql *sql, const char *text, ww_errors *errors)
{
    sqlite3_stmt *statement = NULL;
    if (sqlite3_prepare_v2(sql->db, text, -1, &statement, NULL))
        ww_sql_fail(sql, errors);
    return statement;
}

void ww_sql_text(sqlite3_stmt *statement, int place, const char *text)
{
    sqlite3_bind_text(statement, place, text, -1, SQLITE_STATIC);
}

void ww_sql_number(sqlite3_stmt *statement, int place, int64_t number)
{
    sqlite3_bind_int64(statement, place, number);
}

void ww_sql_real(sqlite3_stmt *statement, int place, double number)
{
    if (isnan(number))
        sqlite3_bind_null(statement, place);
    else
        sqlite3_bind_double(statement, place, number);
}

int ww_sql_next(const ww_sql *sql, sqlite3_stmt *statement, bool *row, ww_errors *errors)
{
    int code = sqlite3_step(statement);
    *row = code == SQLITE_ROW;
    return code == SQLITE_ROW || code == SQLITE_DONE ? WW_OK : ww_sql_fail(sql, errors);
}

int ww_sql_step(const ww_sql *sql, sqlite3_stmt *statement, ww_errors *errors)
{
    bool row;
    int status = ww_sql_next(sql, statement, &row, errors);
    sqlite3_reset(statement);
    return status;
}

const char *ww_sql_column(sqlite3_stmt *statement, int column)
{
    const char *text = (const char *)sqlite3_column_text(statement, column);
    return text ? text : "";
}
