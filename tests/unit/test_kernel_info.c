#include "host/kernel_info.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* As clang 19 writes it, without what does not matter here. */
static const char *ir =
    "define void @k(ptr %0, i32 %1) #0 !kernel_arg_addr_space !6 !kernel_arg_access_qual !7 "
    "!kernel_arg_type !8 !kernel_arg_type_qual !9 !kernel_arg_name !10 {\n"
    "define void @none() #0 !kernel_arg_addr_space !4 !kernel_arg_access_qual !4 "
    "!kernel_arg_type !4 !kernel_arg_type_qual !4 !kernel_arg_name !4 !vec_type_hint !11 "
    "!reqd_work_group_size !12 {\n"
    "define i32 @plain(i32 %0) #1 {\n"
    "!4 = !{}\n"
    "!6 = !{i32 1, i32 0}\n"
    "!7 = !{!\"none\", !\"none\"}\n"
    "!8 = !{!\"struct s*\", !\"uint\"}\n"
    "!9 = !{!\"restrict const\", !\"\"}\n"
    "!10 = !{!\"a\", !\"n\"}\n"
    "!11 = !{<4 x i32> undef, i32 0}\n"
    "!12 = !{i32 8, i32 4, i32 1}\n";

static void says_what_the_metadata_says(void **state)
{
    ww_kernel_info info;
    (void)state;
    char *ptx = ww_kernel_info_add(".version 6.0", ir);
    assert_int_equal(strncmp(ptx, ".version 6.0\n", 13), 0);
    assert_true(ww_kernel_info_read(ptx, "k", &info));
    assert_int_equal(info.count, 2);
    assert_string_equal(info.attributes, "");
    assert_int_equal(info.arguments[0].space, 1);
    assert_string_equal(info.arguments[0].access, "none");
    assert_string_equal(info.arguments[0].type, "struct s*");
    assert_string_equal(info.arguments[0].qualifiers, "restrict const");
    assert_string_equal(info.arguments[0].name, "a");
    assert_int_equal(info.arguments[1].space, 0);
    assert_string_equal(info.arguments[1].qualifiers, "");
    assert_string_equal(info.arguments[1].name, "n");
    ww_kernel_info_clear(&info);
    free(ptx);
}

static void attributes_are_as_they_were_written(void **state)
{
    ww_kernel_info info;
    (void)state;
    char *ptx = ww_kernel_info_add("", ir);
    assert_true(ww_kernel_info_read(ptx, "none", &info));
    assert_int_equal(info.count, 0);
    assert_string_equal(info.attributes, "reqd_work_group_size(8,4,1) vec_type_hint(uint4)");
    ww_kernel_info_clear(&info);
    assert_false(ww_kernel_info_read(ptx, "plain", &info));
    assert_false(ww_kernel_info_read(ptx, "non", &info));
    free(ptx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(says_what_the_metadata_says),
        cmocka_unit_test(attributes_are_as_they_were_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
