/* Bit-sliced counters for up to 64 warps: adding to any set of warps costs the same.
 *
 * column   what is counted
 * plane    bit p of every counter of every column, one bit for each warp
 * Adding 1 to the warps of a mask ripples through a few planes, two on average, however many warps
 * there are. This makes it cheap to charge every warp in every cycle. The columns of a plane are
 * adjacent: the low planes, which change most, are a few lines of the host's cache. */
#ifndef WW_CORE_TALLY_H
#define WW_CORE_TALLY_H

#include <stddef.h>
#include <stdint.h>

#define WW_TALLY_PLANES 48
#define WW_TALLY_COLUMNS 8

typedef struct ww_tally {
    uint64_t plane[WW_TALLY_PLANES][WW_TALLY_COLUMNS];
    size_t used; /* words of `plane`: those after them are 0 */
} ww_tally;

/* Adds 2 to the power of `plane` to the counter of each warp in the mask. A run has too few cycles
 * for a counter to reach 2 to the power of WW_TALLY_PLANES. */
static inline void ww_tally_ripple(ww_tally *tally, unsigned column, uint64_t mask, unsigned plane)
{
    uint64_t *word = &tally->plane[plane][column];
    if (!mask)
        return;
    uint64_t old = *word;
    for (; *word = old ^ mask, (mask &= old) != 0; old = *word)
        word += WW_TALLY_COLUMNS;
    if (old) /* it is one of the used words already */
        return;
    size_t reached = (size_t)(word - tally->plane[0]) + 1;
    if (reached > tally->used)
        tally->used = reached;
}

/* Adds `amount` to the counter of each warp in the mask. */
static inline void ww_tally_add(ww_tally *tally, unsigned column, uint64_t mask, uint64_t amount)
{
    for (unsigned p = 0; amount && mask; p++, amount >>= 1)
        if (amount & 1)
            ww_tally_ripple(tally, column, mask, p);
}

static inline unsigned ww_tally_planes(const ww_tally *tally)
{
    return (unsigned)((tally->used + WW_TALLY_COLUMNS - 1) / WW_TALLY_COLUMNS);
}

/* One warp's counter. */
static inline uint64_t ww_tally_read(const ww_tally *tally, unsigned column, unsigned warp)
{
    uint64_t value = 0;
    for (unsigned p = 0; p < ww_tally_planes(tally); p++)
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

/* All counters of a warp, by column. */
static inline void ww_tally_read_all(const ww_tally *tally, unsigned warp,
                                     uint64_t value[WW_TALLY_COLUMNS])
{
    for (unsigned c = 0; c < WW_TALLY_COLUMNS; c++)
        value[c] = 0;
    for (unsigned p = ww_tally_planes(tally); p-- > 0;)
        for (unsigned c = 0; c < WW_TALLY_COLUMNS; c++)
            value[c] = value[c] << 1 | (tally->plane[p][c] >> warp & 1);
}

/* Sets all counters of a warp to 0. */
static inline void ww_tally_clear(ww_tally *tally, unsigned warp)
{
    for (unsigned p = 0; p < ww_tally_planes(tally); p++)
        for (unsigned c = 0; c < WW_TALLY_COLUMNS; c++)
            tally->plane[p][c] &= ~(1ull << warp);
}

#endif
