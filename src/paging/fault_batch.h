/* A batch: the faults that a driver fetches from the fault buffer and serves together, as NVIDIA's
 * open UVM driver does (release 595, uvm_gpu_replayable_faults.c).
 *
 * duplicate   a fault of a page that the batch has already. The driver finds it
 *             - while it fetches: against the last fault of the same uTLB, or against the last
 *               fault that it kept. That one must not demand less of the page.
 *             - when it has sorted the rest: beside a fault of the same page.
 * block       2 MiB of virtual addresses: faults of a block are served together
 * After the fetch a batch has one fault for each page, in the order of addresses, with the access
 * that demands most. */
#ifndef WW_PAGING_FAULT_BATCH_H
#define WW_PAGING_FAULT_BATCH_H

#include "paging/fault_buffer.h"

typedef struct ww_fault_batch_config {
    uint32_t size;        /* most entries that it fetches */
    uint32_t utlbs;       /* of the machine */
    uint32_t block_pages; /* pages of a block */
} ww_fault_batch_config;

/* Over all batches. raw = pages + the three kinds of duplicates. */
typedef struct ww_fault_batch_counters {
    uint64_t raw, pages;
    uint64_t same_utlb, same_as_last, after_sort;
} ww_fault_batch_counters;

typedef struct ww_fault_batch {
    ww_fault_batch_config config;
    ww_fault_entry *faults;
    uint32_t raw;   /* entries that were fetched */
    uint32_t count; /* faults that were kept */
    uint32_t next;  /* the first fault of the next block */
    ww_fault_entry last;
    uint32_t *last_of_utlb; /* the index + 1 of its last fault; 0: it has none in this batch */
    ww_fault_batch_counters counters;
} ww_fault_batch;

/* Faults of one block and address space, at least one. */
typedef struct ww_fault_block {
    const ww_fault_entry *faults;
    uint32_t count;
    uint16_t asid;
    uint64_t number; /* address over 2 MiB */
} ww_fault_block;

void ww_fault_batch_create(ww_fault_batch *batch, const ww_fault_batch_config *config);
void ww_fault_batch_destroy(ww_fault_batch *batch); /* its counters can still be read */

/* Fetches the next batch, and returns how many entries it has. Reads PUT first if the driver knows
 * of no entry. */
uint32_t ww_fault_batch_fetch(ww_fault_batch *batch, ww_fault_buffer *buffer);
/* False: the batch has no further block. */
bool ww_fault_batch_next_block(ww_fault_batch *batch, ww_fault_block *block);

#endif
