/* First passes: what is recorded, when one is made, what it leaves behind, and that a cached one
 * gives the same result. */
#include "base/memory.h"
#include "base/text.h"
#include "config/machine.h"
#include "exec/exec_config.h"
#include "host/placement.h"
#include "sim/components.h"
#include "sim/execution.h"
#include "sim/timed_device.h"
#include "workload/catalogue.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

typedef struct fixture {
    char folder[64]; /* of the cache */
    ww_errors *errors;
    ww_config *config;
    ww_machine_file machine;
    ww_execution what;
    unsigned first_passes, passes;
    bool stop_first;
    bool in_first;
} fixture;

static void count_pass(void *context, bool first)
{
    fixture *f = context;
    f->first_passes += first;
    f->passes += !first;
    f->in_first = first;
}

static int progress(void *context, const ww_exec_counters *counters, uint64_t done, uint64_t all)
{
    const fixture *f = context;
    (void)counters, (void)done, (void)all;
    return f->stop_first && f->in_first;
}

static void set(fixture *f, const char *assignment)
{
    assert_int_equal(ww_config_set(f->config, assignment, f->errors), WW_OK);
}

static int set_up(void **state)
{
    fixture *f = ww_calloc(1, sizeof(*f));
    strcpy(f->folder, "/tmp/ww-test-first-XXXXXX");
    assert_non_null(mkdtemp(f->folder));
    f->errors = ww_errors_create();
    f->config = ww_config_create(&ww_all_schemas);
    assert_int_equal(ww_machine_load(f->config, "gtx480-cawa", WW_NOWHERE, &f->machine, f->errors),
                     WW_OK);
    char *cache = ww_format("host.first_pass_cache=%s", f->folder);
    set(f, cache);
    set(f, "core.scheduler=caws_sm");
    free(cache);
    f->what = (ww_execution){.config = f->config,
                             .machine = f->machine.name,
                             .workload = "bfs",
                             .size = "tiny",
                             .seed = 1,
                             .verify = true,
                             .timed = true,
                             .progress = progress,
                             .pass = count_pass,
                             .context = f};
    *state = f;
    return 0;
}

/* Calls `each` with the path of every entry; how many there are. */
static unsigned visit_cache(const fixture *f, void (*each)(const char *path))
{
    unsigned count = 0;
    DIR *folder = opendir(f->folder);
    for (const struct dirent *entry; folder && (entry = readdir(folder)) != NULL;) {
        if (entry->d_name[0] == '.')
            continue;
        char *path = ww_format("%s/%s", f->folder, entry->d_name);
        count++;
        if (each)
            each(path);
        free(path);
    }
    closedir(folder);
    return count;
}

static void remove_file(const char *path)
{
    unlink(path);
}

static void damage(const char *path)
{
    assert_int_equal(truncate(path, 50), 0);
}

static int tear_down(void **state)
{
    fixture *f = *state;
    visit_cache(f, remove_file);
    rmdir(f->folder);
    ww_machine_clear(&f->machine);
    ww_config_destroy(f->config);
    ww_errors_destroy(f->errors);
    free(f);
    return 0;
}

/* The JSON of a run, without what depends on the host and where the cache is; to be freed. */
static char *run(fixture *f, int wanted)
{
    ww_result result;
    f->first_passes = f->passes = 0;
    int status = ww_execute(&f->what, &result, f->errors);
    if (status != wanted)
        ww_errors_print(f->errors, stderr);
    assert_int_equal(status, wanted);
    result.host_seconds = 0;
    result.host_peak_bytes = 0;
    char *json = ww_result_json(&result);
    char *key = strstr(json, "\"host.first_pass_cache\"");
    size_t line = strcspn(key, "\n");
    memmove(key, key + line, strlen(key + line) + 1);
    ww_result_clear(&result);
    return json;
}

static uint64_t number(const char *json, const char *key)
{
    char *quoted = ww_format("\"%s\": ", key);
    const char *at = strstr(json, quoted);
    assert_non_null(at);
    uint64_t value = strtoull(at + strlen(quoted), NULL, 10);
    free(quoted);
    return value;
}

static void expect_passes(fixture *f, unsigned first, unsigned entries)
{
    assert_int_equal(f->first_passes, first);
    assert_int_equal(f->passes, 1);
    assert_int_equal(visit_cache(f, NULL), entries);
}

static uint64_t sum_of(const ww_warp_times *times)
{
    uint64_t sum = 0;
    for (uint64_t launch = 1; launch <= ww_warp_times_launches(times); launch++)
        for (uint64_t group = 0; group < 64; group++)
            for (uint32_t warp = 0; warp < 32; warp++)
                sum += ww_warp_times_get(times, launch, group, warp);
    return sum;
}

/* Runs atax under round robin with a recorder; its warps' cycles as recorded and as counted. */
static void record(fixture *f, ww_region region, uint64_t *recorded, uint64_t *counted)
{
    ww_recorder *recorder = ww_recorder_create(WW_RECORD_WARP_TIMES);
    ww_exec_options options = {0};
    ww_choice choice;
    ww_verdict verdict;
    set(f, "core.scheduler=rr");
    assert_int_equal(ww_exec_configure(f->config, 1, &options, f->errors), WW_OK);
    assert_int_equal(ww_choice_read(ww_catalogue_find("atax"), "tiny", &choice, f->errors), WW_OK);
    ww_module *module = ww_workload_module(choice.workload, f->errors);
    const ww_placement *placement =
        (const ww_placement *)(const void *)ww_config_policy(f->config, "memory.placement");
    ww_placer placer = {placement->place, NULL};
    ww_device *device = ww_timed_device_create(f->config, &options, &region, &placer,
                                               ww_recorder_observer(recorder), NULL);
    ww_workload_options how = {.seed = 1};
    ww_workload_run(&choice, module, device, &how, &verdict, f->errors);
    ww_stats *stats = ww_timed_device_take_stats(device);
    ww_stats_read(stats);
    *counted = ww_stats_find(stats, "core.warp_lifetime")->count;
    ww_first_pass *pass = ww_recorder_take(recorder, 1);
    *recorded = sum_of(pass->warps);
    ww_first_pass_destroy(pass);
    ww_stats_destroy(stats);
    ww_device_destroy(device);
    ww_module_destroy(module);
    ww_choice_clear(&choice);
    ww_recorder_destroy(recorder);
}

static void what_is_recorded_is_the_life_of_every_warp(void **state)
{
    uint64_t recorded, counted, part, counted_part;
    record(*state, (ww_region){0}, &recorded, &counted);
    assert_true(recorded > 0);
    assert_int_equal(recorded, counted);
    record(*state, (ww_region){.measure = 2000}, &part, &counted_part);
    assert_true(part > 0 && part < recorded);
    assert_int_equal(part, counted_part); /* those that still ran have their time so far */
}

static void only_oracles_have_one(void **state)
{
    fixture *f = *state;
    set(f, "core.scheduler=gto");
    assert_int_equal(ww_first_pass_records(f->config), 0);
    char *json = run(f, WW_OK);
    expect_passes(f, 0, 0);
    assert_non_null(strstr(json, "\"first_pass\": null"));
    free(json);
    set(f, "core.scheduler=caws_blk");
    assert_int_equal(ww_first_pass_records(f->config), WW_RECORD_WARP_TIMES);
    f->what.timed = false;
    json = run(f, WW_OK);
    expect_passes(f, 0, 0);
    free(json);
}

static void the_stand_in_is_all_that_differs(void **state)
{
    fixture *f = *state;
    ww_config *first = ww_first_pass_config(f->config);
    assert_string_equal(ww_config_policy(first, "core.scheduler")->name, "rr");
    assert_string_equal(ww_config_policy(f->config, "core.scheduler")->name, "caws_sm");
    assert_int_equal(ww_first_pass_records(first), 0);
    set(f, "core.scheduler=rr");
    assert_true(ww_config_hash(f->config) == ww_config_hash(first));
    ww_config_destroy(first);
}

static void it_takes_as_long_as_a_run_with_the_stand_in(void **state)
{
    fixture *f = *state;
    char *json = run(f, WW_OK);
    const char *first = strstr(json, "\"first_pass\": {");
    assert_non_null(first);
    uint64_t cycles = number(first, "cycles");
    free(json);
    set(f, "core.scheduler=rr");
    json = run(f, WW_OK);
    assert_int_equal(number(json, "cycles"), cycles);
    free(json);
}

static void a_cached_pass_gives_the_same_result(void **state)
{
    fixture *f = *state;
    char *made = run(f, WW_OK);
    expect_passes(f, 1, 1);
    char *cached = run(f, WW_OK);
    expect_passes(f, 0, 1);
    assert_string_equal(made, cached);
    free(cached);
    visit_cache(f, damage);
    char *again = run(f, WW_OK);
    expect_passes(f, 1, 1);
    assert_string_equal(made, again);
    free(again);
    again = run(f, WW_OK);
    expect_passes(f, 0, 1); /* it was mended */
    free(again);
    visit_cache(f, remove_file);
    set(f, "host.first_pass_cache=none");
    again = run(f, WW_OK);
    expect_passes(f, 1, 0);
    assert_string_equal(made, again);
    free(again);
    free(made);
}

/* Of what only the oracle's own keys change there is one entry. */
static void one_serves_all_oracles_of_a_family(void **state)
{
    fixture *f = *state;
    free(run(f, WW_OK));
    expect_passes(f, 1, 1);
    set(f, "core.scheduler=caws_avg");
    free(run(f, WW_OK));
    expect_passes(f, 0, 1);
    set(f, "core.caws_threshold=0.3");
    set(f, "core.caws_share=0.1");
    free(run(f, WW_OK));
    expect_passes(f, 0, 1);
    set(f, "core.two_level_active=3"); /* of a policy that is not selected */
    free(run(f, WW_OK));
    expect_passes(f, 0, 1);
}

static void what_changes_a_run_needs_another_one(void **state)
{
    fixture *f = *state;
    unsigned entries = 1;
    free(run(f, WW_OK));
    set(f, "l1d.latency=21");
    free(run(f, WW_OK));
    expect_passes(f, 1, ++entries);
    f->what.seed = 2;
    free(run(f, WW_OK));
    expect_passes(f, 1, ++entries);
    f->what.size = "tiny,group=32";
    free(run(f, WW_OK));
    expect_passes(f, 1, ++entries);
    f->what.workload = "atax";
    f->what.size = "tiny";
    free(run(f, WW_OK));
    expect_passes(f, 1, ++entries);
    f->what.region = (ww_region){.skip = 10, .warm = 100, .measure = 1000};
    free(run(f, WW_OK));
    expect_passes(f, 1, ++entries);
    f->what.region.measure = 1001;
    free(run(f, WW_OK));
    expect_passes(f, 1, ++entries);
    f->what.region = (ww_region){0};
    f->what.max_instructions = 1000;
    free(run(f, WW_FAILED));
    expect_passes(f, 1, ++entries);
}

/* The limit ends the first pass as a region would; the run that counts is the one that fails. */
static void a_limit_stops_the_run_that_counts(void **state)
{
    fixture *f = *state;
    f->what.max_instructions = 3000;
    char *json = run(f, WW_FAILED);
    expect_passes(f, 1, 1);
    assert_int_equal(ww_errors_count(f->errors), 1);
    assert_non_null(strstr(ww_errors_line(f->errors, 0), "(--max-instructions)"));
    assert_true(number(json, "warp_instructions") >= 3000);
    assert_non_null(strstr(json, "\"complete\": false"));
    free(json);
}

static void a_first_pass_that_is_interrupted_leaves_nothing(void **state)
{
    fixture *f = *state;
    ww_result result;
    f->stop_first = true;
    assert_int_equal(ww_execute(&f->what, &result, f->errors), WW_FAILED);
    assert_true(result.interrupted && !result.complete && !result.had_first_pass);
    assert_int_equal(result.cycles, 0);
    assert_int_equal(result.warp_instructions, 0);
    assert_int_equal(json_array_size(result.kernels), 0);
    assert_int_equal(ww_errors_count(f->errors), 1);
    assert_string_equal(ww_errors_line(f->errors, 0), "interrupted");
    assert_int_equal(visit_cache(f, NULL), 0);
    ww_result_clear(&result);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(what_is_recorded_is_the_life_of_every_warp),
        TEST(only_oracles_have_one),
        TEST(the_stand_in_is_all_that_differs),
        TEST(it_takes_as_long_as_a_run_with_the_stand_in),
        TEST(a_cached_pass_gives_the_same_result),
        TEST(one_serves_all_oracles_of_a_family),
        TEST(what_changes_a_run_needs_another_one),
        TEST(a_limit_stops_the_run_that_counts),
        TEST(a_first_pass_that_is_interrupted_leaves_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
