/* `report --tables`: the runs and the figures of each study as two small files that can be
 * committed. */
#include "base/memory.h"
#include "base/text.h"
#include "study/csv.h"
#include "study/report.h"
#include "study/results_runs.h"

#include <errno.h>
#include <math.h>
#include <string.h>

/* The measures that a study's metrics use, but for those that every run has. */
typedef struct measure_columns {
    const ww_reported_study *reported;
    const ww_metric *metric; /* the one whose names are listed */
    WW_VEC(const char *) names;
    WW_VEC(double *) values; /* by point */
    FILE *out;
} measure_columns;

static bool is_known(const measure_columns *columns, const char *name)
{
    static const char *const always[] = {"cycles", "warp_instructions", "host_seconds"};
    for (size_t i = 0; i < sizeof(always) / sizeof(always[0]); i++)
        if (strcmp(always[i], name) == 0)
            return true;
    for (size_t i = 0; i < columns->names.count; i++)
        if (strcmp(columns->names.items[i], name) == 0)
            return true;
    return false;
}

static void add_column(void *context, const ww_expression *measure)
{
    measure_columns *columns = context;
    const ww_reported_study *r = columns->reported;
    if (ww_metric_of_name(r->study, columns->metric, measure->name) ||
        is_known(columns, measure->name))
        return;
    ww_vec_push(&columns->names, measure->name);
    ww_vec_push(&columns->values, ww_results_measure(r->results, r->id, measure->name,
                                                     r->study->point_count, r->errors));
}

/* Six digits are enough for a reader; all of them would double the file. */
static void write_point(void *context, size_t number, const char *const *texts)
{
    const measure_columns *columns = context;
    for (size_t i = 0; i < WW_RUN_TEXTS; i++) {
        fputs(i ? "," : "", columns->out);
        ww_csv_text(texts[i], columns->out);
    }
    for (size_t i = 0; i < columns->values.count; i++) {
        double value = columns->values.items[i][number];
        bool whole = fabs(value) < 1e15 && value == nearbyint(value);
        if (isnan(value))
            fputc(',', columns->out);
        else
            fprintf(columns->out, whole ? ",%.0f" : ",%.6g", value);
    }
    fputc('\n', columns->out);
}

static void write_about(const ww_reported_study *r, const char *what, FILE *out)
{
    fprintf(out, "# warpwalk study %s%s%s, %s; commit %s\n", r->study->name,
            r->asked_size[0] ? " --size " : "", r->asked_size, what, r->progress.commits);
}

static void write_runs(const ww_reported_study *r, FILE *out)
{
    measure_columns columns = {.reported = r, .out = out};
    for (size_t i = 0; i < r->study->metric_count; i++) {
        columns.metric = &r->study->metrics[i];
        ww_metric_visit(r->study, columns.metric, add_column, &columns);
    }
    write_about(r, "every run", out);
    fputs("sweep,workload,variant,axes,seed,size,region,commit,configuration,verified,cycles,"
          "warp_instructions,host_seconds",
          out);
    for (size_t i = 0; i < columns.names.count; i++)
        fprintf(out, ",%s", columns.names.items[i]);
    fputc('\n', out);
    ww_results_each_point(r->results, r->id, write_point, &columns, r->errors);
    for (size_t i = 0; i < columns.values.count; i++)
        free(columns.values.items[i]);
    ww_vec_free(&columns.names);
    ww_vec_free(&columns.values);
}

static void write_figures(const ww_reported_study *r, FILE *out)
{
    write_about(r, "every figure", out);
    ww_report_csv_head(out);
    ww_report_csv(r, out);
}

static void write_table(const ww_reported_study *r, const char *folder, const char *ending,
                        void (*write)(const ww_reported_study *r, FILE *out))
{
    char *bytes = NULL;
    size_t count = 0;
    FILE *out = open_memstream(&bytes, &count);
    if (!out)
        ww_out_of_memory(0);
    write(r, out);
    fclose(out);
    char *path = ww_format("%s/%s%s.csv", folder, r->study->name, ending);
    if (!ww_errors_status(r->errors) && !ww_write_file(path, bytes, count, r->errors))
        printf("%s\n", path);
    free(path);
    free(bytes);
}

typedef struct table_folder {
    const char *path;
} table_folder;

static void write_tables(void *context, const ww_reported_study *r)
{
    const char *folder = ((const table_folder *)context)->path;
    if (strchr(r->study->name, '/')) {
        ww_fail(r->errors, WW_BAD_INPUT, WW_NOWHERE,
                "the study's name '%.60s' is no name for a file (rename the study)",
                r->study->name);
        return;
    }
    write_table(r, folder, "", write_runs);
    write_table(r, folder, "-figures", write_figures);
}

int ww_report_write_tables(const char *path, const char *folder, ww_errors *errors)
{
    ww_results *results = ww_results_open(path, WW_RESULTS_READ, errors);
    if (!results)
        return ww_errors_status(errors);
    if (!ww_make_folders(folder))
        ww_fail(errors, WW_BAD_INPUT, WW_NOWHERE, "cannot make the folder '%s': %s", folder,
                strerror(errno));
    else
        ww_report_visit(results, NULL, write_tables, &(table_folder){folder}, errors);
    ww_results_close(results);
    return ww_errors_status(errors);
}
