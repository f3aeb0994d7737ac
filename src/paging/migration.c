#include "paging/migration.h"

#include "base/memory.h"
#include "paging/paging_stats.h"

#include <assert.h>

#define PIECE_BYTES 4096 /* of a page: DMA writes it while the link passes the next one */

typedef struct piece {
    ww_transfer transfer;
    struct move *move;
} piece;

/* A page on its way, in one direction. */
typedef struct move {
    piece *pieces;
    uint32_t left; /* pieces that are not there yet */
    ww_timer timer;
    ww_migration *owner;
    ww_page_record *record;
    ww_tick not_before;
    void (*copied)(void *context, ww_page_record *record); /* it stays here */
    void *context;
    struct move *next; /* in the queue of those that wait for memory, or of free ones */
} move;

/* Which pages may leave: the higher the level, the more. */
typedef enum level { SPARE_ALL, SPARE_SET_AND_SENIOR, SPARE_SENIOR, LEVELS } level;

struct ww_migration {
    ww_migration_config config;
    ww_migration_wiring wiring;
    uint64_t capacity; /* chunks */
    uint64_t used;     /* of them */
    move *free;
    move *waiting, *last_waiting; /* for memory */
    uint64_t waiting_count, moving;
    uint64_t leaving; /* chunks that will be free */
    uint64_t set, senior;
    level level; /* of the choice under way */
    ww_timer evict_timer;
    WW_VEC(ww_page_record *) victims; /* of the shoot-down under way */
    WW_VEC(uint64_t) victim_pages;
    bool shooting;
    WW_VEC(move *) all_moves; /* to be freed at the end */
};

static void pump(ww_migration *m);

static uint64_t page_of(const ww_migration *m, const ww_page_record *record)
{
    return ww_page_residency_page(m->wiring.residency, record);
}

static bool has_chunks(const ww_migration *m)
{
    return m->config.chunk_pages > 1;
}

/* ---- moves ---- */

static uint32_t piece_count(const ww_migration *m)
{
    return (uint32_t)(m->config.page_bytes / PIECE_BYTES);
}

/* Its address in the GPU's memory. */
static uint64_t physical_of(const ww_migration *m, const piece *it)
{
    const ww_paging_memory *memory = &m->wiring.memory;
    return memory->frame(memory->context, page_of(m, it->move->record)) +
           (uint64_t)(it - it->move->pieces) * PIECE_BYTES;
}

static void send(ww_migration *m, piece *it, ww_pcie_direction direction, void (*done)(void *owner))
{
    it->transfer =
        (ww_transfer){.bytes = PIECE_BYTES, .direction = direction, .done = done, .owner = it};
    ww_pcie_send(m->wiring.pcie, &it->transfer, false);
}

static move *take_move(ww_migration *m, ww_page_record *record)
{
    move *it = m->free;
    if (it) {
        m->free = it->next;
    } else {
        it = ww_calloc(1, sizeof(*it));
        it->pieces = ww_calloc(piece_count(m), sizeof(*it->pieces));
        ww_vec_push(&m->all_moves, it);
    }
    *it = (move){.pieces = it->pieces, .left = piece_count(m), .owner = m, .record = record};
    return it;
}

static void free_move(ww_migration *m, move *it)
{
    it->next = m->free;
    m->free = it;
}

/* ---- memory ---- */

/* False: the page has to wait until another one has left. */
static bool take_memory(ww_migration *m, ww_page_block *block)
{
    if (has_chunks(m) && block->has_chunk)
        return !block->evicting;
    if (m->used >= m->capacity)
        return false;
    m->used++;
    block->has_chunk = has_chunks(m);
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
static void return_memory(ww_migration *m, ww_page_block *block)
{
    if (has_chunks(m)) {
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
    memory->release(memory->context, page_of(m, record));
    ww_page_residency_set_state(m->wiring.residency, record, WW_PAGE_NONE);
    return_memory(m, record->block);
}

void ww_migration_forget(ww_migration *m, ww_page_record *record)
{
    const ww_migration_wiring *w = &m->wiring;
    if (record->state == WW_PAGE_RESIDENT) {
        if (w->evict->leaving)
            w->evict->leaving(w->evict_state, w->residency, record);
        forget(m, record);
    } else if (record->state == WW_PAGE_REMOTE) {
        w->memory.release(w->memory.context, page_of(m, record));
        ww_page_residency_set_state(w->residency, record, WW_PAGE_NONE);
    } else if (record->state == WW_PAGE_ON_HOST) {
        ww_page_residency_set_state(w->residency, record, WW_PAGE_NONE);
    }
}

/* ---- pages that come ---- */

static void make_resident(ww_migration *m, ww_page_record *record)
{
    const ww_migration_wiring *w = &m->wiring;
    if (!w->memory.enter(w->memory.context, page_of(m, record))) {
        w->memory.out_of_memory(w->memory.context);
        return;
    }
    ww_page_residency_set_state(w->residency, record, WW_PAGE_RESIDENT);
    record->dirty = false;
    record->duplicate = record->read_mostly;
    if (w->evict->arrived)
        w->evict->arrived(m->wiring.evict_state, w->residency, record);
}

static void finish_coming(void *owner)
{
    move *it = owner;
    ww_migration *m = it->owner;
    ww_page_record *record = it->record;
    ww_paging_counters *c = m->wiring.counters;
    ww_tick since = it->pieces[0].transfer.start;
    m->moving--;
    free_move(m, it);
    if (!record->buffers) {
        forget(m, record);
        pump(m);
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
    pump(m); /* it may leave again */
}

static void written(void *owner)
{
    move *it = owner;
    ww_migration *m = it->owner;
    if (--it->left)
        return;
    if (it->not_before <= ww_timers_now(m->wiring.timers)) {
        finish_coming(it);
        return;
    }
    it->timer = (ww_timer){.run = finish_coming, .owner = it};
    ww_timer_set(m->wiring.timers, &it->timer, it->not_before);
}

static void received(void *owner)
{
    const piece *it = owner;
    ww_migration *m = it->move->owner;
    ww_dma_write(m->wiring.dma, physical_of(m, it), PIECE_BYTES, written, it->move);
}

static void start_coming(ww_migration *m, move *it)
{
    const ww_paging_memory *memory = &m->wiring.memory;
    if (!memory->place(memory->context, page_of(m, it->record))) {
        memory->out_of_memory(memory->context);
        return;
    }
    m->moving++;
    m->wiring.counters->bytes_in += m->config.page_bytes;
    for (uint32_t i = 0; i < it->left; i++) {
        it->pieces[i].move = it;
        send(m, &it->pieces[i], WW_PCIE_TO_GPU, received);
    }
}

/* ---- the queue ---- */

/* Pages that wait get memory, in their order; for the others, pages have to leave. Where memory is
 * in chunks, a page whose block has one does not wait for those before it: else a block that waits
 * for another one to leave could keep that one from leaving. */
static void pump(ww_migration *m)
{
    move **link = &m->waiting, *last = NULL;
    for (move *it; (it = *link) != NULL;) {
        if (!take_memory(m, it->record->block)) {
            last = it;
            link = &it->next;
            if (!has_chunks(m))
                break;
            continue;
        }
        *link = it->next;
        m->waiting_count--;
        it->record->block->waiting--;
        start_coming(m, it);
    }
    if (has_chunks(m))
        m->last_waiting = last;
    if (m->waiting && !m->shooting && !m->evict_timer.index)
        ww_timer_set(m->wiring.timers, &m->evict_timer, 0);
}

void ww_migration_map_host(ww_migration *m, ww_page_record *record)
{
    const ww_paging_memory *memory = &m->wiring.memory;
    if (!memory->enter_host(memory->context, page_of(m, record))) {
        memory->out_of_memory(memory->context);
        return;
    }
    ww_page_residency_set_state(m->wiring.residency, record, WW_PAGE_REMOTE);
    m->wiring.counters->mapped_remote++;
}

static void finish_mapping(void *owner)
{
    move *it = owner;
    ww_migration *m = it->owner;
    ww_page_record *record = it->record;
    m->moving--;
    free_move(m, it);
    ww_page_residency_set_state(m->wiring.residency, record, WW_PAGE_ON_HOST);
    if (record->buffers)
        ww_migration_map_host(m, record);
    else
        ww_page_residency_set_state(m->wiring.residency, record, WW_PAGE_NONE);
    m->wiring.arrived(m->wiring.context, record);
    record->demanded = false;
}

/* A fault on a page that prefers the host: it is mapped at `not_before`. */
static void start_mapping(ww_migration *m, ww_page_record *record, ww_tick not_before)
{
    move *it = take_move(m, record);
    ww_page_residency_set_state(m->wiring.residency, record, WW_PAGE_COMING);
    m->moving++;
    it->timer = (ww_timer){.run = finish_mapping, .owner = it};
    ww_timer_set(m->wiring.timers, &it->timer, not_before);
}

void ww_migration_bring(ww_migration *m, ww_page_record *record, ww_tick not_before)
{
    record->chosen = false;
    if (record->state == WW_PAGE_LEAVING) {
        record->wanted = true;
        return;
    }
    assert(record->state == WW_PAGE_ON_HOST);
    if (record->prefers_host) {
        start_mapping(m, record, not_before);
        return;
    }
    ww_page_residency_set_state(m->wiring.residency, record, WW_PAGE_COMING);
    move *it = take_move(m, record);
    it->not_before = not_before;
    if (m->waiting)
        m->last_waiting->next = it;
    else
        m->waiting = it;
    m->last_waiting = it;
    m->waiting_count++;
    record->block->waiting++;
    pump(m);
}

void ww_migration_put(ww_migration *m, ww_page_record *record)
{
    const ww_paging_memory *memory = &m->wiring.memory;
    if (!take_memory(m, record->block) || !memory->place(memory->context, page_of(m, record))) {
        memory->out_of_memory(memory->context);
        return;
    }
    ww_page_residency_set_state(m->wiring.residency, record, WW_PAGE_COMING);
    make_resident(m, record);
}

/* ---- pages that leave ---- */

static void finish_leaving(ww_migration *m, ww_page_record *record)
{
    const ww_migration_wiring *w = &m->wiring;
    uint64_t page = page_of(m, record);
    bool comes_again = record->wanted;
    if (!m->config.flushes_all)
        w->memory.drop_lines(w->memory.context, w->memory.frame(w->memory.context, page));
    w->memory.release(w->memory.context, page);
    ww_page_residency_set_state(w->residency, record, WW_PAGE_ON_HOST);
    record->wanted = false;
    uint64_t used = m->used;
    return_memory(m, record->block);
    m->leaving -= used - m->used;
    if (!record->buffers)
        ww_page_residency_set_state(w->residency, record, WW_PAGE_NONE);
    else if (comes_again)
        ww_migration_bring(m, record, 0);
    pump(m);
}

static void sent_back(void *owner)
{
    move *it = ((piece *)owner)->move;
    ww_migration *m = it->owner;
    ww_page_record *record = it->record;
    if (--it->left)
        return;
    move what = *it;
    m->moving--;
    free_move(m, it);
    if (what.copied)
        what.copied(what.context, record);
    else
        finish_leaving(m, record);
}

static void read_out(void *owner)
{
    piece *it = owner;
    ww_migration *m = it->move->owner;
    m->wiring.counters->bytes_out += PIECE_BYTES;
    send(m, it, WW_PCIE_TO_HOST, sent_back);
}

static void write_back(ww_migration *m, move *it)
{
    m->moving++;
    m->wiring.counters->written_back++;
    for (uint32_t i = 0; i < it->left; i++) {
        it->pieces[i].move = it;
        ww_dma_read(m->wiring.dma, physical_of(m, &it->pieces[i]), PIECE_BYTES, read_out,
                    &it->pieces[i]);
    }
}

void ww_migration_copy_back(ww_migration *m, ww_page_record *record,
                            void (*done)(void *context, ww_page_record *record), void *context)
{
    move *it = take_move(m, record);
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
        bool back = record->dirty || (m->config.always_back && !record->duplicate);
        if (m->wiring.evicted)
            m->wiring.evicted(m->wiring.context, record, back);
        if (back)
            write_back(m, take_move(m, record));
        else
            finish_leaving(m, record);
    }
    m->victims.count = 0;
    pump(m);
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

static bool page_may_leave(const ww_migration *m, const ww_page_record *record)
{
    return record->state == WW_PAGE_RESIDENT && (!m->senior || record->senior != m->senior) &&
           (m->level >= SPARE_SENIOR || !m->set || record->set != m->set) &&
           (m->level >= SPARE_SET_AND_SENIOR || !record->pins);
}

static bool may_leave(const void *context, const ww_page_record *record)
{
    const ww_migration *m = context;
    const ww_page_block *block = record->block;
    if (!has_chunks(m))
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
    w->memory.unmap(w->memory.context, page_of(m, record));
    w->counters->evictions++;
    w->counters->useless += record->unused;
    ww_vec_push(&m->victims, record);
}

/* A page, or the whole block where memory is in chunks. */
static void evict_chunk(ww_migration *m, ww_page_record *record)
{
    ww_page_block *block = record->block;
    m->leaving++;
    block->evicting = has_chunks(m);
    for (uint32_t i = 0; has_chunks(m) && i < m->wiring.residency->block_pages; i++)
        if (&block->page[i] != record && block->page[i].state == WW_PAGE_RESIDENT)
            add_victim(m, &block->page[i]);
    add_victim(m, record);
}

static ww_page_record *choose_victim(ww_migration *m)
{
    const ww_victim_test test = {.may_leave = may_leave, .context = m};
    const ww_migration_wiring *w = &m->wiring;
    ww_page_record *record = NULL;
    for (m->level = SPARE_ALL; !record && m->level < LEVELS; m->level++)
        record = w->evict->choose(w->evict_state, w->residency, &test);
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
        ww_vec_push(&m->victim_pages, page_of(m, m->victims.items[i]));
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
    uint64_t wanted = has_chunks(m) ? 1 : m->waiting_count;
    return wanted > free ? wanted - free : 0;
}

static void evict(void *owner)
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
        pump(m);
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
    m->evict_timer = (ww_timer){.run = evict, .owner = m};
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
