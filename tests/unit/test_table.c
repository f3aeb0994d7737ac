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
    ww_table_write(table, out);
    ww_table_destroy(table);
    fclose(out);
    assert_string_equal(text, "name    n   last\n"
                              "größer  1   a\n"
                              "small   22  µ\n");
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_are_aligned_by_characters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
