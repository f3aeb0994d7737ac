/* What the database has of a study already. */
#include "study/results_parts.h"

#include <math.h>
#include <string.h>

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
