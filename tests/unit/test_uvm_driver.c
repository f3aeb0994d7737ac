/* The UVM driver between hardware and migration that the test plays: hand-counted times of batches
 * and replays. A tick is a nanosecond. A page comes 30 after it was brought. */
#include "config/config.h"
#include "paging/driver.h"
#include "paging/paging_stats.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { PAGES = 2048, CUS = 4, COMING = 30 };

extern const ww_paging_driver ww_paging_driver_uvm;
static const ww_paging_driver *const driver = &ww_paging_driver_uvm;

static const ww_policy *const members[] = {&ww_paging_driver_uvm.policy};
static const ww_policy_family family = {"driver", "paging.driver", "d", members, 1, NULL};
static const ww_key key = {
    .key = "paging.driver", .type = WW_KEY_POLICY, .family = &family, .initial = "uvm", .doc = "d"};
static const ww_schema schema = {.name = "paging", .doc = "d", .keys = &key, .count = 1};
static const ww_schema *const schemas[] = {&schema};
static const ww_schema_set set = {schemas, 1};

static ww_engine *engine;
static ww_config *config;
static ww_page_residency residency;
static ww_paging_services services;
static ww_paging_counters counters;
static ww_policy_start policy_start;
static void *state_of_driver;
static struct {
    ww_timer timer;
    ww_page_record *record;
} moves[PAGES];
static uint64_t waiting; /* pages without memory, by the test */
static bool is_full;
static char trace[1024]; /* "0:3@266 ": compute unit 0 replays page 3 at 266 */

/* ---- what the driver calls ---- */

static void come(void *owner)
{
    ww_page_record *record = owner;
    ww_page_residency_set_state(&residency, record, WW_PAGE_RESIDENT);
    driver->arrived(state_of_driver, record);
}

void ww_migration_bring(ww_migration *migration, ww_page_record *record, ww_page_times times)
{
    (void)migration;
    (void)times;
    ww_timer *timer = &moves[ww_page_residency_page(&residency, record)].timer;
    *timer = (ww_timer){.run = come, .owner = record};
    ww_page_residency_set_state(&residency, record, WW_PAGE_COMING);
    ww_timer_set(services.timers, timer, ww_timers_now(services.timers) + COMING);
}

uint64_t ww_migration_coming(const ww_migration *migration)
{
    (void)migration;
    return waiting;
}

bool ww_migration_is_full(const ww_migration *migration)
{
    (void)migration;
    return is_full;
}

static bool replay(void *context, unsigned cu, uint64_t page)
{
    (void)context;
    size_t used = strlen(trace);
    snprintf(trace + used, sizeof(trace) - used, "%u:%llu@%llu ", cu, (unsigned long long)page,
             (unsigned long long)ww_timers_now(services.timers));
    return true;
}

/* ---- the test's side ---- */

static void begin(const char *settings[])
{
    ww_errors *errors = ww_errors_create();
    static const char *const times[] = {"paging.interrupt_time=100ns", "paging.register_time=10ns",
                                        "paging.fetch_time=1ns",       "paging.block_time=50ns",
                                        "paging.page_time=2ns",        "paging.replay_time=20ns"};
    config = ww_config_create(&set);
    for (size_t i = 0; i < 6; i++)
        assert_int_equal(ww_config_set(config, times[i], errors), WW_OK);
    for (; *settings; settings++)
        assert_int_equal(ww_config_set(config, *settings, errors), WW_OK);
    ww_errors_destroy(errors);
    static const ww_prefetch none = {.policy = {.name = "none"}};
    engine = ww_engine_create();
    ww_page_residency_init(&residency, 12);
    ww_page_residency_add(&residency, 0, PAGES << 12);
    counters = (ww_paging_counters){0};
    services = (ww_paging_services){.timers = ww_timers_create(engine),
                                    .residency = &residency,
                                    .hardware = {.replay = replay, .cus = CUS},
                                    .counters = &counters,
                                    .prefetch = &none,
                                    .base_hertz = 1000000000};
    policy_start = (ww_policy_start){.config = config, .prefix = "paging"};
    state_of_driver = ww_policy_create(&driver->policy, &policy_start);
    driver->connect(state_of_driver, &services);
    trace[0] = '\0';
    waiting = 0;
    is_full = false;
    ww_timers_resume(services.timers, 1);
    ww_engine_run(engine, 1);
}

static void end(void)
{
    driver->destroy(state_of_driver);
    ww_policy_destroy(&driver->policy, &policy_start, state_of_driver);
    ww_page_residency_clear(&residency);
    ww_timers_destroy(services.timers);
    ww_engine_destroy(engine);
    ww_config_destroy(config);
}

static ww_page_record *record_of(uint64_t page)
{
    return ww_page_residency_find(&residency, page);
}

static void fault(unsigned cu, uint64_t page)
{
    ww_page_fault what = {.page = page, .status = WW_FAR_FAULT};
    driver->fault(state_of_driver, cu, record_of(page), &what);
}

static void run_to(ww_tick time)
{
    ww_engine_run(engine, time + ww_engine_now(engine) - ww_timers_now(services.timers));
}

static uint64_t statistic(const char *name)
{
    for (size_t i = 0; i < driver->policy.stat_count; i++)
        if (!strcmp(driver->policy.stats[i].name, name))
            return *(uint64_t *)((char *)state_of_driver + driver->policy.stats[i].offset);
    fail_msg("no statistic %s", name);
    return 0;
}

/* ---- replays ---- */

/* Two blocks, two faults. Interrupt: 100. PUT and two entries: 112. Page 3: 164, there at 194. Page
 * 600: 216, there at 246. Its replay: 266. */
static void run_two_blocks(const char *policy)
{
    begin((const char *[]){policy, NULL});
    fault(0, 3);
    fault(1, 600);
    run_to(1000);
    assert_int_equal(record_of(3)->state, WW_PAGE_RESIDENT);
    assert_int_equal(record_of(600)->state, WW_PAGE_RESIDENT);
    assert_int_equal(counters.queued, 2);
    assert_int_equal(counters.services, 1);
    assert_int_equal(statistic("blocks"), 2);
}

static void test_a_batch_is_replayed_when_its_pages_are_there(void **state)
{
    (void)state;
    static const char *const policies[] = {"paging.replay=batch", "paging.replay=batch_flush",
                                           "paging.replay=once"};
    for (int i = 0; i < 3; i++) {
        run_two_blocks(policies[i]);
        assert_string_equal(trace, "0:3@266 1:600@266 ");
        assert_int_equal(statistic("replay_commands"), 1);
        assert_int_equal(counters.waiting, 2 * 266);
        end();
    }
}

/* The replay after the first block repeats all requests: page 600 is not there yet. */
static void test_a_replay_after_each_block(void **state)
{
    (void)state;
    run_two_blocks("paging.replay=block");
    assert_string_equal(trace, "0:3@214 1:600@214 ");
    assert_int_equal(statistic("replay_commands"), 2);
    end();
}

/* The replay of page 3 is at 214. A driver that waits for it fetches then what came at 170:
 * 214 + 11 + 52 + 30 = 307. One that does not wait has ended its service at 174; an interrupt wakes
 * it at 274, and 93 later the page is there. */
static void test_batch_flush_waits_for_the_replay(void **state)
{
    (void)state;
    static const char *const policies[] = {"paging.replay=batch_flush", "paging.replay=batch"};
    static const ww_tick expected[] = {307, 367};
    for (int i = 0; i < 2; i++) {
        begin((const char *[]){policies[i], NULL});
        fault(0, 3);
        run_to(170);
        fault(1, 600);
        run_to(expected[i] - 1);
        assert_int_equal(record_of(600)->state, WW_PAGE_COMING);
        run_to(expected[i] + 1);
        assert_int_equal(record_of(600)->state, WW_PAGE_RESIDENT);
        end();
    }
}

/* Two requests of a compute unit for a page are one refused page, and a duplicate. */
static void test_requests_of_one_page(void **state)
{
    (void)state;
    begin((const char *[]){NULL});
    fault(2, 7);
    fault(2, 7);
    run_to(1000);
    assert_string_equal(trace, "2:7@214 "); /* 100 + 12 + 52 + 30 + 20 */
    assert_int_equal(counters.nacks, 1);
    assert_int_equal(counters.duplicates, 1);
    assert_int_equal(statistic("same_utlb"), 1);
    end();
}

/* ---- batches ---- */

/* One entry a batch and one batch a service: the second entry, which the driver knows of, waits for
 * another interrupt. 100 + 11 + 52 = 163: page 3 is brought and replayed at 213. 163 + 100 + 1 + 52
 * = 316: page 4 is brought, and replayed at 366. */
static void test_a_service_ends_after_its_batches(void **state)
{
    (void)state;
    begin((const char *[]){"paging.replay=batch", "paging.batch_size=1", "paging.batches=1", NULL});
    fault(0, 3);
    fault(1, 4);
    run_to(210);
    fault(2, 5);
    run_to(1000);
    assert_string_equal(trace, "0:3@213 1:4@213 2:5@213 ");
    assert_int_equal(counters.services, 3);
    assert_int_equal(record_of(5)->state, WW_PAGE_RESIDENT);
    end();
}

/* Of four entries the driver fetches two and drops two; what came later is the next batch. */
static void flush_with_ratio(const char *ratio, uint64_t flushed, uint64_t fetched)
{
    begin((const char *[]){"paging.batch_size=2", ratio, NULL});
    fault(0, 3);
    fault(0, 3);
    fault(1, 3);
    fault(2, 3);
    run_to(150);
    fault(3, 600);
    run_to(1000);
    assert_int_equal(statistic("buffer_flushed"), flushed);
    assert_int_equal(statistic("fetched"), fetched);
    assert_int_equal(statistic("put_reads"), 3);
    end();
}

/* One duplicate of two is 50 percent. With 49 the flush reads PUT and drops the entry of page 600;
 * the replay would make it fault again. */
static void test_a_flush_drops_what_the_driver_knows_of(void **state)
{
    (void)state;
    flush_with_ratio("paging.put_ratio=50", 2, 3); /* PUT is read for each fetch */
    flush_with_ratio("paging.put_ratio=49", 3, 2); /* and for the flush instead of one */
}

static void test_a_full_buffer_loses_no_request(void **state)
{
    (void)state;
    begin((const char *[]){"paging.fault_buffer=2", NULL});
    fault(0, 3);
    fault(1, 4);
    run_to(1000);
    assert_int_equal(statistic("buffer_dropped"), 1);
    assert_string_equal(trace, "0:3@213 1:4@213 "); /* page 4 would fault again */
    end();
}

/* ---- memory and buffers ---- */

/* The second block is served when the first has memory: the page's arrival at 194 shows it. Then 52
 * to bring, 30 to come, 20 to replay. */
static void test_a_block_waits_for_the_memory_of_the_one_before(void **state)
{
    (void)state;
    begin((const char *[]){NULL});
    waiting = 1;
    fault(0, 3);
    fault(1, 600);
    run_to(190);
    waiting = 0;
    run_to(1000);
    assert_string_equal(trace, "0:3@296 1:600@296 ");
    end();
}

/* A buffer goes while its page is on its way: the replay does not wait for it. */
static void test_a_page_of_no_buffer_is_not_waited_for(void **state)
{
    (void)state;
    begin((const char *[]){NULL});
    fault(0, 3);
    run_to(170);
    ww_timer_clear(services.timers, &moves[3].timer);
    record_of(3)->buffers = 0;
    driver->launch(state_of_driver);
    run_to(1000);
    assert_int_equal(statistic("replay_commands"), 1);
    end();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_batch_is_replayed_when_its_pages_are_there),
        cmocka_unit_test(test_a_replay_after_each_block),
        cmocka_unit_test(test_batch_flush_waits_for_the_replay),
        cmocka_unit_test(test_requests_of_one_page),
        cmocka_unit_test(test_a_service_ends_after_its_batches),
        cmocka_unit_test(test_a_flush_drops_what_the_driver_knows_of),
        cmocka_unit_test(test_a_full_buffer_loses_no_request),
        cmocka_unit_test(test_a_block_waits_for_the_memory_of_the_one_before),
        cmocka_unit_test(test_a_page_of_no_buffer_is_not_waited_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
