/* The statistics of the DRAM; they read a ww_dram_counters. */
#ifndef WW_MEM_DRAM_STATS_H
#define WW_MEM_DRAM_STATS_H

#include "mem/dram.h"
#include "stats/stats.h"

extern const ww_stat_table ww_dram_stats;

/* A request has its first command. */
static inline void ww_dram_count_begun(ww_dram_counters *n, unsigned direction, ww_dram_op op)
{
    n->reads += direction == WW_DRAM_READ;
    n->writes += direction == WW_DRAM_WRITE;
    n->row_hits += op <= WW_DRAM_WRITE;
    n->row_misses += op == WW_DRAM_ACTIVATE;
    n->row_conflicts += op == WW_DRAM_PRECHARGE;
}

static inline void ww_dram_count_command(ww_dram_counters *n, const ww_dram_type *type,
                                         uint32_t burst_bytes, const ww_dram_command *command)
{
    n->activates += command->op == WW_DRAM_ACTIVATE;
    n->refreshes += command->op >= WW_DRAM_REFRESH;
    if (command->op > WW_DRAM_WRITE)
        return;
    *(command->op == WW_DRAM_READ ? &n->read_bytes : &n->write_bytes) += burst_bytes;
    n->bytes += burst_bytes;
    n->busy_cycles += type->timing.burst;
}

#endif
