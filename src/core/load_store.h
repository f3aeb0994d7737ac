/* A load/store unit: accepts memory instructions in order, sends a request for each line, and
 * completes an instruction with its last reply. A compute unit has one for vectors (L1 data cache)
 * and one for scalars (scalar cache).
 *
 * entry      of an instruction until its last line is sent
 * operation  an instruction until it completes
 * Its coalescer finds the lines, its translator their pages. load_store.c and load_store_replies.c
 * alone change ww_load_store, ww_memory_op (but for its translation) and ww_outstanding. */
#ifndef WW_CORE_LOAD_STORE_H
#define WW_CORE_LOAD_STORE_H

#include "base/memory.h"
#include "core/line_order.h"
#include "core/translate.h"

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
    bool physical; /* its addresses are physical: they are not translated */
    bool missed;
    bool draining;   /* an invalidation waits for its requests in flight */
    bool held;       /* an older instruction had to complete first */
    bool blamed;     /* it is sampled: its blame is recorded */
    uint64_t issued; /* cycle */
    uint64_t born;   /* of its warp: another one may have the slot when a store is acknowledged */
    const ww_cu_launch *launch; /* of its warp */
    uint32_t entry;             /* of the load/store unit, until all lines are sent */
    ww_op_translation translation;
    struct ww_memory_op *link; /* the next younger one in flight, or the next free one */
} ww_memory_op;

/* Memory instructions of a slot's warp that are in flight. */
typedef struct ww_outstanding {
    uint32_t loads;  /* that have results */
    uint32_t stores; /* that are not acknowledged */
} ww_outstanding;

typedef struct ww_load_store {
    ww_cu *cu;
    ww_cu_link link;
    ww_request_class class;
    ww_task task;
    ww_port replies;
    ww_coalescer coalescer;
    ww_translator translator;
    ww_memory_op **ops;   /* by entry: instructions with lines to be sent; NULL: it is free */
    ww_warp_lines *lines; /* of each of them */
    uint32_t *free;       /* entries: a stack */
    uint32_t count, most;
    uint32_t limit; /* of entries for new instructions: `most`, or one is kept for others */
    ww_entry_queue pending_send;     /* in order of translation: lines to be sent */
    ww_memory_op *oldest, *youngest; /* of those in flight, when they complete in order */
    ww_line_order order;
    ww_memory_op *spare;
    WW_VEC(ww_memory_op *) blocks; /* of instructions, used or free */
    uint64_t in_flight;            /* requests */
    ww_tick last_reply;
    ww_blame_clock blame; /* of the head of `pending_send` */
    uint64_t draw;        /* random: which instructions are sampled */
    uint32_t draining;    /* instructions that `invalidation` waits for */
    ww_invalidation invalidation;
} ww_load_store;

void ww_load_store_create(ww_load_store *unit, ww_cu *cu, const ww_cu_link *link,
                          const ww_tlb_link *tlb, ww_request_class class);
void ww_load_store_destroy(ww_load_store *unit);
bool ww_load_store_is_idle(const ww_load_store *unit);
/* A warp starts, or has ended: what it has in flight is nothing that it waits for. */
void ww_load_store_start(ww_cu *cu, unsigned slot);
void ww_load_store_stop(ww_cu *cu, unsigned slot);
/* Adds the memory instruction that the slot has just executed; `access` has lanes. */
void ww_load_store_add(ww_load_store *unit, unsigned slot, const ww_timed_op *op,
                       const ww_access *access, uint64_t cycle);
/* The translator releases so many more lines of the instruction to be sent. */
void ww_load_store_release(ww_load_store *unit, ww_memory_op *op, uint32_t lines);
/* So many of the released lines that are not sent are held again, until they are released. */
void ww_load_store_hold(ww_load_store *unit, ww_memory_op *op, uint32_t lines);
/* ww_cu_block. */
void ww_load_store_block(ww_load_store *unit, bool blocked);
/* Acknowledges the invalidation when all requests that are in flight now are answered. Returns how
 * many acknowledgements follow, 0 or 1. */
unsigned ww_load_store_drain(ww_load_store *unit, const ww_invalidation *what);
/* Frees the entry of an instruction that has left the unit, or is parked. */
void ww_load_store_free_entry(ww_load_store *unit, uint32_t entry, ww_tick now);
/* A parked instruction returns, with its lines; the unit has a free entry. */
void ww_load_store_return(ww_load_store *unit, ww_memory_op *op, const ww_warp_line *lines);
/* Gives entries of the reorder buffer to the lines of the instruction's page, in `rob_entry` by
 * line. False: there are not enough; a reply frees some. */
bool ww_load_store_enter(ww_load_store *unit, const ww_memory_op *op, uint32_t page,
                         uint16_t rob_entry[]);
/* Records what the head of `pending_send` waits for from now on. */
void ww_load_store_note_blame(ww_load_store *unit, ww_tick now);

#endif
