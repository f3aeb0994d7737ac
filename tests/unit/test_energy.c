/* Energies of events, worked out by hand; what they are collected from is tests/cli/energy.sh's. */
#include "energy/energy.h"
#include "sim/components.h"
#include "sim/samples.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define CLOSE(a, b) assert_true(fabs((a) - (b)) <= 1e-12 * fabs(b))

static ww_energy_prices prices_with(const char *const *settings)
{
    ww_errors *errors = ww_errors_create();
    ww_config *config = ww_config_create(&ww_all_schemas);
    for (; *settings; settings++)
        ww_config_set(config, *settings, errors);
    assert_int_equal(ww_errors_status(errors), WW_OK);
    ww_energy_prices prices = ww_energy_read_prices(config);
    ww_config_destroy(config);
    ww_errors_destroy(errors);
    return prices;
}

static void nothing_costs_nothing(void **state)
{
    (void)state;
    ww_energy_prices prices = prices_with((const char *const[]){NULL});
    ww_energy energy = ww_energy_of(&prices, &(ww_energy_events){0});
    for (unsigned i = 0; i < WW_ENERGY_COUNT; i++)
        assert_true(energy.spent[i] == 0);
    assert_true(energy.translation == 0 && ww_energy_total(&energy) == 0);
}

/* Each event in the component that it belongs to. */
static void events_have_their_prices(void **state)
{
    (void)state;
    ww_energy_prices p = prices_with((const char *const[]){"energy.int_lane=1",
                                                           "energy.fp32_lane=2",
                                                           "energy.sfu_lane=3",
                                                           "energy.fp64_lane=4",
                                                           "energy.memory_lane=5",
                                                           "energy.scalar_instruction=6",
                                                           "energy.branch_instruction=7",
                                                           "energy.lds_lane=8",
                                                           "energy.l1_bit=0.25",
                                                           "energy.l2_bit=0.5",
                                                           "energy.dram_device_bit=1",
                                                           "energy.dram_path_bit=2",
                                                           "energy.network_bit=0.125",
                                                           "energy.link_bit=4",
                                                           "energy.pcie_bit=8",
                                                           "energy.l1_tlb_access=9",
                                                           "energy.l2_tlb_access=10",
                                                           "energy.walk_cache_access=11",
                                                           "energy.mshr_access=12",
                                                           "energy.constant_power=5",
                                                           "energy.cu_power=0.5",
                                                           "gpu.compute_units=10",
                                                           NULL});
    ww_energy_events e = {.int_lanes = 1,
                          .float_lanes = 1,
                          .sfu_lanes = 1,
                          .fp64_lanes = 1,
                          .memory_lanes = 1,
                          .scalar_issues = 1,
                          .branch_issues = 1,
                          .lds_lanes = 2,
                          .l1d_bytes = 4,
                          .l1s_bytes = 8,
                          .l2_bytes = 10,
                          .dram_bytes = 3,
                          .path_bytes = 3,
                          .network_bytes = 7,
                          .link_bytes = 5,
                          .pcie_bytes = 6,
                          .l1_tlb_accesses = 2,
                          .l2_tlb_accesses = 3,
                          .tlb_mshr_accesses = 1,
                          .walk_cache_accesses = 2,
                          .walk_buffer_accesses = 1,
                          .cuptw_lanes = 1,
                          .cuptw_scalars = 2,
                          .cuptw_branches = 1,
                          .cuptw_words = 3,
                          .l1_pte_bytes = 3,
                          .l2_pte_bytes = 2,
                          .dram_pte_bytes = 1,
                          .seconds = 1e-12};
    ww_energy energy = ww_energy_of(&p, &e);
    const double picojoules[WW_ENERGY_COUNT] = {
        [WW_ENERGY_CORE] = 28,   [WW_ENERGY_LDS] = 16,   [WW_ENERGY_L1D] = 8,
        [WW_ENERGY_L1S] = 16,    [WW_ENERGY_L2] = 40,    [WW_ENERGY_DRAM] = 72,
        [WW_ENERGY_NETWORK] = 7, [WW_ENERGY_LINK] = 160, [WW_ENERGY_PCIE] = 384,
        [WW_ENERGY_TLB] = 60,    [WW_ENERGY_WALK] = 34,  [WW_ENERGY_CUPTW] = 44,
        [WW_ENERGY_STATIC] = 10};
    double sum = 0, groups = 0, joules[WW_ENERGY_GROUP_COUNT];
    for (unsigned i = 0; i < WW_ENERGY_COUNT; i++) {
        CLOSE(energy.spent[i], picojoules[i] * 1e-12);
        sum += picojoules[i] * 1e-12;
    }
    CLOSE(ww_energy_total(&energy), sum);
    CLOSE(energy.translation, (60 + 34 + 44 + 6 + 8 + 24) * 1e-12);
    ww_energy_by_group(&energy, joules);
    for (unsigned i = 0; i < WW_ENERGY_GROUP_COUNT; i++)
        groups += joules[i];
    CLOSE(groups, sum);
    CLOSE(joules[WW_ENERGY_GROUP_NETWORK], 551e-12);
}

/* What readings say after a mark is what was spent since. */
static void a_mark_leaves_out_what_was_before(void **state)
{
    (void)state;
    ww_config *config = ww_config_create(&ww_all_schemas);
    ww_stats *stats = ww_stats_create(config);
    ww_energy energy = {.spent = {[WW_ENERGY_L2] = 3, [WW_ENERGY_STATIC] = 1}, .seconds = 2};
    ww_stats_add(stats, &ww_energy_stats, &energy);
    ww_stats_mark(stats);
    energy.spent[WW_ENERGY_L2] = 7;
    energy.spent[WW_ENERGY_STATIC] = 2;
    energy.seconds = 2.5;
    ww_stats_read(stats);
    assert_true(ww_stats_find(stats, "energy.total")->real == 5);
    assert_true(ww_stats_find(stats, "energy.dynamic")->real == 4);
    assert_true(ww_stats_find(stats, "energy.power")->real == 10);
    ww_stats_destroy(stats);
    ww_config_destroy(config);
}

/* However many samples there are, the numbers between them are those of a straight line. */
static void samples_keep_a_line(void **state)
{
    (void)state;
    ww_samples *s = ww_samples_create(2, 64);
    uint64_t cycle = 0, period = 1;
    while (cycle < 1000000) {
        cycle += period;
        period = ww_samples_add(s, cycle, (double[]){(double)cycle, 3 * (double)cycle});
    }
    size_t from = 0;
    for (double at = 0; at < 1000000; at += 777.5) {
        double numbers[2];
        ww_samples_read(s, at, &from, numbers);
        assert_true(fabs(numbers[0] - at) < 1e-6 && fabs(numbers[1] - 3 * at) < 1e-6);
    }
    assert_true(period > 64 && ww_samples_end(s) == cycle);
    ww_samples_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_costs_nothing),
        cmocka_unit_test(events_have_their_prices),
        cmocka_unit_test(a_mark_leaves_out_what_was_before),
        cmocka_unit_test(samples_keep_a_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
