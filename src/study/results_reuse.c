/* Reuse distances by instruction, in the database. */
#include "base/json.h"
#include "base/memory.h"
#include "sim/reuse_rows.h"
#include "study/results_internal.h"

#include <math.h>

int ww_results_insert_reuse(ww_results *r, int64_t run, const json_t *reuse, ww_errors *errors)
{
    sqlite3_stmt *s = ww_sql_prepare(
        &r->sql, "INSERT INTO reuse (run, kernel, pc, counts) VALUES (?, ?, ?, ?)", errors);
    int status = s ? WW_OK : ww_errors_status(errors);
    for (size_t i = 0; i < json_array_size(reuse) && !status; i++) {
        json_t *counts = json_copy(json_array_get(reuse, i));
        json_object_del(counts, "kernel");
        json_object_del(counts, "pc");
        char *text = ww_results_json_text(counts);
        const json_t *row = json_array_get(reuse, i);
        ww_sql_number(s, 1, run);
        ww_sql_text(s, 2, json_string_value(json_object_get(row, "kernel")));
        ww_sql_number(s, 3, json_integer_value(json_object_get(row, "pc")));
        ww_sql_text(s, 4, text);
        status = ww_sql_step(&r->sql, s, errors);
        free(text);
        json_decref(counts);
    }
    sqlite3_finalize(s);
    return status;
}

json_t *ww_results_reuse_json(ww_results *r, sqlite3_stmt *s, int64_t run, ww_errors *errors)
{
    json_t *reuse = json_array();
    bool row = true;
    ww_sql_number(s, 1, run);
    while (!ww_sql_next(&r->sql, s, &row, errors) && row) {
        json_t *one = json_object(), *counts = json_loads(ww_sql_column(s, 2), 0, NULL);
        json_object_set_new(one, "kernel", ww_json_text(ww_sql_column(s, 0)));
        json_object_set_new(one, "pc", json_integer(sqlite3_column_int64(s, 1)));
        json_object_update(one, counts);
        json_array_append_new(reuse, one);
        json_decref(counts);
    }
    sqlite3_reset(s);
    return reuse;
}

/* A database may be untrusted: what is no number is none. */
static double count_of(const json_t *counts, const char *name)
{
    const json_t *count = json_object_get(counts, name);
    return json_is_number(count) ? json_number_value(count) : NAN;
}

static ww_stored_reuse row_of(sqlite3_stmt *s, ww_arena *arena)
{
    json_t *counts = json_loads(ww_sql_column(s, 2), 0, NULL);
    ww_stored_reuse row = {.instruction = ww_arena_printf(arena, "%s %lld", ww_sql_column(s, 0),
                                                          (long long)sqlite3_column_int64(s, 1)),
                           .shares =
                               ww_arena_alloc(arena, ww_reuse_part_count, sizeof(*row.shares))};
    for (size_t i = 0; i < ww_reuse_part_count; i++) {
        const ww_reuse_part *part = &ww_reuse_parts[i];
        double all = count_of(counts, part->of);
        row.shares[i] = all > 0 ? count_of(counts, part->name) / all : NAN;
    }
    json_decref(counts);
    return row;
}

#define MOST_ROWS 4096
size_t ww_results_reuse(ww_results *r, int64_t study, size_t point, ww_arena *arena,
                        ww_stored_reuse **rows, ww_errors *errors)
{
    WW_VEC(ww_stored_reuse) all = {0};
    bool row = true;
    sqlite3_stmt *s =
        ww_sql_prepare(&r->sql,
                       "SELECT kernel, pc, counts FROM points JOIN runs ON runs.id = points.run "
                       "JOIN reuse ON reuse.run = points.run "
                       "WHERE study = ? AND number = ? AND status = 'done' ORDER BY kernel, pc",
                       errors);
    if (s) {
        ww_sql_number(s, 1, study);
        ww_sql_number(s, 2, (int64_t)point);
    }
    while (s && all.count < MOST_ROWS && !ww_sql_next(&r->sql, s, &row, errors) && row)
        ww_vec_push(&all, row_of(s, arena));
    sqlite3_finalize(s);
    *rows = ww_arena_alloc(arena, all.count + 1, sizeof(**rows));
    for (size_t i = 0; i < all.count; i++)
        (*rows)[i] = all.items[i];
    size_t count = all.count;
    ww_vec_free(&all);
    return count;
}
