/* The keys of the driver transfer_sets. Times are picoseconds. */
#ifndef WW_PAGING_DRIVER_TRANSFER_SETS_H
#define WW_PAGING_DRIVER_TRANSFER_SETS_H

#include "paging/driver.h"
#include "paging/far_faults.h"

typedef enum ww_fault_service { WW_SERVICE_PIPELINED, WW_SERVICE_BATCHED } ww_fault_service;

/* When pages leave for one that faulted. */
typedef enum ww_evict_time {
    WW_EVICT_SENDING, /* when it is about to be sent */
    WW_EVICT_INSIDE,  /* when the driver has seen the fault */
    WW_EVICT_OUTSIDE  /* likewise, and the latency begins when they have left */
} ww_evict_time;

typedef struct ww_transfer_sets_config {
    ww_far_faults_config faults; /* without the number of compute units */
    uint64_t latency, interval, selection, interrupt;
    uint64_t channels;
    ww_fault_service service;
    ww_evict_time evict_time;
    bool full_all; /* when memory is full, a prefetcher adds all pages that it finds */
} ww_transfer_sets_config;

#define WW_TRANSFER_SETS_KEYS 12
extern const ww_key ww_transfer_sets_keys[WW_TRANSFER_SETS_KEYS];

ww_transfer_sets_config ww_transfer_sets_read(const ww_policy_start *start);

#endif
