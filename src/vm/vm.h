/* Translation: from the pages that a memory instruction touches to their frames.
 *
 *     load/store unit ─ L1 TLB ─┐
 *                               ├─ L2 TLB ─ (IOMMU's TLBs) ─ walk buffer ─ walkers ─ L2 or DRAM
 *     load/store unit ─ L1 TLB ─┘
 *
 * page          its number: a virtual address divided by the page size
 * translation   one page's request on its way down, and its answer on the way back: one object. The
 *               load/store unit owns it. A TLB that misses sends the first requester's object down
 *               and keeps the others, so a walk belongs to the instruction that requested its page
 *               first.
 * record        of a memory instruction: its walks, over all of its pages. The load/store unit
 *               hands it to the walkers' statistics when the last page is translated.
 *
 * This is the contract between compute units and translation. */
#ifndef WW_VM_VM_H
#define WW_VM_VM_H

#include "mem/mem.h"

typedef struct ww_translation_record {
    uint64_t number;               /* of the instruction, over the whole GPU, from 1 */
    uint32_t warp_slot;            /* the slot of its warp, over the whole GPU */
    uint32_t walks;                /* its requests that missed in every TLB */
    uint32_t done;                 /* of them, answered */
    uint32_t reads;                /* of page-table entries, by these walks */
    uint64_t last_walk;            /* number of its latest walk, among all walks */
    bool interleaved;              /* another instruction's walk came between its walks */
    ww_tick missed;                /* when its first walk missed in the last TLB */
    ww_tick first_answer;          /* from then to its first answer */
    ww_tick last_answer;           /* from then to its last answer */
    ww_tick first_latency;         /* of the first answered walk, from its own miss */
    ww_tick last_latency;          /* of the last answered walk, likewise */
    struct ww_walk_bundle *bundle; /* used by the walk buffer alone */
} ww_translation_record;

typedef struct ww_translation {
    uint64_t page;
    uint64_t frame; /* the answer: the physical address of the page's first byte */
    ww_translation_record *record;
    void *owner;
    struct ww_translation *link; /* for the component that holds it */
    ww_tick made;
    ww_tick missed;   /* when it missed in the last TLB so far */
    ww_tick started;  /* when its walk started; 0: it has none */
    ww_tick answered; /* when the load/store unit received the answer */
    uint32_t held;    /* ticks in queues of TLBs that had no free miss register */
    uint16_t source;  /* the L1 TLB that it came through */
    uint16_t unit;    /* the sharer of that TLB that it returns to */
} ww_translation;

/* Ticks in which a TLB's queue waited for a miss register. A request subtracts them from `held`
 * when it joins the queue, and adds them when it leaves. */
static inline uint32_t ww_translation_held(const ww_port *port, ww_tick now)
{
    const ww_blame_clock *clock = port->blame;
    if (!clock)
        return 0;
    return clock->base.ticks[WW_CAUSE_TRANSLATION] +
           (clock->cause == WW_CAUSE_TRANSLATION ? (uint32_t)now : 0);
}

#endif
