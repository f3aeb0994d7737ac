#include "core/units.h"

/* Each scheduler has its own arithmetic units; all schedulers share the other units. */
void ww_units_create(ww_units *u, unsigned schedulers)
{
    static const ww_unit shared[] = {WW_UNIT_SCALAR, WW_UNIT_BRANCH, WW_UNIT_LDS, WW_UNIT_MEMORY};
    for (unsigned i = 0; i < sizeof(shared) / sizeof(*shared); i++) {
        for (unsigned s = 0; s < schedulers; s++)
            u->shared[shared[i]] |= 1ull << (s * WW_UNIT_BITS + shared[i]);
        u->all_shared |= u->shared[shared[i]];
    }
    for (unsigned slot = 0; slot < 64; slot++)
        u->of_scheduler[slot % schedulers] |= 1ull << slot;
}

/* Units that stay busy: the ring's entry came before the end of their last instruction. */
static uint64_t keep_busy(ww_units *u, uint64_t bits, uint64_t cycle)
{
    uint64_t kept = 0;
    for (uint64_t rest = bits & u->busy_longer; rest; rest &= rest - 1) {
        unsigned bit = (unsigned)__builtin_ctzll(rest);
        uint64_t until = ww_units_free_at(u, bit / WW_UNIT_BITS, bit % WW_UNIT_BITS);
        if (until <= cycle)
            continue;
        kept |= 1ull << bit;
        ww_ring_add(&u->freed, ww_ring_reach(cycle, until), 1ull << bit);
    }
    u->busy_longer &= ~(bits & ~kept);
    return kept;
}

/* The slots of these bits' schedulers can use their units again. */
static void release(ww_units *u, uint64_t bits)
{
    while (bits) {
        unsigned bit = (unsigned)__builtin_ctzll(bits), unit = bit % WW_UNIT_BITS;
        u->taken[unit] &= u->shared[unit] ? 0 : ~u->of_scheduler[bit / WW_UNIT_BITS];
        bits &= ~(u->shared[unit] | 1ull << bit);
    }
}

void ww_units_free(ww_units *u, uint64_t cycle, uint64_t span)
{
    uint64_t bits = 0;
    for (uint64_t due = u->freed.used & ww_ring_window(cycle - span + 1, span); due; due &= due - 1)
        bits |= ww_ring_take(&u->freed, (uint64_t)__builtin_ctzll(due));
    if (bits & u->busy_longer)
        bits &= ~keep_busy(u, bits, cycle);
    u->busy &= ~bits;
    release(u, bits);
}
