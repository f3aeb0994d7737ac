/* Group barriers. They count work-items: a work-item that has ended counts as arrived. */
#include "exec/lanes_of.h"
#include "exec/warp.h"

/* The most instructions that lanes execute on their way to their end. */
#define MOST_STEPS_TO_END 4096u

/* Writes the result of bar.red for the lanes of a split that waited. */
static void deliver(ww_executor *x, ww_warp *w, const ww_split *s, const ww_barrier *b,
                    uint32_t participants)
{
    const ww_uop *u = &x->kernel->uops[s->pc - 1];
    if (u->kind != WW_UOP_BARRIER || u->variant != WW_VARIANT_RED)
        return;
    if (u->combine == WW_COMBINE_POPC) {
        for (unsigned i = 0; i < x->blocks * 16; i++)
            ((uint32_t *)x->scratch)[i] = b->count;
        ww_write_row(x, w, u->d, x->scratch, s->lanes, false);
    } else {
        bool verdict = u->combine == WW_COMBINE_AND ? b->count == participants : b->count > 0;
        ww_set_predicate(w, u->d, verdict ? UINT64_MAX : 0, s->lanes);
    }
}

static void release(ww_executor *x, ww_group *g, unsigned id)
{
    ww_barrier *b = &g->barriers[id];
    for (uint32_t i = 0; i < g->warp_count; i++) {
        ww_warp *w = &g->warps[i];
        bool woken = false;
        for (uint32_t n = 0; n < w->split_capacity; n++) {
            ww_split *s = &w->splits[n];
            if (s->state != WW_SPLIT_BARRIER || s->barrier != id)
                continue;
            deliver(x, w, s, b, b->arrived);
            s->state = WW_SPLIT_READY;
            woken = true;
        }
        if (woken && w->current == WW_NO_SPLIT)
            ww_split_choose(w);
    }
    *b = (ww_barrier){0};
    x->released = true;
}

static void check(ww_executor *x, ww_group *g, unsigned id)
{
    ww_barrier *b = &g->barriers[id];
    uint32_t needed = b->expected ? b->expected : g->live;
    if (b->arrived && b->arrived >= needed)
        release(x, g, id);
}

int ww_exec_barrier(ww_executor *x, ww_warp *w, const ww_uop *u, uint64_t lanes)
{
    ww_split *s = &w->splits[w->current];
    x->counters->barriers++;
    if (!lanes) {
        s->pc++;
        return WW_OK;
    }
    int any = __builtin_ctzll(lanes);
    uint32_t id = ((const uint32_t *)ww_row_at(x, w, u->a))[any];
    if (id >= WW_BARRIERS)
        return ww_fault(x, w, any, "barrier %u does not exist (0 to %d do)", id, WW_BARRIERS - 1);
    if (lanes != s->lanes)
        return ww_fault(x, w, any, "a barrier under a predicate that only some lanes have");
    ww_barrier *b = &w->group->barriers[id];
    uint32_t expected = 0;
    if (!(u->flags & WW_UOP_NO_BASE)) {
        expected = ((const uint32_t *)ww_row_at(x, w, u->b))[any];
        if (expected == 0 || (expected % 32 && expected % x->width))
            return ww_fault(x, w, any, "a barrier of %u work-items (a multiple of 32 is needed)",
                            expected);
        b->expected = expected;
    }
    b->arrived += (uint32_t)__builtin_popcountll(lanes);
    if (u->variant == WW_VARIANT_RED)
        b->count += (uint32_t)__builtin_popcountll(ww_predicate(w, u) & lanes);
    s->pc++;
    if (u->variant != WW_VARIANT_ARRIVE) {
        s->state = WW_SPLIT_BARRIER;
        s->barrier = (uint8_t)id;
        ww_split_choose(w);
    }
    check(x, w->group, id);
    return WW_OK;
}

void ww_exec_exit(ww_executor *x, ww_warp *w, uint64_t lanes)
{
    ww_group *g = w->group;
    w->live &= ~lanes;
    g->live -= (uint32_t)__builtin_popcountll(lanes);
    ww_split_leave(w, lanes, false);
    if (!w->live)
        g->running--;
    for (unsigned id = 0; id < WW_BARRIERS && g->live; id++)
        check(x, g, id);
}

/* Whether other lanes could observe the instruction. Compilers merge the stores before an early
 * return with those at the end; such a store is part of the return. */
static bool has_effect(const ww_uop *u)
{
    switch (u->kind) {
    case WW_UOP_STORE: return u->space != WW_SPACE_LOCAL && !(u->flags & WW_UOP_MERGED);
    case WW_UOP_ATOMIC:
    case WW_UOP_ASYNC_COPY:
    case WW_UOP_BARRIER:
    case WW_UOP_WARP_BARRIER:
    case WW_UOP_SHUFFLE:
    case WW_UOP_VOTE:
    case WW_UOP_MATCH:
    case WW_UOP_ACTIVE_MASK:
    case WW_UOP_REDUCE:
    case WW_UOP_ELECT:
    case WW_UOP_PRINT:
    case WW_UOP_TRAP: return true;
    default: return false;
    }
}

/* Runs a warp towards its end, up to an instruction that other lanes could observe. */
static int let_end(ww_executor *x, ww_warp *w, uint32_t *elsewhere)
{
    int status = WW_OK;
    for (unsigned i = 0; i < MOST_STEPS_TO_END && status == WW_OK; i++) {
        if (w->current == WW_NO_SPLIT || x->released)
            return WW_OK;
        const ww_split *s = &w->splits[w->current];
        *elsewhere = s->pc;
        if (s->pc == s->reconverge)
            ww_split_arrive(w);
        else if (has_effect(&x->kernel->uops[s->pc]))
            break;
        else
            status = ww_warp_run(x, w, 1);
    }
    return status;
}

int ww_group_unblock(ww_executor *x, ww_group *g, uint32_t *elsewhere)
{
    int status = WW_OK;
    x->released = false;
    *elsewhere = WW_NO_PC;
    for (uint32_t i = 0; i < g->warp_count && status == WW_OK; i++) {
        ww_warp *w = &g->warps[i];
        while (status == WW_OK && !ww_warp_is_ready(w) && ww_split_detach_arrived(w))
            status = let_end(x, w, elsewhere);
    }
    return status;
}
