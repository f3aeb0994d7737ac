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
    size_t count = r->resident.count, at = 0;
    for (unsigned i = 0; count && i < TRIES; i++) {
        at = ww_rng_below(&s->rng, count);
        if (ww_may_leave(test, r->resident.items[at]))
            return r->resident.items[at];
    }
    for (size_t i = 0; i < count; i++, at = at + 1 < count ? at + 1 : 0)
        if (ww_may_leave(test, r->resident.items[at]))
            return r->resident.items[at];
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
