/* The ring of faults between hardware and driver: what each side sees of it, and when. */
#include "base/rng.h"
#include "paging/fault_buffer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { STEPS = 20000, CAPACITY = 7 };

static bool write_page(ww_fault_buffer *buffer, uint64_t page)
{
    ww_fault_entry entry = {.page = page, .time = page + 100, .utlb = 3, .access = WW_FAULT_WRITE};
    return ww_fault_buffer_write(buffer, &entry);
}

static void test_entries_come_in_order(void **state)
{
    (void)state;
    ww_fault_buffer buffer;
    ww_fault_buffer_create(&buffer, 4);
    assert_true(write_page(&buffer, 7));
    assert_true(write_page(&buffer, 8));
    ww_fault_buffer_read_put(&buffer);
    ww_fault_entry first = ww_fault_buffer_fetch(&buffer);
    assert_int_equal(first.page, 7);
    assert_int_equal(first.time, 107);
    assert_int_equal(first.utlb, 3);
    assert_int_equal(first.access, WW_FAULT_WRITE);
    assert_int_equal(ww_fault_buffer_fetch(&buffer).page, 8);
    assert_int_equal(ww_fault_buffer_used(&buffer), 0);
    ww_fault_buffer_destroy(&buffer);
}

static void test_the_driver_sees_entries_after_it_read_put(void **state)
{
    (void)state;
    ww_fault_buffer buffer;
    ww_fault_buffer_create(&buffer, 8);
    write_page(&buffer, 1);
    assert_int_equal(ww_fault_buffer_cached(&buffer), 0);
    assert_int_equal(ww_fault_buffer_used(&buffer), 1);
    ww_fault_buffer_read_put(&buffer);
    write_page(&buffer, 2);
    assert_int_equal(ww_fault_buffer_cached(&buffer), 1);
    assert_int_equal(buffer.put_reads, 1);
    ww_fault_buffer_destroy(&buffer);
}

/* Four entries hold three faults; the fourth finds no free one until the driver fetches. */
static void test_a_full_buffer_drops_faults(void **state)
{
    (void)state;
    ww_fault_buffer buffer;
    ww_fault_buffer_create(&buffer, 4);
    for (uint64_t page = 0; page < 3; page++)
        assert_true(write_page(&buffer, page));
    assert_false(write_page(&buffer, 3));
    assert_int_equal(buffer.written, 3);
    assert_int_equal(buffer.dropped, 1);
    ww_fault_buffer_read_put(&buffer);
    ww_fault_buffer_fetch(&buffer);
    assert_true(write_page(&buffer, 4));
    ww_fault_buffer_destroy(&buffer);
}

/* A flush drops what the driver knows of; what came later stays. */
static void test_a_flush_ends_at_the_cached_put(void **state)
{
    (void)state;
    ww_fault_buffer buffer;
    ww_fault_buffer_create(&buffer, 8);
    write_page(&buffer, 1);
    write_page(&buffer, 2);
    ww_fault_buffer_read_put(&buffer);
    write_page(&buffer, 3);
    assert_int_equal(ww_fault_buffer_flush(&buffer), 2);
    assert_int_equal(buffer.flushed, 2);
    assert_int_equal(ww_fault_buffer_used(&buffer), 1);
    ww_fault_buffer_read_put(&buffer);
    assert_int_equal(ww_fault_buffer_fetch(&buffer).page, 3);
    assert_int_equal(ww_fault_buffer_flush(&buffer), 0);
    ww_fault_buffer_destroy(&buffer);
}

/* Pages are numbered by their writes: [get, cached) are the driver's, [cached, put) are not. */
static void test_against_counters(void **state)
{
    (void)state;
    ww_fault_buffer buffer;
    ww_fault_buffer_create(&buffer, CAPACITY);
    ww_rng rng;
    ww_rng_seed(&rng, 7);
    uint64_t get = 0, cached = 0, put = 0;
    for (int i = 0; i < STEPS; i++) {
        uint64_t step = ww_rng_below(&rng, 16);
        if (step < 8) {
            bool fits = put - get < CAPACITY - 1;
            assert_int_equal(write_page(&buffer, put), fits);
            put += fits;
        } else if (step < 12 && get < cached) {
            assert_int_equal(ww_fault_buffer_fetch(&buffer).page, get++);
        } else if (step < 15) {
            ww_fault_buffer_read_put(&buffer);
            cached = put;
        } else {
            assert_int_equal(ww_fault_buffer_flush(&buffer), cached - get);
            get = cached;
        }
        assert_int_equal(ww_fault_buffer_cached(&buffer), cached - get);
        assert_int_equal(ww_fault_buffer_used(&buffer), put - get);
    }
    ww_fault_buffer_destroy(&buffer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_entries_come_in_order),
        cmocka_unit_test(test_the_driver_sees_entries_after_it_read_put),
        cmocka_unit_test(test_a_full_buffer_drops_faults),
        cmocka_unit_test(test_a_flush_ends_at_the_cached_put),
        cmocka_unit_test(test_against_counters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
