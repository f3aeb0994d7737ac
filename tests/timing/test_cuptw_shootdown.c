/* A shoot-down on a machine whose compute units walk: the lines of the pages' last entries leave the
 * caches that walks read through, and no others do. */
#include "base/memory.h"
#include "config/machine.h"
#include "sim/components.h"
#include "sim/machine.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#define FIRST 0x100000ull /* page; its entry is the first of its node */
#define PAGE 4096ull
#define LINE 64ull
#define IN_A_LINE (LINE / WW_PTE_BYTES)

static ww_errors *errors;
static ww_config *config;
static ww_machine_file file;
static ww_policies *policies;
static ww_machine *machine;
static ww_cluster *cluster;

/* Three lines of entries, of pages with frames. */
static void start(const char *form)
{
    const char *const settings[] = {"cuptw.mode=base", form, "gpu.compute_units=4", "l1d.line=64B",
                                    "l1d.sector=64B"};
    errors = ww_errors_create();
    config = ww_config_create(&ww_all_schemas);
    policies = ww_policies_create();
    ww_machine_load(config, "mi100-cuptw", WW_NOWHERE, &file, errors);
    for (size_t i = 0; i < sizeof(settings) / sizeof(settings[0]); i++)
        ww_config_set(config, settings[i], errors);
    assert_int_equal(ww_config_check(config, errors), WW_OK);
    machine = ww_machine_create(config, 1, policies, &(ww_machine_wiring){0});
    cluster = &machine->clusters[0];
    assert_true(
        ww_driver_map(machine->driver, WW_PROGRAM_ASID, FIRST * PAGE, 3 * IN_A_LINE * PAGE));
}

static void end(void)
{
    ww_machine_destroy(machine);
    ww_policies_destroy(policies);
    ww_machine_clear(&file);
    ww_config_destroy(config);
    ww_errors_destroy(errors);
}

/* Whether the line of a page's entry is not in the cache; then it is now. */
static bool brings(ww_cache *cache, uint64_t page)
{
    uint64_t entry =
        ww_page_table_leaf(ww_driver_table(machine->driver, WW_PROGRAM_ASID), page * PAGE);
    ww_cache_victim victim = {0};
    assert_true(entry != 0);
    return ww_cache_warm(cache,
                         &(ww_request){.address = entry & ~(LINE - 1),
                                       .sectors = 1,
                                       .kind = WW_REQUEST_READ,
                                       .class = WW_CLASS_PTE},
                         &victim) != 0;
}

static void check_lines(ww_cache **caches, unsigned count, const bool *dropped)
{
    for (unsigned i = 0; i < count; i++)
        for (unsigned line = 0; line < 3; line++)
            assert_int_equal(brings(caches[i], FIRST + line * IN_A_LINE + 3), dropped[line]);
}

/* Pages of the first and the third line, then all. */
static void check_shoot_downs(ww_cache **caches, unsigned count)
{
    const uint64_t pages[] = {FIRST + 1, FIRST + 2, FIRST + 2 * IN_A_LINE};
    assert_true(count > 0);
    check_lines(caches, count, (const bool[]){true, true, true});
    check_lines(caches, count, (const bool[]){false, false, false});
    ww_cluster_cuptw_invalidate(cluster, &(ww_invalidation){.pages = pages, .count = 3});
    check_lines(caches, count, (const bool[]){true, false, true});
    ww_cluster_cuptw_invalidate(cluster, &(ww_invalidation){.all = true});
    check_lines(caches, count, (const bool[]){true, true, true});
}

static void lines_leave_scalar_caches(void **state)
{
    (void)state;
    start("cuptw.form=amd");
    check_shoot_downs(cluster->l1s, cluster->l1s_count);
    end();
}

static void lines_leave_l1_data_caches(void **state)
{
    (void)state;
    start("cuptw.form=nvidia");
    check_shoot_downs(cluster->l1d, cluster->cu_count);
    end();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_leave_scalar_caches),
        cmocka_unit_test(lines_leave_l1_data_caches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
