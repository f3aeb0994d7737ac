/* Divergence and reconvergence of the lanes of a warp. */
#include "exec/warp.h"

static void add_capacity(ww_warp *w)
{
    uint32_t old = w->split_capacity;
    w->split_capacity = old ? old * 2 : 8;
    w->splits = ww_realloc(w->splits, w->split_capacity, sizeof(ww_split));
    for (uint32_t i = old; i < w->split_capacity; i++)
        w->splits[i] = (ww_split){.state = WW_SPLIT_FREE};
}

int32_t ww_split_new(ww_warp *w, int32_t parent, uint64_t lanes, uint32_t pc, uint32_t reconverge)
{
    uint32_t i = 0;
    while (i < w->split_capacity && w->splits[i].state != WW_SPLIT_FREE)
        i++;
    if (i == w->split_capacity)
        add_capacity(w);
    ww_split *s = &w->splits[i];
    *s = (ww_split){.lanes = lanes,
                    .pc = pc,
                    .reconverge = reconverge,
                    .parent = parent,
                    .state = WW_SPLIT_READY,
                    .age = w->age++};
    if (parent != WW_NO_SPLIT) {
        s->frame = w->splits[parent].frame;
        s->code = w->splits[parent].code;
        w->splits[parent].children++;
    }
    return (int32_t)i;
}

void ww_split_choose(ww_warp *w)
{
    w->current = WW_NO_SPLIT;
    for (uint32_t i = 0; i < w->split_capacity; i++)
        if (w->splits[i].state == WW_SPLIT_READY &&
            (w->current == WW_NO_SPLIT || w->splits[i].age > w->splits[w->current].age))
            w->current = (int32_t)i;
    if (w->current != WW_NO_SPLIT)
        return;
    for (uint32_t i = 0; i < w->split_capacity; i++) /* no split is ready: warp barriers end */
        if (w->splits[i].state == WW_SPLIT_WARP_BARRIER) {
            w->splits[i].state = WW_SPLIT_READY;
            w->current = (int32_t)i;
        }
}

void ww_split_start(ww_warp *w, uint32_t pc, uint64_t lanes)
{
    w->age = 0;
    for (uint32_t i = 0; i < w->split_capacity; i++)
        w->splits[i].state = WW_SPLIT_FREE;
    w->current = ww_split_new(w, WW_NO_SPLIT, lanes, pc, WW_NO_PC);
}

/* Frees a split; its parent becomes ready when this was its last child. */
static void finish(ww_warp *w, int32_t index)
{
    while (index != WW_NO_SPLIT) {
        int32_t parent = w->splits[index].parent;
        free(w->splits[index].saved);
        w->splits[index].saved = NULL;
        w->splits[index].state = WW_SPLIT_FREE;
        if (parent == WW_NO_SPLIT || --w->splits[parent].children > 0)
            return;
        w->splits[parent].state = WW_SPLIT_READY;
        w->splits[parent].age = w->age++;
        if (w->splits[parent].lanes)
            return;
        index = parent;
    }
}

void ww_split_arrive(ww_warp *w)
{
    finish(w, w->current);
    ww_split_choose(w);
}

void ww_split_leave(ww_warp *w, uint64_t lanes, bool of_call)
{
    for (int32_t i = w->current; i != WW_NO_SPLIT; i = w->splits[i].parent) {
        if (of_call && w->splits[i].is_call)
            break;
        w->splits[i].lanes &= ~lanes;
    }
    if (w->splits[w->current].lanes)
        return;
    finish(w, w->current);
    ww_split_choose(w);
}

/* Lanes continue at `pc`, in the split `*reuse` if there is one, else in a new one. Lanes that are
 * at the reconvergence point have arrived and need no split. */
static void go(ww_warp *w, int32_t *reuse, int32_t parent, const ww_split *like, uint64_t lanes,
               uint32_t pc)
{
    if (pc == like->reconverge)
        return;
    int32_t index = *reuse;
    if (index == WW_NO_SPLIT)
        index = ww_split_new(w, parent, lanes, pc, like->reconverge);
    *reuse = WW_NO_SPLIT;
    ww_split *s = &w->splits[index];
    s->lanes = lanes;
    s->pc = pc;
    s->frame = like->frame;
    s->code = like->code;
}

/* The current split becomes a join at `reconverge`. If it already joins its parent there, its lanes
 * become children of that parent instead. */
void ww_split_fork(ww_warp *w, const ww_way *ways, unsigned count, uint32_t reconverge)
{
    ww_split *s = &w->splits[w->current];
    int32_t parent = s->parent, reuse = w->current;
    ww_split like = *s;
    if (reconverge != s->reconverge) {
        parent = w->current;
        reuse = WW_NO_SPLIT;
        s->state = WW_SPLIT_JOIN;
        s->pc = reconverge;
        s->children = 0;
        like.reconverge = reconverge;
    }
    for (unsigned i = 0; i < count; i++)
        go(w, &reuse, parent, &like, ways[i].lanes, ways[i].pc);
    ww_split_choose(w);
}

ww_split *ww_split_call(ww_warp *w, uint64_t lanes, uint32_t target, uint32_t next)
{
    ww_split *s = &w->splits[w->current];
    int32_t join = w->current;
    if (s->state == WW_SPLIT_READY) {
        s->state = WW_SPLIT_JOIN;
        s->is_call = true;
        s->pc = next;
        s->children = 0;
    }
    int32_t child = ww_split_new(w, join, lanes, target, WW_NO_PC);
    return &w->splits[child];
}

/* Lanes of a join that no child holds. */
static uint64_t arrived(const ww_warp *w, int32_t join)
{
    uint64_t lanes = w->splits[join].lanes;
    for (uint32_t i = 0; i < w->split_capacity; i++)
        if (w->splits[i].state != WW_SPLIT_FREE && w->splits[i].parent == join)
            lanes &= ~w->splits[i].lanes;
    return lanes;
}

bool ww_split_detach_arrived(ww_warp *w)
{
    for (uint32_t i = 0; i < w->split_capacity; i++) {
        const ww_split join = w->splits[i];
        uint64_t lanes = join.state == WW_SPLIT_JOIN && !join.saved ? arrived(w, (int32_t)i) : 0;
        if (!lanes)
            continue;
        int32_t alone = ww_split_new(w, join.parent, lanes, join.pc, join.reconverge);
        w->splits[alone].frame = join.frame;
        w->splits[alone].code = join.code;
        w->splits[alone].is_call = join.is_call;
        w->splits[i].lanes &= ~lanes;
        w->current = alone;
        return true;
    }
    return false;
}
