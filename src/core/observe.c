/* Notifies observers of what warps do. */
#include "core/core_internal.h"

static ww_observed observed(const ww_cu *cu, unsigned slot, uint64_t cycle)
{
    return (ww_observed){.cu = cu,
                         .launch = cu->launch,
                         .warp = cu->slots[slot].warp,
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

void ww_cu_notify_issue(const ww_cu *cu, unsigned slot, uint64_t lanes, uint64_t cycle)
{
    ww_observed warp = observed(cu, slot, cycle);
    for (const ww_cu_observer *o = cu->wiring.observers; o; o = o->next)
        if (o->issued)
            o->issued(o->context, &warp, cu->slots[slot].pc, lanes);
}

void ww_cu_notify_access(const ww_cu *cu, const ww_memory_op *op, uint64_t cycle)
{
    ww_observed_access access = {.launch = cu->launch,
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
