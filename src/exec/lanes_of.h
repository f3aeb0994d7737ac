/* Visiting the lanes of a mask, lowest first. */
#ifndef WW_EXEC_LANES_OF_H
#define WW_EXEC_LANES_OF_H

#include <stdint.h>

/* ww_each_lane(lane, mask) { ... }: `break` and `continue` work as in any loop. */
#define ww_each_lane(lane, mask)                                                                   \
    for (uint64_t left_##lane = (mask); left_##lane; left_##lane = 0)                              \
        for (int lane = __builtin_ctzll(left_##lane); left_##lane; left_##lane &= left_##lane - 1, \
                 lane = left_##lane ? __builtin_ctzll(left_##lane) : 0)

#endif
