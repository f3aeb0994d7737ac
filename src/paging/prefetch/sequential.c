/* The page with the lowest address, as a copy before the launch would (HPCA 2016, section 4.2). */
#include "paging/prefetch.h"

static ww_page_record *next(void *own, const ww_prefetch_view *view)
{
    (void)own;
    return ww_page_residency_next_candidate(view->residency, 0);
}

extern const ww_prefetch ww_prefetch_sequential;
const ww_prefetch ww_prefetch_sequential = {
    .policy = {.name = "sequential", .doc = "the lowest address first"},
    .next = next,
};
