#include "core/core.h"

#include "core/core_internal.h"

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
    if (!cu->residency.present)
        return;
    fprintf(out, "compute unit %u: %d warps, %d can issue", cu->number,
            __builtin_popcountll(cu->residency.present), __builtin_popcountll(cu->issue.ready));
    static const char *const names[WW_WAIT_COUNT] = {
        [WW_WAIT_SYNCHRONISATION] = "synchronisation",
        [WW_WAIT_FETCH] = "fetch",
        [WW_WAIT_CONTROL] = "control",
        [WW_WAIT_OPERAND] = "operands",
        [WW_WAIT_LOAD] = "loads",
    };
    for (unsigned w = 0; w < WW_WAIT_COUNT; w++)
        if (cu->issue.waiting[w])
            fprintf(out, ", %d wait for %s", __builtin_popcountll(cu->issue.waiting[w]), names[w]);
    fputc('\n', out);
}

/* ---- creation ---- */

ww_cu *ww_cu_create(unsigned number, const ww_cu_config *config, const ww_cu_wiring *wiring)
{
    ww_cu *cu = ww_calloc_rows(sizeof(*cu));
    cu->number = number;
    cu->config = *config;
    cu->wiring = *wiring;
    cu->wiring.start.slots = config->slots;
    ww_task_init(wiring->engine, &cu->task, WW_PHASE_ISSUE, ww_cu_tick, cu);
    ww_residency_create(cu);
    ww_disparity_create(cu);
    ww_front_end_create(cu);
    ww_issue_create(cu);
    ww_predictor_create(cu);
    ww_units_create(&cu->units, config->schedulers);
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
    ww_load_store_destroy(&cu->memory);
    ww_load_store_destroy(&cu->scalar_memory);
    for (unsigned i = 0; i < WW_MOST_SLOTS; i++)
        ww_scoreboard_destroy(&cu->slots[i].scoreboard);
    ww_predictor_destroy(cu);
    ww_issue_destroy(cu);
    ww_front_end_destroy(cu);
    ww_disparity_destroy(cu);
    ww_residency_destroy(cu);
    free(cu);
}

ww_port *ww_cu_data_replies(ww_cu *cu)
{
    return &cu->memory.replies;
}

ww_port *ww_cu_instruction_replies(ww_cu *cu)
{
    return &cu->front_end.replies;
}

ww_port *ww_cu_scalar_replies(ww_cu *cu)
{
    return &cu->scalar_memory.replies;
}

ww_port *ww_cu_data_translations(ww_cu *cu)
{
    return &cu->memory.translator.answers;
}

ww_port *ww_cu_scalar_translations(ww_cu *cu)
{
    return &cu->scalar_memory.translator.answers;
}

ww_task *ww_cu_task(ww_cu *cu)
{
    return &cu->task;
}

bool ww_cu_replay(ww_cu *cu, uint16_t asid, uint64_t page)
{
    bool vector = ww_park_replay(&cu->memory, asid, page);
    bool scalar = ww_park_replay(&cu->scalar_memory, asid, page);
    return vector || scalar;
}

/* A compute unit that has run ahead met no memory instruction until then. */
void ww_cu_block(ww_cu *cu, bool blocked)
{
    uint64_t cycle = ww_cu_cycle(cu);
    ww_load_store_block(&cu->memory, blocked);
    ww_load_store_block(&cu->scalar_memory, blocked);
    ww_cu_wake(cu, cycle < cu->issued_before ? cu->issued_before : cycle);
}

unsigned ww_cu_invalidate(ww_cu *cu, const ww_invalidation *what)
{
    return ww_translate_invalidate(&cu->memory, what) +
           ww_translate_invalidate(&cu->scalar_memory, what);
}

uint64_t ww_cu_requests_in_flight(const ww_cu *cu)
{
    return cu->memory.in_flight + cu->scalar_memory.in_flight;
}

static bool is_quiet(const ww_load_store *unit)
{
    return !unit->count && !unit->in_flight && !ww_park_count(unit);
}

bool ww_cu_is_quiet(const ww_cu *cu)
{
    return is_quiet(&cu->memory) && is_quiet(&cu->scalar_memory);
}

unsigned ww_cu_warps(const ww_cu *cu)
{
    return (unsigned)cu->residency.warp_count;
}

ww_tick ww_cu_last_reply(const ww_cu *cu)
{
    return cu->memory.last_reply;
}

/* ---- counters ---- */

const ww_cu_counters *ww_cu_count(const ww_cu *cu)
{
    return &cu->counters;
}

uint64_t ww_cu_update_stats(ww_cu *cu)
{
    uint64_t cycle = ww_cu_cycle(cu);
    if (cycle < cu->attribution.accounted)
        cycle = cu->attribution.accounted;
    ww_attribution_advance(cu, cycle);
    ww_residency_count(cu, cycle);
    for (uint64_t rest = cu->residency.present; rest; rest &= rest - 1)
        ww_attribution_count(cu, (unsigned)__builtin_ctzll(rest), cycle);
    return cycle;
}

void ww_cu_watch_loops(ww_cu *cu)
{
    for (uint64_t rest = cu->residency.present; rest; rest &= rest - 1)
        ww_warp_watch(cu->slots[__builtin_ctzll(rest)].stream.warp);
}

bool ww_cu_only_loops(const ww_cu *cu, const ww_warp **shown)
{
    bool all = true;
    for (uint64_t rest = cu->residency.present; rest; rest &= rest - 1) {
        const ww_warp *w = cu->slots[__builtin_ctzll(rest)].stream.warp;
        all &= w->looping || !ww_warp_is_ready(w);
        *shown = ww_warp_to_show(*shown, w);
    }
    return all;
}

bool ww_cu_is_idle(const ww_cu *cu)
{
    return !cu->residency.present && ww_load_store_is_idle(&cu->memory) &&
           ww_load_store_is_idle(&cu->scalar_memory);
}
