/* Chunks: memory of the GPU in pieces of 2 MiB, each for one block of virtual addresses, in the
 * order in which NVIDIA's open UVM driver evicts them (release 595, uvm_pmm_gpu.c).
 *
 * free     no block's
 * empty    its block has no resident page: it can leave without a copy
 * used     its block has resident pages. The order is that of allocation, or of the first page that
 *          came after the chunk was empty; accesses do not change it.
 * held     must not be evicted now: its block is in service, or has a page that must stay
 * A block takes a whole chunk when its first page comes, however few pages follow. */
#ifndef WW_PAGING_CHUNKS_H
#define WW_PAGING_CHUNKS_H

#include <stdbool.h>
#include <stdint.h>

#define WW_NO_CHUNK UINT32_MAX

typedef enum ww_chunk_list {
    WW_CHUNKS_FREE,
    WW_CHUNKS_EMPTY,
    WW_CHUNKS_USED,
    WW_CHUNK_LISTS
} ww_chunk_list;

typedef struct ww_chunk {
    uint64_t block;        /* its number; of a chunk that is not free */
    uint32_t older, newer; /* in its list; WW_NO_CHUNK: none */
    uint32_t holds;
    uint8_t list; /* ww_chunk_list */
} ww_chunk;

typedef struct ww_chunks {
    ww_chunk *items; /* by number */
    struct {
        uint32_t oldest, newest;
    } lists[WW_CHUNK_LISTS];
} ww_chunks;

void ww_chunks_create(ww_chunks *chunks, uint32_t count);
void ww_chunks_destroy(ww_chunks *chunks);

/* The chunk that is free longest, used and held once from now on; WW_NO_CHUNK: none is free. */
uint32_t ww_chunks_allocate(ww_chunks *chunks, uint64_t block);
/* No block's any more; it is not held. */
void ww_chunks_free(ww_chunks *chunks, uint32_t chunk);
/* Its block got the first resident page, or lost the last one. */
void ww_chunks_set_used(ww_chunks *chunks, uint32_t chunk, bool used);
/* Each hold ends with a release. */
void ww_chunks_hold(ww_chunks *chunks, uint32_t chunk);
void ww_chunks_release(ww_chunks *chunks, uint32_t chunk);
/* The chunk to evict when none is free: the oldest empty one, else the oldest used one, that is not
 * held. WW_NO_CHUNK: all are held. Takes a step for each held chunk that is older. */
uint32_t ww_chunks_victim(const ww_chunks *chunks);

#endif
