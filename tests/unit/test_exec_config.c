/* From configuration to execution options. */
#include "exec/exec_config.h"
#include "exec/order.h"
#include "sim/components.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void defaults_take_the_best_lanes(void **state)
{
    (void)state;
    ww_errors *errors = ww_errors_create();
    ww_config *config = ww_config_create(&ww_all_schemas);
    ww_exec_options options = {.max_instructions = 77};
    assert_int_equal(ww_exec_configure(config, 5, &options, errors), WW_OK);
    assert_int_equal(options.width, 32);
    assert_int_equal(options.level, ww_lane_best());
    assert_string_equal(options.order->policy.name, "in_order");
    assert_int_equal(options.seed, 5);
    assert_int_equal(options.max_instructions, 77);
    ww_config_destroy(config);
    ww_errors_destroy(errors);
}

/* Each name means the level of the same name, and those above the processor's best are refused. */
static void lanes_by_name(void **state)
{
    (void)state;
    static const ww_lane_level levels[] = {WW_LANE_PORTABLE, WW_LANE_AVX2, WW_LANE_AVX512};
    for (size_t i = 0; i < sizeof(levels) / sizeof(levels[0]); i++) {
        char setting[64];
        ww_errors *errors = ww_errors_create();
        ww_config *config = ww_config_create(&ww_all_schemas);
        ww_exec_options options = {0};
        snprintf(setting, sizeof(setting), "exec.lanes=%s", ww_lane_level_name(levels[i]));
        assert_int_equal(ww_config_set(config, setting, errors), WW_OK);
        int status = ww_exec_configure(config, 1, &options, errors);
        assert_int_equal(status, levels[i] <= ww_lane_best() ? WW_OK : WW_BAD_INPUT);
        assert_int_equal(options.level, levels[i]);
        ww_config_destroy(config);
        ww_errors_destroy(errors);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults_take_the_best_lanes),
        cmocka_unit_test(lanes_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
