/* Blocks of storage: reuse by size, and trimming. */
#include "exec/storage.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void freed_blocks_serve_again(void **state)
{
    (void)state;
    ww_storage *storage = ww_storage_create();
    void *first = ww_storage_allocate(storage, 1000);
    ww_storage_free(storage, first, 1000);
    assert_ptr_equal(ww_storage_allocate(storage, 1000), first);
    ww_storage_free(storage, first, 1000);
    ww_storage_destroy(storage);
}

static void trimming_keeps_what_is_in_use(void **state)
{
    (void)state;
    ww_storage *storage = ww_storage_create();
    char *kept = ww_storage_allocate(storage, 1000);
    char *freed = ww_storage_allocate(storage, 1000);
    memset(kept, 7, 1000);
    ww_storage_free(storage, freed, 1000);
    ww_storage_trim(storage);
    for (int i = 0; i < 1000; i++)
        assert_int_equal(kept[i], 7);
    ww_storage_free(storage, kept, 1000);
    ww_storage_destroy(storage);
}

static void trimmed_storage_allocates_again(void **state)
{
    (void)state;
    ww_storage *storage = ww_storage_create();
    ww_storage_trim(storage);
    for (int round = 0; round < 3; round++) {
        char *small = ww_storage_allocate(storage, 100);
        char *large = ww_storage_allocate(storage, 1 << 20); /* not of a chunk */
        memset(small, round, 100);
        memset(large, round, 1 << 20);
        ww_storage_free(storage, small, 100);
        ww_storage_trim(storage);
        assert_int_equal(large[(1 << 20) - 1], round);
        ww_storage_free(storage, large, 1 << 20);
    }
    ww_storage_destroy(storage);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(freed_blocks_serve_again),
        cmocka_unit_test(trimming_keeps_what_is_in_use),
        cmocka_unit_test(trimmed_storage_allocates_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
