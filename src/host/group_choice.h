/* The work-group of a launch that asks for none. */
#ifndef WW_HOST_GROUP_CHOICE_H
#define WW_HOST_GROUP_CHOICE_H

#include "ptx/module.h"

/* What the entry requires, or the largest divisors up to 256, 16 x 16 or 8 x 8 x 4 work-items, and
 * to `most_items` in all. Sets the first `dims` of `local`. */
void ww_choose_group(const ww_function *function, unsigned dims, uint64_t most_items,
                     const uint64_t global[3], uint64_t local[3]);

#endif
