#include "paging/residency.h"

#include "base/memory.h"

#include <assert.h>
#include <string.h>

void ww_page_residency_init(ww_page_residency *r, unsigned page_shift)
{
    *r = (ww_page_residency){.page_shift = page_shift};
    r->block_pages = (uint32_t)(WW_BLOCK_BYTES >> page_shift);
}

void ww_page_residency_clear(ww_page_residency *r)
{
    for (size_t i = 0; i < r->block_count; i++)
        free(r->blocks[i]);
    free(r->blocks);
    free(r->on_host.items);
    free(r->resident.items);
    ww_number_map_clear(&r->known);
}

/* ---- bags ---- */

static void bag_add(ww_page_bag *bag, ww_page_record *record)
{
    if (bag->count == bag->capacity) {
        bag->capacity = bag->capacity ? 2 * bag->capacity : 1024;
        bag->items = ww_realloc(bag->items, bag->capacity, sizeof(ww_page_record *));
    }
    record->index = (uint32_t)bag->count;
    bag->items[bag->count++] = record;
}

static void bag_remove(ww_page_bag *bag, ww_page_record *record)
{
    ww_page_record *last = bag->items[--bag->count];
    bag->items[record->index] = last;
    last->index = record->index;
}

/* ---- blocks ---- */

/* The first block with this number or a higher one. */
static size_t position_of(const ww_page_residency *r, uint64_t number)
{
    size_t low = 0, high = r->block_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (r->blocks[middle]->number < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static ww_page_block *make_block(ww_page_residency *r, uint64_t number)
{
    ww_page_block *block = ww_calloc(1, sizeof(*block) + r->block_pages * sizeof(ww_page_record));
    block->number = number;
    for (uint32_t i = 0; i < r->block_pages; i++) {
        block->page[i].block = block;
        block->page[i].in_block = (uint16_t)i;
    }
    if (r->block_count == r->block_capacity) {
        r->block_capacity = r->block_capacity ? 2 * r->block_capacity : 64;
        r->blocks = ww_realloc(r->blocks, r->block_capacity, sizeof(ww_page_block *));
    }
    size_t at = position_of(r, number);
    memmove(&r->blocks[at + 1], &r->blocks[at], (r->block_count - at) * sizeof(ww_page_block *));
    r->blocks[at] = block;
    r->block_count++;
    ww_number_map_set(&r->known, number, (uint64_t)(uintptr_t)block);
    return block;
}

static ww_page_block *find_block(const ww_page_residency *r, uint64_t number)
{
    uint64_t known = ww_number_map_get(&r->known, number);
    return known == WW_NO_NUMBER ? NULL : (ww_page_block *)(uintptr_t)known;
}

ww_page_record *ww_page_residency_find(const ww_page_residency *r, uint64_t page)
{
    ww_page_block *block = find_block(r, page / r->block_pages);
    ww_page_record *record = block ? &block->page[page % r->block_pages] : NULL;
    return record && record->state != WW_PAGE_NONE ? record : NULL;
}

/* ---- states ---- */

/* The block's count of pages in this state; NULL: they are not counted. */
static uint32_t *count_of(ww_page_block *block, uint8_t state)
{
    switch (state) {
    case WW_PAGE_ON_HOST: return &block->on_host;
    case WW_PAGE_RESIDENT: return &block->resident;
    case WW_PAGE_COMING: return &block->coming;
    case WW_PAGE_LEAVING: return &block->leaving;
    default: return NULL;
    }
}

static ww_page_bag *bag_of(ww_page_residency *r, uint8_t state)
{
    return state == WW_PAGE_ON_HOST ? &r->on_host : state == WW_PAGE_RESIDENT ? &r->resident : NULL;
}

void ww_page_residency_set_state(ww_page_residency *r, ww_page_record *record, ww_page_state state)
{
    ww_page_bag *from = bag_of(r, record->state), *to = bag_of(r, (uint8_t)state);
    uint32_t *less = count_of(record->block, record->state);
    uint32_t *more = count_of(record->block, (uint8_t)state);
    if (from)
        bag_remove(from, record);
    if (less)
        --*less;
    record->state = (uint8_t)state;
    if (more)
        ++*more;
    if (to)
        bag_add(to, record);
}

void ww_page_residency_add(ww_page_residency *r, uint64_t address, uint64_t bytes)
{
    uint64_t end = (address + bytes + (1ull << r->page_shift) - 1) >> r->page_shift;
    for (uint64_t page = address >> r->page_shift; page < end; page++) {
        ww_page_block *block = find_block(r, page / r->block_pages);
        if (!block)
            block = make_block(r, page / r->block_pages);
        ww_page_record *record = &block->page[page % r->block_pages];
        if (record->buffers++)
            continue;
        r->pages++;
        if (record->state == WW_PAGE_NONE)
            ww_page_residency_set_state(r, record, WW_PAGE_ON_HOST);
    }
}

void ww_page_residency_remove(ww_page_residency *r, uint64_t address, uint64_t bytes,
                              void (*gone)(void *context, ww_page_record *record), void *context)
{
    uint64_t end = (address + bytes + (1ull << r->page_shift) - 1) >> r->page_shift;
    for (uint64_t page = address >> r->page_shift; page < end; page++) {
        ww_page_record *record = ww_page_residency_find(r, page);
        assert(record && record->buffers);
        if (--record->buffers)
            continue;
        r->pages--;
        gone(context, record);
    }
}

/* ---- candidates of prefetchers ---- */

ww_page_record *ww_page_residency_next_candidate(const ww_page_residency *r, uint64_t page)
{
    uint64_t number = page / r->block_pages;
    for (size_t i = position_of(r, number); i < r->block_count; i++) {
        ww_page_block *block = r->blocks[i];
        if (!block->on_host)
            continue;
        for (uint64_t at = block->number == number ? page % r->block_pages : 0; at < r->block_pages;
             at++)
            if (ww_page_residency_is_candidate(&block->page[at]))
                return &block->page[at];
    }
    return NULL;
}

/* Few draws find one, unless nearly all pages on the host are chosen. */
ww_page_record *ww_page_residency_any_candidate(const ww_page_residency *r, ww_rng *rng)
{
    const ww_page_bag *bag = &r->on_host;
    size_t count = 0;
    for (unsigned i = 0; bag->count && i < 16; i++) {
        ww_page_record *record = bag->items[ww_rng_below(rng, bag->count)];
        if (ww_page_residency_is_candidate(record))
            return record;
    }
    for (size_t i = 0; i < bag->count; i++)
        count += ww_page_residency_is_candidate(bag->items[i]);
    size_t skipped = count ? (size_t)ww_rng_below(rng, count) : 0;
    for (size_t i = 0; i < bag->count; i++)
        if (ww_page_residency_is_candidate(bag->items[i]) && !skipped--)
            return bag->items[i];
    return NULL;
}

/* ---- the list ---- */

void ww_page_residency_append(ww_page_residency *r, ww_page_record *record)
{
    record->older = r->newest;
    record->newer = NULL;
    if (r->newest)
        r->newest->newer = record;
    else
        r->oldest = record;
    r->newest = record;
}

void ww_page_residency_unlink(ww_page_residency *r, ww_page_record *record)
{
    if (record->older)
        record->older->newer = record->newer;
    else
        r->oldest = record->newer;
    if (record->newer)
        record->newer->older = record->older;
    else
        r->newest = record->older;
}
