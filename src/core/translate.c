#include "core/translate.h"

#include "base/hash.h"
#include "core/core_internal.h"

#include <string.h>

#define ANSWERS 4096
#define INDEX_BITS 11 /* twice the most pages of an instruction */
#define MARK 16       /* the index has a mark above a page's number, from this bit on */

void ww_translate_create(ww_load_store *m, const ww_tlb_link *tlb)
{
    ww_translator *t = &m->translator;
    t->page_shift = m->cu->config.page_shift;
    t->own_page = m->cu->config.own_page;
    t->tlb = *tlb;
    t->pending = ww_entry_queue_create(m->most);
    ww_port_init(&t->answers, m->cu->wiring.engine, tlb->port ? ANSWERS : 1, 1);
    ww_port_connect(&t->answers, &m->task);
    if (!tlb->port)
        return;
    t->pages = ww_calloc(m->most, sizeof(*t->pages));
    t->page_index = ww_calloc(1u << INDEX_BITS, sizeof(*t->page_index));
}

void ww_translate_destroy(ww_load_store *m)
{
    ww_park_destroy(m);
    ww_port_clear(&m->translator.answers);
    free(m->translator.pending.ring);
    free(m->translator.pages);
    free(m->translator.page_index);
}

/* ---- from lines to pages ---- */

/* Empties the index for the next instruction: old entries have another mark. */
static void change_mark(ww_translator *t)
{
    t->page_mark += 1u << MARK;
    if (t->page_mark)
        return;
    memset(t->page_index, 0, (1u << INDEX_BITS) * sizeof(*t->page_index));
    t->page_mark = 1u << MARK;
}

/* The page's index in the instruction; adds the page if it is new. */
static inline uint16_t page_of(ww_translator *t, ww_pages *pages, uint64_t page)
{
    size_t bucket = ww_bucket(page, INDEX_BITS);
    for (uint32_t it; (it = t->page_index[bucket] ^ t->page_mark) >> MARK == 0;) {
        if (pages->page[it].page == page)
            return (uint16_t)it;
        bucket = (bucket + 1) % (1u << INDEX_BITS);
    }
    t->page_index[bucket] = t->page_mark | pages->count;
    pages->page[pages->count].page = page;
    return (uint16_t)pages->count++;
}

static void find_pages(ww_translator *t, const ww_warp_lines *lines, ww_pages *pages)
{
    unsigned shift = t->page_shift;
    uint64_t last = UINT64_MAX;
    pages->count = 0;
    for (uint32_t i = 0; i < lines->count; i++) {
        uint64_t page = lines->line[i].address >> shift;
        if (page == last)
            pages->of_line[i] = pages->of_line[i - 1];
        else
            pages->of_line[i] = page_of(t, pages, page);
        last = page;
    }
}

static bool touch_pages(const ww_cu *cu, const ww_cu_launch *launch, const ww_pages *pages)
{
    uint64_t unused;
    for (uint32_t i = 0; i < pages->count; i++)
        if (!ww_cu_touch(cu, launch, pages->page[i].page << cu->config.page_shift, &unused))
            return false;
    return true;
}

static void make_requests(ww_load_store *m, ww_memory_op *op, ww_pages *pages)
{
    ww_cu *cu = m->cu;
    ww_tick made = ww_clock_edge(cu->config.clock, op->issued);
    op->translation.instruction =
        (ww_instruction_id){.number = ++*cu->wiring.memory_instructions,
                            .warp_slot = cu->number * cu->config.slots + op->slot,
                            .asid = op->launch->asid};
    for (uint32_t i = 0; i < pages->count; i++) {
        ww_translation *t = &pages->page[i];
        t->instruction = op->translation.instruction;
        t->owner = op;
        t->made = made;
        t->started = 0;
        t->answered = 0;
        t->writes = op->kind != WW_REQUEST_READ;
        t->past_l1 = false;
        t->again = false;
        t->parked = 0;
        t->held = -ww_translation_held(m->translator.tlb.port, made);
        t->source = m->translator.tlb.source;
        t->unit = m->translator.tlb.unit;
    }
    op->translation.requested = 0;
    op->translation.untranslated = pages->count;
    op->translation.faulted = 0;
    op->translation.had_fault = false;
    cu->counters.translations += pages->count;
}

static void release_untranslated(ww_load_store *m, ww_memory_op *op)
{
    ww_load_store_release(m, op, op->lines);
    ww_load_store_note_blame(m, ww_engine_now(m->cu->wiring.engine));
    op->translation.blame = (ww_blame){.ticks = {0}};
    if (op->blamed)
        ww_blame_subtract(&op->translation.blame, &m->blame,
                          ww_clock_edge(m->cu->config.clock, op->issued));
}

bool ww_translate_add(ww_load_store *m, ww_memory_op *op)
{
    ww_translator *t = &m->translator;
    op->translation.paged = t->pages && !op->physical;
    if (!op->translation.paged) {
        release_untranslated(m, op);
        return true;
    }
    ww_pages *pages = &t->pages[op->entry];
    change_mark(t);
    find_pages(t, &m->lines[op->entry], pages);
    if (!m->cu->wiring.walks_allocate && !touch_pages(m->cu, op->launch, pages))
        return false;
    make_requests(m, op, pages);
    ww_entry_queue_push(&t->pending, op->entry);
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
    uint32_t parked = t->parked < lookups ? t->parked : lookups;
    lookups -= parked;
    uint32_t held = t->held < lookups ? t->held : lookups;
    blame.ticks[WW_CAUSE_PAGING] = parked;
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
    ww_pages *pages = &m->translator.pages[op->entry];
    uint32_t released = 0;
    for (uint32_t i = 0; i < op->lines; i++)
        if (pages->of_line[i] == page)
            pages->order[op->sendable + released++] = (uint16_t)i;
    ww_load_store_release(m, op, released);
}

static void receive_answer(ww_load_store *m, ww_translation *t, ww_tick now)
{
    const ww_cu *cu = m->cu;
    ww_memory_op *op = t->owner;
    m->translator.outstanding--;
    if (__builtin_expect(t->status | t->again, 0)) {
        ww_park_refuse(m, t, now);
        return;
    }
    t->answered = now;
    op->translation.untranslated--;
    if (cu->wiring.faults.translated)
        cu->wiring.faults.translated(cu->wiring.faults.context, t);
    if (m->translator.own_page)
        release_lines(m, op, (uint32_t)(t - m->translator.pages[op->entry].page));
    if (op->blamed) {
        ww_pages *pages = &m->translator.pages[op->entry];
        ww_load_store_note_blame(m, now);
        op->translation.blame = blame_of(m, t, now); /* the last page's remains */
        if (m->translator.own_page)
            pages->blame[t - pages->page] = op->translation.blame;
    }
    if (op->translation.untranslated)
        return;
    if (op->translation.faulted) {
        ww_park(m, op, now);
        return;
    }
    op->translation.done = now;
    if (__builtin_expect(op->translation.had_fault, 0))
        ww_park_complete(m, op);
    ww_walk_records_end(cu->wiring.walk_records, &op->translation.instruction);
    if (!m->translator.own_page)
        ww_load_store_release(m, op, op->lines - op->sendable);
}

static void receive_answers(ww_load_store *m, ww_tick now)
{
    const ww_cu *cu = m->cu;
    for (ww_translation *t; (t = ww_port_arrived(&m->translator.answers, now)) != NULL;) {
        ww_port_pop(&m->translator.answers);
        receive_answer(m, t, now);
    }
    if (m->translator.answers.count)
        ww_wake(cu->wiring.engine, &m->task, ww_port_next(&m->translator.answers));
}

/* False: the TLB has no room, or too many translations are outstanding; the unit is woken when that
 * changes. */
static bool can_request(ww_load_store *m)
{
    const ww_translator *to = &m->translator;
    if (to->outstanding == ANSWERS)
        return false; /* a translation wakes it */
    if (ww_port_has_room(to->tlb.port))
        return true;
    ww_port_wait(to->tlb.port, &m->task);
    return false;
}

static void send_request(ww_load_store *m, ww_translation *t, ww_tick now)
{
    ww_translator *to = &m->translator;
    ww_port_send(to->tlb.port, t, ww_clock_after(m->cu->config.clock, now, to->tlb.latency));
    to->outstanding++;
}

bool ww_translate_request(ww_load_store *m, ww_translation *t, ww_tick now)
{
    if (!can_request(m))
        return false;
    send_request(m, t, now);
    return true;
}

/* Sends the lookup of the instruction's next page. False: something has to be free first, which
 * wakes the unit. */
static bool send_page(ww_load_store *m, ww_memory_op *op, ww_tick now)
{
    ww_pages *pages = &m->translator.pages[op->entry];
    uint32_t page = op->translation.requested;
    if (!can_request(m) || !ww_load_store_enter(m, op, page, pages->rob_entry))
        return false;
    send_request(m, &pages->page[page], now);
    return true;
}

static void send_lookups(ww_load_store *m, ww_tick now)
{
    const ww_cu *cu = m->cu;
    ww_translator *t = &m->translator;
    unsigned left = t->tlb.lookups;
    if (t->again && !ww_park_request_again(m, &left, now))
        return; /* the TLB's port, or an answer, wakes it */
    for (; t->pending.count && left && !t->blocked; left--) {
        uint32_t entry = t->pending.ring[t->pending.first];
        ww_memory_op *op = m->ops[entry];
        if (!send_page(m, op, now))
            return;
        if (++op->translation.requested < t->pages[entry].count)
            continue;
        if (t->pending.count == cu->config.address_queue)
            ww_wake(cu->wiring.engine, &m->cu->task, now);
        ww_entry_queue_pop(&t->pending);
    }
    if ((t->pending.count && !t->blocked) || t->again)
        ww_wake(cu->wiring.engine, &m->task, ww_clock_after(cu->config.clock, now, 1));
}

void ww_translate_block(ww_load_store *m, bool blocked)
{
    m->translator.blocked = blocked;
}

void ww_translate_tick(ww_load_store *m, ww_tick now)
{
    receive_answers(m, now);
    send_lookups(m, now);
}
