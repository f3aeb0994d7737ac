/* The front end: holds each warp's next instructions in a buffer, and fetches them a line at a time
 * through the scheduler's own cache (L0), where there is one, and the instruction cache.
 *
 * buffer   the instructions `from` up to, not including, `to` of a warp
 * fetch    of the line of `fetch_pc`; each warp has at most one that it waits for. A warp that
 *          branches meanwhile drops it.
 * One fetch a cycle, warps round robin. front_end.c alone changes ww_front_end and the buffers. */
#ifndef WW_CORE_FRONT_END_H
#define WW_CORE_FRONT_END_H

#include "core/core.h"
#include "core/ring.h"

typedef struct ww_instruction_buffer {
    uint32_t from, to;
    uint32_t fetch_pc;
    uint32_t fetch_to; /* the end of the fetch in flight */
} ww_instruction_buffer;

typedef struct ww_front_end {
    uint64_t needs_fetch; /* slots */
    uint64_t fetching;    /* slots: through the instruction cache, or until `filled_at` */
    uint32_t outstanding; /* fetches */
    unsigned last_fetched;
    unsigned line_shift;  /* a line has 2 to this power instructions */
    uint64_t *l0;         /* [schedulers][l0_lines]: the addresses of the lines; direct mapped */
    uint64_t per_l0_line; /* 2 to the power of 64 over l0_lines, rounded up */
    ww_port replies;
    ww_ring filled;                    /* slots whose buffer the L0 fills */
    uint64_t filled_at[WW_MOST_SLOTS]; /* by slot: when; 0: the instruction cache does */
} ww_front_end;

void ww_front_end_create(ww_cu *cu);
void ww_front_end_destroy(ww_cu *cu);
/* A warp starts, or has ended. */
void ww_front_end_start(ww_cu *cu, unsigned slot);
void ww_front_end_stop(ww_cu *cu, unsigned slot);
/* The warp waits for the instruction at `pc`, which is not in its buffer. */
void ww_front_end_demand(ww_cu *cu, unsigned slot, uint32_t pc);
/* Fetches the instructions after the warp's buffer. */
void ww_front_end_continue(ww_cu *cu, unsigned slot);
/* Receives what has been fetched, and examines the warps that waited for it. */
void ww_front_end_receive(ww_cu *cu, uint64_t cycle);
/* Wakes the compute unit for the next reply of the instruction cache, if one is on its way. */
void ww_front_end_expect(ww_cu *cu);
/* No reply of the instruction cache arrives before this cycle; `cycle` starts now. WW_NEVER: no
 * fetch is in flight. Where it is not after `next`, it may be too late. */
uint64_t ww_front_end_next_reply(const ww_cu *cu, uint64_t cycle, uint64_t next);
/* Fetches for one warp. False: it has effects outside, and cannot be executed ahead of time. */
bool ww_front_end_fetch(ww_cu *cu, uint64_t cycle, bool ahead);

/* Whether ww_front_end_receive has something to do in this cycle. */
static inline bool ww_front_end_has_arrivals(const ww_front_end *front_end, uint64_t cycle)
{
    return front_end->filled.used >> cycle % WW_RING & 1 || front_end->replies.count;
}

static inline bool ww_instruction_buffer_has(const ww_instruction_buffer *buffer, uint32_t pc)
{
    return pc >= buffer->from && pc < buffer->to;
}

/* The warp needs the instructions before `from` no more. True: so few are left that the front end
 * has to continue. */
static inline bool ww_instruction_buffer_advance(ww_instruction_buffer *buffer, uint32_t from,
                                                 uint32_t few)
{
    buffer->from = from;
    return buffer->to - from <= few;
}

#endif
