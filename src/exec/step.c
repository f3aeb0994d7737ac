/* The interpreter: one micro-op after the other for the lanes of the current split. */
#include "exec/lanes_of.h"
#include "exec/warp.h"

#include <string.h>

static void lane_op(ww_executor *x, ww_warp *w, const ww_uop *u, uint64_t lanes, bool wide,
                    uint64_t *extra)
{
    const void *a = ww_row_at(x, w, u->a), *b = ww_row_at(x, w, u->b), *c = ww_row_at(x, w, u->c);
    if (lanes == w->live) {
        u->fn(w->rows + u->d, a, b, c, x->blocks, extra);
    } else if (lanes) {
        u->fn(x->scratch, a, b, c, x->blocks, extra);
        ww_write_row(x, w, u->d, x->scratch, lanes, wide);
    }
}

/* cvt between registers wider than its types: narrow the source first, widen the result last. */
static void adapt(ww_executor *x, ww_warp *w, const ww_uop *u, uint64_t lanes)
{
    unsigned count = x->blocks * 16;
    const void *a = ww_row_at(x, w, u->a);
    if (u->flags & WW_UOP_NARROW_A) {
        for (unsigned i = 0; i < count; i++)
            ((uint32_t *)x->scratch2)[i] = (uint32_t)((const uint64_t *)a)[i];
        a = x->scratch2;
    }
    u->fn(x->scratch, a, a, a, x->blocks, NULL);
    bool wide = u->flags & WW_UOP_WIDEN_D;
    const void *d = x->scratch;
    if (wide) {
        for (unsigned i = 0; i < count; i++) {
            uint32_t value = ((const uint32_t *)x->scratch)[i];
            x->scratch2[i] = u->flags & WW_UOP_SIGNED ? (uint64_t)(int64_t)(int32_t)value : value;
        }
        d = x->scratch2;
    }
    /* Without widening, the operator's own result width counts: WW_UOP_WIDE for 8 bytes a lane. */
    ww_write_row(x, w, u->d, d, lanes, wide || u->flags & WW_UOP_WIDE);
}

static uint64_t combine_masks(unsigned combine, uint64_t a, uint64_t b)
{
    return combine == WW_COMBINE_AND ? a & b : combine == WW_COMBINE_OR ? a | b : a ^ b;
}

static void compare(ww_executor *x, ww_warp *w, const ww_uop *u, uint64_t lanes)
{
    uint64_t raw = 0, other = ww_predicate(w, u);
    u->fn(&raw, ww_row_at(x, w, u->a), ww_row_at(x, w, u->b), NULL, x->blocks, NULL);
    uint64_t p = combine_masks(u->combine, raw, other);
    if (u->kind == WW_UOP_COMPARE) {
        ww_set_predicate(w, u->e, combine_masks(u->combine, ~raw, other), lanes);
        ww_set_predicate(w, u->d, p, lanes);
        return;
    }
    uint32_t yes = u->type == WW_TYPE_F32 ? 0x3f800000u : UINT32_MAX;
    for (unsigned i = 0; i < x->blocks * 16; i++)
        ((uint32_t *)x->scratch)[i] = p >> i & 1 ? yes : 0;
    ww_write_row(x, w, u->d, x->scratch, lanes, false);
}

static void carry_op(ww_executor *x, ww_warp *w, const ww_uop *u, uint64_t lanes)
{
    uint64_t carry = w->carry;
    bool wide = u->flags & WW_UOP_WIDE;
    u->fn(x->scratch, ww_row_at(x, w, u->a), ww_row_at(x, w, u->b), ww_row_at(x, w, u->c),
          x->blocks, &carry);
    ww_write_row(x, w, u->d, x->scratch, lanes, wide);
    w->carry = (w->carry & ~lanes) | (carry & lanes);
}

static uint64_t get_element(const void *row, unsigned lane, bool wide)
{
    return wide ? ((const uint64_t *)row)[lane] : ((const uint32_t *)row)[lane];
}

static void pack(ww_executor *x, ww_warp *w, const ww_uop *u, uint64_t lanes)
{
    unsigned bits = u->bytes * 8u;
    bool wide = u->bytes * u->count == 8;
    uint64_t keep = bits == 64 ? UINT64_MAX : (1ull << bits) - 1;
    for (unsigned i = 0; i < x->blocks * 16; i++) {
        uint64_t value = 0;
        for (unsigned e = 0; e < u->count; e++)
            value |= (get_element(ww_row_at(x, w, x->kernel->lists[(unsigned)u->e + e]), i,
                                  u->bytes == 8) &
                      keep)
                     << (e * bits % 64);
        if (wide)
            x->scratch[i] = value;
        else
            ((uint32_t *)x->scratch)[i] = (uint32_t)value;
    }
    ww_write_row(x, w, u->d, x->scratch, lanes, wide);
}

static void unpack(ww_executor *x, ww_warp *w, const ww_uop *u, uint64_t lanes)
{
    unsigned bits = u->bytes * 8u;
    bool wide = u->bytes * u->count == 8;
    uint64_t keep = bits == 64 ? UINT64_MAX : (1ull << bits) - 1;
    memcpy(x->scratch2, ww_row_at(x, w, u->a), x->blocks * (wide ? 128 : 64));
    for (unsigned e = 0; e < u->count; e++) {
        for (unsigned i = 0; i < x->blocks * 16; i++) {
            uint64_t part = get_element(x->scratch2, i, wide) >> (e * bits % 64) & keep;
            if (bits == 64)
                x->scratch[i] = part;
            else
                ((uint32_t *)x->scratch)[i] = (uint32_t)part;
        }
        ww_write_row(x, w, x->kernel->lists[(unsigned)u->e + e], x->scratch, lanes, bits == 64);
    }
}

/* The same value for all lanes. */
static void write_value(ww_executor *x, ww_warp *w, const ww_uop *u, uint64_t lanes, uint64_t value)
{
    bool wide = u->flags & WW_UOP_WIDE;
    for (unsigned i = 0; i < x->blocks * 16; i++)
        if (wide)
            x->scratch[i] = value;
        else
            ((uint32_t *)x->scratch)[i] = (uint32_t)value;
    ww_write_row(x, w, u->d, x->scratch, lanes, wide);
}

/* Clocks count the instructions of the warp: the same on every run. */
static uint64_t clock_value(const ww_warp *w, unsigned special)
{
    bool high = special == WW_SPECIAL_CLOCK_HI || special == WW_SPECIAL_GLOBALTIMER_HI;
    return high ? w->executed >> 32 : w->executed;
}

static void space_test(ww_executor *x, ww_warp *w, const ww_uop *u, uint64_t lanes)
{
    const uint64_t *a = ww_row_at(x, w, u->a);
    uint64_t result = 0;
    ww_each_lane(lane, lanes) {
        bool shared = a[lane] - WW_SHARED_WINDOW < WW_WINDOW_BYTES;
        bool local = a[lane] - WW_LOCAL_WINDOW < WW_WINDOW_BYTES;
        bool param = a[lane] - WW_PARAM_WINDOW < WW_WINDOW_BYTES;
        const ww_buffer *b = ww_memory_find(x->memory, a[lane], 1);
        bool in = u->space == WW_SPACE_SHARED  ? shared
                  : u->space == WW_SPACE_LOCAL ? local
                  : u->space == WW_SPACE_PARAM ? param
                  : u->space == WW_SPACE_CONST ? b && b->read_only
                                               : !shared && !local && !param && a[lane];
        result |= (uint64_t)in << lane;
    }
    ww_set_predicate(w, u->d, result, lanes);
}

/* Arithmetic and moves: everything that only writes registers. */
static void compute(ww_executor *x, ww_warp *w, const ww_uop *u, uint64_t lanes)
{
    uint64_t mask;
    switch (u->kind) {
    case WW_UOP_LANE_EXTRA:
        mask = (uint64_t)u->imm;
        lane_op(x, w, u, lanes, u->flags & WW_UOP_WIDE,
                u->flags & WW_UOP_NO_BASE ? &mask : ww_row_at(x, w, u->e));
        break;
    case WW_UOP_LANE_ADAPT: adapt(x, w, u, lanes); break;
    case WW_UOP_CARRY: carry_op(x, w, u, lanes); break;
    case WW_UOP_SET: compare(x, w, u, lanes); break;
    case WW_UOP_TEST:
        mask = 0;
        u->fn(&mask, ww_row_at(x, w, u->a), NULL, NULL, x->blocks, NULL);
        ww_set_predicate(w, u->d, mask, lanes);
        break;
    case WW_UOP_SELECT:
        mask = ww_predicate(w, u);
        u->fn(x->scratch, ww_row_at(x, w, u->a), ww_row_at(x, w, u->b), &mask, x->blocks, NULL);
        ww_write_row(x, w, u->d, x->scratch, lanes, u->flags & WW_UOP_WIDE);
        break;
    case WW_UOP_PREDICATE:
        mask = combine_masks(u->combine, w->predicates[u->a], w->predicates[u->b]);
        ww_set_predicate(w, u->d, mask, lanes);
        break;
    case WW_UOP_PACK: pack(x, w, u, lanes); break;
    case WW_UOP_UNPACK: unpack(x, w, u, lanes); break;
    case WW_UOP_LOCAL_ADDRESS:
        write_value(x, w, u, lanes, (uint64_t)u->imm + w->splits[w->current].frame);
        break;
    case WW_UOP_CLOCK:
        write_value(x, w, u, lanes, clock_value(w, u->variant));
        x->changed = true; /* a loop that waits for a time makes progress */
        break;
    case WW_UOP_SPACE_TEST: space_test(x, w, u, lanes); break;
    default: break; /* fences and hints */
    }
}

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

static uint64_t count_lanes(const ww_warp *w, uint64_t lanes)
{
    return lanes == w->lanes ? w->lane_count : (uint64_t)__builtin_popcountll(lanes);
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
    const uint64_t active_count = count_lanes(w, active);
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
        case WW_UOP_LANE: lane_op(x, w, u, lanes, u->flags & WW_UOP_WIDE, NULL); break;
        case WW_UOP_COMPARE: compare(x, w, u, lanes); break;
        case WW_UOP_COPY32: ww_write_row(x, w, u->d, ww_row_at(x, w, u->a), lanes, false); break;
        case WW_UOP_COPY64: ww_write_row(x, w, u->d, ww_row_at(x, w, u->a), lanes, true); break;
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
        default: compute(x, w, u, lanes); break;
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
