#include "base/map.h"

#include "base/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static int setup(void **state)
{
    *state = ww_map_create();
    return 0;
}

static int teardown(void **state)
{
    ww_map_destroy(*state);
    return 0;
}

static void finds_what_was_added(void **state)
{
    int one = 1, two = 2;
    assert_int_equal(ww_map_add(*state, "one", 3, &one), 1);
    assert_int_equal(ww_map_add(*state, "two", 3, &two), 1);
    assert_ptr_equal(ww_map_find(*state, "one"), &one);
    assert_ptr_equal(ww_map_find(*state, "two"), &two);
    assert_null(ww_map_find(*state, "three"));
    assert_null(ww_map_find(*state, "on"));
    assert_null(ww_map_find(*state, ""));
    assert_int_equal(ww_map_count(*state), 2);
}

static void the_first_of_a_key_stays(void **state)
{
    int one = 1, two = 2;
    ww_map_add(*state, "key", 3, &one);
    assert_int_equal(ww_map_add(*state, "key", 3, &two), 0);
    assert_ptr_equal(ww_map_find(*state, "key"), &one);
    assert_int_equal(ww_map_count(*state), 1);
}

static void a_key_is_its_length_of_bytes(void **state)
{
    int part = 1, zero = 2, empty = 3;
    ww_map_add(*state, "register", 3, &part);
    ww_map_add(*state, "a\0b", 3, &zero);
    ww_map_add(*state, "", 0, &empty);
    assert_ptr_equal(ww_map_find(*state, "reg"), &part);
    assert_null(ww_map_find(*state, "register"));
    assert_ptr_equal(ww_map_get(*state, "a\0b", 3), &zero);
    assert_null(ww_map_get(*state, "a\0c", 3));
    assert_ptr_equal(ww_map_find(*state, ""), &empty);
}

static void grows(void **state)
{
    enum { COUNT = 5000 };
    static int values[COUNT];
    ww_arena *arena = ww_arena_create();
    char *keys[COUNT];
    for (int i = 0; i < COUNT; i++) {
        keys[i] = ww_arena_printf(arena, "%%r%d", i);
        assert_int_equal(ww_map_add(*state, keys[i], strlen(keys[i]), &values[i]), 1);
    }
    assert_int_equal(ww_map_count(*state), COUNT);
    for (int i = 0; i < COUNT; i++)
        assert_ptr_equal(ww_map_find(*state, keys[i]), &values[i]);
    assert_null(ww_map_find(*state, "%r5000"));
    ww_arena_destroy(arena);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(finds_what_was_added),
        TEST(the_first_of_a_key_stays),
        TEST(a_key_is_its_length_of_bytes),
        TEST(grows),
    };
    return cmocka_run_group_tests_name("map", tests, NULL, NULL);
}
