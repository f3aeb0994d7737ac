/* Arithmetic, comparisons and moves of one work-item. */
#include "support/scalar_state.h"

#include <string.h>

/* A result row of an operator; lane 0 counts. */
typedef union result {
    _Alignas(64) uint64_t wide[SCALAR_LANES];
    uint32_t narrow[2 * SCALAR_LANES];
} result;

static void apply(const scalar_group *g, scalar_item *item, const ww_uop *u, uint64_t *extra)
{
    result d = {0};
    u->fn(&d, scalar_row(g, item, u->a), scalar_row(g, item, u->b), scalar_row(g, item, u->c), 1,
          extra);
    bool wide = u->flags & WW_UOP_WIDE;
    scalar_set(item, u->d, wide, wide ? d.wide[0] : d.narrow[0]);
}

static void adapt(const scalar_group *g, scalar_item *item, const ww_uop *u)
{
    result a = {0}, d = {0};
    memcpy(&a, scalar_row(g, item, u->a), u->flags & WW_UOP_NARROW_A ? 4 : 8);
    u->fn(&d, &a, &a, &a, 1, NULL);
    if (!(u->flags & WW_UOP_WIDEN_D))
        scalar_set(item, u->d, u->flags & WW_UOP_WIDE, d.wide[0]);
    else if (u->flags & WW_UOP_SIGNED)
        scalar_set(item, u->d, true, (uint64_t)(int64_t)(int32_t)d.narrow[0]);
    else
        scalar_set(item, u->d, true, d.narrow[0]);
}

static bool combine(unsigned how, bool a, bool b)
{
    return how == WW_COMBINE_AND ? a && b : how == WW_COMBINE_OR ? a || b : a != b;
}

static void compare(const scalar_group *g, scalar_item *item, const ww_uop *u)
{
    uint64_t mask = 0;
    u->fn(&mask, scalar_row(g, item, u->a), scalar_row(g, item, u->b), NULL, 1, NULL);
    bool raw = mask & 1, other = scalar_predicate(item, u);
    bool yes = combine(u->combine, raw, other), no = combine(u->combine, !raw, other);
    if (u->kind == WW_UOP_COMPARE) {
        item->top->predicates[u->e] = no;
        item->top->predicates[u->d] = yes;
    } else {
        uint32_t one = u->type == WW_TYPE_F32 ? 0x3f800000u : 0xffffffffu;
        scalar_set(item, u->d, false, yes ? one : 0);
    }
}

static void test(const scalar_group *g, scalar_item *item, const ww_uop *u)
{
    uint64_t mask = 0;
    u->fn(&mask, scalar_row(g, item, u->a), NULL, NULL, 1, NULL);
    item->top->predicates[u->d] = mask & 1;
}

static void pack(const scalar_group *g, scalar_item *item, const ww_uop *u)
{
    uint8_t bytes[8] = {0};
    uint64_t value;
    for (unsigned e = 0; e < u->count; e++)
        memcpy(bytes + e * u->bytes, scalar_row(g, item, g->kernel->lists[(unsigned)u->e + e]),
               u->bytes);
    memcpy(&value, bytes, 8);
    scalar_set(item, u->d, u->bytes * u->count == 8, value);
}

static void unpack(const scalar_group *g, scalar_item *item, const ww_uop *u)
{
    uint64_t value = scalar_get(g, item, u->a, u->bytes * u->count == 8);
    for (unsigned e = 0; e < u->count; e++) {
        uint64_t part = 0;
        memcpy(&part, (const uint8_t *)&value + e * u->bytes, u->bytes);
        scalar_set(item, g->kernel->lists[(unsigned)u->e + e], u->bytes == 8, part);
    }
}

static bool is_in(uint64_t address, uint64_t window)
{
    return address >= window && address < window + WW_WINDOW_BYTES;
}

static void space_test(const scalar_group *g, scalar_item *item, const ww_uop *u)
{
    uint64_t address = scalar_get(g, item, u->a, true);
    const ww_buffer *buffer = ww_memory_find(g->memory, address, 1);
    bool shared = is_in(address, WW_SHARED_WINDOW), local = is_in(address, WW_LOCAL_WINDOW);
    bool param = is_in(address, WW_PARAM_WINDOW), in;
    switch (u->space) {
    case WW_SPACE_SHARED: in = shared; break;
    case WW_SPACE_LOCAL: in = local; break;
    case WW_SPACE_PARAM: in = param; break;
    case WW_SPACE_CONST: in = buffer && buffer->read_only; break;
    default: in = address && !shared && !local && !param; break;
    }
    item->top->predicates[u->d] = in;
}

void scalar_compute(const scalar_group *g, scalar_item *item, const ww_uop *u)
{
    uint64_t extra;
    switch (u->kind) {
    case WW_UOP_LANE: apply(g, item, u, NULL); break;
    case WW_UOP_LANE_EXTRA:
        extra = (uint64_t)u->imm;
        apply(g, item, u, u->flags & WW_UOP_NO_BASE ? &extra : scalar_row(g, item, u->e));
        break;
    case WW_UOP_LANE_ADAPT: adapt(g, item, u); break;
    case WW_UOP_CARRY:
        extra = item->carry;
        apply(g, item, u, &extra);
        item->carry = extra & 1;
        break;
    case WW_UOP_COMPARE:
    case WW_UOP_SET: compare(g, item, u); break;
    case WW_UOP_TEST: test(g, item, u); break;
    case WW_UOP_SELECT:
        scalar_set(
            item, u->d, u->flags & WW_UOP_WIDE,
            scalar_get(g, item, scalar_predicate(item, u) ? u->a : u->b, u->flags & WW_UOP_WIDE));
        break;
    case WW_UOP_COPY32: scalar_set(item, u->d, false, scalar_get(g, item, u->a, false)); break;
    case WW_UOP_COPY64: scalar_set(item, u->d, true, scalar_get(g, item, u->a, true)); break;
    case WW_UOP_PREDICATE:
        item->top->predicates[u->d] =
            combine(u->combine, item->top->predicates[u->a], item->top->predicates[u->b]);
        break;
    case WW_UOP_PACK: pack(g, item, u); break;
    case WW_UOP_UNPACK: unpack(g, item, u); break;
    case WW_UOP_LOCAL_ADDRESS:
        scalar_set(item, u->d, u->flags & WW_UOP_WIDE, item->top->frame + (uint64_t)u->imm);
        break;
    case WW_UOP_CLOCK: scalar_set(item, u->d, u->flags & WW_UOP_WIDE, item->executed); break;
    case WW_UOP_SPACE_TEST: space_test(g, item, u); break;
    case WW_UOP_SHUFFLE: scalar_set(item, u->d, false, scalar_get(g, item, u->a, false)); break;
    case WW_UOP_VOTE: /* of a sub-group of one work-item */
        if (u->variant == WW_VARIANT_BALLOT)
            scalar_set(item, u->d, true, scalar_predicate(item, u));
        else
            item->top->predicates[u->d] = scalar_predicate(item, u);
        break;
    default: break; /* fences and hints */
    }
}
