#include "study/read.h"

#include "base/text.h"
#include "config/units.h"

#include <string.h>

#define MOST_LISTED 300 /* characters; then "..." */

int ww_fail_unknown(ww_errors *errors, ww_where at, const char *what, const char *word,
                    const char *const *names, size_t count)
{
    /* A number close to another one is not a misspelling. */
    bool number = word[0] >= '0' && word[0] <= '9';
    const char *near = ww_errors_full(errors) ? "" : number ? NULL : ww_nearest(word, names, count);
    if (near)
        return ww_fail(errors, WW_BAD_INPUT, at, "unknown %s '%.60s' (did you mean '%s'?)", what,
                       word, near);
    char *list = ww_strdup(count ? "" : "there is none");
    bool all = true;
    for (size_t i = 0; i < count && all; i++) {
        all = strlen(list) < MOST_LISTED;
        char *longer = ww_format("%s%s%s", list, i ? ", " : "one of: ", all ? names[i] : "...");
        free(list);
        list = longer;
    }
    ww_fail(errors, WW_BAD_INPUT, at, "unknown %s '%.60s' (%s)", what, word, list);
    free(list);
    return WW_BAD_INPUT;
}

int ww_read_scalar(const ww_yaml *mapping, const char *key, const ww_yaml **node, ww_errors *errors)
{
    const ww_yaml *item = ww_yaml_get(mapping, key);
    if (!item)
        return WW_OK;
    char what[40];
    snprintf(what, sizeof(what), "'%s'", key);
    int status = ww_yaml_expect(item, WW_YAML_SCALAR, what, errors);
    if (!status)
        *node = item;
    return status;
}

int ww_read_text(const ww_yaml *mapping, const char *key, const char **text, ww_errors *errors)
{
    const ww_yaml *node = NULL;
    int status = ww_read_scalar(mapping, key, &node, errors);
    if (node)
        *text = node->text;
    return status;
}

int ww_read_name(const ww_yaml *node, const char *what, const char *const *names, size_t count,
                 size_t *index, ww_errors *errors)
{
    const char *word;
    int status = ww_yaml_text(node, what, &word, errors);
    if (status)
        return status;
    for (*index = 0; *index < count; ++*index)
        if (strcmp(names[*index], word) == 0)
            return WW_OK;
    return ww_fail_unknown(errors, node->at, what, word, names, count);
}

int ww_read_work(const ww_yaml *mapping, ww_work *usual, ww_work *paper, ww_errors *errors)
{
    static const char *const names[] = {"size", "region"};
    int status = ww_read_scalar(mapping, "size", &usual->size, errors);
    status |= ww_read_scalar(mapping, "region", &usual->region, errors);
    const ww_yaml *item = ww_yaml_get(mapping, "paper");
    if (!item)
        return status;
    if (ww_yaml_expect(item, WW_YAML_MAPPING, "'paper'", errors))
        return WW_BAD_INPUT;
    status |= ww_yaml_expect_keys(item, names, WW_COUNT_OF_NAMES(names), errors);
    status |= ww_read_scalar(item, "size", &paper->size, errors);
    return status | ww_read_scalar(item, "region", &paper->region, errors);
}

const char **ww_study_labels(const ww_study *study)
{
    const char **names = ww_arena_alloc(study->arena, study->workload_count + 1, sizeof(*names));
    for (size_t i = 0; i < study->workload_count; i++)
        names[i] = study->workloads[i].label;
    return names;
}

const char **ww_study_variant_names(const ww_study *study)
{
    const char **names = ww_arena_alloc(study->arena, study->variant_count + 1, sizeof(*names));
    for (size_t i = 0; i < study->variant_count; i++)
        names[i] = study->variants[i].name;
    return names;
}

const char **ww_study_set_names(const ww_study *study)
{
    const char **names = ww_arena_alloc(study->arena, study->set_count + 1, sizeof(*names));
    for (size_t i = 0; i < study->set_count; i++)
        names[i] = study->sets[i].name;
    return names;
}

int ww_check_name(const char *name, ww_where at, const char *what, ww_errors *errors)
{
    if (!name[0])
        return ww_fail(errors, WW_BAD_INPUT, at, "%s without a name (it is empty)", what);
    for (const char *c = name; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 127)
            return ww_fail(errors, WW_BAD_INPUT, at,
                           "the name of %s has a character that cannot be shown (code %d)", what,
                           (unsigned char)*c);
    return WW_OK;
}

/* Checks all keys: they are names of variants, axes, sets, metrics and so on. */
static int check_keys(const ww_yaml *node, ww_errors *errors)
{
    int status = WW_OK;
    for (size_t i = 0; i < node->count; i++) {
        if (node->kind == WW_YAML_MAPPING)
            status |= ww_check_name(node->keys[i]->text, node->keys[i]->at, "a key", errors);
        status |= check_keys(node->items[i], errors);
    }
    return status;
}

/* ---- workloads and sets ---- */

/* The path of a launch file is relative to the study that names it. */
static const char *beside(ww_study *study, const char *name)
{
    const char *slash = strrchr(study->file, '/');
    bool path = strchr(name, '/') || strchr(name, '.');
    if (!path || name[0] == '/')
        return name;
    int folder = slash ? (int)(slash + 1 - study->file) : 0;
    char first =
        folder ? study->file[0] : name[0]; /* a run's command line must not take it for an option */
    return ww_arena_printf(study->arena, "%s%.*s%s", first == '-' ? "./" : "", folder, study->file,
                           name);
}

int ww_read_own_metrics(const ww_yaml *item, ww_study_workload *workload, ww_errors *errors)
{
    workload->metrics = ww_yaml_get(item, "metrics");
    return workload->metrics
               ? ww_yaml_expect(workload->metrics, WW_YAML_MAPPING, "'metrics'", errors)
               : WW_OK;
}

/* Besides these, parameter.NAME. */
static int expect_workload_keys(ww_study *study, const ww_yaml *item, ww_errors *errors)
{
    static const char *const names[] = {"name",  "label",   "size", "region",
                                        "paper", "metrics", "hints"};
    size_t fixed = WW_COUNT_OF_NAMES(names), count = fixed;
    const char **all = ww_arena_alloc(study->arena, fixed + item->count, sizeof(*all));
    memcpy(all, names, sizeof(names));
    for (size_t i = 0; i < item->count; i++)
        if (ww_parameter_name(item->keys[i]->text))
            all[count++] = item->keys[i]->text;
    return ww_yaml_expect_keys(item, all, count, errors);
}

static int read_workload(ww_study *study, const ww_yaml *item, ww_study_workload *workload,
                         ww_errors *errors)
{
    const ww_yaml *name = item;
    int status = WW_OK;
    if (item->kind == WW_YAML_MAPPING && ww_yaml_get(item, "app"))
        return ww_read_app(study, item, workload, errors);
    if (item->kind == WW_YAML_MAPPING) {
        if (ww_yaml_need(item, "name", &name, errors))
            return WW_BAD_INPUT;
        status |= expect_workload_keys(study, item, errors);
        status |= ww_read_parameters(study, item, &workload->parameters, errors);
        status |= ww_read_text(item, "label", &workload->label, errors);
        status |= ww_read_work(item, &workload->usual, &workload->paper, errors);
        status |= ww_read_scalar(item, "hints", &workload->hints, errors);
        status |= ww_read_own_metrics(item, workload, errors);
    }
    if (ww_yaml_text(name, "a workload", &workload->name, errors))
        return WW_BAD_INPUT;
    workload->at = name->at;
    if (!workload->label)
        workload->label = workload->name;
    workload->name = beside(study, workload->name);
    return status | ww_check_name(workload->label, item->at, "a workload", errors);
}

static int read_workloads(ww_study *study, const ww_yaml *root, ww_errors *errors)
{
    const ww_yaml *list = NULL;
    if (ww_yaml_need(root, "workloads", &list, errors) ||
        ww_yaml_expect(list, WW_YAML_SEQUENCE, "'workloads'", errors))
        return WW_BAD_INPUT;
    if (list->count == 0)
        return ww_fail(errors, WW_BAD_INPUT, list->at, "no workloads (at least one is needed)");
    int status = WW_OK;
    study->workloads = ww_arena_alloc(study->arena, list->count, sizeof(*study->workloads));
    for (size_t i = 0; i < list->count; i++) {
        ww_study_workload *workload = &study->workloads[study->workload_count];
        if (read_workload(study, list->items[i], workload, errors)) {
            status = WW_BAD_INPUT;
            continue;
        }
        for (size_t j = 0; j < study->workload_count; j++)
            if (strcmp(study->workloads[j].label, workload->label) == 0)
                status = ww_fail(errors, WW_BAD_INPUT, workload->at,
                                 "workload '%.60s' is listed twice (give one of them a label)",
                                 workload->label);
        study->workload_count++;
    }
    return status;
}

static int read_set(ww_study *study, const ww_yaml *list, const char *const *labels,
                    ww_workload_set *set, ww_errors *errors)
{
    int status = ww_yaml_expect(list, WW_YAML_SEQUENCE, "a set", errors);
    set->workloads.items = ww_arena_alloc(study->arena, list->count + 1, sizeof(size_t));
    for (size_t i = 0; !ww_errors_full(errors) && list->kind == WW_YAML_SEQUENCE && i < list->count;
         i++) {
        size_t index;
        if (ww_read_name(list->items[i], "workload of this study", labels, study->workload_count,
                         &index, errors))
            status = WW_BAD_INPUT;
        else
            set->workloads.items[set->workloads.count++] = index;
    }
    return status;
}

/* Every study has a set `all` of all its workloads, in front of its own. */
static int read_sets(ww_study *study, const ww_yaml *root, ww_errors *errors)
{
    const ww_yaml *sets = ww_yaml_get(root, "sets");
    int status = sets ? ww_yaml_expect(sets, WW_YAML_MAPPING, "'sets'", errors) : WW_OK;
    size_t count = sets && !status ? sets->count : 0;
    const char **labels = ww_study_labels(study);
    study->sets = ww_arena_alloc(study->arena, count + 1, sizeof(*study->sets));
    study->sets[0].name = "all";
    study->sets[0].workloads.items =
        ww_arena_alloc(study->arena, study->workload_count + 1, sizeof(size_t));
    study->sets[0].workloads.count = study->workload_count;
    for (size_t i = 0; i < study->workload_count; i++)
        study->sets[0].workloads.items[i] = i;
    study->set_count = 1;
    for (size_t i = 0; i < count; i++) {
        ww_workload_set *set = &study->sets[study->set_count++];
        set->name = sets->keys[i]->text;
        status |= read_set(study, sets->items[i], labels, set, errors);
        bool taken = strcmp(set->name, "all") == 0;
        for (size_t j = 0; j < study->workload_count; j++)
            taken |= strcmp(labels[j], set->name) == 0;
        if (taken)
            status |=
                ww_fail(errors, WW_BAD_INPUT, sets->keys[i]->at,
                        "a set '%.60s' (the name is that of a workload, or 'all')", set->name);
    }
    return status;
}

/* ---- the other keys of the file ---- */

static int read_limits(ww_study *study, const ww_yaml *root, ww_errors *errors)
{
    static const char *const names[] = {"time", "memory"};
    const ww_yaml *limits = ww_yaml_get(root, "limits"), *time = NULL, *memory = NULL;
    if (!limits)
        return WW_OK;
    if (ww_yaml_expect(limits, WW_YAML_MAPPING, "'limits'", errors))
        return WW_BAD_INPUT;
    int status = ww_yaml_expect_keys(limits, names, WW_COUNT_OF_NAMES(names), errors);
    status |= ww_read_scalar(limits, "time", &time, errors);
    status |= ww_read_scalar(limits, "memory", &memory, errors);
    if (time)
        status |= ww_yaml_u64(time, "'time'", 1, UINT32_MAX, &study->limit_seconds, errors);
    if (memory && !ww_amount_parse(WW_MEASURE_BYTES, memory->text, &study->limit_bytes))
        status |= ww_fail(errors, WW_BAD_INPUT, memory->at,
                          "'memory' is '%.60s' (an amount such as 4GiB is needed)", memory->text);
    return status;
}

static int read_variants(ww_study *study, const ww_yaml *root, ww_errors *errors)
{
    const ww_yaml *variants = ww_yaml_get(root, "variants");
    int status = variants ? ww_yaml_expect(variants, WW_YAML_MAPPING, "'variants'", errors) : WW_OK;
    size_t count = variants && !status ? variants->count : 0;
    study->variants = ww_arena_alloc(study->arena, count + 1, sizeof(*study->variants));
    study->variant_count = count ? count : 1;
    study->variants[0] = (ww_study_variant){.name = "base", .doc = ""};
    for (size_t i = 0; i < count; i++) {
        ww_study_variant *variant = &study->variants[i];
        const ww_yaml *item = variants->items[i];
        *variant = (ww_study_variant){.name = variants->keys[i]->text, .doc = ""};
        if (ww_yaml_expect(item, WW_YAML_MAPPING, "a variant", errors)) {
            status = WW_BAD_INPUT;
            continue;
        }
        status |= ww_read_text(item, "doc", &variant->doc, errors);
        status |= ww_read_change(study, item, true, &variant->change, errors);
    }
    return status;
}

static const char *name_of_path(ww_arena *arena, const char *path)
{
    const char *slash = strrchr(path, '/'), *start = slash ? slash + 1 : path;
    const char *dot = strrchr(start, '.');
    return ww_arena_strndup(arena, start,
                            dot && dot > start ? (size_t)(dot - start) : strlen(start));
}

/* The name is also stored in the database. */
static int check_study_name(const char *name, const ww_yaml *root, ww_errors *errors)
{
    const ww_yaml *given = ww_yaml_get(root, "name");
    ww_where at = given ? given->at : root->at;
    if (strchr(name, '/'))
        return ww_fail(errors, WW_BAD_INPUT, at, "the name of the study has a '/'");
    return ww_check_name(name, at, "the study", errors);
}

static int read_root(ww_study *study, ww_errors *errors)
{
    static const char *const names[] = {"name",     "doc",      "machine", "size",      "region",
                                        "paper",    "keys",     "limits",  "workloads", "sets",
                                        "variants", "axes",     "seeds",   "sweeps",    "metrics",
                                        "figures",  "sections", "hints"};
    const ww_yaml *root = ww_yaml_root(study->document);
    if (ww_yaml_expect(root, WW_YAML_MAPPING, "a study", errors))
        return WW_BAD_INPUT;
    study->name = name_of_path(study->arena, study->file);
    study->doc = "";
    int status = ww_yaml_expect_keys(root, names, WW_COUNT_OF_NAMES(names), errors);
    status |= check_keys(root, errors);
    status |= ww_read_text(root, "name", &study->name, errors);
    status |= check_study_name(study->name, root, errors);
    status |= ww_read_text(root, "doc", &study->doc, errors);
    status |= ww_read_change(study, root, false, &study->change, errors);
    status |= ww_read_work(root, &study->usual, &study->paper, errors);
    status |= read_limits(study, root, errors);
    status |= read_workloads(study, root, errors);
    status |= read_sets(study, root, errors);
    status |= read_variants(study, root, errors);
    status |= ww_read_sweeps(study, root, errors);
    return status | ww_study_read_figures(study, root, errors);
}

ww_study *ww_study_parse(const char *file, const char *bytes, size_t count, ww_errors *errors)
{
    ww_yaml_document *document = ww_yaml_parse(file, bytes, count, errors);
    if (!document)
        return NULL;
    ww_study *study = ww_calloc(1, sizeof(*study));
    study->arena = ww_arena_create();
    study->document = document;
    study->file = ww_arena_strdup(study->arena, file);
    study->text = ww_arena_strndup(study->arena, bytes, count);
    if (!read_root(study, errors))
        return study;
    ww_study_destroy(study);
    return NULL;
}

void ww_study_destroy(ww_study *study)
{
    if (!study)
        return;
    ww_yaml_destroy(study->document);
    ww_arena_destroy(study->arena);
    free(study);
}

const char *ww_study_name(const ww_study *study)
{
    return study->name;
}

const char *ww_study_doc(const ww_study *study)
{
    return study->doc;
}
