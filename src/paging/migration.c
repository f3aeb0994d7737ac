#include "paging/migration_internal.h"

#include <assert.h>

/* ---- moves ---- */

uint32_t ww_piece_count(const ww_migration *m)
{
    return (uint32_t)(m->config.page_bytes / WW_PIECE_BYTES);
}

/* Its address in the GPU's memory. */
uint64_t ww_piece_address(const ww_migration *m, const ww_piece *it)
{
    const ww_paging_memory *memory = &m->wiring.memory;
    return memory->frame(memory->context, ww_migration_page(m, it->move->record)) +
           (uint64_t)(it - it->move->pieces) * WW_PIECE_BYTES;
}

void ww_piece_send(ww_migration *m, ww_piece *it, ww_pcie_direction direction,
                   void (*done)(void *owner))
{
    it->transfer =
        (ww_transfer){.bytes = WW_PIECE_BYTES, .direction = direction, .done = done, .owner = it};
    ww_pcie_send(m->wiring.pcie, &it->transfer, false);
}

ww_move *ww_move_take(ww_migration *m, ww_page_record *record)
{
    ww_move *it = m->free;
    if (it) {
        m->free = it->next;
    } else {
        it = ww_calloc(1, sizeof(*it));
        it->pieces = ww_calloc(ww_piece_count(m), sizeof(*it->pieces));
        ww_vec_push(&m->all_moves, it);
    }
    *it = (ww_move){.pieces = it->pieces, .left = ww_piece_count(m), .owner = m, .record = record};
    return it;
}

void ww_move_free(ww_migration *m, ww_move *it)
{
    it->next = m->free;
    m->free = it;
}

/* ---- memory ---- */

/* False: the page has to wait until another one has left. */
static bool take_memory(ww_migration *m, ww_page_block *block)
{
    if (ww_migration_has_chunks(m) && block->has_chunk)
        return !block->evicting;
    if (m->used >= m->capacity)
        return false;
    m->used++;
    block->has_chunk = ww_migration_has_chunks(m);
    uint64_t pages = m->used * m->config.chunk_pages;
    if (pages > m->wiring.counters->peak_pages)
        m->wiring.counters->peak_pages = pages;
    return true;
}

/* Pages of the block that use its memory. */
static uint32_t pages_here(const ww_page_block *block)
{
    return block->resident + block->moving - block->waiting;
}

/* A page has left: its memory is free, or that of its block after the last one. */
void ww_migration_return_memory(ww_migration *m, ww_page_block *block)
{
    if (ww_migration_has_chunks(m)) {
        if (!block->has_chunk || pages_here(block))
            return;
        block->has_chunk = block->evicting = false;
    }
    m->used--;
}

/* The page belongs to no buffer any more. */
static void forget(ww_migration *m, ww_page_record *record)
{
    const ww_paging_memory *memory = &m->wiring.memory;
    memory->release(memory->context, ww_migration_page(m, record));
    ww_page_residency_set_state(m->wiring.residency, record, WW_PAGE_NONE);
    ww_migration_return_memory(m, record->block);
}

void ww_migration_forget(ww_migration *m, ww_page_record *record)
{
    const ww_migration_wiring *w = &m->wiring;
    if (record->state == WW_PAGE_RESIDENT) {
        if (w->evict->leaving)
            w->evict->leaving(w->evict_state, w->residency, record);
        forget(m, record);
    } else if (record->state == WW_PAGE_REMOTE) {
        w->memory.release(w->memory.context, ww_migration_page(m, record));
        ww_page_residency_set_state(w->residency, record, WW_PAGE_NONE);
    } else if (record->state == WW_PAGE_ON_HOST) {
        ww_page_residency_set_state(w->residency, record, WW_PAGE_NONE);
    }
}

/* ---- pages that come ---- */

static void make_resident(ww_migration *m, ww_page_record *record)
{
    const ww_migration_wiring *w = &m->wiring;
    if (!w->memory.enter(w->memory.context, ww_migration_page(m, record))) {
        w->memory.out_of_memory(w->memory.context);
        return;
    }
    ww_page_residency_set_state(w->residency, record, WW_PAGE_RESIDENT);
    record->dirty = false;
    if (w->evict->arrived)
        w->evict->arrived(m->wiring.evict_state, w->residency, record);
}

static void finish_coming(void *owner)
{
    ww_move *it = owner;
    ww_migration *m = it->owner;
    ww_page_record *record = it->record;
    ww_paging_counters *c = m->wiring.counters;
    ww_tick since = it->pieces[0].transfer.start;
    m->moving--;
    ww_move_free(m, it);
    if (!record->buffers) {
        forget(m, record);
        ww_migration_pump(m);
        return;
    }
    make_resident(m, record);
    c->pages_in++;
    c->demanded += record->demanded;
    c->prefetched += !record->demanded;
    record->unused = !record->demanded;
    if (m->wiring.migrated)
        m->wiring.migrated(m->wiring.context, record, since);
    m->wiring.arrived(m->wiring.context, record);
    record->demanded = false;
    ww_migration_pump(m); /* it may leave again */
}

static void written(void *owner)
{
    ww_move *it = owner;
    ww_migration *m = it->owner;
    if (--it->left)
        return;
    if (it->times.resident <= ww_timers_now(m->wiring.timers)) {
        finish_coming(it);
        return;
    }
    it->timer = (ww_timer){.run = finish_coming, .owner = it};
    ww_timer_set(m->wiring.timers, &it->timer, it->times.resident);
}

static void received(void *owner)
{
    const ww_piece *it = owner;
    ww_migration *m = it->move->owner;
    ww_dma_write(m->wiring.dma, ww_piece_address(m, it), WW_PIECE_BYTES, written, it->move);
}

static void send_page(void *owner)
{
    ww_move *it = owner;
    ww_migration *m = it->owner;
    m->wiring.counters->bytes_in += m->config.page_bytes;
    for (uint32_t i = 0; i < it->left; i++)
        ww_piece_send(m, &it->pieces[i], WW_PCIE_TO_GPU, received);
}

/* Writes zeros. */
static void fill_page(void *owner)
{
    ww_move *it = owner;
    ww_migration *m = it->owner;
    it->pieces[0].transfer.start = ww_timers_now(m->wiring.timers);
    for (uint32_t i = 0; i < it->left; i++)
        ww_dma_write(m->wiring.dma, ww_piece_address(m, &it->pieces[i]), WW_PIECE_BYTES, written,
                     it);
}

/* The page has memory. */
static void start_coming(ww_migration *m, ww_move *it)
{
    const ww_paging_memory *memory = &m->wiring.memory;
    ww_tick now = ww_timers_now(m->wiring.timers), base = it->times.after_memory ? now : 0;
    if (!memory->place(memory->context, ww_migration_page(m, it->record))) {
        memory->out_of_memory(memory->context);
        return;
    }
    m->moving++;
    it->times.resident += base;
    for (uint32_t i = 0; i < it->left; i++)
        it->pieces[i].move = it;
    it->timer = (ww_timer){.run = m->config.zero_fill && it->record->blank ? fill_page : send_page,
                           .owner = it};
    if (base + it->times.sent > now)
        ww_timer_set(m->wiring.timers, &it->timer, base + it->times.sent);
    else
        it->timer.run(it);
}

/* ---- the queue ---- */

/* Pages that wait get memory, in their order; for the others, pages have to leave. Where memory is
 * in chunks, a page whose block has one does not wait for those before it: else a block that waits
 * for another one to leave could keep that one from leaving. */
void ww_migration_pump(ww_migration *m)
{
    ww_move **link = &m->waiting, *last = NULL;
    for (ww_move *it; (it = *link) != NULL;) {
        if (!take_memory(m, it->record->block)) {
            last = it;
            link = &it->next;
            if (!ww_migration_has_chunks(m))
                break;
            continue;
        }
        *link = it->next;
        m->waiting_count--;
        it->record->block->waiting--;
        start_coming(m, it);
    }
    if (ww_migration_has_chunks(m))
        m->last_waiting = last;
    if (m->waiting && !m->shooting && !m->evict_timer.index)
        ww_timer_set(m->wiring.timers, &m->evict_timer, 0);
}

void ww_migration_map_host(ww_migration *m, ww_page_record *record)
{
    const ww_paging_memory *memory = &m->wiring.memory;
    if (!memory->enter_host(memory->context, ww_migration_page(m, record))) {
        memory->out_of_memory(memory->context);
        return;
    }
    ww_page_residency_set_state(m->wiring.residency, record, WW_PAGE_REMOTE);
    m->wiring.counters->mapped_remote++;
    if (m->wiring.mapped)
        m->wiring.mapped(m->wiring.context, record);
}

static void finish_mapping(void *owner)
{
    ww_move *it = owner;
    ww_migration *m = it->owner;
    ww_page_record *record = it->record;
    m->moving--;
    ww_move_free(m, it);
    ww_page_residency_set_state(m->wiring.residency, record, WW_PAGE_ON_HOST);
    if (record->buffers)
        ww_migration_map_host(m, record);
    else
        ww_page_residency_set_state(m->wiring.residency, record, WW_PAGE_NONE);
    m->wiring.arrived(m->wiring.context, record);
    record->demanded = false;
}

/* A fault on a page that prefers the host: it needs no memory. */
static void start_mapping(ww_migration *m, ww_move *it)
{
    ww_tick base = it->times.after_memory ? ww_timers_now(m->wiring.timers) : 0;
    m->moving++;
    it->timer = (ww_timer){.run = finish_mapping, .owner = it};
    ww_timer_set(m->wiring.timers, &it->timer, base + it->times.resident);
}

static void queue_for_memory(ww_migration *m, ww_move *it)
{
    if (m->waiting)
        m->last_waiting->next = it;
    else
        m->waiting = it;
    m->last_waiting = it;
    m->waiting_count++;
    it->record->block->waiting++;
    ww_migration_pump(m);
}

void ww_migration_start(ww_migration *m, ww_move *it)
{
    assert(it->record->state == WW_PAGE_ON_HOST);
    ww_page_residency_set_state(m->wiring.residency, it->record, WW_PAGE_COMING);
    if (it->record->prefers_host)
        start_mapping(m, it);
    else
        queue_for_memory(m, it);
}

void ww_migration_bring(ww_migration *m, ww_page_record *record, ww_page_times times)
{
    record->chosen = false;
    if (record->again)
        return;
    ww_move *it = ww_move_take(m, record);
    it->times = times;
    if (record->state == WW_PAGE_LEAVING)
        record->again = it;
    else
        ww_migration_start(m, it);
}

void ww_migration_put(ww_migration *m, ww_page_record *record)
{
    const ww_paging_memory *memory = &m->wiring.memory;
    if (!take_memory(m, record->block) ||
        !memory->place(memory->context, ww_migration_page(m, record))) {
        memory->out_of_memory(memory->context);
        return;
    }
    ww_page_residency_set_state(m->wiring.residency, record, WW_PAGE_COMING);
    make_resident(m, record);
}

/* ---- the rest ---- */

void ww_migration_set_capacity(ww_migration *m, uint64_t pages)
{
    uint64_t chunks = (pages + m->config.chunk_pages - 1) / m->config.chunk_pages;
    m->capacity = chunks > m->capacity ? chunks : m->capacity;
    m->wiring.counters->capacity = m->capacity * m->config.chunk_pages;
}

uint64_t ww_migration_capacity(const ww_migration *m)
{
    return m->capacity * m->config.chunk_pages;
}

bool ww_migration_is_full(const ww_migration *m)
{
    return m->used >= m->capacity;
}

uint64_t ww_migration_free_pages(const ww_migration *m)
{
    uint64_t free = (m->capacity - m->used) * m->config.chunk_pages;
    return free > m->waiting_count ? free - m->waiting_count : 0;
}

void ww_migration_keep_set(ww_migration *m, uint64_t set)
{
    m->set = set;
}

uint64_t ww_migration_coming(const ww_migration *m)
{
    return m->waiting_count;
}

uint64_t ww_migration_senior(const ww_migration *m)
{
    return m->senior;
}

void ww_migration_set_senior(ww_migration *m, uint64_t number)
{
    m->senior = number;
}

void ww_migration_retry(ww_migration *m)
{
    if (m->waiting)
        ww_migration_pump(m);
}

bool ww_migration_is_stuck(const ww_migration *m)
{
    return m->waiting && !m->moving && !m->shooting;
}

ww_migration *ww_migration_create(const ww_migration_config *config,
                                  const ww_migration_wiring *wiring)
{
    ww_migration *m = ww_calloc(1, sizeof(*m));
    m->config = *config;
    m->wiring = *wiring;
    m->evict_timer = (ww_timer){.run = ww_migration_evict, .owner = m};
    return m;
}

void ww_migration_destroy(ww_migration *m)
{
    if (!m)
        return;
    for (size_t i = 0; i < m->all_moves.count; i++) {
        free(m->all_moves.items[i]->pieces);
        free(m->all_moves.items[i]);
    }
    ww_vec_free(&m->all_moves);
    ww_vec_free(&m->victims);
    ww_vec_free(&m->victim_pages);
    free(m);
}
