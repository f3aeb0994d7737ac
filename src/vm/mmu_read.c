/* Walks: they read one entry after the other, and answer with the leaf. */
#include "vm/mmu_internal.h"

static ww_tick now_of(const ww_mmu *mmu)
{
    return ww_engine_now(mmu->engine);
}

/* ---- the end of a walk ---- */

/* The TLB above runs in the same phase: it sees the answer in the next tick, in any order. `at`:
 * the address of the entry. */
static void answer(ww_mmu *mmu, const ww_walk *walk, uint64_t entry, uint64_t at)
{
    ww_tick now = now_of(mmu);
    mmu->counters.answered++;
    walk->translation->run =
        mmu->config.runs ? ww_page_table_run(ww_mmu_space_of(mmu, walk->address)->table, entry, at)
                         : (ww_page_run){0};
    mmu->counters.latency += now - walk->translation->missed;
    ww_walk_record_answer(walk->record, walk->reads, walk->translation->missed, now);
    ww_pte_answer(entry, walk->translation);
    ww_port_send(mmu->wiring.out, walk->translation, now + 1);
}

void ww_mmu_answer_waiting(ww_mmu *mmu, const ww_pte_line *line, ww_walk *walk, uint64_t entry)
{
    mmu->counters.merged++;
    walk->translation->started = now_of(mmu);
    answer(mmu, walk, entry, ww_pte_address(line->node, walk->address, line->level));
    ww_walk_cache_lookup(mmu->cache, walk->address, WW_LOOKUP_MERGED);
    ww_walk_buffer_remove(mmu->buffer, walk, false);
}

/* ---- reads ---- */

static uint64_t entry_address(const ww_walk_slot *slot)
{
    return ww_pte_address(slot->node, slot->walk.address, slot->level);
}

uint32_t ww_mmu_sectors_of(const ww_mmu *mmu, uint64_t address)
{
    const ww_mmu_config *c = &mmu->config;
    uint32_t offset = (uint32_t)address & (c->line - 1) & ~(WW_PTE_LINE - 1);
    uint32_t first = offset / c->sector;
    uint32_t last = (offset + WW_PTE_LINE - 1) / c->sector;
    uint32_t most = c->line / c->sector - 1;
    last = last < most ? last : most;
    return (uint32_t)((2ull << last) - (1ull << first));
}

/* Whether another walk, waiting or at a walker, uses the same line (MICRO 2018, section III). */
static bool is_shared(const ww_mmu *mmu, const ww_walk_slot *slot)
{
    unsigned level = slot->level;
    uint64_t number = ww_neighbourhood(slot->walk.address, level);
    for (uint32_t i = 0; i < mmu->slot_count; i++) {
        const ww_walk_slot *other = &mmu->slots[i];
        if (other != slot && other->level && ww_neighbourhood(other->walk.address, level) == number)
            return true;
    }
    return ww_walk_buffer_has(mmu->buffer, number, ww_level_shift(level) + 3);
}

static void count_read(ww_mmu *mmu, ww_walk_slot *slot)
{
    ww_walk_counters *c = &mmu->counters;
    uint64_t *by_level[] = {&c->pte_reads_1, &c->pte_reads_2, &c->pte_reads_3, &c->pte_reads_4};
    ++*by_level[slot->level - 1];
    c->pte_reads++;
    slot->walk.reads++;
    if (mmu->config.opportunity && is_shared(mmu, slot))
        ++*(slot->level == mmu->leaf_level ? &c->shared_leaf : &c->shared_upper);
}

static bool send_read(ww_mmu *mmu, ww_walk_slot *slot)
{
    const ww_mmu_wiring *w = &mmu->wiring;
    uint64_t address = entry_address(slot);
    uint64_t line = address & ~(uint64_t)(mmu->config.line - 1);
    ww_port *port = w->memory[w->route(w->route_context, line)];
    if (!ww_port_has_room(port)) {
        ww_port_wait(port, &mmu->task);
        return false;
    }
    ww_tick now = now_of(mmu);
    ww_request *r = ww_request_allocate(mmu->pool, now);
    r->address = line;
    r->sectors = ww_mmu_sectors_of(mmu, address);
    r->kind = WW_REQUEST_READ;
    r->class = WW_CLASS_PTE;
    r->source = w->source;
    r->owner = slot;
    ww_port_send(port, r, now + 1);
    count_read(mmu, slot);
    return true;
}

static void read_or_block(ww_mmu *mmu, ww_walk_slot *slot)
{
    if (!mmu->blocked && send_read(mmu, slot))
        return;
    slot->link = NULL;
    if (mmu->blocked)
        mmu->last_blocked->link = slot;
    else
        mmu->blocked = slot;
    mmu->last_blocked = slot;
}

/* From the PTE cache, or from memory. */
void ww_mmu_read_entry(ww_mmu *mmu, ww_walk_slot *slot)
{
    if (!mmu->config.pte_cache.entries)
        read_or_block(mmu, slot);
    else
        ww_port_send(&mmu->pte_cache_lookups, slot,
                     ww_clock_after(mmu->config.clock, now_of(mmu), mmu->config.pte_cache_latency));
}

typedef struct holder {
    ww_mmu *mmu;
    uint32_t walker;
} holder;

static void release(void *owner, ww_walk *walk)
{
    const holder *h = owner;
    if (walk->held && walk->holder == h->walker)
        ww_walk_buffer_release(h->mmu->buffer, walk);
}

/* The line that was read may be of a node that the table has no more. Walks that were held for it
 * may start. */
static void restart(ww_mmu *mmu, ww_walk_slot *slot)
{
    holder h = {mmu, ww_mmu_walker_of(mmu, slot)};
    ww_walk_buffer_each(mmu->buffer, ww_neighbourhood(slot->walk.address, slot->level),
                        ww_level_shift(slot->level) + 3, release, &h);
    slot->restart = false;
    slot->level = WW_LEVELS;
    slot->node = ww_mmu_space_of(mmu, slot->walk.address)->root;
    ww_mmu_slot_ready(mmu, slot);
}

/* The walk has the line of its entry. */
static void use_entry(ww_mmu *mmu, ww_walk_slot *slot)
{
    ww_mmu_slot_has_read(mmu, slot);
    if (slot->restart) {
        restart(mmu, slot);
        return;
    }
    const ww_mmu_space *space = ww_mmu_space_of(mmu, slot->walk.address);
    uint64_t entry = ww_page_table_read(space->table, entry_address(slot));
    if (mmu->config.merge->line_read) {
        ww_pte_line line = {ww_mmu_walker_of(mmu, slot), slot->level, slot->node,
                            slot->walk.address};
        mmu->config.merge->line_read(mmu->merge_state, mmu, &line);
    }
    uint64_t next = entry & WW_PTE_FRAME;
    if (!(entry & WW_PTE_PRESENT) || ww_pte_is_leaf(entry, slot->level)) {
        answer(mmu, &slot->walk, entry, entry_address(slot));
        ww_mmu_free_slot(mmu, slot);
        return;
    }
    ww_walk_cache_put(mmu->cache, slot->walk.address, slot->level, next);
    slot->node = next;
    slot->level--;
    ww_mmu_slot_ready(mmu, slot);
}

void ww_mmu_receive_replies(ww_mmu *mmu, ww_tick now)
{
    for (ww_request *r; (r = ww_port_peek(&mmu->replies)) != NULL;) {
        ww_walk_slot *slot = r->owner;
        ww_port_pop(&mmu->replies);
        mmu->counters.reading += now - r->made;
        ww_request_free(mmu->pool, r);
        if (mmu->config.pte_cache.entries && !slot->restart)
            ww_lru_put(&mmu->lines, entry_address(slot) / WW_PTE_LINE, 0);
        use_entry(mmu, slot);
    }
}

void ww_mmu_finish_pte_cache_lookups(ww_mmu *mmu)
{
    for (ww_walk_slot *slot; (slot = ww_port_peek(&mmu->pte_cache_lookups)) != NULL;) {
        uint64_t unused;
        ww_port_pop(&mmu->pte_cache_lookups);
        if (!ww_lru_find(&mmu->lines, entry_address(slot) / WW_PTE_LINE, &unused)) {
            read_or_block(mmu, slot);
            continue;
        }
        mmu->counters.pte_cache_hits++;
        use_entry(mmu, slot);
    }
}

void ww_mmu_retry_blocked(ww_mmu *mmu)
{
    while (mmu->blocked) {
        ww_walk_slot *slot = mmu->blocked;
        if (!send_read(mmu, slot))
            return;
        mmu->blocked = slot->link;
    }
}
