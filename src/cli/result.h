/* What a run leaves behind: one JSON object for scripts, a summary for people. */
#ifndef WW_CLI_RESULT_H
#define WW_CLI_RESULT_H

#include "cli/run_options.h"
#include "host/launch_file.h"
#include "stats/stats.h"

typedef struct ww_result {
    const char *workload;
    const char *size; /* NULL: a launch file has none */
    const ww_run_options *options;
    ww_verdict verdict;
    bool complete; /* false: stopped before its end */
    double host_seconds; /* of processor time, in launches */
    uint64_t warp_instructions;
    uint64_t thread_instructions;
    json_t *kernels; /* an array, one object for each launch */
    const ww_stats *stats;
} ww_result;

/* To options->json, "-" for standard output. */
int ww_result_write_json(const ww_result *result, ww_errors *errors);
void ww_result_write_summary(const ww_result *result, FILE *out);

#endif
