/* Figures of a database as JSON: what `report --json` writes, and what the page is made from. */
#include "base/json.h"
#include "study/report.h"
#include "study/results_runs.h"
#include "study/verdict.h"

#include <stdlib.h>
#include <string.h>

/* Of a cell with a reference: the word, and the whole line of the terminal. */
static json_t *verdict_json(const ww_study *study, const ww_grid *grid, size_t row, size_t column)
{
    const ww_cell *cell = &grid->cells[row * grid->column_count + column];
    ww_reference_verdict verdict = ww_verdict_of(study, grid, row, column);
    char *text = ww_verdict_text(&verdict, cell->value, cell->reference, false);
    json_t *json = json_pack("{s:s, s:o, s:o, s:o}", "word", ww_agreement_word(verdict.agreement),
                             "text", ww_json_text(text), "rests_on",
                             verdict.rests_on ? ww_json_text(verdict.rests_on) : json_null(),
                             "without", ww_json_real(verdict.without));
    free(text);
    return json;
}

static json_t *published_json(const ww_study *study, const ww_grid *grid, size_t row, size_t column)
{
    const ww_reference *reference = grid->cells[row * grid->column_count + column].reference;
    if (!reference)
        return json_null();
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "value", ww_json_real(reference->value),
                     "low", ww_json_real(reference->low), "high", ww_json_real(reference->high),
                     "source", ww_json_text(reference->source), "note",
                     ww_json_text(reference->note), "id", ww_json_text(reference->id), "verdict",
                     verdict_json(study, grid, row, column));
}

/* Six digits are enough for a picture. */
static double rounded(double value)
{
    char text[WW_DOUBLE_CHARS];
    snprintf(text, sizeof(text), "%.6g", value);
    return strtod(text, NULL);
}

static json_t *line_json(const ww_line *line)
{
    json_t *values = json_array();
    for (size_t i = 0; i < line->count; i++)
        json_array_append_new(values, ww_json_real(rounded(line->values[i])));
    return json_pack("{s:o, s:o, s:o, s:o}", "row", ww_json_text(line->row), "column",
                     ww_json_text(line->column), "seconds", ww_json_real(line->seconds), "values",
                     values);
}

static json_t *cell_json(const ww_study *study, const ww_grid *grid, size_t row, size_t column)
{
    const ww_cell *cell = &grid->cells[row * grid->column_count + column];
    json_t *json = json_pack(
        "{s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "row", ww_json_text(grid->rows[row]), "column",
        ww_json_text(grid->columns[column]), "metric", ww_json_text(ww_report_metric(grid, column)),
        "value", ww_json_real(cell->value), "low", ww_json_real(cell->low), "high",
        ww_json_real(cell->high), "published", published_json(study, grid, row, column));
    if (cell->line)
        json_object_set_new(json, "line", line_json(cell->line));
    return json;
}

static json_t *cells_json(const ww_study *study, const ww_grid *grid)
{
    json_t *cells = json_array();
    for (size_t i = 0; i < grid->row_count * grid->column_count; i++)
        json_array_append_new(
            cells, cell_json(study, grid, i / grid->column_count, i % grid->column_count));
    return cells;
}

static json_t *texts_json(const char *const *texts, size_t count)
{
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(array, ww_json_text(texts[i]));
    return array;
}

static json_t *where_json(const ww_figure *figure)
{
    json_t *where = json_object();
    for (size_t i = 0; figure && i < figure->where_count; i++)
        json_object_set_new(where, figure->where_coordinates[i],
                            ww_json_text(figure->where_labels[i]));
    return where;
}

/* What a figure of series shows: a panel for each value of a coordinate and each series, and lines
 * in it for each value of another. */
static json_t *over_time_json(const ww_figure *figure)
{
    static const char *const kinds[] = {[WW_SERIES_SHARE] = "share",
                                        [WW_SERIES_COUNT] = "count",
                                        [WW_SERIES_LEVEL] = "level",
                                        [WW_SERIES_MEAN] = "mean"};
    _Static_assert(sizeof(kinds) / sizeof(kinds[0]) == WW_SERIES_KINDS, "a kind has no name");
    json_t *series = json_array();
    for (size_t i = 0; i < figure->series_count; i++) {
        const ww_series *one = figure->series[i];
        json_array_append_new(series,
                              json_pack("{s:s, s:s, s:s, s:s}", "name", one->name, "doc", one->doc,
                                        "unit", one->unit, "kind", kinds[one->kind]));
    }
    return json_pack("{s:o, s:o, s:o}", "panels", ww_json_text(figure->rows), "lines",
                     ww_json_text(figure->columns), "series", series);
}

/* What the columns of a figure of rows are. */
static json_t *parts_json(const ww_row_list *list)
{
    json_t *parts = json_array();
    for (size_t i = 0; i < list->part_count; i++)
        json_array_append_new(parts,
                              json_pack("{s:s, s:s, s:s}", "name", list->parts[i].name, "doc",
                                        list->parts[i].doc, "unit", list->parts[i].unit));
    return parts;
}

/* Of the figure: several are its columns. */
static json_t *metric_names_json(const ww_grid *grid)
{
    if (!grid->figure)
        return texts_json(grid->columns, grid->column_count);
    json_t *names = json_array();
    for (size_t i = 0; i < grid->figure->metric_count; i++)
        json_array_append_new(names, ww_json_text(grid->figure->metrics[i]->name));
    return names;
}

/* Rows from `first_set` on are folds over sets of workloads. */
static json_t *grid_json(const ww_study *study, const ww_grid *grid)
{
    const ww_figure *figure = grid->figure;
    size_t sets = figure ? figure->set_count : 0;
    bool series = figure && figure->series;
    const ww_row_list *list = figure ? figure->list : NULL;
    json_t *json =
        json_pack("{s:o, s:o, s:o, s:b, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:I, s:o, s:o}", "name",
                  ww_json_text(grid->name), "title", ww_json_text(grid->title), "section",
                  ww_json_text(figure ? figure->section : ""), "headline",
                  figure && figure->headline, "rows", ww_json_text(grid->corner), "columns",
                  ww_json_text(series   ? "series"
                               : list   ? "part"
                               : figure ? figure->columns
                                        : "metric"),
                  "metrics", metric_names_json(grid), "where", where_json(figure), "over",
                  figure && figure->over ? ww_json_text(figure->over->name) : json_null(),
                  "row_labels", texts_json(grid->rows, grid->row_count), "column_labels",
                  texts_json(grid->columns, grid->column_count), "first_set",
                  (json_int_t)(grid->row_count - sets), "plot",
                  ww_json_text(list     ? list->drawn
                               : figure ? figure->plot
                                        : "table"),
                  "cells", cells_json(study, grid));
    if (list)
        json_object_set_new(json, "parts", parts_json(list));
    if (series)
        json_object_set_new(json, "over_time", over_time_json(figure));
    return json;
}

static json_t *metrics_json(const ww_study *study)
{
    static const char *const folds[] = {"geomean", "mean", "min", "max", "sum"};
    json_t *metrics = json_array();
    for (size_t i = 0; i < study->metric_count; i++) {
        const ww_metric *metric = &study->metrics[i];
        json_array_append_new(metrics,
                              json_pack("{s:o, s:o, s:o, s:s}", "name", ww_json_text(metric->name),
                                        "doc", ww_json_text(metric->doc), "unit",
                                        ww_json_text(metric->unit), "fold", folds[metric->fold]));
    }
    return metrics;
}

static json_t *variants_json(const ww_study *study)
{
    json_t *variants = json_array();
    for (size_t i = 0; i < study->variant_count; i++)
        json_array_append_new(variants,
                              json_pack("{s:o, s:o}", "name", ww_json_text(study->variants[i].name),
                                        "doc", ww_json_text(study->variants[i].doc)));
    return variants;
}

static void add_failure(void *context, const char *const *texts)
{
    json_t *failures = context;
    json_array_append_new(failures,
                          json_pack("{s:o, s:o, s:o, s:o}", "point", ww_json_text(texts[0]),
                                    "exit_status", ww_json_text(texts[1]), "message",
                                    ww_json_text(texts[2]), "command", ww_json_text(texts[3])));
}

static json_t *about_json(const ww_reported_study *r)
{
    const ww_study_progress *p = &r->progress;
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:I, s:I, s:I}", "study",
                     ww_json_text(r->study->name), "doc", ww_json_text(r->study->doc), "file",
                     ww_json_text(r->study->file), "machines", ww_json_text(p->machines), "sizes",
                     ww_json_text(p->sizes), "versions", ww_json_text(p->versions), "builds",
                     ww_json_text(p->builds), "commits", ww_json_text(p->commits), "first_finished",
                     ww_json_text(p->first_finished), "last_finished",
                     ww_json_text(p->last_finished), "runs", (json_int_t)p->runs, "done",
                     (json_int_t)p->done, "failed", (json_int_t)p->failed);
}

static void add_study(void *context, const ww_reported_study *r)
{
    json_t *figures = json_array(), *failures = json_array();
    for (size_t i = 0; i < ww_report_grid_count(r->study); i++) {
        ww_grid grid = ww_report_grid(r, i);
        if (ww_report_shows(r, &grid))
            json_array_append_new(figures, grid_json(r->study, &grid));
    }
    ww_results_failures(r->results, r->id, add_failure, failures, r->errors);
    json_t *study = about_json(r);
    json_object_set_new(study, "metrics", metrics_json(r->study));
    json_object_set_new(study, "variants", variants_json(r->study));
    json_object_set_new(study, "figures", figures);
    json_object_set_new(study, "failures", failures);
    json_object_set_new(study, "settings", ww_results_settings(r->results, r->id, r->errors));
    json_object_set_new(study, "points", ww_results_points(r->results, r->id, r->errors));
    json_array_append_new(context, study);
}

json_t *ww_report_json(ww_results *results, const char *study, ww_errors *errors)
{
    json_t *all = json_array();
    ww_report_visit(results, study, add_study, all, errors);
    return all;
}
