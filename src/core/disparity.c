#include "core/disparity.h"

#include "core/core_internal.h"

#include <string.h>

void ww_disparity_create(ww_cu *cu)
{
    cu->disparity.groups = ww_calloc(cu->config.groups, sizeof(*cu->disparity.groups));
}

void ww_disparity_destroy(ww_cu *cu)
{
    free(cu->disparity.groups);
}

const ww_disparity_counters *ww_cu_disparity(const ww_cu *cu)
{
    return &cu->disparity.counters;
}

uint64_t ww_cu_first_wave_end(const ww_cu *cu)
{
    return cu->disparity.first_wave_end;
}

static ww_group_times *times_of(const ww_cu *cu, const ww_resident *group)
{
    return &cu->disparity.groups[group - cu->residency.groups];
}

void ww_disparity_start_group(ww_cu *cu, const ww_resident *group)
{
    ww_disparity *d = &cu->disparity;
    if (d->launch != group->launch->number) {
        d->launch = group->launch->number;
        d->not_followed = d->first_wave_end = 0;
    }
    *times_of(cu, group) = (ww_group_times){.first_wave = !d->not_followed,
                                            .fastest = UINT64_MAX,
                                            .fewest = UINT64_MAX,
                                            .critical_index = UINT32_MAX};
    d->not_followed -= d->not_followed != 0;
}

/* ---- warps ---- */

static uint64_t profiled_cycles(const ww_stream *stream)
{
    const ww_cu_launch *l = stream->launch;
    const ww_warp *w = stream->warp;
    return l->profiled ? ww_warp_times_get(l->profiled, l->number, w->group->number, w->index) : 0;
}

static void add_profiled(ww_group_times *g, uint32_t index, uint64_t cycles, uint64_t profiled)
{
    g->unknown |= !profiled;
    g->profiled += profiled;
    if (profiled < g->most_profiled || (profiled == g->most_profiled && index > g->critical_index))
        return;
    g->most_profiled = profiled;
    g->critical = cycles;
    g->critical_index = index;
}

static void add_warp(ww_group_times *g, uint64_t cycles, uint64_t profiled, const uint64_t *reasons)
{
    uint64_t instructions = reasons[WW_REASON_EXECUTION];
    g->warps++;
    g->sum += cycles;
    g->fastest = cycles < g->fastest ? cycles : g->fastest;
    g->most = instructions > g->most ? instructions : g->most;
    g->fewest = instructions < g->fewest ? instructions : g->fewest;
    if (cycles <= g->slowest)
        return;
    g->slowest = cycles;
    g->profiled_of_slowest = profiled;
    memcpy(g->reasons, reasons, sizeof(g->reasons));
}

/* ---- groups ---- */

static double disparity(uint64_t most, uint64_t least, uint64_t of)
{
    return ww_ratio((double)(most - least), (double)of);
}

void ww_disparity_add_group(ww_disparity_sums *s, const ww_group_times *g)
{
    s->groups++;
    s->slowest += g->slowest;
    s->fastest += g->fastest;
    s->mean += (double)g->sum / (double)g->warps;
    s->disparity += disparity(g->slowest, g->fastest, g->slowest);
    s->disparity_of_fastest += disparity(g->slowest, g->fastest, g->fastest);
    s->instruction_disparity += disparity(g->most, g->fewest, g->most);
    if (g->unknown)
        return;
    s->compared++;
    s->inverted += g->profiled_of_slowest * g->warps < g->profiled;
    s->changed += g->profiled_of_slowest < g->most_profiled;
    s->critical += g->critical;
    s->critical_profiled += g->most_profiled;
}

static void end_group(ww_disparity *d, const ww_group_times *g, uint64_t launch, uint64_t cycle)
{
    ww_disparity_add_group(&d->counters.all, g);
    if (g->first_wave)
        ww_disparity_add_group(&d->counters.first_wave, g);
    for (unsigned r = 0; r < WW_REASON_COUNT; r++)
        d->counters.reasons[r] += g->reasons[r];
    if (launch != d->launch)
        return;
    d->not_followed++;
    if (g->first_wave)
        d->first_wave_end = cycle;
}

void ww_disparity_end_warp(ww_cu *cu, unsigned slot, uint64_t cycle)
{
    const ww_slot_state *s = &cu->slots[slot];
    const ww_resident *group = s->resident.group;
    ww_group_times *g = times_of(cu, group);
    uint64_t cycles = cycle - s->resident.born, profiled = profiled_cycles(&s->stream);
    add_profiled(g, s->stream.warp->index, cycles, profiled);
    add_warp(g, cycles, profiled, s->attribution.reasons);
    if (g->warps == group->launch->warps)
        end_group(&cu->disparity, g, group->launch->number, cycle);
}

const ww_group_times *ww_cu_ended_group(const ww_cu *cu, unsigned slot)
{
    const ww_resident *group = cu->slots[slot].resident.group;
    const ww_group_times *g = times_of(cu, group);
    return g->warps == group->launch->warps ? g : NULL;
}
