/* Visits the studies of a database and shows their figures as text and CSV. */
#include "study/report.h"

#include "base/json.h"
#include "base/memory.h"
#include "base/text.h"

#include <math.h>
#include <string.h>

size_t ww_report_grid_count(const ww_study *study)
{
    return study->figure_count ? study->figure_count : study->sweep_count;
}

ww_grid ww_report_grid(const ww_reported_study *r, size_t index)
{
    const ww_figure *figure = r->study->figure_count ? &r->study->figures[index] : NULL;
    if (figure && figure->series)
        return ww_series_compute(r->study, figure, r->results, r->id, r->errors);
    if (figure && figure->list)
        return ww_rows_compute(r->study, figure, r->results, r->id, r->errors);
    if (figure)
        return ww_figure_compute(r->study, figure, r->measures);
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
    bool metrics = grid->figure && grid->figure->metrics;
    return metrics ? ww_figure_metric(grid->figure, column)->name : grid->columns[column];
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
    size_t width;
    FILE *out;
} writer;

/* Texts of a database may be untrusted. */
static void write_plain(const ww_reported_study *r, size_t width, FILE *out)
{
    char *text = NULL;
    size_t length = 0;
    FILE *memory = open_memstream(&text, &length);
    if (!memory)
        ww_out_of_memory(sizeof(FILE));
    ww_report_write_text(r, width, memory);
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
    write_plain(r, w->width, w->out);
}

static int write_json(ww_results *results, const char *study, FILE *out, ww_errors *errors)
{
    json_t *all = ww_report_json(results, study, errors);
    if (!ww_errors_status(errors))
        ww_json_write(all, out);
    json_decref(all);
    return ww_errors_status(errors);
}

int ww_report_write(const char *path, const char *study, ww_report_format format, size_t width,
                    FILE *out, ww_errors *errors)
{
    ww_results *results = ww_results_open(path, WW_RESULTS_READ, errors);
    if (!results)
        return ww_errors_status(errors);
    writer w = {.format = format, .width = width, .out = out};
    if (format == WW_REPORT_CSV)
        ww_report_csv_head(out);
    int status = format == WW_REPORT_JSON
                     ? write_json(results, study, out, errors)
                     : ww_report_visit(results, study, write_study, &w, errors);
    ww_results_close(results);
    return status;
}
