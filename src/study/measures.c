/* The names of what a run leaves behind, and whether a study's metrics know them. */
#include "base/text.h"
#include "sim/parts.h"
#include "study/plan.h"

#include <string.h>

const char *const ww_result_measures[] = {"cycles",    "warp_instructions", "thread_instructions",
                                          "footprint", "host_seconds",      "host_peak_bytes",
                                          NULL};

typedef struct measure_check {
    const ww_stats *stats;
    ww_errors *errors;
} measure_check;

static void check_measure(void *context, const ww_expression *measure)
{
    const measure_check *check = context;
    WW_VEC(const char *) names = {0};
    for (size_t i = 0; ww_result_measures[i]; i++)
        ww_vec_push(&names, ww_result_measures[i]);
    for (size_t i = 0; i < ww_stats_count(check->stats); i++)
        ww_vec_push(&names, ww_stats_at(check->stats, i)->name);
    bool known = false;
    for (size_t i = 0; i < names.count; i++)
        known |= strcmp(names.items[i], measure->measure) == 0;
    const char *near = known ? NULL : ww_nearest(measure->measure, names.items, names.count);
    if (near)
        ww_fail(check->errors, WW_BAD_INPUT, measure->at,
                "unknown statistic '%.60s' (did you mean '%s'?)", measure->measure, near);
    else if (!known)
        ww_fail(check->errors, WW_BAD_INPUT, measure->at,
                "unknown statistic '%.60s' ('warpwalk list stats' shows them)", measure->measure);
    ww_vec_free(&names);
}

void ww_check_metrics(const ww_study *study, ww_errors *errors)
{
    ww_config *config = ww_config_create(&ww_all_schemas);
    ww_stats *stats = ww_stats_create(config);
    measure_check check = {stats, errors};
    ww_declare_all_stats(stats);
    for (size_t i = 0; i < study->metric_count; i++)
        ww_expression_visit(study->metrics[i].expression, check_measure, &check);
    ww_stats_destroy(stats);
    ww_config_destroy(config);
}
