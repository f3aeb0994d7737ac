/* The file of a timeline: JSON in the Trace Event Format, balanced, bounded, and whole after an
 * interrupt. */
#include "config/machine.h"
#include "sim/components.h"
#include "sim/execution.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define MOST_EVENTS 200000
#define TRACKS 10000

static const char *text_of(const json_t *event, const char *name)
{
    const char *text = json_string_value(json_object_get(event, name));
    return text ? text : "";
}

static size_t count(const json_t *events, const char *phase)
{
    size_t found = 0, i;
    json_t *event;
    json_array_foreach(events, i, event) found += strcmp(text_of(event, "ph"), phase) == 0;
    return found;
}

static double last_time(const json_t *events, const char *phase)
{
    double last = 0;
    size_t i;
    json_t *event;
    json_array_foreach(events, i, event) if (strcmp(text_of(event, "ph"), phase) == 0) last =
        json_number_value(json_object_get(event, "ts"));
    return last;
}

/* What the format requires of every event. */
static void check_members(const json_t *event)
{
    const char *phase = text_of(event, "ph");
    assert_true(strlen(phase) == 1 && strchr("MBEbeC", phase[0]));
    assert_true(json_is_integer(json_object_get(event, "pid")));
    if (phase[0] != 'E')
        assert_true(strlen(text_of(event, "name")) > 0);
    if (phase[0] != 'M')
        assert_true(json_is_number(json_object_get(event, "ts")));
    if (strchr("be", phase[0])) {
        assert_true(json_is_integer(json_object_get(event, "id")));
        assert_string_equal(text_of(event, "cat"), "memory");
    }
    if (strchr("MC", phase[0]))
        assert_true(json_object_size(json_object_get(event, "args")) > 0);
}

/* Slices of a thread begin and end alternately; what is asynchronous ends right after its beginning
 * in the file. */
static void check_slices(const json_t *events)
{
    static double since[TRACKS];
    static bool open[TRACKS];
    size_t i;
    json_t *event;
    memset(since, 0, sizeof(since));
    memset(open, 0, sizeof(open));
    json_array_foreach(events, i, event)
    {
        char phase = text_of(event, "ph")[0];
        json_int_t thread = json_integer_value(json_object_get(event, "tid"));
        double time = json_number_value(json_object_get(event, "ts"));
        check_members(event);
        if (phase == 'b') {
            const json_t *end = json_array_get(events, i + 1);
            assert_string_equal(text_of(end, "ph"), "e");
            assert_true(json_equal(json_object_get(event, "id"), json_object_get(end, "id")));
            assert_true(json_number_value(json_object_get(end, "ts")) > time);
        }
        if (phase != 'B' && phase != 'E')
            continue;
        assert_in_range(thread, 0, TRACKS - 1);
        assert_int_equal(open[thread], phase == 'E');
        assert_true(time >= since[thread]);
        since[thread] = time;
        open[thread] = phase == 'B';
    }
    for (i = 0; i < TRACKS; i++)
        assert_false(open[i]);
}

static json_t *read_timeline(const char *path)
{
    json_error_t error;
    json_t *events = json_load_file(path, JSON_REJECT_DUPLICATES, &error);
    if (!events)
        fail_msg("line %d: %s", error.line, error.text);
    remove(path);
    check_slices(events);
    return events;
}

static ww_config *make_config(ww_machine_file *machine)
{
    ww_errors *errors = ww_errors_create();
    ww_config *config = ww_config_create(&ww_all_schemas);
    assert_int_equal(ww_machine_load(config, "apu-isca18", WW_NOWHERE, machine, errors), WW_OK);
    assert_int_equal(ww_config_check(config, errors), WW_OK);
    ww_errors_destroy(errors);
    return config;
}

static int stop_on_the_way(void *context, const ww_exec_counters *counters, uint64_t done,
                           uint64_t all)
{
    (void)context, (void)done, (void)all;
    return counters->warp_instructions > 1000;
}

static void an_interrupted_run_leaves_a_whole_file(void **state)
{
    (void)state;
    ww_machine_file machine;
    ww_config *config = make_config(&machine);
    ww_errors *errors = ww_errors_create();
    ww_result result;
    ww_execution what = {.config = config,
                         .machine = machine.name,
                         .workload = "atax",
                         .size = "tiny",
                         .seed = 1,
                         .timed = true,
                         .watch = {.timeline = "stopped.json"},
                         .progress = stop_on_the_way};
    assert_int_equal(ww_execute(&what, &result, errors), WW_FAILED);
    assert_true(result.interrupted);
    json_t *events = read_timeline("stopped.json");
    assert_true(count(events, "B") > 1);
    assert_true(count(events, "b") > 0);
    assert_true(count(events, "C") > 0);
    json_decref(events);
    ww_result_clear(&result);
    ww_errors_destroy(errors);
    ww_machine_clear(&machine);
    ww_config_destroy(config);
}

/* A long run, without a machine: `warps` warps one after the other, with a memory instruction in
 * each. */
static void pretend(ww_timeline *timeline, uint64_t warps)
{
    const ww_cu_observer *observer = ww_timeline_observer(timeline);
    const ww_instruction load = {.text = "ld.global.u32 %r1, [\"quoted\\\"]"};
    const ww_instruction *instructions[] = {&load};
    ww_kernel kernel = {.instructions = instructions};
    ww_executor *executor = calloc(1, sizeof(*executor) + 64);
    ww_launch what = {.entry = "kernel"};
    executor->kernel = &kernel;
    ww_cu_launch launch = {.executor = executor, .launch = &what};
    ww_group group = {0};
    ww_warp warp = {.group = &group};
    uint64_t next = 0;
    ww_timeline_launched(timeline, 1, 0, &launch);
    for (uint64_t i = 0; i < warps; i++) {
        uint64_t cycle = 1 + 100 * i;
        ww_observed o = {.launch = &launch, .warp = &warp, .compute_unit = i % 2, .cycle = cycle};
        ww_observed_access a = {
            .launch = &launch, .compute_unit = i % 2, .issued = cycle + 1, .done = cycle + 50};
        group.number = i;
        observer->started(observer->context, &o);
        observer->accessed(observer->context, &a);
        o.cycle = cycle + 99;
        observer->ended(observer->context, &o);
        if (cycle >= next)
            next = cycle + ww_timeline_sample(timeline, &(ww_gpu_sample){.cycle = cycle});
    }
    free(executor);
}

static void a_long_run_makes_no_long_file(void **state)
{
    (void)state;
    ww_machine_file machine;
    ww_config *config = make_config(&machine);
    size_t before = 0;
    for (uint64_t warps = 1000; warps <= 1000000; warps *= 1000) {
        FILE *out = fopen("long.json", "w");
        ww_timeline *timeline = ww_timeline_create(config, out);
        pretend(timeline, warps);
        ww_timeline_finish(timeline);
        ww_timeline_destroy(timeline);
        fclose(out);
        json_t *events = read_timeline("long.json");
        size_t names = count(events, "M");
        if (warps == 1000)
            assert_int_equal(count(events, "b"), 1000);
        assert_true(json_array_size(events) - names <= MOST_EVENTS);
        assert_true(json_array_size(events) > before);
        assert_true(names < 20);
        assert_true(count(events, "b") > before / 5);
        /* What is sampled is there up to the end. */
        assert_true(last_time(events, "b") > 0.9 * last_time(events, "E"));
        assert_true(last_time(events, "C") > 0.9 * last_time(events, "E"));
        before = json_array_size(events);
        json_decref(events);
    }
    ww_machine_clear(&machine);
    ww_config_destroy(config);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_interrupted_run_leaves_a_whole_file),
        cmocka_unit_test(a_long_run_makes_no_long_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
