/* Pages behind the one that faulted last (HPCA 2016, section 4.2), then the lowest address. When
 * memory is full (section 5.2): only pages behind those that fault in this set. */
#include "paging/prefetch.h"

typedef struct state {
    uint64_t reach; /* pages */
    size_t fault;   /* of the set: the one whose neighbours are chosen, when memory is full */
} state;

static void start(void *own, const ww_policy_start *start)
{
    state *s = own;
    s->reach = ww_policy_u64(start, "reach");
}

static void begin(void *own, const ww_prefetch_view *view)
{
    state *s = own;
    (void)view;
    s->fault = 0;
}

/* A candidate among the pages behind one; NULL: none. */
static ww_page_record *behind(const state *s, const ww_prefetch_view *view, uint64_t page)
{
    ww_page_record *record = ww_page_residency_next_candidate(view->residency, page + 1);
    if (!record || ww_page_residency_page(view->residency, record) > page + s->reach)
        return NULL;
    return record;
}

static ww_page_record *next(void *own, const ww_prefetch_view *view)
{
    state *s = own;
    ww_page_record *record = NULL;
    if (!view->full) {
        if (view->last_fault != WW_NO_FAULT)
            record = behind(s, view, view->last_fault);
        return record ? record : ww_page_residency_next_candidate(view->residency, 0);
    }
    for (; !record && s->fault < view->fault_count; s->fault += !record)
        record = behind(s, view, ww_page_residency_page(view->residency, view->faults[s->fault]));
    return record;
}

static const ww_key keys[] = {
    {.key = "reach",
     .type = WW_KEY_U64,
     .unit = "pages",
     .min = "1",
     .max = "1048576",
     .initial = "128",
     .doc = "how far behind a page that faulted"},
};

extern const ww_prefetch ww_prefetch_locality;
const ww_prefetch ww_prefetch_locality = {
    .policy = {.name = "locality",
               .doc = "pages behind the one that faulted last, then the lowest address",
               WW_POLICY_KEYS(keys),
               .state_size = sizeof(state),
               .start = start},
    .when_full = true,
    .begin = begin,
    .next = next,
};
