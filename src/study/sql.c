#include "study/sql.h"

#include <errno.h>
#include <math.h>
#include <string.h>

/* Of the system call that failed, if it was one. */
static bool is_disk_full(const ww_sql *sql, int code)
{
    int reason = code == SQLITE_IOERR ? sqlite3_system_errno(sql->db) : 0;
    return code == SQLITE_FULL || reason == ENOSPC || reason == EDQUOT || reason == EFBIG;
}

/* An error equal to the last one is not repeated, because reports run many statements. */
static int fail_once(const ww_sql *sql, int status, ww_errors *errors, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
static int fail_once(const ww_sql *sql, int status, ww_errors *errors, const char *format, ...)
{
    va_list args;
    ww_errors *found = ww_errors_create();
    size_t count = ww_errors_count(errors);
    va_start(args, format);
    ww_vfail(found, status, (ww_where){sql->path, 0, 0}, format, args);
    va_end(args);
    const char *line = ww_errors_line(found, 0);
    if (!count || strcmp(ww_errors_line(errors, count - 1), line) != 0)
        ww_fail(errors, status, WW_NOWHERE, "%s", line);
    ww_errors_destroy(found);
    return status;
}

int ww_sql_fail_damaged(const ww_sql *sql, const char *reason, ww_errors *errors)
{
    return fail_once(sql, WW_FAILED, errors,
                     "the database is damaged: %s ('sqlite3 FILE .recover' saves what can be)",
                     reason);
}

int ww_sql_fail(const ww_sql *sql, ww_errors *errors)
{
    int code = sqlite3_errcode(sql->db) & 0xff;
    const char *reason = sqlite3_errmsg(sql->db);
    if (code == SQLITE_NOTADB)
        return fail_once(sql, WW_BAD_INPUT, errors, "not a database of results (%s)", reason);
    if (code == SQLITE_CORRUPT)
        return ww_sql_fail_damaged(sql, reason, errors);
    if (is_disk_full(sql, code))
        return fail_once(sql, WW_FAILED, errors,
                         "no space left on the disk (what was stored is safe)");
    if (code == SQLITE_READONLY || code == SQLITE_CANTOPEN || code == SQLITE_PERM)
        return fail_once(sql, WW_BAD_INPUT, errors, "cannot be opened for writing (%s)", reason);
    if (code == SQLITE_BUSY || code == SQLITE_LOCKED)
        return fail_once(sql, WW_FAILED, errors, "another program keeps it locked");
    if (code == SQLITE_IOERR && sqlite3_system_errno(sql->db))
        return fail_once(sql, WW_FAILED, errors, "%s: %s", reason,
                         strerror(sqlite3_system_errno(sql->db)));
    return fail_once(sql, WW_FAILED, errors, "%s", reason);
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

void ww_sql_text(sqlite3_stmt *statement, int parameter, const char *text)
{
    sqlite3_bind_text(statement, parameter, text, -1, SQLITE_STATIC);
}

void ww_sql_number(sqlite3_stmt *statement, int parameter, int64_t number)
{
    sqlite3_bind_int64(statement, parameter, number);
}

void ww_sql_real(sqlite3_stmt *statement, int parameter, double number)
{
    if (isnan(number))
        sqlite3_bind_null(statement, parameter);
    else
        sqlite3_bind_double(statement, parameter, number);
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
