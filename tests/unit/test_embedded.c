#include "base/embedded.h"

#include "base/memory.h"
#include "base/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void files_are_in_order(void **state)
{
    (void)state;
    size_t count;
    const ww_embedded *files = ww_embedded_files(&count);
    for (size_t i = 1; i < count; i++)
        assert_true(strcmp(files[i - 1].path, files[i].path) < 0);
}

static void every_file_is_found_by_its_path(void **state)
{
    (void)state;
    size_t count;
    const ww_embedded *files = ww_embedded_files(&count);
    for (size_t i = 0; i < count; i++) {
        assert_ptr_equal(ww_embedded_find(files[i].path), &files[i]);
        assert_int_equal(files[i].bytes[files[i].size], 0);
    }
}

/* Kernels of the catalogue are compiled by the build; all else is in the source tree. */
static const char *root_of(const ww_embedded *file)
{
    return getenv(strncmp(file->path, "kernels/", 8) == 0 ? "WW_BUILD" : "WW_ROOT");
}

static void bytes_are_those_of_the_tree(void **state)
{
    (void)state;
    ww_errors *errors = ww_errors_create();
    ww_arena *arena = ww_arena_create();
    for (const ww_embedded *f = ww_embedded_next("", NULL); f; f = ww_embedded_next("", f)) {
        char *bytes;
        size_t size;
        const char *root = root_of(f);
        assert_non_null(root);
        const char *path =
            ww_arena_printf(arena, "%s%s/%s", root,
                            root == getenv("WW_BUILD") ? "/generated/warpwalk_core" : "", f->path);
        assert_int_equal(ww_read_file(path, WW_NOWHERE, &bytes, &size, errors), WW_OK);
        assert_int_equal(f->size, size);
        assert_memory_equal(f->bytes, bytes, size + 1);
        free(bytes);
    }
    ww_arena_destroy(arena);
    ww_errors_destroy(errors);
}

static void unknown_paths_are_not_found(void **state)
{
    (void)state;
    assert_null(ww_embedded_find(""));
    assert_null(ww_embedded_find("no/such/file"));
    assert_null(ww_embedded_find("~"));
}

static void the_empty_prefix_visits_every_file(void **state)
{
    (void)state;
    size_t count, seen = 0;
    ww_embedded_files(&count);
    for (const ww_embedded *f = ww_embedded_next("", NULL); f; f = ww_embedded_next("", f))
        seen++;
    assert_int_equal(seen, count);
    assert_null(ww_embedded_next("no/such/", NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_are_in_order),
        cmocka_unit_test(every_file_is_found_by_its_path),
        cmocka_unit_test(bytes_are_those_of_the_tree),
        cmocka_unit_test(unknown_paths_are_not_found),
        cmocka_unit_test(the_empty_prefix_visits_every_file),
    };
    return cmocka_run_group_tests_name("embedded", tests, NULL, NULL);
}
