/* What is due in the next cycles: a mask for each of WW_RING cycles, by cycle modulo WW_RING. A
 * later cycle is reached in steps. */
#ifndef WW_CORE_RING_H
#define WW_CORE_RING_H

#include <stdint.h>

#define WW_RING 64u

typedef struct ww_ring {
    uint64_t used; /* a bit for each entry that is not empty */
    uint64_t mask[WW_RING];
} ww_ring;

static inline void ww_ring_add(ww_ring *ring, uint64_t cycle, uint64_t mask)
{
    ring->mask[cycle % WW_RING] |= mask;
    ring->used |= 1ull << cycle % WW_RING;
}

/* Empties the entry of the cycle. */
static inline uint64_t ww_ring_take(ww_ring *ring, uint64_t cycle)
{
    unsigned index = cycle % WW_RING;
    uint64_t mask = ring->mask[index];
    ring->mask[index] = 0;
    ring->used &= ~(1ull << index);
    return mask;
}

/* The latest cycle that an entry added in cycle `now` can have, at most `cycle`. */
static inline uint64_t ww_ring_reach(uint64_t now, uint64_t cycle)
{
    return cycle - now < WW_RING ? cycle : now + WW_RING - 1;
}

/* The entries of the `span` cycles from `first` on, as bits of `used`. */
static inline uint64_t ww_ring_window(uint64_t first, uint64_t span)
{
    uint64_t window = span >= WW_RING ? ~0ull : (1ull << span) - 1;
    unsigned by = first % WW_RING;
    return window << by | window >> ((WW_RING - by) % WW_RING);
}

/* The first cycle from `first` on with an entry; `used` is not 0. */
static inline uint64_t ww_ring_next(uint64_t used, uint64_t first)
{
    unsigned by = first % WW_RING;
    return first + (uint64_t)__builtin_ctzll(used >> by | used << ((WW_RING - by) % WW_RING));
}

#endif
