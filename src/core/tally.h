/* Counters for up to 64 warps at once: adding to any set of them costs the same.
 *
 * plane    bit p of every counter, one bit for each warp; the counters are columns of bits
 * Adding 1 to the warps of a mask is a ripple through a few planes, two on average, however many warps there
 * are. That is what makes it cheap to know, for every warp and cycle, why it did not issue. */
#ifndef WW_CORE_TALLY_H
#define WW_CORE_TALLY_H

#include <stdint.h>

#define WW_TALLY_PLANES 40

typedef struct ww_tally {
    uint64_t plane[WW_TALLY_PLANES];
} ww_tally;

/* Adds `amount` to the counter of each warp in the mask. */
static inline void ww_tally_add(ww_tally *tally, uint64_t mask, uint64_t amount)
{
    for (unsigned p = 0; amount && mask; p++, amount >>= 1) {
        uint64_t carry = amount & 1 ? mask : 0;
        for (unsigned at = p; carry && at < WW_TALLY_PLANES; at++) {
            uint64_t both = tally->plane[at] & carry;
            tally->plane[at] ^= carry;
            carry = both;
        }
    }
}

/* One warp's counter. */
static inline uint64_t ww_tally_read(const ww_tally *tally, unsigned warp)
{
    uint64_t value = 0;
    for (unsigned p = 0; p < WW_TALLY_PLANES; p++)
        value |= (tally->plane[p] >> warp & 1) << p;
    return value;
}

/* One warp's counter; it is 0 afterwards. */
static inline uint64_t ww_tally_take(ww_tally *tally, unsigned warp)
{
    uint64_t value = ww_tally_read(tally, warp);
    for (unsigned p = 0; p < WW_TALLY_PLANES; p++)
        tally->plane[p] &= ~(1ull << warp);
    return value;
}

#endif
