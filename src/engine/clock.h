/* Clocks: domains that are slower than the base clock or as fast.
 *
 * edge    the tick at which a clock's cycle starts: cycle k starts at the first tick that is not
 *         before its true time, so that a clock of any ratio keeps its exact average rate and no
 *         two of its cycles share a tick
 * The ratio is a fraction of whole numbers (hertz): 800 MHz beside a base of 2 GHz has its edges at
 * ticks 0, 3, 5, 8, 10, ... */
#ifndef WW_ENGINE_CLOCK_H
#define WW_ENGINE_CLOCK_H

#include "engine/engine.h"

typedef struct ww_clock {
    uint64_t rate; /* reduced: `rate` cycles in `base` ticks; rate <= base */
    uint64_t base;
    uint64_t per_rate, per_base; /* 2^64 - 1 over each, for ww_clock_over */
} ww_clock;

/* A clock of `hertz` beside a base clock of at least as many. */
static inline ww_clock ww_clock_make(uint64_t hertz, uint64_t base_hertz)
{
    uint64_t a = base_hertz, b = hertz;
    while (b) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    if (!a)
        __builtin_unreachable(); /* every clock ticks */
    uint64_t rate = hertz / a, base = base_hertz / a;
    return (ww_clock){rate, base, UINT64_MAX / rate, UINT64_MAX / base};
}

/* number / over, where `per` is 2^64 - 1 over it: a division takes the host several times as long.
 * The product is less than the quotient by at most one. */
static inline uint64_t ww_clock_over(uint64_t number, uint64_t over, uint64_t per)
{
    uint64_t quotient = (uint64_t)((unsigned __int128)number * per >> 64);
    return quotient + (number - quotient * over >= over);
}

/* (value * by + add) / over, which fits. The product of most runs' times needs no 128 bits. */
static inline uint64_t ww_clock_scale(uint64_t value, uint64_t by, uint64_t add, uint64_t over)
{
    uint64_t product;
    if (!__builtin_mul_overflow(value, by, &product) &&
        !__builtin_add_overflow(product, add, &product))
        return product / over;
    return (uint64_t)(((unsigned __int128)value * by + add) / over);
}

/* The tick at which a cycle starts. */
static inline ww_tick ww_clock_edge(ww_clock clock, uint64_t cycle)
{
    if (clock.rate == clock.base)
        return cycle;
    uint64_t product;
    if (!__builtin_mul_overflow(cycle, clock.base, &product) &&
        !__builtin_add_overflow(product, clock.rate - 1, &product))
        return ww_clock_over(product, clock.rate, clock.per_rate);
    return ww_clock_scale(cycle, clock.base, clock.rate - 1, clock.rate);
}

/* The cycle that has started last at a tick: the largest k whose edge is not after it. */
static inline uint64_t ww_clock_cycle(ww_clock clock, ww_tick tick)
{
    if (clock.rate == clock.base)
        return tick;
    uint64_t product;
    if (!__builtin_mul_overflow(tick, clock.rate, &product))
        return ww_clock_over(product, clock.base, clock.per_base);
    return ww_clock_scale(tick, clock.rate, 0, clock.base);
}

/* The first edge at or after a tick. */
static inline ww_tick ww_clock_next(ww_clock clock, ww_tick tick)
{
    if (clock.rate == clock.base)
        return tick;
    return tick ? ww_clock_edge(clock, ww_clock_cycle(clock, tick - 1) + 1) : 0;
}

/* For ww_clock_after, of a clock that is slower than the base clock. */
ww_tick ww_clock_after_edge(ww_clock clock, ww_tick tick, uint64_t cycles);

/* The tick `cycles` edges after the first edge at or after `tick`. */
static inline ww_tick ww_clock_after(ww_clock clock, ww_tick tick, uint64_t cycles)
{
    if (clock.rate == clock.base)
        return tick + cycles;
    return ww_clock_after_edge(clock, tick, cycles);
}

#endif
