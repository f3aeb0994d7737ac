/* Dense parts of a 2 MiB block around each fault, as NVIDIA's open UVM driver chooses them
 * (density_tree.h). */
#include "paging/density_tree.h"
#include "paging/prefetch.h"

typedef struct state {
    uint64_t threshold;
    ww_density_tree tree;
    size_t fault;         /* of the set: the next one */
    ww_page_block *block; /* whose pages are returned now; NULL: none */
    ww_page_mask bring;   /* its pages */
    uint32_t page;        /* the next one of them */
} state;

static void start(void *own, const ww_policy_start *start)
{
    state *s = own;
    s->threshold = ww_policy_u64(start, "threshold");
}

static void begin(void *own, const ww_prefetch_view *view)
{
    state *s = own;
    s->tree = ww_density_tree_make(1ull << view->residency->page_shift, (uint32_t)s->threshold);
    s->fault = 0;
    s->block = NULL;
}

static bool is_first_of_block(const ww_prefetch_view *view, size_t fault)
{
    for (size_t i = 0; i < fault; i++)
        if (view->faults[i]->block == view->faults[fault]->block)
            return false;
    return true;
}

/* All faults of the block count together. */
static void expand(state *s, const ww_prefetch_view *view, ww_page_block *block)
{
    ww_page_mask valid = {{0}}, resident = {{0}}, faulted = {{0}};
    for (uint32_t i = 0; i < view->residency->block_pages; i++) {
        uint8_t page_state = block->page[i].state;
        if (page_state != WW_PAGE_NONE)
            ww_page_mask_set(&valid, i);
        if (page_state == WW_PAGE_RESIDENT || page_state == WW_PAGE_COMING)
            ww_page_mask_set(&resident, i);
    }
    for (size_t i = 0; i < view->fault_count; i++) {
        const ww_page_record *record = view->faults[i];
        if (record->block == block && !ww_page_mask_has(&resident, record->in_block))
            ww_page_mask_set(&faulted, record->in_block);
    }
    s->block = block;
    s->bring = ww_density_tree_expand(&s->tree, &valid, &resident, &faulted);
    s->page = 0;
}

static ww_page_record *next_of_block(state *s)
{
    while (s->block) {
        uint32_t page = ww_page_mask_next(&s->bring, s->page);
        if (page == WW_MOST_BLOCK_PAGES) {
            s->block = NULL;
            break;
        }
        s->page = page + 1;
        if (ww_page_residency_is_candidate(&s->block->page[page]))
            return &s->block->page[page];
    }
    return NULL;
}

static ww_page_record *next(void *own, const ww_prefetch_view *view)
{
    state *s = own;
    for (;;) {
        ww_page_record *record = next_of_block(s);
        if (record || s->fault == view->fault_count)
            return record;
        if (is_first_of_block(view, s->fault))
            expand(s, view, view->faults[s->fault]->block);
        s->fault++;
    }
}

static const ww_key keys[] = {
    {.key = "threshold",
     .type = WW_KEY_U64,
     .unit = "percent",
     .min = "1",
     .max = "100",
     .initial = "51",
     .doc = "part of a node's pages above which all of it comes; 100: never"},
};

extern const ww_prefetch ww_prefetch_tree;
const ww_prefetch ww_prefetch_tree = {
    .policy = {.name = "tree",
               .doc = "dense parts of the 2 MiB block around each fault, as the UVM driver does",
               WW_POLICY_KEYS(keys),
               .state_size = sizeof(state),
               .start = start},
    .when_full = true,
    .begin = begin,
    .next = next,
};
