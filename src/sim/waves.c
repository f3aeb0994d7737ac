#include "sim/waves.h"

#include "base/memory.h"

typedef struct unit {
    ww_wave_warp slots[WW_MOST_SLOTS];
    WW_VEC(uint32_t) ended; /* waves of groups that ended */
    size_t followed;        /* the first so many of them are */
} unit;

struct ww_waves {
    WW_VEC(unit *) units; /* compute units */
};

ww_waves *ww_waves_create(void)
{
    return ww_calloc(1, sizeof(ww_waves));
}

void ww_waves_destroy(ww_waves *waves)
{
    if (!waves)
        return;
    for (size_t i = 0; i < waves->units.count; i++) {
        ww_vec_free(&waves->units.items[i]->ended);
        free(waves->units.items[i]);
    }
    ww_vec_free(&waves->units);
    free(waves);
}

void ww_waves_launched(ww_waves *waves)
{
    for (size_t i = 0; i < waves->units.count; i++)
        waves->units.items[i]->ended.count = waves->units.items[i]->followed = 0;
}

static unit *unit_of(ww_waves *waves, const ww_observed *o)
{
    while (waves->units.count <= o->compute_unit)
        ww_vec_push(&waves->units, ww_calloc(1, sizeof(unit)));
    return waves->units.items[o->compute_unit];
}

/* A running warp of the group, or NULL. */
static const ww_wave_warp *find_group(const unit *u, uint64_t group)
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

void ww_waves_started(ww_waves *waves, const ww_observed *o)
{
    unit *u = unit_of(waves, o);
    uint64_t group = o->warp->group->number;
    const ww_wave_warp *other = find_group(u, group);
    uint32_t wave = other ? other->wave : next_wave(u);
    u->slots[o->slot] = (ww_wave_warp){.start = o->cycle, .group = group, .wave = wave};
}

ww_wave_warp ww_waves_ended(ww_waves *waves, const ww_observed *o)
{
    unit *u = unit_of(waves, o);
    ww_wave_warp warp = u->slots[o->slot];
    u->slots[o->slot].wave = 0;
    if (!find_group(u, warp.group))
        ww_vec_push(&u->ended, warp.wave);
    return warp;
}
