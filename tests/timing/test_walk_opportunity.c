/* walk.opportunity: reads of page-table entries whose line another request, waiting or at work,
 * needs at the same time or has just used. A line has eight entries: of pages 0 to 7 at the leaf,
 * of 8 x 512 pages at level 2, and so on. */
#include "support/mmu_rig.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

/* Pages of 4 KiB that an entry of level 4 is for. */
#define L4 (512ull * 512 * 512)

static mmu_rig_config counting(uint32_t walkers)
{
    mmu_rig_config c = mmu_rig_plain();
    c.mmu.walkers = walkers;
    c.mmu.opportunity = true;
    return c;
}

static void expect_shared(mmu_rig *rig, uint64_t reads, uint64_t leaf, uint64_t upper)
{
    assert_true(mmu_rig_run(rig));
    const ww_walk_counters *n = mmu_rig_count(rig);
    assert_int_equal(n->pte_reads, reads);
    assert_int_equal(n->shared_leaf, leaf);
    assert_int_equal(n->shared_upper, upper);
    mmu_rig_destroy(rig);
}

/* One walker. a's read of level 4 goes at 5, before b comes; those of 3 and 2 (15, 25) and of the
 * leaf (35) are of lines that b, waiting since 6, needs, too. b's reads from 45 on: c, of page 8,
 * needs the lines of levels 4 to 2, not the leaf's. c's from 85 on: d is in another line even of
 * level 4. */
static mmu_rig *waiting_rig(const mmu_rig_config *config)
{
    mmu_rig *rig = mmu_rig_create(config, 4, 4);
    mmu_rig_plan(rig, 5, 'a', 0, 0);
    mmu_rig_plan(rig, 6, 'b', 1, 1);
    mmu_rig_plan(rig, 30, 'c', 2, 8);
    mmu_rig_plan(rig, 31, 'd', 3, 8 * L4);
    return rig;
}

static void lines_that_waiting_walks_need_are_counted(void **state)
{
    (void)state;
    mmu_rig_config c = counting(1);
    expect_shared(waiting_rig(&c), 16, 1, 2 + 3);
}

/* The same with merging, which changes what is read, not what is counted: a's leaf answers b and
 * its level 2 leads c to its leaf, which no other walk shares. a's level 3 and 2 are counted, and
 * its leaf. */
static void merged_lines_are_counted(void **state)
{
    (void)state;
    mmu_rig_config c = counting(1);
    c.merge = "neighborhood";
    expect_shared(waiting_rig(&c), 4 + 1 + 4, 1, 2);
}

/* Without the key nothing is counted. */
static void nothing_is_counted_by_default(void **state)
{
    (void)state;
    mmu_rig_config c = counting(1);
    c.mmu.opportunity = false;
    expect_shared(waiting_rig(&c), 16, 0, 0);
}

/* Two walkers. Of the reads of level 4, a's goes before b is there; all others are seen by the
 * other walker. c comes when both are idle: what they walked for does not count any more. */
static void lines_of_other_walkers_are_counted(void **state)
{
    (void)state;
    mmu_rig_config c = counting(2);
    mmu_rig *rig = mmu_rig_create(&c, 3, 3);
    mmu_rig_plan(rig, 5, 'a', 0, 0);
    mmu_rig_plan(rig, 5, 'b', 1, 7);
    mmu_rig_plan(rig, 100, 'c', 2, 2);
    expect_shared(rig, 12, 2, 5);
}

/* b comes when a reads its leaf, at 35, and follows it: a has just used the lines of levels 4 to 2,
 * but is gone at 45, when b reads level 3. */
static void a_line_that_was_just_used_counts(void **state)
{
    (void)state;
    mmu_rig_config c = counting(2);
    mmu_rig *rig = mmu_rig_create(&c, 2, 2);
    mmu_rig_plan(rig, 5, 'a', 0, 0);
    mmu_rig_plan(rig, 36, 'b', 1, 1);
    expect_shared(rig, 8, 0, 1);
}

/* The leaf of pages of 2 MiB is level 2: a's read of it at 25 is shared with b, of the same eight
 * pages, and not with c. */
static void the_leaf_of_large_pages_is_level_2(void **state)
{
    (void)state;
    mmu_rig_config c = counting(1);
    c.page_bytes = 2 << 20;
    mmu_rig *rig = mmu_rig_create(&c, 3, 3);
    mmu_rig_plan(rig, 5, 'a', 0, 0);
    mmu_rig_plan(rig, 6, 'b', 1, 7);
    mmu_rig_plan(rig, 7, 'c', 2, 8);
    /* a: 3 and the leaf; b: 4 and 3, with c, whose leaf is in the next line. */
    expect_shared(rig, 9, 1, 1 + 2);
}

/* Hits in the walk caches are not reads: b reads its leaf alone, and c needs the same line. */
static void only_reads_are_counted(void **state)
{
    (void)state;
    mmu_rig_config c = counting(1);
    c.mmu.cache = WW_WALK_CACHE_LEVELS;
    mmu_rig *rig = mmu_rig_create(&c, 3, 3);
    mmu_rig_plan(rig, 5, 'a', 0, 0);
    mmu_rig_plan(rig, 44, 'b', 1, 1);
    mmu_rig_plan(rig, 44, 'c', 2, 2);
    expect_shared(rig, 6, 1, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_that_waiting_walks_need_are_counted),
        cmocka_unit_test(merged_lines_are_counted),
        cmocka_unit_test(nothing_is_counted_by_default),
        cmocka_unit_test(lines_of_other_walkers_are_counted),
        cmocka_unit_test(a_line_that_was_just_used_counts),
        cmocka_unit_test(the_leaf_of_large_pages_is_level_2),
        cmocka_unit_test(only_reads_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
