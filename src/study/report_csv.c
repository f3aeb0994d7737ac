/* Figures of a database as comma-separated values. */
#include "base/json.h"
#include "base/memory.h"
#include "study/csv.h"
#include "study/report.h"
#include "study/results_runs.h"
#include "study/verdict.h"

#include <math.h>
#include <string.h>

void ww_csv_text(const char *text, FILE *out)
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

void ww_csv_number(double value, FILE *out)
{
    char text[WW_DOUBLE_CHARS] = "";
    if (!isnan(value))
        ww_double_text(value, text);
    fprintf(out, ",%s", text);
}

static void write_texts(const char *const *texts, size_t count, FILE *out)
{
    for (size_t i = 0; i < count; i++) {
        fputs(i ? "," : "", out);
        ww_csv_text(texts[i], out);
    }
}

static void write_published(const ww_study *study, const ww_grid *grid, size_t row, size_t column,
                            FILE *out)
{
    const ww_reference *reference = grid->cells[row * grid->column_count + column].reference;
    if (!reference) {
        fputs(",,,,,,,,", out);
        return;
    }
    ww_reference_verdict verdict = ww_verdict_of(study, grid, row, column);
    ww_csv_number(reference->value, out);
    ww_csv_number(reference->low, out);
    ww_csv_number(reference->high, out);
    fputc(',', out);
    write_texts((const char *const[]){reference->source, reference->id,
                                      ww_agreement_word(verdict.agreement),
                                      verdict.rests_on ? verdict.rests_on : ""},
                4, out);
    ww_csv_number(verdict.without, out);
}

static void write_row(const ww_study *study, const ww_grid *grid, size_t row, size_t column,
                      const ww_sweep_origin *origin, FILE *out)
{
    const ww_cell *cell = &grid->cells[row * grid->column_count + column];
    write_texts((const char *const[]){study->name, grid->name, ww_report_metric(grid, column),
                                      grid->rows[row], grid->columns[column]},
                5, out);
    ww_csv_number(cell->value, out);
    ww_csv_number(cell->low, out);
    ww_csv_number(cell->high, out);
    write_published(study, grid, row, column, out);
    fputc(',', out);
    write_texts((const char *const[]){origin->commits, origin->configurations}, 2, out);
    fputc('\n', out);
}

void ww_report_csv_head(FILE *out)
{
    fputs("study,figure,metric,row,column,value,low,high,published,published_low,published_high,"
          "source,id,verdict,rests_on,without,commit,configurations\n",
          out);
}

void ww_report_csv(const ww_reported_study *r, FILE *out)
{
    for (size_t i = 0; i < ww_report_grid_count(r->study); i++) {
        ww_grid grid = ww_report_grid(r, i);
        const char *sweep = grid.figure ? grid.figure->sweep->name : grid.name;
        ww_sweep_origin origin;
        ww_results_sweep_origin(r->results, r->id, sweep, r->study->arena, &origin, r->errors);
        for (size_t row = 0; row < grid.row_count; row++)
            for (size_t column = 0; column < grid.column_count; column++)
                write_row(r->study, &grid, row, column, &origin, out);
    }
}
