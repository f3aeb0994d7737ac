/* The time of a far-fault, with ticks counted by hand (support/paging_rig.h). A fault in tick t is
 * seen by the driver in t + 1, and a set that flows at once flows in the tick after its interval:
 * what is due now is due in the next tick (timers.h). */
#include "support/paging_rig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum { LATENCY = PAGING_LATENCY, PAGE = PAGING_PAGE, WRITE = PAGING_WRITE, WALK = PAGING_WALK };

#define expect_resident(rig, page, at) assert_int_equal((rig)->pages[page].resident, at)

static void finish(paging_rig *rig)
{
    paging_rig_check(rig);
    paging_rig_destroy(rig);
}

/* ---- on demand ---- */

/* 20 us after it was seen, whatever the link and the write took; the replay walks from there. */
static void a_page_is_resident_a_latency_after_its_fault(void **state)
{
    (void)state;
    paging_rig *rig = paging_rig_create("", 4, NULL, 0);
    const paging_access *a = paging_rig_access(rig, 1000, 0, 2);
    paging_rig_run(rig);
    expect_resident(rig, 2, 1001 + LATENCY);
    assert_int_equal(a->done, 1001 + LATENCY + WALK);
    assert_int_equal(paging_rig_count(rig)->waiting, 1 + LATENCY + WALK);
    finish(rig);
}

/* A latency that the link alone exceeds: 100 ns are 140 ticks, and the page takes 350. */
static void no_page_is_faster_than_the_link(void **state)
{
    (void)state;
    paging_rig *rig = paging_rig_create("fault_latency=100ns", 4, NULL, 0);
    paging_rig_access(rig, 1000, 0, 2);
    paging_rig_run(rig);
    expect_resident(rig, 2, 1002 + PAGE + WRITE);
    finish(rig);
}

static void faults_overlap(void **state)
{
    (void)state;
    paging_rig *rig = paging_rig_create("", 4, NULL, 0);
    paging_rig_access(rig, 1000, 0, 2);
    paging_rig_access(rig, 8000, 0, 1);
    paging_rig_access(rig, 9000, 1, 0);
    paging_rig_run(rig);
    expect_resident(rig, 2, 1001 + LATENCY);
    expect_resident(rig, 1, 8001 + LATENCY);
    expect_resident(rig, 0, 9001 + LATENCY);
    assert_int_equal(paging_rig_count(rig)->services, 3);
    finish(rig);
}

/* The second batch is all that came during the first. Its orders are sent two pages' time before
 * its end: the second page has passed the link then, and is written after. */
static void or_are_served_in_batches(void **state)
{
    (void)state;
    paging_rig *rig = paging_rig_create("service=batched", 4, NULL, 0);
    paging_rig_access(rig, 1000, 0, 2);
    paging_rig_access(rig, 8000, 0, 1);
    paging_rig_access(rig, 9000, 1, 0);
    paging_rig_run(rig);
    expect_resident(rig, 2, 1001 + LATENCY);
    expect_resident(rig, 1, 1001 + 2 * LATENCY);
    expect_resident(rig, 0, 1001 + 2 * LATENCY + WRITE);
    assert_int_equal(paging_rig_count(rig)->services, 2);
    finish(rig);
}

/* A batch lasts until its last page is resident, not its first. */
static void a_batch_ends_with_its_last_page(void **state)
{
    (void)state;
    paging_rig *rig = paging_rig_create("service=batched", 8, NULL, 0);
    for (unsigned i = 0; i < 4; i++)
        paging_rig_access(rig, 1000, 0, i);
    paging_rig_access(rig, 2000, 0, 7);
    paging_rig_run(rig);
    ww_tick last = 1001 + LATENCY + 2 * PAGE + WRITE;
    for (unsigned i = 0; i < 4; i++)
        assert_in_range(rig->pages[i].resident, 1001 + LATENCY, last);
    expect_resident(rig, 7, last + LATENCY);
    finish(rig);
}

/* n faults at once: the link passes them one after the other, from two pages' time before the
 * latency's end on. */
static void many_faults_saturate_the_link(void **state)
{
    (void)state;
    paging_rig *rig = paging_rig_create("faults_per_cu=infinite", 100, NULL, 0);
    for (unsigned i = 0; i < 100; i++)
        paging_rig_access(rig, 1000, i % 4, 99 - i);
    paging_rig_run(rig);
    unsigned seen[100] = {0};
    for (unsigned i = 0; i < 100; i++) {
        unsigned n = rig->pages[i].order;
        ww_tick passed = 1001 + LATENCY - 2 * PAGE + PAGE * n + WRITE;
        expect_resident(rig, i, n == 1 ? 1001 + LATENCY : passed);
        seen[n - 1]++;
    }
    for (unsigned i = 0; i < 100; i++)
        assert_int_equal(seen[i], 1);
    finish(rig);
}

/* An idle driver is woken; one that works polls. */
static void an_interrupt_wakes_an_idle_driver(void **state)
{
    (void)state;
    paging_rig *rig = paging_rig_create("interrupt_latency=5us", 8, NULL, 0);
    paging_rig_access(rig, 1000, 0, 0);
    paging_rig_access(rig, 2000, 0, 1); /* before it is awake */
    paging_rig_access(rig, 20000, 0, 2);
    paging_rig_access(rig, 100000, 0, 3);
    paging_rig_run(rig);
    expect_resident(rig, 0, 1000 + 7000 + LATENCY);
    expect_resident(rig, 1, 1000 + 7000 + LATENCY + WRITE);
    expect_resident(rig, 2, 20001 + LATENCY);
    expect_resident(rig, 3, 100000 + 7000 + LATENCY);
    finish(rig);
}

/* ---- sets ---- */

/* Pages of `order` in sets of `pages`, the first of which flows at `first`, then one each
 * `interval`: each page is resident when it has passed the link and is written. */
static void expect_sets(paging_rig *rig, const unsigned *order, unsigned count, unsigned pages,
                        ww_tick first, ww_tick interval)
{
    for (unsigned i = 0; i < count; i++)
        expect_resident(rig, order[i],
                        first + interval * (i / pages) + PAGE * (i % pages + 1) + WRITE);
}

static void count_up(unsigned *order, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        order[i] = i;
}

/* Nothing faults. The interval of the launch ends at 28000. */
static void sets_go_out_every_interval(void **state)
{
    (void)state;
    unsigned order[200];
    count_up(order, 200);
    paging_rig *rig = paging_rig_create("prefetch=sequential", 200, NULL, 0);
    paging_rig_run(rig);
    expect_sets(rig, order, 200, 80, 28001, 28000);
    assert_int_equal(paging_rig_count(rig)->prefetched, 200);
    assert_int_equal(paging_rig_count(rig)->services, 3);
    finish(rig);
}

/* Two pages fault in the first interval, one in the second: each is first in its set. A fault of a
 * page that is in a set already changes nothing. */
static void demand_comes_before_prefetch(void **state)
{
    (void)state;
    unsigned order[200] = {150, 100}, n = 2;
    for (unsigned i = 0; n < 80; i++)
        order[n++] = i;
    order[n++] = 199;
    for (unsigned i = 78; n < 200; i++)
        if (i != 100 && i != 150)
            order[n++] = i;
    paging_rig *rig = paging_rig_create("prefetch=sequential", 200, NULL, 0);
    paging_rig_access(rig, 5000, 0, 150);
    paging_rig_access(rig, 6000, 1, 100);
    paging_rig_access(rig, 6100, 2, 100);
    paging_rig_access(rig, 28100, 2, 77);
    paging_rig_access(rig, 40000, 2, 199);
    paging_rig_run(rig);
    expect_sets(rig, order, 200, 80, 28001, 28000);
    assert_int_equal(paging_rig_count(rig)->demanded, 4);
    assert_int_equal(paging_rig_count(rig)->duplicates, 1);
    finish(rig);
}

/* 90 pages fault in one interval: the last ten are the first of the next set. */
static void faults_beyond_a_set_are_first_in_the_next(void **state)
{
    (void)state;
    unsigned order[200], n = 0;
    for (unsigned i = 0; i < 90; i++)
        order[n++] = 199 - i;
    for (unsigned i = 0; i < 110; i++)
        order[n++] = i;
    paging_rig *rig = paging_rig_create("prefetch=sequential faults_per_cu=infinite", 200, NULL, 0);
    for (unsigned i = 0; i < 90; i++)
        paging_rig_access(rig, 100 + i, i % 4, 199 - i);
    paging_rig_run(rig);
    expect_sets(rig, order, 200, 80, 28001, 28000);
    finish(rig);
}

/* A latency or a cost beyond the interval shifts the sets; they are as large, and as frequent. */
static void a_longer_latency_keeps_the_rate(void **state)
{
    static const struct {
        const char *settings;
        ww_tick later;
    } cases[] = {
        {"prefetch=sequential fault_latency=10us", 1},
        {"prefetch=sequential fault_latency=30us", 14000},
        {"prefetch=sequential fault_latency=40us", 28000},
        {"prefetch=sequential fault_latency=50us", 42000},
        {"prefetch=sequential selection_cost=30us", 42000},
        {"prefetch=sequential fault_latency=40us selection_cost=5us", 35000},
    };
    (void)state;
    unsigned order[500];
    count_up(order, 500);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        paging_rig *rig = paging_rig_create(cases[i].settings, 500, NULL, 0);
        paging_rig_run(rig);
        expect_sets(rig, order, 500, 80, 28000 + cases[i].later, 28000);
        assert_int_equal(paging_rig_count(rig)->link_busy_in, 500 * PAGE);
        finish(rig);
    }
}

/* Memory for half of the pages: it is filled and no more, also when sets that were chosen have not
 * been sent yet. */
static void prefetching_stops_when_memory_is_full(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        paging_rig *rig =
            paging_rig_create(i ? "prefetch=sequential resident_fraction=0.5 fault_latency=50us"
                                : "prefetch=sequential resident_fraction=0.5",
                              300, NULL, 0);
        paging_rig_run(rig);
        assert_int_equal(paging_rig_count(rig)->pages_in, 150);
        assert_int_equal(paging_rig_count(rig)->evictions, 0);
        finish(rig);
    }
}

/* Four channels: sets of 20 pages each 5 us. The first ends with the first interval of 5 us, and
 * flows 20 us after that interval's start. */
static void channels_make_sets_smaller_and_more_frequent(void **state)
{
    (void)state;
    unsigned order[200];
    count_up(order, 200);
    paging_rig *rig = paging_rig_create("prefetch=sequential dma_channels=4", 200, NULL, 0);
    paging_rig_run(rig);
    expect_sets(rig, order, 200, 20, 28000, 7000);
    assert_int_equal(paging_rig_count(rig)->services, 10);
    finish(rig);
}

/* ---- launches ---- */

/* The launch ends in tick 30000, when five pages are resident. A million ticks later time goes on
 * where it stood. */
static void time_stands_still_between_launches(void **state)
{
    (void)state;
    paging_rig *rig = paging_rig_create("prefetch=sequential", 100, NULL, 0);
    paging_rig_launch(rig, 0);
    paging_rig_end_launch(rig, 30000);
    paging_rig_run_until(rig, 1000000);
    assert_int_equal(ww_paging_sample_now(rig->paging).resident, 5);
    assert_int_equal(paging_rig_count(rig)->ticks, 30000);
    paging_rig_launch(rig, 1000000);
    assert_false(ww_engine_run(rig->engine, WW_NEVER));
    for (unsigned i = 5; i < 100; i++)
        expect_resident(rig, i,
                        1000000 - 30000 + 28001 + 28000 * (i / 80) + PAGE * (i % 80 + 1) + WRITE);
    finish(rig);
}

/* All pages, one after the other from tick 0 on. Those of a buffer that the host has not written
 * need no copy. */
static void copies_take_the_link_s_time(void **state)
{
    (void)state;
    for (unsigned inputs = 0; inputs < 2; inputs++) {
        paging_rig *rig =
            paging_rig_create(inputs ? "mode=copy copy=inputs" : "mode=copy", 200, NULL, 0);
        ww_paging_add_buffer(rig->paging, (PAGING_BASE + 512) * 4096ull, 100 * 4096ull - 4000,
                             false);
        paging_rig_launch(rig, 0);
        assert_true(ww_paging_is_copying(rig->paging));
        assert_false(ww_engine_run(rig->engine, WW_NEVER));
        assert_false(ww_paging_is_copying(rig->paging));
        unsigned count = inputs ? 200 : 300;
        assert_int_equal(paging_rig_count(rig)->bytes_in, count * 4096);
        assert_int_equal(paging_rig_count(rig)->copy_ticks, count * PAGE + WRITE);
        for (unsigned i = 0; i < 200; i++)
            expect_resident(rig, i, PAGE * (i + 1) + WRITE);
        assert_true(rig->pages[512 + 99].mapped);
        assert_false(rig->pages[512 + 100].mapped);
        paging_rig_destroy(rig);
    }
}

/* Three pages were written. The first is read in 132 ticks; then the link passes all three. */
static void written_pages_are_copied_back(void **state)
{
    (void)state;
    paging_rig *rig = paging_rig_create("mode=copy copy=all_back", 10, NULL, 0);
    assert_true(ww_paging_copies_back(rig->paging));
    paging_rig_access(rig, 5000, 0, 9)->writes = true;
    paging_rig_access(rig, 5000, 1, 4)->writes = true;
    paging_rig_access(rig, 5001, 1, 5);
    paging_rig_access(rig, 5002, 1, 3)->writes = true;
    paging_rig_access(rig, 5003, 1, 4);
    paging_rig_end_launch(rig, 6000);
    paging_rig_run(rig);
    uint64_t before = paging_rig_count(rig)->copy_ticks;
    ww_paging_resume(rig->paging, 10000);
    ww_paging_copy_back(rig->paging);
    assert_false(ww_engine_run(rig->engine, WW_NEVER));
    assert_false(ww_paging_is_copying(rig->paging));
    assert_int_equal(paging_rig_count(rig)->bytes_out, 3 * 4096);
    assert_int_equal(paging_rig_count(rig)->copy_ticks - before, 132 + 3 * PAGE);
    finish(rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_page_is_resident_a_latency_after_its_fault),
        cmocka_unit_test(no_page_is_faster_than_the_link),
        cmocka_unit_test(faults_overlap),
        cmocka_unit_test(or_are_served_in_batches),
        cmocka_unit_test(a_batch_ends_with_its_last_page),
        cmocka_unit_test(many_faults_saturate_the_link),
        cmocka_unit_test(an_interrupt_wakes_an_idle_driver),
        cmocka_unit_test(sets_go_out_every_interval),
        cmocka_unit_test(demand_comes_before_prefetch),
        cmocka_unit_test(faults_beyond_a_set_are_first_in_the_next),
        cmocka_unit_test(a_longer_latency_keeps_the_rate),
        cmocka_unit_test(prefetching_stops_when_memory_is_full),
        cmocka_unit_test(channels_make_sets_smaller_and_more_frequent),
        cmocka_unit_test(time_stands_still_between_launches),
        cmocka_unit_test(copies_take_the_link_s_time),
        cmocka_unit_test(written_pages_are_copied_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
