/* Trees, locations, refusals and typed values of YAML documents. */
#include "base/memory.h"
#include "config/yaml.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static ww_errors *errors;

static int set_up(void **state)
{
    (void)state;
    errors = ww_errors_create();
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    ww_errors_destroy(errors);
    return 0;
}

static ww_yaml_document *parse(const char *text)
{
    return ww_yaml_parse("t.yaml", text, strlen(text), errors);
}

static void assert_refused(const char *text, size_t count, const char *line)
{
    size_t before = ww_errors_count(errors);
    assert_null(ww_yaml_parse("t.yaml", text, count, errors));
    assert_true(ww_errors_count(errors) > before);
    assert_string_equal(ww_errors_line(errors, before), line);
    assert_int_equal(ww_errors_status(errors), WW_BAD_INPUT);
}

static void assert_at(const ww_yaml *node, int line, int col)
{
    assert_string_equal(node->at.file, "t.yaml");
    assert_int_equal(node->at.line, line);
    assert_int_equal(node->at.col, col);
}

static void tree_keeps_order_and_locations(void **state)
{
    (void)state;
    ww_yaml_document *document = parse("b: {x: 1, 'y': \"2\"}\na:\n  - one\n  - [2, 3]\n");
    assert_non_null(document);
    const ww_yaml *root = ww_yaml_root(document);
    assert_int_equal(root->kind, WW_YAML_MAPPING);
    assert_int_equal(root->count, 2);
    assert_string_equal(root->keys[0]->text, "b");
    assert_string_equal(root->keys[1]->text, "a");
    assert_at(root->keys[1], 2, 1);
    const ww_yaml *b = ww_yaml_get(root, "b");
    assert_at(b, 1, 4);
    assert_false(ww_yaml_get(b, "x")->quoted);
    assert_true(ww_yaml_get(b, "y")->quoted);
    assert_at(ww_yaml_get(b, "y"), 1, 16);
    const ww_yaml *a = ww_yaml_get(root, "a");
    assert_int_equal(a->kind, WW_YAML_SEQUENCE);
    assert_int_equal(a->count, 2);
    assert_at(a->items[0], 3, 5);
    assert_string_equal(a->items[1]->items[1]->text, "3");
    assert_null(ww_yaml_get(root, "c"));
    assert_null(ww_yaml_get(a, "c"));
    ww_yaml_destroy(document);
}

static void outlives_its_input(void **state)
{
    (void)state;
    char *text = ww_strdup("k: value\n"), *name = ww_strdup("t.yaml");
    ww_yaml_document *document = ww_yaml_parse(name, text, strlen(text), errors);
    free(text);
    free(name);
    assert_string_equal(ww_yaml_get(ww_yaml_root(document), "k")->text, "value");
    assert_at(ww_yaml_root(document), 1, 1);
    ww_yaml_destroy(document);
}

static void refuses(void **state)
{
    (void)state;
#define REFUSED(text, line) assert_refused(text, sizeof(text) - 1, line)
    REFUSED("", "t.yaml:1:1: nothing here (a YAML mapping is needed)");
    REFUSED("# only a remark\n", "t.yaml:1:1: nothing here (a YAML mapping is needed)");
    REFUSED("a: 1\nb: 2\na: 3\n", "t.yaml:3:1: key 'a' is given twice (first on line 1)");
    REFUSED("a: &x 1\n",
            "t.yaml:1:4: anchors are not supported (write the value where it is used)");
    REFUSED("a: *x\n", "t.yaml:1:4: aliases are not supported (write the value where it is used)");
    REFUSED("a: !!int 1\n", "t.yaml:1:4: tags are not supported (write the plain value)");
    REFUSED("a: &x [1]\n",
            "t.yaml:1:4: anchors are not supported (write the value where it is used)");
    REFUSED("a: !t {b: 1}\n", "t.yaml:1:4: tags are not supported (write the plain value)");
    REFUSED("a: 1\n---\nb: 2\n",
            "t.yaml:2:1: a second document starts here (one document a file is needed)");
    REFUSED("? [1, 2]\n: 3\n", "t.yaml:1:3: a key must be a plain name");
    REFUSED("a: \"\\0\"\n", "t.yaml:1:4: a NUL character in a value (text without NUL is needed)");
    REFUSED(
        "a: 1\nb\0: 2\n",
        "t.yaml:2:2: not valid YAML: control characters are not allowed (UTF-8 text is needed)");
    REFUSED("a: \xff\n",
            "t.yaml:1:4: not valid YAML: invalid leading UTF-8 octet (UTF-8 text is needed)");
    REFUSED("a: [1, 2\nb: 3\n", "t.yaml:2:2: not valid YAML: did not find expected ',' or ']' "
                                "while parsing a flow sequence");
    REFUSED("a: b: c\n",
            "t.yaml:1:5: not valid YAML: mapping values are not allowed in this context");
#undef REFUSED
}

static void reports_every_duplicate(void **state)
{
    (void)state;
    assert_null(parse("a: 1\na: 2\nb: {c: 1, c: 2}\n"));
    assert_int_equal(ww_errors_count(errors), 2);
}

static char *repeat(const char *piece, size_t times)
{
    size_t length = strlen(piece);
    char *text = ww_calloc(times * length + 1, 1);
    for (size_t i = 0; i < times; i++)
        memcpy(text + i * length, piece, length);
    return text;
}

static void deep_nesting_is_refused_at_once(void **state)
{
    (void)state;
    char *flow = repeat("[", 1000000), *block = repeat("- ", 100000);
    assert_refused(flow, 1000000, "t.yaml:1:65: nested too deeply (at most 64 levels)");
    assert_refused(block, 200000, "t.yaml:1:129: nested too deeply (at most 64 levels)");
    char *fits = repeat("[", (size_t)2 * WW_YAML_MOST_DEPTH);
    memset(fits + WW_YAML_MOST_DEPTH, ']', WW_YAML_MOST_DEPTH);
    ww_yaml_document *document = parse(fits);
    assert_non_null(document);
    ww_yaml_destroy(document);
    char *wide = repeat("- [[]]\n", (size_t)2 * WW_YAML_MOST_DEPTH);
    document = parse(wide);
    assert_non_null(document);
    ww_yaml_destroy(document);
    free(wide);
    free(flow);
    free(block);
    free(fits);
}

static void long_texts(void **state)
{
    (void)state;
    char *scalar = repeat("x", 1000000);
    ww_yaml_document *document = parse(scalar);
    assert_int_equal(strlen(ww_yaml_root(document)->text), 1000000);
    ww_yaml_destroy(document);
    free(scalar);
    char *huge = repeat("x", WW_YAML_MOST_BYTES + 1);
    assert_refused(huge, WW_YAML_MOST_BYTES + 1,
                   "t.yaml: 16777217 bytes is too long (at most 16777216)");
    free(huge);
}

static void unknown_keys_suggest_the_nearest(void **state)
{
    (void)state;
    static const char *const names[] = {"kernel", "buffers", "launches"};
    ww_yaml_document *document = parse("kernel: a\nbufers: 1\nzzz: 2\n");
    assert_int_equal(ww_yaml_expect_keys(ww_yaml_root(document), names, 3, errors), WW_BAD_INPUT);
    assert_int_equal(ww_errors_count(errors), 2);
    assert_string_equal(ww_errors_line(errors, 0),
                        "t.yaml:2:1: unknown key 'bufers' (did you mean 'buffers'?)");
    assert_string_equal(ww_errors_line(errors, 1),
                        "t.yaml:3:1: unknown key 'zzz' (one of: kernel, buffers, launches)");
    ww_yaml_destroy(document);
}

static void typed_values(void **state)
{
    (void)state;
    static const char *const fills[] = {"zero", "iota", "random"};
    ww_yaml_document *document =
        parse("n: 0x10\ni: -3\nd: 1.5e3\ninf: -.inf\nb: true\nt: \"7\"\nf: iota\n");
    const ww_yaml *root = ww_yaml_root(document);
    uint64_t n = 0;
    int64_t i = 0;
    double d = 0, inf = 0;
    bool b = false;
    const char *t = NULL;
    size_t f = 9;
    assert_int_equal(ww_yaml_u64(ww_yaml_get(root, "n"), "'n'", 1, 16, &n, errors), WW_OK);
    assert_int_equal(ww_yaml_i64(ww_yaml_get(root, "i"), "'i'", -3, 3, &i, errors), WW_OK);
    assert_int_equal(ww_yaml_double(ww_yaml_get(root, "d"), "'d'", &d, errors), WW_OK);
    assert_int_equal(ww_yaml_double(ww_yaml_get(root, "inf"), "'inf'", &inf, errors), WW_OK);
    assert_int_equal(ww_yaml_bool(ww_yaml_get(root, "b"), "'b'", &b, errors), WW_OK);
    assert_int_equal(ww_yaml_text(ww_yaml_get(root, "t"), "'t'", &t, errors), WW_OK);
    assert_int_equal(ww_yaml_choice(ww_yaml_get(root, "f"), "'f'", fills, 3, &f, errors), WW_OK);
    assert_true(n == 16 && i == -3 && d == 1500.0 && isinf(inf) && inf < 0 && b && f == 1);
    assert_string_equal(t, "7");
    ww_yaml_destroy(document);
}

static void wrong_types_say_what_is_needed(void **state)
{
    (void)state;
    static const char *const fills[] = {"zero", "iota", "random"};
    ww_yaml_document *document = parse("n: \"5\"\nm: 17\ns: [1]\nf: iotta\nb: yes\n");
    const ww_yaml *root = ww_yaml_root(document), *missing = NULL;
    uint64_t n = 42;
    bool b = false;
    size_t f = 9;
    ww_yaml_u64(ww_yaml_get(root, "n"), "'n'", 0, UINT64_MAX, &n, errors);
    ww_yaml_u64(ww_yaml_get(root, "m"), "'m'", 1, 16, &n, errors);
    ww_yaml_u64(ww_yaml_get(root, "s"), "'s'", 1, 16, &n, errors);
    ww_yaml_choice(ww_yaml_get(root, "f"), "'f'", fills, 3, &f, errors);
    ww_yaml_bool(ww_yaml_get(root, "b"), "'b'", &b, errors);
    ww_yaml_expect(ww_yaml_get(root, "s"), WW_YAML_MAPPING, "'s'", errors);
    ww_yaml_need(root, "kernel", &missing, errors);
    assert_int_equal(n, 42);
    assert_null(missing);
    static const char *const lines[] = {
        "t.yaml:1:4: 'n' is the text '5' (a whole number from 0 is needed)",
        "t.yaml:2:4: 'm' is '17' (a whole number from 1 to 16 is needed)",
        "t.yaml:3:4: 's' is a sequence (a whole number from 1 to 16 is needed)",
        "t.yaml:4:4: 'f' is 'iotta' (did you mean 'iota'?)",
        "t.yaml:5:4: 'b' is 'yes' (true or false is needed)",
        "t.yaml:3:4: 's' is a sequence (a mapping is needed)",
        "t.yaml:1:1: 'kernel' is missing",
    };
    assert_int_equal(ww_errors_count(errors), 7);
    for (size_t i = 0; i < 7; i++)
        assert_string_equal(ww_errors_line(errors, i), lines[i]);
    ww_yaml_destroy(document);
}

static void a_byte_order_mark_is_skipped(void **state)
{
    (void)state;
    ww_yaml_document *document = parse("\xef\xbb\xbf"
                                       "first: 1\n");
    assert_non_null(document);
    assert_string_equal(ww_yaml_root(document)->keys[0]->text, "first");
    assert_int_equal(ww_yaml_root(document)->keys[0]->at.col, 1);
    ww_yaml_destroy(document);
}

static void files(void **state)
{
    (void)state;
    char path[] = "/tmp/ww_test_yaml_XXXXXX";
    int fd = mkstemp(path);
    assert_int_equal(write(fd, "a: 1\n", 5), 5);
    close(fd);
    ww_yaml_document *document = ww_yaml_read(path, WW_NOWHERE, errors);
    assert_string_equal(ww_yaml_root(document)->at.file, path);
    ww_yaml_destroy(document);
    unlink(path);
    assert_null(ww_yaml_read("no/such.yaml", WW_NOWHERE, errors));
    assert_null(ww_yaml_read("/dev/zero", WW_NOWHERE, errors));
    assert_string_equal(ww_errors_line(errors, 0),
                        "cannot read 'no/such.yaml': No such file or directory");
    assert_string_equal(ww_errors_line(errors, 1), "'/dev/zero' is not a regular file");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(tree_keeps_order_and_locations),
        TEST(outlives_its_input),
        TEST(refuses),
        TEST(reports_every_duplicate),
        TEST(deep_nesting_is_refused_at_once),
        TEST(long_texts),
        TEST(unknown_keys_suggest_the_nearest),
        TEST(typed_values),
        TEST(wrong_types_say_what_is_needed),
        TEST(a_byte_order_mark_is_skipped),
        TEST(files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
