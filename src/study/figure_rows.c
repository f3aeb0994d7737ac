/* Figures of rows of results (sim/row_list.h): a row for each of each point, a column for each
 * part. */
#include "study/figure.h"

#include "base/memory.h"

typedef struct row_maker {
    const ww_study *study;
    const ww_figure *figure;
    ww_results *results;
    int64_t id;
    ww_errors *errors;
    size_t row_count, column_count; /* labels of the figure's coordinates */
    WW_VEC(const char *) labels;
    WW_VEC(ww_cell) cells;
} row_maker;

/* What the figure shows one value of only is not repeated in every row. */
static const char *join(const row_maker *m, const char *row, const char *column, const char *last)
{
    ww_arena *arena = m->study->arena;
    const char *text = m->column_count > 1 ? ww_arena_printf(arena, "%s, %s", column, last) : last;
    return m->row_count > 1 ? ww_arena_printf(arena, "%s, %s", row, text) : text;
}

/* "bfs, l1_16, kernel 12" */
static void add_point(row_maker *m, const char *row, const char *column)
{
    const ww_sweep *sweep = m->figure->sweep;
    const ww_row_list *list = m->figure->list;
    ww_coordinates point = ww_figure_point(m->study, m->figure, row, column);
    size_t number = sweep->first + ww_sweep_index(sweep, &point);
    ww_stored_row *rows;
    size_t count =
        ww_results_rows(m->results, m->id, number, list, m->study->arena, &rows, m->errors);
    for (size_t i = 0; i < count; i++) {
        ww_vec_push(&m->labels, join(m, row, column, rows[i].label));
        for (size_t part = 0; part < list->part_count; part++) {
            double value = rows[i].values[part];
            ww_vec_push(&m->cells, ((ww_cell){.value = value, .low = value, .high = value}));
        }
    }
}

ww_grid ww_rows_compute(const ww_study *study, const ww_figure *figure, ww_results *results,
                        int64_t id, ww_errors *errors)
{
    ww_arena *arena = study->arena;
    const ww_row_list *list = figure->list;
    row_maker m = {
        .study = study, .figure = figure, .results = results, .id = id, .errors = errors};
    const char **row_labels = ww_figure_labels(study, figure, figure->rows, &m.row_count);
    const char **column_labels = ww_figure_labels(study, figure, figure->columns, &m.column_count);
    for (size_t i = 0; i < m.row_count * m.column_count; i++)
        add_point(&m, row_labels[i / m.column_count], column_labels[i % m.column_count]);
    ww_grid grid = {.figure = figure,
                    .name = figure->name,
                    .title = figure->title,
                    .corner = join(&m, figure->rows, figure->columns, list->what),
                    .rows = ww_arena_alloc(arena, m.labels.count + 1, sizeof(*grid.rows)),
                    .columns = ww_arena_alloc(arena, list->part_count, sizeof(*grid.columns)),
                    .row_count = m.labels.count,
                    .column_count = list->part_count,
                    .cells = ww_arena_alloc(arena, m.cells.count + 1, sizeof(*grid.cells))};
    for (size_t i = 0; i < grid.column_count; i++)
        grid.columns[i] = list->parts[i].name;
    for (size_t i = 0; i < m.labels.count; i++)
        grid.rows[i] = m.labels.items[i];
    for (size_t i = 0; i < m.cells.count; i++)
        grid.cells[i] = m.cells.items[i];
    ww_vec_free(&m.labels);
    ww_vec_free(&m.cells);
    return grid;
}
