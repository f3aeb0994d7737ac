/* The inside of the walkers, shared with policies that merge walks. */
#ifndef WW_VM_MMU_PARTS_H
#define WW_VM_MMU_PARTS_H

#include "vm/mmu.h"

typedef struct ww_walker {
    ww_walk walk;
    unsigned level; /* of the entry that is read, or will be next; 0: the walker is idle */
    uint64_t node;  /* where that entry is */
    ww_tick started;
    struct ww_walker *link; /* idle, or waiting for room in a port of the memory */
} ww_walker;

struct ww_mmu {
    ww_task task;
    ww_port in, replies;
    ww_port begun;  /* walkers that look up the walk caches */
    ww_port looked; /* walkers that look up the cache of lines */
    ww_walk_buffer *buffer;
    ww_walker *walkers;
    ww_walker *idle;
    ww_walker *blocked, *last_blocked; /* a list */
    uint32_t busy;
    uint64_t came;      /* requests so far */
    ww_tick counted;    /* when walkers and walks were counted last */
    ww_tick full_since; /* WW_NEVER: nobody waits outside */
    void *scheduler_state;
    ww_walk_cache *cache;
    ww_lru lines;
    ww_mmu_config config;
    ww_engine *engine;
    ww_request_pool *pool;
    const ww_page_table *table;
    ww_mmu_wiring wiring;
    unsigned leaf_level;
    ww_walk_counters counters;
};

/* mmu_read.c */
void ww_mmu_want_entry(ww_mmu *mmu, ww_walker *walker); /* that it needs next */
void ww_mmu_retry_blocked(ww_mmu *mmu);
void ww_mmu_take_replies(ww_mmu *mmu, ww_tick now);
void ww_mmu_take_looked(ww_mmu *mmu);
void ww_mmu_take_begun(ww_mmu *mmu);
/* For policies that merge: the walk, which waits, has its answer in the entry at this physical address. */
void ww_mmu_answer_waiting(ww_mmu *mmu, ww_walk *walk, uint64_t frame);

#endif
