/* Instructions across the lanes of a warp: shuffles, votes, matches, reductions. PTX has warps of
 * 32 lanes; a warp of 64 executes them as two independent parts. Those of a sub-group are ours,
 * and over all lanes of a warp. */
#include "exec/lanes_of.h"
#include "exec/warp.h"

#include <string.h>

#define PART 32

/* Where lane i of a part reads from, and whether that is within its segment. */
static int shuffle_source(const ww_uop *u, int i, uint32_t b, uint32_t c, bool *inside)
{
    int segment = (int)(c >> 8 & 0x1f), clamp = (int)(c & 0x1f), lane = (int)(b & 0x1f);
    int highest = (i & segment) | (clamp & ~segment);
    int lowest = i & segment, source;
    switch (u->variant) {
    case WW_VARIANT_UP:
        source = i - lane;
        *inside = source >= highest;
        break;
    case WW_VARIANT_DOWN:
        source = i + lane;
        *inside = source <= highest;
        break;
    case WW_VARIANT_BFLY:
        source = i ^ lane;
        *inside = source <= highest;
        break;
    default:
        source = lowest | (lane & ~segment);
        *inside = source <= highest;
        break;
    }
    return *inside ? source : i;
}

static void shuffle(ww_executor *x, ww_warp *w, const ww_uop *u, uint64_t lanes)
{
    const uint32_t *a = ww_row_at(x, w, u->a), *b = ww_row_at(x, w, u->b),
                   *c = ww_row_at(x, w, u->c);
    uint32_t *d = (uint32_t *)x->scratch;
    uint64_t valid = 0;
    ww_each_lane(lane, lanes) {
        bool inside;
        int part = lane / PART * PART;
        int source = shuffle_source(u, lane - part, b[lane], c[lane], &inside);
        d[lane] = a[part + source];
        valid |= (uint64_t)inside << lane;
    }
    ww_write_row(x, w, u->d, d, lanes, false);
    ww_set_predicate(w, u->e, valid, lanes);
}

/* Where a lane of a sub-group reads from; 64 or more: from no lane. */
static uint32_t subgroup_source(const ww_uop *u, uint32_t lane, uint32_t b)
{
    switch (u->variant) {
    case WW_VARIANT_UP: return b <= lane ? lane - b : WW_MOST_LANES;
    case WW_VARIANT_DOWN: return b < WW_MOST_LANES ? lane + b : WW_MOST_LANES;
    case WW_VARIANT_BFLY: return lane ^ b;
    default: return b;
    }
}

/* A lane that reads from no active lane keeps its value. */
static void shuffle_subgroup(ww_executor *x, ww_warp *w, const ww_uop *u, uint64_t lanes)
{
    const uint32_t *a = ww_row_at(x, w, u->a), *b = ww_row_at(x, w, u->b);
    uint32_t *d = (uint32_t *)x->scratch;
    ww_each_lane(lane, lanes) {
        uint32_t source = subgroup_source(u, (uint32_t)lane, b[lane]);
        d[lane] = a[source < WW_MOST_LANES && lanes >> source & 1 ? source : (uint32_t)lane];
    }
    ww_write_row(x, w, u->d, d, lanes, false);
}

static void vote_subgroup(ww_executor *x, ww_warp *w, const ww_uop *u, uint64_t lanes)
{
    uint64_t votes = ww_predicate(w, u) & lanes;
    bool verdict = u->variant == WW_VARIANT_ALL ? votes == lanes : votes != 0;
    if (u->variant != WW_VARIANT_BALLOT) {
        ww_set_predicate(w, u->d, verdict ? UINT64_MAX : 0, lanes);
        return;
    }
    ww_each_lane(lane, lanes)
        x->scratch[lane] = votes;
    ww_write_row(x, w, u->d, x->scratch, lanes, true);
}

/* The active lanes of a lane's part that its member mask names, as bits of the part. */
static uint32_t members(uint64_t lanes, int lane, uint32_t mask)
{
    return (uint32_t)(lanes >> (lane / PART * PART)) & mask;
}

static void vote(ww_executor *x, ww_warp *w, const ww_uop *u, uint64_t lanes)
{
    const uint32_t *mask = ww_row_at(x, w, u->b);
    uint64_t votes = ww_predicate(w, u), result = 0;
    uint32_t *d = (uint32_t *)x->scratch;
    ww_each_lane(lane, lanes) {
        uint32_t present = members(lanes, lane, mask[lane]);
        uint32_t yes = present & (uint32_t)(votes >> (lane / PART * PART));
        bool all = yes == present, any = yes != 0;
        bool verdict = u->variant == WW_VARIANT_ALL   ? all
                       : u->variant == WW_VARIANT_ANY ? any
                                                      : all || !any;
        result |= (uint64_t)verdict << lane;
        d[lane] = yes;
    }
    if (u->variant == WW_VARIANT_BALLOT)
        ww_write_row(x, w, u->d, d, lanes, false);
    else
        ww_set_predicate(w, u->d, result, lanes);
}

static uint64_t value_at(const void *row, int lane, bool wide)
{
    return wide ? ((const uint64_t *)row)[lane] : ((const uint32_t *)row)[lane];
}

static void match(ww_executor *x, ww_warp *w, const ww_uop *u, uint64_t lanes)
{
    const void *a = ww_row_at(x, w, u->a);
    const uint32_t *mask = ww_row_at(x, w, u->b);
    bool wide = u->flags & WW_UOP_WIDE;
    uint32_t *d = (uint32_t *)x->scratch;
    uint64_t same_everywhere = 0;
    ww_each_lane(lane, lanes) {
        int part = lane / PART * PART;
        uint32_t present = members(lanes, lane, mask[lane]), same = 0;
        ww_each_lane(other, present)
            if (value_at(a, part + other, wide) == value_at(a, lane, wide))
                same |= 1u << other;
        bool all = same == present;
        same_everywhere |= (uint64_t)all << lane;
        d[lane] = u->variant == WW_VARIANT_ALL && !all ? 0 : same;
    }
    ww_write_row(x, w, u->d, d, lanes, false);
    ww_set_predicate(w, u->e, same_everywhere, lanes);
}

static uint32_t reduce_two(const ww_uop *u, uint32_t a, uint32_t b)
{
    bool less = u->type == WW_TYPE_S32 ? (int32_t)a < (int32_t)b : a < b;
    switch (u->combine) {
    case WW_COMBINE_ADD: return a + b;
    case WW_COMBINE_MIN: return less ? a : b;
    case WW_COMBINE_MAX: return less ? b : a;
    case WW_COMBINE_AND: return a & b;
    case WW_COMBINE_OR: return a | b;
    default: return a ^ b;
    }
}

static void reduce(ww_executor *x, ww_warp *w, const ww_uop *u, uint64_t lanes)
{
    const uint32_t *a = ww_row_at(x, w, u->a), *mask = ww_row_at(x, w, u->b);
    uint32_t *d = (uint32_t *)x->scratch;
    ww_each_lane(lane, lanes) {
        int part = lane / PART * PART;
        uint32_t present = members(lanes, lane, mask[lane]) | 1u << (lane - part);
        uint32_t total = a[part + __builtin_ctz(present)];
        ww_each_lane(other, present & (present - 1))
            total = reduce_two(u, total, a[part + other]);
        d[lane] = total;
    }
    ww_write_row(x, w, u->d, d, lanes, false);
}

static void elect(ww_executor *x, ww_warp *w, const ww_uop *u, uint64_t lanes)
{
    const uint32_t *mask = ww_row_at(x, w, u->b);
    uint32_t *d = (uint32_t *)x->scratch;
    uint64_t elected = 0;
    ww_each_lane(lane, lanes) {
        uint32_t present = members(lanes, lane, mask[lane]) | 1u << (lane % PART);
        d[lane] = (uint32_t)__builtin_ctz(present);
        elected |= (uint64_t)((int)d[lane] == lane % PART) << lane;
    }
    ww_write_row(x, w, u->d, d, lanes, false);
    ww_set_predicate(w, u->e, elected, lanes);
}

static void active_mask(ww_executor *x, ww_warp *w, const ww_uop *u, uint64_t lanes)
{
    uint32_t *d = (uint32_t *)x->scratch;
    ww_each_lane(lane, lanes)
        d[lane] = members(lanes, lane, UINT32_MAX);
    ww_write_row(x, w, u->d, d, lanes, false);
}

int ww_exec_across(ww_executor *x, ww_warp *w, const ww_uop *u, uint64_t lanes)
{
    if (u->flags & WW_UOP_SUBGROUP) {
        (u->kind == WW_UOP_SHUFFLE ? shuffle_subgroup : vote_subgroup)(x, w, u, lanes);
        return WW_OK;
    }
    switch (u->kind) {
    case WW_UOP_SHUFFLE: shuffle(x, w, u, lanes); break;
    case WW_UOP_VOTE: vote(x, w, u, lanes); break;
    case WW_UOP_MATCH: match(x, w, u, lanes); break;
    case WW_UOP_REDUCE: reduce(x, w, u, lanes); break;
    case WW_UOP_ELECT: elect(x, w, u, lanes); break;
    default: active_mask(x, w, u, lanes); break;
    }
    return WW_OK;
}
