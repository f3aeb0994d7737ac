/* The result of a run: one JSON object for scripts, a summary for people.
 *
 * machine, seed    of the run; with the configuration they reproduce it
 * verdict          whether the values were checked, and were right */
#ifndef WW_SIM_RESULT_H
#define WW_SIM_RESULT_H

#include "base/json.h"
#include "host/verdict.h"
#include "sim/region.h"
#include "sim/sampler.h"
#include "stats/stats.h"

typedef struct ww_result {
    const char *machine;
    const char *workload;
    char *size;         /* as the user wrote it; NULL: a launch file without one */
    json_t *parameters; /* the size's values by name, or NULL */
    uint64_t seed;
    const ww_config *config;
    ww_verdict verdict;
    bool unverified;  /* the user chose --no-verify */
    bool complete;    /* false: failed or stopped before its end */
    bool interrupted; /* by the user */
    bool timed;
    uint64_t cycles;     /* of a timed run, or of its region */
    bool had_first_pass; /* first_pass.h */
    uint64_t first_pass_cycles;
    ww_region region;         /* measure is 0 when there is none */
    ww_sampler_result sample; /* of a run with `confidence` > 0 */
    double confidence;        /* of the interval of cycles; 0: the run was not sampled */
    double host_seconds;      /* of processor time, in launches */
    uint64_t host_peak_bytes; /* most memory that the process had at once */
    uint64_t warp_instructions;
    uint64_t thread_instructions;
    uint64_t footprint; /* bytes in buffers */
    json_t *kernels;    /* an array, one object for each launch */
    json_t *hints;      /* about buffers, by name; NULL: there are none */
    json_t *series;     /* what paging did over time (paging_series.h); NULL: it is off */
    json_t *reuse;      /* distances by instruction (reuse_rows.h); NULL: not measured */
    json_t *groups;     /* lists of their waves and warps (group_rows.h); NULL: no first pass */
    ww_stats *stats;
} ww_result;

/* The result as one JSON object; the caller owns it. */
json_t *ww_result_object(const ww_result *result);
/* The same as text; the caller frees it. */
char *ww_result_json(const ww_result *result);
void ww_result_write_summary(const ww_result *result, size_t width, FILE *out);
void ww_result_clear(ww_result *result); /* frees what it owns */

#endif
