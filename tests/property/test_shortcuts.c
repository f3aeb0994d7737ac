/* Random kernels on random machines give the same result with every shortcut of the simulator and
 * without: host.run_ahead, host.compute_ahead, and in checked mode.
 *
 *     WW_CASES=1000 WW_SEED=7 test_shortcuts     as many cases, another seed; see bench/README.md */
#include "base/hash.h"
#include "base/json.h"
#include "base/memory.h"
#include "base/text.h"
#include "config/machine.h"
#include "sim/components.h"
#include "sim/session.h"
#include "support/random_function.h"
#include "support/random_kernel.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { USUAL_CASES = 12, MOST_INSTRUCTIONS = 20000, MOST_KEYS = 24 };

static const char *const machines[] = {"v100", "gtx480-cawa", "mi100-cuptw", "apu-isca18",
                                       "fermi-paged"};

/* A key, and the values to choose from. Some combinations are refused: then others are tried. */
static const struct {
    const char *key;
    const char *values[6];
} choices[] = {
    {"gpu.compute_units", {"1", "2", "4"}},
    {"gpu.dispatch_interval", {"1", "37"}},
    {"gpu.dispatch_warps", {"1", "2"}},
    {"core.scheduler", {"rr", "gto", "two_level", "gcaws", "turns"}},
    {"core.two_level_active", {"1", "2", "8"}},
    {"core.criticality", {"none", "cpl", "cpl"}},
    {"core.schedulers", {"1", "2", "4"}},
    {"core.issue_period", {"1", "1", "2", "4"}},
    {"core.issue_width", {"1", "1", "2"}},
    {"core.memory_queue", {"1", "2", "16"}},
    {"core.memory_return", {"any", "in_order"}},
    {"core.slot_release", {"group", "warp"}},
    {"core.warp_end", {"issued", "done"}},
    {"core.instruction_buffer", {"2", "4"}},
    {"unit.simd_interval", {"1", "2", "4"}},
    {"unit.memory_interval", {"1", "3"}},
    {"l1d.mshrs", {"1", "4", "32"}},
    {"network.clock", {"350MHz", "1GHz", "1400MHz"}},
    {"l0i.size", {"256", "4KiB"}},
};

typedef struct test_case {
    uint64_t seed;
    const char *machine;
    char *keys[MOST_KEYS]; /* -s */
    unsigned key_count;
    char *text; /* of the kernel */
    ww_module *module;
    uint32_t groups, size;
} test_case;

/* ---- cases ---- */

static void choose_keys(test_case *c, ww_rng *rng)
{
    for (size_t i = 0; i < sizeof(choices) / sizeof(choices[0]); i++) {
        unsigned count = 0;
        while (count < 6 && choices[i].values[count])
            count++;
        const char *value = choices[i].values[ww_rng_below(rng, count)];
        if (ww_rng_below(rng, 4))
            c->keys[c->key_count++] = ww_format("%s=%s", choices[i].key, value);
    }
}

static test_case make_case(uint64_t seed)
{
    test_case c = {.seed = seed};
    ww_errors *errors = ww_errors_create();
    ww_rng rng;
    ww_rng_seed(&rng, seed);
    c.machine = machines[ww_rng_below(&rng, sizeof(machines) / sizeof(machines[0]))];
    choose_keys(&c, &rng);
    c.text = random_kernel(&rng);
    c.groups = 1 + (uint32_t)ww_rng_below(&rng, 2);
    c.size = 1 + (uint32_t)ww_rng_below(&rng, RANDOM_KERNEL_GROUP);
    c.module = ww_module_parse("random.ptx", c.text, strlen(c.text), errors);
    assert_non_null(c.module);
    ww_errors_destroy(errors);
    return c;
}

static void free_case(test_case *c)
{
    ww_module_destroy(c->module);
    free(c->text);
    for (unsigned i = 0; i < c->key_count; i++)
        free(c->keys[i]);
}

/* NULL: the keys do not go together. */
static ww_config *configure(const test_case *c, const char *const *shortcuts)
{
    ww_errors *errors = ww_errors_create();
    ww_config *config = ww_config_create(&ww_all_schemas);
    ww_machine_file machine;
    assert_int_equal(ww_machine_load(config, c->machine, WW_NOWHERE, &machine, errors), WW_OK);
    ww_machine_clear(&machine);
    int status = WW_OK;
    for (unsigned i = 0; i < c->key_count; i++)
        status |= ww_config_set(config, c->keys[i], errors);
    for (; *shortcuts; shortcuts++)
        assert_int_equal(ww_config_set(config, *shortcuts, errors), WW_OK);
    status = status == WW_OK ? ww_config_check(config, errors) : status;
    ww_errors_destroy(errors);
    if (status == WW_OK)
        return config;
    ww_config_destroy(config);
    return NULL;
}

/* ---- runs ---- */

static int launch(ww_session *session, const test_case *c, ww_errors *errors)
{
    ww_device *device = session->device;
    const ww_buffer *out = ww_device_buffer(
        device, "out", (uint64_t)RANDOM_KERNEL_ITEMS * RANDOM_KERNEL_RESULT, errors);
    ww_device_program *loaded = ww_device_load(device, c->module, errors);
    uint8_t params[8];
    memcpy(params, &out->address, sizeof(params));
    ww_launch launch = {.entry = "k",
                        .groups = {c->groups, 1, 1},
                        .group = {c->size, 1, 1},
                        .work_dim = 1,
                        .params = params};
    int status = loaded ? ww_device_launch(device, loaded, &launch, errors) : WW_BAD_INPUT;
    ww_session_launched(session, "k", true);
    return status;
}

static uint64_t hash_of_memory(const ww_device *device)
{
    const ww_buffer *const *buffers;
    uint64_t hash = 0;
    size_t count = ww_memory_buffers(device->memory, &buffers);
    for (size_t i = 0; i < count; i++)
        hash = ww_hash64(buffers[i]->host, buffers[i]->size, hash);
    return hash;
}

/* All statistics and the bytes in memory, to be freed; NULL: the kernel takes too long. */
static char *run(const test_case *c, const ww_config *config)
{
    ww_errors *errors = ww_errors_create();
    ww_session session;
    ww_result result = {0};
    ww_session_setting setting = {.config = config,
                                  .seed = c->seed,
                                  .max_instructions = MOST_INSTRUCTIONS,
                                  .timed = true,
                                  .silent = true};
    char *text = NULL;
    assert_int_equal(ww_session_begin(&session, &setting, errors), WW_OK);
    int status = launch(&session, c, errors);
    if (status == WW_OK) {
        uint64_t hash = hash_of_memory(session.device);
        status = ww_session_fill(&session, true, &result, errors);
        json_t *stats = ww_stats_json(result.stats);
        char *dump = json_dumps(stats, JSON_INDENT(1));
        text = ww_format("cycles %llu\nmemory %llx\n%s", (unsigned long long)result.cycles,
                         (unsigned long long)hash, dump);
        free(dump);
        json_decref(stats);
    }
    bool too_long = status != WW_OK && strstr(ww_errors_line(errors, 0), "--max-instructions");
    if (!too_long)
        ww_errors_print(errors, stderr);
    assert_true(status == WW_OK || too_long);
    ww_result_clear(&result);
    ww_session_end(&session);
    ww_errors_destroy(errors);
    return text;
}

/* ---- comparison ---- */

static void report(const test_case *c, const char *with, const char *without)
{
    FILE *out = fopen("failed.ptx", "w");
    fprintf(stderr, "seed %llu: %u groups of %u on %s", (unsigned long long)c->seed, c->groups,
            c->size, c->machine);
    for (unsigned i = 0; i < c->key_count; i++)
        fprintf(stderr, " -s %s", c->keys[i]);
    while (*with && *with == *without) {
        with++;
        without++;
    }
    fprintf(stderr, "\nwith:    %.60s\nwithout: %.60s\nthe kernel is in failed.ptx\n", with,
            without);
    if (out) {
        fputs(c->text, out);
        fclose(out);
    }
    fail();
}

/* False: this is no case, because its keys do not go together or its kernel takes too long. */
static bool compare(const test_case *c)
{
    static const char *const ways[][4] = {
        {"host.run_ahead=false", "host.compute_ahead=false", "checked=true"},
        {"host.run_ahead=true", "host.compute_ahead=true", "checked=false"},
        {"host.run_ahead=true", "host.compute_ahead=false", "checked=false"},
        {"host.run_ahead=false", "host.compute_ahead=true", "checked=false"},
    };
    char *without = NULL;
    for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
        ww_config *config = configure(c, ways[i]);
        char *with = config ? run(c, config) : NULL;
        ww_config_destroy(config);
        if (!with && !without)
            return false;
        if (!without) {
            without = with;
            continue;
        }
        if (!with || strcmp(with, without) != 0)
            report(c, with ? with : "", without);
        free(with);
    }
    free(without);
    return true;
}

static void shortcuts_change_no_result(void **state)
{
    (void)state;
    const char *wanted = getenv("WW_CASES");
    uint64_t seed = test_seed(1), cases = 0, tried = 0;
    uint64_t count = wanted ? strtoull(wanted, NULL, 10) : USUAL_CASES;
    for (; cases < count; tried++) {
        test_case c = make_case(seed + tried);
        cases += compare(&c);
        free_case(&c);
    }
    printf("%llu cases are the same in four ways (%llu were tried)\n", (unsigned long long)cases,
           (unsigned long long)tried);
    assert_true(tried < 20 * count);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(shortcuts_change_no_result)};
    return cmocka_run_group_tests_name("shortcuts", tests, NULL, NULL);
}
