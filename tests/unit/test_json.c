/* JSON text: order, shortest reals, escapes, and what JSON cannot hold. */
#include "base/json.h"

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
        cmocka_unit_test(text_from_outside),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
