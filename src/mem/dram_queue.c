#include "mem/dram_queue.h"

#include "base/memory.h"

#include <assert.h>

void ww_dram_queue_init(ww_dram_queue *queue, uint32_t entries)
{
    assert(entries < WW_DRAM_NO_ENTRY);
    *queue = (ww_dram_queue){.entries = ww_calloc_rows(entries * sizeof(ww_dram_entry)),
                             .free = WW_DRAM_NO_ENTRY};
    for (uint32_t i = entries; i-- > 0;) {
        queue->entries[i].next = queue->free;
        queue->free = (uint16_t)i;
    }
    for (int d = 0; d < 2; d++)
        for (int b = 0; b < WW_DRAM_BANKS; b++)
            queue->lists[d][b] = (ww_dram_list){
                .hit_row = WW_DRAM_NO_ROW, .first = WW_DRAM_NO_ENTRY, .last = WW_DRAM_NO_ENTRY};
}

void ww_dram_queue_clear(ww_dram_queue *queue)
{
    free(queue->entries);
    *queue = (ww_dram_queue){0};
}

void ww_dram_queue_add(ww_dram_queue *queue, const ww_dram_entry *entry)
{
    uint16_t index = queue->free;
    ww_dram_entry *e = &queue->entries[index];
    ww_dram_list *list = &queue->lists[entry->direction][entry->bank];
    queue->free = e->next;
    *e = *entry;
    e->order = queue->order++;
    e->next = WW_DRAM_NO_ENTRY;
    e->previous = list->last;
    if (list->last == WW_DRAM_NO_ENTRY)
        list->first = index;
    else
        queue->entries[list->last].next = index;
    list->last = index;
    if (list->hit_row == e->row && list->hit == WW_DRAM_NO_ENTRY)
        list->hit = index;
    queue->count[e->direction]++;
    queue->banks[e->direction] |= UINT64_C(1) << e->bank;
}

void ww_dram_queue_remove(ww_dram_queue *queue, ww_dram_entry *entry)
{
    uint16_t index = (uint16_t)(entry - queue->entries);
    ww_dram_list *list = &queue->lists[entry->direction][entry->bank];
    if (entry->previous == WW_DRAM_NO_ENTRY)
        list->first = entry->next;
    else
        queue->entries[entry->previous].next = entry->next;
    if (entry->next == WW_DRAM_NO_ENTRY)
        list->last = entry->previous;
    else
        queue->entries[entry->next].previous = entry->previous;
    if (list->hit == index)
        list->hit_row = WW_DRAM_NO_ROW;
    queue->count[entry->direction]--;
    if (list->first == WW_DRAM_NO_ENTRY)
        queue->banks[entry->direction] &= ~(UINT64_C(1) << entry->bank);
    entry->next = queue->free;
    queue->free = index;
}

ww_dram_entry *ww_dram_queue_hit(ww_dram_queue *queue, unsigned direction, uint32_t bank,
                                 uint64_t open_row)
{
    ww_dram_list *list = &queue->lists[direction][bank];
    if (list->hit_row != open_row) {
        uint16_t i = list->first;
        while (i != WW_DRAM_NO_ENTRY && queue->entries[i].row != open_row)
            i = queue->entries[i].next;
        list->hit = i;
        list->hit_row = open_row;
    }
    return list->hit == WW_DRAM_NO_ENTRY ? NULL : &queue->entries[list->hit];
}

ww_dram_entry *ww_dram_queue_first(const ww_dram_queue *queue, unsigned direction, uint32_t bank,
                                   uint64_t open_row)
{
    ww_dram_entry *best = ww_dram_queue_oldest(queue, direction, bank);
    for (uint16_t i = best->next; i != WW_DRAM_NO_ENTRY; i = queue->entries[i].next) {
        ww_dram_entry *e = &queue->entries[i];
        bool hits = e->row == open_row && best->row != open_row;
        if (e->rank < best->rank || (e->rank == best->rank && hits))
            best = e;
    }
    return best;
}

uint32_t ww_dram_queue_written(const ww_dram_queue *queue, uint32_t bank, uint64_t line)
{
    uint32_t sectors = 0;
    uint16_t i = queue->lists[WW_DRAM_WRITE][bank].first;
    for (; i != WW_DRAM_NO_ENTRY; i = queue->entries[i].next)
        if (queue->entries[i].line == line)
            sectors |= queue->entries[i].sectors;
    return sectors;
}

static bool others_want_row(const ww_dram_queue *queue, unsigned direction,
                            const ww_dram_entry *entry)
{
    uint16_t i = queue->lists[direction][entry->bank].first;
    for (; i != WW_DRAM_NO_ENTRY; i = queue->entries[i].next)
        if (&queue->entries[i] != entry && queue->entries[i].row == entry->row)
            return true;
    return false;
}

bool ww_dram_queue_is_last(const ww_dram_queue *queue, const ww_dram_entry *entry)
{
    bool last_burst = (entry->bursts & (entry->bursts - 1)) == 0;
    return last_burst && !others_want_row(queue, WW_DRAM_READ, entry) &&
           !others_want_row(queue, WW_DRAM_WRITE, entry);
}
