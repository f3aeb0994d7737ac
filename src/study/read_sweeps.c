/* Variants' and axes' changes, and the sweeps that cross them. */
#include "study/read.h"

#include <inttypes.h>
#include <string.h>

#define MOST_POINTS 1000000

static bool is_special(const char *key)
{
    return strcmp(key, "machine") == 0 || strcmp(key, "size") == 0 || strcmp(key, "hints") == 0 ||
           strcmp(key, "doc") == 0;
}

static ww_yaml *new_mapping(ww_study *study, ww_where at, size_t capacity)
{
    ww_yaml *mapping = ww_arena_alloc(study->arena, 1, sizeof(*mapping));
    mapping->kind = WW_YAML_MAPPING;
    mapping->at = at;
    mapping->keys = ww_arena_alloc(study->arena, capacity + 1, sizeof(ww_yaml *));
    mapping->items = ww_arena_alloc(study->arena, capacity + 1, sizeof(ww_yaml *));
    return mapping;
}

static void add_pair(ww_yaml *mapping, const ww_yaml *key, const ww_yaml *item)
{
    ((const ww_yaml **)(uintptr_t)mapping->keys)[mapping->count] = key;
    ((const ww_yaml **)(uintptr_t)mapping->items)[mapping->count++] = item;
}

const char *ww_parameter_name(const char *key)
{
    static const char prefix[] = "parameter.";
    return strncmp(key, prefix, sizeof(prefix) - 1) == 0 ? key + sizeof(prefix) - 1 : NULL;
}

int ww_read_parameters(ww_study *study, const ww_yaml *mapping, const ww_yaml **parameters,
                       ww_errors *errors)
{
    ww_yaml *found = new_mapping(study, mapping->at, mapping->count);
    int status = WW_OK;
    for (size_t i = 0; i < mapping->count; i++)
        if (ww_parameter_name(mapping->keys[i]->text)) {
            status |= ww_yaml_expect(mapping->items[i], WW_YAML_SCALAR, "a parameter", errors);
            add_pair(found, mapping->keys[i], mapping->items[i]);
        }
    *parameters = found;
    return status;
}

int ww_read_change(ww_study *study, const ww_yaml *mapping, bool flat, ww_change *change,
                   ww_errors *errors)
{
    int status = ww_read_scalar(mapping, "machine", &change->machine, errors);
    status |= ww_read_scalar(mapping, "hints", &change->hints, errors);
    if (!flat) {
        change->keys = ww_yaml_get(mapping, "keys");
        if (change->keys)
            status |= ww_yaml_expect(change->keys, WW_YAML_MAPPING, "'keys'", errors);
        return status;
    }
    status |= ww_read_scalar(mapping, "size", &change->size, errors);
    ww_yaml *keys = new_mapping(study, mapping->at, mapping->count);
    status |= ww_read_parameters(study, mapping, &change->parameters, errors);
    for (size_t i = 0; i < mapping->count; i++)
        if (!is_special(mapping->keys[i]->text) && !ww_parameter_name(mapping->keys[i]->text))
            add_pair(keys, mapping->keys[i], mapping->items[i]);
    change->keys = keys;
    return status;
}

/* ---- axes ---- */

/* The values of one key of an axis: as many as those of its other keys. */
static int add_key(ww_study *study, ww_axis *axis, const ww_yaml *key, const ww_yaml *values,
                   size_t keys, ww_errors *errors)
{
    int status = WW_OK;
    if (ww_yaml_expect(values, WW_YAML_SEQUENCE, key->text, errors))
        return WW_BAD_INPUT;
    if (values->count == 0)
        return ww_fail(errors, WW_BAD_INPUT, values->at, "no values (at least one is needed)");
    if (!axis->changes) {
        axis->count = values->count;
        axis->changes = ww_arena_alloc(study->arena, axis->count, sizeof(*axis->changes));
        axis->labels = ww_arena_alloc(study->arena, axis->count, sizeof(*axis->labels));
        for (size_t i = 0; i < axis->count; i++) {
            axis->changes[i].keys = new_mapping(study, values->items[i]->at, keys);
            axis->changes[i].parameters = new_mapping(study, values->items[i]->at, keys);
        }
    }
    if (values->count != axis->count)
        return ww_fail(errors, WW_BAD_INPUT, values->at,
                       "%zu values (the keys of an axis vary together: %zu are needed, as before)",
                       values->count, axis->count);
    for (size_t i = 0; i < axis->count; i++) {
        const ww_yaml *value = values->items[i];
        ww_change *change = &axis->changes[i];
        status |= ww_yaml_expect(value, WW_YAML_SCALAR, "a value", errors);
        if (!axis->labels[i])
            axis->labels[i] = value->text;
        if (strcmp(key->text, "machine") == 0)
            change->machine = value;
        else if (strcmp(key->text, "size") == 0)
            change->size = value;
        else if (strcmp(key->text, "hints") == 0)
            change->hints = value;
        else
            add_pair((ww_yaml *)(uintptr_t)(ww_parameter_name(key->text) ? change->parameters
                                                                         : change->keys),
                     key, value);
    }
    return status;
}

static int read_labels(ww_axis *axis, const ww_yaml *labels, ww_errors *errors)
{
    if (ww_yaml_expect(labels, WW_YAML_SEQUENCE, "'labels'", errors))
        return WW_BAD_INPUT;
    if (labels->count != axis->count)
        return ww_fail(errors, WW_BAD_INPUT, labels->at, "%zu labels (%zu are needed)",
                       labels->count, axis->count);
    int status = WW_OK;
    for (size_t i = 0; i < axis->count; i++)
        if (ww_yaml_text(labels->items[i], "a label", &axis->labels[i], errors) ||
            ww_check_name(axis->labels[i], labels->items[i]->at, "a value", errors))
            status = WW_BAD_INPUT;
    return status;
}

static int check_labels(const ww_axis *axis, ww_where at, ww_errors *errors)
{
    for (size_t i = 0; i < axis->count; i++)
        for (size_t j = 0; j < i; j++)
            if (strcmp(axis->labels[i], axis->labels[j]) == 0)
                return ww_fail(
                    errors, WW_BAD_INPUT, at,
                    "two values of axis '%s' are called '%.60s' ('labels' gives each its own)",
                    axis->name, axis->labels[i]);
    return WW_OK;
}

static int read_axis(ww_study *study, const ww_yaml *key, const ww_yaml *item, ww_axis *axis,
                     ww_errors *errors)
{
    int status = WW_OK;
    axis->name = key->text;
    if (strcmp(key->text, "workload") == 0 || strcmp(key->text, "variant") == 0 ||
        strcmp(key->text, "seed") == 0)
        return ww_fail(errors, WW_BAD_INPUT, key->at,
                       "an axis '%s' (every sweep has that one: give it another name)", key->text);
    if (item->kind == WW_YAML_SEQUENCE)
        status |= add_key(study, axis, key, item, 1, errors);
    else if (ww_yaml_expect(item, WW_YAML_MAPPING, "an axis", errors))
        return WW_BAD_INPUT;
    for (size_t i = 0; item->kind == WW_YAML_MAPPING && i < item->count; i++)
        if (strcmp(item->keys[i]->text, "labels") != 0)
            status |= add_key(study, axis, item->keys[i], item->items[i], item->count, errors);
    if (!status && axis->count == 0)
        return ww_fail(errors, WW_BAD_INPUT, item->at, "an axis without keys (KEY: [VALUE, ...])");
    const ww_yaml *labels = ww_yaml_get(item, "labels");
    if (!status && labels)
        status |= read_labels(axis, labels, errors);
    return status ? status : check_labels(axis, key->at, errors);
}

static bool has_key(const ww_axis *axis, const char *key)
{
    for (size_t i = 0; axis->changes && i < axis->changes[0].keys->count; i++)
        if (strcmp(axis->changes[0].keys->keys[i]->text, key) == 0)
            return true;
    for (size_t i = 0; axis->changes && i < axis->changes[0].parameters->count; i++)
        if (strcmp(axis->changes[0].parameters->keys[i]->text, key) == 0)
            return true;
    return false;
}

/* Refuses two axes that vary the same key: one of them would have no effect. */
static int check_apart(const ww_axis *axes, size_t index, const ww_yaml *key, const ww_yaml *item,
                       ww_errors *errors)
{
    bool list = item->kind == WW_YAML_SEQUENCE;
    for (size_t i = 0; i < index; i++)
        for (size_t k = 0; k < (list ? 1 : item->count); k++) {
            const ww_yaml *own = list ? key : item->keys[k];
            if (has_key(&axes[i], own->text))
                return ww_fail(errors, WW_BAD_INPUT, own->at,
                               "%.60s is varied by axis '%.60s' already", own->text, axes[i].name);
        }
    return WW_OK;
}

int ww_read_axes(ww_study *study, const ww_yaml *axes, ww_sweep *sweep, ww_errors *errors)
{
    if (!axes)
        return WW_OK;
    if (ww_yaml_expect(axes, WW_YAML_MAPPING, "'axes'", errors))
        return WW_BAD_INPUT;
    if (axes->count > WW_MOST_AXES)
        return ww_fail(errors, WW_BAD_INPUT, axes->at, "%zu axes (at most %d)", axes->count,
                       WW_MOST_AXES);
    int status = WW_OK;
    sweep->axes = ww_arena_alloc(study->arena, axes->count + 1, sizeof(*sweep->axes));
    sweep->axis_count = axes->count;
    for (size_t i = 0; i < axes->count; i++)
        status |= read_axis(study, axes->keys[i], axes->items[i], &sweep->axes[i], errors) |
                  check_apart(sweep->axes, i, axes->keys[i], axes->items[i], errors);
    return status;
}

/* ---- sweeps ---- */

static int read_seeds(ww_study *study, const ww_yaml *seeds, ww_list *list, ww_errors *errors)
{
    if (ww_yaml_expect(seeds, WW_YAML_SEQUENCE, "'seeds'", errors))
        return WW_BAD_INPUT;
    if (seeds->count == 0)
        return ww_fail(errors, WW_BAD_INPUT, seeds->at, "no seeds (at least one is needed)");
    int status = WW_OK;
    list->items = ww_arena_alloc(study->arena, seeds->count, sizeof(*list->items));
    list->count = seeds->count;
    for (size_t i = 0; i < seeds->count; i++) {
        uint64_t seed = 0;
        status |= ww_yaml_u64(seeds->items[i], "a seed", 0, INT64_MAX, &seed, errors);
        list->items[i] = seed;
        for (size_t j = 0; j < i; j++)
            if (!status && list->items[j] == seed)
                status = ww_fail(errors, WW_BAD_INPUT, seeds->items[i]->at,
                                 "seed %" PRIu64 " is given twice", seed);
    }
    return status;
}

static void add_once(ww_list *list, size_t item)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i] == item)
            return;
    list->items[list->count++] = item;
}

static ww_list everything(ww_study *study, size_t count)
{
    ww_list list = {ww_arena_alloc(study->arena, count + 1, sizeof(size_t)), count};
    for (size_t i = 0; i < count; i++)
        list.items[i] = i;
    return list;
}

/* Workloads of a sweep are named one by one or as sets. */
static int choose_workloads(ww_study *study, const ww_yaml *names, ww_list *list, ww_errors *errors)
{
    size_t sets = study->set_count, all = sets + study->workload_count, index;
    if (ww_yaml_expect(names, WW_YAML_SEQUENCE, "'workloads'", errors))
        return WW_BAD_INPUT;
    const char **known = ww_arena_alloc(study->arena, all + 1, sizeof(*known));
    memcpy(known, ww_study_set_names(study), sets * sizeof(*known));
    memcpy(known + sets, ww_study_labels(study), study->workload_count * sizeof(*known));
    int status = WW_OK;
    list->count = 0;
    for (size_t i = 0; i < names->count; i++) {
        if (ww_read_name(names->items[i], "workload or set of this study", known, all, &index,
                         errors))
            status = WW_BAD_INPUT;
        else if (index >= sets)
            add_once(list, index - sets);
        else
            for (size_t w = 0; w < study->sets[index].workloads.count; w++)
                add_once(list, study->sets[index].workloads.items[w]);
    }
    return status;
}

static int choose_variants(ww_study *study, const ww_yaml *names, ww_list *list, ww_errors *errors)
{
    size_t index;
    if (ww_yaml_expect(names, WW_YAML_SEQUENCE, "'variants'", errors))
        return WW_BAD_INPUT;
    const char **known = ww_study_variant_names(study);
    int status = WW_OK;
    list->count = 0;
    for (size_t i = 0; i < names->count; i++) {
        if (ww_read_name(names->items[i], "variant", known, study->variant_count, &index, errors))
            status = WW_BAD_INPUT;
        else
            add_once(list, index);
    }
    return status;
}

static int count_points(ww_study *study, ww_sweep *sweep, ww_errors *errors)
{
    sweep->first = study->point_count;
    sweep->count = sweep->workloads.count * sweep->variants.count * sweep->seeds.count;
    for (size_t i = 0; i < sweep->axis_count && sweep->count <= MOST_POINTS; i++)
        sweep->count *= sweep->axes[i].count;
    study->point_count += sweep->count;
    if (study->point_count > MOST_POINTS)
        return ww_fail(errors, WW_BAD_INPUT, sweep->at, "more than %d points", MOST_POINTS);
    if (sweep->count == 0 && !ww_errors_status(errors))
        return ww_fail(errors, WW_BAD_INPUT, sweep->at, "a sweep without points");
    return WW_OK;
}

static int read_sweep(ww_study *study, const ww_yaml *item, bool own, ww_sweep *sweep,
                      ww_errors *errors)
{
    static const char *const names[] = {"workloads", "variants", "axes",   "seeds", "keys",
                                        "machine",   "size",     "region", "paper", "hints"};
    int status = WW_OK;
    sweep->at = item->at;
    sweep->workloads = everything(study, study->workload_count);
    sweep->variants = everything(study, study->variant_count);
    if (own) {
        if (ww_yaml_expect(item, WW_YAML_MAPPING, "a sweep", errors))
            return WW_BAD_INPUT;
        status |= ww_yaml_expect_keys(item, names, WW_COUNT_OF_NAMES(names), errors);
        status |= ww_read_change(study, item, false, &sweep->change, errors);
        status |= ww_read_work(item, &sweep->usual, &sweep->paper, errors);
        if (ww_yaml_get(item, "workloads"))
            status |=
                choose_workloads(study, ww_yaml_get(item, "workloads"), &sweep->workloads, errors);
        if (ww_yaml_get(item, "variants"))
            status |=
                choose_variants(study, ww_yaml_get(item, "variants"), &sweep->variants, errors);
    }
    if (ww_yaml_get(item, "seeds"))
        status |= read_seeds(study, ww_yaml_get(item, "seeds"), &sweep->seeds, errors);
    status |= ww_read_axes(study, ww_yaml_get(item, "axes"), sweep, errors);
    return status ? status : count_points(study, sweep, errors);
}

int ww_read_sweeps(ww_study *study, const ww_yaml *root, ww_errors *errors)
{
    const ww_yaml *sweeps = ww_yaml_get(root, "sweeps");
    ww_list usual_seeds = {ww_arena_alloc(study->arena, 1, sizeof(size_t)), 1};
    int status = WW_OK;
    usual_seeds.items[0] = 1;
    if (!sweeps) {
        study->sweeps = ww_arena_alloc(study->arena, 1, sizeof(*study->sweeps));
        study->sweep_count = 1;
        study->sweeps[0] = (ww_sweep){.name = "main", .seeds = usual_seeds};
        return read_sweep(study, root, false, &study->sweeps[0], errors);
    }
    if (ww_yaml_expect(sweeps, WW_YAML_MAPPING, "'sweeps'", errors))
        return WW_BAD_INPUT;
    if (ww_yaml_get(root, "axes"))
        status |= ww_fail(errors, WW_BAD_INPUT, ww_yaml_get(root, "axes")->at,
                          "'axes' with 'sweeps' (each sweep has its own)");
    if (ww_yaml_get(root, "seeds"))
        status |= read_seeds(study, ww_yaml_get(root, "seeds"), &usual_seeds, errors);
    if (sweeps->count == 0)
        status |= ww_fail(errors, WW_BAD_INPUT, sweeps->at, "no sweeps (at least one is needed)");
    study->sweeps = ww_arena_alloc(study->arena, sweeps->count + 1, sizeof(*study->sweeps));
    study->sweep_count = sweeps->count;
    for (size_t i = 0; i < sweeps->count; i++) {
        study->sweeps[i] = (ww_sweep){.name = sweeps->keys[i]->text, .seeds = usual_seeds};
        status |= read_sweep(study, sweeps->items[i], true, &study->sweeps[i], errors);
    }
    return status;
}
