/* The measures that a run has, and a check that a study's metrics use no others. */
#include "base/text.h"
#include "config/suggest.h"
#include "sim/components.h"
#include "study/plan.h"
#include "study/read.h"

#include <string.h>

const char *const ww_result_measures[] = {"cycles",    "warp_instructions", "thread_instructions",
                                          "footprint", "host_seconds",      "host_peak_bytes",
                                          NULL};

typedef struct measure_check {
    const ww_study *study;
    const ww_metric *metric; /* the one whose names are checked */
    const ww_config *config;
    const ww_stats *stats;
    const ww_names *parameters;
    ww_errors *errors;
} measure_check;

static bool is_one_of(const char *name, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

static void check_key(const measure_check *check, const ww_expression *measure, const char *key)
{
    double number;
    if (ww_config_number(check->config, key, &number))
        return;
    char *near = ww_config_suggest(check->config, key);
    if (ww_config_find(check->config, key))
        ww_fail(check->errors, WW_BAD_INPUT, measure->at, "key '%.60s' is not a number", key);
    else
        ww_fail(check->errors, WW_BAD_INPUT, measure->at, "unknown key '%.60s' (%s)", key, near);
    free(near);
}

static void check_statistic(const measure_check *check, const ww_expression *measure)
{
    WW_VEC(const char *) names = {0};
    for (size_t i = 0; ww_result_measures[i]; i++)
        ww_vec_push(&names, ww_result_measures[i]);
    for (size_t i = 0; i < ww_stats_count(check->stats); i++)
        ww_vec_push(&names, ww_stats_at(check->stats, i)->name);
    bool known = is_one_of(measure->name, names.items, names.count);
    for (size_t i = 0; i < check->study->metric_count; i++)
        if (strcmp(check->study->metrics[i].name, measure->name) != 0)
            ww_vec_push(&names, check->study->metrics[i].name);
    const char *near = known ? NULL : ww_nearest(measure->name, names.items, names.count);
    if (near)
        ww_fail(check->errors, WW_BAD_INPUT, measure->at,
                "unknown statistic '%.60s' (did you mean '%s'?)", measure->name, near);
    else if (!known)
        ww_fail(check->errors, WW_BAD_INPUT, measure->at,
                "unknown statistic '%.60s' ('warpwalk list stats' shows them)", measure->name);
    ww_vec_free(&names);
}

static void check_parameter(const measure_check *check, const ww_expression *measure,
                            const char *name)
{
    const ww_names *known = check->parameters;
    if (!is_one_of(name, known->items, known->count))
        ww_fail_unknown(check->errors, measure->at, "parameter", name, known->items, known->count);
}

const char *ww_measure_key(const char *name)
{
    static const char prefix[] = "config.";
    return strncmp(name, prefix, sizeof(prefix) - 1) == 0 ? name + sizeof(prefix) - 1 : NULL;
}

/* Variants in brackets after a name. */
static void check_variants(const measure_check *check, const ww_expression *measure)
{
    const ww_study *study = check->study;
    const char **names = ww_study_variant_names(study);
    for (size_t i = 0; i < measure->elsewhere_count; i++) {
        const ww_elsewhere *e = &measure->elsewhere[i];
        if (strcmp(e->coordinate, "variant") == 0 &&
            !is_one_of(e->label, names, study->variant_count))
            ww_fail_unknown(check->errors, e->at, "variant", e->label, names, study->variant_count);
    }
}

static void check_measure(void *context, const ww_expression *measure)
{
    const measure_check *check = context;
    check_variants(check, measure);
    const char *key = ww_measure_key(measure->name), *parameter = ww_parameter_name(measure->name);
    if (ww_metric_of_name(check->study, check->metric, measure->name))
        return;
    if (key)
        check_key(check, measure, key);
    else if (parameter)
        check_parameter(check, measure, parameter);
    else
        check_statistic(check, measure);
}

void ww_check_metrics(const ww_study *study, const ww_names *parameters, ww_errors *errors)
{
    ww_config *config = ww_config_create(&ww_all_schemas);
    ww_stats *stats = ww_stats_create(config);
    measure_check check = {.study = study,
                           .config = config,
                           .stats = stats,
                           .parameters = parameters,
                           .errors = errors};
    ww_declare_all_stats(stats);
    for (size_t i = 0; i < study->metric_count; i++) {
        check.metric = &study->metrics[i];
        ww_metric_visit(study, check.metric, check_measure, &check);
    }
    ww_stats_destroy(stats);
    ww_config_destroy(config);
}
