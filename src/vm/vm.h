/* Translation: from the pages that a memory instruction touches to the frames that they are in.
 *
 *     load/store unit ─ L1 TLB ─┐
 *                               ├─ L2 TLB ─ (IOMMU's TLBs) ─ walk buffer ─ walkers ─ PTE reads to the L2 or the DRAM
 *     load/store unit ─ L1 TLB ─┘
 *
 * page          its number: a virtual address over the size of a page
 * translation   one page's request on its way down, and its answer on the way back: one object. It belongs to who made it.
 *               A TLB that misses passes the object of the first requester on and keeps the others, so that a walk
 *               is known by the instruction that asked first.
 * story         what a memory instruction had to do with walkers, over all of its pages; who made the translations gives it back
 *               to the walkers' statistics when the last has come back
 *
 * This is the contract between compute units and translation. */
#ifndef WW_VM_VM_H
#define WW_VM_VM_H

#include "mem/mem.h"

typedef struct ww_story {
    uint64_t number;       /* of the instruction, over the whole GPU, from 1 */
    uint32_t wave;         /* the place of its warp, over the whole GPU */
    uint32_t walks;        /* requests of it that came to the walk buffer */
    uint32_t done;         /* of them, that have their answer */
    uint32_t reads;        /* of page-table entries, for them */
    uint64_t last_walk;    /* the number of the last one among all that came */
    bool interleaved;      /* another instruction's came between them */
    ww_tick missed;        /* when the last TLB did not know the first of them */
    ww_tick first_answer;  /* from then to the answer of the walk that was answered first, */
    ww_tick last_answer;   /* and of the one that was answered last */
    ww_tick first_latency; /* of these two, each from its own miss to its answer */
    ww_tick last_latency;
    struct ww_walk_job *job; /* the walk buffer's */
} ww_story;

typedef struct ww_translation {
    uint64_t page;
    uint64_t frame; /* the answer: the physical address of the page's first byte */
    ww_story *story;
    void *owner;
    struct ww_translation *link; /* free for who holds it at the moment */
    ww_tick made;
    ww_tick missed;   /* when the last TLB so far did not know it */
    ww_tick started;  /* when a walker took it up; 0: none did */
    ww_tick answered; /* when who made it had the answer */
    uint32_t held; /* ticks that it waited in queues of TLBs whose miss registers were all in use */
    uint16_t source; /* the L1 TLB that it comes from */
    uint16_t unit;   /* of those that share that TLB, the one that it goes back to */
} ww_translation;

/* Ticks in which a TLB's queue waited for a miss register: a request that joins the queue subtracts them from `held`, and adds
 * them when it leaves. */
static inline uint32_t ww_translation_held(const ww_port *port, ww_tick now)
{
    const ww_blame_clock *clock = port->blame;
    if (!clock)
        return 0;
    return clock->base.ticks[WW_CAUSE_TRANSLATION] +
           (clock->cause == WW_CAUSE_TRANSLATION ? (uint32_t)now : 0);
}

#endif
