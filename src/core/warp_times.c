#include "core/warp_times.h"

#include "base/memory.h"

#include <string.h>

typedef struct launch_times {
    uint64_t groups;
    uint64_t warps;   /* of a group */
    uint32_t *cycles; /* [group][warp] */
} launch_times;

struct ww_warp_times {
    WW_VEC(launch_times) launches;
};

ww_warp_times *ww_warp_times_create(void)
{
    return ww_calloc(1, sizeof(ww_warp_times));
}

void ww_warp_times_destroy(ww_warp_times *times)
{
    if (!times)
        return;
    for (size_t i = 0; i < times->launches.count; i++)
        free(times->launches.items[i].cycles);
    ww_vec_free(&times->launches);
    free(times);
}

void ww_warp_times_add_launch(ww_warp_times *times, uint64_t groups, uint32_t warps)
{
    launch_times launch = {groups, warps, ww_calloc(groups * warps + 1, sizeof(uint32_t))};
    ww_vec_push(&times->launches, launch);
}

uint64_t ww_warp_times_launches(const ww_warp_times *times)
{
    return times->launches.count;
}

static uint32_t *find(const ww_warp_times *times, uint64_t launch, uint64_t group, uint32_t warp)
{
    if (launch - 1 >= times->launches.count)
        return NULL;
    const launch_times *l = &times->launches.items[launch - 1];
    return group < l->groups && warp < l->warps ? &l->cycles[group * l->warps + warp] : NULL;
}

void ww_warp_times_set(ww_warp_times *times, uint64_t launch, uint64_t group, uint32_t warp,
                       uint64_t cycles)
{
    *find(times, launch, group, warp) = cycles < UINT32_MAX ? (uint32_t)cycles : UINT32_MAX;
}

uint32_t ww_warp_times_get(const ww_warp_times *times, uint64_t launch, uint64_t group,
                           uint32_t warp)
{
    const uint32_t *cycles = find(times, launch, group, warp);
    return cycles ? *cycles : 0;
}

/* ---- as bytes: for each launch two numbers of 64 bits, then cycles of 32 ---- */

static size_t bytes_of(const launch_times *l)
{
    return l->groups * l->warps * sizeof(uint32_t);
}

char *ww_warp_times_write(const ww_warp_times *times, size_t *count)
{
    *count = 0;
    for (size_t i = 0; i < times->launches.count; i++)
        *count += 2 * sizeof(uint64_t) + bytes_of(&times->launches.items[i]);
    char *bytes = ww_calloc(*count + 1, 1), *at = bytes;
    for (size_t i = 0; i < times->launches.count; i++) {
        const launch_times *l = &times->launches.items[i];
        memcpy(at, &l->groups, sizeof(l->groups));
        memcpy(at + sizeof(uint64_t), &l->warps, sizeof(l->warps));
        memcpy(at + 2 * sizeof(uint64_t), l->cycles, bytes_of(l));
        at += 2 * sizeof(uint64_t) + bytes_of(l);
    }
    return bytes;
}

/* Reads a launch; returns how many bytes it has, 0 when they are not one. */
static size_t read_launch(ww_warp_times *times, const char *bytes, size_t count)
{
    launch_times l = {0};
    size_t head = 2 * sizeof(uint64_t);
    if (count < head)
        return 0;
    memcpy(&l.groups, bytes, sizeof(l.groups));
    memcpy(&l.warps, bytes + sizeof(uint64_t), sizeof(l.warps));
    uint64_t most = (count - head) / sizeof(uint32_t);
    if (!l.warps || l.warps > UINT32_MAX || l.groups > most / l.warps)
        return 0;
    ww_warp_times_add_launch(times, l.groups, (uint32_t)l.warps);
    memcpy(times->launches.items[times->launches.count - 1].cycles, bytes + head, bytes_of(&l));
    return head + bytes_of(&l);
}

ww_warp_times *ww_warp_times_read(const char *bytes, size_t count)
{
    ww_warp_times *times = ww_warp_times_create();
    for (size_t at = 0, taken; at < count; at += taken) {
        taken = read_launch(times, bytes + at, count - at);
        if (!taken) {
            ww_warp_times_destroy(times);
            return NULL;
        }
    }
    return times;
}
