/* Memory that is smaller than the buffers: pages that leave, return, and wait for one another
 * (support/paging_rig.h). */
#include "support/paging_rig.h"

#include "base/rng.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum { LATENCY = PAGING_LATENCY, PAGE = PAGING_PAGE, WRITE = PAGING_WRITE, SHOOT = PAGING_SHOOT };

static void finish(paging_rig *rig)
{
    paging_rig_check(rig);
    paging_rig_destroy(rig);
}

/* ---- a page leaves ---- */

/* Two frames. Page 2's order is sent two pages' time before the latency's end. In the next tick
 * page 0 is chosen; after the shoot-down its frame is page 2's. That is in time. */
static void a_clean_page_just_leaves(void **state)
{
    (void)state;
    paging_rig *rig = paging_rig_create("resident_fraction=0.5", 4, NULL, 0);
    paging_rig_access(rig, 1000, 0, 0);
    paging_rig_access(rig, 2000, 0, 1);
    paging_rig_access(rig, 100000, 0, 2);
    paging_rig_run(rig);
    assert_int_equal(rig->pages[0].left, 100001 + LATENCY - 2 * PAGE + 1);
    assert_int_equal(rig->pages[2].resident, 100001 + LATENCY);
    assert_int_equal(paging_rig_count(rig)->evictions, 1);
    assert_int_equal(paging_rig_count(rig)->bytes_out, 0);
    assert_int_equal(paging_rig_count(rig)->shootdowns, 1);
    finish(rig);
}

/* A dirty one is read (132 ticks after the next tick) and sent first. The frame is free then. */
static void a_dirty_page_is_sent_back(void **state)
{
    (void)state;
    for (unsigned always = 0; always < 2; always++) {
        paging_rig *rig = paging_rig_create(always ? "resident_fraction=0.5 write_back=always"
                                                   : "resident_fraction=0.5",
                                            4, NULL, 0);
        paging_rig_access(rig, 1000, 0, 0)->writes = !always;
        paging_rig_access(rig, 2000, 0, 1);
        paging_rig_access(rig, 100000, 0, 2);
        paging_rig_run(rig);
        ww_tick left = 100001 + LATENCY - 2 * PAGE + 1;
        assert_int_equal(rig->pages[0].left, left);
        assert_int_equal(rig->pages[2].resident, left + SHOOT + WRITE - 1 + PAGE + PAGE + WRITE);
        assert_int_equal(paging_rig_count(rig)->written_back, 1);
        finish(rig);
    }
}

/* It is dirty no more when it has returned. */
static void a_page_that_returned_is_clean(void **state)
{
    (void)state;
    paging_rig *rig = paging_rig_create("resident_fraction=0.25", 4, NULL, 0);
    paging_rig_access(rig, 1000, 0, 0)->writes = true;
    paging_rig_access(rig, 100000, 0, 1);
    paging_rig_access(rig, 200000, 0, 0);
    paging_rig_access(rig, 300000, 0, 2);
    paging_rig_run(rig);
    assert_int_equal(paging_rig_count(rig)->evictions, 3);
    assert_int_equal(paging_rig_count(rig)->written_back, 1);
    assert_int_equal(rig->pages[0].times, 2);
    finish(rig);
}

/* ---- races ---- */

/* Two frames. Page 0 leaves for page 512, which does not pass the link, and faults again 5 ticks
 * later: its order comes while it leaves. Page 1 leaves for it then. It has passed the link before
 * its latency of 700 ticks is over, and is resident when it is. */
static void a_page_that_returns_is_not_early(void **state)
{
    (void)state;
    paging_rig *rig =
        paging_rig_create("resident_fraction=0.5 fault_latency=500ns zero_fill=true", 2, NULL, 0);
    ww_paging_add_buffer(rig->paging, (PAGING_BASE + 512) * 4096ull, 2 * 4096, false);
    paging_rig_access(rig, 1000, 0, 0);
    paging_rig_access(rig, 2000, 0, 1);
    paging_rig_access(rig, 100000, 1, 512);
    paging_rig_launch(rig, 0);
    for (ww_tick t = 100000; !rig->pages[0].left; t++)
        paging_rig_run_until(rig, t);
    ww_tick fault = rig->pages[0].left + 5;
    paging_rig_access(rig, fault, 2, 0);
    assert_false(ww_engine_run(rig->engine, WW_NEVER));
    assert_int_equal(rig->pages[0].resident, fault + 1 + 700);
    rig->filled = 1;
    finish(rig);
}

/* One frame. Page 0 faults again while it leaves for page 1, and its order comes while it is still
 * being sent: it returns when page 1 was used, at its time or later. */
static void a_page_is_wanted_while_it_leaves(void **state)
{
    (void)state;
    paging_rig *rig = paging_rig_create("resident_fraction=0.25 fault_latency=1us", 4, NULL, 0);
    paging_rig_access(rig, 1000, 0, 0)->writes = true;
    paging_rig_access(rig, 10000, 1, 1);
    paging_rig_launch(rig, 0);
    for (ww_tick t = 10000; !rig->pages[0].left; t++)
        paging_rig_run_until(rig, t);
    const paging_access *a = paging_rig_access(rig, rig->pages[0].left + 5, 2, 0);
    assert_false(ww_engine_run(rig->engine, WW_NEVER));
    assert_int_equal(rig->pages[0].times, 2);
    assert_true(rig->pages[1].resident < rig->pages[0].resident);
    assert_true(a->done);
    finish(rig);
}

/* Three frames. Page 0 comes at 128001 and is replayed; until its walk ends, other pages are used.
 * In that time page 2 needs a frame: the least recently used page is 0, but page 3 leaves. */
static void a_page_stays_until_its_replay_has_used_it(void **state)
{
    (void)state;
    paging_rig *rig = paging_rig_create("resident_fraction=0.6", 5, NULL, 0);
    paging_rig_access(rig, 1000, 1, 1);
    paging_rig_access(rig, 99000, 1, 3);
    const paging_access *a = paging_rig_access(rig, 100000, 0, 0);
    paging_rig_access(rig, 100709, 2, 2);
    paging_rig_access(rig, 128004, 1, 3);
    paging_rig_access(rig, 128005, 1, 1);
    paging_rig_run(rig);
    assert_int_equal(rig->pages[0].resident, 128001);
    assert_int_equal(rig->pages[3].left, 128011);
    assert_int_equal(a->done, 128001 + PAGING_WALK);
    assert_int_equal(paging_rig_count(rig)->evictions, 1);
    finish(rig);
}

/* Memory for 100 of 200 pages is full. Page 120 faults and brings 79 pages behind it: each makes one
 * of the first 100 leave, chosen at random, and none of its own set. */
static void pages_of_a_set_do_not_leave_for_each_other(void **state)
{
    (void)state;
    paging_rig *rig = paging_rig_create(
        "resident_fraction=0.5 warm=sequential prefetch=locality evict=random", 200, NULL, 0);
    paging_rig_access(rig, 100000, 0, 120);
    paging_rig_run(rig);
    assert_int_equal(paging_rig_count(rig)->pages_in, 180);
    assert_int_equal(paging_rig_count(rig)->evictions, 80);
    assert_int_equal(paging_rig_count(rig)->useless, 80);
    for (unsigned i = 120; i < 200; i++)
        assert_int_equal(rig->pages[i].times, rig->pages[i].mapped);
    finish(rig);
}

/* One frame and three compute units that want one page each, again and again: every instruction
 * ends. */
static void one_frame_is_enough(void **state)
{
    (void)state;
    paging_rig *rig = paging_rig_create("resident_fraction=0.25", 4, NULL, 0);
    for (unsigned i = 0; i < 90; i++)
        paging_rig_access(rig, 1000 + 10 * i, i % 3, i % 4);
    paging_rig_run(rig);
    assert_int_equal(paging_rig_count(rig)->peak_pages, 1);
    finish(rig);
}

/* One frame and one register: the instruction whose page must not leave can be an untracked one,
 * whose page came for another compute unit. No notice comes, since the pages with registers wait
 * for this frame; it is replayed all the same. */
static void an_untracked_page_does_not_hold_memory_for_ever(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 4; seed++) {
        ww_rng rng;
        ww_rng_seed(&rng, seed);
        paging_rig *rig = paging_rig_create(
            "resident_fraction=0.001 faults_per_cu=1 fault_latency=1us", 40, NULL, 0);
        for (unsigned i = 0; i < 200; i++)
            paging_rig_access(rig, 1000 + 150 * i, i % 4, (unsigned)ww_rng_below(&rng, 40));
        paging_rig_run(rig);
        finish(rig);
    }
}

/* ---- buffers ---- */

/* The launch ends while pages are on their way, in the ticks around the end of an interval, and the
 * buffer goes. Nothing of it is left, and another one in its place works. */
static void a_buffer_goes_while_its_pages_come(void **state)
{
    (void)state;
    for (unsigned again = 0; again < 2; again++)
        for (ww_tick end = 55300; end < 57000; end += 37) {
            paging_rig *rig = paging_rig_create("prefetch=sequential", 100, NULL, 0);
            ww_paging_add_buffer(rig->paging, (PAGING_BASE + 512) * 4096ull, 4096, true);
            paging_rig_launch(rig, 0);
            paging_rig_end_launch(rig, end);
            paging_rig_run_until(rig, 70000);
            ww_paging_remove_buffer(rig->paging, PAGING_BASE * 4096ull, 100 * 4096ull);
            if (again)
                ww_paging_add_buffer(rig->paging, PAGING_BASE * 4096ull, 100 * 4096ull, true);
            paging_rig_launch(rig, 80000);
            for (unsigned i = 0; again && i < 100; i++)
                paging_rig_access(rig, 80000 + 10 * i, i % 4, i);
            assert_false(ww_engine_run(rig->engine, WW_NEVER));
            for (unsigned i = 0; i < 100; i++)
                assert_int_equal(rig->pages[i].placed, again);
            assert_int_equal(ww_paging_sample_now(rig->paging).resident, again ? 101 : 1);
            assert_int_equal(rig->placed, again ? 101 : 1);
            paging_rig_destroy(rig);
        }
}

/* ---- chunks ---- */

/* A page in each of three blocks: memory for all of them is three chunks. */
static void chunks_are_counted_by_block(void **state)
{
    static const struct {
        const char *settings;
        uint64_t capacity;
    } cases[] = {{"chunk=2MiB", 3 * 512},
                 {"chunk=2MiB resident_fraction=0.67", 3 * 512},
                 {"chunk=2MiB resident_fraction=0.66", 2 * 512},
                 {"chunk=2MiB resident_fraction=0.1", 512},
                 {"resident_fraction=0.34", 2}};
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        paging_rig *rig = paging_rig_create(cases[i].settings, 0, NULL, 0);
        for (unsigned k = 0; k < 3; k++)
            ww_paging_add_buffer(rig->paging, (PAGING_BASE + 512 * k) * 4096ull, 4096, true);
        assert_int_equal(ww_paging_capacity(rig->paging), cases[i].capacity);
        for (unsigned k = 0; k < 3; k++)
            paging_rig_access(rig, 1000 + 100000 * k, 0, 512 * k);
        paging_rig_run(rig);
        uint64_t chunks = cases[i].capacity < 512 ? cases[i].capacity : cases[i].capacity / 512;
        assert_int_equal(paging_rig_count(rig)->evictions, 3 - chunks);
        finish(rig);
    }
}

/* One chunk. The whole block leaves, the page that faulted last included. */
static void a_block_leaves_as_a_whole(void **state)
{
    (void)state;
    paging_rig *rig =
        paging_rig_create("chunk=2MiB resident_fraction=0.5 evict=allocation2m", 1024, NULL, 0);
    for (unsigned i = 0; i < 5; i++)
        paging_rig_access(rig, 1000 + i, 0, 3 * i)->writes = i == 2;
    paging_rig_access(rig, 100000, 0, 512);
    paging_rig_run(rig);
    assert_int_equal(paging_rig_count(rig)->evictions, 5);
    assert_int_equal(paging_rig_count(rig)->written_back, 1);
    assert_int_equal(paging_rig_count(rig)->shootdowns, 1);
    finish(rig);
}

/* One chunk, in which pages of two blocks alternate: faults of a block come while it leaves, and
 * wait behind those of the other. With two registers, the instruction whose page must not leave can
 * be an untracked one, whose page came for another compute unit. */
static void blocks_take_turns(void **state)
{
    static const char *const settings[] = {
        "chunk=2MiB resident_fraction=0.4 evict=allocation2m",
        "chunk=2MiB resident_fraction=0.4",
        "chunk=2MiB resident_fraction=0.4 evict=random service=batched",
        "chunk=2MiB resident_fraction=0.4 fault_latency=1us faults_per_cu=2",
        "chunk=2MiB resident_fraction=0.4 fault_latency=1us prefetch=tree",
    };
    (void)state;
    for (size_t i = 0; i < sizeof(settings) / sizeof(settings[0]); i++) {
        ww_rng rng;
        ww_rng_seed(&rng, i);
        paging_rig *rig = paging_rig_create(settings[i], 1024, NULL, 0);
        for (unsigned k = 0; k < 300; k++)
            paging_rig_access(rig, 1000 + 200 * k, k % 4, (unsigned)ww_rng_below(&rng, 1024))
                ->writes = ww_rng_below(&rng, 2);
        paging_rig_run(rig);
        assert_int_equal(paging_rig_count(rig)->capacity, 512);
        finish(rig);
    }
}

/* ---- laws ---- */

/* Whatever the driver and its policies: bytes are pages, and every instruction ends. */
static void bytes_are_pages(void **state)
{
    static const char *const settings[] = {
        "resident_fraction=0.1",
        "resident_fraction=0.01",
        "resident_fraction=0.3 evict=random service=batched",
        "resident_fraction=0.5 prefetch=locality fault_latency=40us",
        "resident_fraction=0.5 prefetch=locality warm=sequential evict=random",
        "resident_fraction=0.2 prefetch=tree evict=allocation2m",
        "resident_fraction=0.7 prefetch=random service=batched",
        "resident_fraction=0.05 faults=blocking",
        "resident_fraction=0.05 faults=blocking prefetch=locality write_back=always",
        "resident_fraction=0.05 faults_per_cu=1 flush=all",
        "resident_fraction=0.05 faults_per_cu=3 merged_faults=true link_duplex=true",
        "resident_fraction=0.05 faults=blocking blocked_until=first",
        "resident_fraction=0.05 faults=blocking blocked_until=arrival",
        "resident_fraction=0.05 evict_time=inside",
        "resident_fraction=0.01 evict_time=outside service=batched",
        "resident_fraction=0.5 prefetch=locality full_prefetch=all",
        "prefetch=random",
    };
    (void)state;
    for (size_t i = 0; i < sizeof(settings) / sizeof(settings[0]); i++) {
        ww_rng rng;
        ww_rng_seed(&rng, i);
        paging_rig *rig = paging_rig_create(settings[i], 200, NULL, 0);
        bool blocking = strstr(settings[i], "blocking");
        for (unsigned k = 0; k < 600; k++)
            paging_rig_access(rig, 1000 + (blocking ? 100000 : 97) * k, k % 4,
                              (unsigned)ww_rng_below(&rng, 200))
                ->writes = !ww_rng_below(&rng, 3);
        paging_rig_run(rig);
        finish(rig);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_clean_page_just_leaves),
        cmocka_unit_test(a_dirty_page_is_sent_back),
        cmocka_unit_test(a_page_that_returned_is_clean),
        cmocka_unit_test(a_page_that_returns_is_not_early),
        cmocka_unit_test(a_page_is_wanted_while_it_leaves),
        cmocka_unit_test(a_page_stays_until_its_replay_has_used_it),
        cmocka_unit_test(pages_of_a_set_do_not_leave_for_each_other),
        cmocka_unit_test(one_frame_is_enough),
        cmocka_unit_test(an_untracked_page_does_not_hold_memory_for_ever),
        cmocka_unit_test(a_buffer_goes_while_its_pages_come),
        cmocka_unit_test(chunks_are_counted_by_block),
        cmocka_unit_test(a_block_leaves_as_a_whole),
        cmocka_unit_test(blocks_take_turns),
        cmocka_unit_test(bytes_are_pages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
