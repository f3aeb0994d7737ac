/* Bit-sliced counters for up to 64 warps: adding to any set of warps costs the same.
 *
 * column   what is counted
 * plane    bit p of every counter of every column, one bit for each warp
 * Adding 1 to the warps of a mask ripples through a few planes, two on average, however many warps
 * there are. This makes it cheap to charge every warp in every cycle. The columns of a plane are
 * adjacent: the low planes, which change most, are a few lines of the host's cache. */
#ifndef WW_CORE_TALLY_H
#define WW_CORE_TALLY_H

#include <stdint.h>

#define WW_TALLY_PLANES 48
#define WW_TALLY_COLUMNS 8

typedef struct ww_tally {
    uint64_t plane[WW_TALLY_PLANES][WW_TALLY_COLUMNS];
    unsigned used; /* planes: those above are 0 */
} ww_tally;

/* Adds 2 to the power of `plane` to the counter of each warp in the mask. A run has too few cycles
 * for a counter to reach 2 to the power of WW_TALLY_PLANES. */
static inline void ww_tally_ripple(ww_tally *tally, unsigned column, uint64_t mask, unsigned plane)
{
    if (!mask)
        return;
    do {
        uint64_t old = tally->plane[plane][column];
        tally->plane[plane++][column] = old ^ mask;
        mask &= old;
    } while (mask);
    if (plane > tally->used)
        tally->used = plane;
}

/* Adds `amount` to the counter of each warp in the mask. */
static inline void ww_tally_add(ww_tally *tally, unsigned column, uint64_t mask, uint64_t amount)
{
    for (unsigned p = 0; amount && mask; p++, amount >>= 1)
        if (amount & 1)
            ww_tally_ripple(tally, column, mask, p);
}

/* One warp's counter. */
static inline uint64_t ww_tally_read(const ww_tally *tally, unsigned column, unsigned warp)
{
    uint64_t value = 0;
    for (unsigned p = 0; p < tally->used; p++)
        value |= (tally->plane[p][column] >> warp & 1) << p;
    return value;
}

/* One warp's counter, which becomes 0. */
static inline uint64_t ww_tally_read_and_clear(ww_tally *tally, unsigned column, unsigned warp)
{
    uint64_t value = ww_tally_read(tally, column, warp);
    for (unsigned p = 0; value >> p; p++)
        tally->plane[p][column] &= ~(1ull << warp);
    return value;
}

/* Sets all counters of a warp to 0. */
static inline void ww_tally_clear(ww_tally *tally, unsigned warp)
{
    for (unsigned p = 0; p < tally->used; p++)
        for (unsigned c = 0; c < WW_TALLY_COLUMNS; c++)
            tally->plane[p][c] &= ~(1ull << warp);
}

#endif
