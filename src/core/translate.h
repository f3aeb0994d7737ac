/* Address translation of memory instructions: finds the pages of an instruction's lines, looks them
 * up in the L1 TLB in the order of the instructions and their lanes, and releases the lines to be
 * sent.
 *
 * page         of an instruction: one request to the TLB for all its lines there
 * own_page     a line is released when its own page is translated, not the instruction's last one
 *
 * Without a TLB, addresses are translated when a line is sent, in no time. translate.c, for pages
 * that fault park.c, and for stale ones invalidate.c alone change ww_translator and
 * ww_op_translation. */
#ifndef WW_CORE_TRANSLATE_H
#define WW_CORE_TRANSLATE_H

#include "base/memory.h"
#include "core/coalesce.h"
#include "core/core.h"

struct ww_load_store;
struct ww_memory_op;

/* A queue of entries of the load/store unit. */
typedef struct ww_entry_queue {
    uint32_t *ring;
    uint32_t first, count, capacity;
} ww_entry_queue;

static inline ww_entry_queue ww_entry_queue_create(uint32_t capacity)
{
    return (ww_entry_queue){.ring = ww_calloc(capacity, sizeof(uint32_t)), .capacity = capacity};
}

static inline void ww_entry_queue_push(ww_entry_queue *queue, uint32_t entry)
{
    uint32_t at = queue->first + queue->count++;
    queue->ring[at < queue->capacity ? at : at - queue->capacity] = entry;
}

/* Removes an entry, wherever it is in the queue. */
static inline void ww_entry_queue_remove(ww_entry_queue *queue, uint32_t entry)
{
    uint32_t left = 0;
    for (uint32_t i = 0; i < queue->count; i++) {
        uint32_t it = queue->ring[(queue->first + i) % queue->capacity];
        if (it != entry)
            queue->ring[(queue->first + left++) % queue->capacity] = it;
    }
    queue->count = left;
}

static inline void ww_entry_queue_pop(ww_entry_queue *queue)
{
    queue->first = queue->first + 1 < queue->capacity ? queue->first + 1 : 0;
    queue->count--;
}

/* Of a memory instruction. */
typedef struct ww_op_translation {
    bool paged;            /* its pages are looked up in the TLB */
    bool had_fault;        /* since all its pages were translated last */
    uint32_t requested;    /* pages sent to the TLB */
    uint32_t untranslated; /* pages pending or outstanding */
    uint32_t faulted;      /* pages whose answer was a fault, and that are not replayed yet */
    ww_tick done;          /* when its last page was translated */
    ww_instruction_id instruction;
    ww_blame blame; /* of all its lines, up to where they wait to be sent */
} ww_op_translation;

/* Of a line that was sent: its page may be requested again for others. */
#define WW_NO_PAGE UINT16_MAX

/* The pages of a memory instruction, one request for each. */
typedef struct ww_pages {
    uint32_t count;
    uint16_t of_line[WW_MOST_LINES];
    uint16_t order[WW_MOST_LINES];     /* with own_page: lines as they were translated */
    uint16_t rob_entry[WW_MOST_LINES]; /* of lines in the reorder buffer, if there is one */
    ww_translation page[WW_MOST_LINES];
    ww_blame blame[WW_MOST_LINES]; /* likewise, for sampled instructions: by page */
} ww_pages;

typedef struct ww_translator {
    unsigned page_shift;
    bool own_page;
    bool blocked; /* only pages in `again` are looked up */
    ww_tlb_link tlb;
    ww_port answers;
    ww_pages *pages;        /* by entry of the load/store unit; NULL: translated in no time */
    ww_entry_queue pending; /* in order of issue: instructions with pages to be looked up */
    uint32_t outstanding;   /* pages */
    struct ww_parked *parked, *last_parked; /* instructions outside, in the order of parking */
    struct ww_parked *spare_parked;         /* records without an instruction (park.c) */
    uint32_t replays;                       /* of them, those that return */
    ww_translation *again, *last_again;     /* pages that are requested again: a list */
    uint32_t *page_index; /* scratch: pages of one instruction by hash, under its mark */
    uint32_t page_mark;
} ww_translator;

void ww_translate_create(struct ww_load_store *unit, const ww_tlb_link *tlb);
void ww_translate_destroy(struct ww_load_store *unit);
/* Begins to translate the instruction, or releases all its lines when it needs no translation.
 * False: no memory is left for one of its pages. */
bool ww_translate_add(struct ww_load_store *unit, struct ww_memory_op *op);
/* Sends a page's request to the L1 TLB. False: the TLB has no room, or too many are outstanding. */
bool ww_translate_request(struct ww_load_store *unit, ww_translation *t, ww_tick now);
/* ww_cu_block. */
void ww_translate_block(struct ww_load_store *unit, bool blocked);
/* Receives translations from the TLB, and sends lookups to it. */
void ww_translate_tick(struct ww_load_store *unit, ww_tick now);

/* park.c: instructions with pages that faulted. */

/* An answer without a frame, or one that has to be requested again. */
void ww_park_refuse(struct ww_load_store *unit, ww_translation *t, ww_tick now);
/* All pages of an instruction that had a fault are translated. */
void ww_park_complete(struct ww_load_store *unit, struct ww_memory_op *op);
/* All pages of the instruction are answered, with a fault: it leaves the unit unless it has lines
 * to send. */
void ww_park(struct ww_load_store *unit, struct ww_memory_op *op, ww_tick now);
/* Instructions that return and find a free entry. */
void ww_park_return(struct ww_load_store *unit, ww_tick now);
/* Whether the page, or another one of its instructions, is requested now. */
bool ww_park_replay(struct ww_load_store *unit, uint16_t asid, uint64_t page);
/* Sends up to *lookups of the requests in `again`, and leaves in it how many lookups are left.
 * False: the TLB cannot accept the next one now. */
bool ww_park_request_again(struct ww_load_store *unit, unsigned *lookups, ww_tick now);
/* Adds a page to `again`. */
void ww_park_add_again(struct ww_load_store *unit, ww_translation *t);
/* Marks the pages of parked instructions that have to be requested when they return. */
void ww_park_invalidate(struct ww_load_store *unit, const ww_invalidation *what);
uint32_t ww_park_count(const struct ww_load_store *unit);
void ww_park_destroy(struct ww_load_store *unit);

/* invalidate.c: returns how many acknowledgements follow, 0 or 1. */
unsigned ww_translate_invalidate(struct ww_load_store *unit, const ww_invalidation *what);

/* For the lines of an instruction in entry `entry` that are released. */

/* The n-th of them. */
static inline uint32_t ww_translate_order(const ww_translator *t, const ww_op_translation *op,
                                          uint32_t entry, uint32_t n)
{
    return op->paged && t->own_page ? t->pages[entry].order[n] : n;
}

/* What the line of a sampled instruction waited for before it waited to be sent. */
static inline const ww_blame *ww_translate_blame(const ww_translator *t,
                                                 const ww_op_translation *op, uint32_t entry,
                                                 uint32_t line)
{
    return op->paged && t->own_page ? &t->pages[entry].blame[t->pages[entry].of_line[line]]
                                    : &op->blame;
}

/* Of an instruction that is paged: the physical address of an address in the line's page, and when
 * the line was translated. */
static inline uint64_t ww_translate_address(const ww_translator *t, uint32_t entry, uint32_t line,
                                            uint64_t address)
{
    const ww_pages *pages = &t->pages[entry];
    uint64_t offset = address & ((1ull << t->page_shift) - 1);
    return pages->page[pages->of_line[line]].frame + offset;
}

static inline ww_tick ww_translate_time(const ww_translator *t, const ww_op_translation *op,
                                        uint32_t entry, uint32_t line)
{
    const ww_pages *pages = &t->pages[entry];
    return t->own_page ? pages->page[pages->of_line[line]].answered : op->done;
}

#endif
