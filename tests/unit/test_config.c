/* Values with units, configurations from several sources, and every way to get them wrong. */
#include "base/hash.h"
#include "config/config.h"
#include "config/machine.h"
#include "config/units.h"
#include "sim/components.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const ww_key patient_keys[] = {
    {.key = "aging",
     .type = WW_KEY_U64,
     .unit = "requests",
     .min = "1",
     .initial = "1000",
     .doc = "requests that may pass a waiting one"},
};
static const ww_policy fcfs = {.name = "fcfs", .doc = "oldest first"};
static const ww_policy sjf = {
    .name = "sjf", .doc = "shortest first", .keys = patient_keys, .key_count = 1};
static const ww_policy batch = {
    .name = "batch", .doc = "same instruction first", .keys = patient_keys, .key_count = 1};
static const ww_policy *const walk_members[] = {&fcfs, &sjf, &batch};
static const ww_policy_family walk_family = {
    "walk order", "walk.scheduler", "which walk is next", walk_members, 3, NULL};

static const char *const modes[] = {"full", "ideal", NULL};
static const ww_key walk_keys[] = {
    {.key = "walk.scheduler",
     .type = WW_KEY_POLICY,
     .family = &walk_family,
     .initial = "fcfs",
     .doc = "which walk is next"},
    {.key = "walk.walkers",
     .type = WW_KEY_U64,
     .unit = "walkers",
     .min = "1",
     .initial = "8",
     .infinite = true,
     .doc = "walks at a time"},
    {.key = "translation",
     .type = WW_KEY_CHOICE,
     .choices = modes,
     .initial = "full",
     .doc = "whether translation costs time"},
};
static const ww_key cache_keys[] = {
    {.key = "l2.size",
     .type = WW_KEY_BYTES,
     .min = "0",
     .max = "1GiB",
     .initial = "4MiB",
     .doc = "capacity"},
    {.key = "l2.line",
     .type = WW_KEY_BYTES,
     .min = "32",
     .max = "256",
     .initial = "64",
     .doc = "line size"},
    {.key = "l2.latency", .type = WW_KEY_TIME, .initial = "100ns", .doc = "hit latency"},
    {.key = "l2.clock",
     .type = WW_KEY_FREQUENCY,
     .min = "1MHz",
     .initial = "1.4GHz",
     .doc = "clock"},
    {.key = "l2.bandwidth", .type = WW_KEY_BANDWIDTH, .initial = "16GB/s", .doc = "bandwidth"},
    {.key = "l2.share",
     .type = WW_KEY_DOUBLE,
     .min = "0",
     .max = "1",
     .initial = "0.5",
     .doc = "share of something"},
    {.key = "l2.enabled", .type = WW_KEY_BOOL, .initial = "true", .doc = "whether it is there"},
    {.key = "l2.note", .type = WW_KEY_TEXT, .initial = "", .host_only = true, .doc = "a remark"},
};

static int check_cache(const struct ww_config *config, ww_errors *errors)
{
    if (ww_config_bytes(config, "l2.size") % ww_config_bytes(config, "l2.line") == 0)
        return WW_OK;
    return ww_fail(errors, WW_BAD_INPUT, ww_config_find(config, "l2.size")->at,
                   "l2.size is not a multiple of l2.line");
}

static const ww_schema walk_schema = {
    .name = "walk", .doc = "page walks", .keys = walk_keys, .count = 3};
static const ww_schema cache_schema = {.name = "cache",
                                       .doc = "a cache",
                                       .keys = cache_keys,
                                       .count = 8,
                                       .idle_key = "translation",
                                       .idle_value = "ideal",
                                       .check = check_cache};
static const ww_schema *const schemas[] = {&walk_schema, &cache_schema};
static const ww_schema_set set = {schemas, 2};

static ww_errors *errors;
static ww_config *config;

static int set_up(void **state)
{
    (void)state;
    errors = ww_errors_create();
    config = ww_config_create(&set);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    ww_config_destroy(config);
    ww_errors_destroy(errors);
    return 0;
}

static int apply(const char *text)
{
    return ww_machine_parse(config, "m.yaml", text, strlen(text), NULL, errors);
}

static void assert_lines(const char *const *lines, size_t count)
{
    for (size_t i = 0; i < count && i < ww_errors_count(errors); i++)
        assert_string_equal(ww_errors_line(errors, i), lines[i]);
    assert_int_equal(ww_errors_count(errors), count);
}
#define ASSERT_LINES(...)                                      \
    do {                                                       \
        static const char *const lines[] = {__VA_ARGS__};      \
        assert_lines(lines, sizeof(lines) / sizeof(lines[0])); \
    } while (0)

static void assert_amount(ww_measure measure, const char *text, uint64_t amount,
                          const char *canonical)
{
    uint64_t parsed = 0;
    char printed[WW_AMOUNT_CHARS];
    assert_true(ww_amount_parse(measure, text, &parsed));
    assert_int_equal(parsed, amount);
    ww_amount_text(measure, amount, printed);
    assert_string_equal(printed, canonical);
    assert_true(ww_amount_parse(measure, printed, &parsed));
    assert_int_equal(parsed, amount);
}

static void amounts(void **state)
{
    (void)state;
    assert_amount(WW_MEASURE_BYTES, "64KiB", 65536, "64KiB");
    assert_amount(WW_MEASURE_BYTES, "1.5 MiB", 1572864, "1536KiB");
    assert_amount(WW_MEASURE_BYTES, "1000", 1000, "1000");
    assert_amount(WW_MEASURE_BYTES, "0", 0, "0");
    assert_amount(WW_MEASURE_BYTES, "1023B", 1023, "1023");
    assert_amount(WW_MEASURE_TIME, "20us", 20000000, "20us");
    assert_amount(WW_MEASURE_TIME, "1500ns", 1500000, "1.5us");
    assert_amount(WW_MEASURE_TIME, "0.001ns", 1, "1ps");
    assert_amount(WW_MEASURE_TIME, "1234567ps", 1234567, "1234.567ns");
    assert_amount(WW_MEASURE_FREQUENCY, "1.4GHz", 1400000000, "1.4GHz");
    assert_amount(WW_MEASURE_FREQUENCY, "900MHz", 900000000, "900MHz");
    assert_amount(WW_MEASURE_BANDWIDTH, "16GB/s", 16000000000, "16GB/s");
    assert_amount(WW_MEASURE_BANDWIDTH, "16GiB/s", UINT64_C(16) << 30, "16GiB/s");
    assert_amount(WW_MEASURE_BANDWIDTH, "22.4GB/s", 22400000000, "22.4GB/s");
    assert_amount(WW_MEASURE_BANDWIDTH, "1TB/s", 1000000000000, "1TB/s");
    assert_amount(WW_MEASURE_BANDWIDTH, "7B/s", 7, "7B/s");
}

static void amounts_that_are_none(void **state)
{
    (void)state;
    static const char *const wrong[] = {
        "",           "KiB", "64KB", "64  KiB", "-1",     "1.KiB",  ".5KiB",
        "0.3B",       "1e3", "0x10", "64kib",   " 64KiB", "64KiB ", "9223372036854775808",
        "99999999TiB"};
    uint64_t amount;
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
        assert_false(ww_amount_parse(WW_MEASURE_BYTES, wrong[i], &amount));
    assert_false(ww_amount_parse(WW_MEASURE_TIME, "20", &amount));
    assert_false(ww_amount_parse(WW_MEASURE_TIME, "0.1ps", &amount));
    assert_false(ww_amount_parse(WW_MEASURE_FREQUENCY, "1.4 ", &amount));
}

static void defaults(void **state)
{
    (void)state;
    assert_int_equal(ww_config_u64(config, "walk.walkers"), 8);
    assert_int_equal(ww_config_choice(config, "translation"), 0);
    assert_ptr_equal(ww_config_policy(config, "walk.scheduler"), &fcfs);
    assert_int_equal(ww_config_u64(config, "walk.aging"), 1000);
    assert_int_equal(ww_config_bytes(config, "l2.size"), 4 << 20);
    assert_int_equal(ww_config_picoseconds(config, "l2.latency"), 100000);
    assert_int_equal(ww_config_hertz(config, "l2.clock"), 1400000000);
    assert_int_equal(ww_config_bytes_per_second(config, "l2.bandwidth"), 16000000000);
    assert_true(ww_config_double(config, "l2.share") == 0.5);
    assert_true(ww_config_bool(config, "l2.enabled"));
    assert_string_equal(ww_config_text(config, "l2.note"), "");
    assert_int_equal(ww_config_find(config, "l2.size")->origin, WW_FROM_DEFAULT);
    assert_int_equal(ww_config_check(config, errors), WW_OK);
}

static void policy_keys_follow_the_key_that_chooses(void **state)
{
    (void)state;
    assert_int_equal(ww_config_count(config), 12);
    assert_string_equal(ww_config_setting(config, 0)->key->key, "walk.scheduler");
    assert_string_equal(ww_config_setting(config, 1)->key->key, "walk.aging");
    assert_ptr_equal(ww_config_setting(config, 1)->family, &walk_family);
    assert_string_equal(ww_config_setting(config, 2)->key->key, "walk.walkers");
}

static void later_sources_win(void **state)
{
    (void)state;
    assert_int_equal(apply("name: test\nl2: {size: 1MiB, line: 128}\nwalk.scheduler: sjf\n"),
                     WW_OK);
    assert_int_equal(ww_config_set(config, "l2.size=2MiB", errors), WW_OK);
    assert_int_equal(ww_config_set(config, "l2.size=8MiB", errors), WW_OK);
    assert_int_equal(ww_config_set(config, "l2.note=a=b", errors), WW_OK);
    assert_int_equal(ww_config_check(config, errors), WW_OK);
    assert_int_equal(ww_config_bytes(config, "l2.size"), 8 << 20);
    assert_int_equal(ww_config_bytes(config, "l2.line"), 128);
    assert_string_equal(ww_config_policy(config, "walk.scheduler")->name, "sjf");
    assert_string_equal(ww_config_text(config, "l2.note"), "a=b");
    const ww_setting *size = ww_config_find(config, "l2.size");
    const ww_setting *line = ww_config_find(config, "l2.line");
    assert_int_equal(size->origin, WW_FROM_COMMAND);
    assert_string_equal(size->at.file, "-s l2.size=8MiB");
    assert_int_equal(line->origin, WW_FROM_MACHINE);
    assert_string_equal(line->at.file, "m.yaml");
    assert_int_equal(line->at.line, 2);
    assert_int_equal(line->at.col, 24);
}

static void infinite_where_the_key_says_so(void **state)
{
    (void)state;
    assert_int_equal(ww_config_set(config, "walk.walkers=infinite", errors), WW_OK);
    assert_true(ww_config_u64(config, "walk.walkers") == WW_INFINITE);
    assert_int_equal(ww_config_set(config, "walk.aging=infinite", errors), WW_BAD_INPUT);
    ASSERT_LINES("-s walk.aging=infinite: walk.aging is 'infinite' (a whole number of requests "
                 "from 1 is needed)");
}

static void all_errors_at_once(void **state)
{
    (void)state;
    apply("l2:\n  sise: 1MiB\n  line: 512\n  clock: 3\n  enabled: yes\n  share: 1.5\n"
          "walk: {scheduler: sjb, walkers: 0, entries: [1]}\ntranslation: none\nline: 64\n"
          "doc: [x]\n");
    ww_config_set(config, "l2.latency=5", errors);
    ww_config_set(config, "qqqqqqqq=5", errors);
    ww_config_set(config, "l2.latency", errors);
    ww_config_set(config, "=5", errors);
    ASSERT_LINES(
        "m.yaml:10:6: 'doc' is a sequence (a single value is needed)",
        "m.yaml:2:3: unknown key 'l2.sise' (did you mean 'l2.size'?)",
        "m.yaml:3:9: l2.line is '512' (a size from 32 to 256 is needed)",
        "m.yaml:4:10: l2.clock is '3' (a frequency from 1MHz is needed)",
        "m.yaml:5:12: l2.enabled is 'yes' (true or false is needed)",
        "m.yaml:6:10: l2.share is '1.5' (a number from 0 to 1 is needed)",
        "m.yaml:7:19: walk.scheduler is 'sjb' (did you mean 'sjf'?)",
        "m.yaml:7:33: walk.walkers is '0' (a whole number of walkers from 1 or infinite is needed)",
        "m.yaml:7:36: unknown key 'walk.entries' ('warpwalk list keys' shows them all)",
        "m.yaml:8:14: translation is 'none' (one of full, ideal is needed)",
        "m.yaml:9:1: unknown key 'line' (did you mean 'l2.line'?)",
        "-s l2.latency=5: l2.latency is '5' (a time such as 20us is needed)",
        "-s qqqqqqqq=5: unknown key 'qqqqqqqq' ('warpwalk list keys' shows them all)",
        "-s l2.latency: not an assignment (write -s KEY=VALUE)",
        "-s =5: not an assignment (write -s KEY=VALUE)");
}

static void structure_errors(void **state)
{
    (void)state;
    apply("l2: {size: 1MiB}\nl2.size: 2MiB\nl2.line: [64]\nl2.clock:\n");
    apply("- l2\n");
    ASSERT_LINES("m.yaml:2:1: l2.size is given twice (first on line 1)",
                 "m.yaml:3:10: l2.line is a sequence (a single value is needed)",
                 "m.yaml:4:10: l2.clock is '' (a frequency from 1MHz is needed)",
                 "m.yaml:1:1: a machine is a sequence (a mapping is needed)");
}

static void conditions_across_keys(void **state)
{
    (void)state;
    assert_int_equal(apply("l2: {size: 1000}\n"), WW_OK);
    assert_int_equal(ww_config_check(config, errors), WW_BAD_INPUT);
    ASSERT_LINES("m.yaml:1:12: l2.size is not a multiple of l2.line");
}

static void conditions_wait_for_right_values(void **state)
{
    (void)state;
    assert_int_equal(apply("l2: {size: 1000, line: 1000}\n"), WW_BAD_INPUT);
    assert_int_equal(ww_config_check(config, errors), WW_BAD_INPUT);
    ASSERT_LINES("m.yaml:1:24: l2.line is '1000' (a size from 32 to 256 is needed)");
}

static void settings_without_effect(void **state)
{
    (void)state;
    assert_int_equal(apply("walk: {aging: 5}\n"), WW_OK);
    assert_int_equal(ww_config_check(config, errors), WW_OK);
    assert_int_equal(ww_config_set(config, "walk.aging=7", errors), WW_OK);
    assert_int_equal(ww_config_check(config, errors), WW_BAD_INPUT);
    ASSERT_LINES("-s walk.aging=7: has no effect while walk.scheduler is fcfs");
}

static void settings_of_an_idle_schema(void **state)
{
    (void)state;
    assert_int_equal(apply("translation: ideal\nl2: {size: 8MiB}\n"), WW_OK);
    assert_int_equal(ww_config_check(config, errors), WW_OK);
    uint64_t before = ww_config_hash(config);
    assert_int_equal(ww_config_set(config, "l2.line=128", errors), WW_OK);
    assert_true(ww_config_hash(config) == before);
    assert_int_equal(ww_config_check(config, errors), WW_BAD_INPUT);
    ASSERT_LINES("-s l2.line=128: has no effect while translation is ideal");
    assert_int_equal(ww_config_set(config, "translation=full", errors), WW_OK);
    uint64_t full = ww_config_hash(config);
    assert_int_equal(ww_config_set(config, "l2.line=64", errors), WW_OK);
    assert_true(ww_config_hash(config) != full && full != before);
}

static void settings_of_a_chosen_policy(void **state)
{
    (void)state;
    assert_int_equal(ww_config_set(config, "walk.aging=7", errors), WW_OK);
    assert_int_equal(ww_config_set(config, "walk.scheduler=batch", errors), WW_OK);
    assert_int_equal(ww_config_check(config, errors), WW_OK);
}

static void json_has_every_key(void **state)
{
    (void)state;
    ww_config_set(config, "walk.walkers=infinite", errors);
    json_t *json = ww_config_json(config);
    char *text = json_dumps(json, JSON_COMPACT | JSON_REAL_PRECISION(3));
    assert_string_equal(
        text,
        "{\"walk.scheduler\":\"fcfs\",\"walk.aging\":1000,\"walk.walkers\":\"infinite\","
        "\"translation\":\"full\",\"l2.size\":\"4MiB\",\"l2.line\":\"64\",\"l2.latency\":\"100ns\","
        "\"l2.clock\":\"1.4GHz\",\"l2.bandwidth\":\"16GB/s\",\"l2.share\":0.5,\"l2.enabled\":true,"
        "\"l2.note\":\"\"}");
    free(text);
    json_decref(json);
}

static void hash_follows_what_is_simulated(void **state)
{
    (void)state;
    uint64_t before = ww_config_hash(config);
    ww_config_set(config, "l2.note=elsewhere", errors);
    ww_config_set(config, "l2.size=4096KiB", errors);
    assert_true(ww_config_hash(config) == before);
    ww_config_set(config, "walk.aging=7", errors); /* of policies that were not chosen */
    assert_true(ww_config_hash(config) == before);
    ww_config_set(config, "walk.scheduler=sjf", errors);
    uint64_t other = ww_config_hash(config);
    ww_config_set(config, "walk.aging=8", errors);
    assert_true(ww_config_hash(config) != other && other != before);
    ww_config_set(config, "walk.scheduler=fcfs", errors);
    assert_true(ww_config_hash(config) == before);
    ww_config_set(config, "l2.size=2MiB", errors);
    assert_true(ww_config_hash(config) != before);
    assert_int_equal(before, UINT64_C(0xd01076ff71f92281));
}

static void a_copy_goes_its_own_way(void **state)
{
    (void)state;
    ww_config_set(config, "l2.note=here", errors);
    uint64_t before = ww_config_hash(config);
    ww_config *copy = ww_config_copy(config);
    assert_true(ww_config_hash(copy) == before);
    assert_string_equal(ww_config_text(copy, "l2.note"), "here");
    assert_int_equal(ww_config_find(copy, "l2.note")->origin, WW_FROM_COMMAND);
    assert_int_equal(ww_config_set(copy, "l2.size=2MiB", errors), WW_OK);
    assert_true(ww_config_hash(copy) != before);
    assert_true(ww_config_hash(config) == before);
    ww_config_destroy(copy);
}

static void unknown_machines(void **state)
{
    (void)state;
    ww_machine_load(config, "simt23", WW_NOWHERE, NULL, errors);
    ww_machine_load(config, "no/such", (ww_where){"-m no/such", 0, 0}, NULL, errors);
    apply("base: simt31\n");
    apply("base: m.yml\n");
    ASSERT_LINES("unknown machine 'simt23' (did you mean 'simt32'?)",
                 "-m no/such: cannot read 'no/such': No such file or directory",
                 "m.yaml:1:7: unknown machine 'simt31' (did you mean 'simt32'?)",
                 "m.yaml:1:7: cannot read 'm.yml': No such file or directory");
}

static void bases_come_first(void **state)
{
    (void)state;
    static const char text[] = "base: simt64\nmemory: {placement: packed}\n";
    ww_machine_file machine;
    ww_config *real = ww_config_create(&ww_all_schemas);
    assert_int_equal(
        ww_machine_parse(real, "some/mine.yaml", text, sizeof(text) - 1, &machine, errors), WW_OK);
    assert_string_equal(machine.name, "mine");
    assert_string_equal(machine.source, "some/mine.yaml");
    assert_int_equal(ww_config_u64(real, "core.warp_width"), 64);
    assert_string_equal(ww_config_find(real, "core.warp_width")->at.file, "machines/simt64.yaml");
    assert_string_equal(ww_config_policy(real, "memory.placement")->name, "packed");
    ww_machine_clear(&machine);
    ww_config_destroy(real);
}

static void bases_in_a_circle(void **state)
{
    (void)state;
    FILE *out = fopen("circle.yaml", "w");
    fputs("base: circle.yaml\n", out);
    fclose(out);
    ww_machine_load(config, "circle.yaml", WW_NOWHERE, NULL, errors);
    ASSERT_LINES("circle.yaml:1:7: more than 8 machines are based on each other (a circle?)");
    remove("circle.yaml");
}

static void every_preset_is_right(void **state)
{
    (void)state;
    ww_arena *arena = ww_arena_create();
    const char **names;
    size_t count = ww_machine_presets(arena, &names);
    assert_true(count >= 2);
    for (size_t i = 0; i < count; i++) {
        ww_machine_file machine;
        ww_config *real = ww_config_create(&ww_all_schemas);
        ww_machine_load(real, names[i], WW_NOWHERE, &machine, errors);
        ww_config_check(real, errors);
        ww_errors_print(errors, stderr);
        assert_int_equal(ww_errors_count(errors), 0);
        assert_string_equal(machine.name, names[i]);
        assert_true(strlen(machine.doc) > 10);
        ww_machine_clear(&machine);
        ww_config_destroy(real);
    }
    ww_arena_destroy(arena);
}

static void a_flood_of_errors_stays_cheap(void **state)
{
    (void)state;
    size_t lines = 200000;
    char *text = ww_calloc(lines, 16), *end = text;
    for (size_t i = 0; i < lines; i++)
        end += sprintf(end, "k%07zu: 1\n", i);
    assert_int_equal(apply(text), WW_BAD_INPUT);
    assert_int_equal(ww_errors_count(errors), 100);
    free(text);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(amounts),
        TEST(amounts_that_are_none),
        TEST(defaults),
        TEST(policy_keys_follow_the_key_that_chooses),
        TEST(later_sources_win),
        TEST(infinite_where_the_key_says_so),
        TEST(all_errors_at_once),
        TEST(structure_errors),
        TEST(conditions_across_keys),
        TEST(conditions_wait_for_right_values),
        TEST(settings_without_effect),
        TEST(settings_of_an_idle_schema),
        TEST(settings_of_a_chosen_policy),
        TEST(json_has_every_key),
        TEST(hash_follows_what_is_simulated),
        TEST(a_copy_goes_its_own_way),
        TEST(unknown_machines),
        TEST(bases_come_first),
        TEST(bases_in_a_circle),
        TEST(every_preset_is_right),
        TEST(a_flood_of_errors_stays_cheap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
