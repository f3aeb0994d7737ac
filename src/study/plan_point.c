/* Resolves a point of a study to its size, region, machine and configuration. */
#include "study/plan_internal.h"

#include "config/machine.h"
#include "sim/components.h"

#include <string.h>

/* ---- errors: many points share them ---- */

static void report(ww_planner *p, int status, ww_where at, const char *text)
{
    char *line = ww_arena_printf(p->plan->arena, "%s:%d:%d: %s", at.file ? at.file : "", at.line,
                                 at.col, text);
    if (ww_map_add(p->reported, line, strlen(line), line))
        ww_fail(p->errors, status, at, "%s", text);
}

int ww_planner_report(ww_planner *p, ww_errors *found, ww_where at, bool has_locations)
{
    int status = ww_errors_status(found);
    for (size_t i = 0; i < ww_errors_count(found); i++) {
        const char *line = ww_errors_line(found, i);
        static const char option[] = "--size: "; /* --hint is as long */
        bool strip = at.file && (strncmp(line, option, sizeof(option) - 1) == 0 ||
                                 strncmp(line, "--hint: ", sizeof(option) - 1) == 0);
        bool add_location = strip || !has_locations;
        report(p, status, add_location ? at : WW_NOWHERE, line + (strip ? sizeof(option) - 1 : 0));
    }
    ww_errors_destroy(found);
    return status;
}

/* ---- what a point is ---- */

/* From the most specific to the least: axes, variant, sweep, study. */
#define MOST_CHANGES (WW_MOST_AXES + 3)
static size_t changes_of(const ww_study *study, const ww_point *point,
                         const ww_change *changes[MOST_CHANGES])
{
    const ww_sweep *sweep = point->sweep;
    size_t count = 0;
    for (size_t i = sweep->axis_count; i-- > 0;)
        changes[count++] = &sweep->axes[i].changes[point->coordinates.axis[i]];
    changes[count++] = &study->variants[sweep->variants.items[point->coordinates.variant]].change;
    changes[count++] = &sweep->change;
    changes[count++] = &study->change;
    return count;
}

const ww_study_workload *ww_point_workload(const ww_study *study, const ww_point *point)
{
    return &study->workloads[point->sweep->workloads.items[point->coordinates.workload]];
}

static const ww_yaml *first_of(const ww_yaml *a, const ww_yaml *b, const ww_yaml *c)
{
    return a ? a : b ? b : c;
}

static bool is_name(const char *size)
{
    return size && !strchr(size, '=');
}

/* The words of a size that are PARAMETER=VALUE: a launch file has no named sizes. */
static const char *only_values(ww_arena *arena, const char *size)
{
    char *text = ww_arena_strdup(arena, size), *rest = text, *item;
    const char *kept = "";
    while ((item = strsep(&rest, ",")))
        if (strchr(item, '='))
            kept = ww_arena_printf(arena, "%s%s%s", kept, kept[0] ? "," : "", item);
    return kept;
}

/* The value of a parameter that the nearest source gives: axes, then the variant, then the
 * workload. */
static const ww_yaml *find_parameter(const ww_yaml *const *sources, size_t count, const char *key)
{
    for (size_t i = 0; i < count; i++) {
        const ww_yaml *value = sources[i] ? ww_yaml_get(sources[i], key) : NULL;
        if (value)
            return value;
    }
    return NULL;
}

/* "tiny" with parameters n and group becomes "tiny,n=64,group=8"; `*at` is the location of the last
 * of them. */
static const char *add_parameters(ww_planner *p, const ww_point *point, const char *size,
                                  ww_where *at)
{
    const ww_study_workload *workload = ww_point_workload(p->study, point);
    const ww_change *changes[MOST_CHANGES];
    const ww_yaml *sources[MOST_CHANGES + 1];
    size_t count = changes_of(p->study, point, changes);
    for (size_t i = 0; i < count; i++)
        sources[i] = changes[i]->parameters;
    sources[count++] = workload->parameters;
    if (!ww_catalogue_find(workload->name))
        size = only_values(p->plan->arena, size);
    for (size_t i = count; i-- > 0;)
        for (size_t k = 0; sources[i] && k < sources[i]->count; k++) {
            const char *key = sources[i]->keys[k]->text;
            const ww_yaml *value = find_parameter(sources, count, key);
            if (value != sources[i]->items[k])
                continue;
            size = ww_arena_printf(p->plan->arena, "%s%s%s=%s", size, size[0] ? "," : "",
                                   ww_parameter_name(key), value->text);
            *at = value->at;
        }
    return size;
}

int ww_point_work(ww_planner *p, const ww_point *point, const char **size, const char **region,
                  ww_where *at)
{
    const ww_study *study = p->study;
    const ww_study_workload *workload = ww_point_workload(study, point);
    const ww_change *changes[MOST_CHANGES];
    size_t count = changes_of(study, point, changes);
    bool is_launch_file = !ww_catalogue_find(workload->name);
    bool paper = p->size && strcmp(p->size, "paper") == 0;
    const char *asked = paper || (is_launch_file && is_name(p->size)) ? NULL : p->size;
    const ww_sweep *sweep = point->sweep;
    const ww_yaml *node =
        paper ? first_of(workload->paper.size, sweep->paper.size, study->paper.size)
              : first_of(workload->usual.size, sweep->usual.size, study->usual.size);
    const ww_yaml *part =
        paper ? first_of(workload->paper.region, sweep->paper.region, study->paper.region)
              : first_of(workload->usual.region, sweep->usual.region, study->usual.region);
    *size = asked ? asked : node ? node->text : WW_DEFAULT_SIZE;
    *region = part && !asked ? part->text : "";
    *at = node && !asked ? node->at : WW_NOWHERE;
    for (size_t i = count; i-- > 0;)
        if (changes[i]->size) {
            *size = changes[i]->size->text;
            *at = changes[i]->size->at;
            node = changes[i]->size;
        }
    if (paper && !node && !is_launch_file) {
        report(p, WW_BAD_INPUT, workload->at, "no size for --size paper (paper: {size: ...})");
        return WW_BAD_INPUT;
    }
    *size = add_parameters(p, point, *size, at);
    return WW_OK;
}

const char *ww_point_machine(ww_planner *p, const ww_point *point, ww_where *at)
{
    const ww_change *changes[MOST_CHANGES];
    size_t count = changes_of(p->study, point, changes);
    for (size_t i = 0; i < count; i++) {
        if (!changes[i]->machine)
            continue;
        const char *name = changes[i]->machine->text, *slash = strrchr(p->study->file, '/');
        *at = changes[i]->machine->at;
        bool path = strchr(name, '/') || strstr(name, ".y");
        if (!path || name[0] == '/' || !slash)
            return name;
        return ww_arena_printf(p->plan->arena, "%.*s%s", (int)(slash + 1 - p->study->file),
                               p->study->file, name);
    }
    *at = WW_NOWHERE;
    return WW_DEFAULT_TIMED_MACHINE;
}

/* The caller's own configuration of a machine. A machine is read once; the next one is a copy. */
static ww_config *load_machine(ww_planner *p, const char *name, ww_where at, ww_errors *found)
{
    const ww_config *known = ww_map_find(p->machine_by_name, name);
    if (known)
        return ww_config_copy(known);
    ww_config *config = ww_config_create(&ww_all_schemas);
    if (ww_machine_load(config, name, at, NULL, found))
        return config;
    ww_vec_push(&p->machines, config);
    ww_map_add(p->machine_by_name, name, strlen(name), config);
    return ww_config_copy(config);
}

static ww_config *configure(ww_planner *p, const ww_point *point, const char *machine, ww_where at,
                            unsigned *layer)
{
    const ww_change *changes[MOST_CHANGES];
    size_t count = changes_of(p->study, point, changes);
    ww_errors *found = ww_errors_create();
    ww_config *config = load_machine(p, machine, at, found);
    *layer = 0;
    for (size_t i = 0; i < ww_config_count(config); i++)
        if (ww_config_setting(config, i)->layer > *layer)
            *layer = ww_config_setting(config, i)->layer;
    for (size_t i = count; i-- > 0;)
        if (changes[i]->keys)
            ww_config_apply(config, changes[i]->keys, found);
    ww_config_check(config, found);
    if (ww_planner_report(p, found, WW_NOWHERE, false) == WW_OK)
        return config;
    ww_config_destroy(config);
    return NULL;
}

const ww_configured *ww_point_configure(ww_planner *p, const ww_point *point, const char *machine,
                                        ww_where at)
{
    ww_coordinates shared = point->coordinates;
    shared.workload = shared.seed = 0;
    size_t combination = ww_sweep_index(point->sweep, &shared);
    ww_configured *c = &p->configured[combination / point->sweep->seeds.count % WW_MOST_CONFIGURED];
    if (c->config && c->combination == combination)
        return c;
    ww_config_destroy(c->config);
    c->combination = combination;
    c->config = configure(p, point, machine, at, &c->layer);
    return c->config ? c : NULL;
}

void ww_planner_forget(ww_planner *p)
{
    for (size_t i = 0; i < WW_MOST_CONFIGURED; i++) {
        ww_config_destroy(p->configured[i].config);
        p->configured[i] = (ww_configured){0};
    }
}

static int add_hints(ww_planner *p, const ww_yaml *text, ww_hint_list *hints)
{
    if (!text || strcmp(text->text, "none") == 0)
        return WW_OK;
    ww_errors *found = ww_errors_create();
    ww_hint_list_add(hints, text->text, found);
    return ww_planner_report(p, found, text->at, false);
}

int ww_point_hints(ww_planner *p, const ww_point *point, ww_hint_list *hints)
{
    const ww_change *changes[MOST_CHANGES];
    size_t count = changes_of(p->study, point, changes);
    int status = add_hints(p, ww_point_workload(p->study, point)->hints, hints);
    for (size_t i = count; i-- > 0;)
        status |= add_hints(p, changes[i]->hints, hints);
    return status;
}

int ww_point_region(ww_planner *p, const char *text, ww_where at, ww_region *region)
{
    ww_errors *found = ww_errors_create();
    *region = (ww_region){0};
    if (text[0])
        ww_region_read(text, region, found);
    return ww_planner_report(p, found, at, false);
}
