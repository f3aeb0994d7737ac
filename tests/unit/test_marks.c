/* Comparisons of many marks, as a loop over them. */
#include "mem/marks.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static uint32_t equal_one_by_one(const uint8_t *marks, uint8_t wanted)
{
    uint32_t equal = 0;
    for (uint32_t i = 0; i < WW_MARKS; i++)
        equal |= (uint32_t)(marks[i] == wanted) << i;
    return equal;
}

static void marks_compare_as_one_by_one(void **state)
{
    (void)state;
    uint64_t draw = 1;
    uint8_t marks[WW_MARKS + 1];
    for (uint32_t round = 0; round < 20000; round++) {
        for (uint32_t i = 0; i < sizeof(marks); i++) {
            draw = draw * UINT64_C(6364136223846793005) + 1;
            marks[i] = (uint8_t)(draw >> 40) & (round % 2 ? 0x81 : 0xff);
        }
        uint8_t wanted = round % 3 ? marks[round % WW_MARKS] : (uint8_t)(draw >> 50);
        const uint8_t *at = marks + round % 2; /* at any address */
        assert_int_equal(ww_marks_equal(at, ww_marks_of(wanted)), equal_one_by_one(at, wanted));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(marks_compare_as_one_by_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
