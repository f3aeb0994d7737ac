/* Group barriers. They count work-items: one that has ended counts as if it had arrived. */
#include "exec/lanes_of.h"
#include "exec/warp.h"

/* The result of bar.red, for the lanes of a split that waited. */
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
    if (!lanes)
        return WW_OK;
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
        if (expected == 0 || expected % (x->width < 32 ? x->width : 32))
            return ww_fault(x, w, any, "a barrier of %u work-items (a multiple of %u is needed)",
                            expected, x->width < 32 ? x->width : 32);
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
