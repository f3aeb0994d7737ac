/* JSON text: order, shortest reals, escapes, and what JSON cannot hold. */
#include "base/json.h"
#include "base/rng.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void assert_written(json_t *value, const char *wanted)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    ww_json_write(value, out);
    fclose(out);
    assert_string_equal(text, wanted);
    free(text);
    json_decref(value);
}

static void values(void **state)
{
    (void)state;
    assert_written(json_object(), "{}\n");
    assert_written(json_array(), "[]\n");
    assert_written(json_integer(INT64_MIN), "-9223372036854775808\n");
    assert_written(json_true(), "true\n");
    assert_written(json_false(), "false\n");
    assert_written(json_string("a\"\n\\\x01"), "\"a\\\"\\n\\\\\\u0001\"\n");
}

static void objects_keep_their_order(void **state)
{
    (void)state;
    assert_written(json_pack("{s:i, s:[i,{s:b}], s:n}", "z", 1, "a", 2, "k", 1, "m"),
                   "{\n  \"z\": 1,\n  \"a\": [\n    2,\n    {\n      \"k\": true\n    }\n  ],\n"
                   "  \"m\": null\n}\n");
}

static void no_text_ends_a_script(void **state)
{
    (void)state;
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    json_t *value = json_pack("{s:[s,i,f], s:{}, s:[]}", "<a>", "</script><!--", 1, 0.5, "b", "c");
    ww_json_write_script(value, out);
    fclose(out);
    assert_string_equal(text,
                        "{\"\\u003ca>\":[\"\\u003c/script>\\u003c!--\",1,0.5],\"b\":{},\"c\":[]}");
    free(text);
    json_decref(value);
}

static void reals_are_shortest_and_stay_reals(void **state)
{
    (void)state;
    assert_written(ww_json_real(0.1), "0.1\n");
    assert_written(ww_json_real(1), "1.0\n");
    assert_written(ww_json_real(-0.0), "-0.0\n");
    assert_written(ww_json_real(1e22), "1e+22\n");
    assert_written(ww_json_real(2.0 / 3), "0.6666666666666666\n");
    assert_written(ww_json_real(NAN), "null\n");
    assert_written(ww_json_real(-INFINITY), "null\n");
}

/* The first of 1, 2, 3, ... digits that give the number again. */
static void check_shortest(double value)
{
    char text[WW_DOUBLE_CHARS], want[WW_DOUBLE_CHARS];
    ww_double_text(value, text);
    int digits = 0;
    do
        snprintf(want, sizeof(want), "%.*g", ++digits, value);
    while (strtod(want, NULL) != value);
    assert_string_equal(text, want);
}

static void fewer_digits_are_not_enough(void **state)
{
    (void)state;
    ww_rng rng;
    ww_rng_seed(&rng, 3);
    for (unsigned i = 0; i < 20000; i++) {
        uint64_t bits = ww_rng_next(&rng);
        double any, few = (double)(int64_t)ww_rng_below(&rng, 1000000) + 0.5;
        memcpy(&any, &bits, sizeof(any));
        if (isfinite(any) && any != nearbyint(any))
            check_shortest(any);
        for (unsigned n = 0; n < i % 12; n++)
            few /= 10;
        check_shortest(few);
    }
    check_shortest(5e-324);
    check_shortest(2.2250738585072014e-308);
    check_shortest(2.225073858507201e-308);
    check_shortest(1e15);
    check_shortest(1234567890123456);
}

static void text_from_outside(void **state)
{
    (void)state;
    assert_written(ww_json_text("gr\xc3\xbc\xc3\x9f"), "\"gr\xc3\xbc\xc3\x9f\"\n");
    assert_written(ww_json_text("a\xff\xc3z"), "\"a\?\?z\"\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values),
        cmocka_unit_test(objects_keep_their_order),
        cmocka_unit_test(no_text_ends_a_script),
        cmocka_unit_test(reals_are_shortest_and_stay_reals),
        cmocka_unit_test(fewer_digits_are_not_enough),
        cmocka_unit_test(text_from_outside),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
