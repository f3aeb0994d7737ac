#include "base/text.h"

#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static void suggests_the_nearest_name(void **state)
{
    (void)state;
    static const char *const names[] = {"walk.scheduler", "walk.walkers", "core.scheduler", "fcfs"};
    assert_string_equal(ww_nearest("walk.schedular", names, 4), "walk.scheduler");
    assert_string_equal(ww_nearest("walk.walker", names, 4), "walk.walkers");
    assert_string_equal(ww_nearest("fcsf", names, 4), "fcfs");
    assert_string_equal(ww_nearest("fcfs", names, 4), "fcfs");
    assert_null(ww_nearest("", names, 4));
    assert_null(ww_nearest("page_size", names, 4));
    assert_null(ww_nearest("walkers", names, 4));
    assert_null(ww_nearest("fcfs", names, 0));
}

static void the_first_of_equally_near_names_wins(void **state)
{
    (void)state;
    static const char *const names[] = {"lane", "line", "lone"};
    assert_string_equal(ww_nearest("lune", names, 3), "lane");
}

static void a_very_long_word_is_near_nothing(void **state)
{
    (void)state;
    static const char *const names[] = {"lane"};
    char word[1000];
    memset(word, 'a', sizeof(word));
    word[sizeof(word) - 1] = 0;
    assert_null(ww_nearest(word, names, 1));
}

static void parses_whole_numbers(void **state)
{
    (void)state;
    uint64_t u = 0;
    int64_t i = 0;
    assert_true(ww_parse_u64("0", &u) && u == 0);
    assert_true(ww_parse_u64("007", &u) && u == 7);
    assert_true(ww_parse_u64("0xfF", &u) && u == 255);
    assert_true(ww_parse_u64("18446744073709551615", &u) && u == UINT64_MAX);
    assert_true(ww_parse_i64("-9223372036854775808", &i) && i == INT64_MIN);
    assert_true(ww_parse_i64("9223372036854775807", &i) && i == INT64_MAX);
    assert_true(ww_parse_i64("-0x10", &i) && i == -16);
}

static void refuses_what_is_not_a_whole_number(void **state)
{
    (void)state;
    static const char *const wrong[] = {"",   " 1", "1 ", "+1",  "1.0", "1e3",
                                        "0x", "x1", "a",  "0xg", "--1", "18446744073709551616"};
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        uint64_t u = 5;
        int64_t s = 5;
        assert_false(ww_parse_u64(wrong[i], &u));
        assert_false(ww_parse_i64(wrong[i], &s));
        assert_true(u == 5 && s == 5);
    }
    uint64_t u;
    int64_t s;
    assert_false(ww_parse_u64("-1", &u));
    assert_false(ww_parse_i64("9223372036854775808", &s));
    assert_false(ww_parse_i64("-9223372036854775809", &s));
    assert_false(ww_parse_i64("-", &s));
}

static void parses_floating_point(void **state)
{
    (void)state;
    double d = 0;
    assert_true(ww_parse_double("1.5", &d) && d == 1.5);
    assert_true(ww_parse_double("-2e-3", &d) && d == -2e-3);
    assert_true(ww_parse_double("0x1p-3", &d) && d == 0.125);
    assert_true(ww_parse_double("inf", &d) && isinf(d));
    assert_false(ww_parse_double("", &d));
    assert_false(ww_parse_double(" 1", &d));
    assert_false(ww_parse_double("1,5", &d));
    assert_false(ww_parse_double("1.5f", &d));
    assert_false(ww_parse_double("one", &d));
}

static void a_written_file_reads_back(void **state)
{
    (void)state;
    ww_errors *errors = ww_errors_create();
    size_t size = 200001, got = 0;
    char *bytes = calloc(size, 1), *back = NULL;
    for (size_t i = 0; i < size; i++)
        bytes[i] = (char)(i * 7);
    assert_int_equal(ww_write_file("text.bin", bytes, size, errors), WW_OK);
    assert_int_equal(ww_read_file("text.bin", WW_NOWHERE, &back, &got, errors), WW_OK);
    assert_int_equal(got, size);
    assert_memory_equal(back, bytes, size);
    assert_int_equal(back[size], 0);
    free(back);
    assert_int_equal(ww_write_file("text.bin", "", 0, errors), WW_OK);
    assert_int_equal(ww_read_file("text.bin", WW_NOWHERE, &back, &got, errors), WW_OK);
    assert_int_equal(got, 0);
    assert_string_equal(back, "");
    free(back);
    free(bytes);
    unlink("text.bin");
    ww_errors_destroy(errors);
}

static void what_a_path_names_stays_what_it_is(void **state)
{
    (void)state;
    ww_errors *errors = ww_errors_create();
    struct stat info;
    char *back = NULL;
    size_t got = 0;
    assert_int_equal(ww_write_file("text.old", "old", 3, errors), WW_OK);
    assert_int_equal(chmod("text.old", 0600), 0);
    assert_int_equal(symlink("text.old", "text.link"), 0);
    assert_int_equal(ww_write_file("text.link", "new!", 4, errors), WW_OK);
    assert_int_equal(lstat("text.link", &info), 0);
    assert_true(S_ISLNK(info.st_mode));
    assert_int_equal(stat("text.old", &info), 0);
    assert_int_equal(info.st_mode & 07777, 0600);
    assert_int_equal(ww_read_file("text.old", WW_NOWHERE, &back, &got, errors), WW_OK);
    assert_string_equal(back, "new!");
    free(back);
    unlink("text.link");
    unlink("text.old");
    assert_int_equal(symlink("/dev/full", "text.full"), 0);
    assert_int_equal(ww_write_file("text.full", "x", 1, errors), WW_FAILED);
    assert_string_equal(ww_errors_line(errors, 0),
                        "cannot write 'text.full': No space left on device");
    assert_int_equal(stat("/dev/full", &info), 0);
    assert_true(S_ISCHR(info.st_mode));
    unlink("text.full");
    ww_errors_destroy(errors);
}

static void a_place_to_write_is_checked_without_writing(void **state)
{
    static const char *const bad[] = {"no/such.bin", "text.dir", "text.none/", ""};
    (void)state;
    ww_errors *errors = ww_errors_create();
    char *back = NULL;
    size_t got = 0;
    assert_int_equal(ww_write_file("text.old", "old", 3, errors), WW_OK);
    assert_int_equal(ww_check_writable("text.old", errors), WW_OK);
    assert_int_equal(ww_read_file("text.old", WW_NOWHERE, &back, &got, errors), WW_OK);
    assert_string_equal(back, "old");
    free(back);
    unlink("text.old");
    assert_int_equal(ww_check_writable("text.old", errors), WW_OK);
    assert_int_not_equal(access("text.old", F_OK), 0);
    assert_int_equal(ww_check_writable("/dev/null", errors), WW_OK);
    mkdir("text.dir", 0777);
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        assert_int_equal(ww_check_writable(bad[i], errors), WW_BAD_INPUT);
    assert_string_equal(ww_errors_line(errors, 0),
                        "cannot write 'no/such.bin': No such file or directory");
    assert_string_equal(ww_errors_line(errors, 1), "cannot write 'text.dir': Is a directory");
    rmdir("text.dir");
    ww_errors_destroy(errors);
}

static void unreadable_files_are_named(void **state)
{
    (void)state;
    ww_errors *errors = ww_errors_create();
    char *bytes;
    size_t size;
    ww_where at = {"launch.yaml", 4, 9};
    assert_int_equal(ww_read_file("no/such.bin", at, &bytes, &size, errors), WW_BAD_INPUT);
    assert_null(bytes);
    assert_int_equal(ww_read_file("/", at, &bytes, &size, errors), WW_BAD_INPUT);
    assert_null(bytes);
    assert_string_equal(ww_errors_line(errors, 0),
                        "launch.yaml:4:9: cannot read 'no/such.bin': No such file or directory");
    assert_string_equal(ww_errors_line(errors, 1), "launch.yaml:4:9: '/' is not a regular file");
    ww_errors_destroy(errors);
}

static void a_failed_write_leaves_nothing_behind(void **state)
{
    (void)state;
    ww_errors *errors = ww_errors_create();
    mkdir("text.dir", 0777);
    assert_int_equal(ww_write_file("no/such.bin", "x", 1, errors), WW_FAILED);
    assert_int_equal(ww_write_file("text.dir", "x", 1, errors), WW_FAILED);
    assert_int_equal(ww_errors_count(errors), 2);
    assert_string_equal(ww_errors_line(errors, 0),
                        "cannot write 'no/such.bin': No such file or directory");
    assert_int_equal(rmdir("text.dir"), 0);
    char *name = NULL;
    assert_true(asprintf(&name, "text.dir.%ld.tmp", (long)getpid()) > 0);
    assert_int_not_equal(access(name, F_OK), 0);
    free(name);
    ww_errors_destroy(errors);
}

static void folders_are_made_with_those_that_they_are_in(void **state)
{
    (void)state;
    ww_errors *errors = ww_errors_create();
    assert_true(ww_make_folders("text.dir/a/b/"));
    assert_true(ww_make_folders("text.dir/a/b"));
    assert_int_equal(access("text.dir/a/b", F_OK), 0);
    assert_int_equal(ww_write_file("text.dir/file", "x", 1, errors), WW_OK);
    assert_false(ww_make_folders("text.dir/file"));
    assert_int_equal(errno, EEXIST);
    assert_false(ww_make_folders("text.dir/file/b"));
    assert_int_equal(errno, ENOTDIR);
    assert_false(ww_make_folders(""));
    unlink("text.dir/file");
    rmdir("text.dir/a/b");
    rmdir("text.dir/a");
    assert_int_equal(rmdir("text.dir"), 0);
    ww_errors_destroy(errors);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(suggests_the_nearest_name),
        cmocka_unit_test(the_first_of_equally_near_names_wins),
        cmocka_unit_test(a_very_long_word_is_near_nothing),
        cmocka_unit_test(parses_whole_numbers),
        cmocka_unit_test(refuses_what_is_not_a_whole_number),
        cmocka_unit_test(parses_floating_point),
        cmocka_unit_test(a_written_file_reads_back),
        cmocka_unit_test(what_a_path_names_stays_what_it_is),
        cmocka_unit_test(a_place_to_write_is_checked_without_writing),
        cmocka_unit_test(unreadable_files_are_named),
        cmocka_unit_test(a_failed_write_leaves_nothing_behind),
        cmocka_unit_test(folders_are_made_with_those_that_they_are_in),
    };
    return cmocka_run_group_tests_name("text", tests, NULL, NULL);
}
