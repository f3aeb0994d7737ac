/* The statistics of functional execution; they read a ww_exec_counters. */
#ifndef WW_EXEC_EXEC_STATS_H
#define WW_EXEC_EXEC_STATS_H

#include "stats/stats.h"

extern const ww_stat_table ww_exec_stats;

#endif
