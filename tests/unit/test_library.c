/* The public header alone: what a C program that uses the library sees. */
#include "warpwalk.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static const char kernel[] = ".version 7.0\n.target sm_70\n.address_size 64\n"
                             ".visible .entry fill(.param .u64 out)\n{\n"
                             "    .reg .b32 %r<3>;\n    .reg .b64 %rd<4>;\n"
                             "    ld.param.u64 %rd1, [out];\n    mov.u32 %r1, %tid.x;\n"
                             "    mul.wide.u32 %rd2, %r1, 4;\n    add.s64 %rd3, %rd1, %rd2;\n"
                             "    st.global.u32 [%rd3], %r1;\n    ret;\n}\n";

static const char launch_file[] =
    "kernel: fill.ptx\n"
    "buffers:\n  out: {type: u32, count: 96}\n  want: {type: u32, count: 96, fill: iota}\n"
    "launches:\n  - {entry: fill, global: [96], local: [96], args: [out]}\n"
    "dump: {out: out.bin}\n";

static void write_text(const char *name, const char *text)
{
    FILE *out = fopen(name, "w");
    assert_non_null(out);
    fputs(text, out);
    fclose(out);
}

static int enter_folder(void **state)
{
    static char folder[] = "/tmp/warpwalk-library-XXXXXX";
    *state = mkdtemp(folder);
    if (!*state || chdir(folder) != 0)
        return -1;
    write_text("fill.ptx", kernel);
    write_text("fill.yaml", launch_file);
    return 0;
}

static int leave_folder(void **state)
{
    unlink("fill.ptx");
    unlink("fill.yaml");
    unlink("out.bin");
    return rmdir(*state);
}

static void runs_a_launch_file(void **state)
{
    (void)state;
    ww_simulation *s = ww_simulation_create();
    assert_null(ww_simulation_result(s));
    assert_int_equal(ww_simulation_set(s, "core.warp_width=64"), 0);
    assert_int_equal(ww_simulation_exec(s, "fill.yaml", NULL), 0);
    assert_string_equal(ww_simulation_errors(s), "");
    const char *result = ww_simulation_result(s);
    assert_non_null(strstr(result, "\"core.warp_width\": 64"));
    assert_non_null(strstr(result, "\"warp_instructions\": 12")); /* 6 in each of two warps */
    uint32_t values[96];
    FILE *in = fopen("out.bin", "rb");
    assert_non_null(in);
    assert_int_equal(fread(values, sizeof(values), 1, in), 1);
    fclose(in);
    for (uint32_t i = 0; i < 96; i++)
        assert_int_equal(values[i], i);
    ww_simulation_destroy(s);
}

static void two_simulations_do_not_meet(void **state)
{
    (void)state;
    ww_simulation *a = ww_simulation_create(), *b = ww_simulation_create();
    assert_int_equal(ww_simulation_set(a, "core.warp_width=8"), 0);
    assert_int_equal(ww_simulation_exec(b, "fill.yaml", NULL), 0);
    assert_int_equal(ww_simulation_exec(a, "fill.yaml", NULL), 0);
    assert_non_null(strstr(ww_simulation_result(a), "\"warp_instructions\": 72"));
    assert_non_null(strstr(ww_simulation_result(b), "\"warp_instructions\": 18"));
    ww_simulation_destroy(a);
    ww_simulation_destroy(b);
}

static void says_what_is_wrong(void **state)
{
    (void)state;
    ww_simulation *s = ww_simulation_create();
    assert_int_equal(ww_simulation_set(s, "core.warp_widht=64"), 2);
    assert_non_null(strstr(ww_simulation_errors(s), "core.warp_width"));
    assert_int_equal(ww_simulation_machine(s, "nosuch"), 2);
    assert_int_equal(ww_simulation_machine(s, "simt64"), 0);
    assert_int_equal(ww_simulation_exec(s, "missing.yaml", NULL), 2);
    assert_non_null(strstr(ww_simulation_errors(s), "missing.yaml"));
    ww_simulation_limit(s, 5);
    assert_int_equal(ww_simulation_exec(s, "fill.yaml", NULL), 1);
    assert_non_null(strstr(ww_simulation_errors(s), "stopped after 5 warp instructions"));
    assert_non_null(strstr(ww_simulation_result(s), "\"complete\": false"));
    ww_simulation_destroy(s);
}

static void null_is_an_error(void **state)
{
    (void)state;
    ww_simulation *s = ww_simulation_create();
    assert_int_equal(ww_simulation_machine(NULL, "simt32"), 2);
    assert_int_equal(ww_simulation_set(NULL, "core.warp_width=64"), 2);
    assert_int_equal(ww_simulation_exec(NULL, "fill.yaml", NULL), 2);
    ww_simulation_seed(NULL, 1);
    ww_simulation_limit(NULL, 1);
    ww_simulation_verify(NULL, 1);
    ww_simulation_on_progress(NULL, NULL, NULL);
    ww_simulation_on_launch(NULL, NULL, NULL);
    ww_simulation_on_output(NULL, NULL, NULL);
    assert_int_equal(ww_simulation_run(NULL, "atax", "tiny"), 2);
    assert_int_equal(ww_simulation_region(NULL, "measure=1"), 2);
    assert_int_equal(ww_simulation_timeline(NULL, "x"), 2);
    assert_int_equal(ww_simulation_trace(NULL, "warp=0.0", "x"), 2);
    assert_int_equal(ww_simulation_dump_dir(NULL, "x"), 2);
    ww_simulation_destroy(NULL);
    assert_null(ww_simulation_result(NULL));
    assert_string_equal(ww_simulation_errors(NULL), "there is no simulation (NULL)\n");
    assert_int_equal(ww_simulation_machine(s, NULL), 2);
    assert_string_equal(ww_simulation_errors(s),
                        "the machine is NULL (a preset's name or a file is needed)\n");
    assert_int_equal(ww_simulation_set(s, NULL), 2);
    assert_string_equal(ww_simulation_errors(s), "the assignment is NULL (KEY=VALUE is needed)\n");
    assert_int_equal(ww_simulation_exec(s, NULL, NULL), 2);
    assert_string_equal(ww_simulation_errors(s),
                        "the workload is NULL (a name or a launch file is needed)\n");
    ww_simulation_seed(s, UINT64_MAX);
    assert_int_equal(ww_simulation_exec(s, "fill.yaml", NULL), 2);
    ww_simulation_seed(s, 1);
    assert_int_equal(ww_simulation_exec(s, "fill.yaml", NULL), 0);
    ww_simulation_destroy(s);
}

static int count_calls(void *context, const ww_run_progress *progress)
{
    (void)progress;
    ++*(unsigned *)context;
    return 0;
}

static int cancel(void *context, const ww_run_progress *progress)
{
    *(ww_run_progress *)context = *progress;
    return 1;
}

/* The text between `"name": ` and the end of the line. */
static void read_field(const char *result, const char *name, char *value, size_t size)
{
    char field[64];
    snprintf(field, sizeof(field), "\"%s\": ", name);
    const char *at = strstr(result, field);
    assert_non_null(at);
    at += strlen(field);
    snprintf(value, size, "%.*s", (int)strcspn(at, ",\n"), at);
}

static void runs_with_time(void **state)
{
    (void)state;
    char whole[32], again[32], part[32];
    unsigned calls = 0;
    ww_simulation *s = ww_simulation_create();
    assert_int_equal(ww_simulation_run(s, "fill.yaml", NULL), 2);
    assert_non_null(strstr(ww_simulation_errors(s), "needs a machine"));
    assert_int_equal(ww_simulation_machine(s, "v100"), 0);
    ww_simulation_on_progress(s, count_calls, &calls);
    assert_int_equal(ww_simulation_run(s, "atax", "tiny"), 0);
    assert_non_null(strstr(ww_simulation_result(s), "\"verified\": true"));
    assert_true(calls > 0);
    read_field(ww_simulation_result(s), "cycles", whole, sizeof(whole));
    assert_int_equal(ww_simulation_region(s, "measure=oops"), 2);
    assert_int_equal(ww_simulation_region(s, "measure=1000"), 0);
    assert_int_equal(ww_simulation_run(s, "atax", "tiny"), 0);
    read_field(ww_simulation_result(s), "cycles", part, sizeof(part));
    assert_true(atol(part) < atol(whole));
    assert_int_equal(ww_simulation_region(s, NULL), 0);
    assert_int_equal(ww_simulation_run(s, "atax", "tiny"), 0);
    read_field(ww_simulation_result(s), "cycles", again, sizeof(again));
    assert_string_equal(whole, again);
    ww_simulation_destroy(s);
}

static void hints_are_in_the_result(void **state)
{
    (void)state;
    ww_simulation *s = ww_simulation_create();
    assert_int_equal(ww_simulation_hint(NULL, "A=prefetch"), 2);
    assert_int_equal(ww_simulation_machine(s, "v100"), 0);
    assert_int_equal(ww_simulation_hint(s, "A=fetch"), 2);
    assert_non_null(strstr(ww_simulation_errors(s), "unknown hint 'fetch'"));
    assert_int_equal(ww_simulation_run(s, "atax", "tiny"), 0);
    assert_null(strstr(ww_simulation_result(s), "\"hints\""));
    assert_int_equal(ww_simulation_hint(s, "A=prefetch"), 0);
    assert_int_equal(ww_simulation_hint(s, "y=preferred:host"), 0);
    assert_int_equal(ww_simulation_run(s, "atax", "tiny"), 0);
    assert_non_null(strstr(ww_simulation_result(s), "\"hints\""));
    assert_non_null(strstr(ww_simulation_result(s), "\"preferred\": \"host\""));
    assert_non_null(strstr(ww_simulation_result(s), "\"prefetch\": true"));
    assert_int_equal(ww_simulation_hint(s, "z=prefetch"), 0);
    assert_int_equal(ww_simulation_run(s, "atax", "tiny"), 2);
    assert_non_null(strstr(ww_simulation_errors(s), "(one of: A, x, tmp, y)"));
    assert_int_equal(ww_simulation_exec(s, "atax", "tiny"), 0);
    assert_int_equal(ww_simulation_hint(s, NULL), 0);
    assert_int_equal(ww_simulation_run(s, "atax", "tiny"), 0);
    assert_null(strstr(ww_simulation_result(s), "\"hints\""));
    ww_simulation_destroy(s);
}

static void writes_what_run_writes(void **state)
{
    (void)state;
    ww_simulation *s = ww_simulation_create();
    assert_int_equal(ww_simulation_machine(s, "v100"), 0);
    assert_int_equal(ww_simulation_timeline(s, "timeline.json"), 0);
    assert_int_equal(ww_simulation_trace(s, "warp=x", "trace.txt"), 2);
    assert_int_equal(ww_simulation_trace(s, "warp=0.0", "trace.txt"), 0);
    assert_int_equal(ww_simulation_dump_dir(s, ""), 0);
    unlink("out.bin");
    assert_int_equal(ww_simulation_run(s, "fill.yaml", NULL), 0);
    assert_int_not_equal(access("out.bin", F_OK), 0);
    assert_int_equal(unlink("timeline.json"), 0);
    assert_int_equal(unlink("trace.txt"), 0);
    assert_int_equal(ww_simulation_dump_dir(s, NULL), 0);
    assert_int_equal(ww_simulation_timeline(s, NULL), 0);
    assert_int_equal(ww_simulation_trace(s, NULL, NULL), 0);
    assert_int_equal(ww_simulation_run(s, "fill.yaml", NULL), 0);
    assert_int_equal(access("out.bin", F_OK), 0);
    ww_simulation_destroy(s);
}

static void can_be_cancelled(void **state)
{
    (void)state;
    ww_run_progress seen = {0};
    ww_simulation *s = ww_simulation_create();
    assert_int_equal(ww_simulation_machine(s, "v100"), 0);
    ww_simulation_on_progress(s, cancel, &seen);
    assert_int_equal(ww_simulation_run(s, "atax", "tiny"), 1);
    assert_non_null(strstr(ww_simulation_result(s), "\"complete\": false"));
    assert_int_equal(seen.launch, 1);
    assert_true(seen.groups > 0);
    ww_simulation_on_progress(s, NULL, NULL);
    assert_int_equal(ww_simulation_run(s, "atax", "tiny"), 0);
    ww_simulation_destroy(s);
}

/* ---- launches, statistics, output ---- */

typedef struct seen_launches {
    uint64_t count, cycles, warp_instructions;
    uint64_t stop_after; /* 0: never */
    char last[32];
} seen_launches;

static int see_launch(void *context, const ww_run_launch *launch)
{
    seen_launches *seen = context;
    seen->count++;
    assert_int_equal(launch->launch, seen->count);
    assert_int_equal(launch->launches, 2);
    seen->cycles += launch->cycles;
    seen->warp_instructions += launch->warp_instructions;
    snprintf(seen->last, sizeof(seen->last), "%s", launch->kernel);
    return seen->count == seen->stop_after;
}

static double number(ww_simulation *s, const char *name)
{
    double value = -1;
    assert_int_equal(ww_simulation_statistic(s, name, &value), 0);
    assert_string_equal(ww_simulation_errors(s), "");
    return value;
}

/* Of oracles only the second pass has launches. */
static void tells_of_each_launch(void **state)
{
    (void)state;
    const char *const settings[] = {"core.scheduler=gto", "core.scheduler=caws_blk"};
    ww_simulation *s = ww_simulation_create();
    assert_int_equal(ww_simulation_machine(s, "gtx480-cawa"), 0);
    assert_int_equal(ww_simulation_set(s, "host.first_pass_cache=none"), 0);
    for (size_t i = 0; i < 2; i++) {
        seen_launches seen = {0};
        ww_simulation_on_launch(s, see_launch, &seen);
        assert_int_equal(ww_simulation_set(s, settings[i]), 0);
        assert_int_equal(ww_simulation_run(s, "atax", "tiny"), 0);
        assert_int_equal(seen.count, 2);
        assert_string_equal(seen.last, "atax_columns");
        assert_true((double)seen.cycles == number(s, "cycles"));
        assert_true((double)seen.warp_instructions == number(s, "exec.warp_instructions"));
    }
    seen_launches seen = {0};
    ww_simulation_on_launch(s, see_launch, &seen);
    assert_int_equal(ww_simulation_exec(s, "atax", "tiny"), 0);
    assert_int_equal(seen.count, 2);
    assert_int_equal(seen.cycles, 0);
    ww_simulation_destroy(s);
}

/* Also after the last launch there is no verdict. */
static void a_launch_can_be_the_last(void **state)
{
    (void)state;
    ww_simulation *s = ww_simulation_create();
    assert_int_equal(ww_simulation_machine(s, "gtx480-cawa"), 0);
    for (uint64_t last = 1; last <= 2; last++) {
        seen_launches seen = {.stop_after = last};
        ww_simulation_on_launch(s, see_launch, &seen);
        assert_int_equal(ww_simulation_run(s, "atax", "tiny"), 1);
        assert_string_equal(ww_simulation_errors(s), "interrupted\n");
        assert_non_null(strstr(ww_simulation_result(s), "\"complete\": false"));
        assert_int_equal(seen.count, last);
        assert_true((double)seen.cycles == number(s, "cycles"));
    }
    ww_simulation_on_launch(s, NULL, NULL);
    assert_int_equal(ww_simulation_run(s, "atax", "tiny"), 0);
    ww_simulation_destroy(s);
}

static void statistics_have_names(void **state)
{
    (void)state;
    double value = 5;
    ww_simulation *s = ww_simulation_create();
    assert_int_equal(ww_simulation_statistic(NULL, "cycles", &value), 2);
    assert_int_equal(ww_simulation_statistic(s, "cycles", &value), 2);
    assert_string_equal(ww_simulation_errors(s), "there is no statistic yet (nothing ran)\n");
    assert_int_equal(ww_simulation_machine(s, "v100"), 0);
    assert_int_equal(ww_simulation_run(s, "fill.yaml", NULL), 0);
    assert_int_equal(ww_simulation_statistic(s, NULL, &value), 2);
    assert_int_equal(ww_simulation_statistic(s, "cycles", NULL), 2);
    assert_int_equal(ww_simulation_statistic(s, "l1d.mises", &value), 2);
    assert_string_equal(ww_simulation_errors(s), "the last run has no statistic 'l1d.mises' (did "
                                                 "you mean 'l1d.misses'?)\n");
    assert_int_equal(ww_simulation_statistic(s, "machine", &value), 2);
    assert_string_equal(ww_simulation_errors(s), "the last run has no statistic 'machine' "
                                                 "(warpwalk list stats)\n");
    assert_true(value == 5);
    assert_true(number(s, "exec.warp_instructions") == 18);
    assert_true(number(s, "warp_instructions") == 18);
    assert_int_equal(ww_simulation_run(s, "missing.yaml", NULL), 2);
    assert_int_equal(ww_simulation_statistic(s, "cycles", &value), 2);
    ww_simulation_destroy(s);
}

static void gather(void *context, const char *text, size_t bytes)
{
    char *all = context;
    size_t length = strlen(all);
    assert_true(length + bytes < 200);
    memcpy(all + length, text, bytes);
    all[length + bytes] = 0;
}

static void output_of_kernels_can_be_taken(void **state)
{
    (void)state;
    char text[200] = "";
    write_text("say.cl",
               "kernel void say(void) { printf(\"item %d\\n\", (int)get_global_id(0)); }\n");
    write_text("say.yaml",
               "kernel: say.cl\nlaunches: [{entry: say, global: [2], local: [2], args: []}]\n");
    ww_simulation *s = ww_simulation_create();
    assert_int_equal(ww_simulation_machine(s, "v100"), 0);
    ww_simulation_on_output(s, gather, text);
    assert_int_equal(ww_simulation_run(s, "say.yaml", NULL), 0);
    assert_string_equal(text, "item 0\nitem 1\n");
    ww_simulation_destroy(s);
    unlink("say.cl");
    unlink("say.yaml");
}

static void *run_bfs(void *context)
{
    double *cycles = context;
    ww_simulation *s = ww_simulation_create();
    if (ww_simulation_machine(s, "gtx480-cawa") != 0 || ww_simulation_run(s, "bfs", "tiny") != 0 ||
        ww_simulation_statistic(s, "cycles", cycles) != 0)
        *cycles = -1;
    ww_simulation_destroy(s);
    return NULL;
}

static void threads_run_one_each(void **state)
{
    (void)state;
    double alone = 0, cycles[3] = {0};
    pthread_t threads[3];
    run_bfs(&alone);
    assert_true(alone > 0);
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, run_bfs, &cycles[i]), 0);
    for (size_t i = 0; i < 3; i++) {
        pthread_join(threads[i], NULL);
        assert_true(cycles[i] == alone);
    }
}

/* The machine of the run is the last one that was accepted, and nothing of those before it. */
static void a_machine_replaces_the_one_before(void **state)
{
    (void)state;
    ww_simulation *s = ww_simulation_create();
    assert_int_equal(ww_simulation_machine(s, "nosuch"), 2);
    assert_int_equal(ww_simulation_run(s, "fill.yaml", NULL), 2);
    assert_non_null(strstr(ww_simulation_errors(s), "needs a machine"));
    assert_int_equal(ww_simulation_set(s, "core.scheduler=rr"), 0);
    assert_int_equal(ww_simulation_machine(s, "v100-halves"), 0);
    assert_int_equal(ww_simulation_set(s, "checked=true"), 0);
    assert_int_equal(ww_simulation_machine(s, "v100"), 0);
    assert_int_equal(ww_simulation_machine(s, "nosuch"), 2);
    assert_int_equal(ww_simulation_run(s, "fill.yaml", NULL), 0);
    const char *result = ww_simulation_result(s);
    assert_non_null(strstr(result, "\"machine\": \"v100\""));
    assert_non_null(strstr(result, "\"machine.clusters\": 1,"));
    assert_non_null(strstr(result, "\"checked\": true"));
    assert_non_null(strstr(result, "\"core.scheduler\": \"gto\"")); /* v100 has it: set later */
    ww_simulation_destroy(s);
}

/* Conditions that span keys are checked also after a value of one was refused. */
static void a_refused_key_changes_nothing(void **state)
{
    (void)state;
    ww_simulation *s = ww_simulation_create();
    assert_int_equal(ww_simulation_machine(s, "v100-halves"), 0);
    assert_int_equal(ww_simulation_set(s, "machine.clusters=many"), 2);
    assert_int_equal(ww_simulation_set(s, "gpu.compute_units=3"), 0);
    assert_int_equal(ww_simulation_run(s, "fill.yaml", NULL), 2);
    assert_non_null(strstr(ww_simulation_errors(s), "does not divide"));
    ww_simulation_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(null_is_an_error),
        cmocka_unit_test(runs_a_launch_file),
        cmocka_unit_test(two_simulations_do_not_meet),
        cmocka_unit_test(says_what_is_wrong),
        cmocka_unit_test(runs_with_time),
        cmocka_unit_test(hints_are_in_the_result),
        cmocka_unit_test(writes_what_run_writes),
        cmocka_unit_test(can_be_cancelled),
        cmocka_unit_test(tells_of_each_launch),
        cmocka_unit_test(a_launch_can_be_the_last),
        cmocka_unit_test(statistics_have_names),
        cmocka_unit_test(output_of_kernels_can_be_taken),
        cmocka_unit_test(threads_run_one_each),
        cmocka_unit_test(a_machine_replaces_the_one_before),
        cmocka_unit_test(a_refused_key_changes_nothing),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
