/* The walker of a compute unit, for its sources. */
#ifndef WW_VM_CUPTW_CU_WALKER_INTERNAL_H
#define WW_VM_CUPTW_CU_WALKER_INTERNAL_H

#include "vm/cuptw/cu_walker.h"

typedef struct ww_walk_thread {
    ww_translation *translation;
    uint64_t address; /* virtual */
    uint64_t node;    /* that has the entry of `level` */
    uint64_t entry;   /* that was read last */
    uint8_t level;    /* of the entry that it reads now or next */
    uint8_t upper;    /* the level of the entry that it has just read, above the leaf; 0: none */
    bool restart;     /* its page was invalidated */
    uint8_t wavefront, number;
    uint8_t reader; /* the thread whose request reads its entry, too */
} ww_walk_thread;

/* Masks are of threads. */
typedef struct ww_wavefront {
    uint64_t eligible; /* cycle; WW_NEVER: not before something arrives */
    uint64_t active;   /* with a translation; 0: the wavefront is free */
    uint64_t working;  /* of them, those that have entries to read */
    uint64_t reading;  /* of them, those that read in this round */
    uint64_t unsent;   /* of them, those whose request is not sent */
    uint64_t sent;     /* likewise: those that wait for their reply */
    uint8_t stage;     /* ww_wavefront_stage: the next one */
    uint8_t issued;    /* instructions of that stage */
    bool filling;      /* it has not issued yet */
    uint8_t filled;    /* threads, while it is filling */
    ww_walk_thread threads[WW_MOST_WALK_THREADS];
} ww_wavefront;

struct ww_cu_walker {
    ww_cu_walker_config config;
    ww_cu_walker_wiring wiring;
    ww_port in, replies;
    ww_translation *queue, *last; /* that wait for a thread: a list */
    uint32_t waiting, walking;    /* translations: in the list, and in threads */
    uint32_t expected;            /* translations that are on their way, or in the port */
    unsigned room;                /* wavefronts that have registers */
    uint64_t set_up;              /* the cycle of the last set-up */
    ww_wavefront *sending;        /* with requests to send; NULL: none */
    bool caches;                  /* the cache has rows */
    unsigned leaf_level;
    ww_lds_walk_cache *cache;
    ww_wavefront *wavefronts;
    ww_cuptw_counters counters;
};

/* cu_walker_stages.c */

/* The stage of a wavefront whose walks begin. */
ww_wavefront_stage ww_wavefront_first_stage(const ww_cu_walker *walker);
/* The reply of the thread's request has come, for all whose entries it reads. */
void ww_wavefront_receive(ww_cu_walker *walker, ww_wavefront *wavefront, unsigned thread,
                          uint64_t cycle);
/* Sends the next request of `sending`, if there is room. */
void ww_wavefront_send(ww_cu_walker *walker);

#endif
