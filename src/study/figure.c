#include "study/figure.h"

#include "base/map.h"

#include <math.h>
#include <string.h>

/* Values of a metric that other metrics use, by point, once they are computed. */
typedef struct known_metric {
    double *values;
    bool *known;
} known_metric;

struct ww_measures {
    const ww_study *study;
    ww_results *results;
    int64_t id;
    const ww_metric *metric; /* the one whose names are read */
    ww_map *by_name;         /* to arrays of doubles, by point */
    WW_VEC(double *) arrays;
    known_metric *metrics;
    ww_errors *errors;
};

/* ---- measures ---- */

static void read_measure(void *context, const ww_expression *measure)
{
    ww_measures *m = context;
    if (ww_metric_of_name(m->study, m->metric, measure->name) ||
        ww_map_find(m->by_name, measure->name))
        return;
    double *values =
        ww_results_measure(m->results, m->id, measure->name, m->study->point_count, m->errors);
    ww_vec_push(&m->arrays, values);
    ww_map_add(m->by_name, measure->name, strlen(measure->name), values);
}

ww_measures *ww_measures_read(const ww_study *study, ww_results *results, int64_t id,
                              ww_errors *errors)
{
    ww_measures *m = ww_calloc(1, sizeof(*m));
    *m = (ww_measures){.study = study, .results = results, .id = id, .errors = errors};
    m->by_name = ww_map_create();
    m->metrics = ww_calloc(study->metric_count + 1, sizeof(*m->metrics));
    for (size_t i = 0; i < study->metric_count; i++) {
        m->metric = &study->metrics[i];
        ww_metric_visit(study, m->metric, read_measure, m);
    }
    return m;
}

void ww_measures_destroy(ww_measures *m)
{
    for (size_t i = 0; i < m->arrays.count; i++)
        free(m->arrays.items[i]);
    for (size_t i = 0; i < m->study->metric_count; i++) {
        free(m->metrics[i].values);
        free(m->metrics[i].known);
    }
    free(m->metrics);
    ww_vec_free(&m->arrays);
    ww_map_destroy(m->by_name);
    free(m);
}

/* ---- one point ---- */

typedef struct point_reader {
    const ww_measures *measures;
    const ww_sweep *sweep;
    const ww_metric *metric;
    ww_coordinates point;
} point_reader;

static double metric_at(const ww_measures *measures, const ww_sweep *sweep, const ww_metric *metric,
                        const ww_coordinates *point);

/* Values are kept: computing a metric again for each use would double the time at each level. */
static double needed_metric(const ww_measures *m, const ww_sweep *sweep, const ww_metric *metric,
                            const ww_coordinates *point)
{
    known_metric *known = &m->metrics[metric - m->study->metrics];
    size_t number = sweep->first + ww_sweep_index(sweep, point);
    if (!known->values) {
        known->values = ww_calloc(m->study->point_count + 1, sizeof(*known->values));
        known->known = ww_calloc(m->study->point_count + 1, sizeof(*known->known));
    }
    if (!known->known[number]) {
        known->values[number] = metric_at(m, sweep, metric, point);
        known->known[number] = true;
    }
    return known->values[number];
}

static double read_at(void *context, const ww_expression *measure)
{
    const point_reader *reader = context;
    const ww_sweep *sweep = reader->sweep;
    const ww_study *study = reader->measures->study;
    ww_coordinates point = reader->point;
    for (size_t i = 0; i < measure->elsewhere_count; i++) {
        const ww_elsewhere *e = &measure->elsewhere[i];
        size_t value;
        if (!ww_coordinate_find(study, sweep, e->coordinate, e->label, &value))
            return NAN;
        *ww_coordinate_index(sweep, &point, e->coordinate) = value;
    }
    const ww_metric *metric = ww_metric_of_name(study, reader->metric, measure->name);
    if (metric)
        return needed_metric(reader->measures, sweep, metric, &point);
    const double *values = ww_map_find(reader->measures->by_name, measure->name);
    return values[sweep->first + ww_sweep_index(sweep, &point)];
}

static double metric_at(const ww_measures *measures, const ww_sweep *sweep, const ww_metric *metric,
                        const ww_coordinates *point)
{
    point_reader reader = {measures, sweep, metric, *point};
    const ww_expression *expression =
        ww_metric_expression(metric, sweep->workloads.items[point->workload]);
    double value = expression ? ww_expression_evaluate(expression, read_at, &reader) : NAN;
    return isfinite(value) ? value : NAN;
}

/* ---- folds ---- */

typedef struct folding {
    double sum, logarithms, least, most;
    size_t count;
} folding;

static void fold_in(folding *f, double value)
{
    f->least = f->count && f->least < value ? f->least : value;
    f->most = f->count && f->most > value ? f->most : value;
    f->sum += value;
    f->logarithms += log(value);
    f->count++;
}

/* A geometric mean needs positive numbers. */
static double fold_out(const folding *f, ww_fold fold)
{
    if (f->count == 0)
        return NAN;
    switch (fold) {
    case WW_GEOMEAN:
        return f->count == 1 ? f->sum : f->least > 0 ? exp(f->logarithms / (double)f->count) : NAN;
    case WW_MEAN: return f->sum / (double)f->count;
    case WW_LEAST: return isnan(f->sum) ? NAN : f->least;
    case WW_MOST: return isnan(f->sum) ? NAN : f->most;
    case WW_SUM: return f->sum;
    }
    return NAN;
}

static bool is_in(const ww_list *list, size_t item)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i] == item)
            return true;
    return false;
}

/* ---- a cell ---- */

typedef struct cell_maker {
    const ww_study *study;
    const ww_figure *figure;
    const ww_metric *metric;
    const ww_measures *measures;
} cell_maker;

static double value_at(const cell_maker *m, const ww_coordinates *point)
{
    return metric_at(m->measures, m->figure->sweep, m->metric, point);
}

/* Folds over the workloads of a set (NULL: all of the sweep); the other coordinates are those of
 * `point`. */
static double fold_workloads(const cell_maker *m, const ww_workload_set *set, ww_coordinates point)
{
    const ww_sweep *sweep = m->figure->sweep;
    const ww_workload_set *over = m->figure->over;
    folding f = {0};
    for (size_t i = 0; i < sweep->workloads.count; i++) {
        size_t workload = sweep->workloads.items[i];
        if ((set && !is_in(&set->workloads, workload)) ||
            (over && !is_in(&over->workloads, workload)))
            continue;
        point.workload = i;
        fold_in(&f, value_at(m, &point));
    }
    return fold_out(&f, m->metric->fold);
}

static bool is_shown(const ww_figure *figure, const char *coordinate)
{
    bool shown = strcmp(figure->rows, coordinate) == 0 || strcmp(figure->columns, coordinate) == 0;
    for (size_t i = 0; i < figure->where_count; i++)
        shown |= strcmp(figure->where_coordinates[i], coordinate) == 0;
    return shown;
}

/* `folded`: the cell stands for several workloads. */
static ww_cell make_cell(const cell_maker *m, const ww_workload_set *set, bool folded,
                         ww_coordinates point)
{
    folding f = {0};
    bool all_seeds = !is_shown(m->figure, "seed");
    size_t seeds = all_seeds ? m->figure->sweep->seeds.count : 1;
    for (size_t i = 0; i < seeds; i++) {
        if (all_seeds)
            point.seed = i;
        fold_in(&f, folded ? fold_workloads(m, set, point) : value_at(m, &point));
    }
    double mean = fold_out(&f, WW_MEAN); /* rounding may move the mean of equal numbers */
    mean = mean < f.least ? f.least : mean > f.most ? f.most : mean;
    return (ww_cell){.value = mean, .low = fold_out(&f, WW_LEAST), .high = fold_out(&f, WW_MOST)};
}

static const ww_reference *find_reference(const ww_figure *figure, const char *row,
                                          const char *column)
{
    for (size_t i = 0; i < figure->reference_count; i++)
        if (strcmp(figure->references[i].row, row) == 0 &&
            strcmp(figure->references[i].column, column) == 0)
            return &figure->references[i];
    return NULL;
}

/* ---- the grid ---- */

static const char **metric_names(const ww_study *study, const ww_figure *figure, size_t *count)
{
    const char **names = ww_arena_alloc(study->arena, figure->metric_count, sizeof(*names));
    *count = figure->metric_count;
    for (size_t i = 0; i < *count; i++)
        names[i] = figure->metrics[i]->name;
    return names;
}

/* Whether `where` leaves a value of a coordinate out. */
static bool is_left_out(const ww_figure *figure, const char *coordinate, const char *label)
{
    for (size_t i = 0; i < figure->where_count; i++)
        if (strcmp(figure->where_coordinates[i], coordinate) == 0)
            return strcmp(figure->where_labels[i], label) != 0;
    return false;
}

const char **ww_figure_labels(const ww_study *study, const ww_figure *figure,
                              const char *coordinate, size_t *count)
{
    const ww_sweep *sweep = figure->sweep;
    size_t all = ww_coordinate_count(sweep, coordinate);
    bool workloads = strcmp(coordinate, "workload") == 0;
    const char **labels =
        ww_arena_alloc(study->arena, all + figure->set_count + 1, sizeof(*labels));
    *count = 0;
    for (size_t i = 0; i < all; i++) {
        const char *label = ww_coordinate_label(study, sweep, coordinate, i);
        bool in_set = !workloads || !figure->over ||
                      is_in(&figure->over->workloads, sweep->workloads.items[i]);
        if (in_set && !is_left_out(figure, coordinate, label))
            labels[(*count)++] = label;
    }
    return labels;
}

static void set_coordinate(const ww_study *study, const ww_sweep *sweep, const char *coordinate,
                           const char *label, ww_coordinates *point)
{
    size_t value;
    if (ww_coordinate_find(study, sweep, coordinate, label, &value))
        *ww_coordinate_index(sweep, point, coordinate) = value;
}

ww_coordinates ww_figure_point(const ww_study *study, const ww_figure *figure, const char *row,
                               const char *column)
{
    const ww_sweep *sweep = figure->sweep;
    ww_coordinates point = {0};
    for (size_t i = 0; i < figure->where_count; i++)
        set_coordinate(study, sweep, figure->where_coordinates[i], figure->where_labels[i], &point);
    set_coordinate(study, sweep, figure->columns, column, &point);
    if (row)
        set_coordinate(study, sweep, figure->rows, row, &point);
    return point;
}

ww_grid ww_figure_compute(const ww_study *study, const ww_figure *figure,
                          const ww_measures *measures)
{
    cell_maker maker = {study, figure, NULL, measures};
    ww_grid grid = {
        .figure = figure, .name = figure->name, .title = figure->title, .corner = figure->rows};
    grid.rows = ww_figure_labels(study, figure, figure->rows, &grid.row_count);
    grid.columns = figure->metric_count > 1
                       ? metric_names(study, figure, &grid.column_count)
                       : ww_figure_labels(study, figure, figure->columns, &grid.column_count);
    size_t plain_rows = grid.row_count;
    for (size_t i = 0; i < figure->set_count; i++)
        grid.rows[grid.row_count++] = figure->sets[i]->name;
    grid.cells =
        ww_arena_alloc(study->arena, grid.row_count * grid.column_count + 1, sizeof(*grid.cells));
    bool folded = !is_shown(figure, "workload");
    for (size_t row = 0; row < grid.row_count; row++)
        for (size_t column = 0; column < grid.column_count; column++) {
            maker.metric = ww_figure_metric(figure, column);
            const ww_workload_set *set = row >= plain_rows ? figure->sets[row - plain_rows] : NULL;
            ww_coordinates point =
                ww_figure_point(study, figure, set ? NULL : grid.rows[row], grid.columns[column]);
            ww_cell *cell = &grid.cells[row * grid.column_count + column];
            *cell = make_cell(&maker, set, folded || set, point);
            cell->reference = find_reference(figure, grid.rows[row], grid.columns[column]);
        }
    return grid;
}

/* "atax gto 512": what has only one value in the sweep is left out. */
static const char *label_of_point(const ww_study *study, const ww_sweep *sweep,
                                  const ww_coordinates *point)
{
    const char *label = ww_coordinate_label(study, sweep, "workload", point->workload);
    if (sweep->variants.count > 1)
        label = ww_arena_printf(study->arena, "%s %s", label,
                                ww_coordinate_label(study, sweep, "variant", point->variant));
    for (size_t i = 0; i < sweep->axis_count; i++)
        label =
            ww_arena_printf(study->arena, "%s %s", label, sweep->axes[i].labels[point->axis[i]]);
    if (sweep->seeds.count > 1)
        label =
            ww_arena_printf(study->arena, "%s seed %zu", label, sweep->seeds.items[point->seed]);
    return label;
}

ww_grid ww_sweep_compute(const ww_study *study, const ww_sweep *sweep, const ww_measures *measures)
{
    ww_grid grid = {.name = sweep->name,
                    .title = study->sweep_count > 1 ? sweep->name : "all points",
                    .corner = "point",
                    .row_count = sweep->count,
                    .column_count = study->metric_count};
    grid.rows = ww_arena_alloc(study->arena, grid.row_count + 1, sizeof(*grid.rows));
    grid.columns = ww_arena_alloc(study->arena, grid.column_count + 1, sizeof(*grid.columns));
    grid.cells =
        ww_arena_alloc(study->arena, grid.row_count * grid.column_count + 1, sizeof(*grid.cells));
    for (size_t row = 0; row < grid.row_count; row++) {
        ww_coordinates point = ww_sweep_point(sweep, row);
        grid.rows[row] = label_of_point(study, sweep, &point);
        for (size_t column = 0; column < grid.column_count; column++) {
            double value = metric_at(measures, sweep, &study->metrics[column], &point);
            grid.columns[column] = study->metrics[column].name;
            grid.cells[row * grid.column_count + column] =
                (ww_cell){.value = value, .low = value, .high = value};
        }
    }
    return grid;
}
