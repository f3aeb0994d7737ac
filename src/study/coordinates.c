/* Points of a sweep by number and by their values on coordinates. */
#include "study/model.h"

#include <inttypes.h>
#include <string.h>

ww_place ww_sweep_place(const ww_sweep *sweep, size_t index)
{
    ww_place place = {0};
    place.seed = index % sweep->seeds.count;
    index /= sweep->seeds.count;
    for (size_t i = sweep->axis_count; i-- > 0;) {
        place.axis[i] = index % sweep->axes[i].count;
        index /= sweep->axes[i].count;
    }
    place.variant = index % sweep->variants.count;
    place.workload = index / sweep->variants.count;
    return place;
}

size_t ww_sweep_index(const ww_sweep *sweep, const ww_place *place)
{
    size_t index = place->workload * sweep->variants.count + place->variant;
    for (size_t i = 0; i < sweep->axis_count; i++)
        index = index * sweep->axes[i].count + place->axis[i];
    return index * sweep->seeds.count + place->seed;
}

static const ww_axis *find_axis(const ww_sweep *sweep, const char *name)
{
    for (size_t i = 0; i < sweep->axis_count; i++)
        if (strcmp(sweep->axes[i].name, name) == 0)
            return &sweep->axes[i];
    return NULL;
}

size_t ww_coordinate_count(const ww_sweep *sweep, const char *coordinate)
{
    if (strcmp(coordinate, "workload") == 0)
        return sweep->workloads.count;
    if (strcmp(coordinate, "variant") == 0)
        return sweep->variants.count;
    if (strcmp(coordinate, "seed") == 0)
        return sweep->seeds.count;
    const ww_axis *axis = find_axis(sweep, coordinate);
    return axis ? axis->count : 0;
}

const char *ww_coordinate_label(const ww_study *study, const ww_sweep *sweep,
                                const char *coordinate, size_t value)
{
    if (strcmp(coordinate, "workload") == 0)
        return study->workloads[sweep->workloads.items[value]].label;
    if (strcmp(coordinate, "variant") == 0)
        return study->variants[sweep->variants.items[value]].name;
    if (strcmp(coordinate, "seed") == 0)
        return ww_arena_printf(study->arena, "%zu", sweep->seeds.items[value]);
    return find_axis(sweep, coordinate)->labels[value];
}

size_t *ww_place_value(const ww_sweep *sweep, ww_place *place, const char *coordinate)
{
    if (strcmp(coordinate, "workload") == 0)
        return &place->workload;
    if (strcmp(coordinate, "variant") == 0)
        return &place->variant;
    if (strcmp(coordinate, "seed") == 0)
        return &place->seed;
    const ww_axis *axis = find_axis(sweep, coordinate);
    return axis ? &place->axis[axis - sweep->axes] : NULL;
}

bool ww_coordinate_find(const ww_study *study, const ww_sweep *sweep, const char *coordinate,
                        const char *label, size_t *value)
{
    size_t count = ww_coordinate_count(sweep, coordinate);
    for (*value = 0; *value < count; ++*value)
        if (strcmp(ww_coordinate_label(study, sweep, coordinate, *value), label) == 0)
            return true;
    return false;
}
