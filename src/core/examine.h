/* Whether a warp can issue, and if not, why and until when: the part of issue.c that every
 * instruction passes. issue.c and execute.c alone include it. */
#ifndef WW_CORE_EXAMINE_H
#define WW_CORE_EXAMINE_H

#include "core/core_internal.h"

/* Examines the slot again in `cycle`; a cycle beyond the ring is reached in steps. */
static inline void ww_issue_examine_at(ww_issue *i, uint64_t bit, uint64_t now, uint64_t cycle)
{
    ww_ring_add(&i->due, ww_ring_reach(now, cycle), bit);
}

static inline void ww_issue_wait_for(ww_issue *i, ww_issue_slot *s, uint64_t bit, ww_wait wait)
{
    i->waiting[wait] |= bit;
    s->wait = (uint8_t)wait;
}

/* Most instructions need the same as the one before. */
static inline void ww_issue_note_unit(ww_cu *cu, ww_issue_slot *s, uint64_t bit,
                                      const ww_timed_op *op)
{
    ww_issue *i = &cu->issue;
    uint8_t inside = op->flags & WW_TIMED_INSIDE;
    if (__builtin_expect(s->unit == op->unit && s->inside == inside, 1))
        return;
    ww_units_need(&cu->units, bit, s->unit, op->unit);
    s->unit = op->unit;
    s->inside = inside;
    i->outside = inside ? i->outside & ~bit : i->outside | bit;
}

/* The time of the value is known and nothing else can change until then: the slot becomes ready at
 * that time without another examination. */
static inline void ww_issue_wait_for_operands(ww_issue *i, ww_issue_slot *s, uint64_t bit,
                                              const ww_timed_op *op, uint64_t now, uint64_t cycle)
{
    ww_issue_wait_for(i, s, bit, WW_WAIT_OPERAND);
    if (cycle - now >= WW_RING || op->flags & WW_TIMED_FENCE)
        ww_issue_examine_at(i, bit, now, cycle);
    else
        ww_ring_add(&i->becomes_ready, cycle, bit);
}

static inline __attribute__((always_inline)) void
ww_issue_examine_operands(ww_cu *cu, ww_slot_state *s, uint64_t bit, const ww_timed_op *op,
                          uint64_t cycle)
{
    ww_issue *i = &cu->issue;
    uint64_t at = ww_scoreboard_ready(&s->scoreboard, op->bits, op->registers, op->count);
    ww_issue_note_unit(cu, &s->issue, bit, op);
    if (at == WW_NEVER)
        ww_issue_wait_for(i, &s->issue, bit, WW_WAIT_LOAD);
    else if (at > cycle)
        ww_issue_wait_for_operands(i, &s->issue, bit, op, cycle, at);
    else if (op->flags & WW_TIMED_FENCE && s->outstanding.stores + s->outstanding.loads)
        ww_issue_wait_for(i, &s->issue, bit, WW_WAIT_SYNCHRONISATION);
    else
        i->ready |= bit;
}

/* The next instruction is known: it is `op`. */
static inline __attribute__((always_inline)) void
ww_issue_examine_instruction(ww_cu *cu, ww_slot_state *s, uint64_t bit, const ww_timed_op *op,
                             uint64_t cycle)
{
    if (__builtin_expect(ww_instruction_buffer_has(&s->buffer, s->issue.pc), 1)) {
        ww_issue_examine_operands(cu, s, bit, op, cycle);
        return;
    }
    ww_issue_wait_for(&cu->issue, &s->issue, bit, WW_WAIT_FETCH);
    ww_front_end_demand(cu, ww_cu_slot_of(cu, s), s->issue.pc);
}

/* The warp has issued `op`, which the next instruction follows in all cases. */
static inline void ww_issue_examine_following(ww_cu *cu, ww_slot_state *s, uint64_t bit,
                                              const ww_timed_op *op, uint64_t cycle)
{
    s->issue.wait = WW_WAIT_COUNT;
    s->issue.pc++;
    ww_issue_examine_instruction(cu, s, bit, op + 1, cycle);
}

#endif
