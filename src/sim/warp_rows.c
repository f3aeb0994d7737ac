#include "sim/warp_rows.h"

#include "base/memory.h"

#include <inttypes.h>

typedef struct running_warp {
    uint64_t start, group;
    uint32_t wave; /* 0: none runs here */
} running_warp;

typedef struct unit {
    running_warp slots[WW_MOST_SLOTS];
    WW_VEC(uint32_t) ended; /* waves of groups that ended */
    size_t followed;        /* the first so many of them are */
} unit;

struct ww_warp_rows {
    ww_cu_observer observer;
    FILE *out;
    uint64_t launch;
    WW_VEC(unit *) units; /* compute units */
};

static unit *unit_of(ww_warp_rows *r, const ww_observed *o)
{
    while (r->units.count <= o->compute_unit)
        ww_vec_push(&r->units, ww_calloc(1, sizeof(unit)));
    return r->units.items[o->compute_unit];
}

/* A running warp of the group, or NULL. */
static const running_warp *find_group(const unit *u, uint64_t group)
{
    for (unsigned i = 0; i < WW_MOST_SLOTS; i++)
        if (u->slots[i].wave && u->slots[i].group == group)
            return &u->slots[i];
    return NULL;
}

static uint32_t next_wave(unit *u)
{
    return u->followed < u->ended.count ? u->ended.items[u->followed++] + 1 : 1;
}

/* The warps of a group start one after the other, before any of them ends. */
static void started(void *context, const ww_observed *o)
{
    unit *u = unit_of(context, o);
    uint64_t group = o->warp->group->number;
    const running_warp *other = find_group(u, group);
    uint32_t wave = other ? other->wave : next_wave(u);
    u->slots[o->slot] = (running_warp){.start = o->cycle, .group = group, .wave = wave};
}

static void ended(void *context, const ww_observed *o)
{
    ww_warp_rows *r = context;
    unit *u = unit_of(r, o);
    running_warp w = u->slots[o->slot];
    fprintf(r->out, "%" PRIu64 ",%" PRIu64 ",%" PRIu32 ",%u,%" PRIu32 ",%" PRIu64 ",%" PRIu64 "\n",
            r->launch, w.group, o->warp->index, o->compute_unit, w.wave, w.start,
            o->cycle - w.start);
    u->slots[o->slot].wave = 0;
    if (!find_group(u, w.group))
        ww_vec_push(&u->ended, w.wave);
}

ww_warp_rows *ww_warp_rows_create(FILE *out)
{
    ww_warp_rows *r = ww_calloc(1, sizeof(*r));
    r->out = out;
    r->observer = (ww_cu_observer){.started = started, .ended = ended, .context = r};
    fprintf(out, "launch,group,warp,compute_unit,wave,start,cycles\n");
    return r;
}

void ww_warp_rows_destroy(ww_warp_rows *r)
{
    if (!r)
        return;
    for (size_t i = 0; i < r->units.count; i++) {
        ww_vec_free(&r->units.items[i]->ended);
        free(r->units.items[i]);
    }
    ww_vec_free(&r->units);
    free(r);
}

const ww_cu_observer *ww_warp_rows_observer(const ww_warp_rows *rows)
{
    return &rows->observer;
}

/* No group of an earlier launch runs. */
void ww_warp_rows_launched(ww_warp_rows *r, uint64_t number)
{
    r->launch = number;
    for (size_t i = 0; i < r->units.count; i++)
        r->units.items[i]->ended.count = r->units.items[i]->followed = 0;
}
