/* Numbers over the time of a run, in the database. */
#include "base/json.h"
#include "study/results_internal.h"

#include <math.h>

char *ww_results_json_text(const json_t *json)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    if (!out)
        ww_out_of_memory(sizeof(FILE));
    ww_json_write_script(json, out);
    fclose(out);
    return text;
}

int ww_results_insert_series(ww_results *r, int64_t run, json_t *series, ww_errors *errors)
{
    sqlite3_stmt *s = ww_sql_prepare(
        &r->sql, "INSERT INTO series (run, name, cycles, bins) VALUES (?, ?, ?, ?)", errors);
    int status = s ? WW_OK : ww_errors_status(errors);
    for (void *at = json_object_iter(series); at && !status;
         at = json_object_iter_next(series, at)) {
        if (!json_is_array(json_object_iter_value(at)))
            continue;
        char *bins = ww_results_json_text(json_object_iter_value(at));
        ww_sql_number(s, 1, run);
        ww_sql_text(s, 2, json_object_iter_key(at));
        ww_sql_number(s, 3, json_integer_value(json_object_get(series, "cycles")));
        ww_sql_text(s, 4, bins);
        status = ww_sql_step(&r->sql, s, errors);
        free(bins);
    }
    sqlite3_finalize(s);
    return status;
}

json_t *ww_results_series_json(ww_results *r, sqlite3_stmt *s, int64_t run, ww_errors *errors)
{
    json_t *series = json_object();
    bool row = true;
    ww_sql_number(s, 1, run);
    while (!ww_sql_next(&r->sql, s, &row, errors) && row) {
        json_t *bins = json_loads(ww_sql_column(s, 2), 0, NULL);
        json_object_set_new(series, "cycles", json_integer(sqlite3_column_int64(s, 1)));
        json_object_set_new(series, ww_sql_column(s, 0), bins ? bins : json_null());
    }
    sqlite3_reset(s);
    return series;
}

/* A database may be untrusted: what is no array of numbers has no bins. */
#define MOST_BINS 4096
static void take_bins(const char *text, ww_arena *arena, ww_stored_series *series)
{
    json_t *bins = json_loads(text, 0, NULL);
    size_t count = json_array_size(bins); /* 0: no array */
    series->count = count <= MOST_BINS ? count : 0;
    series->bins = ww_arena_alloc(arena, series->count + 1, sizeof(*series->bins));
    for (size_t i = 0; i < series->count; i++) {
        const json_t *bin = json_array_get(bins, i);
        if (!json_is_number(bin))
            series->count = 0;
        series->bins[i] = json_number_value(bin);
    }
    json_decref(bins);
}

ww_stored_series ww_results_series(ww_results *r, int64_t study, size_t point, const char *name,
                                   ww_arena *arena, ww_errors *errors)
{
    ww_stored_series series = {0};
    bool row = false;
    sqlite3_stmt *s = ww_sql_prepare(
        &r->sql,
        "SELECT bins, series.cycles, json_extract(keys, '$.\"gpu.clock\"') FROM points "
        "JOIN runs ON runs.id = points.run JOIN configs ON configs.id = config "
        "JOIN series ON series.run = points.run "
        "WHERE study = ? AND number = ? AND series.name = ? AND status = 'done'",
        errors);
    if (!s)
        return series;
    ww_sql_number(s, 1, study);
    ww_sql_number(s, 2, (int64_t)point);
    ww_sql_text(s, 3, name);
    if (!ww_sql_next(&r->sql, s, &row, errors) && row) {
        series.seconds = sqlite3_column_double(s, 1) / ww_results_key_number(s, 2, "gpu.clock");
        if (series.seconds > 0 && isfinite(series.seconds))
            take_bins(ww_sql_column(s, 0), arena, &series);
    }
    sqlite3_finalize(s);
    return series;
}
