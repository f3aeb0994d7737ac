#include "base/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static int setup(void **state)
{
    *state = ww_arena_create();
    return 0;
}

static int teardown(void **state)
{
    ww_arena_destroy(*state);
    return 0;
}

static void objects_are_zeroed_aligned_and_apart(void **state)
{
    unsigned char *objects[500];
    for (size_t i = 0; i < 500; i++) {
        objects[i] = ww_arena_alloc(*state, i + 1, 3);
        assert_int_equal((uintptr_t)objects[i] % 16, 0);
        for (size_t b = 0; b < 3 * (i + 1); b++)
            assert_int_equal(objects[i][b], 0);
        memset(objects[i], (int)(i % 255 + 1), 3 * (i + 1));
    }
    for (size_t i = 0; i < 500; i++)
        for (size_t b = 0; b < 3 * (i + 1); b++)
            assert_int_equal(objects[i][b], i % 255 + 1);
}

static void an_object_may_be_larger_than_a_chunk(void **state)
{
    size_t bytes = 1 << 20;
    unsigned char *large = ww_arena_alloc(*state, bytes, 1);
    memset(large, 0xff, bytes);
    unsigned char *next = ww_arena_alloc(*state, 1, 1);
    assert_int_equal(*next, 0);
}

static void an_object_may_be_empty(void **state)
{
    assert_non_null(ww_arena_alloc(*state, 0, 8));
    assert_non_null(ww_arena_alloc(*state, 8, 0));
}

static void text_is_copied(void **state)
{
    char text[] = "warp and weft";
    char *whole = ww_arena_strdup(*state, text);
    char *part = ww_arena_strndup(*state, text, 4);
    char *printed = ww_arena_printf(*state, "%s:%d", text, 42);
    memset(text, 'x', sizeof(text) - 1);
    assert_string_equal(whole, "warp and weft");
    assert_string_equal(part, "warp");
    assert_string_equal(printed, "warp and weft:42");
}

static void formatted_text_is_as_long_as_it_needs(void **state)
{
    (void)state;
    char *text = ww_format("%0500d|%s", 7, "end");
    assert_int_equal(strlen(text), 504);
    assert_string_equal(text + 499, "7|end");
    free(text);
}

static void a_vector_keeps_what_is_pushed(void **state)
{
    (void)state;
    WW_VEC(int) v = {0};
    for (int i = 0; i < 1000; i++)
        ww_vec_push(&v, i * i);
    assert_int_equal(v.count, 1000);
    for (int i = 0; i < 1000; i++)
        assert_int_equal(v.items[i], i * i);
    ww_vec_free(&v);
    assert_null(v.items);
    assert_int_equal(v.count, 0);
    ww_vec_push(&v, 7);
    assert_int_equal(v.items[0], 7);
    ww_vec_free(&v);
}

static void allocate_too_much(void)
{
    ww_arena *arena = ww_arena_create();
    ww_arena_alloc(arena, SIZE_MAX / 4, 8);
}

static void out_of_memory_is_one_line_and_status_1(void **state)
{
    (void)state;
    int pipes[2];
    char said[200] = {0};
    assert_int_equal(pipe(pipes), 0);
    pid_t child = fork();
    if (child == 0) {
        dup2(pipes[1], STDERR_FILENO);
        allocate_too_much();
        _exit(99);
    }
    close(pipes[1]);
    assert_true(read(pipes[0], said, sizeof(said) - 1) > 0);
    close(pipes[0]);
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 1);
    assert_non_null(strstr(said, "out of host memory"));
    assert_ptr_equal(strchr(said, '\n'), said + strlen(said) - 1);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(objects_are_zeroed_aligned_and_apart),
        TEST(an_object_may_be_larger_than_a_chunk),
        TEST(an_object_may_be_empty),
        TEST(text_is_copied),
        cmocka_unit_test(formatted_text_is_as_long_as_it_needs),
        cmocka_unit_test(a_vector_keeps_what_is_pushed),
        cmocka_unit_test(out_of_memory_is_one_line_and_status_1),
    };
    return cmocka_run_group_tests_name("arena", tests, NULL, NULL);
}
