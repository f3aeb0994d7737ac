#include "core/core.h"

#include "core/core_internal.h"

#include <inttypes.h>
#include <string.h>

#define INSTRUCTION_REPLIES 64

void ww_cu_wake(ww_cu *cu, uint64_t cycle)
{
    ww_wake(cu->wiring.engine, &cu->task, ww_clock_edge(cu->config.clock, cycle));
}

void ww_cu_fail(ww_cu *cu, int status)
{
    cu->broken = true;
    cu->wiring.failed(cu->wiring.context, status);
}

static void explain(const void *owner, FILE *out)
{
    const ww_cu *cu = owner;
    if (!cu->present)
        return;
    fprintf(out, "compute unit %u: %d warps, %d can issue", cu->number,
            __builtin_popcountll(cu->present), __builtin_popcountll(cu->ready));
    static const char *const names[WW_WAIT_COUNT] = {
        [WW_WAIT_SYNCHRONISATION] = "synchronisation",
        [WW_WAIT_FETCH] = "fetch",
        [WW_WAIT_CONTROL] = "control",
        [WW_WAIT_OPERAND] = "operands",
        [WW_WAIT_LOAD] = "loads",
    };
    for (unsigned w = 0; w < WW_WAIT_COUNT; w++)
        if (cu->waiting[w])
            fprintf(out, ", %d wait for %s", __builtin_popcountll(cu->waiting[w]), names[w]);
    fputc('\n', out);
}

/* ---- creation ---- */

static void create_schedulers(ww_cu *cu)
{
    cu->wiring.start.slots = cu->config.slots;
    for (unsigned i = 0; i < cu->config.schedulers; i++) {
        cu->scheduler_state[i] = ww_policy_create(&cu->config.scheduler->policy, &cu->wiring.start);
        for (unsigned slot = i; slot < cu->config.slots; slot += cu->config.schedulers)
            cu->of_scheduler[i] |= 1ull << slot;
    }
}

/* Each scheduler has its own arithmetic units; all schedulers share the other units. */
static void share_units(ww_cu *cu)
{
    static const ww_unit shared[] = {WW_UNIT_SCALAR, WW_UNIT_BRANCH, WW_UNIT_LDS, WW_UNIT_MEMORY};
    for (unsigned i = 0; i < sizeof(shared) / sizeof(*shared); i++)
        for (unsigned s = 0; s < cu->config.schedulers; s++)
            cu->shared_rows[shared[i]] |= 1ull << (s * WW_UNIT_BITS + shared[i]);
}

ww_cu *ww_cu_create(unsigned number, const ww_cu_config *config, const ww_cu_wiring *wiring)
{
    ww_cu *cu = ww_calloc_rows(sizeof(*cu));
    cu->number = number;
    cu->config = *config;
    cu->wiring = *wiring;
    cu->resident_count = config->groups;
    cu->residents = ww_calloc(config->groups, sizeof(*cu->residents));
    cu->last_fetched = WW_MOST_SLOTS - 1;
    cu->l0 = ww_calloc((size_t)config->schedulers * config->l0_lines + 1, sizeof(*cu->l0));
    cu->line_shift = (unsigned)__builtin_ctz(config->line / config->instruction_bytes);
    ww_task_init(wiring->engine, &cu->task, WW_PHASE_ISSUE, ww_cu_tick, cu);
    ww_port_init(&cu->instruction_replies, wiring->engine, INSTRUCTION_REPLIES, 1);
    ww_port_connect(&cu->instruction_replies, &cu->task);
    create_schedulers(cu);
    ww_cu_create_predictor(cu);
    share_units(cu);
    ww_load_store_create(&cu->memory, cu, &wiring->data, &wiring->data_tlb, WW_CLASS_DATA);
    ww_load_store_create(&cu->scalar_memory, cu, &wiring->scalar, &wiring->scalar_tlb,
                         WW_CLASS_SCALAR);
    ww_engine_add_explainer(wiring->engine, explain, cu);
    return cu;
}

void ww_cu_destroy(ww_cu *cu)
{
    if (!cu)
        return;
    for (unsigned i = 0; i < cu->config.schedulers; i++)
        ww_policy_destroy(&cu->config.scheduler->policy, &cu->wiring.start, cu->scheduler_state[i]);
    ww_cu_destroy_predictor(cu);
    for (unsigned i = 0; i < WW_MOST_SLOTS; i++)
        free(cu->slots[i].ready_at);
    ww_load_store_destroy(&cu->memory);
    ww_load_store_destroy(&cu->scalar_memory);
    ww_port_clear(&cu->instruction_replies);
    free(cu->residents);
    free(cu->l0);
    free(cu);
}

ww_port *ww_cu_data_replies(ww_cu *cu)
{
    return &cu->memory.replies;
}

ww_port *ww_cu_instruction_replies(ww_cu *cu)
{
    return &cu->instruction_replies;
}

ww_port *ww_cu_scalar_replies(ww_cu *cu)
{
    return &cu->scalar_memory.replies;
}

ww_port *ww_cu_data_translations(ww_cu *cu)
{
    return &cu->memory.translations;
}

ww_port *ww_cu_scalar_translations(ww_cu *cu)
{
    return &cu->scalar_memory.translations;
}

void ww_cu_replay(ww_cu *cu, uint16_t asid, uint64_t page)
{
    ww_park_replay(&cu->memory, asid, page);
    ww_park_replay(&cu->scalar_memory, asid, page);
}

uint64_t ww_cu_requests_in_flight(const ww_cu *cu)
{
    return cu->memory.in_flight + cu->scalar_memory.in_flight;
}

unsigned ww_cu_warps(const ww_cu *cu)
{
    return (unsigned)cu->present_count;
}

ww_tick ww_cu_last_reply(const ww_cu *cu)
{
    return cu->memory.last_reply;
}

/* ---- launches ---- */

void ww_cu_begin(ww_cu *cu, const ww_cu_launch *launch)
{
    cu->launch = launch;
    cu->accounted = ww_cu_cycle(cu);
}

/* Frees the storage of groups and registers: its size depends on the launch. */
void ww_cu_end(ww_cu *cu)
{
    for (unsigned i = 0; i < cu->resident_count; i++) {
        if (cu->residents[i].group)
            ww_group_destroy(cu->launch->executor, cu->residents[i].group);
        cu->residents[i] = (ww_resident){0};
    }
    for (unsigned i = 0; i < WW_MOST_SLOTS; i++) {
        free(cu->slots[i].ready_at);
        cu->slots[i].ready_at = NULL;
    }
    cu->launch = NULL;
}

static ww_resident *free_resident(const ww_cu *cu)
{
    for (unsigned i = 0; i < cu->resident_count; i++)
        if (!cu->residents[i].used)
            return &cu->residents[i];
    return NULL;
}

static unsigned free_slots(const ww_cu *cu)
{
    return cu->config.slots - (unsigned)cu->present_count;
}

bool ww_cu_can_accept(const ww_cu *cu)
{
    const ww_cu_config *c = &cu->config;
    const ww_cu_launch *l = cu->launch;
    return free_slots(cu) >= l->warps && free_resident(cu) &&
           cu->registers_used + l->registers <= c->registers &&
           (!c->scalar_registers || cu->scalar_used + l->scalar_registers <= c->scalar_registers) &&
           cu->lds_used + l->lds_bytes <= c->lds_bytes;
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

/* ---- groups ---- */

static unsigned find_free_slot(ww_cu *cu)
{
    uint64_t all = cu->config.slots < 64 ? (1ull << cu->config.slots) - 1 : ~0ull;
    return (unsigned)__builtin_ctzll(all & ~cu->present);
}

/* Allocates the slot to a new warp, which is the youngest. */
static void allocate_slot(ww_cu *cu, unsigned slot)
{
    for (uint64_t rest = cu->present; rest; rest &= rest - 1)
        cu->older[__builtin_ctzll(rest)] &= ~(1ull << slot);
    cu->older[slot] = cu->present;
    cu->present |= 1ull << slot;
    cu->present_count++;
}

static void start_warp(ww_cu *cu, ww_resident *group, ww_warp *warp, uint64_t cycle)
{
    unsigned slot = find_free_slot(cu);
    ww_slot_state *s = &cu->slots[slot];
    size_t bytes = cu->launch->code->register_count * sizeof(*s->ready_at);
    uint64_t *ready_at = s->ready_at ? s->ready_at : ww_calloc(1, bytes + 8);
    memset(ready_at, 0, bytes);
    *s = (ww_slot_state){.warp = warp,
                         .group = group,
                         .ready_at = ready_at,
                         .born = cycle,
                         .accounted_to = cycle,
                         .wait = WW_WAIT_COUNT};
    allocate_slot(cu, slot);
    group->slots |= 1ull << slot;
    if (cu->wiring.observers)
        ww_cu_notify_start(cu, slot, cycle);
    if (cu->criticality)
        ww_cu_predict_start(cu, slot, cycle);
    ww_cu_examine(cu, slot, cycle);
}

void ww_cu_add_group(ww_cu *cu, uint64_t number)
{
    const ww_cu_launch *l = cu->launch;
    const uint32_t *grid = l->launch->groups;
    ww_executor *x = l->executor;
    uint64_t cycle = ww_cu_cycle(cu) + 1;
    uint32_t id[3] = {(uint32_t)(number % grid[0]), (uint32_t)(number / grid[0] % grid[1]),
                      (uint32_t)(number / grid[0] / grid[1])};
    ww_cu_account(cu, cycle);
    ww_resident *group = free_resident(cu);
    if (!group->group)
        group->group = ww_group_create(x);
    group->used = true;
    group->slots = 0;
    ww_group_start(x, group->group, number, id);
    cu->registers_used += l->registers;
    cu->scalar_used += l->scalar_registers;
    cu->lds_used += l->lds_bytes;
    x->counters->groups++;
    x->counters->warps += group->group->warp_count;
    cu->wiring.counters->groups++;
    cu->wiring.counters->warps += group->group->warp_count;
    for (uint32_t i = 0; i < group->group->warp_count; i++)
        start_warp(cu, group, &group->group->warps[i], cycle);
    ww_cu_notify_schedulers(cu);
    ww_cu_wake(cu, cycle);
}

void ww_cu_release_slot(ww_cu *cu, unsigned slot, uint64_t cycle)
{
    ww_resident *group = cu->slots[slot].group;
    const ww_cu_launch *l = cu->launch;
    ww_cu_remove_from_masks(cu, slot);
    if (cu->wiring.observers)
        ww_cu_notify_end(cu, slot, cycle);
    if (cu->criticality)
        ww_cu_predict_end(cu, slot);
    ww_cu_account_slot(cu, slot, cycle);
    cu->config.scheduler->warp_ended(cu->scheduler_state[slot % cu->config.schedulers], slot);
    cu->present &= ~(1ull << slot);
    cu->present_count--;
    cu->needs_fetch &= ~(1ull << slot);
    cu->by_unit[cu->slots[slot].unit] &= ~(1ull << slot);
    cu->outside &= ~(1ull << slot);
    cu->memory_in_flight -= cu->slots[slot].loads + cu->slots[slot].stores;
    group->slots &= ~(1ull << slot);
    ww_cu_notify_schedulers(cu);
    if (group->slots)
        return;
    group->used = false;
    cu->registers_used -= l->registers;
    cu->scalar_used -= l->scalar_registers;
    cu->lds_used -= l->lds_bytes;
    cu->wiring.group_done(cu->wiring.context, cu->number);
}

uint64_t ww_cu_update_stats(ww_cu *cu)
{
    uint64_t cycle = ww_cu_cycle(cu);
    if (cycle < cu->accounted)
        cycle = cu->accounted;
    ww_cu_account(cu, cycle);
    for (uint64_t rest = cu->present; rest; rest &= rest - 1)
        ww_cu_account_slot(cu, (unsigned)__builtin_ctzll(rest), cycle);
    return cycle;
}

void ww_cu_watch_loops(ww_cu *cu)
{
    for (uint64_t rest = cu->present; rest; rest &= rest - 1)
        ww_warp_watch(cu->slots[__builtin_ctzll(rest)].warp);
}

bool ww_cu_only_loops(const ww_cu *cu, const ww_warp **shown)
{
    bool all = true;
    for (uint64_t rest = cu->present; rest; rest &= rest - 1) {
        const ww_warp *w = cu->slots[__builtin_ctzll(rest)].warp;
        all &= w->looping || !ww_warp_is_ready(w);
        *shown = ww_warp_to_show(*shown, w);
    }
    return all;
}

bool ww_cu_is_idle(const ww_cu *cu)
{
    return !cu->present && ww_load_store_is_idle(&cu->memory) &&
           ww_load_store_is_idle(&cu->scalar_memory);
}
