/* Page walks on an idle compute unit, cycle by cycle (support/cu_walker_rig.h).
 *
 * A stage takes: lookup and update 22, offset 4, check 4, done 4 (the answer comes at the next tick).
 * A read that is sent in cycle t comes to memory at t + 1 and back at t + 29: the stage after it
 * issues in that cycle. A round of one thread is offset 4, memory 29, check 4: 37 cycles. */
#include "config/machine.h"
#include "sim/components.h"
#include "support/cu_walker_rig.h"
#include "vm/cuptw/cuptw_schema.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static cu_walker_rig rig;

static void start(unsigned threads, bool caches)
{
    cu_walker_rig_init(&rig);
    rig.config.threads = threads;
    rig.config.caches = caches;
}

static void end(void)
{
    cu_walker_rig_destroy(&rig);
}

static void finish(const char *log)
{
    cu_walker_rig_run(&rig);
    cu_walker_rig_expect(&rig, log);
    end();
}

/* ---- stages ---- */

/* The times in this file are those of the machine of the paper. */
static void the_rig_has_the_stages_of_mi100_cuptw(void **state)
{
    (void)state;
    ww_errors *errors = ww_errors_create();
    ww_config *config = ww_config_create(&ww_all_schemas);
    ww_machine_load(config, "mi100-cuptw", WW_NOWHERE, NULL, errors);
    assert_int_equal(ww_errors_count(errors), 0);
    ww_cu_walker_config machine;
    ww_cuptw_configure(config, &machine);
    cu_walker_rig_init(&rig);
    assert_int_equal(machine.wavefronts, rig.config.wavefronts);
    assert_int_equal(machine.timeout, rig.config.timeout);
    assert_int_equal(machine.conflict, rig.config.conflict);
    for (unsigned i = WW_WAVEFRONT_LOOKUP; i < WW_WAVEFRONT_STAGES; i++) {
        const ww_stage_timing *ours = &rig.config.stages[i], *its = &machine.stages[i];
        assert_int_equal(its->unit, ours->unit);
        assert_int_equal(its->latency, ours->latency);
        assert_int_equal(its->interval, ours->interval);
    }
    ww_config_destroy(config);
    ww_errors_destroy(errors);
}

/*     cycle        what
 *     10           a comes, and is set up
 *     11           offset of level 4, 15 memory, 16 the read comes, 44 its reply: check
 *     48, 85, 122  offset of levels 3, 2, 1: each 37 later
 *     155          check: no thread has more to read
 *     159          done; the answer comes at 160 */
static void a_walk_of_one_thread(void **state)
{
    (void)state;
    start(1, false);
    cu_walker_rig_plan(&rig, 10, 'a', 0x12345);
    cu_walker_rig_run(&rig);
    const ww_cuptw_counters *n = cu_walker_rig_count(&rig);
    assert_int_equal(n->walks, 1);
    assert_int_equal(n->latency, 149);
    assert_int_equal(n->waiting, 0);
    assert_int_equal(n->simd_issues, 4);
    assert_int_equal(n->simd_busy, 16);
    assert_int_equal(n->scalar_issues, 4);
    assert_int_equal(n->scalar_busy, 4);
    assert_int_equal(n->branch_issues, 4);
    assert_int_equal(n->memory_issues, 1);
    assert_int_equal(n->lds_issues, 0);
    finish("11o0 15m0 16va4 44c0 48o0 52m0 53va3 81c0 85o0 89m0 90va2 118c0 122o0 126m0 127va1 "
           "155c0 159d0 160^a ");
}

/* The scheduler of a wavefront is active in every fourth cycle. Scheduler 0: 12, 16, ... After the
 * reply at 16 + 29 = 45 it is 48. A round is 12 -> 16 -> (45) 48 -> 52: 40 cycles. */
static void schedulers_take_turns(void **state)
{
    (void)state;
    start(1, false);
    rig.period = 4;
    cu_walker_rig_plan(&rig, 10, 'a', 0);
    finish("12o0 16m0 17va4 48c0 52o0 56m0 57va3 88c0 92o0 96m0 97va2 128c0 132o0 136m0 137va1 "
           "168c0 172d0 173^a ");
}

/* Pages of 64 KiB have entries of level 1, too; those of 2 MiB end at level 2: 37 cycles less. */
static void larger_pages(void **state)
{
    (void)state;
    start(1, false);
    rig.config.page_shift = 16;
    cu_walker_rig_plan(&rig, 10, 'a', 0x123);
    finish("11o0 15m0 16va4 44c0 48o0 52m0 53va3 81c0 85o0 89m0 90va2 118c0 122o0 126m0 127va1 "
           "155c0 159d0 160^a ");
    start(1, false);
    rig.config.page_shift = 21;
    cu_walker_rig_plan(&rig, 10, 'a', 0x123);
    finish("11o0 15m0 16va4 44c0 48o0 52m0 53va3 81c0 85o0 89m0 90va2 118c0 122d0 123^a ");
}

/* With a cache, nothing in it: the lookup goes first, and an update of 22 cycles follows the read of
 * levels 4, 3 and 2, so that their rounds take 59. Then b, of the same node of level 1: its lookup
 * finds level 2, and it reads the leaf alone. c shares level 3 with them: two reads. */
static void a_walk_with_a_cache(void **state)
{
    (void)state;
    start(1, true);
    cu_walker_rig_plan(&rig, 10, 'a', 0);
    cu_walker_rig_plan(&rig, 300, 'b', 511);
    cu_walker_rig_plan(&rig, 400, 'c', 512);
    cu_walker_rig_run(&rig);
    const ww_cuptw_counters *n = cu_walker_rig_count(&rig);
    assert_int_equal(n->cache_lookups, 3);
    assert_int_equal(n->cache_misses, 1);
    assert_int_equal(n->cache_hits_2, 1);
    assert_int_equal(n->cache_hits_3, 1);
    assert_int_equal(n->cache_writes, 4);
    assert_int_equal(n->lds_issues, 7);
    finish("11l0 33o0 37m0 38va4 66u0 88c0 92o0 96m0 97va3 125u0 147c0 151o0 155m0 156va2 184u0 "
           "206c0 210o0 214m0 215va1 243c0 247d0 248^a "
           "301l0 323o0 327m0 328vb1 356c0 360d0 361^b "
           "401l0 423o0 427m0 428vc2 456u0 478c0 482o0 486m0 487vc1 515c0 519d0 520^c ");
}

/* No row of local memory is free: as without a cache. */
static void no_local_memory_no_cache(void **state)
{
    (void)state;
    start(1, true);
    rig.lds_bytes = 127;
    cu_walker_rig_plan(&rig, 10, 'a', 0);
    cu_walker_rig_run(&rig);
    assert_int_equal(cu_walker_rig_count(&rig)->cache_lookups, 0);
    assert_int_equal(cu_walker_rig_count(&rig)->cache_rows, 0);
    assert_int_equal(rig.requests[0].answered, 160);
    end();
}

/* Four threads are set up in cycles 10 to 13; the wavefront is full and issues at 14. Requests go
 * in cycles 18 to 21, and the last reply comes at 50. A round is 4 + 3 + 29 + 4 = 40 cycles. Pages 0
 * and 1 share a line of every level, page 8 all but the leaf's, page 2^27 (another entry of level 4)
 * the root's line. */
static void a_full_wavefront_leaves_at_once(void **state)
{
    (void)state;
    start(4, false);
    cu_walker_rig_plan(&rig, 10, 'a', 0);
    cu_walker_rig_plan(&rig, 10, 'b', 1);
    cu_walker_rig_plan(&rig, 10, 'c', 8);
    cu_walker_rig_plan(&rig, 10, 'd', 1u << 27);
    cu_walker_rig_run(&rig);
    const ww_cuptw_counters *n = cu_walker_rig_count(&rig);
    assert_int_equal(n->wavefronts, 1);
    assert_int_equal(n->timeouts, 0);
    assert_int_equal(n->waiting, 0 + 1 + 2 + 3);
    assert_int_equal(n->pte_reads, 16);
    assert_int_equal(n->coalesced_4, 3);
    assert_int_equal(n->coalesced_3, 2);
    assert_int_equal(n->coalesced_2, 2);
    assert_int_equal(n->coalesced_1, 1);
    assert_int_equal(n->scalar_busy, 16);
    finish("14o0 18m0 19va4 20vb4 21vc4 22vd4 50c0 54o0 58m0 59va3 60vb3 61vc3 62vd3 90c0 "
           "94o0 98m0 99va2 100vb2 101vc2 102vd2 130c0 134o0 138m0 139va1 140vb1 141vc1 142vd1 "
           "170c0 174d0 175^a 175^b 175^c 175^d ");
}

/* Three of four: 128 cycles after the set-up of the first one. A round is 39 cycles. */
static void a_partly_filled_wavefront_waits(void **state)
{
    (void)state;
    start(4, false);
    cu_walker_rig_plan(&rig, 10, 'a', 0);
    cu_walker_rig_plan(&rig, 10, 'b', 1);
    cu_walker_rig_plan(&rig, 60, 'c', 2);
    cu_walker_rig_run(&rig);
    assert_int_equal(cu_walker_rig_count(&rig)->timeouts, 1);
    finish("138o0 142m0 143va4 144vb4 145vc4 173c0 177o0 181m0 182va3 183vb3 184vc3 212c0 "
           "216o0 220m0 221va2 222vb2 223vc2 251c0 255o0 259m0 260va1 261vb1 262vc1 290c0 294d0 "
           "295^a 295^b 295^c ");
}

/* The fifth gets a wavefront of its own. */
static void wavefronts_are_filled_one_after_the_other(void **state)
{
    (void)state;
    start(4, false);
    for (unsigned i = 0; i < 5; i++)
        cu_walker_rig_plan(&rig, 10, (char)('a' + i), i);
    cu_walker_rig_run(&rig);
    assert_non_null(strstr(rig.log, "14o0 "));
    assert_non_null(strstr(rig.log, " 142o1 ")); /* set up at 14 */
    assert_int_equal(cu_walker_rig_count(&rig)->wavefronts, 2);
    assert_int_equal(cu_walker_rig_count(&rig)->timeouts, 1);
    end();
}

/* One wavefront has registers: b waits until a has been answered (done at 159, set up at 160). */
static void a_walk_waits_for_a_free_thread(void **state)
{
    (void)state;
    start(1, false);
    rig.room = 1;
    cu_walker_rig_plan(&rig, 10, 'a', 0);
    cu_walker_rig_plan(&rig, 10, 'b', 1);
    cu_walker_rig_run(&rig);
    assert_int_equal(cu_walker_rig_count(&rig)->waiting, 150);
    assert_int_equal(rig.requests[0].answered, 160);
    assert_int_equal(rig.requests[1].answered, 160 + 150);
    end();
}

/* Four walks at the same time, set up in cycles 10 to 13. They share the scalar and branch unit,
 * which is free again in the next cycle: each is a cycle behind the one before. */
static void four_wavefronts_walk_at_once(void **state)
{
    (void)state;
    start(1, false);
    for (unsigned i = 0; i < 4; i++)
        cu_walker_rig_plan(&rig, 10, (char)('a' + i), i);
    cu_walker_rig_run(&rig);
    for (unsigned i = 0; i < 3; i++)
        assert_int_equal(rig.requests[i].answered, 160 + i * 4); /* done keeps its unit for 4 */
    end();
}

/* Kernels' warps go first: from cycle 40 to 1000 one can issue in each. a's reply is there at 44;
 * its check waits. */
static void a_busy_compute_unit_makes_no_progress(void **state)
{
    (void)state;
    start(1, false);
    rig.busy_from = 40;
    rig.busy = 1000;
    cu_walker_rig_plan(&rig, 10, 'a', 0);
    finish("11o0 15m0 16va4 1000c0 1004o0 1008m0 1009va3 1037c0 1041o0 1045m0 1046va2 1074c0 "
           "1078o0 1082m0 1083va1 1111c0 1115d0 1116^a ");
}

/* The cache's port has room for one request: a request is sent when the one before was taken. The
 * unit is free long before: the rest goes without it. */
static void a_full_port_holds_requests_back(void **state)
{
    (void)state;
    start(4, false);
    rig.memory_capacity = 1;
    for (unsigned i = 0; i < 4; i++)
        cu_walker_rig_plan(&rig, 10, (char)('a' + i), i);
    cu_walker_rig_run(&rig);
    assert_int_equal(rig.reads, 16);
    end();
}

/* ---- answers ---- */

/* Page 0 has filled the cache (128 cycles for a second thread, 22 for the lookup). a starts at level
 * 1, b at level 2:
 *
 *     400, 401  set up; 402 lookup, 424 offset, 428 memory; replies at 457 and 458
 *     458       update, for b; 480 check
 *     together  484 offset, 488 memory, 517 check, 521 done
 *     each      484 done for a, 488 offset, 492 memory, 521 check, 525 done for b */
static void answers_together_or_each(void **state)
{
    (void)state;
    for (unsigned each = 0; each < 2; each++) {
        start(2, true);
        rig.config.answers_each = each;
        cu_walker_rig_plan(&rig, 10, 'w', 0);
        cu_walker_rig_plan(&rig, 400, 'a', 1);
        cu_walker_rig_plan(&rig, 400, 'b', 512);
        cu_walker_rig_run(&rig);
        assert_non_null(
            strstr(rig.log, each ? "402l0 424o0 428m0 429va1 430vb2 458u0 480c0 484d0 485^a 488o0 "
                                   "492m0 493vb1 521c0 525d0 526^b "
                                 : "402l0 424o0 428m0 429va1 430vb2 458u0 480c0 484o0 488m0 "
                                   "489vb1 517c0 521d0 522^a 522^b "));
        end();
    }
}

/* The NVIDIA form says that the L1 TLB must not keep the answer. */
static void the_nvidia_form_goes_past_the_l1(void **state)
{
    (void)state;
    start(2, false);
    rig.config.nvidia = true; /* the rig compares */
    rig.config.stages[WW_WAVEFRONT_CHECK] = rig.config.stages[WW_WAVEFRONT_OFFSET];
    rig.config.stages[WW_WAVEFRONT_MEMORY].unit = WW_WALK_MEMORY;
    cu_walker_rig_plan(&rig, 10, 'a', 0);
    cu_walker_rig_plan(&rig, 10, 'b', 9);
    cu_walker_rig_run(&rig);
    const ww_cuptw_counters *n = cu_walker_rig_count(&rig);
    assert_int_equal(n->simd_issues, 8);   /* offsets and checks */
    assert_int_equal(n->memory_issues, 5); /* reads and done */
    assert_int_equal(n->scalar_issues + n->branch_issues, 0);
    end();
}

/* ---- bank conflicts ---- */

/* Levels 3 and 4 have one block in a row. Four threads of four entries of level 3 need four rows of
 * its banks: 22 + 3 x 5 cycles. Their updates of level 4 are of one block, of level 3 again of four
 * rows; level 2 has 8 blocks in a row, and 4 x 512 are all block 0 modulo 8, with rows 0, 64, 128
 * and 192 of 512. */
static void conflicts_take_time(void **state)
{
    (void)state;
    start(4, true);
    for (unsigned i = 0; i < 4; i++)
        cu_walker_rig_plan(&rig, 10, (char)('a' + i), (uint64_t)i << 18);
    cu_walker_rig_run(&rig);
    assert_non_null(strstr(rig.log, "14l0 51o0 "));
    /* The lookup, and the updates of levels 3 and 2. */
    assert_int_equal(cu_walker_rig_count(&rig)->conflicts, 45);
    /* A lookup of 4 rows, and an update of 1, which take at least 2 cycles; two updates of 4. */
    assert_int_equal(cu_walker_rig_count(&rig)->lds_busy, 4 + 2 + 4 + 4);
    end();
}

/* ---- many ---- */

/* 64 threads: the replies of the first come before the last have sent. The last shares the line of
 * level 2 (8 x 512 pages) with the first alone, whose walk is at level 1 by then. All share a
 * line of level 3 (8 x 512 x 512 pages). */
static void lines_are_shared_with_threads_that_are_ahead(void **state)
{
    (void)state;
    start(64, false);
    rig.silent = true;
    for (unsigned i = 0; i < 63; i++)
        cu_walker_rig_plan(&rig, 10, 'a', i * 4096);
    cu_walker_rig_plan(&rig, 10, 'b', 512);
    cu_walker_rig_run(&rig);
    const ww_cuptw_counters *n = cu_walker_rig_count(&rig);
    assert_int_equal(n->pte_reads, 256);
    assert_int_equal(n->coalesced_4, 63);
    assert_int_equal(n->coalesced_3, 63);
    assert_int_equal(n->coalesced_2, 1);
    assert_int_equal(n->coalesced_1, 0);
    end();
}

/* Two wavefronts of two threads: four are forwarded, also before any of them has come. The next has
 * to wait in the L2 TLB until a thread is free, or at the compute unit. */
static void what_is_on_its_way_has_a_thread(void **state)
{
    (void)state;
    for (unsigned outside = 0; outside < 2; outside++) {
        start(2, false);
        rig.room = 2;
        rig.config.waits_outside = outside;
        cu_walker_rig_plan(&rig, 10, 'a', 0);
        for (unsigned i = 0; i < 3; i++)
            assert_true(ww_cu_walker_reserve(rig.walker));
        ww_engine_run(rig.engine, 12); /* the fourth has come, and a thread */
        assert_int_equal(rig.walker->expected, 3);
        assert_int_equal(ww_cu_walker_reserve(rig.walker), !outside);
        ww_engine_run(rig.engine, 1000); /* it is answered */
        assert_true(ww_cu_walker_reserve(rig.walker));
        assert_int_equal(ww_cu_walker_reserve(rig.walker), !outside);
        end();
    }
}

/* No registers: nothing can be forwarded. */
static void no_registers_no_walks(void **state)
{
    (void)state;
    start(1, false);
    rig.room = 0;
    rig.silent = true;
    rig.config.threads = 1;
    ww_cu_walker *w = ww_cu_walker_create(&rig.config, rig.engine = ww_engine_create());
    ww_cu_walker_begin(w, 0, 65536);
    assert_false(ww_cu_walker_reserve(w));
    ww_cu_walker_begin(w, 9, 65536); /* not more than there are schedulers */
    assert_int_equal(w->room, 4);
    assert_true(ww_cu_walker_reserve(w));
    assert_int_equal(w->counters.launches, 2);
    assert_int_equal(w->counters.room, 4);
    ww_cu_walker_destroy(w);
    ww_engine_destroy(rig.engine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_rig_has_the_stages_of_mi100_cuptw),
        cmocka_unit_test(a_walk_of_one_thread),
        cmocka_unit_test(schedulers_take_turns),
        cmocka_unit_test(larger_pages),
        cmocka_unit_test(a_walk_with_a_cache),
        cmocka_unit_test(no_local_memory_no_cache),
        cmocka_unit_test(a_full_wavefront_leaves_at_once),
        cmocka_unit_test(a_partly_filled_wavefront_waits),
        cmocka_unit_test(wavefronts_are_filled_one_after_the_other),
        cmocka_unit_test(a_walk_waits_for_a_free_thread),
        cmocka_unit_test(four_wavefronts_walk_at_once),
        cmocka_unit_test(a_busy_compute_unit_makes_no_progress),
        cmocka_unit_test(a_full_port_holds_requests_back),
        cmocka_unit_test(answers_together_or_each),
        cmocka_unit_test(the_nvidia_form_goes_past_the_l1),
        cmocka_unit_test(conflicts_take_time),
        cmocka_unit_test(lines_are_shared_with_threads_that_are_ahead),
        cmocka_unit_test(what_is_on_its_way_has_a_thread),
        cmocka_unit_test(no_registers_no_walks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
