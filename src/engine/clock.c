#include "engine/clock.h"

ww_tick ww_clock_after_edge(ww_clock clock, ww_tick tick, uint64_t cycles)
{
    return ww_clock_edge(clock, ww_clock_cycle(clock, ww_clock_next(clock, tick)) + cycles);
}
