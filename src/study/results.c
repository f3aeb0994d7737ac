#include "study/results.h"

#include "base/embedded.h"
#include "study/results_parts.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

#define SCHEMA "data/results/schema.sql"
#define SCHEMA_VERSION 2
#define BUSY_MILLISECONDS 30000

static int read_version(ww_results *r, int64_t *version, ww_errors *errors)
{
    bool row = false;
    sqlite3_stmt *statement = ww_sql_prepare(&r->sql, "PRAGMA user_version", errors);
    int status =
        statement ? ww_sql_next(&r->sql, statement, &row, errors) : ww_errors_status(errors);
    *version = row ? sqlite3_column_int64(statement, 0) : 0;
    sqlite3_finalize(statement);
    return status;
}

/* Other programs number their versions, too: ours has these tables. */
#define OUR_TABLES 3
static int count_tables(ww_results *r, int64_t *all, int64_t *ours, ww_errors *errors)
{
    bool row = false;
    sqlite3_stmt *statement =
        ww_sql_prepare(&r->sql,
                       "SELECT count(*), total(name IN ('runs', 'stat_values', 'points')) "
                       "FROM sqlite_master WHERE type = 'table'",
                       errors);
    int status =
        statement ? ww_sql_next(&r->sql, statement, &row, errors) : ww_errors_status(errors);
    *all = row ? sqlite3_column_int64(statement, 0) : 0;
    *ours = row ? sqlite3_column_int64(statement, 1) : 0;
    sqlite3_finalize(statement);
    return status;
}

static int set_version(ww_results *r, ww_errors *errors)
{
    char version[64];
    snprintf(version, sizeof(version), "PRAGMA user_version = %d", SCHEMA_VERSION);
    return ww_sql_run(&r->sql, version, errors);
}

static int create_schema(ww_results *r, ww_errors *errors)
{
    int status = ww_sql_run(&r->sql, ww_embedded_find(SCHEMA)->bytes, errors);
    return status ? status : set_version(r, errors);
}

static bool is_older(int64_t version)
{
    return version > 0 && version < SCHEMA_VERSION;
}

/* What turns a version into the one after it. */
static const char *const steps[SCHEMA_VERSION] = {
    [1] = "ALTER TABLE runs ADD COLUMN started TEXT; ALTER TABLE runs ADD COLUMN git_commit TEXT",
};

static int upgrade(ww_results *r, int64_t version, ww_errors *errors)
{
    int status = WW_OK;
    for (; version < SCHEMA_VERSION && !status; version++)
        status = ww_sql_run(&r->sql, steps[version], errors);
    return status ? status : set_version(r, errors);
}

/* In a transaction, unless nothing is to be written. A new file gets the tables, an older version what is new; a later
 * version or somebody else's database is refused. */
static int check_schema(ww_results *r, bool may_create, ww_errors *errors)
{
    int64_t version = 0, tables = 0, ours = 0;
    if (read_version(r, &version, errors) || count_tables(r, &tables, &ours, errors))
        return ww_errors_status(errors);
    ww_where at = {r->sql.path, 0, 0};
    if (version == 0 && tables == 0 && may_create)
        return create_schema(r, errors);
    if (version == SCHEMA_VERSION && ours == OUR_TABLES)
        return WW_OK;
    if (is_older(version) && ours == OUR_TABLES)
        return upgrade(r, version, errors);
    if (version == 0 || ours != OUR_TABLES)
        return ww_fail(errors, WW_BAD_INPUT, at, "a database, but not one of results");
    return ww_fail(errors, WW_BAD_INPUT, at,
                   "results of version %lld (this warpwalk knows those up to version %d)",
                   (long long)version, SCHEMA_VERSION);
}

/* Two processes may open a file at once: the tables are made or changed by one of them. */
static int make_schema(ww_results *r, bool may_create, ww_errors *errors)
{
    int status = ww_results_begin(r, errors);
    return status ? status : ww_results_end(r, check_schema(r, may_create, errors), errors);
}

/* Only when it is known to be ours: a journal changes the file. */
static int prepare_to_write(ww_results *r, ww_errors *errors)
{
    int status = make_schema(r, true, errors);
    if (status)
        return status;
    return ww_sql_run(&r->sql,
                      "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; "
                      "PRAGMA foreign_keys = ON",
                      errors);
}

static int prepare_to_read(ww_results *r, ww_errors *errors)
{
    int64_t version = 0;
    int status = read_version(r, &version, errors);
    if (status)
        return status;
    return is_older(version) ? make_schema(r, false, errors) : check_schema(r, false, errors);
}

int ww_results_begin(ww_results *r, ww_errors *errors)
{
    int moved = 0;
    if (sqlite3_file_control(r->sql.db, "main", SQLITE_FCNTL_HAS_MOVED, &moved) == SQLITE_OK &&
        moved)
        return ww_fail(errors, WW_FAILED, (ww_where){r->path, 0, 0},
                       "the database was removed or replaced while it was in use (the same command "
                       "begins a new one)");
    return ww_sql_run(&r->sql, "BEGIN IMMEDIATE", errors);
}

int ww_results_end(ww_results *r, int status, ww_errors *errors)
{
    if (!status)
        status = ww_sql_run(&r->sql, "COMMIT", errors);
    if (status && !sqlite3_get_autocommit(r->sql.db))
        sqlite3_exec(r->sql.db, "ROLLBACK", NULL, NULL, NULL);
    return status;
}

ww_results *ww_results_open(const char *path, ww_results_mode mode, ww_errors *errors)
{
    /* A reader that may write tidies up when it is the last one; SQLite reads only what it may not write. */
    int flags = SQLITE_OPEN_READWRITE | (mode == WW_RESULTS_WRITE ? SQLITE_OPEN_CREATE : 0);
    if (mode == WW_RESULTS_READ && access(path, F_OK) != 0) {
        ww_fail(errors, WW_BAD_INPUT, (ww_where){path, 0, 0}, "no such file");
        return NULL;
    }
    ww_results *r = ww_calloc(1, sizeof(*r));
    r->path = ww_strdup(path);
    r->sql.path = r->path;
    int status =
        sqlite3_open_v2(path, &r->sql.db, flags, NULL) ? ww_sql_fail(&r->sql, errors) : WW_OK;
    sqlite3_busy_timeout(r->sql.db, BUSY_MILLISECONDS);
    if (!status)
        status =
            mode == WW_RESULTS_WRITE ? prepare_to_write(r, errors) : prepare_to_read(r, errors);
    if (!status)
        return r;
    ww_results_close(r);
    return NULL;
}

void ww_results_close(ww_results *r)
{
    if (!r)
        return;
    sqlite3_close(r->sql.db);
    free(r->path);
    free(r);
}

int ww_results_has_study(ww_results *r, const char *name, bool *has, ww_errors *errors)
{
    sqlite3_stmt *s = ww_sql_prepare(&r->sql, "SELECT 1 FROM studies WHERE name = ?", errors);
    if (!s)
        return ww_errors_status(errors);
    ww_sql_text(s, 1, name);
    int status = ww_sql_next(&r->sql, s, has, errors);
    sqlite3_finalize(s);
    return status;
}

/* ---- what is known ---- */

static ww_run_state state_named(const char *name)
{
    return strcmp(name, "done") == 0     ? WW_RUN_DONE
           : strcmp(name, "failed") == 0 ? WW_RUN_FAILED
                                         : WW_RUN_PENDING;
}

static int find_run(ww_results *r, sqlite3_stmt *s, const ww_plan *plan, size_t i,
                    ww_known_runs *known, ww_errors *errors)
{
    bool row = false;
    ww_sql_text(s, 1, plan->runs.items[i]->identity);
    ww_sql_text(s, 2, plan->build);
    int status = ww_sql_next(&r->sql, s, &row, errors);
    if (row) {
        known->numbers[i] = sqlite3_column_int64(s, 0);
        known->states[i] = state_named(ww_sql_column(s, 1));
    }
    sqlite3_reset(s);
    return status;
}

/* Runs of a kind follow each other in most plans: what the one before it found is not asked for again. */
static int find_seconds(ww_results *r, sqlite3_stmt *s, const ww_plan *plan, size_t i,
                        double *seconds, ww_errors *errors)
{
    const ww_planned_run *run = plan->runs.items[i];
    if (i && ww_runs_alike(run, plan->runs.items[i - 1])) {
        seconds[i] = seconds[i - 1];
        return WW_OK;
    }
    bool row = false;
    ww_sql_text(s, 1, run->workload);
    ww_sql_text(s, 2, run->size);
    ww_sql_text(s, 3, run->region);
    int status = ww_sql_next(&r->sql, s, &row, errors);
    if (row && sqlite3_column_type(s, 0) != SQLITE_NULL)
        seconds[i] = sqlite3_column_double(s, 0);
    sqlite3_reset(s);
    return status;
}

int ww_results_known(ww_results *r, const ww_plan *plan, ww_known_runs *known, ww_errors *errors)
{
    size_t count = plan->runs.count;
    known->numbers = ww_arena_alloc(plan->arena, count, sizeof(*known->numbers));
    known->states = ww_arena_alloc(plan->arena, count, sizeof(*known->states));
    known->seconds = ww_arena_alloc(plan->arena, count, sizeof(*known->seconds));
    for (size_t i = 0; i < count; i++)
        known->seconds[i] = NAN;
    if (!r)
        return WW_OK;
    sqlite3_stmt *find = ww_sql_prepare(
        &r->sql, "SELECT id, status FROM runs WHERE identity = ? AND build = ?", errors);
    sqlite3_stmt *time = ww_sql_prepare(&r->sql,
                                        "SELECT avg(wall_seconds) FROM runs WHERE workload = ? AND "
                                        "size = ? AND region = ? AND status = 'done'",
                                        errors);
    int status = find && time ? WW_OK : ww_errors_status(errors);
    for (size_t i = 0; i < count && !status; i++) {
        status = find_run(r, find, plan, i, known, errors);
        if (!status)
            status = find_seconds(r, time, plan, i, known->seconds, errors);
    }
    sqlite3_finalize(find);
    sqlite3_finalize(time);
    return status;
}
