#include "exec/compute.h"

#include "exec/lanes_of.h"

#include <string.h>

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

/* The comparison of the upper halves; operators of 16 bits do not see what is above these. */
static uint64_t compare_high(ww_executor *x, const ww_uop *u, const uint32_t *a, const uint32_t *b)
{
    uint32_t *high_a = (uint32_t *)x->scratch, *high_b = (uint32_t *)x->scratch2;
    uint64_t mask = 0;
    for (unsigned i = 0; i < x->blocks * 16; i++) {
        high_a[i] = a[i] >> 16;
        high_b[i] = b[i] >> 16;
    }
    u->fn(&mask, high_a, high_b, NULL, x->blocks, NULL);
    return mask;
}

static void compare(ww_executor *x, ww_warp *w, const ww_uop *u, uint64_t lanes)
{
    const void *a = ww_row_at(x, w, u->a), *b = ww_row_at(x, w, u->b);
    uint64_t raw = 0, other = ww_predicate(w, u);
    u->fn(&raw, a, b, NULL, x->blocks, NULL);
    uint64_t p = combine_masks(u->combine, raw, other);
    if (u->kind == WW_UOP_COMPARE) {
        uint64_t second = u->flags & WW_UOP_PAIR ? compare_high(x, u, a, b) : ~raw;
        ww_set_predicate(w, u->e, combine_masks(u->combine, second, other), lanes);
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

void ww_exec_compute(ww_executor *x, ww_warp *w, const ww_uop *u, uint64_t lanes)
{
    uint64_t mask;
    switch (u->kind) {
    case WW_UOP_LANE: ww_lane_op(x, w, u, lanes, NULL); break;
    case WW_UOP_COPY32: ww_write_row(x, w, u->d, ww_row_at(x, w, u->a), lanes, false); break;
    case WW_UOP_COPY64: ww_write_row(x, w, u->d, ww_row_at(x, w, u->a), lanes, true); break;
    case WW_UOP_LANE_EXTRA:
        mask = (uint64_t)u->imm;
        ww_lane_op(x, w, u, lanes, u->flags & WW_UOP_NO_BASE ? &mask : ww_row_at(x, w, u->e));
        break;
    case WW_UOP_LANE_ADAPT: adapt(x, w, u, lanes); break;
    case WW_UOP_CARRY: carry_op(x, w, u, lanes); break;
    case WW_UOP_COMPARE:
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

/* ---- several at once ---- */

bool ww_uop_only_computes(const ww_uop *u)
{
    bool all_lanes = u->guard == WW_PREDICATE_ALWAYS && !u->guard_negated;
    return all_lanes && u->category == WW_CATEGORY_ARITHMETIC && u->kind < WW_UOP_SPACE_TEST;
}

uint32_t ww_warp_compute(ww_executor *x, ww_warp *w)
{
    ww_split *s = &w->splits[w->current];
    const uint64_t lanes = s->lanes;
    const uint32_t first = s->pc, stop = s->reconverge;
    const ww_uop *u = &x->kernel->uops[first];
    uint32_t pc = first;
    for (; u->flags & WW_UOP_ONLY_COMPUTES && pc != stop; u++, pc++) {
        if (u->kind == WW_UOP_LANE)
            ww_lane_op(x, w, u, lanes, NULL);
        else
            ww_exec_compute(x, w, u, lanes);
    }
    s->pc = pc;
    w->executed += pc - first;
    return pc - first;
}
