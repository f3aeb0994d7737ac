/* The inside of a compute unit, shared by the files of this folder. */
#ifndef WW_CORE_CORE_INTERNAL_H
#define WW_CORE_CORE_INTERNAL_H

#include "base/memory.h"
#include "core/coalesce.h"
#include "core/core.h"
#include "core/observer.h"
#include "core/tally.h"

#define WW_RING 64u
#define WW_UNIT_BITS 8
#define WW_MOST_SCHEDULERS 8

/* What a warp that cannot issue waits for. Whether a wait for a load is a data hazard or the data
 * cache is known when the load completes. */
typedef enum ww_wait {
    WW_WAIT_SYNCHRONISATION,
    WW_WAIT_FETCH,
    WW_WAIT_CONTROL,
    WW_WAIT_OPERAND,
    WW_WAIT_LOAD,
    WW_WAIT_COUNT
} ww_wait;

/* Columns of the tally: what warps wait for (ww_wait), and why ready warps do not issue. */
enum {
    WW_COLUMN_STRUCTURAL = WW_WAIT_COUNT,
    WW_COLUMN_MSHR,
    WW_COLUMN_SCHEDULING,
    WW_COLUMN_COUNT
};
_Static_assert(WW_COLUMN_COUNT == WW_TALLY_COLUMNS, "a column for each");

/* A warp's timing state. What every instruction needs is in one line of the host's cache. */
typedef struct ww_slot_state {
    _Alignas(64) ww_warp *warp;
    uint64_t *ready_at; /* by register: when its value is ready; WW_NEVER: a load is in flight */
    uint64_t decided;   /* the cycle from which the next instruction is known */
    uint32_t pc;        /* of the next instruction */
    uint32_t buffered_from; /* instructions in its buffer */
    uint32_t buffered_to;
    uint32_t fetch_pc;
    uint32_t fetch_to; /* the end of the fetch in flight */
    uint32_t loads;    /* memory instructions in flight that have results */
    uint32_t stores;   /* stores that are not acknowledged */
    uint8_t unit;      /* of the next instruction */
    uint8_t wait;      /* ww_wait; WW_WAIT_COUNT: none. Stays WW_WAIT_OPERAND once ready */
    bool fetching;     /* through the instruction cache, or until `filled_at` */
    bool missed;       /* the load that it waits for missed */
    uint64_t issued;   /* instructions that are not in the counters yet */
    struct ww_resident *group;
    uint64_t filled_at; /* the cycle in which its scheduler's own cache fills its buffer */
    uint64_t born;
    uint64_t accounted_to; /* the cycle up to which its lifetime is in the counters */
    uint64_t load_hazard;  /* cycles of waits for loads, not in the counters yet: data hazards, */
    uint64_t load_cache;   /* and data cache */
} ww_slot_state;

typedef struct ww_resident {
    ww_group *group;
    uint64_t slots;
    bool used;
} ww_resident;

/* A memory instruction in flight. */
typedef struct ww_memory_op {
    uint64_t address; /* of its first line */
    uint32_t lines;
    uint32_t next;      /* line to be sent, of `sendable` */
    uint32_t sendable;  /* lines whose pages are translated */
    uint32_t remaining; /* requests pending or outstanding */
    uint32_t first_register;
    uint8_t written;
    uint8_t slot;
    uint8_t kind; /* ww_request_kind */
    uint32_t pc;
    bool missed;
    bool held;       /* an older instruction had to complete first */
    bool blamed;     /* it is sampled: `blame` is recorded */
    uint64_t issued; /* cycle */
    uint64_t born;   /* of its warp: another one may have the slot when a store is acknowledged */
    uint32_t entry;  /* of the load/store unit, until all lines are sent */
    uint32_t requested;    /* pages sent to the TLB */
    uint32_t untranslated; /* pages pending or outstanding */
    uint32_t faulted;      /* pages whose answer was a fault, and that are not replayed yet */
    ww_tick translated;    /* when its last page was; 0: it needs no translation */
    ww_instruction_id instruction;
    ww_blame blame;            /* of all its lines, up to where they wait to be sent */
    struct ww_memory_op *link; /* the next younger one in flight, or the next free one */
} ww_memory_op;

/* The pages of a memory instruction, one request for each. */
typedef struct ww_pages {
    uint32_t count;
    uint16_t of_line[WW_MOST_LINES];
    uint16_t order[WW_MOST_LINES]; /* with own_page: lines as they were translated */
    ww_translation page[WW_MOST_LINES];
    ww_blame blame[WW_MOST_LINES]; /* likewise, for sampled instructions: by page */
} ww_pages;

/* A queue of entries of the load/store unit. */
typedef struct ww_entry_queue {
    uint32_t *ring;
    uint32_t first, count, capacity;
} ww_entry_queue;

/* A load/store unit: one for vectors (L1 data cache) and one for scalars (scalar cache). */
typedef struct ww_load_store {
    ww_cu *cu;
    ww_cu_link link;
    ww_request_class class;
    ww_task task;
    ww_port replies;
    ww_memory_op **ops;   /* by entry: instructions with lines to be sent; NULL: it is free */
    ww_warp_lines *lines; /* of each of them */
    ww_pages *pages;      /* likewise; NULL: addresses are translated at once */
    uint32_t *free;       /* entries: a stack */
    uint32_t count, most;
    ww_entry_queue pending_translation; /* in order of issue: pages to be looked up */
    ww_entry_queue pending_send;        /* in order of translation: lines to be sent */
    struct ww_parked *parked;           /* instructions outside, in the order of parking (park.c) */
    uint32_t replays;                   /* of them, those that return */
    ww_translation *again, *last_again; /* pages that are requested again: a list */
    ww_tlb_link tlb;
    ww_port translations;
    uint32_t outstanding; /* pages */
    uint32_t *page_index; /* scratch: pages of one instruction by hash, under its mark */
    uint32_t page_mark;
    ww_memory_op *oldest, *youngest; /* of those in flight, when they complete in order */
    ww_memory_op *spare;
    WW_VEC(ww_memory_op *) blocks; /* of instructions, used or free */
    uint64_t in_flight;            /* requests */
    ww_tick last_reply;
    ww_blame_clock blame; /* of the head of `pending_send` */
    uint64_t draw;        /* random: which instructions are sampled */
} ww_load_store;

/* What happens in a future cycle. */
typedef struct ww_cycle_events {
    uint64_t due;    /* slots to be examined */
    uint64_t ready;  /* slots whose last operand becomes ready */
    uint64_t filled; /* slots whose instruction buffer the L0 fills */
    uint64_t freed;  /* units that can take an instruction again */
} ww_cycle_events;

struct ww_cu {
    /* Every cycle needs the first members. Masks of slots: a slot that holds a warp is ready, or
     * waits for one thing. */
    uint64_t present;
    uint64_t present_count;
    uint64_t ready;
    uint64_t waiting[WW_WAIT_COUNT];
    /* By the unit of their next instruction: slots that are ready or wait for operands. */
    uint64_t by_unit[WW_UNIT_COUNT];
    uint64_t outside; /* of these slots: it is not WW_TIMED_INSIDE */
    /* Units that cannot take an instruction: bit WW_UNIT_BITS x scheduler + unit. */
    uint64_t busy;
    uint64_t busy_longer; /* those that may stay busy after their entry in the ring */
    uint64_t due_cycles, ready_cycles, filled_cycles, freed_cycles; /* entries of the ring in use */
    uint64_t ticked;    /* the last cycle whose units were freed */
    uint64_t accounted; /* attribution up to, not including, this cycle is done */
    uint64_t ended;     /* slots to be released at the end of this cycle */
    uint64_t needs_fetch;
    uint64_t mshr_cycles;   /* at the last call of ww_cu_mshr_cycles */
    uint64_t behind_memory; /* ready slots behind a full load/store unit */
    uint64_t blocked; /* ready slots whose unit was busy at the end of the last cycle that ran */
    uint64_t issued_before; /* cycles before this one have issued, perhaps ahead of time */
    const ww_cu_launch *launch;
    const uint32_t *criticality; /* by slot; NULL: nothing is predicted */
    uint32_t fetches;            /* in flight */
    uint32_t memory_in_flight;   /* memory instructions whose warps are resident */
    unsigned last_fetched;
    unsigned line_shift; /* a line has 2 to this power instructions */
    bool broken;         /* the program is at fault */
    uint64_t of_scheduler[WW_MOST_SCHEDULERS];
    void *scheduler_state[WW_MOST_SCHEDULERS];
    unsigned number;
    ww_cu_config config;
    ww_cu_wiring wiring;
    ww_task task;
    ww_port instruction_replies;
    ww_load_store memory;
    ww_load_store scalar_memory;
    ww_cycle_events ring[WW_RING]; /* by cycle modulo WW_RING */
    ww_tally tally;
    uint64_t older[WW_MOST_SLOTS]; /* by slot: slots with older warps */
    /* By bit of `busy`: when the unit is free; for shared units, at the first scheduler's bit. */
    uint64_t unit_free[WW_MOST_SCHEDULERS * WW_UNIT_BITS];
    uint64_t shared_rows[WW_UNIT_COUNT]; /* a unit's bits in `busy` when all share it, or 0 */
    uint64_t *l0; /* [schedulers][l0_lines]: the addresses of the lines; direct mapped */
    ww_resident *residents;
    unsigned resident_count;
    uint64_t registers_used, scalar_used, lds_used;
    /* For the criticality policy: by slot, the cycle after its last issue; and the branches that
     * had split a warp before the present issue. */
    void *predictor; /* its state */
    uint64_t next_issue[WW_MOST_SLOTS];
    uint64_t divergent_branches;
    ww_slot_state slots[WW_MOST_SLOTS];
};

/* Whether the load/store unit can take a memory instruction. */
static inline bool ww_load_store_can_accept(const ww_load_store *m)
{
    return m->count < m->most && m->pending_translation.count < m->cu->config.address_queue;
}

/* Rotates a mask of the ring's entries: bit 0 becomes bit `by`, or the other way round. */
static inline uint64_t ww_rotate_left(uint64_t bits, unsigned by)
{
    return bits << by | bits >> ((WW_RING - by) % WW_RING);
}

static inline uint64_t ww_rotate_right(uint64_t bits, unsigned by)
{
    return bits >> by | bits << ((WW_RING - by) % WW_RING);
}

/* The cycle that starts now, or next. */
static inline uint64_t ww_cu_cycle(const ww_cu *cu)
{
    ww_clock clock = cu->config.clock;
    return ww_clock_cycle(clock, ww_clock_next(clock, ww_engine_now(cu->wiring.engine)));
}

static inline bool ww_cu_touch(const ww_cu *cu, uint64_t address, uint64_t *physical)
{
    *physical = address;
    return !cu->wiring.touch ||
           cu->wiring.touch(cu->wiring.context, cu->launch->asid, address, physical);
}

/* core.c */
void ww_cu_wake(ww_cu *cu, uint64_t cycle);
void ww_cu_fail(ww_cu *cu, int status);
void ww_cu_release_slot(ww_cu *cu, unsigned slot, uint64_t cycle);

/* notify_schedulers.c: after a group has started or a warp has ended. */
void ww_cu_notify_schedulers(const ww_cu *cu);

/* predict.c: only where warps' criticality is predicted, but for creation. */
void ww_cu_create_predictor(ww_cu *cu);
void ww_cu_destroy_predictor(ww_cu *cu);
void ww_cu_predict_start(ww_cu *cu, unsigned slot, uint64_t cycle);
void ww_cu_predict_issue(ww_cu *cu, unsigned slot, uint64_t cycle);
void ww_cu_predict_branch(ww_cu *cu, unsigned slot); /* its branch was executed */
void ww_cu_predict_end(ww_cu *cu, unsigned slot);

/* examine.c: finds out whether a slot's warp can issue, and if not, why. A caller outside of the
 * compute unit's tick wakes the compute unit at that cycle. */
void ww_cu_examine(ww_cu *cu, unsigned slot, uint64_t cycle);
void ww_cu_remove_from_masks(ww_cu *cu, unsigned slot); /* clears its bits in the masks */
/* Examines warps of the group that waited at a barrier; completes barriers if no warp can run. */
void ww_cu_examine_group(ww_cu *cu, ww_resident *group, uint64_t cycle);

/* issue.c */
void ww_cu_tick(void *cu);

/* fetch.c */
void ww_cu_receive_instructions(ww_cu *cu, uint64_t cycle);
/* False: it has effects outside, and cannot be executed ahead of time. */
bool ww_cu_fetch(ww_cu *cu, uint64_t cycle, bool ahead);
void ww_cu_prefetch(ww_cu *cu, unsigned slot);

/* load_store.c */
void ww_load_store_create(ww_load_store *unit, ww_cu *cu, const ww_cu_link *link,
                          const ww_tlb_link *tlb, ww_request_class class);
void ww_load_store_destroy(ww_load_store *unit);
bool ww_load_store_is_idle(const ww_load_store *unit);
/* Adds the memory instruction that the slot is about to execute. */
void ww_load_store_add(ww_load_store *unit, unsigned slot, const ww_timed_op *op, uint64_t cycle);

/* Records what the head of `pending_send` waits for from now on. */
static inline void ww_load_store_note_blame(ww_load_store *m, ww_tick now)
{
    bool full = m->pending_send.count && !ww_port_has_room(m->link.port);
    ww_cause cause = m->pending_send.count ? WW_CAUSE_COALESCER
                     : m->count            ? WW_CAUSE_TRANSLATION
                                           : WW_CAUSE_NONE;
    ww_blame_wait(&m->blame, full ? m->link.port->blame : NULL, cause, now);
}

/* Frees the entry of an instruction that has left the unit, or is parked. */
static inline void ww_load_store_free_entry(ww_load_store *m, uint32_t entry, ww_tick now)
{
    if (m->count == m->most)
        ww_wake(m->cu->wiring.engine, &m->cu->task, now);
    m->free[m->most - m->count--] = entry;
    m->ops[entry] = NULL;
}

/* park.c: instructions with pages that faulted. */
/* An answer without a frame, or one that has to be requested again. */
void ww_park_refuse(ww_load_store *unit, ww_translation *t, ww_tick now);
/* All pages of the instruction are answered, with a fault: it leaves the unit unless it has lines
 * to send. */
void ww_park(ww_load_store *unit, ww_memory_op *op, ww_tick now);
/* Instructions that return and find a free entry. */
void ww_park_return(ww_load_store *unit, ww_tick now);
void ww_park_replay(ww_load_store *unit, uint16_t asid, uint64_t page);
/* Sends up to `most` of the requests in `again`; returns how many lookups are left. */
unsigned ww_park_request_again(ww_load_store *unit, unsigned most, ww_tick now);
uint32_t ww_park_count(const ww_load_store *unit);
void ww_park_destroy(ww_load_store *unit);

/* translate.c */
void ww_translate_create(ww_load_store *unit, const ww_tlb_link *tlb);
void ww_translate_destroy(ww_load_store *unit);
/* Finds the pages of the instruction's lines. False: no memory is left for one. */
bool ww_translate_add(ww_load_store *unit, ww_memory_op *op);
/* What a line of a sampled instruction waited for before it waited to be sent. */
static inline const ww_blame *ww_translate_blame(const ww_load_store *m, const ww_memory_op *op,
                                                 uint32_t line)
{
    const ww_pages *pages = m->pages ? &m->pages[op->entry] : NULL;
    return pages && m->cu->config.own_page ? &pages->blame[pages->of_line[line]] : &op->blame;
}
/* Sends a page's request to the L1 TLB. False: the TLB has no room, or too many are outstanding. */
bool ww_translate_request(ww_load_store *unit, ww_translation *t, ww_tick now);
/* Receives translations from the TLB, and sends lookups to it. */
void ww_translate_tick(ww_load_store *unit, ww_tick now);
/* The physical address of a translated line. False: no memory is left for it. */
static inline bool ww_translate_line(ww_load_store *m, const ww_memory_op *op, uint32_t line,
                                     uint64_t *physical)
{
    const ww_cu *cu = m->cu;
    uint64_t address = m->lines[op->entry].line[line].address;
    if (!m->pages)
        return ww_cu_touch(cu, address, physical);
    const ww_pages *pages = &m->pages[op->entry];
    uint64_t offset = address & ((1ull << cu->config.page_shift) - 1);
    *physical = pages->page[pages->of_line[line]].frame + offset;
    return true;
}

/* The line that is sent next, and when it was translated. */
static inline uint32_t ww_translate_next_line(const ww_load_store *m, ww_memory_op *op)
{
    uint32_t n = op->next++;
    return m->pages && m->cu->config.own_page ? m->pages[op->entry].order[n] : n;
}

static inline ww_tick ww_translate_time(const ww_load_store *m, const ww_memory_op *op,
                                        uint32_t line)
{
    const ww_pages *pages = &m->pages[op->entry];
    return m->cu->config.own_page ? pages->page[pages->of_line[line]].answered : op->translated;
}

static inline void ww_entry_queue_push(ww_entry_queue *queue, uint32_t entry)
{
    uint32_t at = queue->first + queue->count++;
    queue->ring[at < queue->capacity ? at : at - queue->capacity] = entry;
}

static inline void ww_entry_queue_pop(ww_entry_queue *queue)
{
    queue->first = queue->first + 1 < queue->capacity ? queue->first + 1 : 0;
    queue->count--;
}

/* local_share.c: how many passes through the banks an access takes, at least 1. *steps: the same
 * without conflicts. */
unsigned ww_lds_passes(const ww_cu_config *config, uint64_t lanes, const uint64_t *address,
                       unsigned bytes, bool atomic, unsigned *steps);

/* observe.c: only when there are observers. */
void ww_cu_notify_start(const ww_cu *cu, unsigned slot, uint64_t cycle);
void ww_cu_notify_issue(const ww_cu *cu, unsigned slot, uint64_t lanes, uint64_t cycle);
void ww_cu_notify_access(const ww_cu *cu, const ww_memory_op *op, uint64_t cycle);
void ww_cu_notify_end(const ww_cu *cu, unsigned slot, uint64_t cycle);

/* attribution.c */
void ww_cu_account(ww_cu *cu, uint64_t cycle);
/* Cycles in which the L1 waited for a miss register, from the last call up to, not including,
 * `cycle`. */
uint64_t ww_cu_mshr_cycles(ww_cu *cu, uint64_t cycle);
/* What the schedulers did in one cycle. */
typedef struct ww_issue_record {
    uint64_t present; /* at the start of the cycle, as `ready` */
    uint64_t ready;
    uint64_t considered; /* the picked warp and those before it (scheduler.h) */
    uint64_t structural; /* ready, but the unit was busy */
    uint64_t mshr;       /* of those: behind a request without a miss register */
    uint64_t issued;
} ww_issue_record;
/* `waiting`: the masks at the start of the cycle, before issues change them. */
void ww_cu_account_issue(ww_cu *cu, const ww_issue_record *record,
                         const uint64_t waiting[WW_WAIT_COUNT]);
/* The slot's wait for a load is over: splits its cycles into data hazard and data cache. */
void ww_cu_resolve_load(ww_cu *cu, unsigned slot);
/* Moves the slot's cycles up to `cycle` into the counters. */
void ww_cu_account_slot(ww_cu *cu, unsigned slot, uint64_t cycle);

#endif
