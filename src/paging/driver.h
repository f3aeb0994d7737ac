/* Paging drivers: the software on the host that serves far-faults, with the protocol by which the
 * GPU's hardware tells it of them.
 *
 * fault       a compute unit's request met a page that is on the host, or still on its way
 * replay      the compute unit requests the page again, by an ordinary walk
 * services    what a driver works with: time, pages, memory, the link
 *
 * A driver decides when a fault is seen, which pages move together, and when compute units replay.
 * ww_migration_bring moves a page, which makes others leave; the driver is told when it is there.
 * All its times are ticks of ww_timers. */
#ifndef WW_PAGING_DRIVER_H
#define WW_PAGING_DRIVER_H

#include "paging/hardware.h"
#include "paging/migration.h"
#include "paging/pcie.h"
#include "paging/prefetch.h"
#include "paging/timers.h"
#include "vm/vm.h"

struct ww_paging_counters; /* paging_stats.h */

typedef struct ww_paging_services {
    ww_timers *timers;
    ww_page_residency *residency;
    ww_migration *migration;
    ww_pcie *pcie;
    ww_paging_hardware hardware;
    struct ww_paging_counters *counters;
    const ww_prefetch *prefetch, *warm; /* the policies, */
    void *prefetch_state, *warm_state;  /* and their states */
    const uint64_t *order;              /* for the oracle: ww_prefetch_view */
    size_t order_count;
    uint64_t base_hertz; /* ticks in a second */
    ww_tick page_ticks;  /* that a page takes on the link */
    uint64_t page_bytes;
} ww_paging_services;

typedef struct ww_paging_driver {
    ww_policy policy;
    bool warms; /* it follows paging.warm */
    /* Once, before the first launch; the services outlive the driver. */
    void (*connect)(void *state, const ww_paging_services *services);
    void (*destroy)(void *state); /* frees what `connect` made; NULL: nothing */
    /* A launch begins: buffers may have come or gone. */
    void (*launch)(void *state);
    /* A request of a compute unit faulted; its instruction waits for a replay. Called once for each
     * instruction: also several times for one page, and for one that has just become resident. */
    void (*fault)(void *state, unsigned cu, ww_page_record *record, const ww_page_fault *fault);
    /* A request of the compute unit for the page was answered with its frame. Only called while
     * the page has pins. */
    void (*translated)(void *state, unsigned cu, ww_page_record *record);
    /* The page is resident: walks find it. */
    void (*arrived)(void *state, ww_page_record *record);
    /* Pages wait for memory, and no page can leave or is on its way: whoever waits for a page that
     * is resident has to use it. NULL: nobody does. */
    void (*starved)(void *state);
    /* Prints what it waits for; NULL: nothing. */
    ww_explain_fn *explain;
} ww_paging_driver;

extern const ww_policy_family ww_paging_driver_family;

/* Picoseconds of a key as ticks, rounded to the nearest, at least 0. */
static inline ww_tick ww_paging_ticks(const ww_paging_services *s, uint64_t picoseconds)
{
    return (ww_tick)(((unsigned __int128)picoseconds * s->base_hertz + 500000000000ull) /
                     1000000000000ull);
}

#endif
