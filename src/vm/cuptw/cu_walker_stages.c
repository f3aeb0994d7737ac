/* The stages of a translation wavefront (cuPTW, sections 5.2 and 6). */
#include "vm/cuptw/cu_walker_internal.h"

#include <assert.h>

ww_wavefront_stage ww_wavefront_first_stage(const ww_cu_walker *w)
{
    return w->caches ? WW_WAVEFRONT_LOOKUP : WW_WAVEFRONT_OFFSET;
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

/* The thread's translation goes back to its L1 TLB, with the entry that was read last. */
static void answer(ww_cu_walker *w, ww_wavefront *wave, unsigned n)
{
    ww_walk_thread *thread = &wave->threads[n];
    ww_translation *t = thread->translation;
    ww_tick now = ww_engine_now(w->wiring.engine);
    ww_pte_answer(thread->entry, t);
    t->run = run_of(w, thread);
    t->past_l1 = w->config.nvidia;
    w->counters.walks++;
    w->counters.faults += t->status == WW_FAR_FAULT;
    w->counters.latency += now - t->missed;
    if (t->status != WW_FAR_FAULT)
        w->wiring.keep(w->wiring.context, ww_translation_key(t), thread->entry, t->run);
    ww_port_send(w->wiring.answers_of(w->wiring.context, t), t, now + 1);
    wave->active &= ~(1ull << n);
    wave->working &= ~(1ull << n);
    w->walking--;
}

/* Walks whose pages were invalidated begin again. True: there are any. */
static bool restart(ww_cu_walker *w, ww_wavefront *wave)
{
    bool any = false;
    for (uint64_t rest = wave->active; rest; rest &= rest - 1) {
        unsigned n = (unsigned)__builtin_ctzll(rest);
        ww_walk_thread *thread = &wave->threads[n];
        if (!thread->restart)
            continue;
        any = true;
        thread->restart = false;
        thread->upper = 0;
        thread->level = WW_LEVELS;
        thread->node = w->wiring.root(w->wiring.context, thread->translation->instruction.asid);
        wave->working |= 1ull << n;
        w->counters.restarts++;
    }
    return any;
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

/* Whether a thread before this one reads from the same line. */
static bool is_coalesced(const ww_cu_walker *w, const ww_wavefront *wave, unsigned n)
{
    uint64_t line = entry_address(&wave->threads[n]) / w->config.line;
    for (uint64_t rest = wave->reading & ((1ull << n) - 1); rest; rest &= rest - 1)
        if (entry_address(&wave->threads[__builtin_ctzll(rest)]) / w->config.line == line)
            return true;
    return false;
}

static void send_read(ww_cu_walker *w, ww_wavefront *wave, unsigned n)
{
    ww_tick now = ww_engine_now(w->wiring.engine);
    uint64_t address = entry_address(&wave->threads[n]);
    uint64_t line = address & ~(uint64_t)(w->config.line - 1);
    ww_request *r = ww_request_allocate(w->wiring.pool, now);
    r->made = r->since = now;
    r->address = line;
    r->sectors = 1u << (address - line) / w->config.sector;
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
    send_read(w, wave, n);
    wave->unsent &= ~(1ull << n);
    wave->sent |= 1ull << n;
    if (!wave->unsent)
        w->sending = NULL;
}

/* All replies have come. */
static void end_round(ww_cu_walker *w, ww_wavefront *wave, uint64_t cycle)
{
    bool update = false;
    for (uint64_t rest = wave->reading & wave->active; rest; rest &= rest - 1)
        update |= wave->threads[__builtin_ctzll(rest)].upper != 0;
    wave->stage = update && w->caches ? WW_WAVEFRONT_UPDATE : WW_WAVEFRONT_CHECK;
    wave->eligible = cycle;
}

void ww_wavefront_receive(ww_cu_walker *w, ww_wavefront *wave, unsigned n, uint64_t cycle)
{
    ww_walk_thread *thread = &wave->threads[n];
    uint16_t asid = thread->translation->instruction.asid;
    assert(wave->sent >> n & 1);
    wave->sent &= ~(1ull << n);
    thread->upper = 0;
    if (!thread->restart) {
        thread->entry = w->wiring.read(w->wiring.context, asid, entry_address(thread));
        if (!(thread->entry & WW_PTE_PRESENT)) {
            answer(w, wave, n);
        } else if (thread->level > w->leaf_level) {
            thread->upper = thread->level--;
            thread->node = thread->entry & WW_PTE_FRAME;
        }
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

/* Replies of the first threads may come before the last have sent: all are counted before. */
static unsigned request_entries(ww_cu_walker *w, ww_wavefront *wave)
{
    for (uint64_t rest = wave->reading; rest; rest &= rest - 1) {
        unsigned n = (unsigned)__builtin_ctzll(rest);
        count_read(w, &wave->threads[n], is_coalesced(w, wave, n));
    }
    wave->unsent = wave->reading;
    wave->eligible = WW_NEVER;
    w->sending = wave;
    ww_wavefront_send(w);
    return w->config.stages[WW_WAVEFRONT_MEMORY].interval *
           (unsigned)__builtin_popcountll(wave->reading);
}

static unsigned update_cache(ww_cu_walker *w, ww_wavefront *wave, uint64_t cycle)
{
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

static void count_use(ww_cu_walker *w, ww_wavefront_stage stage, unsigned busy)
{
    ww_cuptw_counters *c = &w->counters;
    bool nvidia = w->config.nvidia;
    uint64_t *issues, *cycles;
    switch (stage) {
    case WW_WAVEFRONT_LOOKUP:
    case WW_WAVEFRONT_UPDATE: issues = &c->lds_issues, cycles = &c->lds_busy; break;
    case WW_WAVEFRONT_OFFSET: issues = &c->simd_issues, cycles = &c->simd_busy; break;
    case WW_WAVEFRONT_MEMORY:
        issues = nvidia ? &c->memory_issues : &c->scalar_issues;
        cycles = nvidia ? &c->memory_busy : &c->scalar_busy;
        break;
    case WW_WAVEFRONT_CHECK:
        issues = nvidia ? &c->simd_issues : &c->branch_issues;
        cycles = nvidia ? &c->simd_busy : &c->branch_busy;
        break;
    default: issues = &c->memory_issues, cycles = &c->memory_busy; break;
    }
    ++*issues;
    *cycles += busy;
}

static unsigned run_stage(ww_cu_walker *w, ww_wavefront *wave, uint64_t cycle)
{
    switch (wave->stage) {
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
    ww_wavefront_stage stage = (ww_wavefront_stage)wave->stage;
    if (wave->filling) {
        w->counters.wavefronts++;
        w->counters.timeouts += wave->filled < w->config.threads;
        wave->filling = false;
    }
    unsigned busy = run_stage(w, wave, cycle);
    count_use(w, stage, busy);
    return busy;
}
