/* Points of a sweep by number and by their values on coordinates. */
#include "study/model.h"

#include <inttypes.h>
#include <string.h>

ww_coordinates ww_sweep_point(const ww_sweep *sweep, size_t index)
{
    ww_coordinates point = {0};
    point.seed = index % sweep->seeds.count;
    index /= sweep->seeds.count;
    for (size_t i = sweep->axis_count; i-- > 0;) {
        point.axis[i] = index % sweep->axes[i].count;
        index /= sweep->axes[i].count;
    }
    point.variant = index % sweep->variants.count;
    point.workload = index / sweep->variants.count;
    return point;
}

size_t ww_sweep_index(const ww_sweep *sweep, const ww_coordinates *point)
{
    size_t index = point->workload * sweep->variants.count + point->variant;
    for (size_t i = 0; i < sweep->axis_count; i++)
        index = index * sweep->axes[i].count + point->axis[i];
    return index * sweep->seeds.count + point->seed;
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

size_t *ww_coordinate_index(const ww_sweep *sweep, ww_coordinates *point, const char *coordinate)
{
    if (strcmp(coordinate, "workload") == 0)
        return &point->workload;
    if (strcmp(coordinate, "variant") == 0)
        return &point->variant;
    if (strcmp(coordinate, "seed") == 0)
        return &point->seed;
    const ww_axis *axis = find_axis(sweep, coordinate);
    return axis ? &point->axis[axis - sweep->axes] : NULL;
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
