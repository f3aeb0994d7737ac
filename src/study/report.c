/* Figures of a database as text and CSV, and the way through its studies. */
#include "study/report.h"

#include "base/json.h"
#include "base/memory.h"
#include "base/table.h"
#include "base/text.h"
#include "study/numbers.h"
#include "study/verdict.h"

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

/* "1.304 (1.280..1.330) [1.300]": ours, its spread over seeds, the published one. */
static char *cell_text(const ww_cell *cell, bool whole)
{
    char value[WW_NUMBER_CHARS], low[WW_NUMBER_CHARS], high[WW_NUMBER_CHARS];
    ww_number_text(cell->value, whole, value);
    ww_number_text(cell->low, whole, low);
    ww_number_text(cell->high, whole, high);
    char *ours =
        cell->low < cell->high ? ww_format("%s (%s..%s)", value, low, high) : ww_strdup(value);
    if (!cell->reference)
        return ours;
    char *published = ww_published_text(cell->reference, whole);
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

/* "irregular, simt: agrees: 1.284, published 1.300 (-1%) [ISCA 2018, figure 8]" */
static void write_verdicts(const ww_reported_study *r, const ww_grid *grid, FILE *out)
{
    for (size_t i = 0; i < grid->row_count * grid->column_count; i++) {
        const ww_reference *reference = grid->cells[i].reference;
        size_t row = i / grid->column_count, column = i % grid->column_count;
        if (!reference)
            continue;
        ww_verdict verdict = ww_verdict_of(r->study, grid, row, column);
        char *text = ww_verdict_text(&verdict, grid->cells[i].value, reference,
                                     is_whole_column(grid, column));
        fprintf(out, "%s, %s: %s [%s%s%s]\n", reference->row, reference->column, text,
                reference->source, reference->note[0] ? "; " : "", reference->note);
        free(text);
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
        write_verdicts(r, &grid, out);
    }
    if (left_out)
        fprintf(out, "\n%zu of %zu figures wait%s for runs that are not made\n", left_out,
                ww_report_grid_count(r->study), left_out == 1 ? "s" : "");
    if (p->failed) {
        fputs("\nfailed:\n", out);
        ww_results_failures(r->results, r->id, write_failure, out, r->errors);
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
                           .asked_size = stored->asked_size,
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

/* Texts of a database may come from anybody. */
static void write_plain(const ww_reported_study *r, FILE *out)
{
    char *text = NULL;
    size_t length = 0;
    FILE *memory = open_memstream(&text, &length);
    if (!memory)
        ww_out_of_memory(sizeof(FILE));
    write_text(r, memory);
    fclose(memory);
    ww_make_plain(text);
    fputs(text, out);
    free(text);
}

static void write_study(void *context, const ww_reported_study *r)
{
    writer *w = context;
    if (w->format == WW_REPORT_CSV) {
        ww_report_csv(r, w->out);
        return;
    }
    fputs(w->started ? "\n\n" : "", w->out);
    w->started = true;
    write_plain(r, w->out);
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
        ww_report_csv_head(out);
    int status = format == WW_REPORT_JSON
                     ? write_json(results, study, out, errors)
                     : ww_report_visit(results, study, write_study, &w, errors);
    ww_results_close(results);
    return status;
}
