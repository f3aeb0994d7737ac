#include "core/execute.h"

#include "core/examine.h"

/* An instruction that has been executed, and what it accessed. */
typedef struct executed {
    unsigned scheduler;
    ww_slot_state *slot;
    const ww_timed_op *op;
    const ww_access *access;
    uint64_t cycle;
    uint64_t lanes; /* active */
} executed;

static inline void set_results(const executed *e, uint64_t at)
{
    ww_scoreboard_write(&e->slot->scoreboard, e->op->registers, e->op->written, e->cycle, at);
}

/* The unit takes no instruction until `until`; `taken` cycles of it are this instruction's. */
static inline void use(ww_cu *cu, const executed *e, unsigned unit, uint64_t until, uint64_t taken)
{
    ww_units_occupy(&cu->units, e->scheduler, unit, e->cycle, until);
    cu->counters.unit_busy[unit] += taken;
    cu->counters.unit_issues[unit]++;
    cu->counters.unit_lanes[unit] += e->lanes;
}

static inline void use_for(ww_cu *cu, const executed *e, unsigned unit, uint64_t cycles)
{
    use(cu, e, unit, e->cycle + cycles, cycles);
}

/* An access to the local data share: its conflicts take time, and a generic one may find it busy.
 */
static void charge_share(ww_cu *cu, const executed *e)
{
    const ww_unit_timing *share = &cu->config.units[WW_UNIT_LDS];
    unsigned steps,
        passes = ww_lds_passes(&cu->config, e->access->lanes, e->access->address, e->access->bytes,
                               e->op->flags & WW_TIMED_ATOMIC, &steps);
    unsigned conflicts = (passes - steps) * cu->config.lds_conflict;
    uint64_t busy = ww_units_free_at(&cu->units, e->scheduler, WW_UNIT_LDS);
    uint64_t start = busy > e->cycle ? busy : e->cycle;
    if (e->op->unit != WW_UNIT_LDS)
        use_for(cu, e, e->op->unit, cu->config.units[e->op->unit].interval);
    set_results(e, start + share->latency + conflicts);
    /* A bank delivers a word in a cycle, so that a pass takes one cycle. */
    uint64_t taken = passes > share->interval ? passes : share->interval;
    use(cu, e, WW_UNIT_LDS, start + taken, taken);
    cu->counters.lds_conflict_cycles += conflicts;
}

/* A memory instruction: to the local data share, or to a load/store unit. Whether it is complete,
 * but for a latency that is known. */
static bool charge_access(ww_cu *cu, const executed *e)
{
    if (!e->access->lanes) {
        set_results(e, e->cycle + 1);
        use_for(cu, e, e->op->unit, 1);
        return true;
    }
    if (ww_goes_to_share(e->op, e->access)) {
        charge_share(cu, e);
        return true;
    }
    bool scalar = e->op->flags & WW_TIMED_SCALAR;
    ww_load_store_add(scalar ? &cu->scalar_memory : &cu->memory, ww_cu_slot_of(cu, e->slot), e->op,
                      e->access, e->cycle);
    bool loads = e->op->flags & (WW_TIMED_LOAD | WW_TIMED_ATOMIC);
    if (loads)
        set_results(e, WW_NEVER);
    ww_unit unit = scalar ? WW_UNIT_SCALAR : WW_UNIT_MEMORY;
    use_for(cu, e, unit, cu->config.units[unit].interval);
    return !loads;
}

/* Likewise, for any instruction. */
static bool charge(ww_cu *cu, const executed *e)
{
    const ww_unit_timing *timing = &cu->config.units[e->op->unit];
    if (e->op->flags & (WW_TIMED_LOAD | WW_TIMED_STORE | WW_TIMED_ATOMIC))
        return charge_access(cu, e);
    set_results(e, e->cycle + timing->latency);
    use_for(cu, e, e->op->unit, timing->interval);
    if (e->op->is_float)
        cu->counters.float_lanes += e->lanes;
    if (e->op->flags & WW_TIMED_BRANCH) {
        ww_slot_state *s = e->slot;
        bool is_starved = !ww_instruction_buffer_has(&s->buffer, s->issue.pc + 1);
        ww_issue_decide(&s->issue, is_starved, e->cycle + timing->latency);
    }
    return true;
}

static inline void count(ww_cu *cu, ww_slot_state *s)
{
    ww_attribution_count_issue(&s->attribution);
    cu->counters.instructions++;
    ++*cu->wiring.instructions;
}

/* Only where warps' criticality is predicted. */
static WW_CU_SELDOM void predict(ww_cu *cu, unsigned slot, bool complete, uint64_t cycle)
{
    if (ww_predictor_has_to_tell(&cu->predictor, cycle))
        ww_predictor_tell(cu, slot, complete, cycle);
    ww_predictor_count(&cu->predictor, slot, complete, cycle);
}

/* The warp's next instruction to issue is at `from`, or after a branch. */
static inline void advance_buffer(ww_cu *cu, ww_slot_state *s, uint32_t from)
{
    uint32_t few = cu->config.instruction_buffer / 2;
    if (ww_instruction_buffer_advance(&s->buffer, from, few))
        ww_front_end_continue(cu, ww_cu_slot_of(cu, s));
}

/* The warp has ended, waits for other warps, or can issue again. */
static WW_CU_APART void advance(ww_cu *cu, ww_slot_state *s, bool others, uint64_t cycle)
{
    unsigned slot = ww_cu_slot_of(cu, s);
    if (ww_stream_has_ended(&s->stream)) {
        ww_issue_end(&cu->issue, slot);
    } else {
        uint32_t next = s->issue.pc + 1;
        bool falls_through = ww_stream_can_run(&s->stream) && ww_stream_pc(&s->stream) == next;
        advance_buffer(cu, s, falls_through ? next : s->buffer.from);
        ww_issue_examine_next(cu, slot, cycle + 1);
    }
    if (others)
        ww_issue_examine_group(cu, s->resident.group, cycle + 1);
}

/* An instruction that only computes. It changes no other warp, and the one after it is the next
 * unless it was the last before a reconvergence point. */
static inline void compute(ww_cu *cu, unsigned scheduler, ww_slot_state *s, const ww_timed_op *op,
                           uint64_t bit, uint64_t cycle)
{
    const ww_unit_timing *timing = &cu->config.units[op->unit];
    executed e = {scheduler, s, op, NULL, cycle, ww_stream_compute(&s->stream)};
    count(cu, s);
    set_results(&e, cycle + timing->latency);
    use_for(cu, &e, op->unit, timing->interval);
    if (op->is_float)
        cu->counters.float_lanes += e.lanes;
    if (cu->predictor.criticality)
        predict(cu, ww_cu_slot_of(cu, s), true, cycle);
    if (__builtin_expect(!s->stream.ahead, 0)) {
        advance(cu, s, !ww_stream_can_run(&s->stream), cycle);
        return;
    }
    advance_buffer(cu, s, s->issue.pc + 1);
    ww_issue_examine_following(cu, s, bit, op, cycle + 1);
}

static WW_CU_APART void step(ww_cu *cu, unsigned scheduler, ww_slot_state *s, const ww_timed_op *op,
                             uint64_t cycle)
{
    executed e = {scheduler, s, op, NULL, cycle, 0};
    bool others;
    bool predicts_branch = op->flags & WW_TIMED_BRANCH && cu->predictor.criticality;
    if (predicts_branch)
        ww_predictor_begin_branch(cu, ww_cu_slot_of(cu, s));
    int status = ww_stream_step(&s->stream, &e.access, &e.lanes, &others);
    count(cu, s);
    if (status != WW_OK) {
        ww_cu_fail(cu, status);
        return;
    }
    bool complete = charge(cu, &e);
    if (cu->predictor.criticality)
        predict(cu, ww_cu_slot_of(cu, s), complete, cycle);
    if (predicts_branch)
        ww_predictor_end_branch(cu, ww_cu_slot_of(cu, s));
    advance(cu, s, others, cycle);
}

void ww_cu_execute(ww_cu *cu, unsigned scheduler, ww_slot_state *s, uint64_t bit, uint64_t cycle)
{
    const ww_timed_op *op = ww_stream_op(&s->stream, s->issue.pc);
    if (cu->wiring.observers)
        ww_cu_notify_issue(cu, ww_cu_slot_of(cu, s), cycle);
    if (op->computes && cu->config.compute_ahead)
        compute(cu, scheduler, s, op, bit, cycle);
    else
        step(cu, scheduler, s, op, cycle);
}
