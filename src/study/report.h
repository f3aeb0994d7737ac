/* Shared by all forms of a report.
 *
 * reported study   a study read back from the database, with its measures, while it is shown
 * grid             a figure of it, or a sweep where it has no figures */
#ifndef WW_STUDY_REPORT_H
#define WW_STUDY_REPORT_H

#include "study/figure.h"

typedef struct ww_reported_study {
    const ww_study *study;
    ww_results *results;
    int64_t id;
    const char *asked_size; /* --size; "": none */
    const ww_measures *measures;
    ww_study_progress progress;
    bool has_values; /* in any grid */
    ww_errors *errors;
} ww_reported_study;

size_t ww_report_grid_count(const ww_study *study);
ww_grid ww_report_grid(const ww_reported_study *reported, size_t index);
/* Whether to show the grid: it has a value, or no grid of the study has one. Otherwise it waits for
 * runs that were not chosen. */
bool ww_report_shows(const ww_reported_study *reported, const ww_grid *grid);
/* The name of what a column shows. */
const char *ww_report_metric(const ww_grid *grid, size_t column);

typedef void ww_report_visitor(void *context, const ww_reported_study *reported);

/* Calls `each` for a study of the database; NULL: for all of them, by name. */
int ww_report_visit(ww_results *results, const char *study, ww_report_visitor *each, void *context,
                    ww_errors *errors);

/* Tables for people, in lines of this width (base/fold.h). */
void ww_report_write_text(const ww_reported_study *reported, size_t width, FILE *out);

/* Figures as comma-separated values: the names of the columns, and a row for each cell. */
void ww_report_csv_head(FILE *out);
void ww_report_csv(const ww_reported_study *reported, FILE *out);

/* An array of studies, with all that `report --json` and the page show (docs/studies.md). Never
 * NULL. */
json_t *ww_report_json(ww_results *results, const char *study, ww_errors *errors);

#endif
