/* Migration: moves pages between the host and the GPU's memory.
 *
 * bring     a page gets a frame, its data passes the link and is written into the GPU's memory, it
 *           is entered into the page table, and the driver is told. Pages come in the order in
 *           which they were brought.
 * evict     when no frame is free: the eviction policy chooses pages that leave. They are taken out
 *           of the page table; a shoot-down removes their translations; their lines leave the
 *           caches, and their data is read and sent over the link if the host does not have it.
 *           Then the frame is free.
 * times     when a page is sent and resident at the earliest
 * blank     neither the host nor a kernel has written the page: with zero_fill it does not pass the
 *           link when it comes; zeros are written into its frame
 * chunk     what memory is given in: a page, or 2 MiB for all pages of a block (paging.chunk)
 * pin       a compute unit was told that the page is there, and has not used it yet: the page
 *           leaves only for one that a fault asked for, and if no other one can
 * set       pages of the driver's present set leave only if no other one can
 * senior    one instruction whose pages do not leave until all of them are translated: so that one
 *           instruction always goes on, however little memory there is */
#ifndef WW_PAGING_MIGRATION_H
#define WW_PAGING_MIGRATION_H

#include "paging/dma.h"
#include "paging/evict.h"
#include "paging/pcie.h"
#include "paging/timers.h"

/* The GPU's memory and translation, by page. */
typedef struct ww_paging_memory {
    bool (*place)(void *context, uint64_t page);      /* gives it a frame; false: there is none */
    uint64_t (*frame)(void *context, uint64_t page);  /* its physical address */
    bool (*enter)(void *context, uint64_t page);      /* into the page table; false: no memory */
    bool (*enter_host)(void *context, uint64_t page); /* as the host's; false: no memory */
    void (*unmap)(void *context, uint64_t page);      /* out of the page table */
    void (*release)(void *context, uint64_t page);    /* frees the frame */
    /* Removes the translations of sorted pages from the machine; then calls `done`. */
    void (*shoot_down)(void *context, const uint64_t *pages, uint32_t count,
                       void (*done)(void *owner), void *owner);
    /* Drops the lines of a frame from all caches. */
    void (*drop_lines)(void *context, uint64_t physical);
    /* Writes all caches back and invalidates them; then calls `done`. */
    void (*flush)(void *context, void (*done)(void *owner), void *owner);
    void (*out_of_memory)(void *context); /* the run cannot go on */
    void *context;
} ww_paging_memory;

typedef struct ww_migration_config {
    uint64_t page_bytes;
    uint32_t chunk_pages; /* 1: frames are given by page; else a block's */
    bool always_back;     /* clean pages are sent back, too */
    bool flushes_all;     /* an eviction flushes whole caches */
    bool zero_fill;       /* blank pages do not pass the link */
} ww_migration_config;

/* All 0: as soon as possible. */
typedef struct ww_page_times {
    ww_tick sent, resident; /* not before */
    bool after_memory;      /* both count from when the page has memory */
} ww_page_times;

struct ww_paging_counters;

typedef struct ww_migration_wiring {
    ww_timers *timers;
    ww_page_residency *residency;
    ww_pcie *pcie;
    ww_dma *dma;
    const ww_evict *evict;
    void *evict_state;
    ww_paging_memory memory;
    struct ww_paging_counters *counters;
    void (*arrived)(void *context, ww_page_record *record);
    void (*starved)(void *context); /* it is stuck, unless a resident page is used */
    /* For observers; may be NULL. A page has become resident, whose bytes began to pass the link at
     * `since`. No translation of a page is left: its data is sent back, or it is dropped. */
    void (*migrated)(void *context, const ww_page_record *record, ww_tick since);
    void (*evicted)(void *context, const ww_page_record *record, bool sent_back);
    void (*mapped)(void *context, const ww_page_record *record); /* on the host */
    void *context;
} ww_migration_wiring;

typedef struct ww_migration ww_migration;

ww_migration *ww_migration_create(const ww_migration_config *config,
                                  const ww_migration_wiring *wiring);
void ww_migration_destroy(ww_migration *migration);

/* Pages that may have memory at a time; it can only grow. */
void ww_migration_set_capacity(ww_migration *migration, uint64_t pages);
bool ww_migration_is_full(const ww_migration *migration);        /* the next page makes one leave */
uint64_t ww_migration_free_pages(const ww_migration *migration); /* until it is full */
/* The page is on the host, or is leaving: then it comes again. It gets memory at once, or when
 * another page has left. */
void ww_migration_bring(ww_migration *migration, ww_page_record *record, ww_page_times times);
/* Pages of this set (ww_page_record.set) are kept, if possible. */
void ww_migration_keep_set(ww_migration *migration, uint64_t set);
uint64_t ww_migration_coming(const ww_migration *migration); /* pages that were brought and wait */

/* The page is resident at once, in no time: a buffer that needs no copy. */
void ww_migration_put(ww_migration *migration, ww_page_record *record);

/* A page on the host is mapped there, at once. */
void ww_migration_map_host(ww_migration *migration, ww_page_record *record);
/* A resident page's data is sent to the host; the page stays. */
void ww_migration_copy_back(ww_migration *migration, ww_page_record *record,
                            void (*done)(void *context, ww_page_record *record), void *context);

/* Between launches: the page is no buffer's any more. One that is on its way is forgotten when it
 * has arrived. */
void ww_migration_forget(ww_migration *migration, ww_page_record *record);

/* The senior instruction; 0: none. */
uint64_t ww_migration_senior(const ww_migration *migration);
void ww_migration_set_senior(ww_migration *migration, uint64_t number);
/* A page's pins or the senior have changed: a page may be able to leave now. */
void ww_migration_retry(ww_migration *migration);
/* Pages that wait for memory while no page can leave, and nothing is on its way. */
bool ww_migration_is_stuck(const ww_migration *migration);
uint64_t ww_migration_capacity(const ww_migration *migration); /* in pages */

#endif
