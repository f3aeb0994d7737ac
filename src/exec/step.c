/* The interpreter: one micro-op after the other for the lanes of the current split. */
#include "exec/compute.h"
#include "exec/lanes_of.h"
#include "exec/warp.h"

/* brx: each lane has its own target. */
static int branch_index(ww_executor *x, ww_warp *w, const ww_uop *u, uint64_t lanes)
{
    const uint32_t *index = ww_row_at(x, w, u->a);
    ww_split *s = &w->splits[w->current];
    ww_way ways[WW_MOST_LANES + 1];
    unsigned count = 0;
    if (s->lanes & ~lanes)
        ways[count++] = (ww_way){s->lanes & ~lanes, s->pc + 1};
    ww_each_lane(lane, lanes) {
        if (index[lane] >= (uint32_t)u->b)
            return ww_fault(x, w, lane, "branch index %u of a list of %d", index[lane], u->b);
        uint32_t target = x->kernel->targets[u->imm + index[lane]];
        unsigned way = 0;
        while (way < count && ways[way].pc != target)
            way++;
        if (way == count)
            ways[count++] = (ww_way){0, target};
        ways[way].lanes |= 1ull << lane;
    }
    x->counters->branches++;
    x->counters->divergent_branches += count > 1;
    if (count == 1)
        s->pc = ways[0].pc;
    else
        ww_split_fork(w, ways, count, u->reconverge);
    return WW_OK;
}

static int warp_barrier(ww_executor *x, ww_warp *w, const ww_uop *u, uint64_t lanes)
{
    ww_split *s = &w->splits[w->current];
    const uint32_t *members = ww_row_at(x, w, u->a);
    bool complete = true;
    ww_each_lane(lane, lanes) {
        int part = lane / 32 * 32;
        complete &= !((uint32_t)(w->live >> part) & members[lane] & ~(uint32_t)(lanes >> part));
    }
    s->pc++;
    if (complete)
        return WW_OK;
    s->state = WW_SPLIT_WARP_BARRIER;
    ww_split_choose(w);
    return WW_OK;
}

static int trap(ww_executor *x, const ww_warp *w, const ww_uop *u, uint64_t lanes)
{
    const ww_instruction *i = x->kernel->instructions[u - x->kernel->uops];
    int lane = __builtin_ctzll(lanes);
    return i->form.op == WW_OP_CALL ? ww_exec_assertion(x, w, u, lane)
                                    : ww_fault(x, w, lane, "trap");
}

/* Control flow and barriers: each sets the program counter at which its split continues. */
static int control(ww_executor *x, ww_warp *w, const ww_uop *u, uint64_t lanes)
{
    ww_split *s = &w->splits[w->current];
    uint64_t all = s->lanes;
    switch (u->kind) {
    case WW_UOP_BRANCH: {
        ww_way ways[2] = {{lanes, u->target}, {all & ~lanes, s->pc + 1}};
        x->counters->divergent_branches++;
        ww_split_fork(w, ways, 2, u->reconverge);
        return WW_OK;
    }
    case WW_UOP_BRANCH_INDEX: return branch_index(x, w, u, lanes);
    case WW_UOP_CALL: return ww_exec_call(x, w, u, lanes);
    case WW_UOP_CALL_INDIRECT: return ww_exec_call_indirect(x, w, u, lanes);
    case WW_UOP_BARRIER: return ww_exec_barrier(x, w, u, lanes);
    case WW_UOP_WARP_BARRIER: return warp_barrier(x, w, u, lanes);
    default: break;
    }
    s->pc++;
    if (!lanes)
        return WW_OK;
    if (u->kind == WW_UOP_TRAP) {
        s->pc--;
        return trap(x, w, u, lanes);
    }
    if (u->kind == WW_UOP_RETURN)
        return ww_exec_return(x, w, lanes);
    ww_exec_exit(x, w, lanes);
    return WW_OK;
}

static inline void tell_access(ww_executor *x, const ww_warp *w, uint32_t pc, int status)
{
    if (__builtin_expect(x->accessed != NULL, 0) && status == WW_OK)
        x->accessed(x->accessed_context, w, pc);
}

/* Runs the current split until it ends, blocks or splits, or the warp has executed `end`. */
static inline __attribute__((always_inline)) int run_split(ww_executor *x, ww_warp *w, uint64_t end)
{
    const ww_uop *uops = x->kernel->uops;
    ww_split *s = &w->splits[w->current];
    uint32_t pc = s->pc;
    const uint32_t stop = s->reconverge;
    const uint64_t active = s->lanes;
    const uint64_t active_count = ww_warp_count_lanes(w, active);
    int status = WW_OK;
    while (pc != stop && w->executed < end && status == WW_OK) {
        const ww_uop *u = &uops[pc];
        uint64_t lanes = active & (w->predicates[u->guard] ^ (0 - (uint64_t)u->guard_negated));
        w->executed++;
        x->counters->thread_instructions += lanes == active || u->kind == WW_UOP_BRANCH
                                                ? active_count
                                                : (uint64_t)__builtin_popcountll(lanes);
        x->categories[u->category]++;
        switch (u->kind) {
        case WW_UOP_LANE: ww_lane_op(x, w, u, lanes, NULL); break;
        case WW_UOP_LOAD:
            s->pc = pc;
            status = ww_exec_load(x, w, u, lanes);
            tell_access(x, w, pc, status);
            break;
        case WW_UOP_STORE:
            s->pc = pc;
            status = ww_exec_store(x, w, u, lanes);
            tell_access(x, w, pc, status);
            break;
        case WW_UOP_ATOMIC:
            s->pc = pc;
            status = ww_exec_atomic(x, w, u, lanes);
            tell_access(x, w, pc, status);
            break;
        case WW_UOP_ASYNC_COPY:
            s->pc = pc;
            status = ww_exec_async_copy(x, w, u, lanes);
            tell_access(x, w, pc, status);
            break;
        case WW_UOP_SHUFFLE:
        case WW_UOP_VOTE:
        case WW_UOP_MATCH:
        case WW_UOP_ACTIVE_MASK:
        case WW_UOP_REDUCE:
        case WW_UOP_ELECT: ww_exec_across(x, w, u, lanes); break;
        case WW_UOP_PRINT:
            s->pc = pc;
            status = ww_exec_print(x, w, u, lanes);
            break;
        case WW_UOP_BRANCH:
            x->counters->branches += u->guard != WW_PREDICATE_ALWAYS;
            s->pc = pc; /* a part of the state that is compared */
            if (x->watching && u->target <= pc && ww_warp_was_here_before(x, w)) {
                w->looping = true;
                end = 0;
            }
            if (lanes == active) {
                pc = u->target;
                continue;
            }
            if (!lanes || u->target == pc + 1)
                break;
            return control(x, w, u, lanes);
        case WW_UOP_BRANCH_INDEX:
        case WW_UOP_CALL:
        case WW_UOP_CALL_INDIRECT:
        case WW_UOP_BARRIER:
        case WW_UOP_WARP_BARRIER:
        case WW_UOP_RETURN:
        case WW_UOP_EXIT:
        case WW_UOP_TRAP: s->pc = pc; return control(x, w, u, lanes);
        default: ww_exec_compute(x, w, u, lanes); break;
        }
        pc += status == WW_OK;
    }
    s->pc = pc;
    return status;
}

static inline void reconverge(ww_executor *x, ww_warp *w)
{
    while (w->current != WW_NO_SPLIT) {
        ww_split *s = &w->splits[w->current];
        if (s->is_call)
            ww_exec_resume(x, w, s);
        if (s->pc != s->reconverge)
            return;
        ww_split_arrive(w);
    }
}

void ww_warp_reconverge(ww_executor *x, ww_warp *w)
{
    reconverge(x, w);
}

int ww_warp_step(ww_executor *x, ww_warp *w)
{
    int status = run_split(x, w, w->executed + 1);
    x->counters->warp_instructions++;
    reconverge(x, w);
    return status;
}

int ww_warp_run(ww_executor *x, ww_warp *w, uint64_t budget)
{
    uint64_t end = w->executed + budget, before = w->executed;
    int status = WW_OK;
    while (w->current != WW_NO_SPLIT && w->executed < end && !w->looping && status == WW_OK) {
        reconverge(x, w);
        if (w->current != WW_NO_SPLIT)
            status = run_split(x, w, end);
    }
    x->counters->warp_instructions += w->executed - before;
    return status;
}
