/* Batches of faults: which duplicates are found where, the order of the rest, and their blocks. */
#include "base/rng.h"
#include "paging/fault_batch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

enum { UTLBS = 4, BLOCK_PAGES = 512, CAPACITY = 1024, RANDOM_BATCHES = 500, MOST_PAGES = 1200 };

typedef struct rig {
    ww_fault_buffer buffer;
    ww_fault_batch batch;
    ww_tick now;
} rig;

static void rig_create(rig *r, uint32_t size)
{
    *r = (rig){.now = 1};
    ww_fault_buffer_create(&r->buffer, CAPACITY);
    ww_fault_batch_create(&r->batch, &(ww_fault_batch_config){size, UTLBS, BLOCK_PAGES});
}

static void rig_destroy(rig *r)
{
    ww_fault_batch_destroy(&r->batch);
    ww_fault_buffer_destroy(&r->buffer);
}

static void write_in(rig *r, uint16_t asid, uint32_t utlb, uint64_t page, ww_fault_access access)
{
    ww_fault_entry entry = {
        .page = page, .time = r->now++, .utlb = utlb, .asid = asid, .access = (uint8_t)access};
    assert_true(ww_fault_buffer_write(&r->buffer, &entry));
}

static void write_fault(rig *r, uint32_t utlb, uint64_t page, ww_fault_access access)
{
    write_in(r, 0, utlb, page, access);
}

static void expect_counters(const rig *r, ww_fault_batch_counters expected)
{
    const ww_fault_batch_counters *c = &r->batch.counters;
    assert_int_equal(c->raw, expected.raw);
    assert_int_equal(c->pages, expected.pages);
    assert_int_equal(c->same_utlb, expected.same_utlb);
    assert_int_equal(c->same_as_last, expected.same_as_last);
    assert_int_equal(c->after_sort, expected.after_sort);
}

/* Page 5 again: from its uTLB at once (although another fault came between), from uTLB 1 as the
 * last kept fault is of page 6 only after the sort, and page 6 from uTLB 2 as the last kept one. */
static void test_kinds_of_duplicates(void **state)
{
    (void)state;
    rig r;
    rig_create(&r, 256);
    write_fault(&r, 0, 5, WW_FAULT_READ);
    write_fault(&r, 1, 6, WW_FAULT_READ);
    write_fault(&r, 0, 5, WW_FAULT_READ); /* same uTLB */
    write_fault(&r, 2, 6, WW_FAULT_READ); /* as the last kept */
    write_fault(&r, 1, 5, WW_FAULT_READ); /* after the sort */
    assert_int_equal(ww_fault_batch_fetch(&r.batch, &r.buffer), 5);
    expect_counters(&r,
                    (ww_fault_batch_counters){
                        .raw = 5, .pages = 2, .same_utlb = 1, .same_as_last = 1, .after_sort = 1});
    assert_int_equal(r.batch.faults[0].page, 5);
    assert_int_equal(r.batch.faults[1].page, 6);
    rig_destroy(&r);
}

/* A write raises the access of its uTLB's fault. One of another uTLB is no duplicate of a read that
 * was kept; the sort brings it to the front. */
static void test_the_most_demanding_access_remains(void **state)
{
    (void)state;
    rig r;
    rig_create(&r, 256);
    write_fault(&r, 0, 5, WW_FAULT_READ);
    write_fault(&r, 0, 5, WW_FAULT_WRITE); /* same uTLB */
    write_fault(&r, 0, 5, WW_FAULT_READ);  /* same uTLB */
    write_fault(&r, 1, 7, WW_FAULT_READ);
    write_fault(&r, 2, 7, WW_FAULT_WRITE); /* kept, then merged */
    write_fault(&r, 3, 7, WW_FAULT_READ);  /* as the last kept: a write */
    ww_fault_batch_fetch(&r.batch, &r.buffer);
    expect_counters(&r,
                    (ww_fault_batch_counters){
                        .raw = 6, .pages = 2, .same_utlb = 2, .same_as_last = 1, .after_sort = 1});
    assert_int_equal(r.batch.faults[0].access, WW_FAULT_WRITE);
    assert_int_equal(r.batch.faults[1].access, WW_FAULT_WRITE);
    assert_int_equal(r.batch.faults[1].utlb, 2);
    rig_destroy(&r);
}

/* The last kept fault stays a read for others, also after its own uTLB made it a write. */
static void test_a_raised_access_does_not_change_the_last_fault(void **state)
{
    (void)state;
    rig r;
    rig_create(&r, 256);
    write_fault(&r, 0, 5, WW_FAULT_READ);
    write_fault(&r, 0, 5, WW_FAULT_WRITE);
    write_fault(&r, 1, 5, WW_FAULT_WRITE);
    ww_fault_batch_fetch(&r.batch, &r.buffer);
    expect_counters(
        &r, (ww_fault_batch_counters){.raw = 3, .pages = 1, .same_utlb = 1, .after_sort = 1});
    rig_destroy(&r);
}

/* A batch knows nothing of the one before: its size ends it, and the next one has the rest. PUT is
 * read again only when GET has reached the copy. */
static void test_batches_end_at_their_size(void **state)
{
    (void)state;
    rig r;
    rig_create(&r, 2);
    for (int i = 0; i < 3; i++)
        write_fault(&r, 0, 5, WW_FAULT_READ);
    assert_int_equal(ww_fault_batch_fetch(&r.batch, &r.buffer), 2);
    write_fault(&r, 0, 9, WW_FAULT_READ);
    assert_int_equal(ww_fault_batch_fetch(&r.batch, &r.buffer), 1);
    assert_int_equal(r.batch.count, 1);
    assert_int_equal(r.buffer.put_reads, 1);
    assert_int_equal(ww_fault_batch_fetch(&r.batch, &r.buffer), 1);
    assert_int_equal(r.batch.faults[0].page, 9);
    assert_int_equal(r.buffer.put_reads, 2);
    assert_int_equal(ww_fault_batch_fetch(&r.batch, &r.buffer), 0);
    ww_fault_block block;
    assert_false(ww_fault_batch_next_block(&r.batch, &block));
    rig_destroy(&r);
}

static void expect_block(rig *r, uint16_t asid, uint64_t number, uint32_t count, uint64_t first)
{
    ww_fault_block block;
    assert_true(ww_fault_batch_next_block(&r->batch, &block));
    assert_int_equal(block.asid, asid);
    assert_int_equal(block.number, number);
    assert_int_equal(block.count, count);
    assert_int_equal(block.faults[0].page, first);
}

static void test_blocks(void **state)
{
    (void)state;
    rig r;
    rig_create(&r, 256);
    write_in(&r, 1, 0, 1024, WW_FAULT_READ);
    write_in(&r, 0, 1, 1024, WW_FAULT_READ);
    write_in(&r, 0, 2, 511, WW_FAULT_READ);
    write_in(&r, 0, 3, 3, WW_FAULT_WRITE);
    write_in(&r, 0, 0, 512, WW_FAULT_READ);
    ww_fault_batch_fetch(&r.batch, &r.buffer);
    expect_block(&r, 0, 0, 2, 3);
    expect_block(&r, 0, 1, 1, 512);
    expect_block(&r, 0, 2, 1, 1024);
    expect_block(&r, 1, 2, 1, 1024); /* the same page of another space */
    ww_fault_block block;
    assert_false(ww_fault_batch_next_block(&r.batch, &block));
    rig_destroy(&r);
}

/* The pages and accesses of a batch are those of a table of pages; blocks cover them once. */
static void compare_once(rig *r, ww_rng *rng)
{
    int access[MOST_PAGES];
    uint32_t pages = 0, seen = 0, count = 1 + (uint32_t)ww_rng_below(rng, 256);
    for (int i = 0; i < MOST_PAGES; i++)
        access[i] = -1;
    uint64_t range = 1 + ww_rng_below(rng, MOST_PAGES);
    for (uint32_t i = 0; i < count; i++) {
        uint64_t page = ww_rng_below(rng, range);
        int a = (int)ww_rng_below(rng, 2);
        write_fault(r, (uint32_t)ww_rng_below(rng, UTLBS), page, (ww_fault_access)a);
        pages += access[page] < 0;
        access[page] = a > access[page] ? a : access[page];
    }
    assert_int_equal(ww_fault_batch_fetch(&r->batch, &r->buffer), count);
    assert_int_equal(r->batch.count, pages);
    uint64_t after = 0;
    for (ww_fault_block block; ww_fault_batch_next_block(&r->batch, &block);)
        for (uint32_t i = 0; i < block.count; i++, seen++) {
            uint64_t page = block.faults[i].page;
            assert_true(page >= after);
            after = page + 1;
            assert_int_equal(page / BLOCK_PAGES, block.number);
            assert_int_equal(block.faults[i].access, access[page]);
        }
    assert_int_equal(seen, pages);
}

static void test_against_a_table_of_pages(void **state)
{
    (void)state;
    rig r;
    rig_create(&r, 256);
    ww_rng rng;
    ww_rng_seed(&rng, 256);
    for (int i = 0; i < RANDOM_BATCHES; i++)
        compare_once(&r, &rng);
    const ww_fault_batch_counters *c = &r.batch.counters;
    assert_int_equal(c->raw, c->pages + c->same_utlb + c->same_as_last + c->after_sort);
    assert_true(c->same_utlb && c->same_as_last && c->after_sort);
    rig_destroy(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kinds_of_duplicates),
        cmocka_unit_test(test_the_most_demanding_access_remains),
        cmocka_unit_test(test_a_raised_access_does_not_change_the_last_fault),
        cmocka_unit_test(test_batches_end_at_their_size),
        cmocka_unit_test(test_blocks),
        cmocka_unit_test(test_against_a_table_of_pages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
