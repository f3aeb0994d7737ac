#include "mem/dram.h"

#include "base/memory.h"
#include "mem/dram_internal.h"

static void run_cycle(ww_dram *dram, uint64_t cycle, ww_tick now)
{
    ww_dram_catch_up(dram, cycle);
    ww_dram_accept_arrivals(dram, cycle, now);
    if (!dram->planned || dram->plan.command.cycle == cycle)
        ww_dram_issue_commands(dram, cycle, cycle + 1);
    dram->wake_cycle = ww_dram_first_observable(dram);
    dram->wake =
        dram->wake_cycle == WW_DRAM_NEVER ? WW_NEVER : ww_dram_edge(dram, dram->wake_cycle);
}

static void run(void *owner)
{
    ww_dram *dram = owner;
    ww_tick now = ww_engine_now(dram->w.engine);
    bool expected = dram->wake == now;
    uint64_t cycle = expected ? dram->wake_cycle : ww_clock_cycle(dram->c.clock, now);
    ww_dram_send_held(dram, now);
    if (expected || ww_dram_edge(dram, cycle) == now)
        run_cycle(dram, cycle, now);
    ww_tick arrival = ww_dram_arrival_time(dram, cycle, now);
    ww_tick wake = arrival < dram->wake ? arrival : dram->wake;
    ww_dram_note_blame(dram, now);
    if (wake != WW_NEVER)
        ww_wake(dram->w.engine, &dram->task, wake);
}

static void explain(const void *owner, FILE *out)
{
    const ww_dram *dram = owner;
    const uint32_t *count = dram->queue.count;
    if (!count[WW_DRAM_READ] && !count[WW_DRAM_WRITE] && !dram->held_reads)
        return;
    fprintf(out, "DRAM channel %u: %u reads and %u writes wait, %u replies find no room above\n",
            dram->w.index, count[WW_DRAM_READ], count[WW_DRAM_WRITE], dram->held_reads);
}

uint32_t ww_dram_flight(const ww_dram_config *config)
{
    const ww_dram_timing *t = &config->type.timing;
    return (t->cl + t->burst + config->latency) / t->burst + 1;
}

ww_dram *ww_dram_create(const ww_dram_config *config, const ww_dram_wiring *wiring)
{
    ww_dram *dram = ww_calloc(1, sizeof(*dram));
    dram->c = *config;
    dram->w = *wiring;
    dram->planned = true;
    dram->wake = WW_NEVER;
    dram->plan.command.cycle = WW_DRAM_NEVER;
    dram->burst_bytes = ww_dram_burst_bytes(&config->type);
    dram->burst_ticks = (uint32_t)ww_clock_edge(config->clock, config->type.timing.burst);
    dram->blame.cause = WW_CAUSE_DRAM_LATENCY;
    wiring->in->blame = &dram->blame;
    ww_dram_device_init(&dram->device, &config->type);
    ww_dram_queue_init(&dram->queue, config->read_entries + config->write_entries);
    dram->c.start.banks = dram->device.banks * dram->device.ranks;
    dram->c.start.entries = config->read_entries;
    dram->policy_state = ww_policy_create(&config->scheduler->policy, &dram->c.start);
    for (unsigned direction = 0; direction < 2; direction++)
        dram->next[direction] =
            (ww_dram_next){.queue = &dram->queue,
                           .device = &dram->device,
                           .direction = direction,
                           .ranked = config->scheduler->rank != NULL,
                           .age_cap = config->scheduler->age_cap(dram->policy_state)};
    dram->served = &dram->next[WW_DRAM_READ];
    ww_task_init(wiring->engine, &dram->task, WW_PHASE_DRAM, run, dram);
    ww_port_connect(wiring->in, &dram->task);
    ww_port_pace(wiring->in, &dram->c.clock);
    ww_engine_add_explainer(wiring->engine, explain, dram);
    return dram;
}

void ww_dram_destroy(ww_dram *dram)
{
    if (!dram)
        return;
    ww_dram_queue_clear(&dram->queue);
    ww_policy_destroy(&dram->c.scheduler->policy, &dram->c.start, dram->policy_state);
    free(dram);
}

/* ---- statistics ---- */

void ww_dram_update_stats(ww_dram *dram, ww_tick elapsed)
{
    ww_tick now = ww_engine_now(dram->w.engine);
    uint64_t cycle = ww_clock_cycle(dram->c.clock, now);
    ww_dram_catch_up(dram, ww_dram_edge(dram, cycle) < now ? cycle + 1 : cycle);
    if (ww_dram_is_idle(dram))
        ww_dram_issue_idle_refreshes(dram, cycle);
    ww_dram_count(&dram->counters, &dram->tally, &dram->c.type);
    dram->counters.cycles = ww_clock_cycle(dram->c.clock, elapsed);
}

uint64_t ww_dram_bytes(const ww_dram *dram)
{
    const uint64_t *commands = dram->tally.commands;
    return (commands[WW_DRAM_READ] + commands[WW_DRAM_WRITE]) * dram->burst_bytes;
}

const ww_dram_counters *ww_dram_get_counters(const ww_dram *dram)
{
    return &dram->counters;
}
