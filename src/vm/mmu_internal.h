/* The MMU's internals, for its sources. */
#ifndef WW_VM_MMU_INTERNAL_H
#define WW_VM_MMU_INTERNAL_H

#include "vm/mmu.h"

#define WW_NOT_LOOKED_UP (WW_LEVELS + 1) /* a level: the walk waits for a port of the caches */

/* The place of a walk at a walker, from its start to its answer. */
typedef struct ww_walk_slot {
    ww_walk walk;
    unsigned level;     /* of the entry that it reads now or next; 0: the slot is free */
    uint64_t node;      /* that has this entry */
    bool restart;       /* its page was invalidated, during the read or before it */
    ww_walk_lookup why; /* of its lookup in the walk caches */
    ww_tick started;
    ww_tick ready;             /* since when it could read its entry, where walks are batched */
    struct ww_walk_slot *link; /* in the list of free, of queued or of blocked slots */
} ww_walk_slot;

/* A walker that reads batches (walkmerge.h). */
typedef struct ww_walker {
    uint64_t used;                       /* slots with a walk, as bits */
    uint64_t ready;                      /* of them, that could read and are in no batch */
    uint8_t batch[WW_MOST_WALKER_WALKS]; /* slots, in the order of their reads */
    uint32_t count, sent;                /* in the batch; of them, whose reads have started */
    uint32_t outstanding;                /* of the batch, not yet read */
    ww_tick next_read;                   /* not before this tick */
    bool at_work;                        /* in the list: it has a batch to choose or to send */
    struct ww_walker *link;              /* in this list */
} ww_walker;

typedef struct ww_mmu_space {
    const ww_page_table *table; /* NULL: there is no such space */
    uint64_t root;
} ww_mmu_space;

struct ww_mmu {
    ww_task task;
    ww_port in, replies;
    ww_port walk_cache_lookups; /* slots, until their lookup is done */
    ww_port pte_cache_lookups;  /* likewise */
    ww_walk_buffer *buffer;
    ww_walk_slot *slots; /* by walker */
    uint32_t slot_count, free_count;
    ww_walk_slot *free;                   /* a list, if each walker has one slot */
    ww_walk_slot *blocked, *last_blocked; /* a list: their port of the memory is full */
    ww_walk_slot *queued, *last_queued;   /* a list: all ports of the walk caches are busy */
    ww_tick *cache_ports;                 /* when each is free */
    uint32_t per_walker;                  /* slots of a walker */
    ww_walker *walkers;                   /* NULL: walks are not batched */
    uint32_t next_walker;                 /* gets the next walk, if it has a free slot */
    ww_walker *at_work, *last_at_work;    /* a list */
    uint32_t busy;                        /* walkers with a walk */
    uint64_t arrived;                     /* requests so far */
    ww_tick accounted_to;                 /* busy and waiting time is counted up to here */
    ww_tick full_since;                   /* WW_NEVER: no request waits for the buffer */
    void *scheduler_state, *merge_state;  /* of policies */
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
void ww_mmu_look_up(ww_mmu *mmu, ww_walk_slot *slot); /* its walk, for its `why` */
void ww_mmu_start_queued_lookups(ww_mmu *mmu);
void ww_mmu_wake_for_cache_ports(ww_mmu *mmu);
void ww_mmu_finish_walk_cache_lookups(ww_mmu *mmu);

static inline uint32_t ww_mmu_walker_of(const ww_mmu *mmu, const ww_walk_slot *slot)
{
    return (uint32_t)(slot - mmu->slots) / mmu->per_walker;
}

/* mmu_slots.c */
void ww_mmu_create_slots(ww_mmu *mmu);
void ww_mmu_destroy_slots(ww_mmu *mmu);
ww_walk_slot *ww_mmu_take_slot(ww_mmu *mmu); /* free_count is not 0 */
void ww_mmu_free_slot(ww_mmu *mmu, ww_walk_slot *slot);
/* The walk can read its next entry: it does so now, or with a batch. */
void ww_mmu_slot_ready(ww_mmu *mmu, ww_walk_slot *slot);
/* The walk has the line that it read. */
void ww_mmu_slot_has_read(ww_mmu *mmu, const ww_walk_slot *slot);
void ww_mmu_read_batches(ww_mmu *mmu, ww_tick now);

/* mmu_read.c */
/* The sectors of a memory line that contain the entry's line of entries. */
uint32_t ww_mmu_sectors_of(const ww_mmu *mmu, uint64_t address);
void ww_mmu_read_entry(ww_mmu *mmu, ww_walk_slot *slot); /* the next one of its walk */
void ww_mmu_retry_blocked(ww_mmu *mmu);
void ww_mmu_receive_replies(ww_mmu *mmu, ww_tick now);
void ww_mmu_finish_pte_cache_lookups(ww_mmu *mmu);

#endif
