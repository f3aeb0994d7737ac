/* Disparity: how the times of a group's warps differ, counted when the group ends (dissertation,
 * sections 3.3 and 4.1).
 *
 * time         of a warp: cycles from its start to its end. The warps of a group start together.
 * slowest      the warp of a group with the longest time; of equal ones, the lowest slot
 * disparity    of a group: its longest time minus its shortest, over the longest
 * critical     the warp of a group that was slowest in the first pass; of equal ones, the lowest
 *              index
 * inversion    the slowest warp was faster in the first pass than the mean of its group there. A
 *              group is compared if the first pass recorded all of its warps.
 * first wave   groups that start before a group of the launch has ended in the compute unit, or
 *              while each that has ended there is followed by another
 * disparity.c alone changes ww_disparity. */
#ifndef WW_CORE_DISPARITY_H
#define WW_CORE_DISPARITY_H

#include "core/residency.h"
#include "stats/stats.h"

/* Sums over groups. */
typedef struct ww_disparity_sums {
    uint64_t groups;
    uint64_t slowest, fastest; /* cycles */
    double mean;               /* cycles of a group's warps, on average */
    double disparity, disparity_of_fastest, instruction_disparity;
    uint64_t compared, inverted, changed; /* groups */
    uint64_t critical,
        critical_profiled; /* cycles of their critical warps, and in the first pass */
} ww_disparity_sums;

typedef struct ww_disparity_counters {
    ww_disparity_sums all, first_wave;
    uint64_t reasons[WW_REASON_COUNT]; /* cycles of groups' slowest warps */
} ww_disparity_counters;

extern const ww_stat_table ww_disparity_stats;

/* Of the warps of a resident group that have ended. */
typedef struct ww_group_times {
    bool first_wave;
    bool unknown; /* the first pass has not recorded all of them */
    uint64_t warps;
    uint64_t sum, slowest, fastest;                        /* cycles */
    uint64_t most, fewest;                                 /* instructions */
    uint64_t profiled, most_profiled, profiled_of_slowest; /* cycles in the first pass */
    uint64_t critical;                                     /* cycles of the critical warp */
    uint32_t critical_index;
    uint64_t reasons[WW_REASON_COUNT]; /* of the slowest */
} ww_group_times;

typedef struct ww_disparity {
    ww_group_times *groups; /* as in the residency */
    uint64_t launch;        /* of the last group that started */
    uint64_t not_followed;  /* groups of that launch that ended, and that none follows yet */
    uint64_t first_wave_end;
    ww_disparity_counters counters;
} ww_disparity;

void ww_disparity_create(ww_cu *cu);
void ww_disparity_destroy(ww_cu *cu);
void ww_disparity_start_group(ww_cu *cu, const ww_resident *group);
/* The slot's warp has ended: after ww_attribution_count, and before its group is freed. */
void ww_disparity_end_warp(ww_cu *cu, unsigned slot, uint64_t cycle);

/* Adds a group of which all warps have ended. */
void ww_disparity_add_group(ww_disparity_sums *sums, const ww_group_times *group);

const ww_disparity_counters *ww_cu_disparity(const ww_cu *cu);
/* Of the group of a slot's warp that has just ended; NULL: others of it run. In `ended` of an
 * observer. */
const ww_group_times *ww_cu_ended_group(const ww_cu *cu, unsigned slot);
/* The cycle after the last of the first wave's groups, of the last launch that had a group here. */
uint64_t ww_cu_first_wave_end(const ww_cu *cu);

#endif
