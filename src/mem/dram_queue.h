/* The requests that wait in a DRAM channel, by bank and direction, oldest first.
 *
 * entry    a waiting request, in a table of fixed size; a write keeps no ww_request
 * hit      of a bank and direction: its oldest entry for the row open at its last lookup */
#ifndef WW_MEM_DRAM_QUEUE_H
#define WW_MEM_DRAM_QUEUE_H

#include "mem/dram_device.h"
#include "mem/request.h"

#define WW_DRAM_NO_ENTRY UINT16_MAX

typedef struct ww_dram_entry {
    _Alignas(64) ww_request *request; /* NULL: a write */
    uint64_t line;                    /* address */
    uint64_t order;
    uint64_t arrived; /* cycle */
    uint64_t row;
    uint32_t sectors;        /* of a write: that can be forwarded */
    uint32_t bursts;         /* that are still to be issued, a bit for each */
    uint16_t next, previous; /* of the same bank and direction */
    uint8_t bank;
    uint8_t direction; /* WW_DRAM_READ or WW_DRAM_WRITE */
    uint8_t rank;      /* the scheduler's: smaller goes first */
    bool begun;        /* a command was issued for it */
} ww_dram_entry;

typedef struct ww_dram_list {
    uint64_t hit_row; /* WW_DRAM_NO_ROW: `hit` is not known */
    uint16_t first, last;
    uint16_t hit;
} ww_dram_list;

typedef struct ww_dram_queue {
    ww_dram_entry *entries;
    uint16_t free;
    uint64_t order; /* of the next entry */
    uint32_t count[2];
    uint64_t banks[2]; /* that have entries, a bit for each */
    ww_dram_list lists[2][WW_DRAM_BANKS];
} ww_dram_queue;

void ww_dram_queue_init(ww_dram_queue *queue, uint32_t entries);
void ww_dram_queue_clear(ww_dram_queue *queue);

/* A new entry, the youngest of its bank and direction; there is a free one. `order` and links are
 * set here. */
void ww_dram_queue_add(ww_dram_queue *queue, const ww_dram_entry *entry);
void ww_dram_queue_remove(ww_dram_queue *queue, ww_dram_entry *entry);

/* The oldest entry of a bank for its open row; NULL: none. A row is open. */
ww_dram_entry *ww_dram_queue_hit(ww_dram_queue *queue, unsigned direction, uint32_t bank,
                                 uint64_t open_row);
/* The entry of a bank that goes first by rank: of those with the smallest, the oldest for the open
 * row, else the oldest. There is one. */
ww_dram_entry *ww_dram_queue_first(const ww_dram_queue *queue, unsigned direction, uint32_t bank,
                                   uint64_t open_row);
/* There is one. */
static inline ww_dram_entry *ww_dram_queue_oldest(const ww_dram_queue *queue, unsigned direction,
                                                  uint32_t bank)
{
    return &queue->entries[queue->lists[direction][bank].first];
}
/* Whether an entry's next burst is the last that waits for its row. */
bool ww_dram_queue_is_last(const ww_dram_queue *queue, const ww_dram_entry *entry);
/* The sectors of a line that wait to be written. */
uint32_t ww_dram_queue_written(const ww_dram_queue *queue, uint32_t bank, uint64_t line);

#endif
