#include "study/results_runs.h"

#include "base/hash.h"
#include "base/json.h"
#include "study/results_internal.h"

#include <ctype.h>
#include <string.h>

/* Of a row of `runs`. */
#define RAW_NAME "identity || '-' || substr(build, 1, 8)"

static json_t *parsed(const char *text)
{
    json_t *value = json_loads(text, JSON_DECODE_ANY, NULL);
    return value ? value : json_null();
}

static json_t *column_json(sqlite3_stmt *s, int column)
{
    switch (sqlite3_column_type(s, column)) {
    case SQLITE_NULL: return json_null();
    case SQLITE_INTEGER: return json_integer(sqlite3_column_int64(s, column));
    case SQLITE_FLOAT: return ww_json_real(sqlite3_column_double(s, column));
    default: return ww_json_text(ww_sql_column(s, column));
    }
}

/* An object with the row's columns by their names. */
static json_t *row_json(sqlite3_stmt *s)
{
    json_t *row = json_object();
    for (int i = 0; i < sqlite3_column_count(s); i++)
        json_object_set_new(row, sqlite3_column_name(s, i), column_json(s, i));
    return row;
}

static void parse_member(json_t *object, const char *name)
{
    const char *text = json_string_value(json_object_get(object, name));
    json_object_set_new(object, name, text ? parsed(text) : json_null());
}

json_t *ww_results_points(ww_results *r, int64_t study, ww_errors *errors)
{
    json_t *points = json_array();
    bool row = true;
    sqlite3_stmt *s = ww_sql_prepare(
        &r->sql,
        "SELECT sweep, points.workload AS workload, variant, axes, points.seed AS seed, size, "
        "status, cycles, wall_seconds, " RAW_NAME " AS raw "
        "FROM points JOIN runs ON runs.id = run WHERE study = ? ORDER BY number",
        errors);
    if (s)
        ww_sql_number(s, 1, study);
    while (s && !ww_sql_next(&r->sql, s, &row, errors) && row) {
        json_t *point = row_json(s);
        parse_member(point, "axes");
        json_array_append_new(points, point);
    }
    sqlite3_finalize(s);
    return points;
}

/* ---- where numbers are from ---- */

/* The first twelve digits, and whether there were changes. */
#define SHORT_COMMIT                         \
    "coalesce(substr(git_commit, 1, 12) || " \
    "CASE WHEN length(git_commit) > 12 AND git_commit LIKE '%+' THEN '+' ELSE '' END, '')"

static void add_commit(ww_arena *arena, const char *commit, const char **commits)
{
    if (commit[0] && !strstr(*commits, commit))
        *commits = ww_arena_printf(arena, "%s%s%s", *commits, (*commits)[0] ? ", " : "", commit);
}

int ww_results_sweep_origin(ww_results *r, int64_t study, const char *sweep, ww_arena *arena,
                            ww_sweep_origin *origin, ww_errors *errors)
{
    bool row = true;
    ww_hash128 hash = {{0}};
    *origin = (ww_sweep_origin){"", ""};
    sqlite3_stmt *s = ww_sql_prepare(&r->sql,
                                     "SELECT " SHORT_COMMIT ", identity "
                                     "FROM points JOIN runs ON runs.id = run WHERE study = ? AND "
                                     "sweep = ? AND status = 'done' ORDER BY number",
                                     errors);
    if (s) {
        ww_sql_number(s, 1, study);
        ww_sql_text(s, 2, sweep);
    }
    while (s && !ww_sql_next(&r->sql, s, &row, errors) && row) {
        add_commit(arena, ww_sql_column(s, 0), &origin->commits);
        ww_hash128_add_text(&hash, ww_sql_column(s, 1));
        origin->configurations =
            ww_arena_printf(arena, "%016llx", (unsigned long long)hash.words[0]);
    }
    sqlite3_finalize(s);
    return ww_errors_status(errors);
}

int ww_results_each_point(ww_results *r, int64_t study,
                          void (*each)(void *context, size_t number, const char *const *texts),
                          void *context, ww_errors *errors)
{
    bool row = true;
    sqlite3_stmt *s = ww_sql_prepare(
        &r->sql,
        "SELECT number, sweep, points.workload, variant, axes, points.seed, size, "
        "region, " SHORT_COMMIT ", substr(identity, 1, 16), verified, cycles, warp_instructions, "
        "round(host_seconds, 1) FROM points JOIN runs ON runs.id = run "
        "WHERE study = ? AND status = 'done' ORDER BY number",
        errors);
    if (s)
        ww_sql_number(s, 1, study);
    while (s && !ww_sql_next(&r->sql, s, &row, errors) && row) {
        const char *texts[WW_RUN_TEXTS];
        for (int i = 0; i < WW_RUN_TEXTS; i++)
            texts[i] = ww_sql_column(s, i + 1);
        each(context, (size_t)sqlite3_column_int64(s, 0), texts);
    }
    sqlite3_finalize(s);
    return ww_errors_status(errors);
}

/* ---- settings ---- */

/* Every key and machine with the values that it has in a variant, in the order of the configuration
 * and of the points. Points share configurations: each is opened once. */
#define SETTINGS                                                                                \
    "WITH used AS (SELECT variant, machine, config, min(number) AS first FROM points "          \
    "JOIN runs ON runs.id = run WHERE study = ? AND config IS NOT NULL "                        \
    "GROUP BY variant, machine, config), "                                                      \
    "said AS (SELECT 'machine' AS key, -1 AS position, variant, machine AS value, first FROM "  \
    "used "                                                                                     \
    "UNION ALL SELECT keys.key, keys.id, variant, "                                             \
    "CASE keys.type WHEN 'true' THEN 'true' WHEN 'false' THEN 'false' ELSE keys.value END, "    \
    "first FROM used JOIN configs ON configs.id = config, json_each(configs.keys) AS keys), "   \
    "varied AS (SELECT key FROM said GROUP BY key HAVING count(DISTINCT value) > 1) "           \
    "SELECT key, variant, CAST(value AS TEXT) FROM said WHERE key IN (SELECT key FROM varied) " \
    "GROUP BY key, variant, value ORDER BY min(position), key, min(first)"

json_t *ww_results_settings(ww_results *r, int64_t study, ww_errors *errors)
{
    json_t *settings = json_array(), *values = NULL;
    char *last = ww_strdup("");
    bool row = true;
    sqlite3_stmt *s = ww_sql_prepare(&r->sql, SETTINGS, errors);
    if (s)
        ww_sql_number(s, 1, study);
    while (s && !ww_sql_next(&r->sql, s, &row, errors) && row) {
        const char *key = ww_sql_column(s, 0), *variant = ww_sql_column(s, 1);
        if (strcmp(key, last) != 0) {
            free(last);
            last = ww_strdup(key);
            values = json_object();
            json_array_append_new(
                settings, json_pack("{s:o, s:o}", "key", ww_json_text(key), "values", values));
        }
        if (!json_object_get(values, variant))
            json_object_set_new(values, variant, json_array());
        json_array_append_new(json_object_get(values, variant), ww_json_text(ww_sql_column(s, 2)));
    }
    sqlite3_finalize(s);
    free(last);
    return settings;
}

/* ---- raw results ---- */

/* The rows of a statement about one run: an array of objects. */
static json_t *kernels_json(ww_results *r, sqlite3_stmt *s, int64_t run, ww_errors *errors)
{
    json_t *kernels = json_array();
    bool row = true;
    ww_sql_number(s, 1, run);
    while (!ww_sql_next(&r->sql, s, &row, errors) && row)
        json_array_append_new(kernels, row_json(s));
    sqlite3_reset(s);
    return kernels;
}

/* The rows of a statement about one run: an object from the first column to the second. */
static json_t *stats_json(ww_results *r, sqlite3_stmt *s, int64_t run, ww_errors *errors)
{
    json_t *stats = json_object();
    bool row = true;
    ww_sql_number(s, 1, run);
    while (!ww_sql_next(&r->sql, s, &row, errors) && row)
        json_object_set_new(stats, ww_sql_column(s, 0), column_json(s, 1));
    sqlite3_reset(s);
    return stats;
}

typedef struct raw_reader {
    sqlite3_stmt *runs, *kernels, *stats, *series, *lists;
} raw_reader;

static json_t *raw_json(ww_results *r, const raw_reader *reader, int64_t id, ww_errors *errors)
{
    json_t *raw = row_json(reader->runs);
    const json_t *verified = json_object_get(raw, "verified");
    if (json_is_integer(verified))
        json_object_set_new(raw, "verified", json_boolean(json_integer_value(verified)));
    parse_member(raw, "config");
    parse_member(raw, "parameters");
    json_object_del(raw, "id");
    json_object_del(raw, "raw");
    json_object_set_new(raw, "kernels", kernels_json(r, reader->kernels, id, errors));
    json_t *series = ww_results_series_json(r, reader->series, id, errors);
    if (json_object_size(series))
        json_object_set(raw, "series", series);
    json_decref(series);
    ww_results_add_rows(r, reader->lists, id, raw, errors);
    json_object_set_new(raw, "stats", stats_json(r, reader->stats, id, errors));
    return raw;
}

/* The identity becomes the name of a file, and a database may be untrusted. */
#define MOST_NAME_CHARS 64
static int check_name(const ww_results *r, const char *name, ww_errors *errors)
{
    size_t length = 0;
    while (isalnum((unsigned char)name[length]) || name[length] == '-')
        length++;
    if (!name[length] && length > 0 && length <= MOST_NAME_CHARS)
        return WW_OK;
    return ww_fail(errors, WW_BAD_INPUT, (ww_where){r->path, 0, 0},
                   "a run has the identity '%.60s' (letters and digits are needed)", name);
}

static int read_raw(ww_results *r, const raw_reader *reader,
                    int (*each)(void *context, const char *name, const json_t *raw), void *context,
                    ww_errors *errors)
{
    bool row = true;
    int status = WW_OK;
    while (!status && !(status = ww_sql_next(&r->sql, reader->runs, &row, errors)) && row) {
        char *name = ww_strdup(ww_sql_column(reader->runs, 1));
        status = check_name(r, name, errors);
        if (!status) {
            json_t *raw = raw_json(r, reader, sqlite3_column_int64(reader->runs, 0), errors);
            status = each(context, name, raw);
            json_decref(raw);
        }
        free(name);
    }
    return status;
}

int ww_results_each_raw(ww_results *r,
                        int (*each)(void *context, const char *name, const json_t *raw),
                        void *context, ww_errors *errors)
{
    raw_reader reader = {
        .runs = ww_sql_prepare(
            &r->sql,
            "SELECT runs.id AS id, " RAW_NAME " AS raw, machine, workload, size, region, seed, "
            "version, build, git_commit, identity, command, status, exit_status, message, keys AS "
            "config, "
            "parameters, verified, cycles, warp_instructions, thread_instructions, footprint, "
            "first_pass_cycles, host, started, finished, host_seconds, wall_seconds, "
            "host_peak_bytes "
            "FROM runs LEFT JOIN configs ON configs.id = config "
            "WHERE status <> 'pending' AND runs.id IN (SELECT run FROM points) ORDER BY runs.id",
            errors),
        .kernels = ww_sql_prepare(&r->sql,
                                  "SELECT entry, launches, cycles, warp_instructions, "
                                  "thread_instructions FROM kernels WHERE run = ? ORDER BY entry",
                                  errors),
        .stats = ww_sql_prepare(&r->sql,
                                "SELECT stat_names.name, value FROM stat_values JOIN stat_names "
                                "ON stat_names.id = stat_values.name WHERE run = ? "
                                "ORDER BY stat_names.id",
                                errors),
        .series = ww_sql_prepare(
            &r->sql, "SELECT name, cycles, bins FROM series WHERE run = ? ORDER BY name", errors),
        .lists = ww_sql_prepare(
            &r->sql, "SELECT name, entry FROM lists WHERE run = ? ORDER BY name, number", errors)};
    int status = ww_errors_status(errors);
    if (!status)
        status = read_raw(r, &reader, each, context, errors);
    sqlite3_finalize(reader.runs);
    sqlite3_finalize(reader.kernels);
    sqlite3_finalize(reader.stats);
    sqlite3_finalize(reader.series);
    sqlite3_finalize(reader.lists);
    return status ? status : ww_errors_status(errors);
}
