#include "base/error.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static int setup(void **state)
{
    *state = ww_errors_create();
    return 0;
}

static int teardown(void **state)
{
    ww_errors_destroy(*state);
    return 0;
}

static void starts_empty(void **state)
{
    assert_int_equal(ww_errors_count(*state), 0);
    assert_int_equal(ww_errors_status(*state), WW_OK);
}

static void says_as_much_of_the_place_as_is_known(void **state)
{
    ww_fail(*state, WW_BAD_INPUT, (ww_where){"a.yaml", 3, 7}, "no such key '%s'", "x");
    ww_fail(*state, WW_BAD_INPUT, (ww_where){"a.yaml", 3, 0}, "b");
    ww_fail(*state, WW_BAD_INPUT, (ww_where){"a.yaml", 0, 7}, "c");
    ww_fail(*state, WW_BAD_INPUT, WW_NOWHERE, "d");
    assert_string_equal(ww_errors_line(*state, 0), "a.yaml:3:7: no such key 'x'");
    assert_string_equal(ww_errors_line(*state, 1), "a.yaml:3: b");
    assert_string_equal(ww_errors_line(*state, 2), "a.yaml: c");
    assert_string_equal(ww_errors_line(*state, 3), "d");
}

static void returns_its_status_and_keeps_the_highest(void **state)
{
    assert_int_equal(ww_fail(*state, WW_FAILED, WW_NOWHERE, "a"), WW_FAILED);
    assert_int_equal(ww_errors_status(*state), WW_FAILED);
    assert_int_equal(ww_fail(*state, WW_BAD_INPUT, WW_NOWHERE, "b"), WW_BAD_INPUT);
    assert_int_equal(ww_fail(*state, WW_FAILED, WW_NOWHERE, "c"), WW_FAILED);
    assert_int_equal(ww_errors_status(*state), WW_BAD_INPUT);
}

static void stays_one_line(void **state)
{
    ww_fail(*state, WW_BAD_INPUT, (ww_where){"new\nline", 1, 1}, "a\nb\tc\x1b[0m\x7f \xc3\xa9");
    assert_string_equal(ww_errors_line(*state, 0), "new?line:1:1: a?b?c?[0m? \xc3\xa9");
}

static void prints_a_hundred_lines_and_counts_the_rest(void **state)
{
    char *text = NULL;
    size_t size = 0, lines = 0;
    for (int i = 0; i < 103; i++)
        ww_fail(*state, WW_FAILED, WW_NOWHERE, "error %d", i);
    assert_int_equal(ww_errors_count(*state), 100);
    FILE *out = open_memstream(&text, &size);
    ww_errors_print(*state, out);
    fclose(out);
    for (const char *c = text; *c; c++)
        lines += *c == '\n';
    assert_int_equal(lines, 101);
    assert_int_equal(strncmp(text, "error 0\nerror 1\n", 16), 0);
    assert_non_null(strstr(text, "error 99\nand 3 more errors\n"));
    free(text);
}

static void a_late_error_still_raises_the_status(void **state)
{
    for (int i = 0; i < 100; i++)
        ww_fail(*state, WW_FAILED, WW_NOWHERE, "error");
    ww_fail(*state, WW_BAD_INPUT, WW_NOWHERE, "error");
    assert_int_equal(ww_errors_status(*state), WW_BAD_INPUT);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(starts_empty),
        TEST(says_as_much_of_the_place_as_is_known),
        TEST(returns_its_status_and_keeps_the_highest),
        TEST(stays_one_line),
        TEST(prints_a_hundred_lines_and_counts_the_rest),
        TEST(a_late_error_still_raises_the_status),
    };
    return cmocka_run_group_tests_name("error", tests, NULL, NULL);
}
