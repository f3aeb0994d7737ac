#include "vm/shootdown.h"

#include "base/memory.h"
#include "vm/mmu.h"
#include "vm/tlb.h"

#include <assert.h>

typedef struct order {
    ww_invalidation what;
    size_t first_page; /* in `pages` of the shoot-down; what.pages is set when it is sent */
    void (*done)(void *context);
    void *context;
} order;

struct ww_shootdown {
    ww_task task;
    ww_engine *engine;
    ww_shootdown_config config;
    WW_VEC(ww_shootdown_target) targets;
    size_t next;      /* target of the present order */
    unsigned missing; /* acknowledgements of its level */
    WW_VEC(order) orders;
    size_t first;           /* the present one; those before are done */
    WW_VEC(uint64_t) pages; /* of the orders */
};

static void wake(ww_shootdown *s)
{
    ww_wake(s->engine, &s->task,
            ww_clock_after(s->config.clock, ww_engine_now(s->engine), s->config.latency));
}

static void acknowledge(void *context)
{
    ww_shootdown *s = context;
    assert(s->missing);
    if (--s->missing == 0)
        wake(s);
}

/* Removes the orders that are done, with their pages. */
static void drop_done(ww_shootdown *s)
{
    size_t left = s->orders.count - s->first;
    size_t pages = left ? s->orders.items[s->first].first_page : s->pages.count;
    for (size_t i = 0; i < left; i++) {
        s->orders.items[i] = s->orders.items[s->first + i];
        s->orders.items[i].first_page -= pages;
    }
    for (size_t i = pages; i < s->pages.count; i++)
        s->pages.items[i - pages] = s->pages.items[i];
    s->pages.count -= pages;
    s->orders.count = left;
    s->first = 0;
}

static void end_order(ww_shootdown *s)
{
    order present = s->orders.items[s->first++];
    s->next = 0;
    if (2 * s->first >= s->orders.count)
        drop_done(s);
    if (s->orders.count)
        wake(s);
    if (present.done)
        present.done(present.context);
}

/* One level. */
static void tick(void *owner)
{
    ww_shootdown *s = owner;
    ww_tick now = ww_engine_now(s->engine);
    if (ww_clock_next(s->config.clock, now) != now) {
        ww_wake(s->engine, &s->task, ww_clock_next(s->config.clock, now));
        return;
    }
    if (s->missing || s->first == s->orders.count)
        return;
    if (s->next == s->targets.count) {
        end_order(s);
        return;
    }
    order *present = &s->orders.items[s->first];
    present->what.pages = s->pages.items + present->first_page;
    unsigned level = s->targets.items[s->next].level;
    for (; s->next < s->targets.count && s->targets.items[s->next].level == level; s->next++) {
        const ww_shootdown_target *t = &s->targets.items[s->next];
        s->missing += t->invalidate(t->owner, &present->what);
    }
    if (!s->missing)
        wake(s);
}

ww_shootdown *ww_shootdown_create(const ww_shootdown_config *config, ww_engine *engine)
{
    ww_shootdown *s = ww_calloc(1, sizeof(*s));
    s->config = *config;
    s->engine = engine;
    ww_task_init(engine, &s->task, WW_PHASE_TRANSLATION, tick, s);
    return s;
}

void ww_shootdown_destroy(ww_shootdown *s)
{
    if (!s)
        return;
    ww_vec_free(&s->targets);
    ww_vec_free(&s->orders);
    ww_vec_free(&s->pages);
    free(s);
}

void ww_shootdown_add(ww_shootdown *s, const ww_shootdown_target *target)
{
    assert(!s->targets.count || s->targets.items[s->targets.count - 1].level <= target->level);
    ww_vec_push(&s->targets, *target);
}

void ww_shootdown_start(ww_shootdown *s, uint16_t asid, const uint64_t *pages, uint32_t count,
                        bool all, void (*done)(void *context), void *context)
{
    order added = {.what = {.count = count,
                            .asid = asid,
                            .all = all,
                            .acknowledge = acknowledge,
                            .context = s},
                   .first_page = s->pages.count,
                   .done = done,
                   .context = context};
    for (uint32_t i = 0; i < count; i++) {
        assert(!i || pages[i - 1] < pages[i]);
        ww_vec_push(&s->pages, pages[i]);
    }
    ww_vec_push(&s->orders, added);
    if (s->orders.count - s->first == 1)
        wake(s);
}

unsigned ww_shootdown_tlb(void *tlb, const ww_invalidation *what)
{
    ww_tlb_invalidate(tlb, what);
    return 0;
}

unsigned ww_shootdown_mmu(void *mmu, const ww_invalidation *what)
{
    ww_mmu_invalidate(mmu, what);
    return 0;
}
