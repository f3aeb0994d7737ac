#include "paging/replays.h"

#include "base/memory.h"
#include "paging/paging_stats.h"

#include <string.h>

enum { CU_SHIFT = 52 }; /* page numbers have fewer bits */

void ww_replays_add_refused(ww_replays *r, unsigned cu, uint64_t page)
{
    uint64_t key = (uint64_t)cu << CU_SHIFT | page;
    if (ww_number_map_get(&r->known, key) != WW_NO_NUMBER)
        return; /* another instruction waits for the page already */
    ww_number_map_set(&r->known, key, 0);
    ww_vec_push(&r->refused, ((ww_refused){page, ww_timers_now(r->wiring.timers), cu}));
    r->wiring.counters->nacks++;
}

static void replay_all(ww_replays *r)
{
    const ww_replays_wiring *w = &r->wiring;
    ww_tick now = ww_timers_now(w->timers);
    for (size_t i = 0; i < r->refused.count; i++) {
        const ww_refused *it = &r->refused.items[i];
        w->counters->replays++;
        w->counters->waiting += now - it->since;
        ww_number_map_remove(&r->known, (uint64_t)it->cu << CU_SHIFT | it->page);
        w->hardware->replay(w->hardware->context, it->cu, it->page);
    }
    r->refused.count = 0;
}

/* The first group has a command, and its pages have come. */
static bool can_execute(const ww_replays *r)
{
    return r->groups.count > 1 && !r->groups.items[0];
}

static void start_next(ww_replays *r)
{
    if (can_execute(r) && !r->timer.index)
        ww_timer_set(r->wiring.timers, &r->timer,
                     ww_timers_now(r->wiring.timers) + r->wiring.latency);
}

static void execute(void *own)
{
    ww_replays *r = own;
    memmove(r->groups.items, r->groups.items + 1, --r->groups.count * sizeof(*r->groups.items));
    r->executed++;
    replay_all(r);
    start_next(r);
    r->wiring.executed(r->wiring.context);
}

void ww_replays_add_page(ww_replays *r, ww_page_record *record)
{
    record->set = r->executed + r->groups.count;
    r->groups.items[r->groups.count - 1]++;
}

static bool is_of_group(const ww_replays *r, const ww_page_record *record)
{
    return record->set > r->executed && record->set <= r->executed + r->groups.count;
}

void ww_replays_page_arrived(ww_replays *r, const ww_page_record *record)
{
    if (!is_of_group(r, record))
        return;
    r->groups.items[record->set - r->executed - 1]--;
    start_next(r);
}

uint64_t ww_replays_push(ww_replays *r)
{
    ww_vec_push(&r->groups, 0);
    start_next(r);
    return r->executed + r->groups.count - 1;
}

static bool is_on_its_way(const ww_page_record *record)
{
    return record->buffers &&
           (record->state == WW_PAGE_COMING || (record->state == WW_PAGE_LEAVING && record->again));
}

void ww_replays_recount(ww_replays *r)
{
    const ww_page_residency *residency = r->wiring.residency;
    memset(r->groups.items, 0, r->groups.count * sizeof(*r->groups.items));
    for (size_t i = 0; i < residency->block_count; i++)
        for (uint32_t j = 0; j < residency->block_pages; j++) {
            const ww_page_record *record = &residency->blocks[i]->page[j];
            if (is_on_its_way(record) && is_of_group(r, record))
                r->groups.items[record->set - r->executed - 1]++;
        }
    start_next(r);
}

void ww_replays_create(ww_replays *r, const ww_replays_wiring *wiring)
{
    *r = (ww_replays){.wiring = *wiring};
    r->timer = (ww_timer){.run = execute, .owner = r};
    ww_vec_push(&r->groups, 0);
}

void ww_replays_destroy(ww_replays *r)
{
    ww_vec_free(&r->refused);
    ww_vec_free(&r->groups);
    ww_number_map_clear(&r->known);
}
