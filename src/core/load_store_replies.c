/* Replies to a load/store unit's requests, and invalidations that wait for them. */
#include "core/checked_mode.h"
#include "core/load_store_internal.h"

static void free_op(ww_load_store *m, ww_memory_op *op)
{
    op->link = m->spare;
    m->spare = op;
}

/* ---- invalidations ---- */

static bool has_requests(const ww_memory_op *op)
{
    return op->next > op->lines - op->remaining;
}

unsigned ww_load_store_drain(ww_load_store *m, const ww_invalidation *what)
{
    m->invalidation = *what;
    m->invalidation.pages = NULL; /* the sender's */
    for (size_t i = 0; i < m->blocks.count; i++) {
        for (unsigned n = 0; n < WW_OPS_OF_BLOCK; n++) {
            ww_memory_op *op = &m->blocks.items[i][n];
            op->draining = op->remaining && has_requests(op);
            m->draining += op->draining;
        }
    }
    return m->draining != 0;
}

static void note_drained(ww_load_store *m, ww_memory_op *op)
{
    if (has_requests(op))
        return;
    op->draining = false;
    if (--m->draining == 0)
        m->invalidation.acknowledge(m->invalidation.context);
}

/* ---- replies ---- */

static const uint16_t *registers_of(const ww_memory_op *op)
{
    return op->launch->code->registers + op->first_register;
}

/* The warp waits for a value that the instruction loads. */
static bool is_waited_for(const ww_cu *cu, const ww_memory_op *op)
{
    const ww_slot_state *s = &cu->slots[op->slot];
    if (s->issue.wait != WW_WAIT_LOAD)
        return false;
    const ww_timed_op *next = ww_stream_op(&s->stream, s->issue.pc);
    const uint16_t *needed = next->registers, *loaded = registers_of(op);
    for (unsigned i = 0; i < op->written; i++)
        for (unsigned j = 0; j < next->count; j++)
            if (loaded[i] == needed[j])
                return true;
    return false;
}

/* The warp has the values. False: checked mode found a fault. */
static bool load_values(ww_cu *cu, const ww_memory_op *op, bool waited_for, uint64_t cycle)
{
    cu->slots[op->slot].outstanding.loads--;
    ww_attribution_load(cu, op->slot, waited_for && (op->missed || op->held));
    if (cu->wiring.check && !ww_check_release(cu, op))
        return false;
    ww_scoreboard_complete(&cu->slots[op->slot].scoreboard, registers_of(op), op->written, cycle);
    cu->counters.loads++;
    cu->counters.load_latency += cycle - op->issued;
    if (cu->predictor.criticality)
        ww_predictor_commit(cu, op->slot, cycle);
    return true;
}

/* For a warp that is resident. False: checked mode found a fault. */
static bool complete_for_warp(ww_cu *cu, const ww_memory_op *op, uint64_t cycle)
{
    ww_slot_state *s = &cu->slots[op->slot];
    bool waited_for = is_waited_for(cu, op);
    ww_attribution_advance(cu, cycle);
    cu->outstanding--;
    if (op->kind == WW_REQUEST_WRITE)
        s->outstanding.stores--;
    else if (!load_values(cu, op, waited_for, cycle))
        return false;
    if (waited_for || s->issue.wait == WW_WAIT_SYNCHRONISATION) {
        ww_issue_examine(cu, op->slot, cycle);
        ww_cu_wake(cu, cycle);
    }
    return true;
}

/* False: checked mode found a fault. */
static bool complete(ww_load_store *m, ww_memory_op *op, uint64_t cycle)
{
    ww_cu *cu = m->cu;
    if (cu->wiring.observers)
        ww_cu_notify_access(cu, op, cycle);
    if (ww_memory_op_is_alive(cu, op) && !complete_for_warp(cu, op, cycle))
        return false;
    free_op(m, op);
    return true;
}

/* All replies of the instruction have arrived. False: checked mode found a fault. */
static bool all_replied(ww_load_store *m, ww_memory_op *op, uint64_t cycle)
{
    if (!ww_load_store_is_ordered(m))
        return complete(m, op, cycle);
    op->held = op != m->oldest;
    for (ww_memory_op *first; (first = m->oldest) != NULL && !first->remaining;) {
        m->oldest = first->link;
        if (!complete(m, first, cycle))
            return false;
    }
    return true;
}

static void note_stages(ww_cu *cu, const ww_request *r, ww_tick now)
{
    ww_cu_counters *c = &cu->counters;
#define ADD_STAGE(name, statistic, doc) c->stages[WW_STAGE_##name] += r->stages[WW_STAGE_##name];
    WW_STAGES(ADD_STAGE)
#undef ADD_STAGE
    c->request_ticks += now - r->made;
}

/* The warp of a load waited for the load's last request. */
static void note_blame(ww_cu *cu, ww_request *r, const ww_memory_op *op, ww_tick now)
{
    ww_cu_noted *noted = &cu->counters.noted;
    r->after_l1.ticks[WW_CAUSE_L1_LATENCY] += (uint32_t)now;
    ww_blame_sum_add(&noted->before_l1, &r->before_l1);
    ww_blame_sum_add(&noted->after_l1, &r->after_l1);
    if (op->remaining > 1 || op->kind == WW_REQUEST_WRITE)
        return;
    ww_blame whole = {.row = r->before_l1.row + r->after_l1.row};
    ww_blame_sum_add(op->missed ? &noted->last : &noted->last_hit, &whole);
}

bool ww_load_store_receive_replies(ww_load_store *m, uint64_t cycle)
{
    ww_cu *cu = m->cu;
    ww_tick now = ww_engine_now(cu->wiring.engine);
    for (ww_request *r; (r = ww_port_arrived(&m->replies, now)) != NULL;) {
        ww_memory_op *op = r->owner;
        if (cu->wiring.check && !ww_check_reply(cu, r, m->class))
            return false;
        ww_port_pop(&m->replies);
        ww_request_stage(r, WW_STAGE_REPLY, now);
        note_stages(cu, r, now);
        op->missed |= r->missed;
        if (r->blamed)
            note_blame(cu, r, op, now);
        if (m->order.entries)
            ww_line_order_answer(&m->order, r->rob_entry);
        ww_request_free(cu->wiring.pool, r);
        m->in_flight--;
        m->last_reply = now;
        op->remaining--;
        if (op->draining)
            note_drained(m, op);
        if (op->remaining == 0 && !all_replied(m, op, cycle))
            return false;
    }
    return true;
}
