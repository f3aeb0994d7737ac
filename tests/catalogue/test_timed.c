/* One workload of the catalogue on machines with time: the result stays right, every law holds, and
 * two runs are the same.
 *
 *     test_timed NAME [quick]     quick: only `tiny`, on two machines */
#include "base/hash.h"
#include "base/memory.h"
#include "config/machine.h"
#include "sim/components.h"
#include "sim/execution.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char *workload;
static bool quick;

/* Both widths are among them. */
static const char *const machines[] = {"apu-isca18",  "v100",           "mi100-cuptw",
                                       "fermi-paged", "gtx480-latency", "gtx480-cawa",
                                       "gtx480-ctrlc"};
#define MACHINES (sizeof(machines) / sizeof(machines[0]))

/* The JSON of a run without what depends on the host, to be freed. */
static char *run(const char *name, const char *size)
{
    ww_errors *errors = ww_errors_create();
    ww_config *config = ww_config_create(&ww_all_schemas);
    ww_machine_file machine;
    ww_result result;
    assert_int_equal(ww_machine_load(config, name, WW_NOWHERE, &machine, errors), WW_OK);
    assert_int_equal(ww_config_set(config, "checked=true", errors), WW_OK);
    assert_int_equal(ww_config_check(config, errors), WW_OK);
    ww_execution what = {.config = config,
                         .machine = machine.name,
                         .workload = workload,
                         .size = size,
                         .seed = 1,
                         .verify = true,
                         .timed = true};
    int status = ww_execute(&what, &result, errors);
    ww_errors_print(errors, stderr);
    if (status != WW_OK || result.verdict != WW_VERIFIED || result.cycles == 0)
        fail_msg("%s (%s) on %s: status %d", workload, size, name, status);
    result.host_seconds = 0;
    result.host_peak_bytes = 0;
    char *json = ww_result_json(&result);
    ww_result_clear(&result);
    ww_machine_clear(&machine);
    ww_config_destroy(config);
    ww_errors_destroy(errors);
    return json;
}

static void tiny_is_right_on_every_machine(void **state)
{
    (void)state;
    for (size_t i = 0; i < (quick ? 2 : MACHINES); i++)
        free(run(machines[i], "tiny"));
}

static void two_runs_are_the_same(void **state)
{
    (void)state;
    char *first = run(machines[0], "tiny");
    char *second = run(machines[0], "tiny");
    assert_string_equal(first, second);
    free(first);
    free(second);
}

static void small_is_right_on_one_machine(void **state)
{
    (void)state;
    if (!quick)
        free(run(machines[ww_hash64(workload, strlen(workload), 0) % MACHINES], "small"));
}

int main(int count, char **words)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tiny_is_right_on_every_machine),
        cmocka_unit_test(two_runs_are_the_same),
        cmocka_unit_test(small_is_right_on_one_machine),
    };
    if (count < 2) {
        fprintf(stderr, "usage: test_timed NAME [quick]\n");
        return 2;
    }
    workload = words[1];
    quick = count > 2;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
