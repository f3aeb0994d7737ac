/* The cycles of each warp from dispatch to end: recorded in a first pass, and read by schedulers in
 * the next one.
 *
 * launch    by its number, from 1, in the order in which they came to the GPU
 * group     by its number in launch order, from 0; warp: by its index in the group, from 0
 * cycles    of the core clock; 0: not known. More than 4,294,967,295 are recorded as that many.
 * first     groups of a launch: those before this number started before any warp of it ended */
#ifndef WW_CORE_WARP_TIMES_H
#define WW_CORE_WARP_TIMES_H

#include <stddef.h>
#include <stdint.h>

typedef struct ww_warp_times ww_warp_times;

ww_warp_times *ww_warp_times_create(void);
void ww_warp_times_destroy(ww_warp_times *times);

/* Adds the next launch; the times of its warps are not known yet. */
void ww_warp_times_add_launch(ww_warp_times *times, uint64_t groups, uint32_t warps);
uint64_t ww_warp_times_launches(const ww_warp_times *times);
/* The launch has this group and warp. */
void ww_warp_times_set(ww_warp_times *times, uint64_t launch, uint64_t group, uint32_t warp,
                       uint64_t cycles);
void ww_warp_times_set_first(ww_warp_times *times, uint64_t launch, uint64_t groups);

/* A group that stands for others. Of the launch whose warps took most cycles together, of several
 * the earliest: of its first groups whose warps are all known, the one with the median of (longest
 * - shortest) / longest; of two medians the smaller, of equal groups the first. */
typedef struct ww_typical_group {
    uint64_t launch, group; /* launch 0: there is none */
} ww_typical_group;
ww_typical_group ww_warp_times_typical(const ww_warp_times *times);

/* 0 when there is no such launch, group or warp. */
uint32_t ww_warp_times_get(const ww_warp_times *times, uint64_t launch, uint64_t group,
                           uint32_t warp);

/* As bytes for a cache on this machine; the caller frees them. */
char *ww_warp_times_write(const ww_warp_times *times, size_t *count);
/* NULL when the bytes are not of ww_warp_times_write. */
ww_warp_times *ww_warp_times_read(const char *bytes, size_t count);

#endif
