#include "core/warp_times.h"

#include "base/memory.h"

#include <stdbool.h>
#include <string.h>

typedef struct launch_times {
    uint64_t groups;
    uint64_t warps; /* of a group */
    uint64_t first;
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
    launch_times launch = {groups, warps, 0, ww_calloc(groups * warps + 1, sizeof(uint32_t))};
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

void ww_warp_times_set_first(ww_warp_times *times, uint64_t launch, uint64_t groups)
{
    launch_times *l = &times->launches.items[launch - 1];
    l->first = groups < l->groups ? groups : l->groups;
}

/* ---- a group that stands for others ---- */

typedef struct ranked_group {
    double disparity;
    uint64_t number;
} ranked_group;

static uint64_t sum_of(const launch_times *l)
{
    uint64_t sum = 0;
    for (uint64_t i = 0; i < l->groups * l->warps; i++)
        sum += l->cycles[i];
    return sum;
}

/* 0: there is none. */
static uint64_t heaviest(const ww_warp_times *times)
{
    uint64_t most = 0, number = 0;
    for (size_t i = 0; i < times->launches.count; i++) {
        uint64_t sum = sum_of(&times->launches.items[i]);
        if (sum <= most)
            continue;
        most = sum;
        number = i + 1;
    }
    return number;
}

/* False: not all of its warps are known. */
static bool rank(const launch_times *l, uint64_t number, ranked_group *group)
{
    const uint32_t *cycles = &l->cycles[number * l->warps];
    uint32_t least = UINT32_MAX, most = 0;
    for (uint64_t i = 0; i < l->warps; i++) {
        least = cycles[i] < least ? cycles[i] : least;
        most = cycles[i] > most ? cycles[i] : most;
    }
    *group = (ranked_group){least ? (double)(most - least) / most : 0, number};
    return least > 0;
}

static int compare(const void *left, const void *right)
{
    const ranked_group *a = left, *b = right;
    if (a->disparity != b->disparity)
        return a->disparity < b->disparity ? -1 : 1;
    return a->number < b->number ? -1 : 1;
}

ww_typical_group ww_warp_times_typical(const ww_warp_times *times)
{
    ww_typical_group typical = {.launch = heaviest(times)};
    if (!typical.launch)
        return typical;
    const launch_times *l = &times->launches.items[typical.launch - 1];
    ranked_group *groups = ww_calloc(l->first + 1, sizeof(*groups));
    size_t count = 0;
    for (uint64_t i = 0; i < l->first; i++)
        if (rank(l, i, &groups[count]))
            count++;
    qsort(groups, count, sizeof(*groups), compare);
    if (count)
        typical.group = groups[(count - 1) / 2].number;
    else
        typical.launch = 0;
    free(groups);
    return typical;
}

/* ---- as bytes: for each launch three numbers of 64 bits, then cycles of 32 ---- */

#define HEAD (3 * sizeof(uint64_t))

static size_t bytes_of(const launch_times *l)
{
    return l->groups * l->warps * sizeof(uint32_t);
}

char *ww_warp_times_write(const ww_warp_times *times, size_t *count)
{
    *count = 0;
    for (size_t i = 0; i < times->launches.count; i++)
        *count += HEAD + bytes_of(&times->launches.items[i]);
    char *bytes = ww_calloc(*count + 1, 1), *at = bytes;
    for (size_t i = 0; i < times->launches.count; i++) {
        const launch_times *l = &times->launches.items[i];
        memcpy(at, (const uint64_t[]){l->groups, l->warps, l->first}, HEAD);
        memcpy(at + HEAD, l->cycles, bytes_of(l));
        at += HEAD + bytes_of(l);
    }
    return bytes;
}

/* Reads a launch; returns how many bytes it has, 0 when they are not one. */
static size_t read_launch(ww_warp_times *times, const char *bytes, size_t count)
{
    uint64_t head[3];
    if (count < HEAD)
        return 0;
    memcpy(head, bytes, HEAD);
    launch_times l = {.groups = head[0], .warps = head[1], .first = head[2]};
    uint64_t most = (count - HEAD) / sizeof(uint32_t);
    if (!l.warps || l.warps > UINT32_MAX || l.groups > most / l.warps || l.first > l.groups)
        return 0;
    ww_warp_times_add_launch(times, l.groups, (uint32_t)l.warps);
    ww_warp_times_set_first(times, times->launches.count, l.first);
    memcpy(times->launches.items[times->launches.count - 1].cycles, bytes + HEAD, bytes_of(&l));
    return HEAD + bytes_of(&l);
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
