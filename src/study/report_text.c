/* A reported study as tables for people. */
#include "base/fold.h"
#include "base/memory.h"
#include "base/table.h"
#include "base/text.h"
#include "study/numbers.h"
#include "study/report.h"
#include "study/verdict.h"

#include <math.h>
#include <string.h>

#define INDENT 4 /* of the further lines of one that is folded */

/* A mean of whole numbers may be whole except for rounding in the last bits. */
static bool is_whole(double value)
{
    return isnan(value) || fabs(value - nearbyint(value)) <= 1e-12 * fabs(value);
}

/* Decimals of such a large number say nothing: a mean of counts is shown as a count. */
#define LARGE 100
static bool needs_no_decimals(double value)
{
    return is_whole(value) || fabs(value) >= LARGE;
}

static bool is_whole_cell(const ww_cell *cell)
{
    const ww_reference *r = cell->reference;
    return needs_no_decimals(cell->value) && needs_no_decimals(cell->low) &&
           needs_no_decimals(cell->high) &&
           (!r || (needs_no_decimals(r->value) && needs_no_decimals(r->low) &&
                   needs_no_decimals(r->high)));
}

/* Whether all numbers of the metric that this column shows are written without decimals: one metric
 * has one format. */
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

static void write_grid(const ww_grid *grid, size_t width, FILE *out)
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
    ww_table_write_blocks(table, width, out);
    ww_table_destroy(table);
    free(whole);
    free(cells);
}

/* Values of an axis need its name; names of workloads and variants do not. */
static bool names_columns(const ww_figure *figure)
{
    return figure->metric_count == 1 && strcmp(figure->columns, "workload") != 0 &&
           strcmp(figure->columns, "variant") != 0;
}

/* "misses in lines (of the L1)", and what follows; a unit or a doc that only repeats the name says
 * nothing. */
static void write_metric(const ww_metric *metric, const char *by, const char *fold, size_t width,
                         FILE *out)
{
    bool unit = metric->unit[0] && strcmp(metric->unit, metric->name) != 0;
    bool doc = metric->doc[0] && strcmp(metric->doc, metric->name) != 0;
    ww_fold_line(out, width, INDENT, "%s%s%s%s%s%s%s%s%s%s", metric->name, unit ? " in " : "",
                 unit ? metric->unit : "", doc ? " (" : "", doc ? metric->doc : "", doc ? ")" : "",
                 by ? "; by " : "", by ? by : "", fold ? "; of several workloads: " : "",
                 fold ? fold : "");
}

static void write_series(const ww_figure *figure, size_t width, FILE *out)
{
    for (size_t i = 0; i < figure->series_count; i++)
        ww_fold_line(out, width, INDENT, "%s: %s", figure->series[i]->name, figure->series[i]->doc);
    if (figure->series)
        ww_fold_line(out, width, INDENT, "mean over the run (least..greatest of its bins)");
}

static void write_parts(const ww_figure *figure, size_t width, FILE *out)
{
    const ww_row_list *list = figure->list;
    for (size_t i = 0; list && i < list->part_count; i++)
        ww_fold_line(out, width, INDENT, "%s: %s", list->parts[i].name, list->parts[i].doc);
}

static void write_heading(const ww_grid *grid, size_t width, FILE *out)
{
    static const char *const folds[] = {"geometric mean", "mean", "least", "most", "sum"};
    bool titled = strcmp(grid->name, grid->title) != 0;
    fputc('\n', out);
    ww_fold_line(out, width, INDENT, "%s%s%s", grid->name, titled ? ": " : "",
                 titled ? grid->title : "");
    if (!grid->figure)
        return;
    const ww_figure *figure = grid->figure;
    write_series(figure, width, out);
    write_parts(figure, width, out);
    for (size_t i = 0; i < figure->metric_count; i++) {
        const ww_metric *metric = figure->metrics[i];
        bool last_of_kind =
            i + 1 == figure->metric_count || figure->metrics[i + 1]->fold != metric->fold;
        write_metric(metric, names_columns(figure) ? figure->columns : NULL,
                     last_of_kind ? folds[metric->fold] : NULL, width, out);
    }
}

/* "irregular, simt: agrees: 1.284, published 1.300 (-1%) [ISCA 2018, figure 8]" */
static void write_verdicts(const ww_reported_study *r, const ww_grid *grid, size_t width, FILE *out)
{
    for (size_t i = 0; i < grid->row_count * grid->column_count; i++) {
        const ww_reference *reference = grid->cells[i].reference;
        size_t row = i / grid->column_count, column = i % grid->column_count;
        if (!reference)
            continue;
        ww_reference_verdict verdict = ww_verdict_of(r->study, grid, row, column);
        char *text = ww_verdict_text(&verdict, grid->cells[i].value, reference,
                                     is_whole_column(grid, column));
        ww_fold_line(out, width, INDENT, "%s, %s: %s [%s%s%s]", reference->row, reference->column,
                     text, reference->source, reference->note[0] ? "; " : "", reference->note);
        free(text);
    }
}

static void write_failure(void *context, const char *const *texts)
{
    FILE *out = context;
    fprintf(out, "  %s: exit status %s: %.*s\n    %s\n", texts[0], texts[1],
            (int)strcspn(texts[2], "\n"), texts[2], texts[3]);
}

static void write_variants(const ww_study *study, size_t width, FILE *out)
{
    int longest = 0;
    for (size_t i = 0; i < study->variant_count; i++) {
        int length = (int)strlen(study->variants[i].name);
        longest = study->variants[i].doc[0] && length > longest ? length : longest;
    }
    for (size_t i = 0; i < study->variant_count; i++)
        if (study->variants[i].doc[0])
            ww_fold_line(out, width, (size_t)longest + INDENT, "  %-*s  %s", longest,
                         study->variants[i].name, study->variants[i].doc);
}

void ww_report_write_text(const ww_reported_study *r, size_t width, FILE *out)
{
    const ww_study_progress *p = &r->progress;
    ww_fold_line(out, width, INDENT, "%s%s%s", r->study->name, r->study->doc[0] ? ": " : "",
                 r->study->doc);
    ww_fold_line(out, width, INDENT, "on %s%s%s", p->machines, p->sizes[0] ? "; sizes: " : "",
                 p->sizes);
    fprintf(out, "%lld run%s: %lld done, %lld failed, %lld to be made\n", (long long)p->runs,
            p->runs == 1 ? "" : "s", (long long)p->done, (long long)p->failed,
            (long long)(p->runs - p->done - p->failed));
    write_variants(r->study, width, out);
    size_t left_out = 0;
    for (size_t i = 0; i < ww_report_grid_count(r->study); i++) {
        ww_grid grid = ww_report_grid(r, i);
        if (!ww_report_shows(r, &grid)) {
            left_out++;
            continue;
        }
        write_heading(&grid, width, out);
        write_grid(&grid, width, out);
        write_verdicts(r, &grid, width, out);
    }
    if (left_out)
        fprintf(out, "\n%zu of %zu figures wait%s for runs that are not made\n", left_out,
                ww_report_grid_count(r->study), left_out == 1 ? "s" : "");
    if (p->failed) {
        fputs("\nfailed:\n", out);
        ww_results_failures(r->results, r->id, write_failure, out, r->errors);
    }
}
