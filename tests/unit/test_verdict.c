/* The verdict on a value beside a published one, and which program a mean rests on. */
#include "study/verdict.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static ww_reference value_of(double value)
{
    return (ww_reference){.value = value, .low = NAN, .high = NAN};
}

static ww_reference range_of(double low, double high)
{
    return (ww_reference){.value = NAN, .low = low, .high = high};
}

static ww_agreement ratio_beside(double ours, double published)
{
    ww_reference reference = value_of(published);
    return ww_agreement_of(ours, &reference, true);
}

static ww_agreement number_beside(double ours, double published)
{
    ww_reference reference = value_of(published);
    return ww_agreement_of(ours, &reference, false);
}

static ww_agreement ratio_in(double ours, double low, double high)
{
    ww_reference reference = range_of(low, high);
    return ww_agreement_of(ours, &reference, true);
}

static void test_ratios(void **state)
{
    (void)state;
    assert_int_equal(ratio_beside(1.17, 1.30), WW_AGREES); /* 10% exactly */
    assert_int_equal(ratio_beside(1.43, 1.30), WW_AGREES);
    assert_int_equal(ratio_beside(1.16, 1.30), WW_DIRECTION_ONLY);
    assert_int_equal(ratio_beside(2.9, 1.30), WW_DIRECTION_ONLY);
    assert_int_equal(ratio_beside(1.01, 1.30), WW_DIFFERS); /* no side */
    assert_int_equal(ratio_beside(0.9, 1.30), WW_DIFFERS);
    assert_int_equal(ratio_beside(0.97, 1.05), WW_DIFFERS); /* near, but a loss instead of a gain */
    assert_int_equal(ratio_beside(0.99, 1.05), WW_AGREES);
    assert_int_equal(ratio_beside(1.05, 1.0), WW_AGREES);
    assert_int_equal(ratio_beside(1.2, 1.0), WW_DIFFERS); /* nothing was published to go for */
    assert_int_equal(ratio_beside(0.9, 0.74), WW_DIRECTION_ONLY);
    assert_int_equal(ratio_beside(NAN, 1.3), WW_NO_VALUE);
}

static void test_ranges(void **state)
{
    (void)state;
    ww_reference share = range_of(0.45, 0.77), both = {.value = 0.8, .low = 0.6, .high = 0.9};
    assert_int_equal(ratio_in(1.3, 1.2, NAN), WW_AGREES);
    assert_int_equal(ratio_in(1.1, 1.2, NAN), WW_DIRECTION_ONLY);
    assert_int_equal(ratio_in(1.01, 1.2, NAN), WW_DIFFERS);
    assert_int_equal(ratio_in(1.1, NAN, 1.2), WW_AGREES);
    assert_int_equal(ratio_in(1.3, NAN, 1.2), WW_DIFFERS); /* "less than 1.2" has no direction */
    assert_int_equal(ratio_in(1.3, 1.02, 1.165), WW_DIRECTION_ONLY);
    assert_int_equal(ww_agreement_of(0.6, &share, false), WW_AGREES);
    assert_int_equal(ww_agreement_of(0.9, &share, false), WW_NEAR);
    assert_int_equal(ww_agreement_of(0.99, &share, false), WW_DIFFERS);
    assert_int_equal(ww_agreement_of(0.62, &both, false), WW_AGREES);
    assert_true(ww_difference(0.6, &share) == 0);
    assert_true(fabs(ww_difference(0.9, &both) - 0.125) < 1e-12);
}

static void test_numbers(void **state)
{
    (void)state;
    assert_int_equal(number_beside(110, 100), WW_AGREES);
    assert_int_equal(number_beside(125, 100), WW_NEAR);
    assert_int_equal(number_beside(126, 100), WW_DIFFERS);
    assert_int_equal(number_beside(-110, -100), WW_AGREES);
    assert_int_equal(number_beside(0, 0), WW_AGREES);
    assert_int_equal(number_beside(1, 0), WW_DIFFERS);
    ww_reference none = value_of(0);
    assert_true(isnan(ww_difference(1, &none)));
}

/* ---- means ---- */

static const char study_text[] =
    "machine: gtx480-cawa\nworkloads: [atax, bfs, nw, mvt]\nsets: {some: [atax, bfs, nw], two: "
    "[bfs, nw]}\n"
    "metrics: {speedup: cycles}\nfigures:\n  f: {metric: speedup, sets: [some, two], references:\n"
    "    [{row: some, column: base, value: 1.3, source: us, id: x.y}, {row: two, column: base, "
    "value: 1.3, source: us}]}\n";

/* A mean over three programs beside 1.3; the caller frees the text. */
static char *said_of(double atax, double bfs, double nw)
{
    ww_errors *errors = ww_errors_create();
    ww_study *study = ww_study_parse("test.yaml", study_text, strlen(study_text), errors);
    ww_errors_print(errors, stderr);
    assert_non_null(study);
    const ww_figure *figure = &study->figures[0];
    assert_string_equal(figure->references[0].id, "x.y");
    const char *rows[] = {"atax", "bfs", "nw", "mvt", "some", "two"}, *columns[] = {"base"};
    ww_cell cells[6] = {{.value = atax}, {.value = bfs}, {.value = nw}, {.value = 100}};
    cells[4] = (ww_cell){.value = cbrt(atax * bfs * nw), .reference = &figure->references[0]};
    cells[5] = (ww_cell){.value = sqrt(bfs * nw), .reference = &figure->references[1]};
    ww_grid grid = {.figure = figure,
                    .rows = rows,
                    .columns = columns,
                    .row_count = 6,
                    .column_count = 1,
                    .cells = cells};
    ww_reference_verdict two = ww_verdict_of(study, &grid, 5, 0),
                         verdict = ww_verdict_of(study, &grid, 4, 0);
    assert_null(two.rests_on); /* of two, one is always half */
    char *text = ww_verdict_text(&verdict, cells[4].value, cells[4].reference, false);
    ww_study_destroy(study);
    ww_errors_destroy(errors);
    return text;
}

static void expect_said(double atax, double bfs, double nw, const char *wanted)
{
    char *text = said_of(atax, bfs, nw);
    assert_string_equal(text, wanted);
    free(text);
}

static void test_support(void **state)
{
    (void)state;
    expect_said(1.3, 1.3, 1.3, "agrees: 1.300, published 1.300 (0%)");
    expect_said(1.2, 1.3, 1.4, "agrees: 1.297, published 1.300 (0%)");
    expect_said(1.0, 1.0, 2.2,
                "agrees: 1.301, published 1.300 (0%); rests on nw (without it 1.000)");
    expect_said(2.2, 1.02, 1.0,
                "agrees: 1.309, published 1.300 (+1%); rests on atax (without it 1.010)");
    expect_said(1.1, 1.1, 1.6, /* a worse verdict, not half of the gain */
                "agrees: 1.246, published 1.300 (-4%); rests on nw (without it 1.100)");
    expect_said(1.1, 1.1, 1.1, "direction only: 1.100, published 1.300 (-15%)");
    expect_said(0.9, 0.9, 0.9, "differs: 0.900, published 1.300 (-31%)");
    expect_said(NAN, 1, 1, "no value yet, published 1.300");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ratios),
        cmocka_unit_test(test_ranges),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_support),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
