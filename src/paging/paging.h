/* Paged GPU memory: pages of a program's buffers begin on the host, and move to the GPU when a
 * kernel needs them.
 *
 *     compute unit ─ fault ─> driver ─ bring ─> migration ─ link (PCIe) ─ DMA ─> GPU memory
 *         ^                     │                   │
 *         └────── replay ───────┘                   └─ eviction: shoot-down, DMA, link
 *
 * mode    resident: all pages are on the GPU from the start (there is none of this). copy: buffers
 *         are copied before a launch. demand: pages come by faults.
 *
 * Values are not here: pages that are on the host have theirs in exec/memory.h like all others.
 * This is the contract with sim: it is told of buffers, launches and faults, and moves pages. */
#ifndef WW_PAGING_PAGING_H
#define WW_PAGING_PAGING_H

#include "config/config.h"
#include "engine/clock.h"
#include "paging/driver.h"
#include "paging/observer.h"
#include "paging/paging_schema.h"
#include "paging/paging_stats.h"

typedef struct ww_paging_wiring {
    ww_engine *engine;
    ww_clock clock; /* of the network */
    uint64_t base_hertz;
    ww_request_pool *pool;
    ww_policy_start start; /* for its policies; the prefix is set here */
    ww_paging_memory memory;
    ww_paging_hardware hardware;
    uint32_t networks; /* that send to the host's memory */
    uint32_t line, sector;
    unsigned page_shift;
    bool own_page; /* an instruction accesses a page as soon as that one is translated */
    /* Pages in the order of their first access in a first pass; it outlives the paging. */
    const uint64_t *order;
    size_t order_count;
    const ww_paging_observer *observer; /* NULL: none; it outlives the paging */
} ww_paging_wiring;

typedef struct ww_paging ww_paging;

/* The mode is not `resident`. */
ww_paging *ww_paging_create(const ww_config *config, const ww_paging_wiring *wiring);
void ww_paging_destroy(ww_paging *paging);
typedef struct ww_paging_network {
    ww_port *dma;            /* where DMA sends its requests, */
    uint16_t source;         /* and the source's number for the replies */
    ww_port *const *replies; /* by network: where those of the host's memory go */
    uint32_t sources;        /* of each network */
} ww_paging_network;

void ww_paging_connect(ww_paging *paging, const ww_paging_network *network); /* once */
/* Where networks send requests for the host's memory. */
ww_port *ww_paging_host_port(ww_paging *paging);
ww_port *ww_paging_replies(ww_paging *paging);

/* Between launches. `host_wrote`: the host has data in it that the GPU may need. */
void ww_paging_add_buffer(ww_paging *paging, uint64_t address, uint64_t bytes, bool host_wrote);
/* The host has written a buffer that it had not written before; again: nothing happens. */
void ww_paging_host_wrote(ww_paging *paging, uint64_t address, uint64_t bytes);
void ww_paging_remove_buffer(ww_paging *paging, uint64_t address, uint64_t bytes);

/* Before a launch: advice about the buffer's pages, as cudaMemAdvise gives it. */
typedef struct ww_paging_hints {
    bool prefers_host; /* a fault maps a page where it is */
    bool mapped;       /* pages on the host are mapped without a fault */
    bool read_mostly;  /* the host keeps a copy of a page that comes */
    bool prefetch;     /* pages come at the begin of the launch */
} ww_paging_hints;
void ww_paging_hint(ww_paging *paging, uint64_t address, uint64_t bytes,
                    const ww_paging_hints *hints);

/* Its time continues at a tick that has not run yet, and stands still after the launch. */
void ww_paging_begin_launch(ww_paging *paging, ww_tick at);
void ww_paging_end_launch(ww_paging *paging);
/* After the last launch: time continues. */
void ww_paging_resume(ww_paging *paging, ww_tick at);
/* mode copy: whether pages are still on their way before the launch can start. */
bool ww_paging_is_copying(const ww_paging *paging);
/* After the last launch, where results are copied back: whether they are; pages begin to. */
bool ww_paging_copies_back(const ww_paging *paging);
void ww_paging_copy_back(ww_paging *paging);

/* The fault handler of a compute unit. */
ww_fault_handler ww_paging_handler(ww_paging *paging, unsigned cu);

/* Whether no page can move although pages wait for memory: it is too small for one instruction. */
bool ww_paging_is_stuck(const ww_paging *paging);
uint64_t ww_paging_capacity(const ww_paging *paging); /* pages */
const ww_paging_counters *ww_paging_count(const ww_paging *paging);
void ww_paging_collect_stats(ww_paging *paging); /* brings the counters up to date */

typedef struct ww_paging_sample {
    uint64_t ticks, link_in, link_out; /* so far: of the time, and those with data on the link */
    uint64_t bytes_in, bytes_out;      /* so far, given to the link */
    uint64_t faults, evictions;        /* so far */
    uint64_t pages_in, prefetched;     /* so far: pages that came; those without a fault */
    uint64_t resident, coming;         /* pages; those that wait for memory */
} ww_paging_sample;
ww_paging_sample ww_paging_sample_now(const ww_paging *paging);

#endif
