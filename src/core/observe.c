/* Notifies observers of what warps do. */
#include "core/core_internal.h"

static ww_observed observed(const ww_cu *cu, unsigned slot, uint64_t cycle)
{
    return (ww_observed){.cu = cu,
                         .launch = cu->slots[slot].stream.launch,
                         .warp = cu->slots[slot].stream.warp,
                         .compute_unit = cu->number,
                         .slot = slot,
                         .cycle = cycle};
}

void ww_cu_notify_start(const ww_cu *cu, unsigned slot, uint64_t cycle)
{
    ww_observed warp = observed(cu, slot, cycle);
    for (const ww_cu_observer *o = cu->wiring.observers; o; o = o->next)
        if (o->started)
            o->started(o->context, &warp);
}

static uint64_t active_lanes(const ww_warp *w, const ww_uop *u)
{
    uint64_t guard = w->predicates[u->guard] ^ (0 - (uint64_t)u->guard_negated);
    return w->splits[w->current].lanes & guard;
}

void ww_cu_notify_issue(const ww_cu *cu, unsigned slot, uint64_t cycle)
{
    ww_observed warp = observed(cu, slot, cycle);
    uint32_t pc = cu->slots[slot].issue.pc;
    uint64_t lanes = active_lanes(warp.warp, &warp.launch->executor->kernel->uops[pc]);
    for (const ww_cu_observer *o = cu->wiring.observers; o; o = o->next)
        if (o->issued)
            o->issued(o->context, &warp, pc, lanes);
}

void ww_cu_notify_access(const ww_cu *cu, const ww_memory_op *op, uint64_t cycle)
{
    ww_observed_access access = {.launch = op->launch,
                                 .compute_unit = cu->number,
                                 .slot = op->slot,
                                 .issued = op->issued,
                                 .done = cycle,
                                 .pc = op->pc,
                                 .lines = op->lines,
                                 .kind = op->kind,
                                 .missed = op->missed};
    for (const ww_cu_observer *o = cu->wiring.observers; o; o = o->next)
        if (o->accessed)
            o->accessed(o->context, &access);
}

void ww_cu_notify_end(const ww_cu *cu, unsigned slot, uint64_t cycle)
{
    ww_observed warp = observed(cu, slot, cycle);
    for (const ww_cu_observer *o = cu->wiring.observers; o; o = o->next)
        if (o->ended)
            o->ended(o->context, &warp);
}
