/* Any page, each with the same chance (HPCA 2016, section 4.2). */
#include "paging/prefetch.h"

typedef struct state {
    ww_rng rng;
} state;

static void start(void *own, const ww_policy_start *start)
{
    state *s = own;
    ww_rng_seed(&s->rng, start->seed);
}

static ww_page_record *next(void *own, const ww_prefetch_view *view)
{
    state *s = own;
    return ww_page_residency_any_candidate(view->residency, &s->rng);
}

extern const ww_prefetch ww_prefetch_random;
const ww_prefetch ww_prefetch_random = {
    .policy = {.name = "random",
               .doc = "any page on the host, with equal chances",
               .state_size = sizeof(state),
               .start = start},
    .next = next,
};
