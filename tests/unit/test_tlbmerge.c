/* Merged entries of a TLB: how pages become blocks of eight, and these again; what an invalidated
 * page leaves; and against a model that knows every page. */
#include "base/memory.h"
#include "base/rng.h"
#include "config/config.h"
#include "sim/components.h"
#include "stats/stats.h"
#include "vm/page_table.h"
#include "vm/tlbmerge.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define BITS (WW_PTE_PRESENT | WW_PTE_WRITABLE)

typedef struct bench {
    ww_config *config;
    const ww_tlbmerge *policy;
    ww_policy_start start;
    void *state;
    ww_lru entries;
} bench;

static void set_up_with(bench *b, uint32_t entries, const char *setting)
{
    b->config = ww_config_create(&ww_all_schemas);
    if (setting) {
        ww_errors *errors = ww_errors_create();
        assert_int_equal(ww_config_set(b->config, "tlb.merge=snakebyte", errors), WW_OK);
        assert_int_equal(ww_config_set(b->config, setting, errors), WW_OK);
        ww_errors_destroy(errors);
    }
    b->policy = (const ww_tlbmerge *)(const void *)ww_policy_find(&ww_tlbmerge_family, "snakebyte");
    b->start = (ww_policy_start){.config = b->config, .prefix = "tlb", .shared = true};
    b->state = ww_policy_create(&b->policy->policy, &b->start);
    ww_lru_create(&b->entries, &(ww_lru_config){.entries = entries});
}

static void set_up(bench *b, uint32_t entries)
{
    set_up_with(b, entries, NULL);
}

static void tear_down(bench *b)
{
    ww_lru_destroy(&b->entries);
    ww_policy_destroy(&b->policy->policy, &b->start, b->state);
    ww_config_destroy(b->config);
}

/* A page at a frame, both as numbers. */
static uint32_t fill_run(bench *b, uint64_t key, uint64_t frame, ww_page_run run)
{
    return b->policy->fill(b->state, &b->entries, key, frame << 12 | BITS, run);
}

static void fill(bench *b, uint64_t key, uint64_t frame)
{
    fill_run(b, key, frame, (ww_page_run){0});
}

static void drop(bench *b, uint64_t key)
{
    b->policy->remove(b->state, &b->entries, key);
}

/* The page's entry: its size and its valid eighths. */
static void expect(bench *b, uint64_t key, uint64_t frame, unsigned size, unsigned valid)
{
    uint64_t bits;
    ww_page_run run;
    assert_true(b->policy->find(b->state, &b->entries, key, &bits, &run));
    assert_int_equal(bits, frame << 12 | BITS);
    assert_int_equal(run.size, size);
    assert_int_equal(run.valid, valid);
}

static void expect_none(bench *b, uint64_t key)
{
    uint64_t bits;
    ww_page_run run;
    assert_false(b->policy->find(b->state, &b->entries, key, &bits, &run));
}

static double stat(const bench *b, const char *name)
{
    ww_stats *stats = ww_stats_create(NULL);
    ww_stats_add_policy(stats, &b->policy->policy, "tlb", b->state);
    ww_stats_read(stats);
    const ww_reading *r = ww_stats_find(stats, name);
    assert_non_null(r);
    double value = r->whole ? (double)r->count : r->real;
    ww_stats_destroy(stats);
    return value;
}

#define expect_stat(b, name, value) assert_true(stat(b, name) == (double)(value))

/* Page by page, to 8 GiB: after 8^n pages one entry has them all, as the first eighth of the next
 * size; the largest size has no next one. */
static void pages_merge_step_by_step(void **state)
{
    static const char *const merges[] = {
        "tlb.merges_8",     "tlb.merges_64",     "tlb.merges_512",    "tlb.merges_4096",
        "tlb.merges_32768", "tlb.merges_262144", "tlb.merges_2097152"};
    static const char *const entries[] = {
        "tlb.entries_8",     "tlb.entries_64",     "tlb.entries_512",    "tlb.entries_4096",
        "tlb.entries_32768", "tlb.entries_262144", "tlb.entries_2097152"};
    const uint64_t frame = 1000;
    bench b;
    uint64_t page = 0;
    (void)state;
    set_up(&b, 8);
    for (; page < 7; page++) {
        fill(&b, page, frame + page);
        expect(&b, 0, frame, 1, (2u << page) - 1);
        expect_none(&b, page + 1);
    }
    for (unsigned size = 1; size <= 7; size++) {
        for (; page < 1ull << 3 * size; page++)
            fill(&b, page, frame + page);
        expect(&b, page - 1, frame + page - 1, size < 7 ? size + 1 : 7, size < 7 ? 1 : 0xff);
        expect_none(&b, page);
        expect_stat(&b, merges[size - 1], 1);
        expect_stat(&b, entries[size < 7 ? size : 6], 1);
        expect_stat(&b, "tlb.reach", page);
        for (unsigned smaller = 1; smaller <= size; smaller++) {
            expect_stat(&b, merges[smaller - 1], 1ull << 3 * (size - smaller));
            assert_true(smaller == 7 || stat(&b, entries[smaller - 1]) == 0);
        }
    }
    assert_int_equal(page, 2097152);
    expect(&b, 1234567, frame + 1234567, 7, 0xff);
    expect_stat(&b, "tlb.entries_1", 0);
    tear_down(&b);
}

/* 512 pages are the first eighth of 4096. Without page 100 they are seven eighths of 512, seven of
 * 64 and seven of 8. It comes back, and all merge again. */
static void a_removed_page_breaks_its_entry_up(void **state)
{
    bench b;
    (void)state;
    set_up(&b, 8);
    for (uint64_t page = 0; page < 512; page++)
        fill(&b, page, 7 + page);
    expect(&b, 0, 7, 4, 1);
    drop(&b, 100);
    expect_none(&b, 100);
    expect(&b, 0, 7, 3, 0xfd);
    expect(&b, 64, 71, 2, 0xef);
    expect(&b, 101, 108, 1, 0xef);
    expect_stat(&b, "tlb.breaks", 1);
    expect_stat(&b, "tlb.reach", 511);
    expect_stat(&b, "tlb.entries_4096", 0);
    expect_stat(&b, "tlb.entries_512", 1);
    expect_stat(&b, "tlb.entries_64", 1);
    expect_stat(&b, "tlb.entries_8", 1);
    drop(&b, 101);
    expect(&b, 102, 109, 1, 0xcf);
    fill(&b, 101, 108);
    fill(&b, 100, 107);
    expect(&b, 100, 107, 4, 1);
    expect_stat(&b, "tlb.merges_512", 2);
    expect_stat(&b, "tlb.reach", 512);
    tear_down(&b);
}

/* Page 2 is somewhere else: it has an entry of its own. So has page 8, as the first of the next
 * eight. Without page 2, its place is filled by the right one. */
static void what_is_not_contiguous_is_apart(void **state)
{
    bench b;
    (void)state;
    set_up(&b, 8);
    fill(&b, 0, 10);
    fill(&b, 1, 11);
    fill(&b, 2, 50);
    fill(&b, 8, 18);
    expect(&b, 0, 10, 1, 3);
    expect(&b, 2, 50, 0, 0xff);
    expect(&b, 8, 18, 1, 1);
    expect_stat(&b, "tlb.entries_1", 1);
    expect_stat(&b, "tlb.entries_8", 2);
    fill(&b, 2, 12);
    expect(&b, 2, 12, 1, 7);
    expect_stat(&b, "tlb.entries_1", 0);
    tear_down(&b);
}

/* Two blocks of eight that are not contiguous: the first is an eighth of 64 pages, the second has
 * an entry of its own, also without its last page. */
static void a_full_block_that_does_not_fit_stays(void **state)
{
    bench b;
    (void)state;
    set_up(&b, 8);
    assert_int_equal(fill_run(&b, 3, 103, (ww_page_run){1, 0xff}), 0);
    assert_int_equal(fill_run(&b, 9, 501, (ww_page_run){1, 0xff}), 0);
    expect(&b, 0, 100, 2, 1);
    expect(&b, 8, 500, 1, 0xff);
    drop(&b, 15);
    expect(&b, 8, 500, 1, 0x7f);
    assert_int_equal(fill_run(&b, 16, 116, (ww_page_run){2, 5}), 0); /* as another TLB has it */
    expect(&b, 23, 123, 2, 5);
    expect(&b, 7, 107, 2, 5);
    tear_down(&b);
}

/* Page 1 must not be written: it does not merge with page 0. When it may be, its answer replaces
 * what was known. */
static void pages_that_differ_in_writing_are_apart(void **state)
{
    bench b;
    uint64_t bits;
    ww_page_run run;
    (void)state;
    set_up(&b, 8);
    fill(&b, 0, 10);
    b.policy->fill(b.state, &b.entries, 1, 11 << 12 | WW_PTE_PRESENT, (ww_page_run){0});
    assert_true(b.policy->find(b.state, &b.entries, 1, &bits, &run));
    assert_int_equal(bits, 11 << 12 | WW_PTE_PRESENT);
    assert_int_equal(run.size, 0);
    fill(&b, 1, 11);
    expect(&b, 1, 11, 1, 3);
    tear_down(&b);
}

static void spaces_are_apart(void **state)
{
    bench b;
    uint64_t other = ww_page_key(1, 0);
    (void)state;
    set_up(&b, 8);
    for (uint64_t page = 0; page < 8; page++) {
        fill(&b, page, page);
        expect_none(&b, other + page);
        fill(&b, other + page, 100 + page);
    }
    expect(&b, 7, 7, 2, 1);
    expect(&b, other + 7, 107, 2, 1);
    b.policy->remove_space(b.state, &b.entries, 0);
    expect_none(&b, 7);
    expect(&b, other + 7, 107, 2, 1);
    expect_stat(&b, "tlb.reach", 8);
    tear_down(&b);
}

static void an_evicted_entry_is_counted(void **state)
{
    bench b;
    (void)state;
    set_up(&b, 1);
    assert_int_equal(fill_run(&b, 0, 0, (ww_page_run){1, 0x0f}), 0);
    assert_int_equal(fill_run(&b, 8, 8, (ww_page_run){1, 0x03}), 1);
    expect_none(&b, 0);
    expect_stat(&b, "tlb.reach", 2);
    expect_stat(&b, "tlb.entries_8", 1);
    tear_down(&b);
    set_up(&b, 0);
    assert_int_equal(fill_run(&b, 0, 0, (ww_page_run){1, 0x0f}), 0);
    expect_none(&b, 0);
    tear_down(&b);
}

/* ---- against a model ---- */

enum { PAGES = 1024 };

typedef struct model {
    uint64_t frame[PAGES]; /* the page table */
    bool known[PAGES];     /* was answered since it was removed: it is in an entry, if all fit */
    bool near[PAGES];      /* was in the run of such a page: it may be */
} model;

/* Stretches of different lengths are contiguous. */
static void choose_frames(model *m, ww_rng *rng)
{
    uint64_t base = 5000;
    for (uint64_t page = 0; page < PAGES; page++) {
        if (ww_rng_below(rng, 60) == 0)
            base = 5000 + ww_rng_below(rng, 4) * 8192;
        m->frame[page] = base + page;
    }
}

/* What a walker finds in the line of a page. */
static ww_page_run line_of(const model *m, uint64_t page)
{
    ww_page_run run = {1, 0};
    for (unsigned i = 0; i < 8; i++) {
        uint64_t other = page / 8 * 8 + i;
        if (m->frame[other] - other == m->frame[page] - page)
            run.valid |= (uint8_t)(1u << i);
    }
    return run;
}

static void step(bench *b, model *m, ww_rng *rng)
{
    uint64_t page = ww_rng_below(rng, PAGES);
    if (ww_rng_below(rng, 20) == 0) {
        drop(b, page);
        m->known[page] = m->near[page] = false;
        m->frame[page] = 5000 + ww_rng_below(rng, 4) * 8192 + page; /* it moves */
        return;
    }
    ww_page_run run = ww_rng_below(rng, 2) ? line_of(m, page) : (ww_page_run){0};
    fill_run(b, page, m->frame[page], run);
    m->known[page] = true;
    for (unsigned i = 0; run.size && i < 8; i++)
        m->near[page / 8 * 8 + i] |= run.valid >> i & 1;
}

/* Every hit is right. Without evictions, every known page hits. */
static void check_all(bench *b, const model *m, bool all_fit)
{
    for (uint64_t page = 0; page < PAGES; page++) {
        uint64_t bits;
        ww_page_run run;
        bool hit = b->policy->find(b->state, &b->entries, page, &bits, &run);
        assert_true(!hit || m->known[page] || m->near[page]);
        assert_true(!all_fit || hit || !m->known[page]);
        if (hit)
            assert_int_equal(bits, m->frame[page] << 12 | BITS);
    }
}

static void every_hit_is_of_a_known_page(void **state)
{
    static const uint32_t entries[] = {1, 4, 32, 4096};
    ww_rng rng;
    (void)state;
    ww_rng_seed(&rng, 3);
    for (size_t i = 0; i < 4; i++)
        for (unsigned again = 0; again < 6; again++) {
            bench b;
            model m = {0};
            set_up(&b, entries[i]);
            choose_frames(&m, &rng);
            for (unsigned n = 0; n < 4000; n++) {
                step(&b, &m, &rng);
                if (n % 50 == 0)
                    check_all(&b, &m, entries[i] == 4096);
            }
            b.policy->remove_space(b.state, &b.entries, 0);
            expect_stat(&b, "tlb.reach", 0);
            expect_stat(&b, "tlb.entries_8", 0);
            tear_down(&b);
        }
}

/* Twenty-four contiguous pages, with one merge allowed: three entries of eight, none of 64. */
static void merges_end_where_they_shall(void **state)
{
    bench b;
    (void)state;
    set_up_with(&b, 8, "tlb.most_merges=1");
    for (uint64_t page = 0; page < 24; page++)
        fill(&b, page, 1000 + page);
    for (uint64_t page = 0; page < 24; page++)
        expect(&b, page, 1000 + page, 1, 0xff);
    expect_stat(&b, "tlb.merges_8", 3);
    expect_stat(&b, "tlb.entries_8", 3);
    expect_stat(&b, "tlb.merges_64", 0);
    drop(&b, 9);
    expect(&b, 8, 1008, 1, 0xfd);
    expect_none(&b, 9);
    tear_down(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pages_merge_step_by_step),
        cmocka_unit_test(a_removed_page_breaks_its_entry_up),
        cmocka_unit_test(what_is_not_contiguous_is_apart),
        cmocka_unit_test(a_full_block_that_does_not_fit_stays),
        cmocka_unit_test(pages_that_differ_in_writing_are_apart),
        cmocka_unit_test(merges_end_where_they_shall),
        cmocka_unit_test(spaces_are_apart),
        cmocka_unit_test(an_evicted_entry_is_counted),
        cmocka_unit_test(every_hit_is_of_a_known_page),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
