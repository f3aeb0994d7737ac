/* Figures of numbers over time: a line for each point and series. */
#include "study/figure.h"

#include <math.h>

#define MILLISECOND 1e-3

static void fill_line(ww_line *line, const ww_stored_series *stored)
{
    double rate = line->series->kind == WW_SERIES_COUNT
                      ? (double)stored->count * MILLISECOND / stored->seconds
                      : 1;
    line->seconds = stored->seconds;
    line->count = stored->count;
    line->values = stored->bins;
    for (size_t i = 0; i < stored->count; i++)
        line->values[i] *= rate;
}

/* The mean of the bins, the least and the greatest. */
static ww_cell cell_of(const ww_line *line)
{
    ww_cell cell = {.value = NAN, .low = NAN, .high = NAN, .line = line};
    double sum = 0;
    for (size_t i = 0; i < line->count; i++) {
        sum += line->values[i];
        cell.low = fmin(cell.low, line->values[i]);
        cell.high = fmax(cell.high, line->values[i]);
    }
    if (line->count && isfinite(sum))
        cell.value = fmin(fmax(sum / (double)line->count, cell.low), cell.high);
    return cell;
}

typedef struct line_maker {
    const ww_study *study;
    const ww_figure *figure;
    ww_results *results;
    int64_t id;
    ww_errors *errors;
} line_maker;

/* The row of the grid for one point. */
static void fill_row(const line_maker *m, const char *row, const char *column, ww_cell *cells)
{
    const ww_sweep *sweep = m->figure->sweep;
    ww_coordinates point = ww_figure_point(m->study, m->figure, row, column);
    size_t number = sweep->first + ww_sweep_index(sweep, &point);
    for (size_t i = 0; i < m->figure->series_count; i++) {
        ww_line *line = ww_arena_alloc(m->study->arena, 1, sizeof(*line));
        *line = (ww_line){.row = row, .column = column, .series = m->figure->series[i]};
        ww_stored_series stored = ww_results_series(m->results, m->id, number, line->series->name,
                                                    m->study->arena, m->errors);
        if (stored.count)
            fill_line(line, &stored);
        cells[i] = cell_of(line);
    }
}

ww_grid ww_series_compute(const ww_study *study, const ww_figure *figure, ww_results *results,
                          int64_t id, ww_errors *errors)
{
    ww_arena *arena = study->arena;
    line_maker maker = {study, figure, results, id, errors};
    size_t rows, columns;
    const char **row_labels = ww_figure_labels(study, figure, figure->rows, &rows);
    const char **column_labels = ww_figure_labels(study, figure, figure->columns, &columns);
    ww_grid grid = {.figure = figure,
                    .name = figure->name,
                    .title = figure->title,
                    .corner = ww_arena_printf(arena, "%s, %s", figure->rows, figure->columns),
                    .rows = ww_arena_alloc(arena, rows * columns + 1, sizeof(*grid.rows)),
                    .columns = ww_arena_alloc(arena, figure->series_count, sizeof(*grid.columns)),
                    .row_count = rows * columns,
                    .column_count = figure->series_count,
                    .cells = ww_arena_alloc(arena, rows * columns * figure->series_count + 1,
                                            sizeof(*grid.cells))};
    for (size_t i = 0; i < grid.column_count; i++)
        grid.columns[i] = figure->series[i]->name;
    for (size_t i = 0; i < grid.row_count; i++) {
        const char *row = row_labels[i / columns], *column = column_labels[i % columns];
        grid.rows[i] = ww_arena_printf(arena, "%s, %s", row, column);
        fill_row(&maker, row, column, &grid.cells[i * grid.column_count]);
    }
    return grid;
}
