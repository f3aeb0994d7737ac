#include "core/core.h"

#include "core/parts.h"

#include <inttypes.h>
#include <string.h>

#define INSTRUCTION_REPLIES 64

void ww_core_wake(ww_core *core, uint64_t cycle)
{
    ww_wake(core->wiring.engine, &core->task, ww_clock_edge(core->config.clock, cycle));
}

void ww_core_fail(ww_core *core, int status)
{
    core->broken = true;
    core->wiring.failed(core->wiring.context, status);
}

static void explain(const void *owner, FILE *out)
{
    const ww_core *core = owner;
    if (!core->present)
        return;
    fprintf(out, "compute unit %u: %d warps, %d can issue", core->number,
            __builtin_popcountll(core->present), __builtin_popcountll(core->ready));
    static const char *const names[WW_WAIT_COUNT] = {
        [WW_WAIT_SYNCHRONISATION] = "synchronisation",
        [WW_WAIT_FETCH] = "fetch",
        [WW_WAIT_CONTROL] = "control",
        [WW_WAIT_OPERAND] = "operands",
        [WW_WAIT_LOAD] = "loads",
    };
    for (unsigned w = 0; w < WW_WAIT_COUNT; w++)
        if (core->waiting[w])
            fprintf(out, ", %d wait for %s", __builtin_popcountll(core->waiting[w]), names[w]);
    fputc('\n', out);
}

/* ---- creation ---- */

static void create_schedulers(ww_core *core)
{
    const ww_scheduler *policy = core->config.scheduler;
    for (unsigned i = 0; i < core->config.schedulers; i++) {
        core->scheduler_state[i] = ww_calloc(1, policy->policy.state_size + 1);
        policy->start(core->scheduler_state[i], core->wiring.config);
        for (unsigned slot = i; slot < core->config.slots; slot += core->config.schedulers)
            core->of_scheduler[i] |= 1ull << slot;
    }
}

/* Schedulers have arithmetic units of their own, and the other units together. */
static void share_units(ww_core *core)
{
    static const ww_unit shared[] = {WW_UNIT_SCALAR, WW_UNIT_BRANCH, WW_UNIT_LDS, WW_UNIT_MEMORY};
    for (unsigned i = 0; i < sizeof(shared) / sizeof(*shared); i++)
        for (unsigned s = 0; s < core->config.schedulers; s++)
            core->shared_rows[shared[i]] |= 1ull << (s * WW_UNIT_BITS + shared[i]);
}

ww_core *ww_core_create(unsigned number, const ww_core_config *config, const ww_core_wiring *wiring)
{
    ww_core *core = ww_calloc_rows(sizeof(*core));
    core->number = number;
    core->config = *config;
    core->wiring = *wiring;
    core->resident_count = config->groups;
    core->residents = ww_calloc(config->groups, sizeof(*core->residents));
    core->last_fetched = WW_MOST_SLOTS - 1;
    core->l0 = ww_calloc((size_t)config->schedulers * config->l0_lines + 1, sizeof(*core->l0));
    core->line_shift = (unsigned)__builtin_ctz(config->line / config->instruction_bytes);
    ww_task_init(wiring->engine, &core->task, WW_PHASE_ISSUE, ww_core_tick, core);
    ww_port_init(&core->instruction_replies, wiring->engine, INSTRUCTION_REPLIES, 1);
    ww_port_connect(&core->instruction_replies, &core->task);
    create_schedulers(core);
    share_units(core);
    ww_load_store_create(&core->memory, core, &wiring->data, &wiring->data_tlb, WW_CLASS_DATA);
    ww_load_store_create(&core->scalar_memory, core, &wiring->scalar, &wiring->scalar_tlb,
                         WW_CLASS_SCALAR);
    ww_engine_add_explainer(wiring->engine, explain, core);
    return core;
}

void ww_core_destroy(ww_core *core)
{
    if (!core)
        return;
    for (unsigned i = 0; i < core->config.schedulers; i++)
        free(core->scheduler_state[i]);
    for (unsigned i = 0; i < WW_MOST_SLOTS; i++)
        free(core->slots[i].ready_at);
    ww_load_store_destroy(&core->memory);
    ww_load_store_destroy(&core->scalar_memory);
    ww_port_clear(&core->instruction_replies);
    free(core->residents);
    free(core->l0);
    free(core);
}

ww_port *ww_core_data_replies(ww_core *core)
{
    return &core->memory.replies;
}

ww_port *ww_core_instruction_replies(ww_core *core)
{
    return &core->instruction_replies;
}

ww_port *ww_core_scalar_replies(ww_core *core)
{
    return &core->scalar_memory.replies;
}

ww_port *ww_core_data_translations(ww_core *core)
{
    return &core->memory.translations;
}

ww_port *ww_core_scalar_translations(ww_core *core)
{
    return &core->scalar_memory.translations;
}

uint64_t ww_core_requests_in_flight(const ww_core *core)
{
    return core->memory.in_flight + core->scalar_memory.in_flight;
}

unsigned ww_core_warps(const ww_core *core)
{
    return (unsigned)core->present_count;
}

ww_tick ww_core_last_reply(const ww_core *core)
{
    return core->memory.last_reply;
}

/* ---- launches ---- */

void ww_core_begin(ww_core *core, const ww_core_launch *launch)
{
    core->launch = launch;
    core->accounted = ww_core_cycle(core);
}

/* Storage for groups and registers belongs to the launch. */
void ww_core_end(ww_core *core)
{
    for (unsigned i = 0; i < core->resident_count; i++) {
        if (core->residents[i].group)
            ww_group_destroy(core->launch->executor, core->residents[i].group);
        core->residents[i] = (ww_resident){0};
    }
    for (unsigned i = 0; i < WW_MOST_SLOTS; i++) {
        free(core->slots[i].ready_at);
        core->slots[i].ready_at = NULL;
    }
    core->launch = NULL;
}

static ww_resident *free_resident(const ww_core *core)
{
    for (unsigned i = 0; i < core->resident_count; i++)
        if (!core->residents[i].used)
            return &core->residents[i];
    return NULL;
}

static unsigned free_slots(const ww_core *core)
{
    return core->config.slots - (unsigned)core->present_count;
}

bool ww_core_has_room(const ww_core *core)
{
    const ww_core_config *c = &core->config;
    const ww_core_launch *l = core->launch;
    return free_slots(core) >= l->warps && free_resident(core) &&
           core->registers_used + l->registers <= c->registers &&
           (!c->scalar_registers ||
            core->scalar_used + l->scalar_registers <= c->scalar_registers) &&
           core->lds_used + l->lds_bytes <= c->lds_bytes;
}

int ww_core_check_fit(const ww_core_config *c, const ww_core_launch *l, ww_errors *errors)
{
    const char *entry = l->launch->entry;
    int status = WW_OK;
    if (l->warps > c->slots)
        status |= ww_fail(errors, WW_BAD_INPUT, l->launch->at,
                          "a group of '%s' has %u warps of core.warp_width, %u (a compute unit has "
                          "room for %u: core.wavefronts)",
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

/* ---- groups ---- */

static unsigned take_slot(ww_core *core)
{
    uint64_t all = core->config.slots < 64 ? (1ull << core->config.slots) - 1 : ~0ull;
    return (unsigned)__builtin_ctzll(all & ~core->present);
}

/* The youngest warp takes the slot. */
static void arrive(ww_core *core, unsigned slot)
{
    for (uint64_t rest = core->present; rest; rest &= rest - 1)
        core->older[__builtin_ctzll(rest)] &= ~(1ull << slot);
    core->older[slot] = core->present;
    core->present |= 1ull << slot;
    core->present_count++;
}

static void start_warp(ww_core *core, ww_resident *group, ww_warp *warp, uint64_t cycle)
{
    unsigned slot = take_slot(core);
    ww_slot_state *s = &core->slots[slot];
    size_t bytes = core->launch->code->register_count * sizeof(*s->ready_at);
    uint64_t *ready_at = s->ready_at ? s->ready_at : ww_calloc(1, bytes + 8);
    memset(ready_at, 0, bytes);
    *s = (ww_slot_state){.warp = warp,
                         .group = group,
                         .ready_at = ready_at,
                         .born = cycle,
                         .settled = cycle,
                         .wait = WW_WAIT_COUNT};
    arrive(core, slot);
    group->slots |= 1ull << slot;
    if (core->wiring.observers)
        ww_core_tell_start(core, slot, cycle);
    ww_core_examine(core, slot, cycle);
}

void ww_core_add_group(ww_core *core, uint64_t number)
{
    const ww_core_launch *l = core->launch;
    const uint32_t *grid = l->launch->groups;
    ww_executor *x = l->executor;
    uint64_t cycle = ww_core_cycle(core) + 1;
    uint32_t id[3] = {(uint32_t)(number % grid[0]), (uint32_t)(number / grid[0] % grid[1]),
                      (uint32_t)(number / grid[0] / grid[1])};
    ww_core_account(core, cycle);
    ww_resident *group = free_resident(core);
    if (!group->group)
        group->group = ww_group_create(x);
    group->used = true;
    group->slots = 0;
    ww_group_start(x, group->group, number, id);
    core->registers_used += l->registers;
    core->scalar_used += l->scalar_registers;
    core->lds_used += l->lds_bytes;
    x->counters->groups++;
    x->counters->warps += group->group->warp_count;
    core->wiring.counters->groups++;
    core->wiring.counters->warps += group->group->warp_count;
    for (uint32_t i = 0; i < group->group->warp_count; i++)
        start_warp(core, group, &group->group->warps[i], cycle);
    ww_core_pool_changed(core);
    ww_core_wake(core, cycle);
}

void ww_core_release_slot(ww_core *core, unsigned slot, uint64_t cycle)
{
    ww_resident *group = core->slots[slot].group;
    const ww_core_launch *l = core->launch;
    ww_core_forget(core, slot);
    if (core->wiring.observers)
        ww_core_tell_end(core, slot, cycle);
    ww_core_close_account(core, slot, cycle);
    core->config.scheduler->left(core->scheduler_state[slot % core->config.schedulers], slot);
    core->present &= ~(1ull << slot);
    core->present_count--;
    core->needs_fetch &= ~(1ull << slot);
    core->by_unit[core->slots[slot].unit] &= ~(1ull << slot);
    core->outside &= ~(1ull << slot);
    core->pending -= core->slots[slot].loads + core->slots[slot].stores;
    group->slots &= ~(1ull << slot);
    ww_core_pool_changed(core);
    if (group->slots)
        return;
    group->used = false;
    core->registers_used -= l->registers;
    core->scalar_used -= l->scalar_registers;
    core->lds_used -= l->lds_bytes;
    core->wiring.group_done(core->wiring.context, core->number);
}

uint64_t ww_core_settle(ww_core *core)
{
    uint64_t cycle = ww_core_cycle(core);
    if (cycle < core->accounted)
        cycle = core->accounted;
    ww_core_account(core, cycle);
    for (uint64_t rest = core->present; rest; rest &= rest - 1)
        ww_core_close_account(core, (unsigned)__builtin_ctzll(rest), cycle);
    return cycle;
}

void ww_core_watch(ww_core *core)
{
    for (uint64_t rest = core->present; rest; rest &= rest - 1)
        ww_warp_watch(core->slots[__builtin_ctzll(rest)].warp);
}

bool ww_core_only_loops(const ww_core *core, const ww_warp **shown)
{
    bool all = true;
    for (uint64_t rest = core->present; rest; rest &= rest - 1) {
        const ww_warp *w = core->slots[__builtin_ctzll(rest)].warp;
        all &= w->looping || !ww_warp_is_ready(w);
        *shown = ww_warp_to_show(*shown, w);
    }
    return all;
}

bool ww_core_is_idle(const ww_core *core)
{
    return !core->present && ww_load_store_is_idle(&core->memory) &&
           ww_load_store_is_idle(&core->scalar_memory);
}
