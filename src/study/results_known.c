/* Which runs of a study the database already has. */
#include "study/results_internal.h"

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

static const char *kind_text(ww_arena *arena, const char *workload, const char *size,
                             const char *region)
{
    return ww_arena_printf(arena, "%s\n%s\n%s", workload, size, region);
}

/* The seconds that runs of each kind took: a map from a text of the kind to a double in the
 * arena. */
static int read_seconds(ww_results *r, ww_arena *arena, ww_map *kinds, ww_errors *errors)
{
    bool row = true;
    int status = WW_OK;
    sqlite3_stmt *s = ww_sql_prepare(&r->sql,
                                     "SELECT workload, size, region, avg(wall_seconds) FROM runs "
                                     "WHERE status = 'done' AND wall_seconds IS NOT NULL "
                                     "GROUP BY workload, size, region",
                                     errors);
    if (!s)
        return ww_errors_status(errors);
    while (!(status = ww_sql_next(&r->sql, s, &row, errors)) && row) {
        const char *kind =
            kind_text(arena, ww_sql_column(s, 0), ww_sql_column(s, 1), ww_sql_column(s, 2));
        double *seconds = ww_arena_alloc(arena, 1, sizeof(*seconds));
        *seconds = sqlite3_column_double(s, 3);
        ww_map_add(kinds, kind, strlen(kind), seconds);
    }
    sqlite3_finalize(s);
    return status;
}

static int find_seconds(ww_results *r, const ww_plan *plan, double *seconds, ww_errors *errors)
{
    ww_arena *arena = ww_arena_create();
    ww_map *kinds = ww_map_create();
    int status = read_seconds(r, arena, kinds, errors);
    for (size_t i = 0; i < plan->runs.count && !status; i++) {
        const ww_planned_run *run = plan->runs.items[i];
        const double *found =
            ww_map_find(kinds, kind_text(arena, run->workload, run->size, run->region));
        seconds[i] = found ? *found : NAN;
    }
    ww_map_destroy(kinds);
    ww_arena_destroy(arena);
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
    int status = find ? find_seconds(r, plan, known->seconds, errors) : ww_errors_status(errors);
    for (size_t i = 0; i < count && !status; i++)
        status = find_run(r, find, plan, i, known, errors);
    sqlite3_finalize(find);
    return status;
}
