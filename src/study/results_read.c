/* Queries for reports. */
#include "config/config.h"
#include "sim/components.h"
#include "study/results_internal.h"

#include <math.h>
#include <string.h>

size_t ww_results_studies(ww_results *r, ww_arena *arena, ww_stored_study **studies,
                          ww_errors *errors)
{
    WW_VEC(ww_stored_study) found = {0};
    bool row = true;
    sqlite3_stmt *s = ww_sql_prepare(
        &r->sql, "SELECT id, name, file, text, asked_size FROM studies ORDER BY name", errors);
    while (s && !ww_sql_next(&r->sql, s, &row, errors) && row) {
        ww_stored_study study = {.id = sqlite3_column_int64(s, 0),
                                 .name = ww_arena_strdup(arena, ww_sql_column(s, 1)),
                                 .file = ww_arena_strdup(arena, ww_sql_column(s, 2)),
                                 .text = ww_arena_strdup(arena, ww_sql_column(s, 3)),
                                 .asked_size = ww_arena_strdup(arena, ww_sql_column(s, 4))};
        ww_vec_push(&found, study);
    }
    sqlite3_finalize(s);
    size_t count = found.count;
    *studies = ww_arena_alloc(arena, count + 1, sizeof(**studies));
    if (count)
        memcpy(*studies, found.items, count * sizeof(**studies));
    ww_vec_free(&found);
    return count;
}

/* A column of `runs`. */
static sqlite3_stmt *select_column(ww_results *r, int64_t study, const char *name,
                                   ww_errors *errors)
{
    char text[200];
    snprintf(text, sizeof(text),
             "SELECT number, %s FROM points JOIN runs ON runs.id = run "
             "WHERE study = ? AND status = 'done'",
             name);
    sqlite3_stmt *s = ww_sql_prepare(&r->sql, text, errors);
    if (s)
        ww_sql_number(s, 1, study);
    return s;
}

static sqlite3_stmt *select_named(ww_results *r, int64_t study, const char *text, const char *name,
                                  ww_errors *errors)
{
    sqlite3_stmt *s = ww_sql_prepare(&r->sql, text, errors);
    if (s) {
        ww_sql_number(s, 1, study);
        ww_sql_text(s, 2, name);
    }
    return s;
}

static sqlite3_stmt *select_measure(ww_results *r, int64_t study, const char *name,
                                    ww_errors *errors)
{
    const char *key = ww_measure_key(name), *parameter = ww_parameter_name(name);
    for (size_t i = 0; ww_result_measures[i]; i++)
        if (strcmp(ww_result_measures[i], name) == 0)
            return select_column(r, study, name, errors);
    if (parameter)
        return select_named(r, study,
                            "SELECT number, json_extract(parameters, '$.\"' || ?2 || '\"') "
                            "FROM points JOIN runs ON runs.id = run "
                            "WHERE study = ?1 AND status = 'done'",
                            parameter, errors);
    if (key)
        return select_named(r, study,
                            "SELECT number, json_extract(keys, '$.\"' || ?2 || '\"') FROM points "
                            "JOIN runs ON runs.id = run JOIN configs ON configs.id = config "
                            "WHERE study = ?1 AND status = 'done'",
                            key, errors);
    return select_named(
        r, study,
        "SELECT number, value FROM points JOIN stat_values USING (run) "
        "WHERE study = ? AND name = (SELECT id FROM stat_names WHERE stat_names.name = ?)",
        name, errors);
}

/* A number, or the text of a key's value, "16KiB". */
static double column_number(sqlite3_stmt *s, int column, const ww_setting *setting)
{
    if (sqlite3_column_type(s, column) != SQLITE_TEXT)
        return sqlite3_column_double(s, column);
    ww_errors *ignored = ww_errors_create(); /* of a version whose key was another one */
    ww_value value;
    double number = NAN;
    if (setting && ww_key_is_number(setting->key) &&
        ww_value_parse(setting->key, ww_sql_column(s, column), WW_NOWHERE, &value, ignored) ==
            WW_OK)
        number = ww_value_number(setting->key, &value);
    ww_errors_destroy(ignored);
    return number;
}

double ww_results_key_number(sqlite3_stmt *s, int column, const char *key)
{
    ww_config *config = ww_config_create(&ww_all_schemas);
    double number = column_number(s, column, ww_config_find(config, key));
    ww_config_destroy(config);
    return number;
}

double *ww_results_measure(ww_results *r, int64_t study, const char *name, size_t points,
                           ww_errors *errors)
{
    double *values = ww_calloc(points + 1, sizeof(*values));
    bool row = true;
    const char *key = ww_measure_key(name);
    ww_config *config = key ? ww_config_create(&ww_all_schemas) : NULL;
    const ww_setting *setting = key ? ww_config_find(config, key) : NULL;
    for (size_t i = 0; i < points; i++)
        values[i] = NAN;
    sqlite3_stmt *s = select_measure(r, study, name, errors);
    while (s && !ww_sql_next(&r->sql, s, &row, errors) && row) {
        int64_t number = sqlite3_column_int64(s, 0);
        if (number >= 0 && (size_t)number < points && sqlite3_column_type(s, 1) != SQLITE_NULL)
            values[number] = column_number(s, 1, setting);
    }
    sqlite3_finalize(s);
    ww_config_destroy(config);
    return values;
}

#define MOST_JOINED 6

/* "tiny, small" in the order of the points; empty ones are left out, and those after the first
 * few. */
static const char *join_column(ww_results *r, int64_t study, const char *column, ww_arena *arena,
                               ww_errors *errors)
{
    char text[200];
    const char *joined = "";
    bool row = true;
    size_t count = 0;
    snprintf(
        text, sizeof(text),
        "SELECT runs.%s FROM points JOIN runs ON runs.id = run WHERE study = ? AND runs.%s <> '' "
        "GROUP BY 1 ORDER BY min(number)",
        column, column);
    sqlite3_stmt *s = ww_sql_prepare(&r->sql, text, errors);
    if (s)
        ww_sql_number(s, 1, study);
    while (s && !ww_sql_next(&r->sql, s, &row, errors) && row)
        if (++count <= MOST_JOINED)
            joined = ww_arena_printf(arena, "%s%s%s", joined, joined[0] ? ", " : "",
                                     ww_sql_column(s, 0));
    sqlite3_finalize(s);
    return count <= MOST_JOINED
               ? joined
               : ww_arena_printf(arena, "%s and %zu more", joined, count - MOST_JOINED);
}

int ww_results_progress(ww_results *r, int64_t study, ww_arena *arena, ww_study_progress *progress,
                        ww_errors *errors)
{
    bool row = false;
    sqlite3_stmt *s = ww_sql_prepare(&r->sql,
                                     "SELECT count(*), total(status = 'done'), "
                                     "total(status = 'failed'), min(finished), max(finished) "
                                     "FROM runs WHERE id IN "
                                     "(SELECT run FROM points WHERE study = ?)",
                                     errors);
    if (!s)
        return ww_errors_status(errors);
    ww_sql_number(s, 1, study);
    int status = ww_sql_next(&r->sql, s, &row, errors);
    *progress = (ww_study_progress){.first_finished = "", .last_finished = ""};
    if (row)
        *progress =
            (ww_study_progress){.runs = sqlite3_column_int64(s, 0),
                                .done = sqlite3_column_int64(s, 1),
                                .failed = sqlite3_column_int64(s, 2),
                                .first_finished = ww_arena_strdup(arena, ww_sql_column(s, 3)),
                                .last_finished = ww_arena_strdup(arena, ww_sql_column(s, 4))};
    sqlite3_finalize(s);
    progress->machines = join_column(r, study, "machine", arena, errors);
    progress->sizes = join_column(r, study, "size", arena, errors);
    progress->versions = join_column(r, study, "version", arena, errors);
    progress->builds = join_column(r, study, "build", arena, errors);
    progress->commits = join_column(r, study, "git_commit", arena, errors);
    return status ? status : ww_errors_status(errors);
}

int ww_results_failures(ww_results *r, int64_t study,
                        void (*each)(void *context, const char *const *texts), void *context,
                        ww_errors *errors)
{
    bool row = true;
    sqlite3_stmt *s = ww_sql_prepare(
        &r->sql,
        "SELECT points.workload || ' ' || variant || coalesce((SELECT group_concat(' ' || key || "
        "'=' "
        "|| value, '') FROM json_each(axes)), '') || ' seed ' || points.seed, exit_status, "
        "message, "
        "command "
        "FROM points JOIN runs ON runs.id = run WHERE study = ? AND status = 'failed' "
        "ORDER BY number",
        errors);
    if (!s)
        return ww_errors_status(errors);
    ww_sql_number(s, 1, study);
    while (!ww_sql_next(&r->sql, s, &row, errors) && row) {
        const char *texts[4];
        for (int i = 0; i < 4; i++)
            texts[i] = ww_sql_column(s, i);
        each(context, texts);
    }
    sqlite3_finalize(s);
    return ww_errors_status(errors);
}
