#include "core/residency.h"

#include "core/core_internal.h"

#include <inttypes.h>

void ww_residency_create(ww_cu *cu)
{
    ww_residency *r = &cu->residency;
    r->group_count = cu->config.groups;
    r->groups = ww_calloc(r->group_count, sizeof(*r->groups));
}

void ww_residency_destroy(ww_cu *cu)
{
    free(cu->residency.groups);
}

/* ---- launches ---- */

void ww_cu_begin(ww_cu *cu, const ww_cu_launch *launch)
{
    cu->residency.launch_count++;
    cu->residency.newest = launch;
    if (!cu->residency.present)
        ww_attribution_begin(cu, ww_cu_cycle(cu));
}

/* Frees the storage of a launch's groups. */
static void free_storage(ww_resident *group)
{
    if (group->group)
        ww_group_destroy(group->launch->executor, group->group);
    *group = (ww_resident){0};
}

void ww_cu_end(ww_cu *cu, const ww_cu_launch *launch)
{
    ww_residency *r = &cu->residency;
    for (unsigned i = 0; i < r->group_count; i++)
        if (r->groups[i].launch == launch)
            free_storage(&r->groups[i]);
    r->launch_count--;
}

static ww_resident *free_resident(const ww_cu *cu)
{
    for (unsigned i = 0; i < cu->residency.group_count; i++)
        if (!cu->residency.groups[i].used)
            return &cu->residency.groups[i];
    return NULL;
}

bool ww_cu_can_accept(const ww_cu *cu, const ww_cu_launch *l)
{
    const ww_cu_config *c = &cu->config;
    const ww_residency *r = &cu->residency;
    unsigned held = (unsigned)__builtin_popcountll(r->held);
    return c->slots - r->warp_count - held >= l->warps && free_resident(cu) &&
           r->registers + l->registers <= c->registers &&
           (!c->scalar_registers ||
            r->scalar_registers + l->scalar_registers <= c->scalar_registers) &&
           r->lds_bytes + l->lds_bytes <= c->lds_bytes;
}

int ww_cu_check_fit(const ww_cu_config *c, const ww_cu_launch *l, ww_errors *errors)
{
    const char *entry = l->launch->entry;
    int status = WW_OK;
    if (l->warps > c->slots)
        status |= ww_fail(errors, WW_BAD_INPUT, l->launch->at,
                          "a group of '%s' has %u warps of core.warp_width, %u (a compute unit has "
                          "slots for %u: core.wavefronts)",
                          entry, l->warps, c->width, c->slots);
    if (l->registers > c->registers)
        status |= ww_fail(errors, WW_BAD_INPUT, l->launch->at,
                          "a group of '%s' needs %" PRIu64 " registers (a compute unit has %" PRIu64
                          ": core.registers)",
                          entry, l->registers, c->registers);
    if (c->scalar_registers && l->scalar_registers > c->scalar_registers)
        status |= ww_fail(errors, WW_BAD_INPUT, l->launch->at,
                          "a group of '%s' needs %" PRIu64 " scalar registers (a compute unit has "
                          "%" PRIu64 ": core.scalar_registers)",
                          entry, l->scalar_registers, c->scalar_registers);
    if (l->lds_bytes > c->lds_bytes)
        status |= ww_fail(errors, WW_BAD_INPUT, l->launch->at,
                          "a group of '%s' needs %" PRIu64 " bytes of local memory (a compute unit "
                          "has %" PRIu64 ": lds.size)",
                          entry, l->lds_bytes, c->lds_bytes);
    return status;
}

/* ---- warps ---- */

/* Allocates a slot to a new warp, which is the youngest. */
static unsigned allocate_slot(ww_cu *cu)
{
    ww_residency *r = &cu->residency;
    uint64_t all = cu->config.slots < 64 ? (1ull << cu->config.slots) - 1 : ~0ull;
    unsigned slot = (unsigned)__builtin_ctzll(all & ~(r->present | r->held));
    for (uint64_t rest = r->present; rest; rest &= rest - 1)
        r->older[__builtin_ctzll(rest)] &= ~(1ull << slot);
    r->older[slot] = r->present;
    r->present |= 1ull << slot;
    r->warp_count++;
    return slot;
}

static void start_warp(ww_cu *cu, ww_resident *group, ww_warp *warp, uint64_t cycle)
{
    unsigned slot = allocate_slot(cu);
    ww_slot_state *s = &cu->slots[slot];
    s->stream = (ww_stream){.warp = warp, .launch = group->launch};
    s->resident = (ww_resident_slot){group, cycle};
    group->slots |= 1ull << slot;
    ww_scoreboard_start(&s->scoreboard);
    ww_load_store_start(cu, slot);
    ww_front_end_start(cu, slot);
    ww_attribution_start(cu, slot, cycle);
    if (cu->wiring.observers)
        ww_cu_notify_start(cu, slot, cycle);
    if (cu->predictor.criticality)
        ww_predictor_start(cu, slot, cycle);
    ww_issue_start(cu, slot, cycle);
}

/* ---- groups ---- */

void ww_residency_count(ww_cu *cu, uint64_t cycle)
{
    ww_residency *r = &cu->residency;
    if (cycle <= r->counted_to)
        return;
    uint64_t cycles = cycle - r->counted_to;
    cu->counters.register_cycles += cycles * r->registers;
    cu->counters.scalar_register_cycles += cycles * r->scalar_registers;
    cu->counters.lds_cycles += cycles * r->lds_bytes;
    r->counted_to = cycle;
}

static void allocate(ww_residency *r, const ww_cu_launch *l)
{
    r->registers += l->registers;
    r->scalar_registers += l->scalar_registers;
    r->lds_bytes += l->lds_bytes;
}

static void deallocate(ww_residency *r, const ww_cu_launch *l)
{
    r->registers -= l->registers;
    r->scalar_registers -= l->scalar_registers;
    r->lds_bytes -= l->lds_bytes;
}

static ww_resident *allocate_resident(ww_cu *cu, const ww_cu_launch *l)
{
    ww_resident *group = free_resident(cu);
    if (group->launch != l)
        free_storage(group);
    if (!group->group)
        group->group = ww_group_create(l->executor);
    group->launch = l;
    group->used = true;
    group->slots = 0;
    allocate(&cu->residency, l);
    return group;
}

void ww_cu_add_group(ww_cu *cu, const ww_cu_launch *l, uint64_t number)
{
    const uint32_t *grid = l->launch->groups;
    uint64_t cycle = ww_cu_cycle(cu) + 1;
    uint32_t id[3] = {(uint32_t)(number % grid[0]), (uint32_t)(number / grid[0] % grid[1]),
                      (uint32_t)(number / grid[0] / grid[1])};
    ww_attribution_advance(cu, cycle);
    ww_residency_count(cu, cycle);
    ww_resident *group = allocate_resident(cu, l);
    ww_group_start(l->executor, group->group, number, id);
    ww_disparity_start_group(cu, group);
    l->executor->counters->groups++;
    l->executor->counters->warps += group->group->warp_count;
    cu->counters.groups++;
    cu->counters.warps += group->group->warp_count;
    for (uint32_t i = 0; i < group->group->warp_count; i++)
        start_warp(cu, group, &group->group->warps[i], cycle);
    ww_issue_notify_schedulers(cu, cycle);
    ww_cu_wake(cu, cycle);
}

static void hold_slot(ww_residency *r, ww_resident *group, unsigned slot)
{
    group->held |= 1ull << slot;
    r->held |= 1ull << slot;
}

static void end_group(ww_cu *cu, ww_resident *group, uint64_t cycle)
{
    group->used = false;
    cu->residency.held &= ~group->held;
    group->held = 0;
    ww_residency_count(cu, cycle);
    deallocate(&cu->residency, group->launch);
    cu->wiring.group_done(cu->wiring.context, cu->number);
}

void ww_residency_free_slot(ww_cu *cu, unsigned slot, uint64_t cycle)
{
    ww_residency *r = &cu->residency;
    ww_resident *group = cu->slots[slot].resident.group;
    ww_issue_stop(cu, slot);
    if (cu->predictor.criticality)
        ww_predictor_end(cu, slot, cycle);
    ww_attribution_count(cu, slot, cycle);
    ww_disparity_end_warp(cu, slot, cycle);
    if (cu->wiring.observers)
        ww_cu_notify_end(cu, slot, cycle);
    ww_front_end_stop(cu, slot);
    ww_load_store_stop(cu, slot);
    r->present &= ~(1ull << slot);
    r->warp_count--;
    group->slots &= ~(1ull << slot);
    if (cu->config.holds_slots)
        hold_slot(r, group, slot);
    ww_issue_notify_schedulers(cu, cycle);
    if (!group->slots)
        end_group(cu, group, cycle);
    else if (!cu->config.holds_slots)
        cu->wiring.slot_freed(cu->wiring.context, cu->number);
}
