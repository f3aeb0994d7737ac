#include "paging/fault_batch.h"

#include "base/memory.h"

#include <string.h>

void ww_fault_batch_create(ww_fault_batch *b, const ww_fault_batch_config *config)
{
    *b = (ww_fault_batch){.config = *config};
    b->faults = ww_calloc(config->size, sizeof(*b->faults));
    b->last_of_utlb = ww_calloc(config->utlbs, sizeof(*b->last_of_utlb));
}

void ww_fault_batch_destroy(ww_fault_batch *b)
{
    free(b->faults);
    free(b->last_of_utlb);
    b->faults = NULL;
    b->last_of_utlb = NULL;
}

static bool is_same_page(const ww_fault_entry *a, const ww_fault_entry *b)
{
    return a->page == b->page && a->asid == b->asid;
}

/* `last` is the fault as it was kept: a later fault of its uTLB, which raised its access, does not
 * change it. */
static void add(ww_fault_batch *b, const ww_fault_entry *entry)
{
    uint32_t *of_utlb = &b->last_of_utlb[entry->utlb];
    ww_fault_entry *same = *of_utlb ? &b->faults[*of_utlb - 1] : NULL;
    if (same && is_same_page(same, entry)) {
        same->access = entry->access > same->access ? entry->access : same->access;
        b->counters.same_utlb++;
    } else if (b->count && is_same_page(&b->last, entry) && entry->access <= b->last.access) {
        b->counters.same_as_last++;
    } else {
        b->last = b->faults[b->count++] = *entry;
        *of_utlb = b->count;
    }
}

/* By address space and page, the most demanding access of a page first; then as they came. */
static int compare(const void *left, const void *right)
{
    const ww_fault_entry *a = left, *b = right;
    if (a->asid != b->asid)
        return a->asid < b->asid ? -1 : 1;
    if (a->page != b->page)
        return a->page < b->page ? -1 : 1;
    if (a->access != b->access)
        return a->access > b->access ? -1 : 1;
    if (a->time != b->time)
        return a->time < b->time ? -1 : 1;
    return a->utlb < b->utlb ? -1 : a->utlb > b->utlb;
}

static void sort_and_merge(ww_fault_batch *b)
{
    qsort(b->faults, b->count, sizeof(*b->faults), compare);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < b->count; i++)
        if (!kept || !is_same_page(&b->faults[kept - 1], &b->faults[i]))
            b->faults[kept++] = b->faults[i];
    b->counters.after_sort += b->count - kept;
    b->count = kept;
}

uint32_t ww_fault_batch_fetch(ww_fault_batch *b, ww_fault_buffer *buffer)
{
    if (!ww_fault_buffer_cached(buffer))
        ww_fault_buffer_read_put(buffer);
    memset(b->last_of_utlb, 0, b->config.utlbs * sizeof(*b->last_of_utlb));
    b->raw = b->count = b->next = 0;
    for (; b->raw < b->config.size && ww_fault_buffer_cached(buffer); b->raw++) {
        ww_fault_entry entry = ww_fault_buffer_fetch(buffer);
        add(b, &entry);
    }
    sort_and_merge(b);
    b->counters.raw += b->raw;
    b->counters.pages += b->count;
    return b->raw;
}

bool ww_fault_batch_next_block(ww_fault_batch *b, ww_fault_block *block)
{
    if (b->next == b->count)
        return false;
    const ww_fault_entry *first = &b->faults[b->next];
    *block = (ww_fault_block){
        .faults = first, .asid = first->asid, .number = first->page / b->config.block_pages};
    for (; b->next < b->count; b->next++, block->count++) {
        const ww_fault_entry *fault = &b->faults[b->next];
        if (fault->asid != block->asid || fault->page / b->config.block_pages != block->number)
            break;
    }
    return true;
}
