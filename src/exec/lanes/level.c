/* The families of one level, in the order of WW_LANE_FAMILIES. */
#include "exec/lanes/lanes.h"

#define SYMBOL(family) PASTE(PASTE(PASTE(ww_lane_, family), _), WW_LANE_LEVEL)
#define DECLARE(family) extern const ww_lane_family SYMBOL(family);
#define ADDRESS(family) &SYMBOL(family),

WW_LANE_FAMILIES(DECLARE)

const ww_lane_family *const PASTE(ww_lane_families_, WW_LANE_LEVEL)[WW_LANE_FAMILY_COUNT] = {
    WW_LANE_FAMILIES(ADDRESS)};
