/* The page that the program accesses first, among those on the host (HPCA 2016, section 4.2): the
 * order of first accesses is recorded in a first pass. */
#include "paging/prefetch.h"

typedef struct state {
    size_t position; /* pages before it have been chosen */
} state;

/* All oracles of a program share one first pass, in which every page is resident. */
static const ww_first_pass_need need = {
    .instead = "none", .also = "paging.mode=resident", .records = WW_RECORD_PAGE_ORDER};

static ww_page_record *next(void *own, const ww_prefetch_view *view)
{
    state *s = own;
    for (; s->position < view->order_count; s->position++) {
        ww_page_record *record = ww_page_residency_find(view->residency, view->order[s->position]);
        if (record && ww_page_residency_is_candidate(record))
            return record;
    }
    return ww_page_residency_next_candidate(view->residency, 0); /* never accessed */
}

extern const ww_prefetch ww_prefetch_oracle;
const ww_prefetch ww_prefetch_oracle = {
    .policy = {.name = "oracle",
               .doc = "the page that the program accesses first, from a first pass",
               .state_size = sizeof(state),
               .first_pass = &need},
    .next = next,
};
