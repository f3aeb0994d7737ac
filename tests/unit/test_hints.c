/* Hints as users write them, and which buffers they are about. */
#include "host/hints.h"

#include "base/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static ww_hint_list *list_of(const char *text)
{
    ww_errors *errors = ww_errors_create();
    ww_hint_list *list = ww_hint_list_create();
    assert_int_equal(ww_hint_list_add(list, text, errors), WW_OK);
    ww_errors_destroy(errors);
    return list;
}

/* What a list says of a buffer that the program prefers on the host. */
static void expect_hints(const char *text, const char *buffer, ww_buffer_hints want)
{
    ww_hint_list *list = list_of(text);
    ww_buffer_hints got = {.preferred = WW_PREFER_HOST};
    ww_hint_list_apply(list, buffer, &got);
    assert_int_equal(got.preferred, want.preferred);
    assert_int_equal(got.accessed_by, want.accessed_by);
    assert_int_equal(got.read_mostly, want.read_mostly);
    assert_int_equal(got.prefetch, want.prefetch);
    ww_hint_list_destroy(list);
}

static void later_hints_override_earlier_ones(void **state)
{
    (void)state;
    expect_hints("b=prefetch", "a", (ww_buffer_hints){.preferred = WW_PREFER_HOST});
    expect_hints("a=prefetch", "a", (ww_buffer_hints){WW_PREFER_HOST, .prefetch = true});
    expect_hints("a=accessed_by,read_mostly", "a",
                 (ww_buffer_hints){WW_PREFER_HOST, true, true, false});
    expect_hints("*=preferred:gpu,prefetch  a=preferred:none,prefetch:false", "a",
                 (ww_buffer_hints){0});
    expect_hints("a=preferred:none *=preferred:gpu", "a",
                 (ww_buffer_hints){.preferred = WW_PREFER_GPU});
    expect_hints("a=accessed_by:gpu a=accessed_by:none", "a",
                 (ww_buffer_hints){.preferred = WW_PREFER_HOST});
    ww_buffer_hints untouched = {.read_mostly = true};
    ww_hint_list_apply(NULL, "a", &untouched);
    assert_true(untouched.read_mostly);
}

static void a_text_gives_the_same_list(void **state)
{
    (void)state;
    ww_hint_list *list = list_of(" *=preferred:gpu,read_mostly\ta=accessed_by ");
    char *text = ww_hint_list_text(list);
    assert_string_equal(text, "*=preferred:gpu *=read_mostly:true a=accessed_by:gpu");
    ww_hint_list *again = list_of(text);
    char *same = ww_hint_list_text(again), *none = ww_hint_list_text(NULL);
    assert_string_equal(same, text);
    assert_string_equal(none, "");
    free(none);
    free(same);
    free(text);
    ww_hint_list_destroy(again);
    ww_hint_list_destroy(list);
}

static void wrong_hints_are_refused(void **state)
{
    static const char kinds[] = "(one of: preferred, accessed_by, read_mostly, prefetch)";
    static const struct {
        const char *text, *line;
    } wrong[] = {
        {"", "--hint: '' (BUFFER=HINT is needed, such as a=preferred:host)"},
        {" ", "--hint: '' (BUFFER=HINT is needed, such as a=preferred:host)"},
        {"a", "--hint: 'a' (BUFFER=HINT is needed, such as a=preferred:host)"},
        {"=prefetch", "--hint: '=prefetch' (BUFFER=HINT is needed, such as a=preferred:host)"},
        {"a=", "--hint: unknown hint ''"},
        {"a=prefetch,", "--hint: unknown hint ''"},
        {"a=prefer:host", "--hint: unknown hint 'prefer'"},
        {"a=preferred", "--hint: 'preferred' is '' (one of: none, host, gpu)"},
        {"a=preferred:cpu", "--hint: 'preferred' is 'cpu' (one of: none, host, gpu)"},
        {"a=accessed_by:host", "--hint: 'accessed_by' is 'host' (one of: none, gpu)"},
        {"a=read_mostly:1", "--hint: 'read_mostly' is '1' (one of: false, true)"},
        {"b=prefetch a=prefetch:", "--hint: 'prefetch' is '' (one of: false, true)"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        ww_errors *errors = ww_errors_create();
        ww_hint_list *list = list_of("x=prefetch");
        bool unknown = strstr(wrong[i].line, "unknown") != NULL;
        char *line = ww_format("%s%s%s", wrong[i].line, unknown ? " " : "", unknown ? kinds : "");
        assert_int_equal(ww_hint_list_add(list, wrong[i].text, errors), WW_BAD_INPUT);
        assert_int_equal(ww_errors_count(errors), 1);
        assert_string_equal(ww_errors_line(errors, 0), line);
        char *rest = ww_hint_list_text(list);
        assert_string_equal(rest, "x=prefetch:true"); /* what was right is not added, either */
        free(rest);
        free(line);
        ww_hint_list_destroy(list);
        ww_errors_destroy(errors);
    }
}

static void every_unknown_buffer_is_named_once(void **state)
{
    (void)state;
    static const char *const names[] = {"a", "b"};
    ww_errors *errors = ww_errors_create();
    ww_hint_list *right = list_of("*=prefetch b=prefetch a=read_mostly");
    assert_int_equal(ww_hint_list_check(right, "toy", names, 2, errors), WW_OK);
    assert_int_equal(ww_hint_list_check(right, "toy", names, 1, errors), WW_BAD_INPUT);
    ww_hint_list *wrong = list_of("a=prefetch c=prefetch,read_mostly B=prefetch");
    assert_int_equal(ww_hint_list_check(wrong, "toy", names, 2, errors), WW_BAD_INPUT);
    assert_int_equal(ww_hint_list_check(NULL, "toy", names, 0, errors), WW_OK);
    assert_int_equal(ww_errors_count(errors), 3);
    assert_string_equal(ww_errors_line(errors, 0), "--hint: toy has no buffer 'b' (one of: a)");
    assert_string_equal(ww_errors_line(errors, 1), "--hint: toy has no buffer 'c' (one of: a, b)");
    assert_string_equal(ww_errors_line(errors, 2), "--hint: toy has no buffer 'B' (one of: a, b)");
    ww_hint_list_destroy(wrong);
    ww_hint_list_destroy(right);
    ww_errors_destroy(errors);
}

static void results_show_hints_that_there_are(void **state)
{
    (void)state;
    json_t *object = json_object();
    ww_hints_record(object, "a", &(ww_buffer_hints){0});
    assert_int_equal(json_object_size(object), 0);
    ww_hints_record(object, "a", &(ww_buffer_hints){WW_PREFER_GPU, true, false, true});
    ww_hints_record(object, "a", &(ww_buffer_hints){WW_PREFER_GPU, .read_mostly = true});
    char *text = json_dumps(object, JSON_COMPACT | JSON_SORT_KEYS);
    assert_string_equal(text, "{\"a\":{\"accessed_by\":\"gpu\",\"preferred\":\"gpu\","
                              "\"prefetch\":true,\"read_mostly\":true}}");
    free(text);
    json_decref(object);
    ww_hints_record(NULL, "a", &(ww_buffer_hints){.prefetch = true});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(later_hints_override_earlier_ones),
        cmocka_unit_test(a_text_gives_the_same_list),
        cmocka_unit_test(wrong_hints_are_refused),
        cmocka_unit_test(every_unknown_buffer_is_named_once),
        cmocka_unit_test(results_show_hints_that_there_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
