/* Invalidates the translations that a load/store unit holds (vm/vm.h: ww_invalidation): answers
 * that are on their way are dropped, pages of lines that are not sent yet are requested again.
 * Requests in flight may use an old frame: the unit acknowledges when they are answered. */
#include "core/core_internal.h"

/* ---- lines that are not sent ---- */

static bool has_unsent(const ww_load_store *m, const ww_memory_op *op, uint32_t page)
{
    const ww_pages *pages = &m->translator.pages[op->entry];
    bool own_page = m->translator.own_page;
    for (uint32_t n = op->next; n < (own_page ? op->sendable : op->lines); n++)
        if (pages->of_line[own_page ? pages->order[n] : n] == page)
            return true;
    return false;
}

/* Lines of the page cannot be sent any more; those that were sent belong to it no more. Returns how
 * many are held. */
static uint32_t hold_own_lines(ww_pages *pages, const ww_memory_op *op, uint32_t page)
{
    uint32_t left = op->next;
    for (uint32_t n = 0; n < op->next; n++)
        pages->of_line[pages->order[n]] = WW_NO_PAGE;
    for (uint32_t n = op->next; n < op->sendable; n++)
        if (pages->of_line[pages->order[n]] != page)
            pages->order[left++] = pages->order[n];
    return op->sendable - left;
}

static void hold_lines(ww_load_store *m, ww_memory_op *op, uint32_t page)
{
    uint32_t held = m->translator.own_page
                        ? hold_own_lines(&m->translator.pages[op->entry], op, page)
                        : op->sendable - op->next;
    ww_load_store_hold(m, op, held);
}

/* ---- instructions in the unit ---- */

static void invalidate_page(ww_load_store *m, ww_memory_op *op, uint32_t page)
{
    ww_translation *t = &m->translator.pages[op->entry].page[page];
    if (!t->answered) {
        t->again = true; /* its answer is on the way */
        return;
    }
    if (t->status != WW_TRANSLATED || !has_unsent(m, op, page))
        return;
    hold_lines(m, op, page);
    op->translation.untranslated++;
    ww_park_add_again(m, t);
}

static void invalidate_op(ww_load_store *m, ww_memory_op *op, const ww_invalidation *what)
{
    const ww_pages *pages = &m->translator.pages[op->entry];
    for (uint32_t i = 0; op->translation.paged && i < op->translation.requested; i++)
        if (ww_invalidation_covers(what, &pages->page[i]))
            invalidate_page(m, op, i);
}

unsigned ww_translate_invalidate(ww_load_store *m, const ww_invalidation *what)
{
    for (uint32_t entry = 0; m->translator.pages && entry < m->most; entry++)
        if (m->ops[entry])
            invalidate_op(m, m->ops[entry], what);
    ww_park_invalidate(m, what);
    ww_wake(m->cu->wiring.engine, &m->task, ww_engine_now(m->cu->wiring.engine));
    return ww_load_store_drain(m, what);
}
