/* Residency: which pages of a program's buffers are on the host, on their way, or on the GPU.
 *
 * page      of a buffer, by its number (virtual address over the page size)
 * state     host: it has no frame. coming: it gets one, and its data. resident: kernels can use it.
 *           leaving: it is taken out of its frame. remote: it stays on the host, and kernels use it
 *           there.
 * block     2 MiB of virtual addresses: pages that a driver may move or evict together
 * list      resident pages, in the order that the eviction policy keeps them in
 * set       a page belongs to the set of pages that the driver moves at present
 *
 * Records do not move. Pages of code and private memory are not here: they are always resident. */
#ifndef WW_PAGING_RESIDENCY_H
#define WW_PAGING_RESIDENCY_H

#include "base/number_map.h"
#include "base/rng.h"
#include "engine/engine.h"

#include <stdbool.h>
#include <stdint.h>

#define WW_BLOCK_BYTES (2ull << 20)

typedef enum ww_page_state {
    WW_PAGE_NONE, /* of no buffer */
    WW_PAGE_ON_HOST,
    WW_PAGE_COMING,
    WW_PAGE_RESIDENT,
    WW_PAGE_LEAVING,
    WW_PAGE_REMOTE /* on the host, and mapped there */
} ww_page_state;

typedef struct ww_page_record {
    struct ww_page_block *block;
    struct ww_page_record *older, *newer; /* resident pages, for the eviction policy */
    uint64_t senior;                      /* the instruction that keeps it (migration.h); 0: none */
    uint64_t set;                         /* the last set that it was in */
    struct ww_move *again; /* while it leaves: how it comes again; NULL: it does not */
    uint32_t index;        /* among all pages on the host, or all resident ones */
    uint32_t buffers;      /* that it is a part of */
    uint16_t pins;         /* compute units that have to replay it */
    uint16_t in_block;     /* its number there */
    uint8_t state;
    bool chosen;       /* it is in a set, or will be brought */
    bool demanded;     /* a fault asked for it */
    bool dirty;        /* written since it came */
    bool unused;       /* prefetched, and not accessed since it came */
    bool prefers_host; /* a fault maps it instead of bringing it */
    bool read_mostly;  /* the host keeps its copy until the page is written */
    bool blank;        /* neither the host nor a kernel has written it (migration.h) */
} ww_page_record;

typedef struct ww_page_block {
    uint64_t number;                      /* address over WW_BLOCK_BYTES */
    uint32_t on_host, resident, moving;   /* pages, coming or leaving */
    uint32_t waiting;                     /* of them, those that come and have no memory yet */
    bool has_chunk;                       /* memory for the whole block is its own */
    bool evicting;                        /* all its pages are about to leave */
    struct ww_page_block *before, *after; /* for the eviction policy */
    ww_page_record page[];
} ww_page_block;

/* Records in no order; each knows its index. */
typedef struct ww_page_bag {
    ww_page_record **items;
    size_t count, capacity;
} ww_page_bag;

typedef struct ww_page_residency {
    unsigned page_shift;
    uint32_t block_pages;
    uint64_t pages; /* of all buffers */
    ww_page_bag on_host, resident;
    ww_page_block **blocks; /* in the order of addresses */
    size_t block_count, block_capacity;
    ww_number_map known;             /* blocks as addresses in the simulator, by number */
    ww_page_record *oldest, *newest; /* the list */
} ww_page_residency;

void ww_page_residency_init(ww_page_residency *r, unsigned page_shift);
void ww_page_residency_clear(ww_page_residency *r);

/* A buffer comes into being, and goes. `gone` is called for each page that is no buffer's any more,
 * and sets its state (ww_migration_forget). One that is still on its way when another buffer comes
 * to its place is that buffer's. */
void ww_page_residency_add(ww_page_residency *r, uint64_t address, uint64_t bytes);
void ww_page_residency_remove(ww_page_residency *r, uint64_t address, uint64_t bytes,
                              void (*gone)(void *context, ww_page_record *record), void *context);

/* NULL: the page belongs to no buffer. */
ww_page_record *ww_page_residency_find(const ww_page_residency *r, uint64_t page);
static inline uint64_t ww_page_residency_page(const ww_page_residency *r,
                                              const ww_page_record *record)
{
    return record->block->number * r->block_pages + record->in_block;
}

void ww_page_residency_set_state(ww_page_residency *r, ww_page_record *record, ww_page_state state);

/* Whether walks find it. */
static inline bool ww_page_residency_is_present(const ww_page_record *record)
{
    return record->state == WW_PAGE_RESIDENT || record->state == WW_PAGE_REMOTE;
}

/* Whether a prefetcher may choose it. */
static inline bool ww_page_residency_is_candidate(const ww_page_record *record)
{
    return record->state == WW_PAGE_ON_HOST && !record->chosen && !record->prefers_host;
}
/* The first candidate at or after a page, in the order of addresses; NULL: none. */
ww_page_record *ww_page_residency_next_candidate(const ww_page_residency *r, uint64_t page);
/* A candidate, each with the same chance; NULL: none. */
ww_page_record *ww_page_residency_any_candidate(const ww_page_residency *r, ww_rng *rng);

/* The list of resident pages. */
void ww_page_residency_append(ww_page_residency *r, ww_page_record *record);
void ww_page_residency_unlink(ww_page_residency *r, ww_page_record *record);

#endif
