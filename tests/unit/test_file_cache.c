#include "base/file_cache.h"

#include "base/memory.h"
#include "base/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

typedef struct fixture {
    char folder[64];
    ww_file_cache *cache;
    ww_hash128 key;
    char *path; /* of the one entry */
} fixture;

static const char content[] = "content that is long enough to be compressed compressed compressed";

static int set_up(void **state)
{
    fixture *f = ww_calloc(1, sizeof(*f));
    strcpy(f->folder, "/tmp/ww-test-cache-XXXXXX");
    assert_non_null(mkdtemp(f->folder));
    f->cache = ww_file_cache_create(f->folder, "things", NULL);
    ww_hash128_add_text(&f->key, "a key");
    ww_file_cache_put(f->cache, f->key, content, sizeof(content));
    f->path = ww_file_cache_path(f->cache, f->key);
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    fixture *f = *state;
    unlink(f->path);
    rmdir(f->folder);
    ww_file_cache_destroy(f->cache);
    free(f->path);
    free(f);
    return 0;
}

static bool entry_is_good(const fixture *f)
{
    size_t count = 0;
    char *got = ww_file_cache_get(f->cache, f->key, &count);
    bool good = got && count == sizeof(content) && memcmp(got, content, count) == 0;
    assert_true(good || !got);
    free(got);
    return good;
}

static void gives_back_what_was_put(void **state)
{
    fixture *f = *state;
    assert_true(entry_is_good(f));
    ww_hash128 other = f->key;
    ww_hash128_add_text(&other, "");
    size_t count = 0;
    assert_null(ww_file_cache_get(f->cache, other, &count));
}

static void rejects_every_damaged_byte(void **state)
{
    fixture *f = *state;
    ww_errors *errors = ww_errors_create();
    char *bytes = NULL;
    size_t size = 0;
    assert_int_equal(ww_read_file(f->path, WW_NOWHERE, &bytes, &size, errors), WW_OK);
    for (size_t i = 0; i < size; i++) {
        bytes[i] = (char)(bytes[i] ^ 0x40);
        assert_int_equal(ww_write_file(f->path, bytes, size, errors), WW_OK);
        /* A flipped bit either is noticed or, in a redundant bit of the frame, changes nothing. */
        entry_is_good(f);
        if (i < 40)
            assert_false(entry_is_good(f));
        bytes[i] = (char)(bytes[i] ^ 0x40);
    }
    for (size_t shorter = 0; shorter < size; shorter++) {
        assert_int_equal(ww_write_file(f->path, bytes, shorter, errors), WW_OK);
        assert_false(entry_is_good(f));
    }
    assert_int_equal(ww_write_file(f->path, bytes, size, errors), WW_OK);
    assert_true(entry_is_good(f));
    free(bytes);
    ww_errors_destroy(errors);
}

static void rejects_an_entry_of_another_key(void **state)
{
    fixture *f = *state;
    ww_hash128 other = {{1, 2}};
    char *path = ww_file_cache_path(f->cache, other);
    assert_int_equal(rename(f->path, path), 0);
    size_t count = 0;
    assert_null(ww_file_cache_get(f->cache, other, &count));
    unlink(path);
    free(path);
}

static void works_without_a_usable_folder(void **state)
{
    (void)state;
    char *notes = NULL;
    size_t size = 0;
    FILE *log = open_memstream(&notes, &size);
    ww_file_cache *cache = ww_file_cache_create("/dev/null/nowhere", "things", log);
    ww_hash128 key = {{1, 2}};
    ww_file_cache_put(cache, key, "x", 1);
    ww_file_cache_put(cache, key, "x", 1);
    size_t count = 0;
    assert_null(ww_file_cache_get(cache, key, &count));
    ww_file_cache_destroy(cache);
    fclose(log);
    assert_string_equal(notes,
                        "note: things are not cached in '/dev/null/nowhere': Not a directory\n");
    free(notes);
}

static void an_empty_folder_name_turns_it_off(void **state)
{
    (void)state;
    ww_file_cache *cache = ww_file_cache_create("", "things", NULL);
    ww_hash128 key = {{1, 2}};
    size_t count = 0;
    assert_null(ww_file_cache_path(cache, key));
    ww_file_cache_put(cache, key, "x", 1);
    assert_null(ww_file_cache_get(cache, key, &count));
    ww_file_cache_destroy(cache);
}

static void keys_depend_on_boundaries(void **state)
{
    (void)state;
    ww_hash128 a = {{0, 0}};
    ww_hash128 b = {{0, 0}};
    ww_hash128_add_text(&a, "ab");
    ww_hash128_add_text(&a, "c");
    ww_hash128_add_text(&b, "a");
    ww_hash128_add_text(&b, "bc");
    assert_true(a.words[0] != b.words[0] && a.words[1] != b.words[1]);
    assert_true(a.words[0] != a.words[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(gives_back_what_was_put, set_up, tear_down),
        cmocka_unit_test_setup_teardown(rejects_every_damaged_byte, set_up, tear_down),
        cmocka_unit_test_setup_teardown(rejects_an_entry_of_another_key, set_up, tear_down),
        cmocka_unit_test(works_without_a_usable_folder),
        cmocka_unit_test(an_empty_folder_name_turns_it_off),
        cmocka_unit_test(keys_depend_on_boundaries),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
