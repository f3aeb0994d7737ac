/* The stages of a translation wavefront (cuPTW, sections 5.2 and 6). */
#include "vm/cuptw/cu_walker_internal.h"

#include <assert.h>

ww_wavefront_stage ww_wavefront_first_stage(const ww_cu_walker *w)
{
    return w->config.goes_first ? WW_WAVEFRONT_FETCH
           : w->caches          ? WW_WAVEFRONT_LOOKUP
                                : WW_WAVEFRONT_OFFSET;
}

/* ---- answers ---- */

/* Pages beside the thread's own that its last entry is for. */
static ww_page_run run_of(const ww_cu_walker *w, const ww_walk_thread *thread)
{
    const ww_cu_walker_wiring *wiring = &w->wiring;
    if (!wiring->run)
        return (ww_page_run){0};
    return wiring->run(wiring->context, thread->translation->instruction.asid, thread->entry,
                       ww_pte_address(thread->node, thread->address, thread->level));
}

static ww_tick arrival_of(const ww_cu_walker *w, ww_tick now)
{
    uint32_t cycles = w->config.answer_latency;
    return cycles ? ww_clock_after(w->config.clock, now, cycles) : now + 1;
}

/* The thread's translation goes back to where it came from, with the entry that was read last. */
static void answer(ww_cu_walker *w, ww_wavefront *wave, unsigned n)
{
    ww_walk_thread *thread = &wave->threads[n];
    ww_translation *t = thread->translation;
    ww_tick now = ww_engine_now(w->wiring.engine);
    ww_pte_answer(thread->entry, t);
    t->run = run_of(w, thread);
    t->past_l1 = w->config.nvidia && w->wiring.keep;
    t->level = 0;
    w->counters.walks++;
    w->counters.faults += t->status == WW_FAR_FAULT;
    w->counters.latency += now - t->missed;
    w->counters.waiting += t->started - t->missed;
    if (w->wiring.keep && t->status != WW_FAR_FAULT)
        w->wiring.keep(w->wiring.context, ww_translation_key(t), thread->entry, t->run);
    ww_port_send(w->wiring.answers_of(w->wiring.context, t), t, arrival_of(w, now));
    wave->active &= ~(1ull << n);
    wave->working &= ~(1ull << n);
    w->walking--;
}

/* Walks whose pages were invalidated begin again. */
static void restart(ww_cu_walker *w, ww_wavefront *wave)
{
    for (uint64_t rest = wave->active; rest; rest &= rest - 1) {
        unsigned n = (unsigned)__builtin_ctzll(rest);
        ww_walk_thread *thread = &wave->threads[n];
        if (!thread->restart)
            continue;
        thread->restart = false;
        thread->upper = 0;
        thread->level = WW_LEVELS;
        thread->node = w->wiring.root(w->wiring.context, thread->translation->instruction.asid);
        wave->working |= 1ull << n;
        w->counters.restarts++;
    }
}

/* ---- memory ---- */

static uint64_t entry_address(const ww_walk_thread *thread)
{
    return ww_pte_address(thread->node, thread->address, thread->level);
}

static void count_read(ww_cu_walker *w, const ww_walk_thread *thread, bool coalesced)
{
    ww_cuptw_counters *c = &w->counters;
    uint64_t *reads[] = {&c->pte_reads_1, &c->pte_reads_2, &c->pte_reads_3, &c->pte_reads_4};
    uint64_t *shared[] = {&c->coalesced_1, &c->coalesced_2, &c->coalesced_3, &c->coalesced_4};
    c->pte_reads++;
    ++*reads[thread->level - 1];
    *shared[thread->level - 1] += coalesced;
}

static uint64_t line_of(const ww_cu_walker *w, const ww_walk_thread *thread)
{
    return entry_address(thread) / w->config.line;
}

/* Of these threads, those that read from the same line as thread n. */
static uint64_t with_line(const ww_cu_walker *w, const ww_wavefront *wave, unsigned n,
                          uint64_t these)
{
    uint64_t line = line_of(w, &wave->threads[n]), found = 0;
    for (; these; these &= these - 1) {
        unsigned i = (unsigned)__builtin_ctzll(these);
        if (line_of(w, &wave->threads[i]) == line)
            found |= 1ull << i;
    }
    return found;
}

/* The request of thread n also reads the entries of the others, all of one line. */
static void send_read(ww_cu_walker *w, ww_wavefront *wave, unsigned n, uint64_t all)
{
    ww_tick now = ww_engine_now(w->wiring.engine);
    uint64_t line = line_of(w, &wave->threads[n]) * w->config.line;
    ww_request *r = ww_request_allocate(w->wiring.pool, now);
    r->made = r->since = now;
    r->address = line;
    r->sectors = 0;
    for (uint64_t rest = all; rest; rest &= rest - 1) {
        ww_walk_thread *thread = &wave->threads[__builtin_ctzll(rest)];
        r->sectors |= 1u << (entry_address(thread) - line) / w->config.sector;
        thread->reader = (uint8_t)n;
    }
    r->kind = WW_REQUEST_READ;
    r->class = WW_CLASS_PTE;
    r->source = w->wiring.source;
    r->owner = &wave->threads[n];
    r->warp = (uint32_t)w->wiring.sharer << 8;
    ww_port_send(w->wiring.memory, r, now + 1);
}

void ww_wavefront_send(ww_cu_walker *w)
{
    ww_wavefront *wave = w->sending;
    if (!ww_port_has_room(w->wiring.memory)) {
        ww_port_wait(w->wiring.memory, w->wiring.task);
        return;
    }
    unsigned n = (unsigned)__builtin_ctzll(wave->unsent);
    uint64_t first = 1ull << n;
    uint64_t all = w->config.coalesces ? with_line(w, wave, n, wave->unsent) : first;
    send_read(w, wave, n, all);
    wave->unsent &= ~all;
    wave->sent |= all;
    if (!wave->unsent)
        w->sending = NULL;
}

/* All replies have come. */
static void end_round(ww_cu_walker *w, ww_wavefront *wave, uint64_t cycle)
{
    bool update = false;
    for (uint64_t rest = wave->reading & wave->active; rest; rest &= rest - 1)
        update |= wave->threads[__builtin_ctzll(rest)].upper != 0;
    bool caches = w->caches || w->wiring.keep_node;
    wave->stage = update && caches ? WW_WAVEFRONT_UPDATE : WW_WAVEFRONT_CHECK;
    wave->eligible = cycle;
}

static void use_entry(ww_cu_walker *w, ww_wavefront *wave, unsigned n)
{
    ww_walk_thread *thread = &wave->threads[n];
    uint16_t asid = thread->translation->instruction.asid;
    wave->sent &= ~(1ull << n);
    thread->upper = 0;
    if (thread->restart)
        return;
    thread->entry = w->wiring.read(w->wiring.context, asid, entry_address(thread));
    if (!(thread->entry & WW_PTE_PRESENT)) {
        answer(w, wave, n);
    } else if (thread->level > w->leaf_level) {
        thread->upper = thread->level--;
        thread->node = thread->entry & WW_PTE_FRAME;
    }
}

void ww_wavefront_receive(ww_cu_walker *w, ww_wavefront *wave, unsigned reader, uint64_t cycle)
{
    assert(wave->sent >> reader & 1);
    for (uint64_t rest = wave->sent; rest; rest &= rest - 1) {
        unsigned n = (unsigned)__builtin_ctzll(rest);
        if (wave->threads[n].reader == reader)
            use_entry(w, wave, n);
    }
    if (!wave->unsent && !wave->sent)
        end_round(w, wave, cycle);
}

/* ---- stages; each returns for how many cycles its unit is busy ---- */

/* Cycles that bank conflicts add, and the passes of the access. */
static unsigned conflicts(ww_cu_walker *w, const ww_lds_access *access, unsigned *passes)
{
    *passes = ww_lds_walk_cache_rows(w->cache, access);
    unsigned cycles = (*passes - 1) * w->config.conflict;
    w->counters.conflicts += cycles;
    return cycles;
}

static unsigned use_lds(ww_cu_walker *w, ww_wavefront *wave, const ww_lds_access *access,
                        uint64_t cycle)
{
    const ww_stage_timing *timing = &w->config.stages[wave->stage];
    unsigned passes, more = conflicts(w, access, &passes);
    wave->eligible = cycle + timing->latency + more;
    return passes > timing->interval ? passes : timing->interval;
}

static void count_hit(ww_cu_walker *w, unsigned level)
{
    ww_cuptw_counters *c = &w->counters;
    uint64_t *hits[] = {&c->cache_hits_2, &c->cache_hits_3, &c->cache_hits_4, &c->cache_misses};
    c->cache_lookups++;
    ++*hits[level - 1];
}

static unsigned look_up(ww_cu_walker *w, ww_wavefront *wave, uint64_t cycle)
{
    ww_lds_access access = {.count = 0};
    uint8_t all = 0;
    for (unsigned level = w->leaf_level + 1; level <= WW_LEVELS; level++)
        all = (uint8_t)(all | 1u << level);
    for (uint64_t rest = wave->working; rest; rest &= rest - 1) {
        ww_walk_thread *thread = &wave->threads[__builtin_ctzll(rest)];
        uint16_t asid = thread->translation->instruction.asid;
        thread->level =
            (uint8_t)ww_lds_walk_cache_find(w->cache, asid, thread->address, &thread->node);
        count_hit(w, thread->level);
        access.levels[access.count] = all;
        access.address[access.count++] = thread->address;
    }
    unsigned busy = use_lds(w, wave, &access, cycle);
    wave->stage = WW_WAVEFRONT_OFFSET;
    return busy;
}

static unsigned compute_offsets(ww_cu_walker *w, ww_wavefront *wave, uint64_t cycle)
{
    const ww_stage_timing *timing = &w->config.stages[WW_WAVEFRONT_OFFSET];
    wave->reading = wave->working;
    for (uint64_t rest = wave->reading; rest; rest &= rest - 1) {
        unsigned n = (unsigned)__builtin_ctzll(rest);
        if (wave->threads[n].level == w->leaf_level)
            wave->working &= ~(1ull << n);
    }
    wave->stage = WW_WAVEFRONT_MEMORY;
    wave->eligible = cycle + timing->latency;
    return timing->interval;
}

/* A stage whose only effect is that the next one follows. */
static unsigned pass(ww_cu_walker *w, ww_wavefront *wave, ww_wavefront_stage next, uint64_t cycle)
{
    const ww_stage_timing *timing = &w->config.stages[wave->stage];
    wave->stage = (uint8_t)next;
    wave->eligible = cycle + timing->latency;
    return timing->interval;
}

/* Requests of the threads. */
static unsigned request_count(const ww_cu_walker *w, const ww_wavefront *wave)
{
    unsigned count = 0;
    uint64_t rest = wave->reading;
    if (!w->config.coalesces)
        return (unsigned)__builtin_popcountll(rest);
    for (; rest; count++)
        rest &= ~with_line(w, wave, (unsigned)__builtin_ctzll(rest), rest);
    return count;
}

/* Replies of the first threads may come before the last have sent: all are counted before. */
static unsigned request_entries(ww_cu_walker *w, ww_wavefront *wave)
{
    unsigned count = request_count(w, wave);
    for (uint64_t rest = wave->reading; rest; rest &= rest - 1) {
        unsigned n = (unsigned)__builtin_ctzll(rest);
        uint64_t before = wave->reading & ((1ull << n) - 1);
        count_read(w, &wave->threads[n], with_line(w, wave, n, before) != 0);
    }
    wave->unsent = wave->reading;
    wave->eligible = WW_NEVER;
    w->sending = wave;
    ww_wavefront_send(w);
    return w->config.stages[WW_WAVEFRONT_MEMORY].interval * count;
}

/* Entries go to the walkers' cache. */
static unsigned keep_nodes(ww_cu_walker *w, ww_wavefront *wave, uint64_t cycle)
{
    for (uint64_t rest = wave->reading & wave->active; rest; rest &= rest - 1) {
        const ww_walk_thread *thread = &wave->threads[__builtin_ctzll(rest)];
        if (!thread->upper || thread->restart)
            continue;
        w->wiring.keep_node(w->wiring.context, thread->translation, thread->upper, thread->node);
        w->counters.cache_writes++;
    }
    return pass(w, wave, WW_WAVEFRONT_CHECK, cycle);
}

static unsigned update_cache(ww_cu_walker *w, ww_wavefront *wave, uint64_t cycle)
{
    if (w->wiring.keep_node)
        return keep_nodes(w, wave, cycle);
    ww_lds_access access = {.count = 0};
    for (uint64_t rest = wave->reading & wave->active; rest; rest &= rest - 1) {
        const ww_walk_thread *thread = &wave->threads[__builtin_ctzll(rest)];
        if (!thread->upper || thread->restart)
            continue;
        ww_lds_walk_cache_put(w->cache, thread->translation->instruction.asid, thread->address,
                              thread->upper, thread->node);
        w->counters.cache_writes++;
        access.levels[access.count] = (uint8_t)(1u << thread->upper);
        access.address[access.count++] = thread->address;
    }
    unsigned busy = use_lds(w, wave, &access, cycle);
    wave->stage = WW_WAVEFRONT_CHECK;
    return busy;
}

static unsigned check(ww_cu_walker *w, ww_wavefront *wave, uint64_t cycle)
{
    const ww_stage_timing *timing = &w->config.stages[WW_WAVEFRONT_CHECK];
    restart(w, wave);
    bool some = w->config.answers_each && wave->active & ~wave->working;
    wave->stage = some || !wave->working ? WW_WAVEFRONT_DONE : WW_WAVEFRONT_OFFSET;
    wave->eligible = cycle + timing->latency;
    return timing->interval;
}

static unsigned finish(ww_cu_walker *w, ww_wavefront *wave, uint64_t cycle)
{
    const ww_stage_timing *timing = &w->config.stages[WW_WAVEFRONT_DONE];
    restart(w, wave);
    for (uint64_t rest = wave->active & ~wave->working; rest; rest &= rest - 1)
        answer(w, wave, (unsigned)__builtin_ctzll(rest));
    wave->stage = WW_WAVEFRONT_OFFSET;
    wave->eligible = cycle + timing->latency;
    return timing->interval;
}

static void count_use(ww_cu_walker *w, ww_walk_unit unit, unsigned busy)
{
    ww_cuptw_counters *c = &w->counters;
    uint64_t *counts[WW_WALK_UNITS][2] = {[WW_WALK_SIMD] = {&c->simd_issues, &c->simd_busy},
                                          [WW_WALK_SCALAR] = {&c->scalar_issues, &c->scalar_busy},
                                          [WW_WALK_BRANCH] = {&c->branch_issues, &c->branch_busy},
                                          [WW_WALK_LDS] = {&c->lds_issues, &c->lds_busy},
                                          [WW_WALK_MEMORY] = {&c->memory_issues, &c->memory_busy}};
    ++*counts[unit][0];
    *counts[unit][1] += busy;
}

static unsigned run_stage(ww_cu_walker *w, ww_wavefront *wave, uint64_t cycle)
{
    switch (wave->stage) {
    case WW_WAVEFRONT_FETCH: return pass(w, wave, WW_WAVEFRONT_DECODE, cycle);
    case WW_WAVEFRONT_DECODE: return pass(w, wave, WW_WAVEFRONT_OFFSET, cycle);
    case WW_WAVEFRONT_LOOKUP: return look_up(w, wave, cycle);
    case WW_WAVEFRONT_OFFSET: return compute_offsets(w, wave, cycle);
    case WW_WAVEFRONT_MEMORY: return request_entries(w, wave);
    case WW_WAVEFRONT_UPDATE: return update_cache(w, wave, cycle);
    case WW_WAVEFRONT_CHECK: return check(w, wave, cycle);
    default: return finish(w, wave, cycle);
    }
}

unsigned ww_cu_walker_issue(ww_cu_walker *w, unsigned scheduler, uint64_t cycle)
{
    ww_wavefront *wave = &w->wavefronts[scheduler];
    const ww_stage_timing *stage = &w->config.stages[wave->stage];
    if (wave->filling) {
        w->counters.wavefronts++;
        w->counters.timeouts += wave->filled < w->config.threads && !w->config.goes_first;
        wave->filling = false;
    }
    bool last = ++wave->issued >= stage->instructions;
    unsigned busy = last ? run_stage(w, wave, cycle) : stage->interval;
    if (last)
        wave->issued = 0;
    else
        wave->eligible = cycle + stage->latency;
    count_use(w, stage->unit, busy);
    return busy;
}
