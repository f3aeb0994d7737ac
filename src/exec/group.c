/* Storage and start of groups and their warps. */
#include "exec/warp.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Larger frames (bytes a lane) are mostly used in part: the host allocates their pages on use. */
#define SPARSE_FRAME 4096

static uint32_t group_items(const ww_executor *x)
{
    return x->group_size[0] * x->group_size[1] * x->group_size[2];
}

/* Bytes of one warp: registers, predicates, then the local memory of all its lanes. */
typedef struct layout {
    size_t predicates;
    size_t local;
    size_t warp;
    size_t shared;
    size_t all;
} layout;

static size_t round_up(size_t bytes)
{
    return (bytes + 63) / 64 * 64;
}

static layout lay_out(const ww_executor *x)
{
    layout l = {0};
    uint32_t warps = (group_items(x) + x->width - 1) / x->width;
    l.predicates = round_up(x->kernel->register_bytes);
    l.local = l.predicates + round_up(x->kernel->predicate_count * sizeof(uint64_t));
    l.warp = l.local + round_up(x->kernel->local_bytes * x->blocks * 16);
    l.shared = l.warp * warps;
    l.all = l.shared + round_up(x->shared_bytes + 1);
    return l;
}

ww_group *ww_group_create(const ww_executor *x)
{
    layout l = lay_out(x);
    ww_group *g = ww_calloc(1, sizeof(*g));
    uint8_t *bytes = ww_storage_allocate(x->storage, l.all);
    if (x->kernel->codes[0].local_bytes > SPARSE_FRAME)
        madvise(bytes, l.all, MADV_NOHUGEPAGE);
    g->fresh = true;
    g->warp_count = (group_items(x) + x->width - 1) / x->width;
    g->warps = ww_calloc(g->warp_count, sizeof(ww_warp));
    g->shared = bytes + l.shared;
    for (uint32_t i = 0; i < g->warp_count; i++) {
        ww_warp *w = &g->warps[i];
        w->group = g;
        w->index = i;
        w->rows = bytes + i * l.warp;
        w->predicates = (uint64_t *)(void *)(w->rows + l.predicates);
        w->local = w->rows + l.local;
    }
    return g;
}

void ww_group_destroy(const ww_executor *x, ww_group *g)
{
    for (uint32_t i = 0; i < g->warp_count; i++) {
        for (uint32_t s = 0; s < g->warps[i].split_capacity; s++)
            free(g->warps[i].splits[s].saved);
        free(g->warps[i].splits);
    }
    ww_storage_free(x->storage, g->warps[0].rows, lay_out(x).all);
    free(g->warps);
    free(g);
}

static uint32_t special_value(const ww_executor *x, const ww_warp *w, ww_special special,
                              uint32_t item)
{
    uint32_t lane = (item % x->width) % 32; /* PTX has warps of at most 32 */
    uint32_t below = (1u << lane) - 1;
    switch (special) {
    case WW_SPECIAL_CTAID_X: return w->group->id[0];
    case WW_SPECIAL_CTAID_Y: return w->group->id[1];
    case WW_SPECIAL_CTAID_Z: return w->group->id[2];
    case WW_SPECIAL_LANEID: return lane;
    case WW_SPECIAL_WARPID: return x->width < 32 ? w->index : item / 32;
    case WW_SPECIAL_LANEMASK_EQ: return 1u << lane;
    case WW_SPECIAL_LANEMASK_LT: return below;
    case WW_SPECIAL_LANEMASK_LE: return below | 1u << lane;
    case WW_SPECIAL_LANEMASK_GT: return ~(below | 1u << lane);
    case WW_SPECIAL_LANEMASK_GE: return ~below;
    case WW_SPECIAL_SUBGROUP_LANE: return item % x->width;
    case WW_SPECIAL_SUBGROUP_ID: return w->index;
    case WW_SPECIAL_SUBGROUP_SIZE: return (uint32_t)w->lane_count;
    default: return 0; /* %smid: functional execution has one multiprocessor */
    }
}

/* Whether it differs between groups. */
static bool is_of_group(ww_special special)
{
    return special == WW_SPECIAL_CTAID_X || special == WW_SPECIAL_CTAID_Y ||
           special == WW_SPECIAL_CTAID_Z;
}

/* An axis of the positions of work-items one after the other. */
static void fill_positions(const ww_executor *x, uint32_t *row, unsigned axis, uint32_t first,
                           uint32_t count)
{
    uint32_t sx = x->group_size[0], sy = x->group_size[1];
    uint32_t at[3] = {first % sx, first / sx % sy, first / sx / sy};
    for (uint32_t lane = 0; lane < count; lane++) {
        row[lane] = at[axis];
        if (++at[0] < sx)
            continue;
        at[0] = 0;
        if (++at[1] < sy)
            continue;
        at[1] = 0;
        at[2]++;
    }
}

static void fill_special(const ww_executor *x, ww_warp *w, ww_special special, uint32_t first,
                         uint32_t count)
{
    uint32_t *row = (uint32_t *)(void *)(w->rows + x->kernel->special_slots[special]);
    if (special >= WW_SPECIAL_TID_X && special <= WW_SPECIAL_TID_Z) {
        fill_positions(x, row, special - WW_SPECIAL_TID_X, first, count);
        return;
    }
    uint32_t of_first = special_value(x, w, special, first);
    for (uint32_t lane = 0; lane < count; lane++)
        row[lane] = of_first;
    for (uint32_t lane = 1; lane < count && !is_of_group(special); lane++)
        row[lane] = special_value(x, w, special, first + lane);
}

/* Zeroes whole pages by returning them to the host, without touching them. */
static void zero_sparsely(uint8_t *start, size_t bytes)
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    size_t before = (size_t)(-(uintptr_t)start & (page - 1));
    size_t whole = bytes > before ? (bytes - before) & ~(page - 1) : 0;
    if (!whole || madvise(start + before, whole, MADV_DONTNEED) != 0) {
        memset(start, 0, bytes);
        return;
    }
    memset(start, 0, before);
    memset(start + before + whole, 0, bytes - before - whole);
}

/* Zeroes the entry's own frames; a callee writes what it reads. */
static void zero_frames(const ww_kernel *k, const ww_warp *w, uint32_t lanes)
{
    uint64_t frame = k->codes[0].local_bytes;
    if (frame > SPARSE_FRAME) {
        zero_sparsely(w->local, lanes * k->local_bytes);
        return;
    }
    for (uint32_t lane = 0; frame && lane < lanes; lane++)
        memset(w->local + lane * k->local_bytes, 0, frame);
}

static void start_warp(const ww_executor *x, ww_warp *w)
{
    uint32_t first = w->index * x->width;
    uint32_t items = group_items(x) - first;
    uint32_t count = items < x->width ? items : x->width;
    const ww_kernel *k = x->kernel;
    w->lanes = w->live = count == 64 ? UINT64_MAX : (1ull << count) - 1;
    w->lane_count = count;
    w->carry = w->executed = w->fingerprint_count = 0;
    w->spent = w->looping = false;
    memset(w->rows, 0, k->value_bytes);
    memset(w->predicates, 0, k->predicate_count * sizeof(uint64_t));
    w->predicates[WW_PREDICATE_ALWAYS] = UINT64_MAX;
    zero_frames(k, w, count);
    for (unsigned s = 0; s < WW_SPECIAL_COUNT; s++)
        if (k->special_slots[s] >= 0 && (w->group->fresh || is_of_group((ww_special)s)))
            fill_special(x, w, (ww_special)s, first, count);
    ww_split_start(w, k->codes[0].first, w->lanes);
}

void ww_group_start(const ww_executor *x, ww_group *g, uint64_t number, const uint32_t *id)
{
    g->number = number;
    memcpy(g->id, id, sizeof(g->id));
    g->live = group_items(x);
    g->running = g->warp_count;
    memset(g->barriers, 0, sizeof(g->barriers));
    memset(g->shared, 0, x->shared_bytes);
    for (uint32_t i = 0; i < g->warp_count; i++)
        start_warp(x, &g->warps[i]);
    g->fresh = false;
}
