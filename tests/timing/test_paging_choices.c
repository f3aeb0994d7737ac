/* Keys for what HPCA 2016 leaves open, with ticks counted by hand (support/paging_rig.h): zero-filled
 * pages, when pages leave, what is prefetched when memory is full, and what ends a blocked TLB. */
#include "support/paging_rig.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

enum {
    LATENCY = PAGING_LATENCY,
    PAGE = PAGING_PAGE,
    WRITE = PAGING_WRITE,
    WALK = PAGING_WALK,
    SHOOT = PAGING_SHOOT
};

static void finish(paging_rig *rig, unsigned filled)
{
    rig->filled = filled;
    paging_rig_check(rig);
    paging_rig_destroy(rig);
}

static void add_unwritten(paging_rig *rig, unsigned page, unsigned count)
{
    ww_paging_add_buffer(rig->paging, (PAGING_BASE + page) * 4096ull, count * 4096ull, false);
}

/* ---- zero_fill ---- */

/* The first two fault at once: the filled one does not wait for the link, nor does the other one
 * wait for it. Without the key the second to come would be WRITE ticks later. */
static void an_unwritten_page_takes_the_latency_alone(void **state)
{
    (void)state;
    for (unsigned fill = 0; fill < 2; fill++) {
        paging_rig *rig = paging_rig_create(fill ? "zero_fill=true" : "", 4, NULL, 0);
        add_unwritten(rig, 512, 4);
        paging_rig_access(rig, 1000, 0, 2);
        paging_rig_access(rig, 1000, 1, 513)->writes = true;
        paging_rig_run(rig);
        assert_int_equal(rig->pages[2].resident, 1001 + LATENCY);
        assert_int_equal(rig->pages[513].resident, 1001 + LATENCY + (fill ? 0 : WRITE));
        finish(rig, fill);
    }
}

/* A set of two filled pages and two others: those do not wait for the filled ones. */
static void a_set_has_unwritten_pages(void **state)
{
    (void)state;
    paging_rig *rig = paging_rig_create("zero_fill=true prefetch=sequential", 0, NULL, 0);
    add_unwritten(rig, 0, 2);
    ww_paging_add_buffer(rig->paging, (PAGING_BASE + 2) * 4096ull, 2 * 4096ull, true);
    paging_rig_run(rig);
    assert_int_equal(rig->pages[0].resident, 28001 + WRITE);
    assert_int_equal(rig->pages[1].resident, 28001 + WRITE + 32);
    assert_int_equal(rig->pages[2].resident, 28001 + PAGE + WRITE);
    assert_int_equal(rig->pages[3].resident, 28001 + 2 * PAGE + WRITE);
    finish(rig, 2);
}

/* One frame. Page 0 is filled, written, sent back and comes over the link; page 1 is filled twice,
 * since it leaves as it came. */
static void a_page_that_a_kernel_wrote_passes_the_link(void **state)
{
    (void)state;
    paging_rig *rig = paging_rig_create("zero_fill=true resident_fraction=0.25", 0, NULL, 0);
    add_unwritten(rig, 0, 4);
    paging_rig_access(rig, 1000, 0, 0)->writes = true;
    paging_rig_access(rig, 100000, 0, 1);
    paging_rig_access(rig, 200000, 0, 0);
    paging_rig_access(rig, 300000, 0, 1);
    paging_rig_run(rig);
    assert_int_equal(paging_rig_count(rig)->pages_in, 4);
    assert_int_equal(paging_rig_count(rig)->written_back, 1);
    assert_int_equal(paging_rig_count(rig)->bytes_in, 4096);
    finish(rig, 3);
}

/* Page 0 is of two buffers, one of which the host has written; page 1 of one that it writes between
 * launches. Page 2 is of two that it has not written. */
static void a_page_that_the_host_wrote_passes_the_link(void **state)
{
    (void)state;
    paging_rig *rig = paging_rig_create("zero_fill=true", 0, NULL, 0);
    uint64_t base = PAGING_BASE * 4096ull;
    ww_paging_add_buffer(rig->paging, base, 1000, false);
    ww_paging_add_buffer(rig->paging, base + 1024, 1000, true);
    ww_paging_add_buffer(rig->paging, base + 4096, 4096, false);
    ww_paging_add_buffer(rig->paging, base + 8192, 1000, false);
    ww_paging_add_buffer(rig->paging, base + 9216, 1000, false);
    ww_paging_host_wrote(rig->paging, base + 4096, 4096);
    ww_paging_host_wrote(rig->paging, base + 4096, 4096);
    for (unsigned i = 0; i < 3; i++)
        paging_rig_access(rig, 1000 + 1000 * i, 0, i);
    paging_rig_run(rig);
    assert_int_equal(paging_rig_count(rig)->bytes_in, 2 * 4096);
    finish(rig, 1);
}

/* ---- evict_time ---- */

/* Two frames; page 0 was written. It leaves for page 2: it is shot down, read and sent. */
static void pages_leave_inside_or_outside_the_latency(void **state)
{
    static const struct {
        const char *settings;
        ww_tick left, resident;
    } cases[] = {
        {"resident_fraction=0.5 evict_time=sending", 100002 + LATENCY - 2 * PAGE,
         100002 + LATENCY - 2 * PAGE + SHOOT + WRITE - 1 + PAGE + PAGE + WRITE},
        {"resident_fraction=0.5 evict_time=inside", 100002, 100001 + LATENCY},
        {"resident_fraction=0.5 evict_time=outside", 100002,
         100002 + SHOOT + WRITE - 1 + PAGE + LATENCY},
        {"resident_fraction=0.5 evict_time=outside service=batched", 100002,
         100002 + SHOOT + WRITE - 1 + PAGE + LATENCY},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        paging_rig *rig = paging_rig_create(cases[i].settings, 4, NULL, 0);
        paging_rig_access(rig, 1000, 0, 0)->writes = true;
        paging_rig_access(rig, 50000, 0, 1);
        paging_rig_access(rig, 100000, 0, 2);
        paging_rig_run(rig);
        assert_int_equal(rig->pages[0].resident, 1001 + LATENCY); /* memory is not full */
        assert_int_equal(rig->pages[0].left, cases[i].left);
        assert_int_equal(rig->pages[2].resident, cases[i].resident);
        finish(rig, 0);
    }
}

/* ---- full_prefetch ---- */

/* Memory for 200 of 400 pages is full. Page 220 faults; its set is sent at 228001. In the next tick
 * as many pages leave as come, in one shoot-down. */
static void a_set_is_limited_by_the_link_or_by_reach(void **state)
{
    (void)state;
    for (unsigned all = 0; all < 2; all++) {
        paging_rig *rig = paging_rig_create(
            all ? "resident_fraction=0.5 warm=sequential prefetch=locality full_prefetch=all"
                : "resident_fraction=0.5 warm=sequential prefetch=locality",
            400, NULL, 0);
        unsigned count = all ? 129 : 80;
        paging_rig_access(rig, 200000, 0, 220);
        paging_rig_run(rig);
        for (unsigned i = 0; i < count; i++)
            assert_int_equal(rig->pages[220 + i].resident, 228002 + SHOOT + PAGE * (i + 1) + WRITE);
        assert_int_equal(paging_rig_count(rig)->pages_in, 200 + count);
        assert_int_equal(paging_rig_count(rig)->evictions, count);
        finish(rig, 0);
    }
}

/* ---- blocked_until ---- */

/* One fault: the TLB takes requests when its replay was translated, or 30 ticks earlier. */
static void a_tlb_is_blocked_until_the_page_comes_or_is_translated(void **state)
{
    static const char *const settings[] = {"faults=blocking", "faults=blocking blocked_until=first",
                                           "faults=blocking blocked_until=arrival"};
    (void)state;
    for (unsigned i = 0; i < 3; i++) {
        paging_rig *rig = paging_rig_create(settings[i], 4, NULL, 0);
        ww_tick blocked = 1 + LATENCY + (i == 2 ? 0 : WALK);
        paging_rig_access(rig, 1000, 0, 2);
        const paging_access *next = paging_rig_access(rig, 1000 + blocked + 1, 0, 1);
        paging_rig_run(rig);
        assert_int_equal(rig->pages[1].resident, 1000 + blocked + 2 + LATENCY);
        assert_int_equal(next->done, rig->pages[1].resident + WALK);
        assert_int_equal(paging_rig_count(rig)->blocked, 2 * blocked);
        finish(rig, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_unwritten_page_takes_the_latency_alone),
        cmocka_unit_test(a_set_has_unwritten_pages),
        cmocka_unit_test(a_page_that_a_kernel_wrote_passes_the_link),
        cmocka_unit_test(a_page_that_the_host_wrote_passes_the_link),
        cmocka_unit_test(pages_leave_inside_or_outside_the_latency),
        cmocka_unit_test(a_set_is_limited_by_the_link_or_by_reach),
        cmocka_unit_test(a_tlb_is_blocked_until_the_page_comes_or_is_translated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
