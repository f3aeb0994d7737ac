/* The pages of memory instructions: found, asked for in the order of the instructions and their lanes, and put to use when all
 * of an instruction's have come. */
#include "base/hash.h"
#include "core/parts.h"

#include <string.h>

#define ANSWERS 4096
#define INDEX_BITS 11 /* twice the most pages of an instruction */
#define MARK 16       /* the index has a mark above a page's number, from this bit on */

void ww_translate_create(ww_load_store *m, const ww_tlb_link *tlb)
{
    m->tlb = *tlb;
    ww_port_init(&m->translations, m->core->wiring.engine, tlb->port ? ANSWERS : 1, 1);
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

/* Leaves the index empty for the next instruction. */
static void change_mark(ww_load_store *m)
{
    m->page_mark += 1u << MARK;
    if (m->page_mark)
        return;
    memset(m->page_index, 0, (1u << INDEX_BITS) * sizeof(*m->page_index));
    m->page_mark = 1u << MARK;
}

/* The page's number in the instruction, which is a new one if it is not there. */
static inline uint16_t page_of(ww_load_store *m, ww_pages *pages, uint64_t page)
{
    size_t place = ww_bucket(page, INDEX_BITS);
    for (uint32_t it; (it = m->page_index[place] ^ m->page_mark) >> MARK == 0;) {
        if (pages->page[it].page == page)
            return (uint16_t)it;
        place = (place + 1) % (1u << INDEX_BITS);
    }
    m->page_index[place] = m->page_mark | pages->count;
    pages->page[pages->count].page = page;
    return (uint16_t)pages->count++;
}

static void find_pages(ww_load_store *m, const ww_lines *lines, ww_pages *pages)
{
    unsigned shift = m->core->config.page_shift;
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

static bool touch_pages(const ww_core *core, const ww_pages *pages)
{
    uint64_t unused;
    for (uint32_t i = 0; i < pages->count; i++)
        if (!ww_core_place(core, pages->page[i].page << core->config.page_shift, &unused))
            return false;
    return true;
}

static void make_requests(ww_load_store *m, ww_memory_op *op, ww_pages *pages)
{
    ww_core *core = m->core;
    ww_tick made = ww_clock_edge(core->config.clock, op->issued);
    op->story = (ww_story){.number = ++*core->wiring.memory_instructions,
                           .wave = core->number * core->config.slots + op->slot};
    for (uint32_t i = 0; i < pages->count; i++) {
        ww_translation *t = &pages->page[i];
        t->story = &op->story;
        t->owner = op;
        t->made = made;
        t->started = 0;
        t->held = -ww_translation_held(m->tlb.port, made);
        t->source = m->tlb.source;
        t->unit = m->tlb.unit;
    }
    op->asked = 0;
    op->unknown = pages->count;
    core->wiring.counters->translations += pages->count;
}

bool ww_translate_add(ww_load_store *m, ww_memory_op *op)
{
    ww_pages *pages = &m->pages[op->place];
    change_mark(m);
    find_pages(m, &m->lines[op->place], pages);
    if (!touch_pages(m->core, pages))
        return false;
    make_requests(m, op, pages);
    ww_places_add(&m->asking, op->place);
    return true;
}

/* ---- the TLB ---- */

/* What was waited for up to the answer of a page, after which its lines wait to be sent. */
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
    ww_pages *pages = &m->pages[op->place];
    bool was_sending = op->next < op->sendable;
    for (uint32_t i = 0; i < op->lines; i++)
        if (pages->of_line[i] == page)
            pages->order[op->sendable++] = (uint16_t)i;
    if (!was_sending)
        ww_places_add(&m->sending, op->place);
}

static void take_answer(ww_load_store *m, ww_translation *t, ww_tick now)
{
    const ww_core *core = m->core;
    ww_memory_op *op = t->owner;
    m->unanswered--;
    t->answered = now;
    op->unknown--;
    if (core->config.own_page)
        release_lines(m, op, (uint32_t)(t - m->pages[op->place].page));
    if (op->blamed) {
        ww_pages *pages = &m->pages[op->place];
        ww_load_store_note_blame(m, now);
        op->blame = blame_of(m, t, now); /* the last page's in the end */
        if (core->config.own_page)
            pages->blame[t - pages->page] = op->blame;
    }
    if (op->unknown)
        return;
    op->translated = now;
    core->wiring.translated(core->wiring.context, &op->story);
    if (!core->config.own_page) {
        op->sendable = op->lines;
        ww_places_add(&m->sending, op->place);
    }
}

static void take_answers(ww_load_store *m, ww_tick now)
{
    const ww_core *core = m->core;
    for (ww_translation *t; (t = ww_port_peek(&m->translations)) != NULL;) {
        ww_port_pop(&m->translations);
        take_answer(m, t, now);
    }
    if (m->translations.count)
        ww_wake(core->wiring.engine, &m->task, ww_port_next(&m->translations));
}

static void ask(ww_load_store *m, ww_tick now)
{
    const ww_core *core = m->core;
    for (unsigned n = 0; m->asking.count && n < m->tlb.lookups; n++) {
        uint32_t place = m->asking.ring[m->asking.first];
        ww_memory_op *op = m->ops[place];
        if (m->unanswered == ANSWERS)
            return; /* an answer wakes it */
        if (!ww_port_has_room(m->tlb.port)) {
            ww_port_wait(m->tlb.port, &m->task);
            return;
        }
        ww_port_send(m->tlb.port, &m->pages[place].page[op->asked++],
                     ww_clock_after(core->config.clock, now, m->tlb.latency));
        m->unanswered++;
        if (op->asked < m->pages[place].count)
            continue;
        if (m->asking.count == core->config.address_queue)
            ww_wake(core->wiring.engine, &m->core->task, now);
        ww_places_drop_first(&m->asking);
    }
    if (m->asking.count)
        ww_wake(core->wiring.engine, &m->task, ww_clock_after(core->config.clock, now, 1));
}

void ww_translate_tick(ww_load_store *m, ww_tick now)
{
    take_answers(m, now);
    ask(m, now);
}
