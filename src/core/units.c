#include "core/units.h"

/* Each scheduler has its own arithmetic units; all schedulers share the other units. */
static bool is_shared(unsigned unit)
{
    return unit != WW_UNIT_SIMD && unit != WW_UNIT_SFU && unit != WW_UNIT_FP64;
}

void ww_units_create(ww_units *u, unsigned schedulers)
{
    uint64_t all = 0, own[WW_MOST_SCHEDULERS] = {0};
    for (unsigned slot = 0; slot < 64; slot++)
        own[slot % schedulers] |= 1ull << slot;
    for (unsigned s = 0; s < schedulers; s++)
        all |= 1ull << s * WW_UNIT_BITS;
    for (unsigned unit = 0; unit < WW_UNIT_COUNT; unit++) {
        u->shared |= (unsigned)is_shared(unit) << unit;
        for (unsigned s = 0; s < schedulers; s++) {
            unsigned index = s * WW_UNIT_BITS + unit;
            u->bits[index] = is_shared(unit) ? all << unit : 1ull << index;
            u->slots[index] = is_shared(unit) ? ~0ull : own[s];
        }
    }
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
    for (uint64_t rest = bits; rest;) {
        unsigned bit = (unsigned)__builtin_ctzll(rest), unit = bit % WW_UNIT_BITS;
        uint64_t slots = u->slots[bit];
        u->taken[unit] &= ~slots;
        u->blocked &= ~(u->needed_by[unit] & slots);
        rest &= ~u->bits[bit];
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
