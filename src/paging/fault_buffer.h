/* The fault buffer: a ring of entries that the GPU's hardware writes and the driver reads.
 *
 * PUT       where the hardware writes the next entry: a register of the GPU
 * GET       the entry that the driver reads next. PUT = GET means empty, so one entry stays free.
 * cached    the driver's copy of PUT. To read the register takes long, so the driver does that when
 *           GET has reached the copy, and else only if told to.
 * uTLB      the TLB that the fault came through: a compute unit's
 * A fault that finds the buffer full is dropped: its request faults again after the next replay. */
#ifndef WW_PAGING_FAULT_BUFFER_H
#define WW_PAGING_FAULT_BUFFER_H

#include "engine/engine.h"

#include <stdbool.h>
#include <stdint.h>

/* A later one demands more of the page. */
typedef enum ww_fault_access { WW_FAULT_READ, WW_FAULT_WRITE } ww_fault_access;

typedef struct ww_fault_entry {
    uint64_t page;
    ww_tick time;
    uint32_t utlb;
    uint16_t asid;
    uint8_t access; /* ww_fault_access */
} ww_fault_entry;

typedef struct ww_fault_buffer {
    ww_fault_entry *entries;
    uint32_t capacity;
    uint32_t get, put, cached_put;
    uint64_t written, dropped, flushed; /* entries; dropped: not written */
    uint64_t put_reads;                 /* of the register */
} ww_fault_buffer;

void ww_fault_buffer_create(ww_fault_buffer *buffer, uint32_t capacity); /* at least 2 */
void ww_fault_buffer_destroy(ww_fault_buffer *buffer); /* its counters can still be read */

/* ---- the hardware ---- */

/* False: the buffer is full, and the fault is dropped. */
bool ww_fault_buffer_write(ww_fault_buffer *buffer, const ww_fault_entry *entry);

/* ---- the driver ---- */

/* Entries up to the cached PUT. */
uint32_t ww_fault_buffer_cached(const ww_fault_buffer *buffer);
/* Entries, which only the hardware knows. */
uint32_t ww_fault_buffer_used(const ww_fault_buffer *buffer);
void ww_fault_buffer_read_put(ww_fault_buffer *buffer);
/* The entry at GET, which advances. There is one before the cached PUT. */
ww_fault_entry ww_fault_buffer_fetch(ww_fault_buffer *buffer);
/* Moves GET to the cached PUT, and returns how many entries that drops. Their requests fault again
 * after the next replay. */
uint32_t ww_fault_buffer_flush(ww_fault_buffer *buffer);

#endif
