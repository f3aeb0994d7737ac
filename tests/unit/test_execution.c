/* A run that its user stops: what is left in the result. */
#include "config/machine.h"
#include "sim/components.h"
#include "sim/execution.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct outcome {
    int status;
    bool complete, interrupted;
    ww_verdict verdict;
    size_t launches;
} outcome;

typedef int progress_fn(void *context, const ww_exec_counters *counters, uint64_t groups_done,
                        uint64_t groups_all);

static outcome run_with(progress_fn *progress, bool timed)
{
    ww_errors *errors = ww_errors_create();
    ww_config *config = ww_config_create(&ww_all_schemas);
    ww_machine_file machine;
    ww_result result;
    assert_int_equal(ww_machine_load(config, WW_DEFAULT_MACHINE, WW_NOWHERE, &machine, errors), 0);
    assert_int_equal(ww_config_check(config, errors), WW_OK);
    ww_execution what = {.config = config,
                         .machine = machine.name,
                         .workload = "atax",
                         .size = "tiny",
                         .seed = 1,
                         .verify = true,
                         .timed = timed,
                         .progress = progress};
    outcome o = {.status = ww_execute(&what, &result, errors)};
    o.complete = result.complete;
    o.interrupted = result.interrupted;
    o.verdict = result.verdict;
    o.launches = json_array_size(result.kernels);
    if (o.interrupted)
        assert_string_equal(ww_errors_line(errors, 0), "interrupted");
    ww_result_clear(&result);
    ww_machine_clear(&machine);
    ww_config_destroy(config);
    ww_errors_destroy(errors);
    return o;
}

static int keep_running(void *context, const ww_exec_counters *counters, uint64_t done,
                        uint64_t all)
{
    (void)context, (void)counters, (void)done, (void)all;
    return 0;
}

static int stop_at_once(void *context, const ww_exec_counters *counters, uint64_t done,
                        uint64_t all)
{
    (void)context, (void)counters, (void)done, (void)all;
    return 1;
}

static int stop_after_launches(void *context, const ww_exec_counters *counters, uint64_t done,
                               uint64_t all)
{
    (void)context, (void)counters, (void)done;
    return all == 0;
}

static void a_run_that_is_not_stopped_is_verified(void **state)
{
    (void)state;
    for (int timed = 0; timed < 2; timed++) {
        outcome o = run_with(keep_running, timed);
        assert_int_equal(o.status, WW_OK);
        assert_true(o.complete && !o.interrupted);
        assert_int_equal(o.verdict, WW_VERIFIED);
        assert_int_equal(o.launches, 2);
    }
}

static void a_stopped_run_is_incomplete(void **state)
{
    (void)state;
    outcome o = run_with(stop_at_once, false);
    assert_int_equal(o.status, WW_FAILED);
    assert_true(!o.complete && o.interrupted);
    assert_int_equal(o.verdict, WW_NOT_VERIFIED);
    assert_int_equal(o.launches, 0);
}

static void a_stop_during_verification_takes_the_verdict_back(void **state)
{
    (void)state;
    for (int timed = 0; timed < 2; timed++) {
        outcome o = run_with(stop_after_launches, timed);
        assert_int_equal(o.status, WW_FAILED);
        assert_true(!o.complete && o.interrupted);
        assert_int_equal(o.verdict, WW_NOT_VERIFIED);
        assert_int_equal(o.launches, 2);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_that_is_not_stopped_is_verified),
        cmocka_unit_test(a_stopped_run_is_incomplete),
        cmocka_unit_test(a_stop_during_verification_takes_the_verdict_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
