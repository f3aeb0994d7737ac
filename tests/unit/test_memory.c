#include "exec/memory.h"

#include "base/rng.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static uint64_t place_at_2mib(void *state, uint64_t end, uint64_t size)
{
    (void)state;
    (void)size;
    return (end + (1 << 21) - 1) >> 21 << 21;
}

static void finds_whole_ranges_only(void **state)
{
    (void)state;
    ww_errors *errors = ww_errors_create();
    ww_memory *memory = ww_memory_create(NULL);
    const ww_buffer *a = ww_memory_add(memory, "a", 100, false, errors);
    const ww_buffer *b = ww_memory_add(memory, "b", 8192, true, errors);
    assert_non_null(a);
    assert_non_null(b);
    assert_true(b->read_only);
    assert_ptr_equal(ww_memory_find(memory, a->address, 100), a);
    assert_ptr_equal(ww_memory_find(memory, a->address + 96, 4), a);
    assert_null(ww_memory_find(memory, a->address + 97, 4));
    assert_null(ww_memory_find(memory, a->address - 1, 1));
    assert_null(ww_memory_find(memory, a->address + 100, 1));
    assert_null(ww_memory_find(memory, a->address, UINT64_MAX));
    assert_null(ww_memory_find(memory, 0, 1));
    assert_ptr_equal(ww_memory_find(memory, b->address + 8191, 1), b);
    assert_null(ww_memory_find(memory, b->address + 8191, 2));
    assert_int_equal(ww_memory_footprint(memory), 8292);
    ww_memory_destroy(memory);
    ww_errors_destroy(errors);
}

static void buffers_are_never_adjacent(void **state)
{
    (void)state;
    ww_errors *errors = ww_errors_create();
    ww_memory *memory = ww_memory_create(&(ww_placer){place_at_2mib, NULL});
    const ww_buffer *a = ww_memory_add(memory, "a", 1 << 21, false, errors);
    const ww_buffer *b = ww_memory_add(memory, "b", 0, false, errors);
    const ww_buffer *c = ww_memory_add(memory, "c", 16, false, errors);
    assert_int_equal(a->address % (1 << 21), 0);
    assert_true(b->address > a->address + a->size);
    assert_true(c->address > b->address);
    assert_null(ww_memory_find(memory, b->address, 0));
    ww_memory_destroy(memory);
    ww_errors_destroy(errors);
}

static void a_new_buffer_is_zero_and_sparse(void **state)
{
    (void)state;
    ww_errors *errors = ww_errors_create();
    ww_memory *memory = ww_memory_create(NULL);
    uint64_t size = UINT64_C(1) << 40; /* more than any host has: only touched pages count */
    const ww_buffer *big = ww_memory_add(memory, "big", size, false, errors);
    assert_non_null(big);
    assert_int_equal(big->host[size - 1], 0);
    big->host[size / 2] = 7;
    assert_int_equal(big->host[size / 2], 7);
    ww_memory_destroy(memory);
    ww_errors_destroy(errors);
}

static uint64_t place_at_the_top(void *state, uint64_t end, uint64_t size)
{
    (void)state;
    return end > size ? UINT64_C(0x7f1000000000) : 0;
}

/* Addresses there mean local memory when they are generic. */
static void windows_of_other_spaces_hold_no_buffer(void **state)
{
    (void)state;
    ww_errors *errors = ww_errors_create();
    ww_memory *memory = ww_memory_create(&(ww_placer){place_at_the_top, NULL});
    assert_null(ww_memory_add(memory, "top", 4096, false, errors));
    assert_string_equal(ww_errors_line(errors, 0),
                        "no room for buffer 'top' of 4096 bytes: the "
                        "simulated address space has 96 TiB for buffers");
    ww_memory_destroy(memory);
    ww_errors_destroy(errors);
}

static void no_room_is_an_error(void **state)
{
    (void)state;
    ww_errors *errors = ww_errors_create();
    ww_memory *memory = ww_memory_create(NULL);
    assert_null(ww_memory_add(memory, "huge", UINT64_MAX, false, errors));
    assert_null(ww_memory_add(memory, "large", WW_MEMORY_END - 8192, false, errors));
    assert_int_equal(ww_errors_count(errors), 2);
    assert_int_equal(ww_errors_status(errors), WW_FAILED);
    assert_non_null(strstr(ww_errors_line(errors, 0), "'huge'"));
    assert_int_equal(ww_memory_footprint(memory), 0);
    ww_memory_destroy(memory);
    ww_errors_destroy(errors);
}

static void nearest_names_the_closer_side(void **state)
{
    (void)state;
    ww_errors *errors = ww_errors_create();
    ww_memory *memory = ww_memory_create(&(ww_placer){place_at_2mib, NULL});
    assert_null(ww_memory_nearest(memory, 5));
    const ww_buffer *a = ww_memory_add(memory, "a", 64, false, errors);
    const ww_buffer *b = ww_memory_add(memory, "b", 64, false, errors);
    assert_ptr_equal(ww_memory_nearest(memory, 0), a);
    assert_ptr_equal(ww_memory_nearest(memory, a->address + 64), a);
    assert_ptr_equal(ww_memory_nearest(memory, b->address - 1), b);
    assert_ptr_equal(ww_memory_nearest(memory, b->address + 1000), b);
    assert_ptr_equal(ww_memory_nearest(memory, UINT64_MAX), b);
    ww_memory_destroy(memory);
    ww_errors_destroy(errors);
}

static void removed_buffers_are_gone(void **state)
{
    (void)state;
    ww_errors *errors = ww_errors_create();
    ww_memory *memory = ww_memory_create(NULL);
    const ww_buffer *a = ww_memory_add(memory, "a", 64, false, errors);
    const ww_buffer *b = ww_memory_add(memory, "b", 32, false, errors);
    uint64_t last = b->address;
    assert_int_equal(a->number, 1);
    assert_int_equal(b->number, 2);
    assert_null(ww_memory_removed(memory, last));
    ww_memory_remove(memory, b);
    assert_null(ww_memory_find(memory, last, 1));
    assert_int_equal(ww_memory_footprint(memory), 64);
    assert_string_equal(ww_memory_removed(memory, last + 31)->name, "b");
    assert_null(ww_memory_removed(memory, last + 32));
    assert_null(ww_memory_removed(memory, last - 1));
    const ww_buffer *c = ww_memory_add(memory, "c", 16, false, errors);
    assert_int_equal(c->address, last);
    assert_int_equal(c->number, 3);
    assert_int_equal(ww_memory_added(memory), 3);
    assert_null(ww_memory_removed(memory, last + 31)); /* it may be beside c now */
    const ww_buffer *const *all;
    assert_int_equal(ww_memory_buffers(memory, &all), 2);
    assert_ptr_equal(all[0], a);
    assert_ptr_equal(all[1], c);
    ww_memory_destroy(memory);
    ww_errors_destroy(errors);
}

/* Buffers at multiples of 2 MiB: a gap of at least one byte is between any two. */
static void a_range_is_used_again_where_a_buffer_fits(void **state)
{
    (void)state;
    ww_errors *errors = ww_errors_create();
    ww_memory *memory = ww_memory_create(&(ww_placer){place_at_2mib, NULL});
    const uint64_t mib = 1 << 20;
    const ww_buffer *a = ww_memory_add(memory, "a", mib, false, errors);
    const ww_buffer *b = ww_memory_add(memory, "b", mib, false, errors);
    const ww_buffer *c = ww_memory_add(memory, "c", 3 * mib, false, errors);
    const ww_buffer *d = ww_memory_add(memory, "d", mib, false, errors);
    uint64_t first = a->address, of_c = c->address;
    assert_int_equal(b->address, first + 2 * mib);
    assert_int_equal(of_c, first + 4 * mib);
    assert_int_equal(d->address, first + 8 * mib);
    ww_memory_remove(memory, a);
    ww_memory_remove(memory, c);
    const ww_buffer *e = ww_memory_add(memory, "e", 2 * mib, false, errors);
    const ww_buffer *f = ww_memory_add(memory, "f", 2 * mib - 1, false, errors);
    const ww_buffer *g = ww_memory_add(memory, "g", mib, false, errors);
    assert_int_equal(e->address, of_c); /* adjacent to b if it were at a's */
    assert_int_equal(f->address, first);
    assert_int_equal(g->address, first + 10 * mib); /* 6 MiB would be adjacent to e */
    assert_int_equal(e->host[2 * mib - 1] + f->host[0], 0);
    ww_memory_remove(memory, b);
    ww_memory_remove(memory, e);
    const ww_buffer *h = ww_memory_add(memory, "h", 6 * mib - 1, false, errors);
    assert_int_equal(h->address, first + 2 * mib); /* neighbouring ranges are one */
    const ww_buffer *const *all;
    assert_int_equal(ww_memory_buffers(memory, &all), 4);
    for (int i = 0; i < 3; i++)
        assert_true(all[i]->address + all[i]->size < all[i + 1]->address);
    ww_memory_destroy(memory);
    ww_errors_destroy(errors);
}

static uint64_t place_apart(void *state, uint64_t end, uint64_t size)
{
    (void)state;
    (void)size;
    return (end + (1 << 20) + (1 << 21) - 1) >> 21 << 21;
}

/* A range is used again only if the placement's gap remains before the next buffer. */
static void gaps_of_the_placement_remain(void **state)
{
    (void)state;
    ww_errors *errors = ww_errors_create();
    ww_memory *memory = ww_memory_create(&(ww_placer){place_apart, NULL});
    const uint64_t mib = 1 << 20;
    const ww_buffer *a = ww_memory_add(memory, "a", 1, false, errors);
    const ww_buffer *b = ww_memory_add(memory, "b", 1, false, errors);
    uint64_t of_a = a->address, of_b = b->address;
    assert_int_equal(of_b, of_a + 2 * mib);
    ww_memory_remove(memory, a);
    assert_int_equal(ww_memory_add(memory, "c", mib, false, errors)->address, of_b + 2 * mib);
    assert_int_equal(ww_memory_add(memory, "d", mib - 1, false, errors)->address, of_a);
    ww_memory_destroy(memory);
    ww_errors_destroy(errors);
}

static void find_agrees_with_a_linear_search(void **state)
{
    (void)state;
    ww_errors *errors = ww_errors_create();
    ww_memory *memory = ww_memory_create(NULL);
    ww_rng rng;
    ww_rng_seed(&rng, 11);
    for (int i = 0; i < 40; i++)
        assert_non_null(ww_memory_add(memory, "x", ww_rng_below(&rng, 9000), false, errors));
    const ww_buffer *const *all;
    size_t count = ww_memory_buffers(memory, &all);
    uint64_t first = all[0]->address;
    uint64_t span = all[count - 1]->address + 10000 - first;
    for (int i = 0; i < 20000; i++) {
        uint64_t address = first + ww_rng_below(&rng, span);
        uint64_t size = 1 + ww_rng_below(&rng, 16);
        const ww_buffer *want = NULL;
        for (size_t k = 0; k < count; k++)
            if (address >= all[k]->address && address + size <= all[k]->address + all[k]->size)
                want = all[k];
        assert_ptr_equal(ww_memory_find(memory, address, size), want);
    }
    ww_memory_destroy(memory);
    ww_errors_destroy(errors);
}

/* What the host did and said is kept with the buffer, also when it names a copy of it. */
static void the_host_writes_and_hints(void **state)
{
    (void)state;
    ww_errors *errors = ww_errors_create();
    ww_memory *memory = ww_memory_create(NULL);
    const ww_buffer *a = ww_memory_add(memory, "a", 0, false, errors);
    const ww_buffer *b = ww_memory_add(memory, "b", 16, false, errors);
    ww_buffer copy = *b;
    assert_false(b->host_wrote || b->hints.prefetch);
    ww_memory_host_wrote(memory, &copy);
    ww_memory_hint(memory, &copy, (ww_buffer_hints){.preferred = WW_PREFER_HOST, .prefetch = true});
    assert_true(b->host_wrote && b->hints.prefetch);
    assert_int_equal(b->hints.preferred, WW_PREFER_HOST);
    assert_false(a->host_wrote || a->hints.prefetch);
    ww_memory_host_wrote(memory, a);
    assert_true(a->host_wrote);
    ww_memory_hint(memory, b, (ww_buffer_hints){.read_mostly = true});
    assert_true(b->hints.read_mostly && !b->hints.prefetch && !b->hints.preferred);
    ww_memory_remove(memory, b);
    const ww_buffer *next = ww_memory_add(memory, "next", 16, false, errors);
    assert_true(next->address == copy.address);
    ww_memory_host_wrote(memory, &copy); /* which is gone */
    assert_false(next->host_wrote || next->hints.read_mostly);
    ww_memory_destroy(memory);
    ww_errors_destroy(errors);
}

static void adopts_memory_of_the_caller(void **state)
{
    (void)state;
    uint8_t bytes[100] = {7};
    ww_errors *errors = ww_errors_create();
    ww_memory *memory = ww_memory_create(NULL);
    const ww_buffer *a = ww_memory_adopt(memory, "a", bytes, sizeof(bytes), errors);
    assert_non_null(a);
    assert_ptr_equal(a->host, bytes);
    assert_ptr_equal(ww_memory_find(memory, a->address + 99, 1), a);
    ww_memory_remove(memory, a);
    assert_int_equal(bytes[0], 7); /* still the caller's */
    assert_int_equal(ww_memory_footprint(memory), 0);
    ww_memory_destroy(memory);
    ww_errors_destroy(errors);
}

static void shared_buffers_have_one_address(void **state)
{
    (void)state;
    ww_errors *errors = ww_errors_create();
    ww_memory *memory = ww_memory_create(NULL);
    const ww_buffer *plain = ww_memory_add(memory, "plain", 100, false, errors);
    const ww_buffer *a = ww_memory_add_shared(memory, "a", 5000, errors);
    const ww_buffer *b = ww_memory_add_shared(memory, "b", 64, errors);
    const ww_buffer *after = ww_memory_add(memory, "after", 100, false, errors);
    assert_non_null(a);
    assert_non_null(b);
    assert_non_null(after);
    assert_int_equal(a->address, (uintptr_t)a->host);
    assert_int_equal(b->address, (uintptr_t)b->host);
    assert_true(b->address > a->address + 5000 && a->address > plain->address);
    assert_int_equal(a->host[4999], 0);
    assert_null(ww_memory_add_shared(memory, "empty", 0, errors));
    ww_memory_remove(memory, a);
    assert_null(ww_memory_find(memory, a->address, 1));
    ww_memory_destroy(memory);
    ww_errors_destroy(errors);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_whole_ranges_only),
        cmocka_unit_test(buffers_are_never_adjacent),
        cmocka_unit_test(a_new_buffer_is_zero_and_sparse),
        cmocka_unit_test(windows_of_other_spaces_hold_no_buffer),
        cmocka_unit_test(no_room_is_an_error),
        cmocka_unit_test(nearest_names_the_closer_side),
        cmocka_unit_test(removed_buffers_are_gone),
        cmocka_unit_test(a_range_is_used_again_where_a_buffer_fits),
        cmocka_unit_test(gaps_of_the_placement_remain),
        cmocka_unit_test(the_host_writes_and_hints),
        cmocka_unit_test(adopts_memory_of_the_caller),
        cmocka_unit_test(shared_buffers_have_one_address),
        cmocka_unit_test(find_agrees_with_a_linear_search),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
