/* Simulated global memory: buffers at virtual addresses, sparse, with bounds.
 *
 * buffer   a range of virtual addresses that the simulated program may touch, backed by host
 *          memory that the operating system commits page by page as it is written
 * Two buffers are never adjacent: accesses between them fault. Address 0 is never inside one.
 * All values of global memory are here; the timing model moves no data. */
#ifndef WW_EXEC_MEMORY_H
#define WW_EXEC_MEMORY_H

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct ww_memory ww_memory;

/* Buffers end below it. The timing model's code and private memory, and the windows of generic
 * addresses (uop.h), are above. */
#define WW_MEMORY_END UINT64_C(0x600000000000)

/* Where pages of a buffer should be: advice for a machine that moves pages, as cudaMemAdvise and
 * cudaMemPrefetchAsync give it. */
typedef enum ww_preferred { WW_PREFER_NONE, WW_PREFER_HOST, WW_PREFER_GPU } ww_preferred;

typedef struct ww_buffer_hints {
    ww_preferred preferred; /* the memory that its pages stay in */
    bool accessed_by;       /* the GPU has them mapped, wherever they are */
    bool read_mostly;       /* host and GPU may both have a copy of a page that is read */
    bool prefetch;          /* its pages move to the GPU before the next launch */
} ww_buffer_hints;

typedef struct ww_buffer {
    const char *name; /* for messages */
    uint64_t address; /* virtual */
    uint64_t size;    /* bytes */
    uint8_t *host;    /* size bytes */
    bool read_only;   /* .const: stores fault */
    uint64_t number;  /* from 1, in the order in which buffers were added */
    bool host_wrote;  /* the host has given it values since it was added */
    bool borrowed;    /* `host` is the caller's */
    ww_buffer_hints hints;
} ww_buffer;

/* Chooses the address of a new buffer: the placement policy (host/placement). `end` is the first
 * address after the buffers below it. The result is at least `end`. NULL: the next 4 KiB page. A
 * new buffer gets the lowest range that removed buffers left and that it fits into: one where the
 * placement would put the next buffer no higher than that is. */
typedef struct ww_placer {
    uint64_t (*place)(void *state, uint64_t end, uint64_t size);
    void *state;
} ww_placer;

ww_memory *ww_memory_create(const ww_placer *placer);
void ww_memory_destroy(ww_memory *memory);

/* A new zeroed buffer; the name is copied. NULL with a WW_FAILED error when the host has too little
 * memory. A size of 0 gives a buffer with an address but no bytes. */
const ww_buffer *ww_memory_add(ww_memory *memory, const char *name, uint64_t size, bool read_only,
                               ww_errors *errors);
/* A buffer whose values are in the caller's own memory, which outlives it. */
const ww_buffer *ww_memory_adopt(ww_memory *memory, const char *name, void *host, uint64_t size,
                                 ww_errors *errors);
/* A new zeroed buffer that host and simulated program know by the same address: pointers in it mean
 * the same to both. */
const ww_buffer *ww_memory_add_shared(ww_memory *memory, const char *name, uint64_t size,
                                      ww_errors *errors);
/* The buffer's range returns: accesses there fault until a new buffer gets it. */
void ww_memory_remove(ww_memory *memory, const ww_buffer *buffer);

/* The host has written to the buffer, or has hints about it: they replace those before. The buffer
 * is found by its address. */
void ww_memory_host_wrote(ww_memory *memory, const ww_buffer *buffer);
void ww_memory_hint(ww_memory *memory, const ww_buffer *buffer, ww_buffer_hints hints);

/* The buffer that holds all of [address, address + size), or NULL. */
const ww_buffer *ww_memory_find(const ww_memory *memory, uint64_t address, uint64_t size);
/* The buffer nearest to an address that is in none; NULL when there are no buffers. */
const ww_buffer *ww_memory_nearest(const ww_memory *memory, uint64_t address);
/* The removed buffer that had the address, unless a later one overlaps its range; NULL: none. It
 * has no bytes. */
const ww_buffer *ww_memory_removed(const ww_memory *memory, uint64_t address);
uint64_t ww_memory_added(const ww_memory *memory); /* the number of the newest buffer */

uint64_t ww_memory_footprint(const ww_memory *memory); /* sum of sizes */

/* All buffers by address, for reports and hashes of the memory image. */
size_t ww_memory_buffers(const ww_memory *memory, const ww_buffer *const **buffers);

#endif
