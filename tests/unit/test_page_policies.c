/* Prefetchers and eviction policies of pages against naive models. */
#include "base/memory.h"
#include "base/rng.h"
#include "paging/evict.h"
#include "paging/prefetch.h"
#include "sim/components.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { PAGES = 1200, NONE = PAGES };

static ww_page_residency r;
static ww_config *config;
static ww_policy_start start;
static ww_rng rng;

static unsigned below(unsigned bound)
{
    return (unsigned)ww_rng_below(&rng, bound);
}

static ww_page_record *page(unsigned number)
{
    return ww_page_residency_find(&r, number);
}

static void begin(uint64_t seed)
{
    ww_rng_seed(&rng, seed);
    ww_page_residency_init(&r, 12);
    ww_page_residency_add(&r, 0, PAGES * 4096ull);
    config = ww_config_create(&ww_all_schemas);
    start = (ww_policy_start){.config = config, .prefix = "paging", .seed = seed};
}

static void end(void)
{
    ww_config_destroy(config);
    ww_page_residency_clear(&r);
}

static unsigned number_of(const ww_page_record *record)
{
    return record ? (unsigned)ww_page_residency_page(&r, record) : NONE;
}

static void set_resident(unsigned number, bool resident)
{
    ww_page_residency_set_state(&r, page(number), resident ? WW_PAGE_RESIDENT : WW_PAGE_ON_HOST);
}

/* About a half is resident, some are on their way, some in a set. */
static void scatter(void)
{
    static const ww_page_state states[] = {WW_PAGE_RESIDENT, WW_PAGE_RESIDENT, WW_PAGE_COMING,
                                           WW_PAGE_ON_HOST,  WW_PAGE_ON_HOST,  WW_PAGE_ON_HOST};
    for (unsigned i = 0; i < PAGES; i++) {
        ww_page_residency_set_state(&r, page(i), states[below(6)]);
        page(i)->chosen = below(6) == 0;
    }
}

/* ---- prefetchers ---- */

static unsigned first_candidate(unsigned from, unsigned to)
{
    for (unsigned i = from; i < to && i < PAGES; i++)
        if (page(i)->state == WW_PAGE_ON_HOST && !page(i)->chosen)
            return i;
    return NONE;
}

typedef struct set {
    ww_page_record *faults[8];
    ww_prefetch_view view;
} set;

static void scatter_faults(set *s)
{
    unsigned count = below(9);
    for (unsigned i = 0; i < count; i++) {
        s->faults[i] = page(below(PAGES));
        s->faults[i]->chosen = true;
    }
    s->view.faults = s->faults;
    s->view.fault_count = count;
    s->view.last_fault = below(4) ? below(PAGES) : WW_NO_FAULT;
    s->view.full = below(2);
}

static unsigned sequential_model(const set *s, unsigned *position)
{
    (void)s;
    (void)position;
    return first_candidate(0, PAGES);
}

/* When memory is full, only behind the faults of this set, in their order. */
static unsigned locality_model(const set *s, unsigned *position)
{
    (void)position;
    unsigned found = NONE;
    if (s->view.full) {
        for (unsigned i = 0; i < s->view.fault_count && found == NONE; i++) {
            unsigned fault = number_of(s->faults[i]);
            found = first_candidate(fault + 1, fault + 129);
        }
        return found;
    }
    if (s->view.last_fault != WW_NO_FAULT)
        found =
            first_candidate((unsigned)s->view.last_fault + 1, (unsigned)s->view.last_fault + 129);
    return found == NONE ? first_candidate(0, PAGES) : found;
}

/* Passes each page of the order once. */
static unsigned oracle_model(const set *s, unsigned *position)
{
    for (; *position < s->view.order_count; ++*position) {
        unsigned i = (unsigned)s->view.order[*position];
        if (i < PAGES && first_candidate(i, i + 1) == i)
            return i;
    }
    return first_candidate(0, PAGES);
}

static void compare(const char *name, unsigned (*model)(const set *s, unsigned *position))
{
    uint64_t order[600];
    for (uint64_t seed = 0; seed < 40; seed++) {
        begin(seed);
        const ww_prefetch *policy =
            (const ww_prefetch *)(const void *)ww_policy_find(&ww_prefetch_family, name);
        void *own = ww_policy_create(&policy->policy, &start);
        unsigned position = 0;
        for (unsigned i = 0; i < 600; i++)
            order[i] = below(PAGES + 20);
        scatter();
        for (unsigned sets = 0; sets < 5; sets++) {
            set s = {.view = {.residency = &r, .order = order, .order_count = 600}};
            scatter_faults(&s);
            if (policy->begin)
                policy->begin(own, &s.view);
            for (unsigned i = 0; i < 150; i++) {
                unsigned expected = model(&s, &position);
                ww_page_record *record = policy->next(own, &s.view);
                assert_int_equal(number_of(record), expected);
                if (!record)
                    break;
                record->chosen = true;
            }
        }
        ww_policy_destroy(&policy->policy, &start, own);
        end();
    }
}

static void sequential_is_the_lowest(void **state)
{
    (void)state;
    compare("sequential", sequential_model);
}

static void locality_is_behind_the_last_fault(void **state)
{
    (void)state;
    compare("locality", locality_model);
}

static void the_oracle_follows_its_order(void **state)
{
    (void)state;
    compare("oracle", oracle_model);
}

/* Two pages of each set, out of eight: the second is any of the other seven. Chi-square of 7
 * classes: below 22.5 with a chance of 0.999. The same seed gives the same pages. */
static void random_is_uniform(void **state)
{
    (void)state;
    unsigned distance[8] = {0}, firsts[8] = {0}, other[2][50];
    for (unsigned again = 0; again < 2; again++) {
        begin(1);
        for (unsigned i = 8; i < PAGES; i++)
            set_resident(i, true);
        const ww_prefetch *policy =
            (const ww_prefetch *)(const void *)ww_policy_find(&ww_prefetch_family, "random");
        void *own = ww_policy_create(&policy->policy, &start);
        ww_prefetch_view view = {.residency = &r};
        for (unsigned i = 0; i < 7000; i++) {
            ww_page_record *a = policy->next(own, &view);
            a->chosen = true;
            ww_page_record *b = policy->next(own, &view);
            a->chosen = false;
            firsts[number_of(a)]++;
            distance[(number_of(b) - number_of(a)) % 8]++;
            if (i < 50)
                other[again][i] = number_of(b);
        }
        ww_policy_destroy(&policy->policy, &start, own);
        end();
    }
    assert_memory_equal(other[0], other[1], sizeof(other[0]));
    double chi = 0, chi_of_firsts = 0;
    for (unsigned i = 0; i < 8; i++) {
        double half = firsts[i] / 2.0 - 875, of = distance[i] / 2.0 - 1000;
        chi_of_firsts += half * half / 875;
        chi += i ? of * of / 1000 : 1e9 * distance[0];
    }
    assert_true(chi < 22.5 && chi_of_firsts < 24.3);
}

/* Faults one after the other at the first page that is missing: each brings 64 KiB at least, and
 * six fill a block (the UVM driver's numbers). A fault brings nothing of the block beside. */
static void the_tree_fills_a_block_with_six_faults(void **state)
{
    static const unsigned brought[] = {16, 16, 32, 64, 128, 256};
    (void)state;
    begin(1);
    const ww_prefetch *policy =
        (const ww_prefetch *)(const void *)ww_policy_find(&ww_prefetch_family, "tree");
    void *own = ww_policy_create(&policy->policy, &start);
    for (unsigned i = 0; i < 6; i++) {
        unsigned fault = first_candidate(0, PAGES), count = 1;
        ww_page_record *faults[] = {page(fault), page(1024 + i), page(fault)};
        ww_prefetch_view view = {.residency = &r, .faults = faults, .fault_count = i ? 1 : 3};
        faults[0]->chosen = faults[1]->chosen = true;
        policy->begin(own, &view);
        for (ww_page_record *it; (it = policy->next(own, &view)) != NULL;) {
            assert_false(it->chosen || it->state != WW_PAGE_ON_HOST);
            it->chosen = true;
            count += number_of(it) < 512;
        }
        assert_int_equal(count, brought[i]);
        for (unsigned p = 0; p < 512; p++)
            if (page(p)->chosen) {
                set_resident(p, true);
                page(p)->chosen = false;
            }
    }
    assert_int_equal(first_candidate(0, PAGES), 512);
    for (unsigned p = 1024; p < 1040; p++)
        assert_true(page(p)->chosen); /* of the second fault of the first set */
    ww_policy_destroy(&policy->policy, &start, own);
    end();
}

/* ---- eviction ---- */

static bool kept[PAGES];

static bool may_leave(const void *context, const ww_page_record *record)
{
    (void)context;
    return record->state == WW_PAGE_RESIDENT && !kept[number_of(record)];
}

static const ww_victim_test test = {.may_leave = may_leave};

/* When each page was used last, and each block allocated. */
static uint64_t used[PAGES], allocated[PAGES / 512 + 1], now;

static unsigned lru_model(void)
{
    unsigned best = NONE;
    for (unsigned i = 0; i < PAGES; i++)
        if (may_leave(NULL, page(i)) && (best == NONE || used[i] < used[best]))
            best = i;
    return best;
}

static unsigned allocation_model(void)
{
    unsigned best = NONE;
    for (unsigned i = 0; i < PAGES; i++)
        if (may_leave(NULL, page(i)) &&
            (best == NONE || allocated[i / 512] < allocated[best / 512]))
            best = i;
    return best;
}

static void change(const ww_evict *policy, void *own, unsigned i)
{
    ww_page_record *record = page(i);
    uint32_t before = record->block->resident;
    if (record->state == WW_PAGE_ON_HOST) {
        set_resident(i, true);
        used[i] = ++now;
        allocated[i / 512] = before ? allocated[i / 512] : now;
        policy->arrived(own, &r, record);
    } else if (below(3)) {
        if (policy->accessed)
            policy->accessed(own, &r, record);
        used[i] = ++now;
    } else {
        policy->leaving(own, &r, record);
        set_resident(i, false);
    }
}

static void compare_eviction(const char *name, unsigned (*model)(void), unsigned stride)
{
    begin(3);
    const ww_evict *policy = (const ww_evict *)(const void *)ww_policy_find(&ww_evict_family, name);
    void *own = ww_policy_create(&policy->policy, &start);
    memset(kept, 0, sizeof(kept));
    for (unsigned i = 0; i < 4000; i++) {
        change(policy, own, below(PAGES / stride) * stride);
        kept[below(PAGES)] = below(4) == 0;
        if (i % 4 == 0)
            assert_int_equal(number_of(policy->choose(own, &r, &test)), model());
    }
    for (unsigned i = 0; i < PAGES; i++)
        kept[i] = true;
    assert_null(policy->choose(own, &r, &test));
    ww_policy_destroy(&policy->policy, &start, own);
    end();
}

static void lru_is_true(void **state)
{
    (void)state;
    compare_eviction("lru", lru_model, 7);
}

/* Few pages: blocks are empty now and then. */
static void allocation2m_is_the_order_of_blocks(void **state)
{
    (void)state;
    compare_eviction("allocation2m", allocation_model, 300);
    compare_eviction("allocation2m", allocation_model, 7);
}

/* 8 of 64 pages may leave, those after 40 others in the bag; 8000 victims. Chi-square of 8 classes:
 * below 24.3 with a chance of 0.999. */
static void random_victims_are_uniform(void **state)
{
    (void)state;
    unsigned count[64] = {0};
    begin(1);
    const ww_evict *policy =
        (const ww_evict *)(const void *)ww_policy_find(&ww_evict_family, "random");
    void *own = ww_policy_create(&policy->policy, &start);
    for (unsigned i = 0; i < 64; i++) {
        set_resident(i, true);
        kept[i] = i < 40 || i >= 48;
    }
    for (unsigned i = 0; i < 8000; i++)
        count[number_of(policy->choose(own, &r, &test))]++;
    double chi = 0;
    for (unsigned i = 0; i < 64; i++)
        chi += kept[i] ? 1e9 * count[i] : (count[i] - 1000.0) * (count[i] - 1000.0) / 1000;
    assert_true(chi < 24.3);
    ww_policy_destroy(&policy->policy, &start, own);
    end();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sequential_is_the_lowest),
        cmocka_unit_test(locality_is_behind_the_last_fault),
        cmocka_unit_test(the_oracle_follows_its_order),
        cmocka_unit_test(random_is_uniform),
        cmocka_unit_test(the_tree_fills_a_block_with_six_faults),
        cmocka_unit_test(lru_is_true),
        cmocka_unit_test(allocation2m_is_the_order_of_blocks),
        cmocka_unit_test(random_victims_are_uniform),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
