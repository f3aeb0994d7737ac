/* The MMU's internals, for its sources. */
#ifndef WW_VM_MMU_INTERNAL_H
#define WW_VM_MMU_INTERNAL_H

#include "vm/mmu.h"

#define WW_NOT_LOOKED_UP (WW_LEVELS + 1) /* a level: the walker waits for a port of the caches */

typedef struct ww_walker {
    ww_walk walk;
    unsigned level; /* of the entry that it reads now or next; 0: idle */
    uint64_t node;  /* that has this entry */
    bool restart;   /* its page was invalidated during the read, or before the lookup */
    ww_tick started;
    ww_walk_lookup why;
    struct ww_walker *link; /* in the list of idle, of queued or of blocked walkers */
} ww_walker;

typedef struct ww_mmu_space {
    const ww_page_table *table; /* NULL: there is no such space */
    uint64_t root;
} ww_mmu_space;

struct ww_mmu {
    ww_task task;
    ww_port in, replies;
    ww_port walk_cache_lookups; /* walkers, until their lookup is done */
    ww_port pte_cache_lookups;  /* likewise */
    ww_walk_buffer *buffer;
    ww_walker *walkers;
    ww_walker *idle;
    ww_walker *blocked, *last_blocked; /* a list: their port of the memory is full */
    ww_walker *queued, *last_queued;   /* a list: all ports of the walk caches are busy */
    ww_tick *cache_ports;              /* when each is free */
    uint32_t busy;
    uint64_t arrived;                    /* requests so far */
    ww_tick accounted_to;                /* busy and waiting time is counted up to here */
    ww_tick full_since;                  /* WW_NEVER: no request waits for the buffer */
    void *scheduler_state, *merge_state; /* of policies */
    ww_walk_records *records;
    ww_walk_cache *cache;
    ww_lru lines;
    ww_mmu_config config;
    ww_engine *engine;
    ww_request_pool *pool;
    ww_mmu_space *spaces; /* by identifier */
    uint32_t space_count;
    ww_mmu_wiring wiring;
    unsigned leaf_level;
    ww_walk_counters counters;
};

/* The space of a walk's address. */
static inline const ww_mmu_space *ww_mmu_space_of(const ww_mmu *mmu, uint64_t address)
{
    return &mmu->spaces[address >> WW_ASID_SHIFT];
}

/* mmu_lookup.c */
ww_walk_start ww_mmu_start_of(ww_mmu *mmu, const ww_walk *walk, ww_walk_lookup why);
void ww_mmu_look_up(ww_mmu *mmu, ww_walker *walker); /* its walk, for its `why` */
void ww_mmu_start_queued_lookups(ww_mmu *mmu);
void ww_mmu_wake_for_cache_ports(ww_mmu *mmu);
void ww_mmu_finish_walk_cache_lookups(ww_mmu *mmu);

/* mmu_read.c */
void ww_mmu_read_entry(ww_mmu *mmu, ww_walker *walker); /* the next one of its walk */
void ww_mmu_retry_blocked(ww_mmu *mmu);
void ww_mmu_receive_replies(ww_mmu *mmu, ww_tick now);
void ww_mmu_finish_pte_cache_lookups(ww_mmu *mmu);

#endif
