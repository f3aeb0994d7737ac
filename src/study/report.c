/* Figures of a database as text, CSV or JSON. */
#include "base/json.h"
#include "base/table.h"
#include "study/figure.h"

#include <math.h>
#include <string.h>

/* One study while it is written. */
typedef struct writer {
    const ww_study *study;
    ww_results *results;
    int64_t id;
    const ww_measures *measures;
    ww_study_progress progress;
    FILE *out;
    ww_errors *errors;
} writer;

static size_t grid_count(const ww_study *study)
{
    return study->figure_count ? study->figure_count : study->sweep_count;
}

static ww_grid grid_at(const writer *w, size_t index)
{
    if (w->study->figure_count)
        return ww_figure_compute(w->study, &w->study->figures[index], w->measures);
    return ww_sweep_compute(w->study, &w->study->sweeps[index], w->measures);
}

static const char *metric_name(const ww_grid *grid, size_t column)
{
    return grid->figure ? ww_figure_metric(grid->figure, column)->name : grid->columns[column];
}

/* ---- text ---- */

#define NUMBER_CHARS 40
static void number_text(double value, char text[NUMBER_CHARS])
{
    double size = fabs(value);
    if (isnan(value))
        snprintf(text, NUMBER_CHARS, "-");
    else if (size >= 1000 || value == 0)
        snprintf(text, NUMBER_CHARS, "%.0f", value);
    else if (size >= 0.01)
        snprintf(text, NUMBER_CHARS, "%.3f", value);
    else
        snprintf(text, NUMBER_CHARS, "%.3g", value);
}

/* "1.300", "1.300, 1.100..1.500", "1.100..1.500", ">1.100" or "<1.500". The caller frees it. */
static char *published_text(const ww_reference *reference)
{
    char value[NUMBER_CHARS] = "", low[NUMBER_CHARS] = "", high[NUMBER_CHARS] = "";
    bool least = !isnan(reference->low), most = !isnan(reference->high);
    if (!isnan(reference->value))
        number_text(reference->value, value);
    if (least)
        number_text(reference->low, low);
    if (most)
        number_text(reference->high, high);
    return ww_format("%s%s%s%s%s%s", value, value[0] && (least || most) ? ", " : "",
                     least && !most ? ">" : "", low,
                     least && most ? ".."
                     : most        ? "<"
                                   : "",
                     high);
}

/* "1.304 (1.280..1.330) [1.300]": ours, its spread over seeds, the published one. */
static char *cell_text(const ww_cell *cell)
{
    char value[NUMBER_CHARS], low[NUMBER_CHARS], high[NUMBER_CHARS];
    number_text(cell->value, value);
    number_text(cell->low, low);
    number_text(cell->high, high);
    char *ours =
        cell->low < cell->high ? ww_format("%s (%s..%s)", value, low, high) : ww_strdup(value);
    if (!cell->reference)
        return ours;
    char *published = published_text(cell->reference);
    char *both = ww_format("%s [%s]", ours, published);
    free(ours);
    free(published);
    return both;
}

static void write_grid(const ww_grid *grid, FILE *out)
{
    ww_table *table = ww_table_create(grid->column_count + 1);
    const char **cells = ww_calloc(grid->column_count + 1, sizeof(*cells));
    cells[0] = grid->corner;
    memcpy(cells + 1, grid->columns, grid->column_count * sizeof(*cells));
    ww_table_add(table, cells);
    for (size_t row = 0; row < grid->row_count; row++) {
        cells[0] = grid->rows[row];
        for (size_t column = 0; column < grid->column_count; column++)
            cells[column + 1] = cell_text(&grid->cells[row * grid->column_count + column]);
        ww_table_add(table, cells);
        for (size_t column = 0; column < grid->column_count; column++)
            free((char *)(uintptr_t)cells[column + 1]);
    }
    ww_table_write(table, out);
    ww_table_destroy(table);
    free(cells);
}

static void write_heading(const ww_grid *grid, FILE *out)
{
    static const char *const folds[] = {"geometric mean", "mean", "least", "most", "sum"};
    fprintf(out, "\n%s: %s\n", grid->name, grid->title);
    if (!grid->figure)
        return;
    const ww_figure *figure = grid->figure;
    for (size_t i = 0; i < figure->metric_count; i++) {
        const ww_metric *metric = figure->metrics[i];
        bool last_of_kind =
            i + 1 == figure->metric_count || figure->metrics[i + 1]->fold != metric->fold;
        fprintf(out, "%s%s%s%s%s%s%s%s\n", metric->name, metric->unit[0] ? " in " : "",
                metric->unit, metric->doc[0] ? " (" : "", metric->doc, metric->doc[0] ? ")" : "",
                last_of_kind ? "; of several workloads: " : "",
                last_of_kind ? folds[metric->fold] : "");
    }
}

static void write_sources(const ww_figure *figure, FILE *out)
{
    for (size_t i = 0; figure && i < figure->reference_count; i++) {
        const ww_reference *reference = &figure->references[i];
        char *published = published_text(reference);
        fprintf(out, "[%s] %s, %s: %s%s%s\n", published, reference->row, reference->column,
                reference->source, reference->note[0] ? "; " : "", reference->note);
        free(published);
    }
}

static void write_failure(void *context, const char *const *texts)
{
    FILE *out = context;
    fprintf(out, "  %s: exit status %s: %.*s\n    %s\n", texts[0], texts[1],
            (int)strcspn(texts[2], "\n"), texts[2], texts[3]);
}

static void write_text(const writer *w)
{
    const ww_study_progress *p = &w->progress;
    fprintf(w->out, "%s%s%s\n", w->study->name, w->study->doc[0] ? ": " : "", w->study->doc);
    fprintf(w->out, "on %s%s%s\n", p->machines, p->sizes[0] ? "; sizes: " : "", p->sizes);
    fprintf(w->out, "%lld runs: %lld done, %lld failed, %lld to be made\n", (long long)p->runs,
            (long long)p->done, (long long)p->failed, (long long)(p->runs - p->done - p->failed));
    for (size_t i = 0; i < grid_count(w->study); i++) {
        ww_grid grid = grid_at(w, i);
        write_heading(&grid, w->out);
        write_grid(&grid, w->out);
        write_sources(grid.figure, w->out);
    }
    if (p->failed) {
        fputs("\nfailed:\n", w->out);
        ww_results_failures(w->results, w->id, write_failure, w->out, w->errors);
    }
}

/* ---- CSV ---- */

static void write_field(const char *text, FILE *out)
{
    if (!strpbrk(text, ",\"\n\r")) {
        fputs(text, out);
        return;
    }
    fputc('"', out);
    for (; *text; text++) {
        if (*text == '"')
            fputc('"', out);
        fputc(*text, out);
    }
    fputc('"', out);
}

static void write_csv_number(double value, FILE *out)
{
    char text[WW_DOUBLE_CHARS] = "";
    if (!isnan(value))
        ww_double_text(value, text);
    fprintf(out, ",%s", text);
}

static void write_csv_row(const writer *w, const ww_grid *grid, size_t row, size_t column)
{
    const ww_cell *cell = &grid->cells[row * grid->column_count + column];
    const ww_reference *reference = cell->reference;
    const char *const fields[] = {w->study->name, grid->name, metric_name(grid, column),
                                  grid->rows[row], grid->columns[column]};
    for (size_t i = 0; i < 5; i++) {
        write_field(fields[i], w->out);
        fputs(i < 4 ? "," : "", w->out);
    }
    write_csv_number(cell->value, w->out);
    write_csv_number(cell->low, w->out);
    write_csv_number(cell->high, w->out);
    write_csv_number(reference ? reference->value : NAN, w->out);
    write_csv_number(reference ? reference->low : NAN, w->out);
    write_csv_number(reference ? reference->high : NAN, w->out);
    fputc(',', w->out);
    write_field(reference ? reference->source : "", w->out);
    fputc('\n', w->out);
}

static void write_csv(const writer *w)
{
    for (size_t i = 0; i < grid_count(w->study); i++) {
        ww_grid grid = grid_at(w, i);
        for (size_t row = 0; row < grid.row_count; row++)
            for (size_t column = 0; column < grid.column_count; column++)
                write_csv_row(w, &grid, row, column);
    }
}

/* ---- JSON ---- */

static json_t *published_json(const ww_reference *reference)
{
    if (!reference)
        return json_null();
    return json_pack("{s:o, s:o, s:o, s:o, s:o}", "value", ww_json_real(reference->value), "low",
                     ww_json_real(reference->low), "high", ww_json_real(reference->high), "source",
                     ww_json_text(reference->source), "note", ww_json_text(reference->note));
}

static json_t *grid_json(const ww_grid *grid)
{
    json_t *cells = json_array();
    for (size_t i = 0; i < grid->row_count * grid->column_count; i++) {
        const ww_cell *cell = &grid->cells[i];
        size_t column = i % grid->column_count;
        json_array_append_new(cells,
                              json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "row",
                                        ww_json_text(grid->rows[i / grid->column_count]), "column",
                                        ww_json_text(grid->columns[column]), "metric",
                                        ww_json_text(metric_name(grid, column)), "value",
                                        ww_json_real(cell->value), "low", ww_json_real(cell->low),
                                        "high", ww_json_real(cell->high), "published",
                                        published_json(cell->reference)));
    }
    return json_pack("{s:o, s:o, s:o, s:o, s:o}", "name", ww_json_text(grid->name), "title",
                     ww_json_text(grid->title), "rows", ww_json_text(grid->corner), "plot",
                     ww_json_text(grid->figure ? grid->figure->plot : "table"), "cells", cells);
}

static void add_failure(void *context, const char *const *texts)
{
    json_t *failures = context;
    json_array_append_new(failures,
                          json_pack("{s:o, s:o, s:o, s:o}", "point", ww_json_text(texts[0]),
                                    "exit_status", ww_json_text(texts[1]), "message",
                                    ww_json_text(texts[2]), "command", ww_json_text(texts[3])));
}

static json_t *study_json(const writer *w)
{
    json_t *figures = json_array(), *failures = json_array();
    for (size_t i = 0; i < grid_count(w->study); i++) {
        ww_grid grid = grid_at(w, i);
        json_array_append_new(figures, grid_json(&grid));
    }
    ww_results_failures(w->results, w->id, add_failure, failures, w->errors);
    return json_pack("{s:o, s:o, s:o, s:o, s:I, s:I, s:I, s:o, s:o}", "study",
                     ww_json_text(w->study->name), "doc", ww_json_text(w->study->doc), "machines",
                     ww_json_text(w->progress.machines), "sizes", ww_json_text(w->progress.sizes),
                     "runs", (json_int_t)w->progress.runs, "done", (json_int_t)w->progress.done,
                     "failed", (json_int_t)w->progress.failed, "figures", figures, "failures",
                     failures);
}

/* ---- all studies ---- */

static int write_study(ww_results *results, const ww_stored_study *stored, ww_report_format format,
                       json_t *all, FILE *out, ww_errors *errors)
{
    ww_study *study = ww_study_parse(stored->file, stored->text, strlen(stored->text), errors);
    if (!study)
        return WW_BAD_INPUT;
    ww_measures *measures = ww_measures_read(study, results, stored->id, errors);
    writer w = {.study = study,
                .results = results,
                .id = stored->id,
                .measures = measures,
                .out = out,
                .errors = errors};
    int status = ww_results_progress(results, stored->id, study->arena, &w.progress, errors);
    if (!status && format == WW_REPORT_TEXT)
        write_text(&w);
    else if (!status && format == WW_REPORT_CSV)
        write_csv(&w);
    else if (!status)
        json_array_append_new(all, study_json(&w));
    ww_measures_destroy(measures);
    ww_study_destroy(study);
    return ww_errors_status(errors);
}

int ww_report_write(const char *path, const char *study, ww_report_format format, FILE *out,
                    ww_errors *errors)
{
    ww_results *results = ww_results_open(path, WW_RESULTS_READ, errors);
    if (!results)
        return ww_errors_status(errors);
    ww_arena *arena = ww_arena_create();
    ww_stored_study *studies;
    json_t *all = json_array();
    size_t count = ww_results_studies(results, arena, &studies, errors);
    if (format == WW_REPORT_CSV)
        fputs("study,figure,metric,row,column,value,low,high,published,published_low,"
              "published_high,source\n",
              out);
    const char *between = "";
    for (size_t i = 0; i < count && !ww_errors_status(errors); i++) {
        if (study && strcmp(studies[i].name, study) != 0)
            continue;
        if (format == WW_REPORT_TEXT)
            fputs(between, out);
        between = "\n\n";
        write_study(results, &studies[i], format, all, out, errors);
    }
    if (format == WW_REPORT_JSON && !ww_errors_status(errors))
        ww_json_write(all, out);
    json_decref(all);
    ww_arena_destroy(arena);
    ww_results_close(results);
    return ww_errors_status(errors);
}
