/* One workload of the catalogue, in all the ways that must give the right result, and in some that
 * must not: a dropped launch, a dropped work-group. The linker replaces ww_warp_run by the function
 * below (cmake/tests.cmake).
 *
 *     test_catalogue NAME [quick]     quick: not at `small` */
#include "base/memory.h"
#include "exec/order.h"
#include "exec/warp.h"
#include "host/functional_device.h"
#include "workload/catalogue.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define NONE SIZE_MAX
#define MOST_LAUNCHES 4096
#define MOST_NAME 64

static const ww_workload *workload;
static bool quick;

/* ---- a device that leaves something out ---- */

typedef struct fault {
    size_t launch; /* that is dropped, or whose group is; NONE: no fault */
    size_t group;  /* NONE: the whole launch */
} fault;

static const fault no_fault = {NONE, NONE};

static struct {
    fault fault;
    size_t launches;
    char entries[MOST_LAUNCHES][MOST_NAME]; /* of the launches that came */
    uint64_t groups[MOST_LAUNCHES];
    const ww_device_kind *kind; /* the real one */
} now;

int __real_ww_warp_run(ww_executor *x, ww_warp *w, uint64_t budget);
int __wrap_ww_warp_run(ww_executor *x, ww_warp *w, uint64_t budget);

/* Warps of the dropped group end before their first instruction. */
int __wrap_ww_warp_run(ww_executor *x, ww_warp *w, uint64_t budget)
{
    if (now.launches - 1 != now.fault.launch || w->group->number != now.fault.group)
        return __real_ww_warp_run(x, w, budget);
    w->group->live -= (uint32_t)__builtin_popcountll(w->live);
    w->group->running--;
    w->live = 0;
    w->current = WW_NO_SPLIT;
    return WW_OK;
}

static int launch(ww_device *device, ww_device_program *program, const ww_launch *what,
                  ww_errors *errors)
{
    size_t index = now.launches++;
    if (index < MOST_LAUNCHES) {
        snprintf(now.entries[index], MOST_NAME, "%s", what->entry);
        now.groups[index] = (uint64_t)what->groups[0] * what->groups[1] * what->groups[2];
    }
    if (index == now.fault.launch && now.fault.group == NONE)
        return WW_OK;
    return now.kind->launch(device, program, what, errors);
}

/* ---- a run ---- */

typedef struct way {
    const char *size;
    unsigned width;
    const char *order;
    uint64_t seed;
    fault fault;
    uint64_t limit; /* warp instructions; 0: none */
} way;

typedef struct outcome {
    int status;
    ww_verdict verdict;
    uint64_t launches;
    uint64_t warp_instructions;
    uint64_t footprint;
} outcome;

static outcome run(const way *how)
{
    ww_errors *errors = ww_errors_create();
    ww_exec_options options = {
        .width = how->width,
        .level = ww_lane_best(),
        .seed = how->seed,
        .max_instructions = how->limit,
        .order = (const ww_order *)(const void *)ww_policy_find(&ww_order_family, how->order)};
    ww_workload_options wants = {.seed = how->seed, .verify = true};
    ww_choice choice;
    assert_int_equal(ww_choice_read(workload, how->size, &choice, errors), WW_OK);
    ww_module *module = ww_workload_module(workload, errors);
    assert_non_null(module);
    ww_device *device = ww_functional_device_create(&options, NULL);
    ww_device_kind kind = *device->kind;
    now.kind = device->kind;
    now.fault = how->fault;
    now.launches = 0;
    kind.launch = launch;
    device->kind = &kind;
    outcome o = {0};
    o.status = ww_workload_run(&choice, module, device, &wants, &o.verdict, errors);
    o.launches = now.launches;
    o.warp_instructions = ww_functional_device_counters(device).warp_instructions;
    o.footprint = ww_workload_footprint(&choice, how->seed, errors);
    if (how->fault.launch == NONE)
        ww_errors_print(errors, stderr);
    ww_device_destroy(device);
    ww_module_destroy(module);
    ww_choice_clear(&choice);
    ww_errors_destroy(errors);
    return o;
}

static outcome run_well(const way *how)
{
    outcome o = run(how);
    if (o.status != WW_OK || o.verdict != WW_VERIFIED)
        fail_msg("%s (%s) at width %u, order %s, seed %llu: not verified", workload->name,
                 how->size, how->width, how->order, (unsigned long long)how->seed);
    return o;
}

/* ---- tests ---- */

static void the_table_is_complete(void **state)
{
    (void)state;
    assert_string_equal(workload->name, now.entries[0]);
    assert_non_null(ww_workload_size(workload, "tiny"));
    assert_non_null(ww_workload_size(workload, "small"));
    assert_true(workload->parameter_count <= WW_MOST_PARAMETERS);
    assert_true(strlen(workload->doc) > 0 && strlen(workload->doc) <= 80);
    assert_true(strlen(workload->suite) > 0 && strlen(workload->papers) > 0);
    assert_true(workload->size_count > 2 || !strstr(workload->papers, "isca18"));
    for (size_t i = 0; i < workload->parameter_count; i++)
        assert_true(strlen(workload->parameters[i].doc) > 0);
}

static void footprints_are_those_of_the_papers(void **state)
{
    (void)state;
    for (size_t i = 0; i < workload->size_count; i++) {
        const ww_named_size *size = &workload->sizes[i];
        ww_errors *errors = ww_errors_create();
        ww_choice choice;
        assert_int_equal(ww_choice_read(workload, size->name, &choice, errors), WW_OK);
        double bytes = (double)ww_workload_footprint(&choice, 1, errors);
        ww_errors_print(errors, stderr);
        assert_true(bytes > 0);
        double published = size->paper_megabytes * (1 << 20);
        if (published > 0 && (bytes < 0.9 * published || bytes > 1.1 * published))
            fail_msg("%s (%s) has %.2f MiB, the paper %.2f", workload->name, size->name,
                     bytes / (1 << 20), size->paper_megabytes);
        ww_choice_clear(&choice);
        ww_errors_destroy(errors);
    }
}

static void check_size(const char *size, uint64_t most_instructions)
{
    for (unsigned width = 32; width <= 64; width += 32) {
        way how = {size, width, "in_order", 1, no_fault, 0};
        outcome o = run_well(&how);
        assert_int_equal(o.launches, ww_workload_size(workload, size)->launches);
        if (o.warp_instructions > most_instructions)
            fail_msg("%s (%s) has %llu warp instructions at width %u", workload->name, size,
                     (unsigned long long)o.warp_instructions, width);
    }
}

static void tiny_is_right_and_tiny(void **state)
{
    (void)state;
    check_size("tiny", 100000);
}

static void small_is_right_and_small(void **state)
{
    (void)state;
    if (!quick)
        check_size("small", 3000000);
}

static void tiny_is_right_in_any_order_width_and_seed(void **state)
{
    (void)state;
    way ways[] = {
        {"tiny", 64, "reverse", 1, no_fault, 0},
        {"tiny", 32, "random", 2, no_fault, 0},
        {"tiny", 7, "random", 3, no_fault, 0},
        {"tiny", 1, "in_order", 4, no_fault, 0},
    };
    for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++)
        run_well(&ways[i]);
}

/* The launches of one good run, and a limit that a run which cannot end runs into. */
typedef struct record {
    size_t launches;
    uint64_t limit;
    char **entries;
    uint64_t *groups;
} record;

static record record_launches(void)
{
    way how = {"tiny", 64, "in_order", 1, no_fault, 0};
    outcome o = run_well(&how);
    record r = {.launches = o.launches, .limit = 20 * o.warp_instructions + 1000};
    assert_true(o.launches <= MOST_LAUNCHES);
    r.entries = ww_calloc(o.launches, sizeof(*r.entries));
    r.groups = ww_calloc(o.launches, sizeof(*r.groups));
    for (size_t i = 0; i < o.launches; i++) {
        r.entries[i] = ww_strdup(now.entries[i]);
        r.groups[i] = now.groups[i];
    }
    return r;
}

static void clear_record(record *r)
{
    for (size_t i = 0; i < r->launches; i++)
        free(r->entries[i]);
    free(r->entries);
    free(r->groups);
}

static bool is_noticed(const record *r, size_t dropped_launch, size_t dropped_group)
{
    way how = {"tiny", 64, "in_order", 1, {dropped_launch, dropped_group}, r->limit};
    outcome o = run(&how);
    return o.status != WW_OK && o.verdict != WW_VERIFIED;
}

/* Some launches are harmless to lose: the next one makes up for it, or there was nothing to do. Of
 * each entry's launches one must be missed; the first ones and the last one are tried. */
static bool one_is_noticed(const record *r, const char *entry, bool whole)
{
    size_t tried = 0;
    size_t last = 0;
    for (size_t i = 0; i < r->launches; i++)
        last = strcmp(r->entries[i], entry) == 0 ? i : last;
    for (size_t i = 0; i < r->launches; i++) {
        if (strcmp(r->entries[i], entry) != 0 || (tried++ > 4 && i != last))
            continue;
        if (whole && is_noticed(r, i, NONE))
            return true;
        for (uint64_t part = 0; !whole && part < 3; part++)
            if (is_noticed(r, i, part * (r->groups[i] - 1) / 2))
                return true;
    }
    return false;
}

static void check_drops(bool whole)
{
    record r = record_launches();
    for (size_t i = 0; i < r.launches; i++) {
        bool first = true;
        for (size_t j = 0; j < i; j++)
            first = first && strcmp(r.entries[i], r.entries[j]) != 0;
        if (first && !one_is_noticed(&r, r.entries[i], whole))
            fail_msg("dropping %s of '%s' goes unnoticed", whole ? "a launch" : "a group",
                     r.entries[i]);
    }
    clear_record(&r);
}

static void a_dropped_launch_is_noticed(void **state)
{
    (void)state;
    check_drops(true);
}

static void a_dropped_group_is_noticed(void **state)
{
    (void)state;
    check_drops(false);
}

int main(int count, char **words)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_table_is_complete),
        cmocka_unit_test(footprints_are_those_of_the_papers),
        cmocka_unit_test(tiny_is_right_and_tiny),
        cmocka_unit_test(small_is_right_and_small),
        cmocka_unit_test(tiny_is_right_in_any_order_width_and_seed),
        cmocka_unit_test(a_dropped_launch_is_noticed),
        cmocka_unit_test(a_dropped_group_is_noticed),
    };
    if (count < 2 || !(workload = ww_catalogue_find(words[1]))) {
        fprintf(stderr, "usage: test_catalogue NAME [quick]\n");
        return 2;
    }
    snprintf(now.entries[0], MOST_NAME, "%s", words[1]);
    quick = count > 2;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
