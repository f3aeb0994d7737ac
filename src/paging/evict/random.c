/* Any page, each with the same chance (HPCA 2016, section 5.1). */
#include "base/rng.h"
#include "paging/evict.h"

#define TRIES 16 /* before all pages are searched */

typedef struct state {
    ww_rng rng;
} state;

static void start(void *own, const ww_policy_start *start)
{
    state *s = own;
    ww_rng_seed(&s->rng, start->seed);
}

static ww_page_record *choose(void *own, const ww_page_residency *r, const ww_victim_test *test)
{
    state *s = own;
    const ww_page_bag *bag = &r->resident;
    size_t count = 0;
    for (unsigned i = 0; bag->count && i < TRIES; i++) {
        ww_page_record *record = bag->items[ww_rng_below(&s->rng, bag->count)];
        if (ww_may_leave(test, record))
            return record;
    }
    for (size_t i = 0; i < bag->count; i++)
        count += ww_may_leave(test, bag->items[i]);
    size_t skipped = count ? (size_t)ww_rng_below(&s->rng, count) : 0;
    for (size_t i = 0; i < bag->count; i++)
        if (ww_may_leave(test, bag->items[i]) && !skipped--)
            return bag->items[i];
    return NULL;
}

extern const ww_evict ww_evict_random;
const ww_evict ww_evict_random = {
    .policy = {.name = "random",
               .doc = "any page, with equal chances",
               .state_size = sizeof(state),
               .start = start},
    .choose = choose,
};
