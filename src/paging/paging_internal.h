/* What paging.c (faults, buffers, launches) and paging_build.c (making the parts) share. */
#ifndef WW_PAGING_PAGING_INTERNAL_H
#define WW_PAGING_PAGING_INTERNAL_H

#include "base/memory.h"
#include "paging/paging.h"
#include "paging/remote.h"

/* The context of a compute unit's fault handler. */
typedef struct ww_cu_handler {
    ww_paging *paging;
    unsigned cu;
} ww_cu_handler;

struct ww_paging {
    ww_paging_mode mode;
    ww_copy_mode copy;
    double fraction;
    ww_paging_wiring wiring;
    ww_timers *timers;
    ww_page_residency residency;
    ww_number_map unwritten; /* addresses of buffers that the host has not written */
    ww_pcie *pcie;
    ww_dma *dma;
    ww_remote *remote;
    ww_migration *migration;
    uint32_t chunk_pages;
    const ww_evict *evict;
    void *evict_state;
    const ww_paging_driver *driver; /* of mode demand */
    void *driver_state;
    ww_paging_services services;
    ww_cu_handler *handlers;
    bool too_small;   /* memory, for an instruction */
    uint64_t copying; /* pages on their way before a launch, or after the last */
    ww_tick copy_since;
    ww_paging_counters counters;
    ww_paging_observer observer;
};

/* paging.c: callbacks of the parts, and compute units as an observer sees them. */
void ww_paging_arrived(void *context, ww_page_record *record);
void ww_paging_starved(void *context);
void ww_paging_migrated(void *context, const ww_page_record *record, ww_tick since);
void ww_paging_evicted(void *context, const ww_page_record *record, bool sent_back);
void ww_paging_mapped(void *context, const ww_page_record *record);
ww_paging_hardware ww_paging_observed_hardware(ww_paging *p);

#endif
