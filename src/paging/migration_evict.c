/* Pages that leave the GPU: chosen by the eviction policy, shot down, sent back. */
#include "paging/migration_internal.h"

/* ---- a page leaves ---- */

static void finish_leaving(ww_migration *m, ww_page_record *record)
{
    const ww_migration_wiring *w = &m->wiring;
    uint64_t page = ww_migration_page(m, record);
    ww_move *again = record->again;
    if (!m->config.flushes_all)
        w->memory.drop_lines(w->memory.context, w->memory.frame(w->memory.context, page));
    w->memory.release(w->memory.context, page);
    ww_page_residency_set_state(w->residency, record, WW_PAGE_ON_HOST);
    record->again = NULL;
    uint64_t used = m->used;
    ww_migration_return_memory(m, record->block);
    m->leaving -= used - m->used;
    if (again && record->buffers)
        ww_migration_start(m, again);
    else if (again)
        ww_move_free(m, again);
    if (!record->buffers)
        ww_page_residency_set_state(w->residency, record, WW_PAGE_NONE);
    ww_migration_pump(m);
}

static void sent_back(void *owner)
{
    ww_move *it = ((ww_piece *)owner)->move;
    ww_migration *m = it->owner;
    ww_page_record *record = it->record;
    if (--it->left)
        return;
    ww_move what = *it;
    m->moving--;
    ww_move_free(m, it);
    if (what.copied)
        what.copied(what.context, record);
    else
        finish_leaving(m, record);
}

static void read_out(void *owner)
{
    ww_piece *it = owner;
    ww_migration *m = it->move->owner;
    m->wiring.counters->bytes_out += WW_PIECE_BYTES;
    ww_piece_send(m, it, WW_PCIE_TO_HOST, sent_back);
}

static void write_back(ww_migration *m, ww_move *it)
{
    m->moving++;
    m->wiring.counters->written_back++;
    for (uint32_t i = 0; i < it->left; i++) {
        it->pieces[i].move = it;
        ww_dma_read(m->wiring.dma, ww_piece_address(m, &it->pieces[i]), WW_PIECE_BYTES, read_out,
                    &it->pieces[i]);
    }
}

void ww_migration_copy_back(ww_migration *m, ww_page_record *record,
                            void (*done)(void *context, ww_page_record *record), void *context)
{
    ww_move *it = ww_move_take(m, record);
    it->copied = done;
    it->context = context;
    write_back(m, it);
}

/* No translation of the victims is left. */
static void remove_victims(void *owner)
{
    ww_migration *m = owner;
    m->shooting = false;
    for (size_t i = 0; i < m->victims.count; i++) {
        ww_page_record *record = m->victims.items[i];
        bool back = record->dirty || (m->config.always_back && !record->read_mostly);
        if (m->wiring.evicted)
            m->wiring.evicted(m->wiring.context, record, back);
        record->blank &= !back;
        if (back)
            write_back(m, ww_move_take(m, record));
        else
            finish_leaving(m, record);
    }
    m->victims.count = 0;
    ww_migration_pump(m);
}

static void shot_down(void *owner)
{
    ww_migration *m = owner;
    const ww_paging_memory *memory = &m->wiring.memory;
    if (m->config.flushes_all)
        memory->flush(memory->context, remove_victims, m);
    else
        remove_victims(m);
}

/* ---- which pages leave ---- */

/* A set may have more pages than memory: those that were prefetched leave before a page that a
 * replay needs. */
static bool set_keeps(const ww_migration *m, const ww_page_record *record)
{
    bool prefetched = m->level >= WW_SPARE_DEMANDED && record->unused;
    return m->level < WW_SPARE_SENIOR && m->set && record->set == m->set && !prefetched;
}

static bool page_may_leave(const ww_migration *m, const ww_page_record *record)
{
    return record->state == WW_PAGE_RESIDENT && (!m->senior || record->senior != m->senior) &&
           !set_keeps(m, record) && (m->level >= WW_SPARE_SET_AND_SENIOR || !record->pins);
}

static bool may_leave(const void *context, const ww_page_record *record)
{
    const ww_migration *m = context;
    const ww_page_block *block = record->block;
    if (!ww_migration_has_chunks(m))
        return page_may_leave(m, record);
    if (block->moving != block->waiting || record->state != WW_PAGE_RESIDENT)
        return false;
    for (uint32_t i = 0; i < m->wiring.residency->block_pages; i++)
        if (block->page[i].state == WW_PAGE_RESIDENT && !page_may_leave(m, &block->page[i]))
            return false;
    return true;
}

static void add_victim(ww_migration *m, ww_page_record *record)
{
    const ww_migration_wiring *w = &m->wiring;
    if (w->evict->leaving)
        w->evict->leaving(w->evict_state, w->residency, record);
    ww_page_residency_set_state(w->residency, record, WW_PAGE_LEAVING);
    w->memory.unmap(w->memory.context, ww_migration_page(m, record));
    w->counters->evictions++;
    w->counters->useless += record->unused;
    ww_vec_push(&m->victims, record);
}

/* A page, or the whole block where memory is in chunks. */
static void evict_chunk(ww_migration *m, ww_page_record *record)
{
    ww_page_block *block = record->block;
    m->leaving++;
    block->evicting = ww_migration_has_chunks(m);
    for (uint32_t i = 0; ww_migration_has_chunks(m) && i < m->wiring.residency->block_pages; i++)
        if (&block->page[i] != record && block->page[i].state == WW_PAGE_RESIDENT)
            add_victim(m, &block->page[i]);
    add_victim(m, record);
}

static bool demand_waits(const ww_migration *m)
{
    const ww_move *it = m->waiting;
    while (it && !it->record->demanded)
        it = it->next;
    return it != NULL;
}

/* For a page that is only prefetched, no page leaves that a replay needs: pages that come could
 * otherwise drive each other out for ever. */
static ww_page_record *choose_victim(ww_migration *m)
{
    const ww_victim_test test = {.may_leave = may_leave, .context = m};
    const ww_migration_wiring *w = &m->wiring;
    ww_page_record *record = NULL;
    for (m->level = WW_SPARE_ALL; !record && m->level < WW_EVICTION_LEVELS; m->level++) {
        if (m->level > WW_SPARE_DEMANDED && !demand_waits(m))
            break;
        record = w->evict->choose(w->evict_state, w->residency, &test);
    }
    return record;
}

static int compare_pages(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

static void shoot_down(ww_migration *m)
{
    const ww_paging_memory *memory = &m->wiring.memory;
    m->victim_pages.count = 0;
    for (size_t i = 0; i < m->victims.count; i++)
        ww_vec_push(&m->victim_pages, ww_migration_page(m, m->victims.items[i]));
    qsort(m->victim_pages.items, m->victim_pages.count, sizeof(uint64_t), compare_pages);
    m->shooting = true;
    m->wiring.counters->shootdowns++;
    memory->shoot_down(memory->context, m->victim_pages.items, (uint32_t)m->victim_pages.count,
                       shot_down, m);
}

/* Chunks that pages wait for and that no page has begun to leave. */
static uint64_t missing(const ww_migration *m)
{
    uint64_t free = m->capacity - m->used + m->leaving;
    uint64_t wanted = ww_migration_has_chunks(m) ? 1 : m->waiting_count;
    return wanted > free ? wanted - free : 0;
}

void ww_migration_evict(void *owner)
{
    ww_migration *m = owner;
    if (m->shooting)
        return;
    for (uint64_t count = missing(m); count; count--) {
        ww_page_record *record = choose_victim(m);
        if (!record)
            break;
        evict_chunk(m, record);
    }
    if (m->victims.count)
        shoot_down(m);
    else if (ww_migration_is_stuck(m))
        m->wiring.starved(m->wiring.context);
}
