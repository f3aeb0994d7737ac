#include "study/plan_internal.h"

#include "base/build_id.h"
#include "base/text.h"
#include "study/job.h"

#include <inttypes.h>
#include <string.h>

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

/* ---- runs ---- */

static void add_pair(ww_words *words, const char *option, const char *value)
{
    ww_words_add(words, option);
    ww_words_add(words, value);
}

/* Only settings that change something: warpwalk refuses others. */
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

/* `warpwalk app`: what follows -- is the program's own. */
static void add_app(ww_planned_run *run)
{
    ww_words_add(&run->words, "--no-summary");
    ww_words_add(&run->words, "--");
    ww_words_add(&run->words, run->app->program);
    for (size_t i = 0; i < run->app->arg_count; i++)
        ww_words_add(&run->words, run->app->args[i]);
}

static void make_words(ww_planned_run *run, const ww_config *config, unsigned layer)
{
    char seed[24];
    snprintf(seed, sizeof(seed), "%" PRIu64, run->seed);
    ww_words_add(&run->words, run->app ? "app" : "run");
    if (!run->app)
        ww_words_add(&run->words, run->workload);
    add_pair(&run->words, "-m", run->machine);
    add_settings(&run->words, config, layer);
    if (run->size[0])
        add_pair(&run->words, "--size", run->size);
    if (run->region[0])
        add_pair(&run->words, "--region", run->region);
    if (run->hints[0])
        add_pair(&run->words, "--hint", run->hints);
    add_pair(&run->words, "--seed", seed);
    if (run->no_dump)
        ww_words_add(&run->words, "--no-dump");
    if (run->app)
        add_app(run);
    run->command = shell_text(&run->words);
}

static void free_run(ww_planned_run *run)
{
    ww_words_free(&run->words);
    free(run->command);
    free(run);
}

/* The index of the run in the list; points with the same identity share it. */
static size_t keep_run(ww_plan *plan, ww_planned_run *run)
{
    size_t *index = ww_map_find(plan->by_identity, run->identity);
    if (index) {
        free_run(run);
        return *index;
    }
    index = ww_arena_alloc(plan->arena, 1, sizeof(*index));
    *index = plan->runs.count;
    ww_map_add(plan->by_identity, run->identity, strlen(run->identity), index);
    ww_vec_push(&plan->runs, run);
    return *index;
}

static const char *hints_text(ww_arena *arena, const ww_hint_list *hints)
{
    char *text = ww_hint_list_text(hints);
    const char *kept = ww_arena_strdup(arena, text);
    free(text);
    return kept;
}

/* `hints`: an empty list for those of the point. */
static void plan_point_with(ww_planner *p, ww_point *point, ww_hint_list *hints)
{
    size_t index = point->sweep->workloads.items[point->coordinates.workload];
    const char *size, *region;
    ww_where at, machine_at;
    ww_execution what = {
        .timed = true, .seed = point->sweep->seeds.items[point->coordinates.seed], .hints = hints};
    ww_hash128 identity = {{0}};
    if (p->refused[index])
        return;
    int status = ww_point_work(p, point, &size, &region, &at);
    const char *machine = ww_point_machine(p, point, &machine_at);
    const ww_configured *shared = ww_point_configure(p, point, machine, machine_at);
    const ww_config *config = shared ? shared->config : NULL;
    status |= ww_point_hints(p, point, hints);
    status |= ww_point_region(p, region, ww_point_workload(p->study, point)->at, &what.region);
    status |= ww_planner_check_app(p, index, size, region, hints_text(p->plan->arena, hints));
    if (!status && (config || !p->is_file[index]))
        status |= ww_planner_identify(p, point, size, config, at, &identity);
    if (!status && config) {
        ww_planned_run *run = ww_calloc(1, sizeof(*run));
        what.config = config;
        ww_execution_identify(&what, &identity);
        identity_text(identity, run->identity);
        run->workload = p->study->workloads[index].name;
        run->app = p->study->workloads[index].app ? &p->study->workloads[index] : NULL;
        run->size = ww_arena_strdup(p->plan->arena, size);
        run->machine = machine;
        run->region = region;
        run->hints = hints_text(p->plan->arena, hints);
        run->seed = what.seed;
        run->no_dump = p->files[index] && ww_launch_file_has_dumps(p->files[index]);
        make_words(run, config, shared->layer);
        point->run = keep_run(p->plan, run);
    }
}

static void plan_point(ww_planner *p, ww_point *point)
{
    ww_hint_list *hints = ww_hint_list_create();
    plan_point_with(p, point, hints);
    ww_hint_list_destroy(hints);
}

/* ---- choosing sweeps ---- */

static const ww_sweep *find_sweep(const ww_study *study, const char *name)
{
    for (size_t i = 0; i < study->sweep_count; i++)
        if (strcmp(study->sweeps[i].name, name) == 0)
            return &study->sweeps[i];
    return NULL;
}

/* The caller frees it. */
static char *sweep_names(const ww_study *study)
{
    char *all = ww_strdup(study->sweeps[0].name);
    for (size_t i = 1; i < study->sweep_count; i++) {
        char *longer = ww_format("%s, %s", all, study->sweeps[i].name);
        free(all);
        all = longer;
    }
    return all;
}

/* NULL: of all sweeps. */
static void choose_points(ww_plan *plan, const ww_sweep *sweep)
{
    for (size_t i = 0; i < plan->point_count; i++) {
        ww_planned_run *run = plan->runs.items[plan->points[i].run];
        if (sweep && plan->points[i].sweep != sweep)
            continue;
        plan->chosen_points++;
        plan->chosen_runs += !run->chosen;
        run->chosen = true;
    }
}

static void forget_choice(ww_plan *plan)
{
    for (size_t i = 0; i < plan->runs.count; i++)
        plan->runs.items[i]->chosen = false;
    plan->chosen_points = plan->chosen_runs = 0;
}

int ww_plan_choose(ww_plan *plan, const ww_words *sweeps, ww_errors *errors)
{
    if (!sweeps->count)
        return WW_OK;
    forget_choice(plan);
    for (size_t i = 0; i < sweeps->count; i++) {
        const ww_sweep *sweep = find_sweep(plan->study, sweeps->items[i]);
        if (sweep) {
            choose_points(plan, sweep);
            continue;
        }
        char *names = sweep_names(plan->study);
        ww_fail(errors, WW_BAD_INPUT, WW_NOWHERE, "--sweep '%.60s': %s has no such sweep (%s)",
                sweeps->items[i], plan->study->name, names);
        free(names);
    }
    return ww_errors_status(errors);
}

/* ---- the whole ---- */

#define POINTS_BETWEEN_LOOKS 256
#define SECONDS_BETWEEN_LINES 5

/* Reports progress when planning takes seconds. */
static void show_progress(ww_planner *p, size_t number)
{
    if (!p->log || number % POINTS_BETWEEN_LOOKS != 0)
        return;
    double now = ww_seconds_now();
    if (now - p->shown < SECONDS_BETWEEN_LINES)
        return;
    p->shown = now;
    fprintf(p->log, "planning: %zu of %zu points\n", number, p->plan->point_count);
    fflush(p->log);
}

static void plan_points(ww_planner *p)
{
    ww_plan *plan = p->plan;
    size_t number = 0;
    for (size_t s = 0; s < p->study->sweep_count; s++) {
        const ww_sweep *sweep = &p->study->sweeps[s];
        for (size_t i = 0; i < sweep->count && !ww_errors_full(p->errors); i++) {
            ww_point *point = &plan->points[number++];
            *point = (ww_point){.sweep = sweep, .coordinates = ww_sweep_point(sweep, i)};
            plan_point(p, point);
            show_progress(p, number);
        }
        ww_planner_forget(p);
    }
}

static void clear_planner(ww_planner *p)
{
    for (size_t i = 0; i < p->study->workload_count; i++)
        ww_launch_file_destroy(p->files[i]);
    ww_compiler_destroy(p->compiler);
    ww_vec_free(&p->parameters);
    ww_map_destroy(p->reported);
    free(p->configured);
    for (size_t i = 0; i < p->machines.count; i++)
        ww_config_destroy(p->machines.items[i]);
    ww_vec_free(&p->machines);
    ww_map_destroy(p->machine_by_name);
}

ww_plan *ww_plan_create(const ww_study *study, const char *size, FILE *log, ww_errors *errors)
{
    ww_plan *plan = ww_calloc(1, sizeof(*plan));
    plan->study = study;
    plan->arena = ww_arena_create();
    plan->by_identity = ww_map_create();
    plan->point_count = study->point_count;
    plan->points = ww_arena_alloc(plan->arena, study->point_count, sizeof(*plan->points));
    ww_build_text(plan->build);
    ww_planner p = {
        .plan = plan,
        .study = study,
        .size = size,
        .files = ww_arena_alloc(plan->arena, study->workload_count, sizeof(*p.files)),
        .is_file = ww_arena_alloc(plan->arena, study->workload_count, sizeof(*p.is_file)),
        .programs = ww_arena_alloc(plan->arena, study->workload_count, sizeof(*p.programs)),
        .refused = ww_arena_alloc(plan->arena, study->workload_count, sizeof(*p.refused)),
        .reported = ww_map_create(),
        .machine_by_name = ww_map_create(),
        .shown = ww_seconds_now(),
        .log = log,
        .configured = ww_calloc(WW_MOST_CONFIGURED, sizeof(*p.configured)),
        .errors = errors};
    ww_planner_load(&p);
    plan_points(&p);
    ww_planner_add_parameters(&p);
    ww_check_metrics(study, &p.parameters, errors);
    clear_planner(&p);
    if (!ww_errors_status(errors)) {
        choose_points(plan, NULL);
        return plan;
    }
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
