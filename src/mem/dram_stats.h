/* The statistics of the DRAM; they read a ww_dram_counters. */
#ifndef WW_MEM_DRAM_STATS_H
#define WW_MEM_DRAM_STATS_H

#include "mem/dram.h"
#include "stats/stats.h"

extern const ww_stat_table ww_dram_stats;

/* What is counted as it happens; the counters follow from it. */
typedef struct ww_dram_tally {
    uint64_t commands[WW_DRAM_OPS];
    uint64_t begun[2][WW_DRAM_PRECHARGE + 1]; /* requests, by direction and first command */
} ww_dram_tally;

/* Sets all counters but `forwarded` and `cycles`. */
void ww_dram_count(ww_dram_counters *counters, const ww_dram_tally *tally,
                   const ww_dram_type *type);

#endif
