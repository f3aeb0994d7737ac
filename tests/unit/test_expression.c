/* Metrics: values, precedence, missing values, other points, and errors at their character. */
#include "base/expression.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* a is 6, b is 4, a.b_2 is 10, none has no value; each coordinate in brackets adds 100. */
static double read_name(void *context, const ww_expression *name)
{
    double more = 100 * (double)name->elsewhere_count;
    (void)context;
    if (strcmp(name->name, "a") == 0)
        return 6 + more;
    if (strcmp(name->name, "b") == 0)
        return 4 + more;
    return strcmp(name->name, "a.b_2") == 0 ? 10 + more : NAN;
}

static double value_of(const char *text)
{
    ww_arena *arena = ww_arena_create();
    ww_errors *errors = ww_errors_create();
    const ww_expression *e = ww_expression_parse(text, (ww_where){"f", 1, 1}, arena, errors);
    assert_non_null(e);
    double value = ww_expression_evaluate(e, read_name, NULL);
    ww_errors_destroy(errors);
    ww_arena_destroy(arena);
    return value;
}

static void expect_error(const char *text, const char *line)
{
    ww_arena *arena = ww_arena_create();
    ww_errors *errors = ww_errors_create();
    assert_null(ww_expression_parse(text, (ww_where){"f", 3, 10}, arena, errors));
    assert_int_equal(ww_errors_count(errors), 1);
    assert_string_equal(ww_errors_line(errors, 0), line);
    ww_errors_destroy(errors);
    ww_arena_destroy(arena);
}

static void expressions_have_values(void **state)
{
    (void)state;
    assert_true(value_of("a") == 6);
    assert_true(value_of(" 1.5e1 ") == 15);
    assert_true(value_of("a - b - 1") == 1);
    assert_true(value_of("a / b / 2") == 0.75);
    assert_true(value_of("2 + a * b") == 26);
    assert_true(value_of("(2 + a) * b") == 32);
    assert_true(value_of("-a + -(b)") == -10);
    assert_true(value_of("a.b_2 / a.b_2") == 1);
    assert_true(value_of("min(a, b) * max(a, b + 3)") == 28);
    assert_true(value_of("ceil(a / b) + floor(a / b)") == 3);
    assert_true(value_of("ceil(-a / b) + floor(b)") == 3);
    assert_true(value_of("power_of_two(a) + power_of_two(b) + power_of_two(0)") == 13);
    assert_true(value_of("b[rr] - b") == 100);
    assert_true(value_of("b[ variant = rr , l1d.size = 16KiB ] - b") == 200);
}

static void what_is_missing_has_no_value(void **state)
{
    (void)state;
    assert_true(isnan(value_of("none")));
    assert_true(isnan(value_of("a + none * 0")));
    assert_true(isnan(value_of("min(a, none)")));
    assert_true(isnan(value_of("a / 0")));
    assert_true(isnan(value_of("ceil(none)")));
    assert_true(isnan(value_of("power_of_two(1e308 * 10)")));
    assert_true(isnan(value_of("a / (b - 4)")));
    assert_true(isnan(value_of("a / (1e308 * 10)")));
    assert_true(value_of("min(a, 1e308 * 10)") == 6);
}

static void errors_name_the_character(void **state)
{
    (void)state;
    expect_error("", "f:3:10: the expression ends here (a name, a number or '(' is needed)");
    expect_error("a +", "f:3:13: the expression ends here (a name, a number or '(' is needed)");
    expect_error("a b", "f:3:12: 'b' in an expression (an operator is needed)");
    expect_error("a ^ 2", "f:3:12: '^' in an expression (an operator is needed)");
    expect_error("(a", "f:3:12: the expression ends here (')' is needed)");
    expect_error("a)", "f:3:11: ')' in an expression (an operator is needed)");
    expect_error("1.2.3", "f:3:10: '1' in an expression (a number is needed)");
    expect_error("min(a)", "f:3:15: ')' in an expression (',' is needed)");
    expect_error("max(a, b", "f:3:18: the expression ends here (')' is needed)");
    expect_error("ceil(a, b)", "f:3:16: ',' in an expression (')' is needed)");
    expect_error("1 + cel(a)",
                 "f:3:14: unknown function 'cel' (min, max, ceil, floor or power_of_two)");
    expect_error("a[]",
                 "f:3:12: ']' in an expression (a variant or COORDINATE=VALUE, and ']' is needed)");
    expect_error("a[x=]",
                 "f:3:14: ']' in an expression (a variant or COORDINATE=VALUE, and ']' is needed)");
    expect_error(
        "a[x",
        "f:3:13: the expression ends here (a variant or COORDINATE=VALUE, and ']' is needed)");
}

static void deep_and_long_texts_are_refused(void **state)
{
    (void)state;
    char text[3001];
    memset(text, '(', 1000);
    text[1000] = 0;
    expect_error(
        text, "f:3:74: '(' in an expression (an expression that is nested less deeply is needed)");
    memset(text, '1', 3000);
    text[3000] = 0;
    expect_error(text, "f:3:10: the expression has more than 2000 characters");
}

/* a is 2^63 - 1; b is no whole number. */
static bool read_whole(void *context, const ww_expression *name, ww_whole *value)
{
    (void)context;
    *value = INT64_MAX;
    return strcmp(name->name, "a") == 0;
}

static bool whole_of(const char *text, ww_whole *value)
{
    ww_arena *arena = ww_arena_create();
    ww_errors *errors = ww_errors_create();
    const ww_expression *e = ww_expression_parse(text, (ww_where){"f", 1, 1}, arena, errors);
    assert_non_null(e);
    bool whole = ww_expression_evaluate_whole(e, read_whole, NULL, value);
    ww_errors_destroy(errors);
    ww_arena_destroy(arena);
    return whole;
}

static void whole_numbers_are_exact(void **state)
{
    static const struct {
        const char *text;
        int64_t value;
    } exact[] = {{"9007199254740993", 9007199254740993},
                 {"-a - 1", INT64_MIN},
                 {"a * 3 / 3 - 2", INT64_MAX - 2},
                 {"min(a, a - 1)", INT64_MAX - 1},
                 {"max(ceil(a - 3), floor(7))", INT64_MAX - 3},
                 {"power_of_two(4611686018427387903)", INT64_C(1) << 62},
                 {"power_of_two(-5)", 1}};
    static const char *const others[] = {"1.5",           "a + b",
                                         "7 / 2",         "7 / 0",
                                         "7 / -1",        "18446744073709551616",
                                         "a * a * a * a", "power_of_two(a * a * 3)"};
    ww_whole value;
    (void)state;
    for (size_t i = 0; i < sizeof(exact) / sizeof(exact[0]); i++)
        assert_true(whole_of(exact[i].text, &value) && value == exact[i].value);
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
        assert_false(whole_of(others[i], &value));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_numbers_are_exact),
        cmocka_unit_test(expressions_have_values),
        cmocka_unit_test(what_is_missing_has_no_value),
        cmocka_unit_test(errors_name_the_character),
        cmocka_unit_test(deep_and_long_texts_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
