/* The inside of a compute unit, shared by the files of this folder. */
#ifndef WW_CORE_PARTS_H
#define WW_CORE_PARTS_H

#include "base/memory.h"
#include "core/coalesce.h"
#include "core/core.h"
#include "core/observer.h"
#include "core/tally.h"

#define WW_RING 64u
#define WW_UNIT_BITS 8
#define WW_MOST_SCHEDULERS 8

/* What a warp that cannot issue waits for; a load's value is a data hazard or the data cache, which is known when it is
 * there. */
typedef enum ww_wait {
    WW_WAIT_SYNCHRONISATION,
    WW_WAIT_FETCH,
    WW_WAIT_CONTROL,
    WW_WAIT_OPERAND,
    WW_WAIT_LOAD,
    WW_WAIT_COUNT
} ww_wait;

/* Columns of the tally: what warps wait for, and what happens to those that wait for nothing but do not issue. */
enum {
    WW_COLUMN_STRUCTURAL = WW_WAIT_COUNT,
    WW_COLUMN_MSHR,
    WW_COLUMN_SCHEDULING,
    WW_COLUMN_COUNT
};
_Static_assert(WW_COLUMN_COUNT == WW_TALLY_COLUMNS, "a column for each");

/* A warp's timing state: what every instruction needs, in one line of the host's cache; then the rest. */
typedef struct ww_slot_state {
    _Alignas(64) ww_warp *warp;
    uint64_t
        *ready_at;    /* by register: the cycle from which its value is there; WW_NEVER: a load's */
    uint64_t decided; /* the cycle from which the next instruction is known */
    uint32_t pc;      /* of the next instruction */
    uint32_t buffered_from; /* instructions in its buffer */
    uint32_t buffered_to;
    uint32_t fetch_pc;
    uint32_t fetch_to; /* the end of what is on its way */
    uint32_t loads;    /* instructions on their way to memory, with results */
    uint32_t stores;   /* requests whose effect is not confirmed */
    uint8_t unit;      /* of the next instruction */
    uint8_t wait;  /* ww_wait, or WW_WAIT_COUNT: none; stays at WW_WAIT_OPERAND when that is over */
    bool fetching; /* through the instruction cache, or until `filled_at` */
    bool missed;   /* a load that it waits for missed */
    uint64_t issued; /* instructions that are not in the counters */
    struct ww_resident *group;
    uint64_t filled_at; /* the cycle in which its scheduler's own cache fills its buffer */
    uint64_t born;
    uint64_t settled;     /* the cycle up to which its life is in the counters */
    uint64_t load_hazard; /* cycles spent on loads, not in the counters: data hazards, */
    uint64_t load_cache;  /* and data cache */
} ww_slot_state;

typedef struct ww_resident {
    ww_group *group;
    uint64_t slots;
    bool used;
} ww_resident;

/* A memory instruction on its way. */
typedef struct ww_memory_op {
    uint64_t address; /* of its first line */
    uint32_t lines;
    uint32_t next;     /* to be sent, of `sendable` */
    uint32_t sendable; /* lines whose pages are translated */
    uint32_t pending;  /* requests without a reply, those not sent included */
    uint32_t first_register;
    uint8_t written;
    uint8_t slot;
    uint8_t kind; /* ww_request_kind */
    uint32_t pc;
    bool missed;
    bool held;          /* an older instruction had to complete first */
    bool blamed;        /* it is followed: `blame` is kept */
    uint64_t issued;    /* cycle */
    uint64_t born;      /* of its warp: the slot may have another one when a store is confirmed */
    uint32_t place;     /* in the load/store unit, until all lines are sent */
    uint32_t asked;     /* pages that the TLB was asked for */
    uint32_t unknown;   /* pages without an answer, those not asked for included */
    ww_tick translated; /* when the last answer came; 0: it needs none */
    ww_story story;
    ww_blame blame;            /* of all its lines, up to where they wait to be sent */
    struct ww_memory_op *link; /* the next younger one that has not completed, or spare one */
} ww_memory_op;

/* The pages of a memory instruction, one request for each. */
typedef struct ww_pages {
    uint32_t count;
    uint16_t of_line[WW_MOST_LINES];
    uint16_t order[WW_MOST_LINES]; /* with core.data_access own_page: lines as they can be sent */
    ww_translation page[WW_MOST_LINES];
    ww_blame blame[WW_MOST_LINES]; /* likewise, of instructions that are followed: by page */
} ww_pages;

/* Places in the order in which they are to be looked at. */
typedef struct ww_places {
    uint32_t *ring;
    uint32_t first, count, capacity;
} ww_places;

/* A load/store unit: for vectors to the L1 data cache, and for scalars to theirs. */
typedef struct ww_load_store {
    ww_core *core;
    ww_core_link link;
    ww_request_class class;
    ww_task task;
    ww_port replies;
    ww_memory_op **ops; /* by place: instructions that are not sent completely */
    ww_lines *lines;    /* of each of them */
    ww_pages *pages;    /* likewise; NULL: addresses are translated at once */
    uint32_t *free;     /* places: a stack */
    uint32_t count, most;
    ww_places asking;  /* in order: the TLB has not been asked for all their pages */
    ww_places sending; /* in the order in which they were translated */
    ww_tlb_link tlb;
    ww_port translations;
    uint32_t unanswered;  /* pages */
    uint32_t *page_index; /* scratch: pages of one instruction by hash, under its mark */
    uint32_t page_mark;
    ww_memory_op *oldest, *youngest; /* of those that have not completed, where order matters */
    ww_memory_op *spare;
    WW_VEC(ww_memory_op *) blocks; /* of instructions, used or spare */
    uint64_t in_flight;            /* requests */
    ww_tick last_reply;
    ww_blame_clock blame; /* of `sending` */
    uint64_t draw;        /* random: which instructions are followed */
} ww_load_store;

/* What happens in a cycle. */
typedef struct ww_cycle_events {
    uint64_t due;    /* slots to be examined */
    uint64_t ripe;   /* slots whose operands are there: they become ready */
    uint64_t filled; /* slots whose buffer is filled by their scheduler's own cache */
    uint64_t freed;  /* units that can take an instruction again */
} ww_cycle_events;

struct ww_core {
    /* What every cycle needs comes first. Masks of slots: every slot that holds a warp is ready, or waits for one thing. */
    uint64_t present;
    uint64_t present_count;
    uint64_t ready;
    uint64_t waiting[WW_WAIT_COUNT];
    /* What the next instruction needs, of slots that are ready or wait for values. */
    uint64_t by_unit[WW_UNIT_COUNT];
    uint64_t outside; /* of the same: it is not WW_TIMED_INSIDE */
    /* Units that cannot take an instruction: bit WW_UNIT_BITS x scheduler + unit. */
    uint64_t busy;
    uint64_t busy_longer; /* those whose entry in the ring may come too early */
    uint64_t due_cycles, ripe_cycles, filled_cycles, freed_cycles; /* places of the ring in use */
    uint64_t ticked;    /* the last cycle whose units were freed */
    uint64_t accounted; /* attribution up to, not including, this cycle is done */
    uint64_t ended;     /* in this cycle: to be released at its end */
    uint64_t needs_fetch;
    uint64_t mshr_cycles;   /* that were asked for last */
    uint64_t behind_memory; /* slots that are ready and wait for room in the load/store unit */
    uint64_t
        blocked; /* ready warps whose unit could take nothing at the end of the last cycle that ran */
    uint64_t issued_before; /* cycles whose issues are done; one may be done ahead of its time */
    const ww_core_launch *launch;
    uint32_t fetches; /* on their way */
    uint32_t pending; /* memory instructions on their way whose warps are there */
    unsigned last_fetched;
    unsigned line_shift; /* a line has 2 to this power instructions */
    bool broken;         /* the program is at fault */
    uint64_t of_scheduler[WW_MOST_SCHEDULERS];
    void *scheduler_state[WW_MOST_SCHEDULERS];
    unsigned number;
    ww_core_config config;
    ww_core_wiring wiring;
    ww_task task;
    ww_port instruction_replies;
    ww_load_store memory;
    ww_load_store scalar_memory;
    ww_cycle_events ring[WW_RING]; /* what happens in the next cycles */
    ww_tally tally;
    uint64_t older[WW_MOST_SLOTS]; /* by slot: those whose warps came before its own */
    /* By bit of `busy`: the cycle; the first scheduler's for units that all share. */
    uint64_t unit_free[WW_MOST_SCHEDULERS * WW_UNIT_BITS];
    uint64_t shared_rows[WW_UNIT_COUNT]; /* a unit's bits in `busy` when all share it, or 0 */
    uint64_t *l0; /* [schedulers][l0_lines]: the addresses of the lines there; direct mapped */
    ww_resident *residents;
    unsigned resident_count;
    uint64_t registers_used, scalar_used, lds_used;
    ww_slot_state slots[WW_MOST_SLOTS];
};

/* Whether the load/store unit takes a memory instruction. */
static inline bool ww_load_store_has_room(const ww_load_store *m)
{
    return m->count < m->most && m->asking.count < m->core->config.address_queue;
}

/* A mask of a ring's places, turned so that place 0 becomes `by`, or the other way round. */
static inline uint64_t ww_turn_left(uint64_t places, unsigned by)
{
    return places << by | places >> ((WW_RING - by) % WW_RING);
}

static inline uint64_t ww_turn_right(uint64_t places, unsigned by)
{
    return places >> by | places << ((WW_RING - by) % WW_RING);
}

/* The cycle that starts now, or next. */
static inline uint64_t ww_core_cycle(const ww_core *core)
{
    ww_clock clock = core->config.clock;
    return ww_clock_cycle(clock, ww_clock_next(clock, ww_engine_now(core->wiring.engine)));
}

static inline bool ww_core_place(const ww_core *core, uint64_t address, uint64_t *physical)
{
    *physical = address;
    return !core->wiring.place || core->wiring.place(core->wiring.context, address, physical);
}

/* core.c */
void ww_core_wake(ww_core *core, uint64_t cycle);
void ww_core_fail(ww_core *core, int status);
void ww_core_release_slot(ww_core *core, unsigned slot, uint64_t cycle);

/* pool.c: after a group has come or a warp has left. */
void ww_core_pool_changed(const ww_core *core);

/* examine.c: finds out whether a slot's warp can issue, and if not, why. Who calls it outside of the core's tick wakes the
 * core at that cycle. */
void ww_core_examine(ww_core *core, unsigned slot, uint64_t cycle);
void ww_core_forget(ww_core *core, unsigned slot); /* takes it out of the masks */
/* Warps of the group that a barrier let go, or that nobody else can let go. */
void ww_core_examine_group(ww_core *core, ww_resident *group, uint64_t cycle);

/* issue.c */
void ww_core_tick(void *core);

/* fetch.c */
void ww_core_take_instructions(ww_core *core, uint64_t cycle);
/* False: ahead of time, and it has to be in time. */
bool ww_core_fetch(ww_core *core, uint64_t cycle, bool ahead);
void ww_core_prefetch(ww_core *core, unsigned slot);

/* load_store.c */
void ww_load_store_create(ww_load_store *unit, ww_core *core, const ww_core_link *link,
                          const ww_tlb_link *tlb, ww_request_class class);
void ww_load_store_destroy(ww_load_store *unit);
bool ww_load_store_is_idle(const ww_load_store *unit);
/* Takes the memory instruction that the slot is about to execute. */
void ww_load_store_add(ww_load_store *unit, unsigned slot, const ww_timed_op *op, uint64_t cycle);

/* What the first of the instructions to be sent waits for from now on. */
static inline void ww_load_store_note_blame(ww_load_store *m, ww_tick now)
{
    bool full = m->sending.count && !ww_port_has_room(m->link.port);
    ww_cause cause = m->sending.count ? WW_CAUSE_COALESCER
                     : m->count       ? WW_CAUSE_TRANSLATION
                                      : WW_CAUSE_NONE;
    ww_blame_wait(&m->blame, full ? m->link.port->blame : NULL, cause, now);
}

/* translate.c */
void ww_translate_create(ww_load_store *unit, const ww_tlb_link *tlb);
void ww_translate_destroy(ww_load_store *unit);
/* Finds the pages of the instruction's lines. False: there is no memory for one. */
bool ww_translate_add(ww_load_store *unit, ww_memory_op *op);
/* Of an instruction that is followed: what one of its lines waited for before it waited to be sent. */
static inline const ww_blame *ww_translate_blame(const ww_load_store *m, const ww_memory_op *op,
                                                 uint32_t line)
{
    const ww_pages *pages = m->pages ? &m->pages[op->place] : NULL;
    return pages && m->core->config.own_page ? &pages->blame[pages->of_line[line]] : &op->blame;
}
/* Takes what the TLB has answered, and asks for more. */
void ww_translate_tick(ww_load_store *unit, ww_tick now);
/* The physical address of a line of an instruction that is translated. False: there is no memory for it. */
static inline bool ww_translate_line(ww_load_store *m, const ww_memory_op *op, uint32_t line,
                                     uint64_t *physical)
{
    const ww_core *core = m->core;
    uint64_t address = m->lines[op->place].line[line].address;
    if (!m->pages)
        return ww_core_place(core, address, physical);
    const ww_pages *pages = &m->pages[op->place];
    uint64_t offset = address & ((1ull << core->config.page_shift) - 1);
    *physical = pages->page[pages->of_line[line]].frame + offset;
    return true;
}

/* The line that is sent next, and when it was known where to. */
static inline uint32_t ww_translate_next_line(const ww_load_store *m, ww_memory_op *op)
{
    uint32_t n = op->next++;
    return m->pages && m->core->config.own_page ? m->pages[op->place].order[n] : n;
}

static inline ww_tick ww_translate_time(const ww_load_store *m, const ww_memory_op *op,
                                        uint32_t line)
{
    const ww_pages *pages = &m->pages[op->place];
    return m->core->config.own_page ? pages->page[pages->of_line[line]].answered : op->translated;
}

static inline void ww_places_add(ww_places *places, uint32_t place)
{
    uint32_t at = places->first + places->count++;
    places->ring[at < places->capacity ? at : at - places->capacity] = place;
}

static inline void ww_places_drop_first(ww_places *places)
{
    places->first = places->first + 1 < places->capacity ? places->first + 1 : 0;
    places->count--;
}

/* local_share.c: passes through the banks that an access takes, at least 1; *steps is how many it would take without
 * conflicts. */
unsigned ww_lds_passes(const ww_core_config *config, uint64_t lanes, const uint64_t *address,
                       unsigned bytes, bool atomic, unsigned *steps);

/* observe.c: only when there are observers. */
void ww_core_tell_start(const ww_core *core, unsigned slot, uint64_t cycle);
void ww_core_tell_issue(const ww_core *core, unsigned slot, uint64_t lanes, uint64_t cycle);
void ww_core_tell_access(const ww_core *core, const ww_memory_op *op, uint64_t cycle);
void ww_core_tell_end(const ww_core *core, unsigned slot, uint64_t cycle);

/* attribution.c */
void ww_core_account(ww_core *core, uint64_t cycle);
/* Cycles up to, not including, `cycle` in which the L1 waited for a miss register, from where this was asked for last. */
uint64_t ww_core_mshr_cycles(ww_core *core, uint64_t cycle);
/* What the schedulers did in one cycle. */
typedef struct ww_turn {
    uint64_t present; /* at its start, as the next */
    uint64_t ready;
    uint64_t looked;     /* at: those before the picked one, and the picked one */
    uint64_t structural; /* ready, but their unit was busy */
    uint64_t mshr;       /* of those: behind a request without a miss register */
    uint64_t issued;
} ww_turn;
/* `waiting`: the masks at the start of the cycle; issuing changes them for the next one. */
void ww_core_account_turn(ww_core *core, const ww_turn *turn,
                          const uint64_t waiting[WW_WAIT_COUNT]);
/* The slot does not wait for a load any more. */
void ww_core_resolve_load(ww_core *core, unsigned slot);
void ww_core_close_account(ww_core *core, unsigned slot, uint64_t cycle);

#endif
