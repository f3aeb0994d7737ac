/* Rows of results (sim/row_list.h) in the database. */
#include "base/json.h"
#include "base/memory.h"
#include "study/results_internal.h"

#include <math.h>
#include <string.h>

static int insert_list(ww_results *r, sqlite3_stmt *s, int64_t run, const ww_row_list *list,
                       const json_t *rows, ww_errors *errors)
{
    int status = WW_OK;
    for (size_t i = 0; i < json_array_size(rows) && !status; i++) {
        char *text = ww_results_json_text(json_array_get(rows, i));
        ww_sql_number(s, 1, run);
        ww_sql_text(s, 2, list->name);
        ww_sql_number(s, 3, (int64_t)i);
        ww_sql_text(s, 4, text);
        status = ww_sql_step(&r->sql, s, errors);
        free(text);
    }
    return status;
}

int ww_results_insert_rows(ww_results *r, int64_t run, const json_t *result, ww_errors *errors)
{
    sqlite3_stmt *s = ww_sql_prepare(
        &r->sql, "INSERT INTO lists (run, name, number, entry) VALUES (?, ?, ?, ?)", errors);
    int status = s ? WW_OK : ww_errors_status(errors);
    for (size_t i = 0; i < ww_row_list_count && !status; i++)
        status = insert_list(r, s, run, ww_row_lists[i],
                             json_object_get(result, ww_row_lists[i]->name), errors);
    sqlite3_finalize(s);
    return status;
}

static const ww_row_list *list_named(const char *name)
{
    for (size_t i = 0; i < ww_row_list_count; i++)
        if (strcmp(ww_row_lists[i]->name, name) == 0)
            return ww_row_lists[i];
    return NULL;
}

void ww_results_add_rows(ww_results *r, sqlite3_stmt *s, int64_t run, json_t *raw,
                         ww_errors *errors)
{
    bool row = true;
    ww_sql_number(s, 1, run);
    while (!ww_sql_next(&r->sql, s, &row, errors) && row) {
        const ww_row_list *list = list_named(ww_sql_column(s, 0));
        json_t *entry = json_loads(ww_sql_column(s, 1), 0, NULL);
        json_t *rows = list ? json_object_get(raw, list->name) : NULL;
        if (list && !rows) {
            rows = json_array();
            json_object_set_new(raw, list->name, rows);
        }
        if (rows && entry)
            json_array_append(rows, entry);
        json_decref(entry);
    }
    sqlite3_reset(s);
}

/* A database may be untrusted: what is no number is none. */
static double number_of(const json_t *entry, const char *name)
{
    const json_t *number = json_object_get(entry, name);
    return json_is_number(number) ? json_number_value(number) : NAN;
}

static double value_of(const json_t *entry, const ww_row_part *part)
{
    double value = number_of(entry, part->name), all = part->of ? number_of(entry, part->of) : 1;
    return all > 0 ? value / all : NAN;
}

/* "kernel 12" */
static const char *label_of(const json_t *entry, const ww_row_list *list, ww_arena *arena)
{
    const char *label = "";
    for (size_t i = 0; i < WW_ROW_NAMES && list->names[i].key; i++) {
        const json_t *name = json_object_get(entry, list->names[i].key);
        const char *text = json_is_string(name)
                               ? json_string_value(name)
                               : ww_arena_printf(arena, "%.0f", json_number_value(name));
        label = ww_arena_printf(arena, "%s%s%s", label, list->names[i].before, text);
    }
    return label;
}

static ww_stored_row row_of(const json_t *entry, const ww_row_list *list, ww_arena *arena)
{
    ww_stored_row row = {.label = label_of(entry, list, arena),
                         .values = ww_arena_alloc(arena, list->part_count, sizeof(*row.values))};
    for (size_t i = 0; i < list->part_count; i++)
        row.values[i] = value_of(entry, &list->parts[i]);
    return row;
}

#define MOST_ROWS 4096
size_t ww_results_rows(ww_results *r, int64_t study, size_t point, const ww_row_list *list,
                       ww_arena *arena, ww_stored_row **rows, ww_errors *errors)
{
    WW_VEC(ww_stored_row) all = {0};
    bool row = true;
    sqlite3_stmt *s = ww_sql_prepare(
        &r->sql,
        "SELECT entry FROM points JOIN runs ON runs.id = points.run "
        "JOIN lists ON lists.run = points.run AND lists.name = ? "
        "WHERE study = ? AND points.number = ? AND status = 'done' ORDER BY lists.number",
        errors);
    if (s) {
        ww_sql_text(s, 1, list->name);
        ww_sql_number(s, 2, study);
        ww_sql_number(s, 3, (int64_t)point);
    }
    while (s && all.count < MOST_ROWS && !ww_sql_next(&r->sql, s, &row, errors) && row) {
        json_t *entry = json_loads(ww_sql_column(s, 0), 0, NULL);
        ww_vec_push(&all, row_of(entry, list, arena));
        json_decref(entry);
    }
    sqlite3_finalize(s);
    *rows = ww_arena_alloc(arena, all.count + 1, sizeof(**rows));
    for (size_t i = 0; i < all.count; i++)
        (*rows)[i] = all.items[i];
    size_t count = all.count;
    ww_vec_free(&all);
    return count;
}
