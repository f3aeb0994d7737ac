/* Page walks on a compute unit that meet a fault, or a page that moves (support/cu_walker_rig.h).
 *
 * A stage takes: lookup 22, offset 4, check 4, done 4 (the answer comes at the next tick), update 2.
 * A read that is sent in cycle t comes to memory at t + 1 and back at t + 29: the stage after it
 * issues in that cycle. A round of one thread is offset 4, memory 29, check 4: 37 cycles. */
#include "support/cu_walker_rig.h"

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

/* ---- faults ---- */

/* The reply of level 4 comes at 44, each further one 37 later: at the next tick the fault is above.
 * No cache of the way keeps anything of the page. */
static void an_entry_that_is_not_present_is_a_fault(void **state)
{
    (void)state;
    for (unsigned level = 1; level <= 4; level++) {
        start(1, false);
        rig.absent = cu_walker_rig_entry(&rig, 0x12345, level);
        cu_walker_rig_plan(&rig, 10, 'a', 0x12345);
        cu_walker_rig_plan(&rig, 400, 'b', 0x12345ull + (1ull << 27)); /* of another root entry */
        cu_walker_rig_run(&rig);
        assert_int_equal(rig.requests[0].translation.status, WW_FAR_FAULT);
        assert_int_equal(rig.requests[0].answered, 45 + 37 * (4 - level));
        assert_int_equal(rig.requests[1].translation.status, WW_TRANSLATED);
        assert_int_equal(rig.requests[1].answered, 550);
        assert_int_equal(cu_walker_rig_count(&rig)->faults, 1);
        assert_int_equal(cu_walker_rig_count(&rig)->walks, 2);
        end();
    }
}

/* The others of a wavefront go on, at any level. All of them: the wavefront is free. */
static void faults_in_a_wavefront(void **state)
{
    (void)state;
    for (unsigned level = 1; level <= 4; level++)
        for (unsigned caches = 0; caches < 2; caches++) {
            start(4, caches);
            rig.absent = cu_walker_rig_entry(&rig, 1u << 27, level);
            for (unsigned i = 0; i < 4; i++)
                cu_walker_rig_plan(&rig, 10, (char)('a' + i), (i & 1) << 27);
            cu_walker_rig_plan(&rig, 11, 'e', 1u << 27); /* alone in its wavefront */
            cu_walker_rig_run(&rig);
            assert_int_equal(cu_walker_rig_count(&rig)->faults, 3);
            for (unsigned i = 0; i < 5; i++)
                assert_int_equal(rig.requests[i].translation.status,
                                 rig.requests[i].translation.page ? WW_FAR_FAULT : WW_TRANSLATED);
            end();
        }
}

/* Entries of this table are read-only. */
static void a_write_to_a_read_only_page(void **state)
{
    (void)state;
    start(1, false);
    cu_walker_rig_plan(&rig, 10, 'a', 0)->translation.writes = true;
    cu_walker_rig_run(&rig);
    assert_int_equal(rig.requests[0].translation.status, WW_PROTECTION_FAULT);
    assert_int_equal(cu_walker_rig_count(&rig)->faults, 0);
    end();
}

/* ---- invalidations ---- */

static void plan_two(ww_tick move_at)
{
    rig.silent = true;
    rig.moved = 7;
    rig.move_at = move_at;
    cu_walker_rig_plan(&rig, 10, 'a', 7);
    cu_walker_rig_plan(&rig, 10, 'b', 8);
}

/* The page moves at every tick, from before it comes to after its answer. While its thread is set
 * up, its walk starts again, once; the rig finds a stale frame. The other one goes on. */
static void a_page_that_moves_is_walked_for_again(void **state)
{
    (void)state;
    for (unsigned kind = 0; kind < 8; kind++)
        for (ww_tick at = 9; at < 340; at++) {
            start(kind & 1 ? 2 : 1, kind & 2);
            rig.config.answers_each = kind & 4;
            plan_two(0);
            cu_walker_rig_run(&rig);
            ww_tick done = rig.requests[0].answered - 1; /* cycle of the stage */
            end();
            start(kind & 1 ? 2 : 1, kind & 2);
            rig.config.answers_each = kind & 4;
            plan_two(at);
            cu_walker_rig_run(&rig);
            assert_int_equal(cu_walker_rig_count(&rig)->restarts, at > 10 && at <= done);
            end();
        }
}

/* a is set up at 10; its page moves at 46, after the reply of level 4, before the next offset. Its
 * read of level 3 (53) is useless, and at the check (81) it starts again at the root. */
static void a_walk_starts_again_at_its_next_check(void **state)
{
    (void)state;
    start(1, false);
    rig.move_at = 46;
    cu_walker_rig_plan(&rig, 10, 'a', 0);
    finish("11o0 15m0 16va4 44c0 48o0 52m0 53va3 81c0 85o0 89m0 90va4 118c0 122o0 126m0 127va3 "
           "155c0 159o0 163m0 164va2 192c0 196o0 200m0 201va1 229c0 233d0 234^a ");
}

/* With a cache: the useless read of level 3 is not written, and there is no stage for it. What level
 * 4 wrote before stays. */
static void a_useless_read_is_not_cached(void **state)
{
    (void)state;
    start(1, true);
    rig.move_at = 100; /* the read of level 3 is in flight */
    cu_walker_rig_plan(&rig, 10, 'a', 0);
    cu_walker_rig_run(&rig);
    assert_non_null(strstr(rig.log, "97va3 125c0 129o0 133m0 134va4 162u0 "));
    assert_int_equal(cu_walker_rig_count(&rig)->cache_writes, 1 + 3);
    end();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_entry_that_is_not_present_is_a_fault),
        cmocka_unit_test(faults_in_a_wavefront),
        cmocka_unit_test(a_write_to_a_read_only_page),
        cmocka_unit_test(a_page_that_moves_is_walked_for_again),
        cmocka_unit_test(a_walk_starts_again_at_its_next_check),
        cmocka_unit_test(a_useless_read_is_not_cached),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
