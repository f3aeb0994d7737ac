/* A page of the 2 MiB block whose memory was allocated first: what NVIDIA's open UVM driver does,
 * which moves whole blocks and sees no accesses. A block is allocated when its first page comes
 * after it had none. */
#include "paging/evict.h"

typedef struct state {
    ww_page_block *first, *last; /* with resident pages, in the order of allocation */
} state;

static void arrived(void *own, ww_page_residency *r, ww_page_record *record)
{
    state *s = own;
    ww_page_block *block = record->block;
    (void)r;
    if (block->resident != 1)
        return;
    block->before = s->last;
    block->after = NULL;
    if (s->last)
        s->last->after = block;
    else
        s->first = block;
    s->last = block;
}

static void leaving(void *own, ww_page_residency *r, ww_page_record *record)
{
    state *s = own;
    ww_page_block *block = record->block;
    (void)r;
    if (block->resident != 1)
        return;
    if (block->before)
        block->before->after = block->after;
    else
        s->first = block->after;
    if (block->after)
        block->after->before = block->before;
    else
        s->last = block->before;
}

static ww_page_record *choose(void *own, const ww_page_residency *r, const ww_victim_test *test)
{
    const state *s = own;
    for (ww_page_block *block = s->first; block; block = block->after)
        for (uint32_t i = 0; i < r->block_pages; i++)
            if (block->page[i].state == WW_PAGE_RESIDENT && ww_may_leave(test, &block->page[i]))
                return &block->page[i];
    return NULL;
}

extern const ww_evict ww_evict_allocation2m;
const ww_evict ww_evict_allocation2m = {
    .policy = {.name = "allocation2m",
               .doc = "a page of the 2 MiB block whose memory was allocated first",
               .state_size = sizeof(state)},
    .arrived = arrived,
    .leaving = leaving,
    .choose = choose,
};
