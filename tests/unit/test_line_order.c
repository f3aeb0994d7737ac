/* The reorder buffer of vector memory: lines leave in the order in which they entered. */
#include "core/line_order.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

/* Four entries: a line that is answered early keeps its entry until those before it are answered. */
static void entries_are_freed_in_order(void **state)
{
    ww_line_order order = ww_line_order_create(4, 8);
    uint16_t entry[4];
    (void)state;
    for (unsigned i = 0; i < 4; i++) {
        assert_true(ww_line_order_has_room(&order, 1, false));
        entry[i] = ww_line_order_enter(&order);
    }
    assert_false(ww_line_order_has_room(&order, 1, false));
    ww_line_order_answer(&order, entry[1]);
    ww_line_order_answer(&order, entry[2]);
    assert_false(ww_line_order_has_room(&order, 1, false));
    ww_line_order_answer(&order, entry[0]);
    assert_true(ww_line_order_has_room(&order, 3, false));
    assert_false(ww_line_order_has_room(&order, 4, false));
    ww_line_order_answer(&order, entry[3]);
    assert_true(ww_line_order_has_room(&order, 4, false));
    free(order.answered);
}

/* An instruction of eight lines on four entries goes on if it is the oldest; what follows waits until
 * all but three of its lines have left. */
static void the_oldest_instruction_always_has_room(void **state)
{
    ww_line_order order = ww_line_order_create(4, 8);
    uint16_t entry[8];
    (void)state;
    for (unsigned i = 0; i < 8; i++) {
        assert_int_equal(ww_line_order_has_room(&order, 1, false), i < 4);
        assert_true(ww_line_order_has_room(&order, 1, true));
        entry[i] = ww_line_order_enter(&order);
    }
    for (unsigned i = 0; i < 8; i++) {
        assert_int_equal(ww_line_order_has_room(&order, 1, false), i > 4);
        ww_line_order_answer(&order, entry[i]);
    }
    free(order.answered);
}

static void without_entries_there_is_always_room(void **state)
{
    ww_line_order order = ww_line_order_create(0, 8);
    (void)state;
    for (unsigned i = 0; i < 100; i++) {
        assert_true(ww_line_order_has_room(&order, 64, false));
        ww_line_order_enter(&order);
    }
    free(order.answered);
}

/* Against a plain list, for many more lines than the ring has entries. */
static void a_long_run_agrees_with_a_list(void **state)
{
    enum { LINES = 5000, ENTRIES = 7 };
    ww_line_order order = ww_line_order_create(ENTRIES, 1);
    uint16_t entry[LINES];
    bool answered[LINES] = {0};
    unsigned first = 0, next = 0;
    uint32_t draw = 1;
    (void)state;
    while (first < LINES) {
        draw = draw * 1664525u + 1013904223u;
        assert_int_equal(ww_line_order_has_room(&order, 1, false), next - first < ENTRIES);
        if (draw >> 31 && next < LINES && next - first < ENTRIES) {
            entry[next++] = ww_line_order_enter(&order);
            continue;
        }
        unsigned n = first + (draw >> 8) % ENTRIES;
        if (n >= next || answered[n])
            continue;
        answered[n] = true;
        ww_line_order_answer(&order, entry[n]);
        while (first < next && answered[first])
            first++;
    }
    free(order.answered);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(entries_are_freed_in_order),
        cmocka_unit_test(the_oldest_instruction_always_has_room),
        cmocka_unit_test(without_entries_there_is_always_room),
        cmocka_unit_test(a_long_run_agrees_with_a_list),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
