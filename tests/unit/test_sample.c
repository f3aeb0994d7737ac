/* The statistics of sampling, against numbers worked out by hand, and what `--sample` reads. */
#include "sim/sample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void assert_near(double is, double wanted, double distance)
{
    assert_true(is - wanted < distance && wanted - is < distance);
}

/* From the usual table of two-sided values. */
static void t_is_that_of_the_table(void **state)
{
    (void)state;
    assert_near(ww_student_t(1, 0.95), 12.706, 0.0006);
    assert_near(ww_student_t(2, 0.95), 4.303, 0.0006);
    assert_near(ww_student_t(3, 0.95), 3.182, 0.0006);
    assert_near(ww_student_t(4, 0.90), 2.132, 0.0006);
    assert_near(ww_student_t(5, 0.99), 4.032, 0.0006);
    assert_near(ww_student_t(10, 0.95), 2.228, 0.0006);
    assert_near(ww_student_t(30, 0.95), 2.042, 0.0006);
    assert_near(ww_student_t(100000, 0.95), 1.962, 0.0006);
}

static ww_moments sample_of(const double *values, unsigned count)
{
    ww_moments m = {0};
    for (unsigned i = 0; i < count; i++)
        ww_moments_add(&m, values[i]);
    return m;
}

/* 10, 12 and 14 of 30: mean 12, variance 4; 30 * 30 * (1 - 3 / 30) * 4 / 3 = 1080. */
static void one_stratum(void **state)
{
    (void)state;
    ww_moments m = sample_of((double[]){10, 12, 14}, 3);
    ww_estimate e = {0};
    assert_near(m.mean, 12, 1e-9);
    assert_near(ww_moments_variance(&m), 4, 1e-9);
    ww_estimate_add_stratum(&e, &m, 30);
    assert_near(e.total, 360, 1e-9);
    assert_near(e.variance, 1080, 1e-9);
    assert_near(ww_estimate_half_width(&e, 0.95), 4.3027 * 32.8634, 0.01);
}

/* With 5 and 7 of 10, too: 100 * 0.8 * 2 / 2 = 80 of one degree of freedom. All: 1160, of 1160^2 /
 * (1080^2 / 2 + 80^2 / 1) = 2.28 degrees, that is 2. */
static void two_strata_have_the_freedom_of_the_larger(void **state)
{
    (void)state;
    ww_moments a = sample_of((double[]){10, 12, 14}, 3), b = sample_of((double[]){5, 7}, 2);
    ww_estimate e = {0};
    ww_estimate_add_stratum(&e, &a, 30);
    ww_estimate_add_stratum(&e, &b, 10);
    assert_near(e.total, 420, 1e-9);
    assert_near(e.variance, 1160, 1e-9);
    assert_near(ww_estimate_half_width(&e, 0.95), 4.3027 * 34.0588, 0.01);
}

static void what_is_measured_as_a_whole_has_no_error(void **state)
{
    (void)state;
    ww_moments m = sample_of((double[]){3, 9}, 2), one = sample_of((double[]){5}, 1);
    ww_estimate e = {0};
    ww_estimate_add_stratum(&e, &m, 2);
    ww_estimate_add_stratum(&e, &one, 1);
    ww_estimate_add(&e, 100, 0, 0);
    assert_near(e.total, 117, 1e-9);
    assert_near(ww_estimate_half_width(&e, 0.95), 0, 1e-12);
}

static int reads(const char *text, double error, double confidence)
{
    ww_sample sample;
    ww_errors *errors = ww_errors_create();
    int status = ww_sample_read(text, &sample, errors);
    ww_errors_destroy(errors);
    if (status == WW_OK) {
        assert_near(sample.error, error, 1e-12);
        assert_near(sample.confidence, confidence, 1e-12);
    }
    return status;
}

static void the_option_has_usual_values(void **state)
{
    (void)state;
    assert_int_equal(reads(NULL, 0.03, 0.95), WW_OK);
    assert_int_equal(reads("error=0.01", 0.01, 0.95), WW_OK);
    assert_int_equal(reads("confidence=0.9,error=0.05", 0.05, 0.9), WW_OK);
}

static void wrong_values_are_refused(void **state)
{
    static const char *const wrong[] = {"",
                                        "error",
                                        "error=",
                                        "error=0",
                                        "error=0.6",
                                        "error=2%",
                                        "error=nan",
                                        "samples=3",
                                        "error=-1",
                                        "confidence=1",
                                        "confidence=0.4",
                                        "error=0.1,",
                                        "confidence=0.9x"};
    (void)state;
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
        assert_int_equal(reads(wrong[i], 0, 0), WW_BAD_INPUT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(t_is_that_of_the_table),
        cmocka_unit_test(one_stratum),
        cmocka_unit_test(two_strata_have_the_freedom_of_the_larger),
        cmocka_unit_test(what_is_measured_as_a_whole_has_no_error),
        cmocka_unit_test(the_option_has_usual_values),
        cmocka_unit_test(wrong_values_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
