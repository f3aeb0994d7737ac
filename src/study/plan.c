#include "study/plan.h"

#include "base/build_id.h"
#include "base/text.h"
#include "config/machine.h"
#include "sim/execution.h"
#include "sim/host_program.h"
#include "sim/parts.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

/* A configuration that several points of a sweep have: those that differ in workload and seed only. */
#define MOST_CONFIGURED 256
typedef struct configured {
    ww_config *config;  /* NULL: the place is free */
    size_t combination; /* of variant and axes */
    unsigned layer;     /* settings above it are the study's */
} configured;

/* While a plan is made. */
typedef struct planner {
    ww_plan *plan;
    const ww_study *study;
    const char *size; /* from the command line, or NULL */
    ww_compiler *compiler;
    ww_launch_file **files; /* of the study's workloads; NULL: of the catalogue, or not loaded */
    bool *refused;          /* workloads with an error that was reported */
    ww_map *reported;       /* lines of errors: each is reported once */
    configured *configured; /* of the sweep at hand, by combination modulo their number */
    ww_errors *errors;
} planner;

/* ---- texts ---- */

static void identity_text(ww_hash128 hash, char text[WW_IDENTITY_CHARS])
{
    snprintf(text, WW_IDENTITY_CHARS, "%016" PRIx64 "%016" PRIx64, hash.words[0], hash.words[1]);
}

void ww_build_text(char text[WW_IDENTITY_CHARS])
{
    ww_hash128 hash = {{0}};
    ww_hash128_add_text(&hash, WW_VERSION);
    ww_build_id_add(&hash);
    identity_text(hash, text);
}

void ww_write_shell_word(const char *word, FILE *out)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_./=,:+@%-";
    if (*word && word[strspn(word, plain)] == 0) {
        fputs(word, out);
        return;
    }
    fputc('\'', out);
    for (; *word; word++)
        if (*word == '\'')
            fputs("'\\''", out);
        else
            fputc(*word, out);
    fputc('\'', out);
}

static char *shell_text(const ww_words *words)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    if (!out)
        ww_out_of_memory(sizeof(FILE));
    fputs("warpwalk", out);
    for (size_t i = 0; i < words->count; i++) {
        fputc(' ', out);
        ww_write_shell_word(words->items[i], out);
    }
    fclose(out);
    return text;
}

/* ---- errors: many points have the same ---- */

static void report(planner *p, int status, ww_where at, const char *text)
{
    char *line = ww_arena_printf(p->plan->arena, "%s:%d:%d: %s", at.file ? at.file : "", at.line,
                                 at.col, text);
    if (ww_map_add(p->reported, line, strlen(line), line))
        ww_fail(p->errors, status, at, "%s", text);
}

/* Reports what was found about one point, at a place where the lines have none, and forgets it. */
static int report_all(planner *p, ww_errors *found, ww_where at)
{
    int status = ww_errors_status(found);
    for (size_t i = 0; i < ww_errors_count(found); i++) {
        const char *line = ww_errors_line(found, i);
        static const char option[] = "--size: ";
        bool strip = at.file && strncmp(line, option, sizeof(option) - 1) == 0;
        report(p, status, at, line + (strip ? sizeof(option) - 1 : 0));
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
        changes[count++] = &sweep->axes[i].changes[point->place.axis[i]];
    changes[count++] = &study->variants[sweep->variants.items[point->place.variant]].change;
    changes[count++] = &sweep->change;
    changes[count++] = &study->change;
    return count;
}

static const ww_study_workload *workload_of(const ww_study *study, const ww_point *point)
{
    return &study->workloads[point->sweep->workloads.items[point->place.workload]];
}

static const ww_yaml *first_of(const ww_yaml *a, const ww_yaml *b, const ww_yaml *c)
{
    return a ? a : b ? b : c;
}

/* The size and region of a point; `*at` is where the size was written. */
static int find_work(planner *p, const ww_point *point, const char **size, const char **region,
                     ww_where *at)
{
    const ww_study *study = p->study;
    const ww_study_workload *workload = workload_of(study, point);
    const ww_change *changes[MOST_CHANGES];
    size_t count = changes_of(study, point, changes);
    bool paper = p->size && strcmp(p->size, "paper") == 0;
    const ww_sweep *sweep = point->sweep;
    const ww_yaml *node =
        paper ? first_of(workload->paper.size, sweep->paper.size, study->paper.size)
              : first_of(workload->usual.size, sweep->usual.size, study->usual.size);
    const ww_yaml *part =
        paper ? first_of(workload->paper.region, sweep->paper.region, study->paper.region)
              : first_of(workload->usual.region, sweep->usual.region, study->usual.region);
    *size = p->size && !paper ? p->size : node ? node->text : WW_DEFAULT_SIZE;
    *region = part && (paper || !p->size) ? part->text : "";
    *at = node && !(p->size && !paper) ? node->at : WW_NOWHERE;
    for (size_t i = count; i-- > 0;)
        if (changes[i]->size) {
            *size = changes[i]->size->text;
            *at = changes[i]->size->at;
            node = changes[i]->size;
        }
    if (!paper || node)
        return WW_OK;
    report(p, WW_BAD_INPUT, workload->at, "no size for --size paper (paper: {size: ...})");
    return WW_BAD_INPUT;
}

/* A machine file is meant relative to the study that names it. */
static const char *machine_of(planner *p, const ww_point *point, ww_where *at)
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

/* The configuration of a point; NULL when something was reported. Settings above `*layer` are the study's. */
static ww_config *configure(planner *p, const ww_point *point, const char *machine, ww_where at,
                            unsigned *layer)
{
    const ww_change *changes[MOST_CHANGES];
    size_t count = changes_of(p->study, point, changes);
    ww_errors *found = ww_errors_create();
    ww_config *config = ww_config_create(&ww_all_schemas);
    ww_machine_load(config, machine, at, NULL, found);
    *layer = 0;
    for (size_t i = 0; i < ww_config_count(config); i++)
        if (ww_config_setting(config, i)->layer > *layer)
            *layer = ww_config_setting(config, i)->layer;
    for (size_t i = count; i-- > 0;)
        if (changes[i]->keys)
            ww_config_apply(config, changes[i]->keys, found);
    ww_config_check(config, found);
    if (report_all(p, found, WW_NOWHERE) == WW_OK)
        return config;
    ww_config_destroy(config);
    return NULL;
}

/* The same, once for points that share it. It is the planner's. */
static const configured *configure_once(planner *p, const ww_point *point, const char *machine,
                                        ww_where at)
{
    ww_place place = point->place;
    place.workload = place.seed = 0;
    size_t combination = ww_sweep_index(point->sweep, &place);
    configured *c = &p->configured[combination / point->sweep->seeds.count % MOST_CONFIGURED];
    if (c->config && c->combination == combination)
        return c;
    ww_config_destroy(c->config);
    c->combination = combination;
    c->config = configure(p, point, machine, at, &c->layer);
    return c->config ? c : NULL;
}

static void forget_configured(planner *p)
{
    for (size_t i = 0; i < MOST_CONFIGURED; i++) {
        ww_config_destroy(p->configured[i].config);
        p->configured[i] = (configured){0};
    }
}

/* ---- workloads ---- */

static int refuse_workload(planner *p, const ww_study_workload *workload)
{
    const char *near = ww_catalogue_nearest(workload->name);
    if (near)
        return ww_fail(p->errors, WW_BAD_INPUT, workload->at,
                       "no workload '%.60s' in the catalogue (did you mean '%s'?)", workload->name,
                       near);
    return ww_fail(p->errors, WW_BAD_INPUT, workload->at,
                   "no workload '%.60s' in the catalogue (warpwalk list workloads; a launch file "
                   "has a '.' or a '/' in its name)",
                   workload->name);
}

/* All workloads of the study are known, and its launch files loaded. */
static void load_workloads(planner *p)
{
    ww_config *config = ww_config_create(&ww_all_schemas);
    for (size_t i = 0; i < p->study->workload_count; i++) {
        const ww_study_workload *workload = &p->study->workloads[i];
        if (ww_catalogue_find(workload->name))
            continue;
        if (!strchr(workload->name, '.') && !strchr(workload->name, '/')) {
            p->refused[i] = refuse_workload(p, workload) != WW_OK;
            continue;
        }
        if (access(workload->name, R_OK) != 0) {
            ww_fail(p->errors, WW_BAD_INPUT, workload->at, "cannot read launch file '%s': %s",
                    workload->name, strerror(errno));
            p->refused[i] = true;
            continue;
        }
        if (!p->compiler)
            p->compiler = ww_compiler_configured(config);
        p->files[i] = ww_launch_file_load(workload->name, p->compiler, p->errors);
        p->refused[i] = !p->files[i];
    }
    ww_config_destroy(config);
}

/* ---- runs ---- */

static void add_pair(ww_words *words, const char *option, const char *value)
{
    ww_words_add(words, option);
    ww_words_add(words, value);
}

/* Only what changes something: warpwalk refuses other settings. */
static void add_settings(ww_words *words, const ww_config *config, unsigned layer)
{
    for (size_t i = 0; i < ww_config_count(config); i++) {
        const ww_setting *setting = ww_config_setting(config, i);
        if (setting->layer <= layer || !ww_config_has_effect(config, setting))
            continue;
        char *value = ww_value_text(setting->key, &setting->value);
        char *assignment = ww_format("%s=%s", setting->key->key, value);
        add_pair(words, "-s", assignment);
        free(assignment);
        free(value);
    }
}

static void make_words(ww_planned_run *run, const ww_config *config, unsigned layer)
{
    char seed[24];
    snprintf(seed, sizeof(seed), "%" PRIu64, run->seed);
    ww_words_add(&run->words, "run");
    ww_words_add(&run->words, run->workload);
    add_pair(&run->words, "-m", run->machine);
    add_settings(&run->words, config, layer);
    if (run->size[0])
        add_pair(&run->words, "--size", run->size);
    if (run->region[0])
        add_pair(&run->words, "--region", run->region);
    add_pair(&run->words, "--seed", seed);
    run->command = shell_text(&run->words);
}

static void free_run(ww_planned_run *run)
{
    ww_words_free(&run->words);
    free(run->command);
    free(run);
}

/* The place of the run in the list: points that mean the same share it. */
static size_t keep_run(ww_plan *plan, ww_planned_run *run)
{
    size_t *place = ww_map_find(plan->by_identity, run->identity);
    if (place) {
        free_run(run);
        return *place;
    }
    place = ww_arena_alloc(plan->arena, 1, sizeof(*place));
    *place = plan->runs.count;
    ww_map_add(plan->by_identity, run->identity, strlen(run->identity), place);
    ww_vec_push(&plan->runs, run);
    return *place;
}

/* Adds the host program to the identity, or reports what is wrong with its size. */
static int identify_program(planner *p, const ww_point *point, const char *size, ww_where at,
                            ww_hash128 *identity)
{
    size_t index = point->sweep->workloads.items[point->place.workload];
    if (p->files[index]) {
        ww_host_program program = {.file = p->files[index]};
        ww_host_program_identify(&program, identity);
        return WW_OK;
    }
    ww_choice choice;
    ww_errors *found = ww_errors_create();
    ww_choice_read(ww_catalogue_find(p->study->workloads[index].name), size, &choice, found);
    int status = report_all(p, found, at);
    if (!status) {
        ww_host_program program = {.choice = &choice};
        ww_host_program_identify(&program, identity);
    }
    ww_choice_clear(&choice);
    return status;
}

static int read_region(planner *p, const char *text, ww_where at, ww_region *region)
{
    ww_errors *found = ww_errors_create();
    *region = (ww_region){0};
    if (text[0])
        ww_region_read(text, region, found);
    return report_all(p, found, at);
}

static void plan_point(planner *p, ww_point *point)
{
    size_t index = point->sweep->workloads.items[point->place.workload];
    const char *size, *region;
    ww_where at, machine_at;
    ww_execution what = {.timed = true, .seed = point->sweep->seeds.items[point->place.seed]};
    ww_hash128 identity = {{0}};
    if (p->refused[index])
        return;
    int status = find_work(p, point, &size, &region, &at);
    const char *machine = machine_of(p, point, &machine_at);
    const configured *shared = configure_once(p, point, machine, machine_at);
    status |= read_region(p, region, workload_of(p->study, point)->at, &what.region);
    if (!status)
        status |= identify_program(p, point, size, at, &identity);
    if (!status && shared) {
        ww_planned_run *run = ww_calloc(1, sizeof(*run));
        what.config = shared->config;
        ww_execution_identify(&what, &identity);
        identity_text(identity, run->identity);
        run->workload = p->study->workloads[index].name;
        run->size = p->files[index] ? "" : ww_arena_strdup(p->plan->arena, size);
        run->machine = machine;
        run->region = region;
        run->seed = what.seed;
        make_words(run, shared->config, shared->layer);
        point->run = keep_run(p->plan, run);
    }
}

/* ---- the whole ---- */

static void plan_points(planner *p)
{
    ww_plan *plan = p->plan;
    size_t number = 0;
    for (size_t s = 0; s < p->study->sweep_count; s++) {
        const ww_sweep *sweep = &p->study->sweeps[s];
        for (size_t i = 0; i < sweep->count && !ww_errors_full(p->errors); i++) {
            ww_point *point = &plan->points[number++];
            *point = (ww_point){.sweep = sweep, .place = ww_sweep_place(sweep, i)};
            plan_point(p, point);
        }
        forget_configured(p);
    }
}

static void clear_planner(planner *p)
{
    for (size_t i = 0; i < p->study->workload_count; i++)
        ww_launch_file_destroy(p->files[i]);
    ww_compiler_destroy(p->compiler);
    ww_map_destroy(p->reported);
    free(p->configured);
}

ww_plan *ww_plan_create(const ww_study *study, const char *size, ww_errors *errors)
{
    ww_plan *plan = ww_calloc(1, sizeof(*plan));
    plan->study = study;
    plan->arena = ww_arena_create();
    plan->by_identity = ww_map_create();
    plan->point_count = study->point_count;
    plan->points = ww_arena_alloc(plan->arena, study->point_count, sizeof(*plan->points));
    ww_build_text(plan->build);
    planner p = {.plan = plan,
                 .study = study,
                 .size = size,
                 .files = ww_arena_alloc(plan->arena, study->workload_count, sizeof(*p.files)),
                 .refused = ww_arena_alloc(plan->arena, study->workload_count, sizeof(*p.refused)),
                 .reported = ww_map_create(),
                 .configured = ww_calloc(MOST_CONFIGURED, sizeof(*p.configured)),
                 .errors = errors};
    load_workloads(&p);
    ww_check_metrics(study, errors);
    plan_points(&p);
    clear_planner(&p);
    if (!ww_errors_status(errors))
        return plan;
    ww_plan_destroy(plan);
    return NULL;
}

bool ww_runs_alike(const ww_planned_run *a, const ww_planned_run *b)
{
    return strcmp(a->workload, b->workload) == 0 && strcmp(a->size, b->size) == 0 &&
           strcmp(a->region, b->region) == 0;
}

void ww_plan_destroy(ww_plan *plan)
{
    if (!plan)
        return;
    for (size_t i = 0; i < plan->runs.count; i++)
        free_run(plan->runs.items[i]);
    ww_vec_free(&plan->runs);
    ww_map_destroy(plan->by_identity);
    ww_arena_destroy(plan->arena);
    free(plan);
}
