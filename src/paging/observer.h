/* Observers of paged memory: what happens to pages, when it happens. An observer changes nothing.
 * Times are cycles of the compute units. Every function may be NULL. */
#ifndef WW_PAGING_OBSERVER_H
#define WW_PAGING_OBSERVER_H

#include <stdbool.h>
#include <stdint.h>

typedef struct ww_paging_observer {
    /* A page of an instruction was translated: also where all pages are resident. */
    void (*accessed)(void *context, uint64_t cycle, uint64_t page);
    /* A far-fault of an instruction. */
    void (*faulted)(void *context, uint64_t cycle, unsigned cu, uint64_t page, bool writes);
    /* The compute unit requests a page again. */
    void (*replayed)(void *context, uint64_t cycle, unsigned cu, uint64_t page);
    /* A page has become resident at `to`; its bytes began to pass the link at `from`. `demanded`:
     * it had faulted, or was copied before a launch. */
    void (*migrated)(void *context, uint64_t from, uint64_t to, uint64_t page, bool demanded);
    /* A page is about to leave: no translation of it is left. */
    void (*evicted)(void *context, uint64_t cycle, uint64_t page, bool sent_back);
    /* A page was mapped where it is, on the host. */
    void (*mapped)(void *context, uint64_t cycle, uint64_t page);
    void *context;
} ww_paging_observer;

#endif
