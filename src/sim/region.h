/* A region: the part of a program that is timed, when the whole would take too long.
 *
 * skip      warp instructions that run functionally first, in whole groups
 * warm      warp instructions that are timed but not counted: they fill the caches
 * measure   warp instructions that are timed and counted; then the run ends
 * A program that ends earlier is counted up to its end. */
#ifndef WW_SIM_REGION_H
#define WW_SIM_REGION_H

#include "base/error.h"

#include <stdint.h>

typedef struct ww_region {
    uint64_t skip;
    uint64_t warm;
    uint64_t measure; /* 0: there is no region, all is timed and counted */
} ww_region;

/* Reads "skip=N,warm=N,measure=N"; a missing item is 0, but `measure` is required. */
int ww_region_read(const char *text, ww_region *region, ww_errors *errors);

#endif
