/* Helpers for reading a study: texts, lists of names, and errors that name what would be right. */
#ifndef WW_STUDY_READ_H
#define WW_STUDY_READ_H

#include "study/model.h"

#define WW_COUNT_OF_NAMES(names) (sizeof(names) / sizeof((names)[0]))

/* An optional text of a mapping; `*text` is untouched when it is absent. */
int ww_read_text(const ww_yaml *mapping, const char *key, const char **text, ww_errors *errors);
/* An optional scalar of a mapping, kept as a node because of its location. */
int ww_read_scalar(const ww_yaml *mapping, const char *key, const ww_yaml **node,
                   ww_errors *errors);
/* The index of a scalar's text among names, else an error: unknown WHAT. */
int ww_read_name(const ww_yaml *node, const char *what, const char *const *names, size_t count,
                 size_t *index, ww_errors *errors);
/* A name is shown in tables, in comments of scripts and in names of files: one line, at least a
 * character. */
int ww_check_name(const char *name, ww_where at, const char *what, ww_errors *errors);
/* `size`, `region` and `paper: {size, region}` of a mapping. */
int ww_read_work(const ww_yaml *mapping, ww_work *usual, ww_work *paper, ww_errors *errors);

/* The names of the study's workloads, variants and sets (with `all`), in its arena. */
const char **ww_study_labels(const ww_study *study);
const char **ww_study_variant_names(const ww_study *study);
const char **ww_study_set_names(const ww_study *study);

/* `machine`, `size`, `hints`, `keys` of a mapping are the change, or all that is not `doc` when
 * `flat`. */
int ww_read_change(ww_study *study, const ww_yaml *mapping, bool flat, ww_change *change,
                   ww_errors *errors);
/* The pairs of a mapping whose keys are parameter.NAME. */
int ww_read_parameters(ww_study *study, const ww_yaml *mapping, const ww_yaml **parameters,
                       ww_errors *errors);
int ww_read_axes(ww_study *study, const ww_yaml *axes, ww_sweep *sweep, ww_errors *errors);
/* Whether a coordinate of a sweep has this label, else an error. */
int ww_study_check_label(ww_study *study, const ww_sweep *sweep, const char *coordinate,
                         const char *label, ww_where at, ww_errors *errors);
int ww_study_read_references(ww_study *study, const ww_yaml *item, ww_figure *figure,
                             ww_errors *errors);
/* `series: [NAME, ...]` of a figure with `plot: series`. */
int ww_study_read_series(ww_study *study, const ww_yaml *item, ww_figure *figure,
                         ww_errors *errors);
/* A figure of single runs: nothing is folded, and nothing was published of it. */
int ww_study_refuse_others(const ww_yaml *item, const ww_figure *figure, ww_errors *errors);
int ww_read_sweeps(ww_study *study, const ww_yaml *root, ww_errors *errors);

/* A workload `{app: NAME, ...}` (read_apps.c). */
int ww_read_app(ww_study *study, const ww_yaml *item, ww_study_workload *workload,
                ww_errors *errors);
/* The `metrics` of a workload, if it has some. */
int ww_read_own_metrics(const ww_yaml *item, ww_study_workload *workload, ww_errors *errors);

#endif
