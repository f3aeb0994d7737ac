/* Every key of a machine with values at the borders of sense: each is refused, with a line that
 * names the key and says what would be right, or runs a small program and its result is right.
 * Nothing crashes, and nothing goes on for ever.
 *
 *     test_machine_values [KEY]     only this key, and says what became of each value */
#include "base/memory.h"
#include "config/machine.h"
#include "config/policy.h"
#include "sim/components.h"
#include "sim/execution.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* A run takes milliseconds; one that takes this long goes on for ever. */
#define PATIENCE_SECONDS 300

static const char *only;

/* Global, local and private memory, barriers and atomics, in 8 groups of 64. */
static const char kernel[] =
    ".version 7.0\n.target sm_60\n.address_size 64\n"
    ".visible .entry k(.param .u64 in, .param .u64 sum, .param .u64 out)\n{\n"
    ".reg .b32 %r<16>; .reg .b64 %d<16>; .reg .pred %q<2>;\n"
    ".shared .align 4 .b8 tile[256]; .local .align 4 .b8 own[16];\n"
    "mov.u32 %r0, %tid.x; mov.u32 %r1, %ctaid.x; mad.lo.u32 %r2, %r1, 64, %r0;\n"
    "ld.param.u64 %d0, [in]; mul.wide.u32 %d1, %r2, 4; add.u64 %d0, %d0, %d1;\n"
    "ld.global.u32 %r3, [%d0];\n"
    "mov.u32 %r4, tile; shl.b32 %r5, %r0, 2; add.u32 %r6, %r4, %r5; st.shared.u32 [%r6], %r3;\n"
    "bar.sync 0;\n"
    "sub.u32 %r7, 63, %r0; shl.b32 %r7, %r7, 2; add.u32 %r7, %r4, %r7; ld.shared.u32 %r8, [%r7];\n"
    "st.local.u32 [own+4], %r8; ld.local.u32 %r9, [own+4];\n"
    "ld.param.u64 %d2, [sum]; atom.global.add.u32 %r10, [%d2], %r9;\n"
    "add.u32 %r11, %r9, %r0; shl.b32 %r12, %r1, 6; sub.u32 %r11, %r11, %r12;\n"
    "ld.param.u64 %d3, [out]; add.u64 %d3, %d3, %d1; st.global.u32 [%d3], %r11;\n"
    "ret;\n}\n";
static const char launch[] = "kernel: values.ptx\n"
                             "buffers:\n"
                             "  in: {type: u32, count: 512, fill: iota}\n"
                             "  sum: {type: u32, count: 1}\n"
                             "  out: {type: u32, count: 512}\n"
                             "launches:\n"
                             "  - {entry: k, groups: [8], local: [64], args: [in, sum, out]}\n"
                             "check: {sum: {value: 130816}, out: {value: 63}}\n";

/* A scalar unit, shared caches and DDR3; a sectored cache and HBM2. Few compute units: they are
 * many runs. */
static const char *const machines[][2] = {{"apu-isca18", "gpu.compute_units=4"},
                                          {"v100", "gpu.compute_units=3"}};

static void write_file(const char *name, const char *text)
{
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static int begin(void **state)
{
    (void)state;
    write_file("values.ptx", kernel);
    write_file("values.yaml", launch);
    return 0;
}

/* A refusal names the key in some line, and each line says in brackets what would be right. */
static void check_refusal(const char *assignment, const char *key, const ww_errors *errors)
{
    bool named = false;
    for (size_t i = 0; i < ww_errors_count(errors); i++) {
        const char *line = ww_errors_line(errors, i);
        named |= strstr(line + (strncmp(line, "-s ", 3) == 0 ? 3 + strlen(assignment) : 0), key) ||
                 strstr(line, "has no effect");
        if (!strchr(line, '(') && !strstr(line, "has no effect"))
            fail_msg("%s: '%s' does not say what would be right", assignment, line);
    }
    if (!named)
        fail_msg("%s: '%s' does not name the key", assignment, ww_errors_line(errors, 0));
}

static int run(const ww_config *config, ww_errors *errors)
{
    ww_result result;
    ww_execution what = {.config = config,
                         .machine = "tried",
                         .workload = "values.yaml",
                         .seed = 1,
                         .verify = true,
                         .timed = true};
    int status = ww_execute(&what, &result, errors);
    if (status == WW_OK)
        assert_int_equal(result.verdict, WW_VERIFIED);
    ww_result_clear(&result);
    return status;
}

static void try_value(const char *const base[2], const char *key, const char *value)
{
    char assignment[256];
    ww_errors *errors = ww_errors_create();
    ww_config *config = ww_config_create(&ww_all_schemas);
    ww_machine_file machine;
    snprintf(assignment, sizeof(assignment), "%s=%s", key, value);
    assert_int_equal(ww_machine_load(config, base[0], WW_NOWHERE, &machine, errors), WW_OK);
    assert_int_equal(ww_config_set(config, base[1], errors), WW_OK);
    assert_int_equal(ww_config_set(config, "checked=true", errors), WW_OK);
    int status = ww_config_set(config, assignment, errors);
    if (status == WW_OK)
        status = ww_config_check(config, errors);
    alarm(PATIENCE_SECONDS);
    if (status == WW_OK)
        status = run(config, errors);
    alarm(0);
    if (only)
        printf("%s on %s: %s\n", assignment, base[0],
               status == WW_OK ? "runs" : ww_errors_line(errors, 0));
    if (status == WW_BAD_INPUT)
        check_refusal(assignment, key, errors);
    else if (status != WW_OK)
        fail_msg("%s on %s: %s", assignment, base[0], ww_errors_line(errors, 0));
    ww_machine_clear(&machine);
    ww_config_destroy(config);
    ww_errors_destroy(errors);
}

static void try_everywhere(const char *key, const char *value)
{
    for (size_t i = 0; i < sizeof(machines) / sizeof(machines[0]); i++)
        try_value(machines[i], key, value);
}

static void try_numbers(const ww_key *key)
{
    static const char *const values[] = {"0",
                                         "-1",
                                         "1",
                                         "2",
                                         "3",
                                         "7",
                                         "64",
                                         "100",
                                         "abc",
                                         "",
                                         "1.5",
                                         "9000000000000000000",
                                         "99999999999999999999",
                                         "infinite"};
    for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++)
        try_everywhere(key->key, values[i]);
    if (key->min)
        try_everywhere(key->key, key->min);
    if (key->max)
        try_everywhere(key->key, key->max);
}

static void try_amounts(const ww_key *key)
{
    static const char *const values[][4] = {
        [WW_KEY_BYTES] = {"96", "4KiB", "1000KiB", "8EiB"},
        [WW_KEY_TIME] = {"1ps", "3ns", "1us", "1000000s"},
        [WW_KEY_FREQUENCY] = {"1Hz", "3MHz", "1234567891Hz", "1000000GHz"},
        [WW_KEY_BANDWIDTH] = {"1B/s", "3MB/s", "1GB/s", "1000000GB/s"},
    };
    for (size_t i = 0; i < 4; i++)
        try_everywhere(key->key, values[key->type][i]);
}

static void try_key(const ww_key *key)
{
    switch (key->type) {
    case WW_KEY_CHOICE:
        for (size_t i = 0; key->choices[i]; i++)
            try_everywhere(key->key, key->choices[i]);
        try_everywhere(key->key, "abc");
        break;
    case WW_KEY_POLICY:
        for (size_t i = 0; i < key->family->count; i++)
            try_everywhere(key->key, key->family->members[i]->name);
        try_everywhere(key->key, "abc");
        break;
    case WW_KEY_BOOL:
        try_everywhere(key->key, "true");
        try_everywhere(key->key, "false");
        try_everywhere(key->key, "2");
        break;
    case WW_KEY_TEXT: break; /* paths of the host, and an order that test_dram_config has */
    case WW_KEY_U64:
    case WW_KEY_DOUBLE: try_numbers(key); break;
    default: try_numbers(key); try_amounts(key);
    }
}

static void every_value_is_refused_or_runs(void **state)
{
    ww_config *config = ww_config_create(&ww_all_schemas);
    (void)state;
    for (size_t i = 0; i < ww_config_count(config); i++) {
        const ww_key *key = ww_config_setting(config, i)->key;
        if (!only || strcmp(only, key->key) == 0)
            try_key(key);
    }
    ww_config_destroy(config);
}

int main(int count, char **words)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(every_value_is_refused_or_runs, begin),
    };
    only = count > 1 ? words[1] : NULL;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
