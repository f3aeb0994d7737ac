/* Translates the pages of memory instructions: finds them, looks them up in the L1 TLB in the order
 * of the instructions and their lanes, and releases an instruction's lines to be sent. */
#include "base/hash.h"
#include "core/core_internal.h"

#include <string.h>

#define ANSWERS 4096
#define INDEX_BITS 11 /* twice the most pages of an instruction */
#define MARK 16       /* the index has a mark above a page's number, from this bit on */

void ww_translate_create(ww_load_store *m, const ww_tlb_link *tlb)
{
    m->tlb = *tlb;
    ww_port_init(&m->translations, m->cu->wiring.engine, tlb->port ? ANSWERS : 1, 1);
    ww_port_connect(&m->translations, &m->task);
    if (!tlb->port)
        return;
    m->pages = ww_calloc(m->most, sizeof(*m->pages));
    m->page_index = ww_calloc(1u << INDEX_BITS, sizeof(*m->page_index));
}

void ww_translate_destroy(ww_load_store *m)
{
    ww_port_clear(&m->translations);
    free(m->pages);
    free(m->page_index);
}

/* ---- from lines to pages ---- */

/* Empties the index for the next instruction: old entries have another mark. */
static void change_mark(ww_load_store *m)
{
    m->page_mark += 1u << MARK;
    if (m->page_mark)
        return;
    memset(m->page_index, 0, (1u << INDEX_BITS) * sizeof(*m->page_index));
    m->page_mark = 1u << MARK;
}

/* The page's index in the instruction; adds the page if it is new. */
static inline uint16_t page_of(ww_load_store *m, ww_pages *pages, uint64_t page)
{
    size_t bucket = ww_bucket(page, INDEX_BITS);
    for (uint32_t it; (it = m->page_index[bucket] ^ m->page_mark) >> MARK == 0;) {
        if (pages->page[it].page == page)
            return (uint16_t)it;
        bucket = (bucket + 1) % (1u << INDEX_BITS);
    }
    m->page_index[bucket] = m->page_mark | pages->count;
    pages->page[pages->count].page = page;
    return (uint16_t)pages->count++;
}

static void find_pages(ww_load_store *m, const ww_warp_lines *lines, ww_pages *pages)
{
    unsigned shift = m->cu->config.page_shift;
    uint64_t last = UINT64_MAX;
    pages->count = 0;
    for (uint32_t i = 0; i < lines->count; i++) {
        uint64_t page = lines->line[i].address >> shift;
        if (page == last)
            pages->of_line[i] = pages->of_line[i - 1];
        else
            pages->of_line[i] = page_of(m, pages, page);
        last = page;
    }
}

static bool touch_pages(const ww_cu *cu, const ww_pages *pages)
{
    uint64_t unused;
    for (uint32_t i = 0; i < pages->count; i++)
        if (!ww_cu_touch(cu, pages->page[i].page << cu->config.page_shift, &unused))
            return false;
    return true;
}

static void make_requests(ww_load_store *m, ww_memory_op *op, ww_pages *pages)
{
    ww_cu *cu = m->cu;
    ww_tick made = ww_clock_edge(cu->config.clock, op->issued);
    op->instruction = (ww_instruction_id){.number = ++*cu->wiring.memory_instructions,
                                          .warp_slot = cu->number * cu->config.slots + op->slot,
                                          .asid = cu->launch->asid};
    for (uint32_t i = 0; i < pages->count; i++) {
        ww_translation *t = &pages->page[i];
        t->instruction = op->instruction;
        t->owner = op;
        t->made = made;
        t->started = 0;
        t->writes = op->kind != WW_REQUEST_READ;
        t->again = false;
        t->held = -ww_translation_held(m->tlb.port, made);
        t->source = m->tlb.source;
        t->unit = m->tlb.unit;
    }
    op->requested = 0;
    op->untranslated = pages->count;
    op->faulted = 0;
    cu->wiring.counters->translations += pages->count;
}

bool ww_translate_add(ww_load_store *m, ww_memory_op *op)
{
    ww_pages *pages = &m->pages[op->entry];
    change_mark(m);
    find_pages(m, &m->lines[op->entry], pages);
    if (!touch_pages(m->cu, pages))
        return false;
    make_requests(m, op, pages);
    ww_entry_queue_push(&m->pending_translation, op->entry);
    return true;
}

/* ---- the TLB ---- */

/* What a page's lines waited for until its translation; from then on they wait to be sent. */
static ww_blame blame_of(const ww_load_store *m, const ww_translation *t, ww_tick now)
{
    ww_blame blame = {.ticks = {0}};
    ww_tick made = t->made < now ? t->made : now;
    ww_tick started = t->started > made ? t->started : t->started ? made : now;
    ww_tick missed = !t->started ? now : t->missed > made ? t->missed : made;
    uint32_t lookups = (uint32_t)(missed - made);
    uint32_t held = t->held < lookups ? t->held : lookups;
    blame.ticks[WW_CAUSE_TRANSLATION] = held;
    blame.ticks[WW_CAUSE_TLB] = lookups - held;
    blame.ticks[WW_CAUSE_WALKERS] = (uint32_t)(started - missed);
    blame.ticks[WW_CAUSE_WALK] = (uint32_t)(now - started);
    ww_blame_subtract(&blame, &m->blame, now);
    return blame;
}

/* The lines of the page can be sent. */
static void release_lines(ww_load_store *m, ww_memory_op *op, uint32_t page)
{
    ww_pages *pages = &m->pages[op->entry];
    bool was_sending = op->next < op->sendable;
    for (uint32_t i = 0; i < op->lines; i++)
        if (pages->of_line[i] == page)
            pages->order[op->sendable++] = (uint16_t)i;
    if (!was_sending)
        ww_entry_queue_push(&m->pending_send, op->entry);
}

static void receive_answer(ww_load_store *m, ww_translation *t, ww_tick now)
{
    const ww_cu *cu = m->cu;
    ww_memory_op *op = t->owner;
    m->outstanding--;
    if (__builtin_expect(t->status | t->again, 0)) {
        ww_park_refuse(m, t, now);
        return;
    }
    t->answered = now;
    op->untranslated--;
    if (cu->config.own_page)
        release_lines(m, op, (uint32_t)(t - m->pages[op->entry].page));
    if (op->blamed) {
        ww_pages *pages = &m->pages[op->entry];
        ww_load_store_note_blame(m, now);
        op->blame = blame_of(m, t, now); /* the last page's remains */
        if (cu->config.own_page)
            pages->blame[t - pages->page] = op->blame;
    }
    if (op->untranslated)
        return;
    if (op->faulted) {
        ww_park(m, op, now);
        return;
    }
    op->translated = now;
    ww_walk_records_end(cu->wiring.walk_records, &op->instruction);
    if (!cu->config.own_page) {
        op->sendable = op->lines;
        ww_entry_queue_push(&m->pending_send, op->entry);
    }
}

static void receive_answers(ww_load_store *m, ww_tick now)
{
    const ww_cu *cu = m->cu;
    for (ww_translation *t; (t = ww_port_peek(&m->translations)) != NULL;) {
        ww_port_pop(&m->translations);
        receive_answer(m, t, now);
    }
    if (m->translations.count)
        ww_wake(cu->wiring.engine, &m->task, ww_port_next(&m->translations));
}

bool ww_translate_request(ww_load_store *m, ww_translation *t, ww_tick now)
{
    if (m->outstanding == ANSWERS)
        return false; /* a translation wakes it */
    if (!ww_port_has_room(m->tlb.port)) {
        ww_port_wait(m->tlb.port, &m->task);
        return false;
    }
    ww_port_send(m->tlb.port, t, ww_clock_after(m->cu->config.clock, now, m->tlb.latency));
    m->outstanding++;
    return true;
}

static void send_lookups(ww_load_store *m, ww_tick now)
{
    const ww_cu *cu = m->cu;
    unsigned left = m->again ? ww_park_request_again(m, m->tlb.lookups, now) : m->tlb.lookups;
    for (; m->pending_translation.count && left; left--) {
        uint32_t entry = m->pending_translation.ring[m->pending_translation.first];
        ww_memory_op *op = m->ops[entry];
        if (!ww_translate_request(m, &m->pages[entry].page[op->requested], now))
            return;
        if (++op->requested < m->pages[entry].count)
            continue;
        if (m->pending_translation.count == cu->config.address_queue)
            ww_wake(cu->wiring.engine, &m->cu->task, now);
        ww_entry_queue_pop(&m->pending_translation);
    }
    if (m->pending_translation.count || m->again)
        ww_wake(cu->wiring.engine, &m->task, ww_clock_after(cu->config.clock, now, 1));
}

void ww_translate_tick(ww_load_store *m, ww_tick now)
{
    receive_answers(m, now);
    send_lookups(m, now);
}
