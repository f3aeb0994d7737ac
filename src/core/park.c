/* Parks memory instructions with pages that faulted outside of the load/store unit, until the fault
 * handler replays the pages (vm/vm.h). An instruction leaves when all its pages are answered: its
 * translations are then with no TLB, so that they can move. It keeps its position among
 * instructions that complete in order, since that list does not name entries of the unit. */
#include "core/core_internal.h"

#include <inttypes.h>
#include <string.h>

/* What an entry of the unit has of an instruction. Records are reused, with their arrays, which
 * grow to what the largest instruction needs. */
typedef struct ww_parked {
    struct ww_parked *next; /* parked, or spare */
    ww_memory_op *op;
    uint32_t page_count;
    uint32_t line_capacity, page_capacity;
    ww_tick since;
    ww_warp_line *lines;
    uint16_t *of_line, *order, *rob_entry;
    ww_translation *pages;
    ww_blame *blame;
} ww_parked;

/* ---- the end of the run ---- */

/* The first line in the page. */
static uint64_t address_of(const ww_load_store *m, const ww_memory_op *op, const ww_translation *t)
{
    const ww_warp_lines *lines = &m->lines[op->entry];
    unsigned shift = m->cu->config.page_shift;
    for (uint32_t i = 0; i < lines->count; i++)
        if (lines->line[i].address >> shift == t->page)
            return lines->line[i].address;
    return t->page << shift;
}

static void end_run(const ww_load_store *m, const ww_memory_op *op, const ww_translation *t)
{
    static const char *const accesses[] = {
        [WW_REQUEST_READ] = "load", [WW_REQUEST_WRITE] = "store", [WW_REQUEST_ATOMIC] = "atomic"};
    const ww_cu_launch *l = op->launch;
    bool handled = m->cu->wiring.faults.fault;
    int status = t->status == WW_FAR_FAULT && !handled
                     ? ww_fail(l->executor->errors, WW_FAILED, WW_NOWHERE,
                               "kernel '%s': the page of 0x%" PRIx64
                               " is not in the page table, a fault of the simulator",
                               l->launch->entry, t->page << m->cu->config.page_shift)
                     : ww_fail(l->executor->errors, WW_FAILED, WW_NOWHERE,
                               "kernel '%s': %s at 0x%" PRIx64 ", whose page %s", l->launch->entry,
                               accesses[op->kind], address_of(m, op, t),
                               t->status == WW_FAR_FAULT ? "has no frame" : "must not be written");
    ww_cu_fail(m->cu, status);
}

/* ---- pages that are requested again ---- */

void ww_park_add_again(ww_load_store *m, ww_translation *t)
{
    t->again = false;
    t->started = t->answered = 0;
    t->link = NULL;
    if (m->translator.again)
        m->translator.last_again->link = t;
    else
        m->translator.again = t;
    m->translator.last_again = t;
}

bool ww_park_request_again(ww_load_store *m, unsigned *lookups, ww_tick now)
{
    for (; m->translator.again && *lookups; --*lookups) {
        ww_translation *t = m->translator.again;
        ww_translation *next = t->link;
        uint32_t held = ww_translation_held(m->translator.tlb.port, now);
        if (!ww_translate_request(m, t, now))
            return false;
        t->held -= held;
        m->translator.again = next;
    }
    return true;
}

/* ---- parking ---- */

void ww_park_refuse(ww_load_store *m, ww_translation *t, ww_tick now)
{
    ww_memory_op *op = t->owner;
    const ww_fault_handler *handler = &m->cu->wiring.faults;
    bool own_page = m->translator.own_page;
    if (t->again && t->status != WW_FAR_FAULT) {
        ww_park_add_again(m, t); /* sent in this tick, after the answers */
        return;
    }
    t->again = false;  /* a far-fault has no frame that could be stale: the handler must know it, */
    t->answered = now; /* since the TLB may hold a register until the page is replayed */
    op->translation.untranslated--;
    op->translation.faulted++;
    op->translation.had_fault = true;
    ww_page_fault fault = {.instruction = t->instruction,
                           .page = t->page,
                           .needed = own_page ? t : m->translator.pages[op->entry].page,
                           .pages = own_page ? 1 : m->translator.pages[op->entry].count,
                           .writes = t->writes,
                           .status = t->status};
    if (!handler->fault || handler->fault(handler->context, &fault) == WW_FAULT_FINAL)
        end_run(m, op, t);
    else if (!op->translation.untranslated && op->translation.faulted)
        ww_park(m, op, now);
}

void ww_park_complete(ww_load_store *m, ww_memory_op *op)
{
    const ww_fault_handler *handler = &m->cu->wiring.faults;
    op->translation.had_fault = false;
    if (handler->completed)
        handler->completed(handler->context, &op->translation.instruction);
}

static uint32_t grown(uint32_t capacity, uint32_t count)
{
    capacity = capacity ? capacity : 1;
    while (capacity < count)
        capacity *= 2;
    return capacity;
}

static void reserve_lines(ww_parked *parked, uint32_t count)
{
    if (count <= parked->line_capacity)
        return;
    uint32_t capacity = parked->line_capacity = grown(parked->line_capacity, count);
    parked->lines = ww_realloc(parked->lines, capacity, sizeof(*parked->lines));
    parked->of_line = ww_realloc(parked->of_line, capacity, sizeof(*parked->of_line));
    parked->order = ww_realloc(parked->order, capacity, sizeof(*parked->order));
    parked->rob_entry = ww_realloc(parked->rob_entry, capacity, sizeof(*parked->rob_entry));
}

static void reserve_pages(ww_parked *parked, uint32_t count)
{
    if (count <= parked->page_capacity)
        return;
    uint32_t capacity = parked->page_capacity = grown(parked->page_capacity, count);
    parked->pages = ww_realloc(parked->pages, capacity, sizeof(*parked->pages));
    parked->blame = ww_realloc(parked->blame, capacity, sizeof(*parked->blame));
}

static ww_parked *allocate_parked(ww_translator *t)
{
    ww_parked *parked = t->spare_parked;
    if (!parked)
        return ww_calloc(1, sizeof(*parked));
    t->spare_parked = parked->next;
    return parked;
}

static void append(ww_translator *t, ww_parked *parked)
{
    parked->next = NULL;
    if (t->parked)
        t->last_parked->next = parked;
    else
        t->parked = parked;
    t->last_parked = parked;
}

void ww_park(ww_load_store *m, ww_memory_op *op, ww_tick now)
{
    if (op->next < op->sendable || !op->translation.faulted)
        return; /* the last line that is sent parks it */
    const ww_pages *pages = &m->translator.pages[op->entry];
    ww_parked *parked = allocate_parked(&m->translator);
    reserve_lines(parked, op->lines);
    reserve_pages(parked, pages->count);
    parked->op = op;
    parked->page_count = pages->count;
    parked->since = now;
    memcpy(parked->lines, m->lines[op->entry].line, op->lines * sizeof(*parked->lines));
    memcpy(parked->of_line, pages->of_line, op->lines * sizeof(*pages->of_line));
    memcpy(parked->order, pages->order, op->lines * sizeof(*pages->order));
    memcpy(parked->rob_entry, pages->rob_entry, op->lines * sizeof(*pages->rob_entry));
    memcpy(parked->pages, pages->page, pages->count * sizeof(*pages->page));
    memcpy(parked->blame, pages->blame, pages->count * sizeof(*pages->blame));
    append(&m->translator, parked);
    ww_load_store_free_entry(m, op->entry, now);
}

/* ---- returning ---- */

/* The time outside counts as a wait for paging. */
static void request_pages(ww_load_store *m, ww_memory_op *op, ww_tick outside)
{
    ww_pages *pages = &m->translator.pages[op->entry];
    for (uint32_t i = 0; i < pages->count; i++) {
        ww_translation *t = &pages->page[i];
        t->parked += (uint32_t)outside;
        if (!t->again)
            continue;
        op->translation.untranslated++;
        ww_park_add_again(m, t);
    }
}

static void enter(ww_load_store *m, const ww_parked *parked, ww_tick now)
{
    ww_memory_op *op = parked->op;
    ww_load_store_return(m, op, parked->lines);
    ww_pages *pages = &m->translator.pages[op->entry];
    memcpy(pages->of_line, parked->of_line, op->lines * sizeof(*pages->of_line));
    memcpy(pages->order, parked->order, op->lines * sizeof(*pages->order));
    memcpy(pages->rob_entry, parked->rob_entry, op->lines * sizeof(*pages->rob_entry));
    memcpy(pages->page, parked->pages, parked->page_count * sizeof(*pages->page));
    memcpy(pages->blame, parked->blame, parked->page_count * sizeof(*pages->blame));
    pages->count = parked->page_count;
    request_pages(m, op, now - parked->since);
}

/* Makes the record a spare one; NULL: there is none before it. */
static void remove_parked(ww_translator *t, ww_parked *before, ww_parked *parked)
{
    if (before)
        before->next = parked->next;
    else
        t->parked = parked->next;
    if (!parked->next)
        t->last_parked = before;
    parked->next = t->spare_parked;
    t->spare_parked = parked;
}

void ww_park_return(ww_load_store *m, ww_tick now)
{
    ww_engine *engine = m->cu->wiring.engine;
    ww_parked *before = NULL, *next;
    for (ww_parked *parked = m->translator.parked; m->translator.replays && m->count < m->most;
         parked = next) {
        next = parked->next;
        if (parked->op->translation.faulted) {
            before = parked;
            continue;
        }
        m->translator.replays--;
        enter(m, parked, now);
        remove_parked(&m->translator, before, parked);
        ww_wake(engine, &m->task, ww_clock_after(m->cu->config.clock, now, 1));
        ww_wake(engine, &m->cu->task, now); /* the unit may be full now */
    }
}

/* The answer is here; TLBs set the status of one that is on its way. */
static bool is_faulted(const ww_translation *t, uint16_t asid, uint64_t page)
{
    return t->page == page && t->instruction.asid == asid && t->answered &&
           t->status != WW_TRANSLATED && !t->again;
}

/* An instruction that faulted, and has other pages outstanding, is in the unit still. */
static bool replay_inside(ww_load_store *m, uint16_t asid, uint64_t page)
{
    bool any = false;
    for (uint32_t entry = 0; entry < m->most; entry++) {
        ww_memory_op *op = m->ops[entry];
        if (!op || !op->translation.faulted)
            continue;
        ww_pages *pages = &m->translator.pages[entry];
        for (uint32_t i = 0; i < op->translation.requested; i++) {
            if (!is_faulted(&pages->page[i], asid, page))
                continue;
            pages->page[i].status = WW_TRANSLATED;
            op->translation.faulted--;
            op->translation.untranslated++;
            ww_park_add_again(m, &pages->page[i]);
            any = true;
        }
    }
    return any;
}

bool ww_park_replay(ww_load_store *m, uint16_t asid, uint64_t page)
{
    if (!m->translator.pages)
        return false;
    bool any = replay_inside(m, asid, page);
    uint32_t before = m->translator.replays;
    for (ww_parked *parked = m->translator.parked; parked; parked = parked->next) {
        for (uint32_t i = 0; i < parked->page_count; i++) {
            ww_translation *t = &parked->pages[i];
            if (!is_faulted(t, asid, page))
                continue;
            t->again = true;
            m->translator.replays += --parked->op->translation.faulted == 0;
        }
    }
    ww_wake(m->cu->wiring.engine, &m->task, ww_engine_now(m->cu->wiring.engine));
    return any || m->translator.replays != before;
}

/* With own_page an instruction outside has sent the lines of all its translated pages. */
void ww_park_invalidate(ww_load_store *m, const ww_invalidation *what)
{
    if (m->translator.own_page)
        return;
    for (ww_parked *parked = m->translator.parked; parked; parked = parked->next) {
        for (uint32_t i = 0; i < parked->page_count; i++) {
            ww_translation *t = &parked->pages[i];
            t->again |= t->status == WW_TRANSLATED && ww_invalidation_covers(what, t);
        }
    }
}

uint32_t ww_park_count(const ww_load_store *m)
{
    uint32_t count = 0;
    for (const ww_parked *parked = m->translator.parked; parked; parked = parked->next)
        count++;
    return count;
}

static void free_records(ww_parked *parked)
{
    for (ww_parked *next; parked; parked = next) {
        next = parked->next;
        free(parked->lines);
        free(parked->of_line);
        free(parked->order);
        free(parked->rob_entry);
        free(parked->pages);
        free(parked->blame);
        free(parked);
    }
}

void ww_park_destroy(ww_load_store *m)
{
    free_records(m->translator.parked);
    free_records(m->translator.spare_parked);
}
