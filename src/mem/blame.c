#include "mem/blame.h"

void ww_blame_change(ww_blame_clock *clock, const ww_blame_clock *follows, ww_cause cause,
                     ww_tick now)
{
    uint32_t busy = ww_blame_busy(clock, now), others = (uint32_t)now - busy;
    if (clock->follows) {
        ww_blame_add(&clock->base, clock->follows, now);
    } else {
        clock->base.ticks[clock->cause] += others;
        clock->base.ticks[WW_CAUSE_DRAM_BUS] += busy;
    }
    if (follows) {
        ww_blame_subtract(&clock->base, follows, now);
    } else {
        clock->base.ticks[cause] -= others;
        clock->base.ticks[WW_CAUSE_DRAM_BUS] -= busy;
    }
    clock->follows = follows;
    clock->cause = cause;
}

void ww_blame_sum_add(ww_blame_sum *sum, const ww_blame *blame)
{
    for (unsigned i = 0; i < WW_CAUSE_ALL; i++)
        sum->ticks[i] += (int32_t)blame->ticks[i];
}

void ww_blame_split(uint64_t amount, const ww_blame_sum *parts, ww_cause otherwise,
                    uint64_t shares[WW_CAUSE_COUNT])
{
    double whole = 0;
    uint64_t given = 0;
    ww_cause largest = otherwise;
    for (unsigned i = 0; i < WW_CAUSE_COUNT; i++) {
        whole += parts->ticks[i] > 0 ? (double)parts->ticks[i] : 0;
        if (parts->ticks[i] > 0 && parts->ticks[i] > parts->ticks[largest])
            largest = (ww_cause)i;
    }
    for (unsigned i = 0; i < WW_CAUSE_COUNT && whole > 0; i++) {
        double part = parts->ticks[i] > 0 ? (double)parts->ticks[i] / whole : 0;
        uint64_t share = (uint64_t)((double)amount * part);
        share = share < amount - given ? share : amount - given;
        shares[i] += share;
        given += share;
    }
    shares[largest] += amount - given; /* the rest of the rounding */
}

/* Charges the ticks of one cause to others, in proportion to their parts. */
static void pass_on(ww_blame_sum *sum, ww_cause from, const ww_blame_sum *parts, ww_cause otherwise)
{
    uint64_t shares[WW_CAUSE_COUNT] = {0};
    if (sum->ticks[from] > 0)
        ww_blame_split((uint64_t)sum->ticks[from], parts, otherwise, shares);
    sum->ticks[from] = 0;
    for (unsigned i = 0; i < WW_CAUSE_COUNT; i++)
        sum->ticks[i] += (int64_t)shares[i];
}

ww_blame_sum ww_blame_resolve(const ww_blame_sum *sum, const ww_blame_sum *misses)
{
    ww_blame_sum all = *sum, translations = {{0}};
    for (unsigned i = WW_CAUSE_TLB; i <= WW_CAUSE_WALK; i++)
        translations.ticks[i] = sum->ticks[i];
    pass_on(&all, WW_CAUSE_L1_MISS, misses, WW_CAUSE_L1_LATENCY);
    pass_on(&all, WW_CAUSE_TRANSLATION, &translations, WW_CAUSE_TLB);
    return all;
}
