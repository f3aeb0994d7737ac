/* Reads the metrics of a study and checks that none depends on itself. */
#include "study/read.h"

#include <string.h>

const ww_metric *ww_study_metric(const ww_study *study, const char *name)
{
    for (size_t i = 0; i < study->metric_count; i++)
        if (strcmp(study->metrics[i].name, name) == 0)
            return &study->metrics[i];
    return NULL;
}

const ww_expression *ww_metric_expression(const ww_metric *metric, size_t workload)
{
    const ww_expression *own = metric->of_workloads ? metric->of_workloads[workload] : NULL;
    return own ? own : metric->expression;
}

void ww_metric_visit(const ww_study *study, const ww_metric *metric,
                     void (*visit)(void *context, const ww_expression *name), void *context)
{
    if (metric->expression)
        ww_expression_visit(metric->expression, visit, context);
    for (size_t i = 0; metric->of_workloads && i < study->workload_count; i++)
        if (metric->of_workloads[i])
            ww_expression_visit(metric->of_workloads[i], visit, context);
}

/* ---- reading ---- */

static const ww_expression *read_expression(ww_study *study, const ww_yaml *value,
                                            ww_errors *errors)
{
    if (ww_yaml_expect(value, WW_YAML_SCALAR, "a metric's value", errors))
        return NULL;
    ww_where at = value->at;
    at.col += value->quoted;
    return ww_expression_parse(value->text, at, study->arena, errors);
}

/* Without a value, each workload that has the metric gives its own. */
static int read_metric(ww_study *study, const ww_yaml *key, const ww_yaml *item, ww_metric *metric,
                       ww_errors *errors)
{
    static const char *const names[] = {"value", "doc", "unit", "fold"};
    static const char *const folds[] = {"geomean", "mean", "min", "max", "sum"};
    const ww_yaml *value = item, *fold = NULL;
    int status = WW_OK;
    *metric = (ww_metric){.name = key->text, .doc = "", .unit = "", .at = key->at};
    if (item->kind == WW_YAML_MAPPING) {
        status |= ww_yaml_expect_keys(item, names, WW_COUNT_OF_NAMES(names), errors);
        status |= ww_read_text(item, "doc", &metric->doc, errors);
        status |= ww_read_text(item, "unit", &metric->unit, errors);
        status |= ww_read_scalar(item, "fold", &fold, errors);
        value = ww_yaml_get(item, "value");
    }
    size_t index = WW_GEOMEAN;
    if (fold)
        status |= ww_yaml_choice(fold, "'fold'", folds, WW_COUNT_OF_NAMES(folds), &index, errors);
    metric->fold = (ww_fold)index;
    if (value && !(metric->expression = read_expression(study, value, errors)))
        status = WW_BAD_INPUT;
    return status;
}

/* Every study has the metric `cycles`. */
static int read_own(ww_study *study, const ww_yaml *root, ww_errors *errors)
{
    const ww_yaml *metrics = ww_yaml_get(root, "metrics");
    int status = metrics ? ww_yaml_expect(metrics, WW_YAML_MAPPING, "'metrics'", errors) : WW_OK;
    size_t count = metrics && !status ? metrics->count : 0;
    study->metrics = ww_arena_alloc(study->arena, count + 1, sizeof(*study->metrics));
    for (size_t i = 0; i < count; i++)
        status |= read_metric(study, metrics->keys[i], metrics->items[i],
                              &study->metrics[study->metric_count++], errors);
    if (!ww_yaml_get(metrics ? metrics : root, "cycles"))
        study->metrics[study->metric_count++] = (ww_metric){
            .name = "cycles",
            .doc = "time of all launches",
            .unit = "cycles",
            .at = root->at,
            .expression = ww_expression_parse("cycles", root->at, study->arena, errors),
        };
    return status;
}

/* `metrics: {NAME: EXPRESSION}` of a workload. */
static int read_of_workload(ww_study *study, size_t workload, const char *const *names,
                            ww_errors *errors)
{
    const ww_yaml *own = study->workloads[workload].metrics;
    int status = WW_OK;
    for (size_t i = 0; own && i < own->count; i++) {
        size_t index;
        if (ww_read_name(own->keys[i], "metric", names, study->metric_count, &index, errors)) {
            status = WW_BAD_INPUT;
            continue;
        }
        ww_metric *metric = &study->metrics[index];
        if (!metric->of_workloads)
            metric->of_workloads =
                ww_arena_alloc(study->arena, study->workload_count, sizeof(*metric->of_workloads));
        metric->of_workloads[workload] = read_expression(study, own->items[i], errors);
        if (!metric->of_workloads[workload])
            status = WW_BAD_INPUT;
    }
    return status;
}

/* ---- metrics of metrics ---- */

typedef enum mark { NEW, OPEN, DONE } mark;

typedef struct walk {
    const ww_study *study;
    const ww_metric *metric; /* the one whose names are visited */
    mark *marks;
    ww_errors *errors;
} walk;

static void walk_metric(walk *w, const ww_metric *metric, ww_where at);

static void walk_name(void *context, const ww_expression *name)
{
    walk *w = context;
    const ww_metric *metric = ww_metric_of_name(w->study, w->metric, name->name);
    if (metric)
        walk_metric(w, metric, name->at);
}

static void walk_metric(walk *w, const ww_metric *metric, ww_where at)
{
    mark *own = &w->marks[metric - w->study->metrics];
    const ww_metric *from = w->metric;
    if (*own == OPEN)
        ww_fail(w->errors, WW_BAD_INPUT, at, "metric '%.60s' depends on itself", metric->name);
    if (*own != NEW)
        return;
    *own = OPEN;
    w->metric = metric;
    ww_metric_visit(w->study, metric, walk_name, w);
    w->metric = from;
    *own = DONE;
}

const ww_metric *ww_metric_of_name(const ww_study *study, const ww_metric *user, const char *name)
{
    const ww_metric *metric = ww_study_metric(study, name);
    return metric == user ? NULL : metric;
}

static int check_values(const ww_study *study, ww_errors *errors)
{
    walk w = {.study = study,
              .marks = ww_arena_alloc(study->arena, study->metric_count, sizeof(*w.marks)),
              .errors = errors};
    for (size_t i = 0; i < study->metric_count; i++) {
        const ww_metric *metric = &study->metrics[i];
        if (!metric->expression && !metric->of_workloads)
            ww_fail(errors, WW_BAD_INPUT, metric->at, "metric '%.60s' has no value", metric->name);
        walk_metric(&w, metric, metric->at);
    }
    return ww_errors_status(errors);
}

int ww_study_read_metrics(ww_study *study, const ww_yaml *root, ww_errors *errors)
{
    int status = read_own(study, root, errors);
    const char **names = ww_arena_alloc(study->arena, study->metric_count + 1, sizeof(*names));
    for (size_t i = 0; i < study->metric_count; i++)
        names[i] = study->metrics[i].name;
    for (size_t i = 0; i < study->workload_count; i++)
        status |= read_of_workload(study, i, names, errors);
    return status ? status : check_values(study, errors);
}
