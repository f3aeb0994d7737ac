/* The statistics of the DRAM; they read a ww_dram_counters. */
#ifndef WW_MEM_DRAM_STATS_H
#define WW_MEM_DRAM_STATS_H

#include "stats/stats.h"

extern const ww_stat_table ww_dram_stats;

#endif
