/* Figures of reuse distances: a row for each instruction of each point, a column for each part. */
#include "study/figure.h"

#include "base/memory.h"
#include "sim/reuse_rows.h"

#include <math.h>
#include <string.h>

typedef struct row_maker {
    const ww_study *study;
    const ww_figure *figure;
    ww_results *results;
    int64_t id;
    ww_errors *errors;
    WW_VEC(const char *) labels;
    WW_VEC(ww_cell) cells;
} row_maker;

/* "bfs, l1_16, kernel 12" */
static void add_point(row_maker *m, const char *row, const char *column)
{
    const ww_sweep *sweep = m->figure->sweep;
    ww_coordinates point = ww_figure_point(m->study, m->figure, row, column);
    size_t number = sweep->first + ww_sweep_index(sweep, &point);
    ww_stored_reuse *rows;
    size_t count = ww_results_reuse(m->results, m->id, number, m->study->arena, &rows, m->errors);
    for (size_t i = 0; i < count; i++) {
        ww_vec_push(&m->labels, ww_arena_printf(m->study->arena, "%s, %s, %s", row, column,
                                                rows[i].instruction));
        for (size_t part = 0; part < ww_reuse_part_count; part++) {
            double share = rows[i].shares[part];
            ww_vec_push(&m->cells, ((ww_cell){.value = share, .low = share, .high = share}));
        }
    }
}

ww_grid ww_reuse_compute(const ww_study *study, const ww_figure *figure, ww_results *results,
                         int64_t id, ww_errors *errors)
{
    ww_arena *arena = study->arena;
    row_maker m = {
        .study = study, .figure = figure, .results = results, .id = id, .errors = errors};
    size_t rows, columns;
    const char **row_labels = ww_figure_labels(study, figure, figure->rows, &rows);
    const char **column_labels = ww_figure_labels(study, figure, figure->columns, &columns);
    for (size_t i = 0; i < rows * columns; i++)
        add_point(&m, row_labels[i / columns], column_labels[i % columns]);
    ww_grid grid = {
        .figure = figure,
        .name = figure->name,
        .title = figure->title,
        .corner = ww_arena_printf(arena, "%s, %s, instruction", figure->rows, figure->columns),
        .rows = ww_arena_alloc(arena, m.labels.count + 1, sizeof(*grid.rows)),
        .columns = ww_arena_alloc(arena, ww_reuse_part_count, sizeof(*grid.columns)),
        .row_count = m.labels.count,
        .column_count = ww_reuse_part_count,
        .cells = ww_arena_alloc(arena, m.cells.count + 1, sizeof(*grid.cells))};
    for (size_t i = 0; i < grid.column_count; i++)
        grid.columns[i] = ww_reuse_parts[i].name;
    for (size_t i = 0; i < m.labels.count; i++)
        grid.rows[i] = m.labels.items[i];
    for (size_t i = 0; i < m.cells.count; i++)
        grid.cells[i] = m.cells.items[i];
    ww_vec_free(&m.labels);
    ww_vec_free(&m.cells);
    return grid;
}
