/* Translation: from the pages that a memory instruction touches to their frames.
 *
 *     load/store unit ─ L1 TLB ─┐
 *                               ├─ L2 TLB ─ (IOMMU's TLBs) ─ walk buffer ─ walkers ─ L2 or DRAM
 *     load/store unit ─ L1 TLB ─┘
 *
 * page          its number: a virtual address divided by the page size
 * space         an address space, by its identifier (ASID). The same page of two spaces has two
 *               translations; every level keeps them apart.
 * translation   one page's request on its way down, and its answer on the way back: one object. The
 *               load/store unit owns it. A TLB that misses sends the first requester's object down
 *               and keeps the others, so a walk belongs to the instruction that requested its page
 *               first.
 * answer        a frame, a far-fault (the page has no frame in this memory) or a protection fault
 *               (the page must not be written). TLBs hold frames only: a page that faulted is
 *               walked for again by its next request, unless its miss register is held (tlb.h).
 * instruction   identity of a memory instruction. It travels with each of its translations; what is
 *               counted about an instruction's walks, the walkers keep for themselves
 *               (walk_records.h).
 * walk records  the walkers' table of such counts. The load/store unit tells it when the last page
 *               of an instruction is translated.
 *
 * This is the contract between compute units and translation. */
#ifndef WW_VM_VM_H
#define WW_VM_VM_H

#include "mem/mem.h"

typedef struct ww_instruction_id {
    uint64_t number;    /* over the whole GPU, from 1 */
    uint32_t warp_slot; /* the slot of its warp, over the whole GPU */
    uint16_t asid;      /* the address space of its addresses */
} ww_instruction_id;

typedef enum ww_translation_status {
    WW_TRANSLATED,
    WW_FAR_FAULT,
    WW_PROTECTION_FAULT
} ww_translation_status;

#define WW_MOST_RUN 7u

/* Pages that an answer is for besides its own (tlbmerge.h): of the aligned 8^size pages around it,
 * the valid eighths, as bits. They are contiguous in physical memory, too, and as writable as the
 * page. Size 0: the page alone. */
typedef struct ww_page_run {
    uint8_t size, valid;
} ww_page_run;

typedef struct ww_translation {
    uint64_t page;
    uint64_t frame; /* the answer: the physical address of the page's first byte */
    ww_instruction_id instruction;
    void *owner;
    struct ww_translation *link; /* for the component that holds it */
    ww_tick made;
    ww_tick missed;   /* when it missed in the last TLB so far */
    ww_tick started;  /* when its walk started; 0: it has none */
    ww_tick answered; /* when the load/store unit received the answer */
    uint32_t held;    /* ticks in queues of TLBs that had no free miss register */
    uint16_t source;  /* the L1 TLB that it came through */
    uint16_t unit;    /* the sharer of that TLB that it returns to */
    bool writes;      /* the instruction writes to the page */
    bool writable;    /* the answer: the page may be written */
    uint8_t status;   /* the answer: ww_translation_status */
    ww_page_run run;  /* the answer: the pages that it is for */
    bool again;       /* for the load/store unit: it has to be requested again */
    uint32_t parked;  /* likewise: ticks for which its instruction was parked */
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

#define WW_ASID_SHIFT 48 /* virtual addresses have fewer bits */

/* The page of an address space as one number: what TLBs compare. */
static inline uint64_t ww_page_key(uint16_t asid, uint64_t page)
{
    return (uint64_t)asid << WW_ASID_SHIFT | page;
}

static inline uint64_t ww_translation_key(const ww_translation *t)
{
    return ww_page_key(t->instruction.asid, t->page);
}

/* A page of an instruction has no translation. */
typedef struct ww_page_fault {
    ww_instruction_id instruction; /* with the address space */
    uint64_t page;
    uint32_t pages; /* that the instruction needs at a time */
    bool writes;
    uint8_t status; /* WW_FAR_FAULT or WW_PROTECTION_FAULT */
} ww_page_fault;

typedef enum ww_fault_verdict {
    WW_FAULT_PARK, /* the instruction waits for the replay of its page */
    WW_FAULT_FINAL /* the run ends with a line that names kernel, access and address */
} ww_fault_verdict;

/* Handles the faults of compute units. It is told of each fault, also of several for one page.
 * Later it replays the page (core.h: ww_cu_replay), on every compute unit that has a fault of it:
 * the translation goes through the L1 TLB again, and may fault again. Until then the instruction is
 * parked: it occupies no entry of its load/store unit. A fault can be on its way when its page is
 * replayed: the handler is told of it after that, and replays the page again, perhaps at once. */
typedef struct ww_fault_handler {
    ww_fault_verdict (*fault)(void *context,
                              const ww_page_fault *fault); /* NULL: every fault is final */
    /* A page of an instruction was answered with a frame. NULL: the handler is not told. */
    void (*translated)(void *context, const ww_translation *t);
    /* All pages of an instruction that had a fault are translated. NULL: likewise. */
    void (*completed)(void *context, const ww_instruction_id *instruction);
    void *context;
} ww_fault_handler;

/* The message that translations of some pages, or of a whole address space, must not be used any
 * more. The page table was changed before. A component that gets it drops what it holds and marks
 * what is in flight. It acknowledges when no stale translation can leave it. The list of pages is
 * the sender's, and may be gone when the component has returned. */
typedef struct ww_invalidation {
    const uint64_t *pages; /* sorted, without duplicates */
    uint32_t count;
    uint16_t asid;
    bool all; /* pages of the space */
    void (*acknowledge)(void *context);
    void *context;
} ww_invalidation;

static inline bool ww_invalidation_has(const ww_invalidation *what, uint16_t asid, uint64_t page)
{
    uint32_t first = 0, end = what->count;
    if (asid != what->asid || what->all)
        return asid == what->asid;
    while (first < end) {
        uint32_t middle = first + (end - first) / 2;
        if (what->pages[middle] == page)
            return true;
        if (what->pages[middle] < page)
            first = middle + 1;
        else
            end = middle;
    }
    return false;
}

static inline bool ww_invalidation_covers(const ww_invalidation *what, const ww_translation *t)
{
    return ww_invalidation_has(what, t->instruction.asid, t->page);
}

typedef struct ww_walk_records ww_walk_records;

/* All pages of the instruction are translated: it has no further walk. */
void ww_walk_records_end(ww_walk_records *records, const ww_instruction_id *instruction);

#endif
