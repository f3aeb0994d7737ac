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
 * forwarded     (cuptw.mode) an answer of the L2 TLB that has no free miss register: the compute
 *               unit that requested the page makes the walk itself. The translation comes back up,
 *               frees its register of the L1 TLB, and goes to the compute unit's walker.
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
    WW_PROTECTION_FAULT,
    WW_FORWARDED /* no answer yet: its compute unit makes the walk */
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
    uint64_t frame; /* the answer: the physical address of the page's first byte; at a walker of a
                       compute unit, the node in which its walk starts (`level`) */
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
    bool past_l1;     /* the answer: the L1 TLB keeps no entry of it */
    uint8_t level;    /* of the entry that a compute unit's walk reads first; 0: the root's */
    uint16_t walker;  /* the compute unit that makes its walk, with cuptw.mode softwalker */
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
    const ww_translation *needed; /* pages that the instruction needs at a time, this one too; */
    uint32_t pages;               /* so many */
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

/* A compute unit's own walker (vm/cuptw/cu_walker.h): translation wavefronts, one for each
 * scheduler, that wait for a unit of the compute unit stage by stage, and issue in cycles in which
 * no warp of a kernel can; or one walk warp that issues before all warps, and makes walks of all
 * compute units (cuptw.mode softwalker). The compute unit calls all of this in its own cycles. */
typedef struct ww_cu_walker ww_cu_walker;

/* Units of a compute unit that execute stages of walks. */
typedef enum ww_walk_unit {
    WW_WALK_SIMD,
    WW_WALK_SCALAR,
    WW_WALK_BRANCH,
    WW_WALK_LDS,
    WW_WALK_MEMORY,
    WW_WALK_UNITS
} ww_walk_unit;

/* Vector and scalar registers of 32 bits that a translation wavefront needs. */
typedef struct ww_wavefront_registers {
    uint64_t vector, scalar;
} ww_wavefront_registers;

ww_wavefront_registers ww_cu_walker_registers(const ww_cu_walker *walker);
/* Whether it is a walk warp, which has its registers for good and issues before other warps. */
bool ww_cu_walker_goes_first(const ww_cu_walker *walker);
/* A launch leaves room for so many wavefronts, and so many bytes of the local data share. No walk
 * is in progress. */
void ww_cu_walker_begin(ww_cu_walker *walker, unsigned wavefronts, uint64_t lds_bytes);
/* A translation is forwarded here now: it comes later, and is expected until then. False: it cannot
 * be. */
bool ww_cu_walker_reserve(ww_cu_walker *walker);
/* No translation is here; one may be expected. */
bool ww_cu_walker_is_idle(const ww_cu_walker *walker);
/* Receives translations and replies, sets up threads, and sends requests. */
void ww_cu_walker_tick(ww_cu_walker *walker, uint64_t cycle);
/* When that is needed again if nothing arrives; WW_NEVER: not before something does. */
uint64_t ww_cu_walker_next(const ww_cu_walker *walker, uint64_t cycle);
/* The cycle from which a scheduler's wavefront can issue; WW_NEVER: something has to arrive. */
uint64_t ww_cu_walker_eligible(const ww_cu_walker *walker, unsigned scheduler);
/* That its next instruction needs. */
ww_walk_unit ww_cu_walker_unit(const ww_cu_walker *walker, unsigned scheduler);
/* The wavefront, which is eligible, issues. Returns for how many cycles its unit is busy. */
unsigned ww_cu_walker_issue(ww_cu_walker *walker, unsigned scheduler, uint64_t cycle);
/* Warps that could have issued waited for units that wavefronts occupied, for so many cycles. */
void ww_cu_walker_add_delay(ww_cu_walker *walker, uint64_t cycles);

#endif
