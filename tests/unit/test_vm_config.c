/* The keys of translation: what is refused and why, what policies cost, and how keys become
 * configurations. */
#include "base/memory.h"
#include "sim/components.h"
#include "vm/vm_schema.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static ww_config *configure(const char *const *settings, ww_errors *errors)
{
    ww_config *config = ww_config_create(&ww_all_schemas);
    ww_config_set(config, "translation=full", errors);
    for (; settings && *settings; settings++)
        ww_config_set(config, *settings, errors);
    ww_config_check(config, errors);
    return config;
}

static ww_config *good(const char *const *settings)
{
    ww_errors *errors = ww_errors_create();
    ww_config *config = configure(settings, errors);
    ww_errors_print(errors, stderr);
    assert_int_equal(ww_errors_count(errors), 0);
    ww_errors_destroy(errors);
    return config;
}

/* Refused, with a word of the reason. */
static void check_refused(const char *const *settings, const char *reason)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    ww_errors *errors = ww_errors_create();
    ww_config_destroy(configure(settings, errors));
    ww_errors_print(errors, out);
    fclose(out);
    assert_int_equal(ww_errors_count(errors), 1);
    if (!strstr(text, reason))
        fail_msg("'%s' is not in: %s", reason, text);
    ww_errors_destroy(errors);
    free(text);
}

static void nonsense_is_refused(void **state)
{
    static const struct {
        const char *settings[5];
        const char *reason;
    } cases[] = {
        {{"walk.walkers=0"}, "walk.walkers"},
        {{"walk.buffer=0"}, "walk.buffer"},
        {{"walk.aging=0"}, "walk.aging"},
        {{"walk.scheduler=best"}, "simt"},
        {{"walk.merge=everything"}, "neighborhood"},
        {{"page_size=huge"}, "64KiB"},
        {{"vm.memory=1MiB"}, "vm.memory"},
        {{"page_size=1GiB"}, "page_size is '1GiB' (one of 4KiB, 64KiB, 2MiB is needed)"},
        {{"page_size=8KiB"}, "(one of 4KiB, 64KiB, 2MiB is needed)"},
        {{"vm.frames=contigious"}, "(did you mean 'contiguous'?)"},
        {{"vm.frames=conteggas"}, "(one of contiguous, interleaved, random is needed)"},
        {{"vm.frames=interleaved", "vm.regions=65536", "vm.memory=64MiB"},
         "vm.regions is 65536, too many for the 16384 frames of vm.memory (8192 at most"},
        {{"vm.frames=interleaved", "vm.memory=16MiB", "page_size=2MiB", "vm.regions=5"},
         "4 at most"},
        {{"l1_tlb.entries=48", "l1_tlb.ways=32"}, "does not divide"},
        {{"l2_tlb.entries=48", "l2_tlb.ways=16", "l2_tlb.index=hash"}, "a power of two"},
        {{"iommu_l1_tlb.entries=10", "iommu_l1_tlb.ways=4"}, "iommu_l1_tlb"},
        {{"iommu_l2_tlb.entries=10"}, "iommu_l2_tlb"},
        {{"walk.pte_cache=832"}, "walk.pte_cache"}, /* 13 lines of 8 ways */
        {{"walk.pte_cache=100"}, "multiple of 64"},
        {{"walk.merge=mpw", "walk.scheduler=simt"},
         "walk.scheduler is simt, but walk.merge is mpw, which gives walks to the walkers as they "
         "come (fcfs is needed)"},
        {{"walk.merge=mpw", "walk.batch_entries=65"}, "walk.batch_entries"},
        {{"tlb.merge=snake"}, "tlb.merge"},
        {{"vm.allocate_pages=0"}, "vm.allocate_pages"},
        {{"vm.allocate_pages=16"}, "has no effect while vm.allocate is eager"},
        {{"vm.allocate_pages=16", "paging.mode=demand"},
         "has no effect while paging.mode is demand"},
        {{"l1_tlb.mshrs=0"}, "l1_tlb.mshrs"},
        {{"l2_tlb.lookups=0"}, "l2_tlb.lookups"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        check_refused(cases[i].settings, cases[i].reason);
}

static void odd_sizes_that_make_sense_are_not_refused(void **state)
{
    static const char *const settings[] = {"l2_tlb.entries=48", /* 3 sets of 16 by their low bits */
                                           "l1_tlb.entries=33",     "iommu_l2_tlb.entries=0",
                                           "walk.walkers=infinite", "walk.pte_cache=8KiB",
                                           "page_size=2MiB",        NULL};
    (void)state;
    ww_config_destroy(good(settings));
    static const char *const regions[] = {"vm.frames=interleaved", "vm.memory=16MiB",
                                          "page_size=2MiB", "vm.regions=4", NULL};
    ww_config_destroy(good(regions));
}

static uint64_t cost(const char *const *settings, const char *key)
{
    ww_config *config = good(settings);
    uint64_t bits = ww_policy_storage_bits(ww_config_policy(config, key), config, key);
    ww_config_destroy(config);
    return bits;
}

#define SETTINGS(...) ((const char *const[]){__VA_ARGS__, NULL})

static void policies_cost_what_the_papers_say(void **state)
{
    const char *const scheduler = "walk.scheduler", *const merge = "walk.merge";
    (void)state;
    assert_int_equal(cost(SETTINGS("walk.scheduler=fcfs"), scheduler), 0);
    assert_int_equal(cost(SETTINGS("walk.scheduler=random"), scheduler), 0);
    /* An identity of 20 bits for each of 256 entries and the last one served. */
    assert_int_equal(cost(SETTINGS("walk.scheduler=batch"), scheduler), 257 * 20);
    /* And a score of 8 bits for each; 2 bits for each entry of three walk caches. */
    assert_int_equal(cost(SETTINGS("walk.scheduler=sjf"), scheduler),
                     257 * 20 + 256 * 8 + 3 * 8 * 2);
    assert_int_equal(cost(SETTINGS("walk.scheduler=simt"), scheduler),
                     257 * 20 + 256 * 8 + 3 * 8 * 2);
    assert_int_equal(cost(SETTINGS("walk.scheduler=simt", "walk.buffer=100", "walk.cache=unified",
                                   "walk.cache_entries=32"),
                          scheduler),
                     101 * 20 + 100 * 8 + 32 * 2);
    assert_int_equal(cost(SETTINGS("walk.scheduler=simt", "page_size=2MiB"), scheduler),
                     257 * 20 + 256 * 8 + 2 * 8 * 2);
    assert_int_equal(cost(SETTINGS("walk.scheduler=simt", "walk.cache=none"), scheduler),
                     257 * 20 + 256 * 8);
    assert_int_equal(cost(SETTINGS("walk.scheduler=simt", "walk.protect=false"), scheduler),
                     257 * 20 + 256 * 8);
    assert_int_equal(cost(SETTINGS("walk.merge=none"), merge), 0);
    assert_int_equal(cost(SETTINGS("walk.merge=neighborhood"), merge), 256 * 44 + 8 * 39);
    assert_int_equal(
        cost(SETTINGS("walk.merge=neighborhood", "walk.buffer=10", "walk.walkers=3"), merge),
        10 * 44 + 3 * 39);
    /* A page, a node and a level for each of 8 entries of 8 walkers. */
    assert_int_equal(cost(SETTINGS("tlb.merge=snakebyte"), "tlb.merge"), 512 * 11);
    assert_int_equal(cost(SETTINGS("walk.merge=mpw"), merge), 8 * 8 * 79);
    assert_int_equal(cost(SETTINGS("walk.merge=mpw", "walk.batch_entries=2"), merge), 8 * 2 * 79);
}

static void keys_become_configurations(void **state)
{
    (void)state;
    ww_config *config =
        good(SETTINGS("walk.walkers=infinite", "walk.pte_cache=8KiB", "page_size=64KiB",
                      "walk.scheduler=simt", "walk.merge=neighborhood", "walk.merge_levels=upper",
                      "walk.cache=unified", "walk.aging=7", "l2_tlb.index=hash"));
    ww_mmu_config mmu;
    ww_tlb_config tlb;
    ww_driver_config driver;
    ww_mmu_configure(config, 9, 77, &mmu);
    assert_int_equal(mmu.walkers, 77); /* infinite: as many as can be wanted */
    assert_int_equal(mmu.pte_cache.entries, 128);
    assert_int_equal(mmu.pte_cache.ways, 8);
    assert_int_equal(mmu.page_shift, 16);
    assert_int_equal(mmu.cache, WW_WALK_CACHE_UNIFIED);
    assert_string_equal(mmu.scheduler->policy.name, "simt");
    assert_string_equal(mmu.merge->policy.name, "neighborhood");
    assert_int_equal(mmu.aging, 7);
    assert_int_equal(mmu.start.seed, 9);
    ww_tlb_configure(config, "l2_tlb", &tlb);
    assert_int_equal(tlb.entries.entries, 512);
    assert_int_equal(tlb.entries.ways, 16);
    assert_true(tlb.entries.hashed);
    assert_int_equal(tlb.mshrs, 512);
    ww_driver_configure(config, 9, &driver);
    assert_int_equal(driver.frames.frame, 65536);
    assert_true(driver.eager);
    ww_config_destroy(config);

    config = good(SETTINGS("walk.merge=neighborhood"));
    ww_mmu_configure(config, 1, 512, &mmu);
    assert_int_equal(mmu.walkers, 8);
    ww_config_destroy(config);

    config = good(SETTINGS("walk.walkers=infinite", "walk.buffer=infinite", "walk.cache_ports=2"));
    ww_mmu_configure(config, 1, 512, &mmu);
    assert_int_equal(mmu.walkers, 512);
    assert_int_equal(mmu.buffer, 512);
    assert_int_equal(mmu.cache_ports, 2);
    assert_int_equal(mmu.cache_interval, 5);
    ww_config_destroy(config);
}

static void what_is_not_there_takes_no_time(void **state)
{
    (void)state;
    static const char *const caches[] = {"walk.cache=levels", "walk.cache=unified"};
    ww_mmu_config mmu;
    for (size_t i = 0; i < 2; i++) {
        ww_config *config =
            good(SETTINGS(caches[i], "walk.cache_latency=12", "walk.cache_ports=1"));
        ww_mmu_configure(config, 1, 512, &mmu);
        assert_int_equal(mmu.cache_latency, 12);
        assert_int_equal(mmu.cache_ports, 1);
        ww_config_destroy(config);
    }
    ww_config *config = good(SETTINGS("walk.cache=none"));
    ww_mmu_configure(config, 1, 512, &mmu);
    assert_int_equal(mmu.cache_latency, 0);
    assert_int_equal(mmu.cache_ports, 0);
    ww_config_destroy(config);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nonsense_is_refused),
        cmocka_unit_test(odd_sizes_that_make_sense_are_not_refused),
        cmocka_unit_test(policies_cost_what_the_papers_say),
        cmocka_unit_test(keys_become_configurations),
        cmocka_unit_test(what_is_not_there_takes_no_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
