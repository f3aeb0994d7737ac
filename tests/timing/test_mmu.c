/* Walkers take exactly the time of their lookups and reads, serve in the order of their scheduler,
 * and merge what a line is good for. A request that comes at tick t to an idle walker without walk
 * caches has its reads at the memory at t + 1, t + 11, ..., and its answer is at the TLB one tick
 * after its last bytes. */
#include "support/mmu_rig.h"
#include "vm/mmu_internal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

/* Pages of 4 KiB that an entry of a level is for. */
#define L2 512ull
#define L3 (512 * L2)
#define L4 (512 * L3)

static void a_walk_takes_its_lookup_and_four_reads(void **state)
{
    (void)state;
    mmu_rig_config c = mmu_rig_plain();
    mmu_rig *rig = mmu_rig_create(&c, 2, 1);
    mmu_rig_plan(rig, 5, 'a', 0, 0x123456789);
    mmu_rig_expect(rig, "6va4 16va3 26va2 36va1 46^a");
    mmu_rig_destroy(rig);

    c.mmu.cache_latency = 7;
    c.read_time = 3;
    rig = mmu_rig_create(&c, 2, 1);
    mmu_rig_plan(rig, 5, 'a', 0, 1);
    mmu_rig_expect(rig, "13va4 16va3 19va2 22va1 25^a");
    const ww_walk_counters *n = mmu_rig_count(rig);
    assert_int_equal(n->latency, 7 + 4 * 3);
    assert_int_equal(n->reading, 4 * 3);
    assert_int_equal(n->busy, 7 + 4 * 3);
    assert_int_equal(n->waiting, 0);
    assert_int_equal(n->at_once, 1);
    mmu_rig_destroy(rig);
}

/* A lookup keeps the port for 5 cycles, and takes 2. When d has the port, a's entry of level 4 is in
 * the caches; when d came, it was not. */
static void lookups_wait_for_a_port(void **state)
{
    (void)state;
    mmu_rig_config c = mmu_rig_plain();
    c.mmu.walkers = 4;
    c.mmu.cache = WW_WALK_CACHE_LEVELS;
    c.mmu.cache_entries = 8;
    c.mmu.cache_latency = 2;
    c.mmu.cache_interval = 5;
    c.mmu.cache_ports = 1;
    c.read_time = 12;
    mmu_rig *rig = mmu_rig_create(&c, 4, 1);
    mmu_rig_plan(rig, 5, 'a', 0, 0);
    mmu_rig_plan(rig, 5, 'b', 0, L4);
    mmu_rig_plan(rig, 5, 'c', 0, 2 * L4);
    mmu_rig_plan(rig, 16, 'd', 0, 1);
    mmu_rig_expect(rig, "8va4 13vb4 18vc4 20va3 23vd3 25vb3 30vc3 32va2 35vd2 37vb2 42vc2 44va1 "
                        "47vd1 49vb1 54vc1 56^a 59^d 61^b 66^c");
    assert_int_equal(mmu_rig_count(rig)->cache_waiting, 5 + 10 + 4);
    mmu_rig_destroy(rig);

    c.mmu.cache_ports = 2;
    rig = mmu_rig_create(&c, 3, 1);
    mmu_rig_plan(rig, 5, 'a', 0, 0);
    mmu_rig_plan(rig, 5, 'b', 0, L4);
    mmu_rig_plan(rig, 5, 'c', 0, 2 * L4);
    mmu_rig_expect(rig, "8va4 8vb4 13vc4 20va3 20vb3 25vc3 32va2 32vb2 37vc2 44va1 44vb1 49vc1 "
                        "56^a 56^b 61^c");
    assert_int_equal(mmu_rig_count(rig)->cache_waiting, 5);
    mmu_rig_destroy(rig);
}

/* The page of b loses its translation while b waits for the port. */
static void a_walk_that_waits_for_a_port_can_be_invalidated(void **state)
{
    (void)state;
    mmu_rig_config c = mmu_rig_plain();
    c.mmu.walkers = 2;
    c.mmu.cache = WW_WALK_CACHE_LEVELS;
    c.mmu.cache_entries = 8;
    c.mmu.cache_interval = 50;
    c.mmu.cache_ports = 1;
    mmu_rig *rig = mmu_rig_create(&c, 2, 1);
    mmu_rig_plan(rig, 5, 'a', 0, 0);
    mmu_rig_plan(rig, 6, 'b', 0, 1);
    mmu_rig_run_until(rig, 50);
    ww_mmu_invalidate(mmu_rig_mmu(rig), &(ww_invalidation){OF_PAGES(1)});
    mmu_rig_expect(rig, "6va4 16va3 26va2 36va1 46^a 56vb4 66vb3 76vb2 86vb1 96^b");
    mmu_rig_destroy(rig);
}

static void a_slower_clock_starts_and_ends_at_its_edges(void **state)
{
    (void)state;
    mmu_rig_config c = mmu_rig_plain();
    c.mmu.clock = ww_clock_make(1, 4); /* edges at 0, 4, 8, ... */
    c.mmu.cache_latency = 2;
    mmu_rig *rig = mmu_rig_create(&c, 1, 1);
    mmu_rig_plan(rig, 5, 'a', 0, 1);
    /* Starts at 8, looks up until 16, has bytes at 26 and sees them at 28, and so on. */
    mmu_rig_expect(rig, "17va4 29va3 41va2 53va1 65^a");
    mmu_rig_destroy(rig);
}

static void walk_caches_save_reads(void **state)
{
    (void)state;
    static const ww_walk_cache_kind kinds[] = {WW_WALK_CACHE_LEVELS, WW_WALK_CACHE_UNIFIED};
    for (size_t i = 0; i < 2; i++) {
        mmu_rig_config c = mmu_rig_plain();
        c.mmu.cache = kinds[i];
        c.mmu.cache_entries = 12;
        mmu_rig *rig = mmu_rig_create(&c, 6, 1);
        mmu_rig_plan(rig, 5, 'a', 0, 0);
        mmu_rig_plan(rig, 105, 'b', 0, 511);
        mmu_rig_plan(rig, 205, 'c', 0, L2);
        mmu_rig_plan(rig, 305, 'd', 0, L3);
        mmu_rig_plan(rig, 405, 'e', 0, L4);
        mmu_rig_plan(rig, 505, 'f', 0, L3 + 1);
        mmu_rig_expect(rig, "6va4 16va3 26va2 36va1 46^a 106vb1 116^b 206vc2 216vc1 226^c "
                            "306vd3 316vd2 326vd1 336^d 406ve4 416ve3 426ve2 436ve1 446^e "
                            "506vf1 516^f");
        const ww_walk_counters *n = mmu_rig_count(rig);
        assert_int_equal(n->cache_lookups, 6);
        assert_int_equal(n->cache_hits[0], 2);
        assert_int_equal(n->cache_hits[2], 2);
        assert_int_equal(n->cache_hits[3], 1);
        assert_int_equal(n->cache_hits[4], 1);
        assert_int_equal(n->pte_reads_1, 6);
        assert_int_equal(n->pte_reads_2, 4);
        assert_int_equal(n->pte_reads_3, 3);
        assert_int_equal(n->pte_reads_4, 2);
        mmu_rig_destroy(rig);
    }
}

static void invalidated_caches_are_not_used(void **state)
{
    (void)state;
    for (int all = 0; all < 2; all++) {
        mmu_rig_config c = mmu_rig_plain();
        c.mmu.cache = WW_WALK_CACHE_LEVELS;
        mmu_rig *rig = mmu_rig_create(&c, 3, 1);
        mmu_rig_plan(rig, 5, 'a', 0, 0);
        assert_true(mmu_rig_run(rig));
        if (all)
            ww_mmu_invalidate(mmu_rig_mmu(rig), &(ww_invalidation){.all = true});
        else
            ww_mmu_invalidate(mmu_rig_mmu(rig), &(ww_invalidation){OF_PAGES(5)});
        mmu_rig_plan(rig, 105, 'b', 0, 1);
        mmu_rig_expect(rig, "6va4 16va3 26va2 36va1 46^a 106vb4 116vb3 126vb2 136vb1 146^b");
        mmu_rig_destroy(rig);
    }
}

/* a's page is the last of the list; no other one has an entry of the same nodes. */
static void caches_are_invalidated_for_all_pages_of_a_list(void **state)
{
    (void)state;
    const uint64_t far = 512ull * 512 * 512;
    mmu_rig_config c = mmu_rig_plain();
    c.mmu.cache = WW_WALK_CACHE_LEVELS;
    mmu_rig *rig = mmu_rig_create(&c, 3, 1);
    mmu_rig_plan(rig, 5, 'a', 0, far);
    assert_true(mmu_rig_run(rig));
    ww_mmu_invalidate(mmu_rig_mmu(rig), &(ww_invalidation){OF_PAGES(0, 1, far)});
    mmu_rig_plan(rig, 105, 'b', 0, far + 1);
    mmu_rig_expect(rig, "6va4 16va3 26va2 36va1 46^a 106vb4 116vb3 126vb2 136vb1 146^b");
    mmu_rig_destroy(rig);
}

static void larger_pages_have_their_reads(void **state)
{
    (void)state;
    mmu_rig_config c = mmu_rig_plain();
    c.page_bytes = 65536;
    c.mmu.cache = WW_WALK_CACHE_LEVELS;
    mmu_rig *rig = mmu_rig_create(&c, 2, 1);
    mmu_rig_plan(rig, 5, 'a', 0, 3);
    mmu_rig_plan(rig, 105, 'b', 0, 4);
    mmu_rig_expect(rig, "6va4 16va3 26va2 36va1 46^a 106vb1 116^b");
    mmu_rig_destroy(rig);
    c.page_bytes = 2 << 20;
    rig = mmu_rig_create(&c, 2, 1);
    mmu_rig_plan(rig, 5, 'a', 0, 3);
    mmu_rig_plan(rig, 105, 'b', 0, 4);
    mmu_rig_expect(rig, "6va4 16va3 26va2 36^a 106vb2 116^b");
    mmu_rig_destroy(rig);
}

/* Each step of a is a lookup of 3 ticks and a read; b finds all lines there; c finds all but its
 * leaf's. */
static void a_cache_of_lines_costs_its_latency(void **state)
{
    (void)state;
    mmu_rig_config c = mmu_rig_plain();
    c.mmu.pte_cache = (ww_lru_config){.entries = 16, .ways = 0};
    c.mmu.pte_cache_latency = 3;
    mmu_rig *rig = mmu_rig_create(&c, 4, 1);
    mmu_rig_plan(rig, 5, 'a', 0, 0);
    mmu_rig_plan(rig, 105, 'b', 0, 7);
    mmu_rig_plan(rig, 205, 'c', 0, 8);
    mmu_rig_expect(rig, "9va4 22va3 35va2 48va1 58^a 118^b 218vc1 228^c");
    assert_int_equal(mmu_rig_count(rig)->pte_cache_hits, 4 + 3);
    ww_mmu_invalidate(mmu_rig_mmu(rig), &(ww_invalidation){OF_PAGES(0)});
    mmu_rig_plan(rig, 305, 'd', 0, 7);
    mmu_rig_expect(rig, "309vd4 322vd3 335vd2 348vd1 358^d");
    mmu_rig_destroy(rig);
}

static void walkers_work_side_by_side(void **state)
{
    (void)state;
    mmu_rig_config c = mmu_rig_plain();
    c.mmu.walkers = 2;
    mmu_rig *rig = mmu_rig_create(&c, 3, 3);
    mmu_rig_plan(rig, 5, 'a', 0, 0);
    mmu_rig_plan(rig, 5, 'b', 1, L4);
    mmu_rig_plan(rig, 5, 'c', 2, 2 * L4);
    mmu_rig_expect(rig, "6va4 6vb4 16va3 16vb3 26va2 26vb2 36va1 36vb1 46vc4 46^a 46^b 56vc3 66vc2 "
                        "76vc1 86^c");
    const ww_walk_counters *n = mmu_rig_count(rig);
    assert_int_equal(n->busy, 3 * 40);
    assert_int_equal(n->waiting, 40);
    assert_int_equal(n->at_once, 2);
    assert_int_equal(n->selected, 1);
    mmu_rig_destroy(rig);
}

/* The memory's queue holds one request until 100: the other walkers wait in the order of their
 * reads. */
static void a_full_memory_blocks_reads_in_order(void **state)
{
    (void)state;
    mmu_rig_config c = mmu_rig_plain();
    c.mmu.walkers = 3;
    c.memory_queue = 1;
    c.memory_hold = 100;
    c.page_bytes = 2 << 20;
    mmu_rig *rig = mmu_rig_create(&c, 3, 1);
    mmu_rig_plan(rig, 5, 'a', 0, 0);
    mmu_rig_plan(rig, 6, 'b', 0, 1);
    mmu_rig_plan(rig, 7, 'c', 0, 2);
    mmu_rig_expect(rig,
                   "100va4 101vb4 102vc4 110va3 111vb3 112vc3 120va2 121vb2 122vc2 130^a 131^b "
                   "132^c");
    mmu_rig_destroy(rig);
}

/* One walker, a buffer of one and a queue of one: b waits in the buffer, c in the queue, and so on,
 * in order. */
static void a_full_buffer_holds_up_who_comes(void **state)
{
    (void)state;
    mmu_rig_config c = mmu_rig_plain();
    c.mmu.buffer = 1;
    c.mmu.queue = 1;
    mmu_rig *rig = mmu_rig_create(&c, 5, 1);
    for (unsigned i = 0; i < 5; i++)
        mmu_rig_plan(rig, 5, (char)('a' + i), 0, i * L4);
    mmu_rig_expect_answers(rig, "abcde");
    const ww_walk_counters *n = mmu_rig_count(rig);
    /* c is there at 7 and let in at 45, d at 46 and 85, e at 86 and 125. */
    assert_int_equal(n->full, (45 - 7) + (85 - 46) + (125 - 86));
    /* b waits in the buffer from 6 to 45, c from 45 to 85, d to 125, e to 165. */
    assert_int_equal(n->waiting, (45 - 6) + 3 * 40);
    assert_int_equal(n->busy, 200);
    /* All were missed at 5, wherever they waited. */
    assert_int_equal(n->latency, 40 + 80 + 120 + 160 + 200);
    mmu_rig_destroy(rig);
}

/* ---- schedulers ---- */

static const struct {
    char name;
    unsigned instruction;
    uint64_t page; /* after w has walked for page 0: how much of the way is in the walk caches */
} example[] = {
    {'a', 1, 1 * L4}, {'b', 2, 2 * L4}, {'c', 1, 3 * L4}, {'d', 3, 5 * L3},
    {'e', 2, 9},      {'f', 1, 10},     {'g', 4, 7 * L2}, {'h', 4, 11},
};

/* The buffer of the schedulers' own tests, with real estimates: 4 4 4 3 1 1 2 1. x, of instruction
 * `before`, keeps the walker busy meanwhile. */
static mmu_rig *example_rig(const char *scheduler, uint64_t aging, unsigned before)
{
    mmu_rig_config c = mmu_rig_plain();
    c.scheduler = scheduler;
    c.mmu.cache = WW_WALK_CACHE_LEVELS;
    c.mmu.aging = aging;
    mmu_rig *rig = mmu_rig_create(&c, 16, 16);
    mmu_rig_plan(rig, 5, 'w', 10, 0);
    mmu_rig_plan(rig, 100, 'x', before, 4 * L4);
    for (size_t i = 0; i < sizeof(example) / sizeof(example[0]); i++)
        mmu_rig_plan(rig, 101, example[i].name, example[i].instruction, example[i].page);
    return rig;
}

static void check_example(const char *scheduler, uint64_t aging, unsigned before,
                          const char *answers)
{
    mmu_rig *rig = example_rig(scheduler, aging, before);
    mmu_rig_expect_answers(rig, answers);
    mmu_rig_destroy(rig);
}

static void walkers_serve_in_the_order_of_the_scheduler(void **state)
{
    (void)state;
    check_example("fcfs", UINT64_MAX, 9, "wxabcdefgh");
    check_example("sjf", UINT64_MAX, 9, "wxdghbeacf");
    check_example("batch", UINT64_MAX, 9, "wxacfbedgh");
    check_example("simt", UINT64_MAX, 9, "wxdghbeacf");
    /* x is of instruction 1: it started at once, and is the one that was served last. */
    check_example("fcfs", UINT64_MAX, 1, "wxabcdefgh");
    check_example("sjf", UINT64_MAX, 1, "wxdghbeacf");
    check_example("batch", UINT64_MAX, 1, "wxacfbedgh");
    check_example("simt", UINT64_MAX, 1, "wxacfdghbe");
    /* d g h pass a b c, which go by age then; e of 2 is shorter than f, but f follows c. */
    check_example("sjf", 3, 9, "wxdghabcef");
    check_example("simt", 3, 9, "wxdghabcfe");
}

static void random_depends_on_its_seed_alone(void **state)
{
    (void)state;
    char first[32] = "";
    unsigned different = 0;
    for (uint64_t seed = 1; seed <= 5; seed++) {
        mmu_rig_config c = mmu_rig_plain();
        c.scheduler = "random";
        c.mmu.start.seed = seed;
        ww_tick answered[2][20];
        for (int again = 0; again < 2; again++) {
            mmu_rig_request *r[20];
            mmu_rig *rig = mmu_rig_create(&c, 20, 20);
            for (unsigned i = 0; i < 20; i++)
                r[i] = mmu_rig_plan(rig, 5, (char)('a' + i), i, i);
            assert_true(mmu_rig_run(rig));
            for (unsigned i = 0; i < 20; i++)
                answered[again][i] = r[i]->answered;
            mmu_rig_destroy(rig);
        }
        assert_memory_equal(answered[0], answered[1], sizeof(answered[0]));
        char order[32] = "";
        for (unsigned i = 0; i < 20; i++)
            order[i] = (char)('a' + answered[0][i] / 40);
        different += strcmp(first, order) != 0;
        strcpy(first, order);
    }
    assert_int_equal(different, 5);
}

/* Walk caches of two entries. p and q leave theirs of level 2; x, which walks elsewhere, needs an
 * entry when y, which will need p's, waits: with protection q's is evicted, and y reads its leaf
 * alone. */
static void counters_keep_what_waiting_walks_need(void **state)
{
    (void)state;
    for (int protect = 0; protect < 2; protect++) {
        mmu_rig_config c = mmu_rig_plain();
        c.scheduler = "simt";
        c.mmu.cache = WW_WALK_CACHE_LEVELS;
        c.mmu.cache_entries = 2;
        c.mmu.protect = protect;
        mmu_rig *rig = mmu_rig_create(&c, 8, 8);
        mmu_rig_plan(rig, 5, 'p', 1, 0);
        mmu_rig_plan(rig, 105, 'q', 2, L2);
        mmu_rig_plan(rig, 205, 'x', 3, 2 * L2);
        mmu_rig_request *y = mmu_rig_plan(rig, 206, 'y', 4, 1);
        assert_true(mmu_rig_run(rig));
        assert_int_equal(y->reads, protect ? 1 : 2);
        /* The entry counted for y as long as it waited. */
        assert_int_equal(ww_walk_cache_protection(mmu_rig_mmu(rig)->cache, 0, 2), 0);
        assert_int_equal(mmu_rig_count(rig)->protected_victims, protect);
        assert_int_equal(mmu_rig_count(rig)->estimates, 1);
        assert_int_equal(mmu_rig_count(rig)->estimate_hits, 1);
        mmu_rig_destroy(rig);
    }
}

/* ---- merging ---- */

static mmu_rig_config merging(uint32_t walkers)
{
    mmu_rig_config c = mmu_rig_plain();
    c.merge = "neighborhood";
    c.mmu.walkers = walkers;
    return c;
}

/* Two walkers, for a and for x, which is far away. b is in a's leaf line and c in a's line of level
 * 2. When a's leaf is there, b has its answer without a read, and c reads its own leaf and nothing
 * else. */
static void a_line_answers_one_and_advances_another(void **state)
{
    static const struct {
        bool leaf, upper;
        const char *log;
        uint64_t merged, resumed;
    } cases[] = {
        {true, true, "6va4 6vx4 16va3 16vx3 26va2 26vx2 36va1 36vx1 46vc1 46^b 46^a 46^x 56^c", 1,
         1},
        {true, false,
         "6va4 6vx4 16va3 16vx3 26va2 26vx2 36va1 36vx1 46vc4 46^b 46^a 46^x 56vc3 66vc2 76vc1 "
         "86^c",
         1, 0},
        {false, true,
         "6va4 6vx4 16va3 16vx3 26va2 26vx2 36va1 36vx1 46vb1 46vc1 46^a 46^x 56^b 56^c", 0, 2},
    };
    (void)state;
    for (size_t s = 0; s < ww_walksched_family.count; s++) {
        for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
            mmu_rig_config c = merging(2);
            c.scheduler = ww_walksched_family.members[s]->name;
            c.merge_levels = !cases[i].upper ? "leaf" : cases[i].leaf ? "all" : "upper";
            if (!strstr("fcfs sjf batch simt", c.scheduler) && !cases[i].leaf)
                continue; /* two wait for two walkers: another policy may take them in any order */
            mmu_rig *rig = mmu_rig_create(&c, 4, 4);
            mmu_rig_plan(rig, 5, 'a', 0, 0);
            mmu_rig_plan(rig, 5, 'x', 1, 8 * L4);
            mmu_rig_plan(rig, 6, 'b', 2, 3);
            mmu_rig_plan(rig, 6, 'c', 3, 7 * L2 + 3);
            mmu_rig_expect(rig, cases[i].log);
            const ww_walk_counters *n = mmu_rig_count(rig);
            assert_int_equal(n->merged, cases[i].merged);
            assert_int_equal(n->resumed, cases[i].resumed);
            assert_int_equal(n->held, 0);
            mmu_rig_destroy(rig);
        }
    }
}

/* The neighbourhood of a line ends after eight entries, at every level. */
static void neighbours_are_eight(void **state)
{
    static const struct {
        uint64_t page;
        unsigned reads;
    } cases[] = {{7, 0},      {8, 1},      {511, 1},    {7 * L2, 1},    {8 * L2, 2},
                 {7 * L3, 2}, {8 * L3, 3}, {7 * L4, 3}, {8 * L4 + 1, 4}};
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        mmu_rig_config c = merging(1);
        mmu_rig *rig = mmu_rig_create(&c, 2, 2);
        mmu_rig_plan(rig, 5, 'a', 0, 0);
        mmu_rig_request *b = mmu_rig_plan(rig, 6, 'b', 1, cases[i].page);
        assert_true(mmu_rig_run(rig));
        assert_int_equal(b->reads, cases[i].reads);
        mmu_rig_destroy(rig);
    }
}

/* A walker is idle, but b's next line is always the one that a reads: it is held back four times,
 * and answered by the last. c, held back for the upper levels, has a leaf of its own to read. */
static void a_walk_whose_line_is_being_read_is_held_back(void **state)
{
    (void)state;
    mmu_rig_config c = merging(2);
    mmu_rig *rig = mmu_rig_create(&c, 2, 2);
    mmu_rig_plan(rig, 5, 'a', 0, 0);
    mmu_rig_plan(rig, 6, 'b', 1, 3);
    mmu_rig_expect(rig, "6va4 16va3 26va2 36va1 46^b 46^a");
    assert_int_equal(mmu_rig_count(rig)->held, 4);
    assert_int_equal(mmu_rig_count(rig)->merged, 1);
    assert_int_equal(mmu_rig_count(rig)->at_once, 1);
    mmu_rig_destroy(rig);

    rig = mmu_rig_create(&c, 2, 2);
    mmu_rig_plan(rig, 5, 'a', 0, 0);
    mmu_rig_plan(rig, 6, 'c', 1, 8);
    mmu_rig_expect(rig, "6va4 16va3 26va2 36va1 36vc1 46^a 46^c");
    assert_int_equal(mmu_rig_count(rig)->held, 3);
    assert_int_equal(mmu_rig_count(rig)->resumed, 1);
    mmu_rig_destroy(rig);
}

/* With the leaf alone, upper levels hold no walk back: b starts at once, and reads the same line as
 * a. c, whose way is in the walk caches by then, is held back for a (walker 0), and answered by b's
 * line, which comes first.
 *
 *     p  walker 0, 1 to 41        b  walker 1, 20 to 60, its leaf from 50
 *     a  walker 0, from 42; b has left the entry of level 3 in the walk caches; its leaf from 52 to
 * 62 c  comes at 55 */
static void a_held_walk_is_answered_by_another_ones_line(void **state)
{
    (void)state;
    mmu_rig_config c = merging(3);
    c.merge_levels = "leaf";
    c.mmu.cache = WW_WALK_CACHE_LEVELS;
    mmu_rig *rig = mmu_rig_create(&c, 4, 4);
    mmu_rig_plan(rig, 1, 'p', 0, 9 * L4);
    mmu_rig_plan(rig, 20, 'b', 1, 1);
    mmu_rig_plan(rig, 42, 'a', 2, 0);
    mmu_rig_plan(rig, 55, 'c', 3, 2);
    mmu_rig_expect(rig, "2vp4 12vp3 21vb4 22vp2 31vb3 32vp1 41vb2 42^p 43va2 51vb1 53va1 61^c 61^b "
                        "63^a");
    assert_int_equal(mmu_rig_count(rig)->held, 1);
    assert_int_equal(mmu_rig_count(rig)->merged, 1);
    mmu_rig_destroy(rig);
}

/* A full buffer of one that is held does not stop what can be answered, and nothing is lost behind
 * it. */
static void a_held_walk_in_a_full_buffer(void **state)
{
    (void)state;
    mmu_rig_config c = merging(2);
    c.mmu.buffer = 1;
    c.mmu.queue = 1;
    mmu_rig *rig = mmu_rig_create(&c, 4, 4);
    mmu_rig_plan(rig, 5, 'a', 0, 0);
    mmu_rig_plan(rig, 6, 'b', 1, 3);
    mmu_rig_plan(rig, 7, 'c', 2, 9 * L4);
    mmu_rig_plan(rig, 8, 'd', 3, 4);
    assert_true(mmu_rig_run(rig));
    mmu_rig_destroy(rig);
}

/* Walk caches of two entries. b protects p's entries while it waits. a's leaf line answers b, which
 * ends the protection: x evicts the entry of level 2 that was used longest ago, p's, and y finds
 * q's. */
static void a_merged_walk_frees_what_it_protected(void **state)
{
    static const char *const schedulers[] = {"sjf", "simt"};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        mmu_rig_config c = merging(1);
        c.scheduler = schedulers[i];
        c.mmu.cache = WW_WALK_CACHE_LEVELS;
        c.mmu.cache_entries = 2;
        mmu_rig *rig = mmu_rig_create(&c, 6, 6);
        mmu_rig_plan(rig, 5, 'p', 0, 0);
        mmu_rig_plan(rig, 105, 'a', 1, 8);
        mmu_rig_plan(rig, 106, 'b', 2, 9);
        mmu_rig_expect(rig, "6vp4 16vp3 26vp2 36vp1 46^p 106va1 116^b 116^a");
        for (unsigned level = 2; level <= 4; level++)
            assert_int_equal(ww_walk_cache_protection(mmu_rig_mmu(rig)->cache, 0, level), 0);
        mmu_rig_plan(rig, 205, 'q', 3, L2);
        mmu_rig_plan(rig, 305, 'x', 4, 2 * L2);
        mmu_rig_plan(rig, 405, 'y', 5, L2 + 1);
        mmu_rig_expect(rig, "206vq2 216vq1 226^q 306vx2 316vx1 326^x 406vy1 416^y");
        assert_int_equal(mmu_rig_count(rig)->estimates, 1);
        assert_int_equal(mmu_rig_count(rig)->merged, 1);
        assert_int_equal(mmu_rig_count(rig)->cache_lookups, 5); /* not b's */
        assert_int_equal(mmu_rig_count(rig)->protected_victims, 0);
        mmu_rig_destroy(rig);
    }
}

/* Lines of a cache merge, too: a's leaf line is in the cache of lines, and b waits for it. */
static void lines_from_the_cache_merge(void **state)
{
    (void)state;
    mmu_rig_config c = merging(1);
    c.mmu.pte_cache = (ww_lru_config){.entries = 16};
    c.mmu.pte_cache_latency = 3;
    mmu_rig *rig = mmu_rig_create(&c, 3, 3);
    mmu_rig_plan(rig, 5, 'w', 0, 0);
    mmu_rig_plan(rig, 105, 'a', 1, 1);
    mmu_rig_plan(rig, 106, 'b', 2, 2);
    mmu_rig_expect(rig, "9vw4 22vw3 35vw2 48vw1 58^w 118^b 118^a");
    mmu_rig_destroy(rig);
}

static void large_pages_merge_one_level_up(void **state)
{
    (void)state;
    mmu_rig_config c = merging(1);
    c.page_bytes = 2 << 20;
    mmu_rig *rig = mmu_rig_create(&c, 3, 3);
    mmu_rig_plan(rig, 5, 'a', 0, 0);
    mmu_rig_plan(rig, 6, 'b', 1, 7);
    mmu_rig_plan(rig, 6, 'c', 2, 8);
    mmu_rig_expect(rig, "6va4 16va3 26va2 36vc2 36^b 36^a 46^c");
    mmu_rig_destroy(rig);
    c.page_bytes = 65536; /* the first entries of two pages are never in a line */
    rig = mmu_rig_create(&c, 2, 2);
    mmu_rig_plan(rig, 5, 'a', 0, 0);
    mmu_rig_plan(rig, 6, 'b', 1, 1);
    mmu_rig_expect(rig, "6va4 16va3 26va2 36va1 46vb1 46^a 56^b");
    mmu_rig_destroy(rig);
}

/* ---- statistics of instructions ---- */

/* a and c are of instruction 1, b of 2, all at tick 5: fcfs serves c last, batch before b. */
static void instructions_are_counted(void **state)
{
    (void)state;
    for (int batch = 0; batch < 2; batch++) {
        mmu_rig_config c = mmu_rig_plain();
        c.scheduler = batch ? "batch" : "fcfs";
        mmu_rig *rig = mmu_rig_create(&c, 3, 3);
        mmu_rig_plan(rig, 5, 'a', 1, 0);
        mmu_rig_plan(rig, 5, 'b', 2, L4);
        mmu_rig_plan(rig, 5, 'c', 1, 2 * L4);
        mmu_rig_expect_answers(rig, batch ? "acb" : "abc");
        const ww_walk_record *one = mmu_rig_record(rig, 1), *two = mmu_rig_record(rig, 2);
        assert_int_equal(one->walks, 2);
        assert_int_equal(one->reads, 8);
        assert_true(one->interleaved); /* they came so, whatever the scheduler does then */
        assert_int_equal(one->first_latency, 40);
        assert_int_equal(one->last_latency, batch ? 80 : 120);
        assert_int_equal(two->walks, 1);
        assert_false(two->interleaved);
        assert_int_equal(two->first_latency, batch ? 120 : 80);
        const ww_walk_counters *n = mmu_rig_count(rig);
        assert_int_equal(n->instructions, 2);
        assert_int_equal(n->several, 1);
        assert_int_equal(n->interleaved, 1);
        assert_int_equal(n->first_latency, 40);
        assert_int_equal(n->last_latency, batch ? 80 : 120);
        assert_int_equal(n->first_answer, 40);
        assert_int_equal(n->last_answer, batch ? 80 : 120);
        assert_int_equal(n->work_16, 2);
        mmu_rig_destroy(rig);
    }
}

/* a is answered after 40 ticks, b, which comes 20 ticks later, 40 after its own coming and 60 after
 * a's. */
static void each_walk_has_a_latency_of_its_own(void **state)
{
    (void)state;
    mmu_rig_config c = mmu_rig_plain();
    c.mmu.walkers = 2;
    mmu_rig *rig = mmu_rig_create(&c, 2, 1);
    mmu_rig_plan(rig, 5, 'a', 0, 0);
    mmu_rig_plan(rig, 25, 'b', 0, L4);
    assert_true(mmu_rig_run(rig));
    assert_int_equal(mmu_rig_count(rig)->first_latency, 40);
    assert_int_equal(mmu_rig_count(rig)->last_latency, 40);
    assert_int_equal(mmu_rig_count(rig)->first_answer, 40);
    assert_int_equal(mmu_rig_count(rig)->last_answer, 60);
    assert_int_equal(mmu_rig_count(rig)->interleaved, 0);
    mmu_rig_destroy(rig);
}

static void work_is_counted_by_its_reads(void **state)
{
    (void)state;
    mmu_rig_config c = merging(1);
    c.merge_levels = "leaf";
    /* Walks of 4 reads each. */
    static const unsigned walks[] = {4, 5, 8, 9, 12, 13, 16, 17, 20, 21};
    uint64_t page = 0;
    mmu_rig *rig = mmu_rig_create(&c, 256, 16);
    for (unsigned i = 0; i < 10; i++)
        for (unsigned k = 0; k < walks[i]; k++, page += 8)
            mmu_rig_plan(rig, 5, 'a', i, page);
    mmu_rig_plan(rig, 5, 'z', 11, page - 8 + 1); /* the line of the last of them answers it */
    assert_true(mmu_rig_run(rig));
    const ww_walk_counters *n = mmu_rig_count(rig);
    assert_int_equal(n->work_0, 1);
    assert_int_equal(n->work_16, 1);
    assert_int_equal(n->work_32, 2);
    assert_int_equal(n->work_48, 2);
    assert_int_equal(n->work_64, 2);
    assert_int_equal(n->work_80, 2);
    assert_int_equal(n->work_256, 1);
    mmu_rig_destroy(rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_walk_takes_its_lookup_and_four_reads),
        cmocka_unit_test(lookups_wait_for_a_port),
        cmocka_unit_test(a_walk_that_waits_for_a_port_can_be_invalidated),
        cmocka_unit_test(a_slower_clock_starts_and_ends_at_its_edges),
        cmocka_unit_test(walk_caches_save_reads),
        cmocka_unit_test(invalidated_caches_are_not_used),
        cmocka_unit_test(caches_are_invalidated_for_all_pages_of_a_list),
        cmocka_unit_test(larger_pages_have_their_reads),
        cmocka_unit_test(a_cache_of_lines_costs_its_latency),
        cmocka_unit_test(walkers_work_side_by_side),
        cmocka_unit_test(a_full_memory_blocks_reads_in_order),
        cmocka_unit_test(a_full_buffer_holds_up_who_comes),
        cmocka_unit_test(walkers_serve_in_the_order_of_the_scheduler),
        cmocka_unit_test(random_depends_on_its_seed_alone),
        cmocka_unit_test(counters_keep_what_waiting_walks_need),
        cmocka_unit_test(a_line_answers_one_and_advances_another),
        cmocka_unit_test(neighbours_are_eight),
        cmocka_unit_test(a_walk_whose_line_is_being_read_is_held_back),
        cmocka_unit_test(a_held_walk_is_answered_by_another_ones_line),
        cmocka_unit_test(a_held_walk_in_a_full_buffer),
        cmocka_unit_test(a_merged_walk_frees_what_it_protected),
        cmocka_unit_test(lines_from_the_cache_merge),
        cmocka_unit_test(large_pages_merge_one_level_up),
        cmocka_unit_test(instructions_are_counted),
        cmocka_unit_test(each_walk_has_a_latency_of_its_own),
        cmocka_unit_test(work_is_counted_by_its_reads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
