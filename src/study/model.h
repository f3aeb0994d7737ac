/* A study as it was read: names are resolved to indices in its tables; machines are not read yet.
 *
 * coordinate   a dimension of a sweep: "workload", "variant", "seed", or the name of an axis
 * label        the text of a value on a coordinate: a workload's label, a variant's name, "512"
 * set          workloads under a name: a figure shows their mean
 * fold         how values of several workloads become one
 * reference    a published value that a figure shows beside ours, or a bound of it */
#ifndef WW_STUDY_MODEL_H
#define WW_STUDY_MODEL_H

#include "base/expression.h"
#include "config/yaml.h"
#include "sim/row_list.h"
#include "sim/series.h"
#include "study/study.h"

/* The amount of work: a size of the catalogue and perhaps a region of it. */
typedef struct ww_work {
    const ww_yaml *size;   /* NULL: not said */
    const ww_yaml *region; /* NULL: the whole */
} ww_work;

typedef struct ww_study_workload {
    const char *label;   /* in tables; the name where there is no other */
    const char *name;    /* of the catalogue, the path of a launch file, or "app:NAME" */
    const char *app;     /* NAME; NULL: it is no program of the user */
    const char *program; /* of `app`: an absolute path, from the command line; NULL: not given */
    const char **args;   /* of `app` */
    size_t arg_count;
    ww_where at;
    ww_work usual, paper;
    const ww_yaml *metrics;    /* of its own; NULL: none */
    const ww_yaml *parameters; /* as in ww_change */
    const ww_yaml *hints;      /* as in ww_change */
} ww_study_workload;

typedef struct ww_list {
    size_t *items; /* indices in a table of the study */
    size_t count;
} ww_list;

typedef struct ww_workload_set {
    const char *name;
    ww_list workloads;
} ww_workload_set;

/* What a variant or a value of an axis changes. */
typedef struct ww_change {
    const ww_yaml *machine; /* NULL: not changed */
    const ww_yaml *size;
    const ww_yaml *parameters; /* a mapping: parameter.NAME to a value; NULL: none */
    const ww_yaml *hints;      /* a text, as after --hint, or `none`; NULL: not said */
    const ww_yaml *keys;       /* a mapping of the rest */
} ww_change;

typedef struct ww_study_variant {
    const char *name;
    const char *doc;
    ww_change change;
} ww_study_variant;

typedef struct ww_axis {
    const char *name;
    size_t count;
    const char **labels;
    ww_change *changes; /* one for each label */
} ww_axis;

typedef struct ww_sweep {
    const char *name;
    ww_where at;
    ww_list workloads, variants, seeds; /* seeds: the numbers themselves */
    ww_axis *axes;
    size_t axis_count;
    ww_change change; /* of all its points */
    ww_work usual, paper;
    size_t first; /* number of its first point in the study */
    size_t count;
} ww_sweep;

typedef enum ww_fold { WW_GEOMEAN, WW_MEAN, WW_LEAST, WW_MOST, WW_SUM } ww_fold;

typedef struct ww_metric {
    const char *name, *doc, *unit;
    ww_fold fold;
    const ww_expression *expression; /* NULL: only some workloads have it */
    const ww_expression *
        *of_workloads; /* by workload of the study; NULL: none, or not of this one */
    ww_where at;
} ww_metric;

typedef struct ww_reference {
    const char *row, *column, *source, *note;
    const char *id; /* its row of data/published.tsv; "": none */
    ww_where at;
    double value, low, high; /* NAN: not given */
} ww_reference;

typedef struct ww_figure {
    const char *name, *title, *plot;
    const char *section; /* of the page, folded away; "": none */
    bool headline;       /* the page opens with it */
    const ww_sweep *sweep;
    const ww_metric **metrics; /* several are the columns, one is in every cell */
    size_t metric_count;
    const ww_series **series; /* of `plot: series`, instead of metrics */
    size_t series_count;
    const ww_row_list *list;     /* of `plot: instructions` and the like; NULL: metrics or series */
    const char *rows, *columns;  /* coordinates; columns: "metric" where there are several */
    const ww_workload_set *over; /* only these workloads; NULL: all */
    const ww_workload_set **sets; /* a row for each, after the workloads */
    size_t set_count;
    const char **where_coordinates, **where_labels;
    size_t where_count;
    ww_reference *references;
    size_t reference_count;
} ww_figure;

struct ww_study {
    ww_arena *arena;
    ww_yaml_document *document;
    char *text; /* the whole file */
    const char *name, *doc, *file;
    ww_change change; /* of all points */
    ww_work usual, paper;
    uint64_t limit_seconds; /* of a run; 0: none */
    uint64_t limit_bytes;
    ww_study_workload *workloads;
    size_t workload_count;
    ww_workload_set *sets;
    size_t set_count;
    ww_study_variant *variants;
    size_t variant_count;
    ww_sweep *sweeps;
    size_t sweep_count;
    size_t point_count; /* of all sweeps */
    ww_metric *metrics;
    size_t metric_count;
    ww_figure *figures;
    size_t figure_count;
};

/* A point of a sweep, as indices. Points are numbered with the seed as the fastest index. */
#define WW_MOST_AXES 8
typedef struct ww_coordinates {
    size_t workload, variant, seed; /* indices in the sweep's lists */
    size_t axis[WW_MOST_AXES];
} ww_coordinates;

/* The name in "parameter.NAME"; NULL: another key. */
const char *ww_parameter_name(const char *key);

ww_coordinates ww_sweep_point(const ww_sweep *sweep, size_t index);
size_t ww_sweep_index(const ww_sweep *sweep, const ww_coordinates *point);

/* How many values a coordinate has in a sweep; 0: there is no such coordinate. */
size_t ww_coordinate_count(const ww_sweep *sweep, const char *coordinate);
/* A value's label, in the arena. */
const char *ww_coordinate_label(const ww_study *study, const ww_sweep *sweep,
                                const char *coordinate, size_t value);
/* The point's index on the coordinate, to be read or changed. */
size_t *ww_coordinate_index(const ww_sweep *sweep, ww_coordinates *point, const char *coordinate);
/* The value with this label; false when there is none. */
bool ww_coordinate_find(const ww_study *study, const ww_sweep *sweep, const char *coordinate,
                        const char *label, size_t *value);

/* The metric in a column of a figure. */
static inline const ww_metric *ww_figure_metric(const ww_figure *figure, size_t column)
{
    return figure->metrics[figure->metric_count > 1 ? column : 0];
}

const ww_metric *ww_study_metric(const ww_study *study, const char *name); /* NULL: none */
/* The metric that a name in the expression of `user` refers to; NULL: it is a measure, as is a
 * metric's own name. */
const ww_metric *ww_metric_of_name(const ww_study *study, const ww_metric *user, const char *name);
/* The expression for a workload, by its index in the study; NULL: it has none. */
const ww_expression *ww_metric_expression(const ww_metric *metric, size_t workload);
/* Calls `visit` for each name in any of its expressions. */
void ww_metric_visit(const ww_study *study, const ww_metric *metric,
                     void (*visit)(void *context, const ww_expression *name), void *context);
/* Refuses metrics that depend on themselves. */
int ww_study_read_metrics(ww_study *study, const ww_yaml *root, ww_errors *errors);

/* Reads metrics, figures and references of a study whose sweeps are known. */
int ww_study_read_figures(ww_study *study, const ww_yaml *root, ww_errors *errors);

/* "unknown WHAT 'word' (did you mean 'near'?)", or "(one of: a, b)", always so for numbers. */
int ww_fail_unknown(ww_errors *errors, ww_where at, const char *what, const char *word,
                    const char *const *names, size_t count);

#endif
