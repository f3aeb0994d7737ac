/* Figures of a database as text and CSV, and the way through its studies. */
#include "study/report.h"

#include "base/json.h"
#include "base/table.h"

#include <math.h>
#include <string.h>

size_t ww_report_grid_count(const ww_study *study)
{
    return study->figure_count ? study->figure_count : study->sweep_count;
}

ww_grid ww_report_grid(const ww_reported_study *r, size_t index)
{
    if (r->study->figure_count)
        return ww_figure_compute(r->study, &r->study->figures[index], r->measures);
    return ww_sweep_compute(r->study, &r->study->sweeps[index], r->measures);
}

static bool has_values(const ww_grid *grid)
{
    for (size_t i = 0; i < grid->row_count * grid->column_count; i++)
        if (!isnan(grid->cells[i].value))
            return true;
    return false;
}

bool ww_report_shows(const ww_reported_study *r, const ww_grid *grid)
{
    return !r->has_values || has_values(grid);
}

const char *ww_report_metric(const ww_grid *grid, size_t column)
{
    return grid->figure ? ww_figure_metric(grid->figure, column)->name : grid->columns[column];
}

/* ---- text ---- */

/* A mean of whole numbers may be one, but for its last bits. */
static bool is_whole(double value)
{
    return isnan(value) || fabs(value - nearbyint(value)) <= 1e-12 * fabs(value);
}

static bool is_whole_cell(const ww_cell *cell)
{
    const ww_reference *r = cell->reference;
    return is_whole(cell->value) && is_whole(cell->low) && is_whole(cell->high) &&
           (!r || (is_whole(r->value) && is_whole(r->low) && is_whole(r->high)));
}

/* Whether all numbers of the metric that this column shows are whole: one metric has one format. */
static bool is_whole_column(const ww_grid *grid, size_t column)
{
    bool one_metric = grid->figure && grid->figure->metric_count == 1, whole = true;
    for (size_t i = 0; i < grid->row_count * grid->column_count; i++)
        if (one_metric || i % grid->column_count == column)
            whole &= is_whole_cell(&grid->cells[i]);
    return whole;
}

#define NUMBER_CHARS 40
static void number_text(double value, bool whole, char text[NUMBER_CHARS])
{
    double size = fabs(value);
    if (isnan(value))
        snprintf(text, NUMBER_CHARS, "-");
    else if (size >= 1e15)
        snprintf(text, NUMBER_CHARS, "%.4g", value);
    else if (whole || size >= 1e6)
        snprintf(text, NUMBER_CHARS, "%.0f", value);
    else if (size >= 0.01 || value == 0)
        snprintf(text, NUMBER_CHARS, "%.3f", value);
    else
        snprintf(text, NUMBER_CHARS, "%.3g", value);
}

/* "1.300", "1.300, 1.100..1.500", "1.100..1.500", ">1.100" or "<1.500". The caller frees it. */
static char *published_text(const ww_reference *reference, bool whole)
{
    char value[NUMBER_CHARS] = "", low[NUMBER_CHARS] = "", high[NUMBER_CHARS] = "";
    bool least = !isnan(reference->low), most = !isnan(reference->high);
    if (!isnan(reference->value))
        number_text(reference->value, whole, value);
    if (least)
        number_text(reference->low, whole, low);
    if (most)
        number_text(reference->high, whole, high);
    return ww_format("%s%s%s%s%s%s", value, value[0] && (least || most) ? ", " : "",
                     least && !most ? ">" : "", low,
                     least && most ? ".."
                     : most        ? "<"
                                   : "",
                     high);
}

/* "1.304 (1.280..1.330) [1.300]": ours, its spread over seeds, the published one. */
static char *cell_text(const ww_cell *cell, bool whole)
{
    char value[NUMBER_CHARS], low[NUMBER_CHARS], high[NUMBER_CHARS];
    number_text(cell->value, whole, value);
    number_text(cell->low, whole, low);
    number_text(cell->high, whole, high);
    char *ours =
        cell->low < cell->high ? ww_format("%s (%s..%s)", value, low, high) : ww_strdup(value);
    if (!cell->reference)
        return ours;
    char *published = published_text(cell->reference, whole);
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
    bool *whole = ww_calloc(grid->column_count + 1, sizeof(*whole));
    for (size_t column = 0; column < grid->column_count; column++)
        whole[column] = is_whole_column(grid, column);
    for (size_t row = 0; row < grid->row_count; row++) {
        cells[0] = grid->rows[row];
        for (size_t column = 0; column < grid->column_count; column++)
            cells[column + 1] =
                cell_text(&grid->cells[row * grid->column_count + column], whole[column]);
        ww_table_add(table, cells);
        for (size_t column = 0; column < grid->column_count; column++)
            free((char *)(uintptr_t)cells[column + 1]);
    }
    ww_table_write(table, out);
    ww_table_destroy(table);
    free(whole);
    free(cells);
}

/* Names of workloads and variants speak for themselves; values of an axis do not. */
static void write_columns_name(const ww_figure *figure, FILE *out)
{
    if (figure->metric_count == 1 && strcmp(figure->columns, "workload") != 0 &&
        strcmp(figure->columns, "variant") != 0)
        fprintf(out, "; by %s", figure->columns);
}

/* "misses in lines (of the L1)"; a unit or a doc that only repeats the name says nothing. */
static void write_metric(const ww_metric *metric, FILE *out)
{
    fputs(metric->name, out);
    if (metric->unit[0] && strcmp(metric->unit, metric->name) != 0)
        fprintf(out, " in %s", metric->unit);
    if (metric->doc[0] && strcmp(metric->doc, metric->name) != 0)
        fprintf(out, " (%s)", metric->doc);
}

static void write_heading(const ww_grid *grid, FILE *out)
{
    static const char *const folds[] = {"geometric mean", "mean", "least", "most", "sum"};
    bool titled = strcmp(grid->name, grid->title) != 0;
    fprintf(out, "\n%s%s%s\n", grid->name, titled ? ": " : "", titled ? grid->title : "");
    if (!grid->figure)
        return;
    const ww_figure *figure = grid->figure;
    for (size_t i = 0; i < figure->metric_count; i++) {
        const ww_metric *metric = figure->metrics[i];
        bool last_of_kind =
            i + 1 == figure->metric_count || figure->metrics[i + 1]->fold != metric->fold;
        write_metric(metric, out);
        write_columns_name(figure, out);
        fprintf(out, "%s%s\n", last_of_kind ? "; of several workloads: " : "",
                last_of_kind ? folds[metric->fold] : "");
    }
}

static void write_sources(const ww_grid *grid, FILE *out)
{
    const ww_figure *figure = grid->figure;
    for (size_t i = 0; figure && i < figure->reference_count; i++) {
        const ww_reference *reference = &figure->references[i];
        size_t column = 0;
        while (column + 1 < grid->column_count &&
               strcmp(grid->columns[column], reference->column) != 0)
            column++;
        char *published = published_text(reference, is_whole_column(grid, column));
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

static void write_text(const ww_reported_study *r, FILE *out)
{
    const ww_study_progress *p = &r->progress;
    fprintf(out, "%s%s%s\n", r->study->name, r->study->doc[0] ? ": " : "", r->study->doc);
    fprintf(out, "on %s%s%s\n", p->machines, p->sizes[0] ? "; sizes: " : "", p->sizes);
    fprintf(out, "%lld run%s: %lld done, %lld failed, %lld to be made\n", (long long)p->runs,
            p->runs == 1 ? "" : "s", (long long)p->done, (long long)p->failed,
            (long long)(p->runs - p->done - p->failed));
    size_t left_out = 0;
    for (size_t i = 0; i < ww_report_grid_count(r->study); i++) {
        ww_grid grid = ww_report_grid(r, i);
        if (!ww_report_shows(r, &grid)) {
            left_out++;
            continue;
        }
        write_heading(&grid, out);
        write_grid(&grid, out);
        write_sources(&grid, out);
    }
    if (left_out)
        fprintf(out, "\n%zu of %zu figures wait%s for runs that are not made\n", left_out,
                ww_report_grid_count(r->study), left_out == 1 ? "s" : "");
    if (p->failed) {
        fputs("\nfailed:\n", out);
        ww_results_failures(r->results, r->id, write_failure, out, r->errors);
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

static void write_csv_row(const ww_study *study, const ww_grid *grid, size_t row, size_t column,
                          FILE *out)
{
    const ww_cell *cell = &grid->cells[row * grid->column_count + column];
    const ww_reference *reference = cell->reference;
    const char *const fields[] = {study->name, grid->name, ww_report_metric(grid, column),
                                  grid->rows[row], grid->columns[column]};
    for (size_t i = 0; i < 5; i++) {
        write_field(fields[i], out);
        fputs(i < 4 ? "," : "", out);
    }
    write_csv_number(cell->value, out);
    write_csv_number(cell->low, out);
    write_csv_number(cell->high, out);
    write_csv_number(reference ? reference->value : NAN, out);
    write_csv_number(reference ? reference->low : NAN, out);
    write_csv_number(reference ? reference->high : NAN, out);
    fputc(',', out);
    write_field(reference ? reference->source : "", out);
    fputc('\n', out);
}

static void write_csv(const ww_reported_study *r, FILE *out)
{
    for (size_t i = 0; i < ww_report_grid_count(r->study); i++) {
        ww_grid grid = ww_report_grid(r, i);
        for (size_t row = 0; row < grid.row_count; row++)
            for (size_t column = 0; column < grid.column_count; column++)
                write_csv_row(r->study, &grid, row, column, out);
    }
}

/* ---- all studies ---- */

static int visit_study(ww_results *results, const ww_stored_study *stored, ww_report_visitor *each,
                       void *context, ww_errors *errors)
{
    ww_study *study = ww_study_parse(stored->file, stored->text, strlen(stored->text), errors);
    if (!study)
        return WW_BAD_INPUT;
    ww_measures *measures = ww_measures_read(study, results, stored->id, errors);
    ww_reported_study r = {.study = study,
                           .results = results,
                           .id = stored->id,
                           .measures = measures,
                           .errors = errors};
    for (size_t i = 0; i < ww_report_grid_count(study) && !r.has_values; i++) {
        ww_grid grid = ww_report_grid(&r, i);
        r.has_values = has_values(&grid);
    }
    if (!ww_errors_status(errors) &&
        !ww_results_progress(results, stored->id, study->arena, &r.progress, errors))
        each(context, &r);
    ww_measures_destroy(measures);
    ww_study_destroy(study);
    return ww_errors_status(errors);
}

int ww_report_visit(ww_results *results, const char *study, ww_report_visitor *each, void *context,
                    ww_errors *errors)
{
    ww_arena *arena = ww_arena_create();
    ww_stored_study *studies;
    size_t count = ww_results_studies(results, arena, &studies, errors);
    for (size_t i = 0; i < count && !ww_errors_status(errors); i++)
        if (!study || strcmp(studies[i].name, study) == 0)
            visit_study(results, &studies[i], each, context, errors);
    ww_arena_destroy(arena);
    return ww_errors_status(errors);
}

typedef struct writer {
    ww_report_format format;
    bool started;
    FILE *out;
} writer;

static void write_study(void *context, const ww_reported_study *r)
{
    writer *w = context;
    if (w->format == WW_REPORT_CSV) {
        write_csv(r, w->out);
        return;
    }
    fputs(w->started ? "\n\n" : "", w->out);
    w->started = true;
    write_text(r, w->out);
}

static int write_json(ww_results *results, const char *study, FILE *out, ww_errors *errors)
{
    json_t *all = ww_report_json(results, study, errors);
    if (!ww_errors_status(errors))
        ww_json_write(all, out);
    json_decref(all);
    return ww_errors_status(errors);
}

int ww_report_write(const char *path, const char *study, ww_report_format format, FILE *out,
                    ww_errors *errors)
{
    ww_results *results = ww_results_open(path, WW_RESULTS_READ, errors);
    if (!results)
        return ww_errors_status(errors);
    writer w = {.format = format, .out = out};
    if (format == WW_REPORT_CSV)
        fputs("study,figure,metric,row,column,value,low,high,published,published_low,"
              "published_high,source\n",
              out);
    int status = format == WW_REPORT_JSON
                     ? write_json(results, study, out, errors)
                     : ww_report_visit(results, study, write_study, &w, errors);
    ww_results_close(results);
    return status;
}
