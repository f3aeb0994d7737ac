/* The keys of the DRAM: types, overrides, peak bandwidths, refusals; its policies and
 * statistics. */
#include "base/memory.h"
#include "config/machine.h"
#include "mem/dram_constraints.h"
#include "mem/dram_next.h"
#include "mem/dram_schema.h"
#include "mem/dram_stats.h"
#include "sim/components.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static const ww_schema *const schemas[] = {&ww_dram_schema};
static const ww_schema_set set = {schemas, 1};

static ww_config *configure(const char *const *settings, ww_errors *errors)
{
    ww_config *config = ww_config_create(&set);
    for (; *settings; settings++)
        ww_config_set(config, *settings, errors);
    ww_config_check(config, errors);
    return config;
}

static double peak(const char *const *settings)
{
    ww_errors *errors = ww_errors_create();
    ww_config *config = configure(settings, errors);
    ww_errors_print(errors, stderr);
    assert_int_equal(ww_errors_count(errors), 0);
    ww_dram_type type = ww_dram_resolve(config);
    double bytes = (double)(ww_dram_peak(&type) * ww_config_u64(config, "dram.channels"));
    ww_config_destroy(config);
    ww_errors_destroy(errors);
    return bytes / 1e9;
}

static void peaks_are_those_of_real_machines(void **state)
{
    static const char *const ddr3[] = {"dram.type=ddr3-1600", "dram.channels=2", NULL};
    static const char *const gtx480[] = {"dram.type=gddr5", "dram.channels=6", NULL};
    static const char *const fermi[] = {"dram.type=gddr5", "dram.channels=12", "dram.clock=1GHz",
                                        NULL};
    static const char *const mi100[] = {"dram.type=hbm2", "dram.channels=64", NULL};
    static const char *const v100[] = {"dram.type=hbm2", "dram.channels=64", "dram.clock=877MHz",
                                       NULL};
    (void)state;
    assert_float_equal(peak(ddr3), 25.6, 0.01);
    assert_float_equal(peak(gtx480), 177.4, 0.1);
    assert_float_equal(peak(fermi), 384, 0.01);
    assert_float_equal(peak(mi100), 1024, 0.01);
    assert_float_equal(peak(v100), 898, 0.1);
}

static ww_dram_map map_of(const char *preset)
{
    ww_errors *errors = ww_errors_create();
    ww_config *config = ww_config_create(&ww_all_schemas);
    ww_machine_file machine;
    ww_machine_load(config, preset, WW_NOWHERE, &machine, errors);
    ww_config_check(config, errors);
    assert_int_equal(ww_errors_count(errors), 0);
    ww_dram_config dram;
    ww_dram_configure(config, 924000000, 128, 32, &dram);
    ww_machine_clear(&machine);
    ww_config_destroy(config);
    ww_errors_destroy(errors);
    return dram.map;
}

/* GPGPU-Sim's GTX 480: of an address without its channel, dramid@8, the bits of 3.2.0 are
 * RRRRRRRRRRRR BBBBCCCC CC and 6 within a burst, those of 3.2.2 are RRRRRRRRRRRR BBBCCCCB CC. There
 * the lowest bit of a bank chooses one of the channel's two slices. */
static void gtx480_has_the_address_map_of_gpgpu_sim(void **state)
{
    (void)state;
    ww_dram_map one = map_of("gtx480-cawa"), two = map_of("gtx480-ctrlc");
    for (uint64_t line = 0; line < 1 << 20; line += 37) {
        uint64_t address = line * 128, chunk = address >> 8, local = chunk / 6 << 8;
        ww_dram_address at = ww_dram_map_address(&one, address);
        assert_int_equal(ww_dram_map_channel(&one, address), chunk % 6);
        assert_int_equal(at.row, local >> 16);
        assert_int_equal(at.bank, local >> 12 & 15); /* four of a group follow one another */
        assert_int_equal(at.column, (local >> 8 & 15) << 1 | (line & 1));
        uint64_t slice = local >> 8 & 1;
        at = ww_dram_map_address(&two, address);
        assert_int_equal(ww_dram_map_channel(&two, address), chunk % 6 + 6 * slice);
        assert_int_equal(at.row, local >> 16);
        assert_int_equal(at.bank, local >> 13 & 7);
        assert_int_equal(at.column, (local >> 9 & 15) << 1 | (line & 1));
    }
    assert_int_equal(one.bits[WW_DRAM_GROUP], 2);
    assert_int_equal(two.bits[WW_DRAM_GROUP], 2);
}

static double number(const ww_config *config, const char *key)
{
    double value = -1;
    assert_true(ww_config_number(config, key, &value));
    return value;
}

/* A key that leaves it to the type has the type's value after a check, and follows the type at the
 * next. */
static void keys_say_what_the_type_says(void **state)
{
    static const char *const settings[] = {"dram.type=gddr5", "dram.tcl=13", "dram.latency=20ns",
                                           NULL};
    (void)state;
    ww_errors *errors = ww_errors_create();
    ww_config *config = configure(settings, errors);
    assert_float_equal(number(config, "dram.clock"), 924e6, 0);
    assert_float_equal(number(config, "dram.row_size"), 4096, 0);
    assert_float_equal(number(config, "dram.trcd"), 12, 0);
    assert_float_equal(number(config, "dram.tcl"), 13, 0);
    assert_float_equal(number(config, "dram.latency"), 20e-9, 1e-15);
    ww_config_set(config, "dram.type=ddr3-1600", errors);
    ww_config_set(config, "dram.trcd=12", errors);
    assert_int_equal(ww_config_check(config, errors), WW_OK);
    assert_float_equal(number(config, "dram.clock"), 800e6, 0);
    assert_float_equal(number(config, "dram.trp"), 11, 0);
    assert_float_equal(number(config, "dram.trcd"), 12, 0);
    assert_float_equal(number(config, "dram.tcl"), 13, 0);
    double none;
    assert_false(ww_config_number(config, "dram.type", &none));
    assert_false(ww_config_number(config, "dram.none", &none));
    ww_config_destroy(config);
    ww_errors_destroy(errors);
}

static void types_have_their_names(void **state)
{
    (void)state;
    const ww_key *key = NULL;
    for (size_t i = 0; i < ww_dram_schema.count; i++)
        if (strcmp(ww_dram_schema.keys[i].key, "dram.type") == 0)
            key = &ww_dram_schema.keys[i];
    assert_non_null(key);
    size_t count = 0;
    for (; key->choices[count]; count++)
        assert_string_equal(key->choices[count], ww_dram_types[count].name);
    assert_int_equal(count, ww_dram_type_count);
}

static void times_are_kept_at_another_clock(void **state)
{
    static const char *const settings[] = {"dram.type=hbm2", "dram.clock=877MHz", "dram.trp=9",
                                           NULL};
    (void)state;
    ww_errors *errors = ww_errors_create();
    ww_config *config = configure(settings, errors);
    assert_int_equal(ww_errors_count(errors), 0);
    ww_dram_type type = ww_dram_resolve(config);
    assert_int_equal(type.timing.rcd, 13); /* 14 ns are 12.3 cycles */
    assert_int_equal(type.timing.ccd_l, 4);
    assert_int_equal(type.timing.burst, 2);
    assert_int_equal(type.timing.rp, 9);
    ww_config_destroy(config);
    ww_errors_destroy(errors);
}

static void every_type_is_accepted(void **state)
{
    (void)state;
    for (size_t i = 0; i < ww_dram_type_count; i++) {
        char setting[64];
        snprintf(setting, sizeof(setting), "dram.type=%s", ww_dram_types[i].name);
        const char *settings[] = {setting, NULL};
        assert_true(peak(settings) > 0);
    }
}

static void nonsense_is_refused_at_once(void **state)
{
    static const struct {
        const char *setting, *part;
    } cases[] = {
        {"dram.ranks=3", "dram.ranks is 3 (a power of two is needed)"},
        {"dram.bank_groups=32", "dram.bank_groups is 32 (at most dram.banks, 8)"},
        {"dram.ranks=16", "at most 64 banks"},
        {"dram.width=12", "a multiple of 8"},
        {"dram.width=24", "a burst of 24 bytes (a power of two is needed)"},
        {"dram.burst_length=3", "a multiple of dram.transfers_per_cycle, 2"},
        {"dram.row_size=32", "at least a burst, 64 bytes"},
        {"dram.trc=5", "at least dram.tras, 28"},
        {"dram.trcd=29", "dram.tras is 28 cycles (at least dram.trcd, 29)"},
        {"dram.tccd_s=2", "at least a burst, 4"},
        {"dram.trrd_l=1", "dram.trrd_l is 1 cycles (at least dram.trrd_s"},
        {"dram.trefi=300", "half of the time is not for refreshes"},
        {"dram.write_high=65", "at most dram.write_queue"},
        {"dram.write_low=56", "below dram.write_high"},
        {"dram.order=row:bank", "with colons between"},
        {"dram.interleave=100", "a power of two is needed"},
        {"dram.channels=0", "from 1 to 1024"},
        {"dram.scheduler=lifo", "fcfs"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const char *settings[] = {cases[i].setting, NULL};
        ww_errors *errors = ww_errors_create();
        ww_config *config = configure(settings, errors);
        assert_int_equal(ww_errors_status(errors), WW_BAD_INPUT);
        assert_int_equal(ww_errors_count(errors), 1);
        if (!strstr(ww_errors_line(errors, 0), cases[i].part))
            fail_msg("%s: %s", cases[i].setting, ww_errors_line(errors, 0));
        ww_config_destroy(config);
        ww_errors_destroy(errors);
    }
    static const char *const many[] = {"dram.ranks=3", "dram.trc=5", "dram.write_high=65", NULL};
    ww_errors *errors = ww_errors_create();
    ww_config_destroy(configure(many, errors));
    assert_int_equal(ww_errors_count(errors), 3);
    ww_errors_destroy(errors);
}

static void lines_must_fit(void **state)
{
    static const char *const settings[] = {"dram.type=hbm2", "dram.interleave=64", NULL};
    (void)state;
    ww_errors *errors = ww_errors_create();
    ww_config *config = configure(settings, errors);
    assert_int_equal(ww_dram_check_line(config, 64, WW_NOWHERE, errors), WW_OK);
    assert_int_equal(ww_dram_check_line(config, 128, WW_NOWHERE, errors), WW_BAD_INPUT);
    assert_int_equal(ww_dram_check_line(config, 2048, WW_NOWHERE, errors), WW_BAD_INPUT);
    assert_int_equal(ww_errors_count(errors), 4);
    ww_config_destroy(config);
    ww_errors_destroy(errors);
}

/* Four reads of four banks: 0 is closed, 1 has another row open, 2 and 3 have theirs. They are
 * allowed at cycles 50, 40, 30 and 20, but for the last, whose bank is to be refreshed from cycle
 * 10 on. */
typedef struct four_banks {
    ww_dram_device device;
    ww_dram_queue queue;
    ww_dram_next next;
} four_banks;

static void prepare(four_banks *four, uint64_t age_cap)
{
    static const struct {
        uint32_t bank;
        uint64_t open, activate, precharge, column;
    } banks[] = {{3, 7, 0, 0, 20},
                 {1, 6, 0, 40, 0},
                 {0, WW_DRAM_NO_ROW, 50, 0, 0},
                 {2, 7, 0, 0, 30}}; /* the oldest request first */
    ww_dram_type type = ww_dram_types[0];
    type.refresh = WW_DRAM_REFRESH_PER_BANK;
    ww_dram_device_init(&four->device, &type);
    four->device.rank[0].refresh_bank = 3;
    four->device.rank[0].refresh_due = four->device.first_due = 10;
    ww_dram_queue_init(&four->queue, 8);
    four->next = (ww_dram_next){.queue = &four->queue, .device = &four->device, .age_cap = age_cap};
    for (uint64_t i = 0; i < 4; i++) {
        four->device.bank[banks[i].bank] =
            (ww_dram_bank){banks[i].open, banks[i].activate, banks[i].column, banks[i].precharge};
        ww_dram_entry entry = {.row = 7, .bank = (uint8_t)banks[i].bank, .arrived = i};
        assert_true(ww_dram_next_note_arrival(&four->next, &entry));
        ww_dram_queue_add(&four->queue, &entry);
    }
}

static ww_dram_choice choice_at(const ww_dramsched *policy, const void *memory, uint64_t cycle)
{
    four_banks *four = ww_calloc(1, sizeof(*four));
    prepare(four, policy->age_cap(memory));
    if (cycle >= 50) /* and not refreshed */
        four->device.rank[0].refresh_due = four->device.first_due = WW_DRAM_NEVER;
    ww_dram_next_update(&four->next, cycle);
    ww_dram_choice choice = policy->choose(memory, &four->next);
    ww_dram_queue_clear(&four->queue);
    free(four);
    return choice;
}

static void schedulers_obey_their_contract(void **state)
{
    (void)state;
    static const char *const settings[] = {NULL};
    ww_errors *errors = ww_errors_create();
    ww_config *config = configure(settings, errors);
    assert_int_equal(ww_policy_check_family(&ww_dramsched_family, errors), WW_OK);
    for (size_t m = 0; m < ww_dramsched_family.count; m++) {
        const ww_dramsched *policy = (const void *)ww_dramsched_family.members[m];
        ww_policy_start start = {.config = config, .prefix = "dram"};
        void *memory = ww_policy_create(&policy->policy, &start);
        bool fcfs = strcmp(policy->policy.name, "fcfs") == 0;
        assert_int_equal(policy->age_cap(memory), fcfs ? 0 : 2000);
        ww_dram_choice early = choice_at(policy, memory, 15), late = choice_at(policy, memory, 60);
        ww_dram_choice over_age = choice_at(policy, memory, 5000);
        assert_true(early.cycle == (fcfs ? WW_DRAM_NEVER : 30));
        assert_true(early.bank == 2 || fcfs);
        assert_true(late.bank == 3 && late.cycle == 60);
        assert_true(over_age.bank == 3 && over_age.cycle == 5000);
        ww_policy_destroy(&policy->policy, &start, memory);
    }
    ww_config_destroy(config);
    ww_errors_destroy(errors);
}

/* Commands of other kinds go before the oldest's when it is over the age cap, if they can; others
 * of its kind do not. */
static void no_command_of_its_kind_passes_one_over_the_age_cap(void **state)
{
    (void)state;
    extern const ww_dramsched ww_dramsched_frfcfs;
    four_banks *four = ww_calloc(1, sizeof(*four));
    prepare(four, 5);
    four->device.rank[0].refresh_due = four->device.first_due = WW_DRAM_NEVER;
    four->device.bank[3].column = 45; /* the oldest: after 1's precharge and 2's read */
    ww_dram_next_update(&four->next, 15);
    assert_true(four->next.over_age_cap);
    ww_dram_choice choice = ww_dramsched_frfcfs.choose(NULL, &four->next);
    assert_true(choice.bank == 1 && choice.cycle == 40);
    four->device.bank[1].precharge = 45;
    ww_dram_next_invalidate(&four->next, 2);
    ww_dram_next_update(&four->next, 16);
    choice = ww_dramsched_frfcfs.choose(NULL, &four->next);
    assert_true(choice.bank == 3 && choice.cycle == 45);
    ww_dram_queue_clear(&four->queue);
    free(four);
}

static void statistics_add_up(void **state)
{
    (void)state;
    ww_dram_counters one = {.reads = 2, .row_hits = 2, .bytes = 64, .read_bytes = 64};
    ww_dram_counters two = {.writes = 1, .row_misses = 1, .busy_cycles = 30, .cycles = 100};
    ww_errors *errors = ww_errors_create();
    ww_config *config = ww_config_create(&set);
    ww_stats *stats = ww_stats_create(config);
    ww_stats_add(stats, &ww_dram_stats, &one);
    ww_stats_add(stats, &ww_dram_stats, &two);
    ww_stats_read(stats);
    assert_int_equal(ww_stats_check(stats, errors), WW_OK);
    assert_float_equal(ww_stats_find(stats, "dram.utilisation")->real, 0.3, 1e-9);
    assert_float_equal(ww_stats_find(stats, "dram.row_hit_rate")->real, 2.0 / 3, 1e-9);
    assert_int_equal(ww_stats_find(stats, "dram.bytes")->count, 64);
    ww_dram_counters sum = {0};
    ww_dram_counters_add(&sum, &one);
    ww_dram_counters_add(&sum, &two);
    assert_int_equal(sum.reads + sum.writes, 3);
    assert_int_equal(sum.cycles, 100);
    ww_stats_destroy(stats);
    ww_config_destroy(config);
    ww_errors_destroy(errors);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(peaks_are_those_of_real_machines),
        cmocka_unit_test(gtx480_has_the_address_map_of_gpgpu_sim),
        cmocka_unit_test(keys_say_what_the_type_says),
        cmocka_unit_test(types_have_their_names),
        cmocka_unit_test(times_are_kept_at_another_clock),
        cmocka_unit_test(every_type_is_accepted),
        cmocka_unit_test(nonsense_is_refused_at_once),
        cmocka_unit_test(lines_must_fit),
        cmocka_unit_test(schedulers_obey_their_contract),
        cmocka_unit_test(no_command_of_its_kind_passes_one_over_the_age_cap),
        cmocka_unit_test(statistics_add_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
