/* The statistics of compute units; they read a ww_cu_counters. */
#ifndef WW_CORE_CORE_STATS_H
#define WW_CORE_CORE_STATS_H

#include "stats/stats.h"

extern const ww_stat_table ww_cu_stats;

#endif
