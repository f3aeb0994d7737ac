/* Whatever the sizes and policies: every request is answered once and with its frame, every walk
 * ends, and every read belongs to a walk (the rig checks that); and no walk takes more or fewer
 * reads than its page table and its caches allow. */
#include "base/memory.h"
#include "support/mmu_rig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

enum { REQUESTS = 500, INSTRUCTIONS = 60 };

/* Some pages are neighbours, some far apart, at every level. Each once at a time: a TLB merges the
 * others. */
static uint64_t some_page(ww_rng *rng, uint64_t page_bytes)
{
    static const uint64_t spread[] = {4096, 32768, 2 << 20, 16 << 20, 1ull << 30, 1ull << 39};
    uint64_t address = 0;
    for (size_t i = 0; i < 6; i++)
        address += ww_rng_below(rng, 3) * spread[i] * (ww_rng_below(rng, 4) ? 1 : 2);
    return address / page_bytes;
}

static void check_reads(const mmu_rig_config *c, mmu_rig *rig, mmu_rig_request *const *requests)
{
    unsigned most = c->page_bytes == 2 << 20 ? 3 : 4;
    bool caches = c->mmu.cache != WW_WALK_CACHE_NONE || c->mmu.pte_cache.entries;
    for (size_t i = 0; i < REQUESTS; i++) {
        assert_true(requests[i]->reads <= most);
        if (c->mmu.merge->held_by || c->mmu.pte_cache.entries)
            continue;
        assert_true(requests[i]->reads >= 1);
        assert_true(caches || requests[i]->reads == most);
    }
    if (!c->mmu.merge->held_by)
        assert_int_equal(mmu_rig_count(rig)->merged + mmu_rig_count(rig)->held, 0);
}

static void run(mmu_rig_config *c, ww_rng *rng)
{
    mmu_rig_request *requests[REQUESTS];
    mmu_rig *rig = mmu_rig_create(c, REQUESTS, INSTRUCTIONS);
    ww_tick tick = 1;
    const void *merge = ww_policy_find(&ww_walkmerge_family, c->merge);
    c->mmu.merge = merge;
    mmu_rig_silence(rig);
    for (unsigned i = 0; i < REQUESTS; i++) {
        /* Bursts, and gaps in which all walkers become idle. */
        tick += ww_rng_below(rng, 3) ? 0 : ww_rng_below(rng, i % 100 == 99 ? 3000 : 30);
        unsigned instruction = i * INSTRUCTIONS / REQUESTS / 2 * 2 + (unsigned)ww_rng_below(rng, 2);
        requests[i] = mmu_rig_plan(rig, tick, 'r', instruction, some_page(rng, c->page_bytes));
    }
    assert_true(mmu_rig_run(rig));
    check_reads(c, rig, requests);
    mmu_rig_destroy(rig);
}

static uint32_t any(ww_rng *rng, const uint32_t *of, size_t count)
{
    return of[ww_rng_below(rng, count)];
}

/* Sizes from one up, ports that fill, latencies that differ. */
static void choose_sizes(mmu_rig_config *c, ww_rng *rng)
{
    static const uint32_t walkers[] = {1, 1, 2, 3, 8, 100}, buffers[] = {1, 2, 3, 16, 64},
                          queues[] = {1, 2, 8}, entries[] = {1, 2, 8}, memory_queues[] = {1, 2, 64},
                          ports[] = {1, 2, 4}, mosts[] = {1, 2, 5, 64, 256};
    c->mmu.walkers = any(rng, walkers, 6);
    c->mmu.buffer = any(rng, buffers, 5);
    c->mmu.queue = any(rng, queues, 3);
    c->mmu.cache_entries = any(rng, entries, 3);
    c->mmu.cache_latency = (uint32_t)ww_rng_below(rng, 3) * 5;
    c->mmu.cache_ports = (uint32_t)ww_rng_below(rng, 3);
    c->mmu.cache_interval = (uint32_t)ww_rng_below(rng, 6) + 1;
    c->mmu.protect = ww_rng_below(rng, 2);
    c->mmu.clock = ww_clock_make(1 + ww_rng_below(rng, 3), 3);
    c->mmu.start.seed = ww_rng_next(rng);
    c->mmu.aging = ww_rng_below(rng, 2) ? UINT64_MAX : 1 + ww_rng_below(rng, 5);
    c->mmu.line = ww_rng_below(rng, 2) ? 8 : 64;
    c->mmu.sector = c->mmu.line == 64 ? 32 : 8;
    c->memory_queue = any(rng, memory_queues, 3);
    c->memory_ports = any(rng, ports, 3);
    c->read_time = 1 + ww_rng_below(rng, 60);
    c->read_more = ww_rng_below(rng, 3) ? ww_rng_below(rng, 100) : 0;
    c->most = any(rng, mosts, 5);
}

static void nothing_is_lost_at_any_size(void **state)
{
    static const uint64_t pages[] = {4096, 65536, 2 << 20};
    static const char *const merges[] = {"none", "neighborhood", "neighborhood", "neighborhood",
                                         "mpw"};
    static const char *const levels[] = {"all", "leaf", "upper", "all", "all"};
    static const char *const entries[] = {"1", "2", "8", "64"};
    (void)state;
    ww_rng rng;
    ww_rng_seed(&rng, 42);
    for (size_t s = 0; s < ww_walksched_family.count; s++)
        for (unsigned merge = 0; merge < 5; merge++)
            for (unsigned cache = 0; cache < 4; cache++)
                for (size_t p = 0; p < 3; p++)
                    for (int again = 0; again < 4; again++) {
                        mmu_rig_config c = mmu_rig_plain();
                        choose_sizes(&c, &rng);
                        c.scheduler = ww_walksched_family.members[s]->name;
                        c.merge = merges[merge];
                        c.merge_levels = levels[merge];
                        c.batch_entries = entries[again];
                        c.mmu.cache = cache < 3 ? (ww_walk_cache_kind)cache : WW_WALK_CACHE_NONE;
                        if (cache == 3)
                            c.mmu.pte_cache = (ww_lru_config){.entries = 16, .ways = 4};
                        c.mmu.pte_cache_latency = 4;
                        c.page_bytes = pages[p];
                        if (again == 0)
                            printf("%s, %s %s, cache %u, pages of %llu\n", c.scheduler, c.merge,
                                   levels[merge], cache, (unsigned long long)c.page_bytes);
                        run(&c, &rng);
                    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(nothing_is_lost_at_any_size)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
