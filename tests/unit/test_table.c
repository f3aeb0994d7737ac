#include "base/fold.h"
#include "base/table.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

static void columns_are_aligned_by_characters(void **state)
{
    (void)state;
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    assert_non_null(out);
    ww_table *table = ww_table_create(3);
    ww_table_add(table, (const char *const[]){"name", "n", "last"});
    ww_table_add(table, (const char *const[]){"größer", "1", "a"});
    ww_table_add(table, (const char *const[]){"small", "22", "µ"});
    assert_int_equal(ww_table_width(table), 16);
    ww_table_write(table, 16, out);
    ww_table_destroy(table);
    fclose(out);
    assert_string_equal(text, "name    n   last\n"
                              "größer  1   a\n"
                              "small   22  µ\n");
    free(text);
}

static char *written(const ww_table *table, size_t width,
                     void (*write)(const ww_table *, size_t, FILE *))
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    assert_non_null(out);
    write(table, width, out);
    fclose(out);
    return text;
}

static void texts_that_are_too_wide_are_folded(void **state)
{
    (void)state;
    ww_table *table = ww_table_create(3);
    ww_table_add(table, (const char *const[]){"key", "doc", "from"});
    ww_table_add(table, (const char *const[]){"l1d.size", "größe of the cache, in bytes", "here"});
    ww_table_add(table, (const char *const[]){"x", "", ""});
    char *text = written(table, 30, ww_table_write);
    assert_string_equal(text, "key       doc             from\n"
                              "l1d.size  größe of the    here\n"
                              "          cache, in\n"
                              "          bytes\n"
                              "x\n");
    free(text);
    text = written(table, WW_ANY_WIDTH, ww_table_write);
    assert_string_equal(text, "key       doc                           from\n"
                              "l1d.size  größe of the cache, in bytes  here\n"
                              "x\n");
    free(text);
    /* A word that is too long is cut; no column becomes narrower than what can be read. */
    text = written(table, 1, ww_table_write);
    assert_string_equal(text, "key       doc       from\n"
                              "l1d.size  größe of  here\n"
                              "          the\n"
                              "          cache,\n"
                              "          in bytes\n"
                              "x\n");
    free(text);
    ww_table_destroy(table);
}

static void too_many_columns_of_numbers_are_several_tables(void **state)
{
    (void)state;
    ww_table *table = ww_table_create(4);
    ww_table_add(table, (const char *const[]){"row", "a", "b", "c"});
    ww_table_add(table, (const char *const[]){"atax", "1.000", "2.000 [2.1]", "3"});
    char *text = written(table, 24, ww_table_write_blocks);
    assert_string_equal(text, "row   a      b\n"
                              "atax  1.000  2.000 [2.1]\n"
                              "\n"
                              "row   c\n"
                              "atax  3\n");
    free(text);
    text = written(table, 27, ww_table_write_blocks);
    assert_string_equal(text, "row   a      b            c\n"
                              "atax  1.000  2.000 [2.1]  3\n");
    free(text);
    text = written(table, 5, ww_table_write_blocks); /* one column has to be shown */
    assert_string_equal(text,
                        "row   a\natax  1.000\n\nrow   b\natax  2.000 [2.1]\n\nrow   c\natax  "
                        "3\n");
    free(text);
    ww_table_destroy(table);
}

static void lines_are_folded_at_spaces(void **state)
{
    (void)state;
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    assert_non_null(out);
    ww_fold_line(out, 20, 2, "%s", "twenty characters aa and more of them");
    ww_fold_line(out, 20, 2, "%s", "averylongwordthatdoesnotfit");
    ww_fold_line(out, WW_ANY_WIDTH, 2, "%s", "twenty characters aa and more");
    ww_fold_line(out, 20, 2, "%s", "");
    fclose(out);
    assert_string_equal(text, "twenty characters aa\n  and more of them\n"
                              "averylongwordthatdoe\n  snotfit\n"
                              "twenty characters aa and more\n"
                              "\n");
    free(text);
}

static void the_width_is_that_of_the_terminal(void **state)
{
    (void)state;
    FILE *null = fopen("/dev/null", "w");
    assert_non_null(null);
    setenv("COLUMNS", "120", 1);
    assert_int_equal(ww_fold_width(null), 120);
    setenv("COLUMNS", "1", 1); /* nothing can be shown in that */
    assert_int_equal(ww_fold_width(null), 40);
    static const char *const no_width[] = {"", "0", "wide", "-5"};
    for (size_t i = 0; i < 4; i++) {
        setenv("COLUMNS", no_width[i], 1);
        assert_int_equal(ww_fold_width(null), 100);
    }
    unsetenv("COLUMNS");
    assert_int_equal(ww_fold_width(null), 100);
    fclose(null);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_are_aligned_by_characters),
        cmocka_unit_test(texts_that_are_too_wide_are_folded),
        cmocka_unit_test(too_many_columns_of_numbers_are_several_tables),
        cmocka_unit_test(lines_are_folded_at_spaces),
        cmocka_unit_test(the_width_is_that_of_the_terminal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
