/* Which groups a compute unit takes in, and when they start. */
#include "core/dispatch.h"
#include "support/core_rig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static core_rig r;

static int begin(void **state)
{
    (void)state;
    core_rig_init(&r);
    r.groups = 20;
    return 0;
}

#define BODY "mov.u32 %r0, %tid.x; add.u32 %r1, %r0, 1; add.u32 %r2, %r1, %r0;"

/* The groups that are there after the first dispatch; then all of them run. */
static unsigned groups_at_once(const char *text)
{
    core_rig_load(&r, text);
    core_rig_step(&r, 1);
    unsigned groups = (unsigned)r.started;
    core_rig_run(&r);
    assert_int_equal(r.counters.groups, 20);
    core_rig_end(&r);
    return groups;
}

static void slots_limit_groups(void **state)
{
    (void)state;
    r.config.slots = 5;
    assert_int_equal(groups_at_once(CORE_RIG_KERNEL(BODY)), 5);
    begin(NULL);
    r.config.slots = 5;
    r.group = 64;
    assert_int_equal(groups_at_once(CORE_RIG_KERNEL(BODY)), 2);
    begin(NULL);
    r.config.slots = 64;
    r.config.groups = 32;
    assert_int_equal(groups_at_once(CORE_RIG_KERNEL(BODY)), 20);
}

static void groups_limit_groups(void **state)
{
    (void)state;
    r.config.groups = 3;
    assert_int_equal(groups_at_once(CORE_RIG_KERNEL(BODY)), 3);
}

static void local_memory_limits_groups(void **state)
{
    (void)state;
    r.dynamic_shared = 16384;
    r.config.lds_bytes = 65536;
    assert_int_equal(groups_at_once(CORE_RIG_KERNEL(BODY)), 4);
    begin(NULL);
    r.dynamic_shared = 16384;
    r.config.lds_bytes = 65535;
    assert_int_equal(groups_at_once(CORE_RIG_KERNEL(BODY)), 3);
}

/* Two registers are alive at once, in each of 32 lanes. */
static void registers_limit_groups(void **state)
{
    (void)state;
    r.config.registers = 6 * 64;
    assert_int_equal(groups_at_once(CORE_RIG_KERNEL(BODY)), 6);
    begin(NULL);
    r.config.registers = 6 * 64 - 1;
    assert_int_equal(groups_at_once(CORE_RIG_KERNEL(BODY)), 5);
}

/* Uniform values are scalar registers where there are any: two at once, for a warp. */
static void scalar_registers_limit_groups(void **state)
{
    (void)state;
    const char *text = CORE_RIG_KERNEL("mov.u32 %r0, %ctaid.x; add.u32 %r1, %r0, 1;"
                                       "add.u32 %r2, %r1, %r0;");
    r.config.scalar_unit = true;
    r.config.scalar_registers = 9;
    assert_int_equal(groups_at_once(text), 4);
    begin(NULL);
    r.config.scalar_unit = true;
    r.config.scalar_registers = 8;
    assert_int_equal(groups_at_once(text), 4);
}

/* A group starts in the cycle after its resources were freed. */
static void a_freed_slot_is_used_at_once(void **state)
{
    (void)state;
    r.groups = 3;
    r.config.slots = 1;
    core_rig_play(&r, CORE_RIG_KERNEL("mov.u32 %r0, 1;"));
    core_rig_expect(&r, "0:a0 1:a1 2:a0 3:a1 4:a0 5:a1");
    core_rig_end(&r);
}

/* Warp a of the first group ends at once, b waits for a load. The second group has one warp's room
 * where the other waits for both. */
static void a_slot_is_used_while_its_group_goes_on(void **state)
{
    (void)state;
    for (int holds = 0; holds < 2; holds++) {
        if (holds)
            begin(NULL);
        r.groups = 2;
        r.group = 64;
        r.config.slots = 3;
        r.config.holds_slots = holds;
        r.data.latency = 100;
        core_rig_load(&r,
                      CORE_RIG_KERNEL("mov.u32 %r0, %tid.x; setp.lt.u32 %q0, %r0, 32; @%q0 bra end;"
                                      "ld.param.u64 %d0, [p]; ld.global.u32 %r1, [%d0];"
                                      "add.u32 %r2, %r1, 1; end:"));
        core_rig_step(&r, 60);
        assert_int_equal(r.counters.groups, holds ? 1 : 2);
        core_rig_run(&r);
        assert_int_equal(r.counters.groups, 2);
        core_rig_end(&r);
    }
}

static void a_group_that_fits_nowhere_is_refused(void **state)
{
    (void)state;
    r.groups = 1;
    r.group = 96;
    r.dynamic_shared = 1000;
    r.config.scalar_unit = true;
    r.config.scalar_registers = 1;
    core_rig_load(
        &r,
        CORE_RIG_KERNEL(BODY "mov.u32 %r3, %ctaid.x; add.u32 %r4, %r3, 1; add.u32 %r5, %r4, %r3;"));
    ww_cu_config small = r.config;
    assert_int_equal(ww_cu_check_fit(&r.config, &r.cu_launch, r.errors), WW_BAD_INPUT);
    assert_int_equal(ww_errors_count(r.errors), 1);
    assert_string_equal(ww_errors_line(r.errors, 0),
                        "a group of 'k' needs 6 scalar registers (a compute unit has 1: "
                        "core.scalar_registers)");
    small.slots = 2;
    small.registers = 100;
    small.lds_bytes = 999;
    assert_int_equal(ww_cu_check_fit(&small, &r.cu_launch, r.errors), WW_BAD_INPUT);
    assert_int_equal(ww_errors_count(r.errors), 5);
    assert_string_equal(ww_errors_line(r.errors, 1),
                        "a group of 'k' has 3 warps of core.warp_width, 32 (a compute unit has "
                        "slots for 2: core.wavefronts)");
    assert_string_equal(ww_errors_line(r.errors, 2),
                        "a group of 'k' needs 192 registers (a compute unit "
                        "has 100: core.registers)");
    assert_string_equal(ww_errors_line(r.errors, 4),
                        "a group of 'k' needs 1000 bytes of local memory (a "
                        "compute unit has 999: lds.size)");
    small = r.config;
    small.scalar_registers = 6;
    small.slots = 3;
    small.registers = 192;
    small.lds_bytes = 1000;
    assert_int_equal(ww_cu_check_fit(&small, &r.cu_launch, r.errors), WW_OK);
    r.groups = 0;
    core_rig_run(&r);
    core_rig_end(&r);
}

/* ---- the dispatcher ---- */

typedef struct line {
    ww_dispatcher *dispatcher;
    uint64_t seen;
    ww_tick start[64]; /* of each group */
} line;

static line l;

static void forward(void *context, unsigned cu)
{
    core_rig *rig = context;
    rig->done++;
    ww_dispatcher_group_done(l.dispatcher, cu);
}

static void look(void *context, unsigned cu)
{
    (void)context;
    ww_dispatcher_look(l.dispatcher, cu);
}

/* The real dispatcher in place of the rig's. */
static void start_uneven_line(ww_dispatcher_config config, const char *text)
{
    core_rig_load(&r, text);
    ww_sleep(r.engine, &r.dispatch);
    r.cu->wiring.group_done = forward;
    r.cu->wiring.slot_freed = look;
    r.warm = true;
    config.clock = r.config.clock;
    l = (line){.dispatcher = ww_dispatcher_create(&config, r.engine, &r.cu, 1)};
    ww_dispatcher_start(l.dispatcher, &r.cu_launch, 0, 0, r.groups);
    for (ww_tick t = 0; core_rig_step(&r, t + 1); t++)
        for (; l.seen < r.counters.groups; l.seen++)
            l.start[l.seen] = t;
    assert_int_equal(ww_dispatcher_done(l.dispatcher), r.groups);
}

static void start_line(uint32_t interval, uint32_t latency, const char *text)
{
    start_uneven_line((ww_dispatcher_config){.interval = interval, .warps = 64, .latency = latency},
                      text);
}

static void end_line(void)
{
    ww_dispatcher_destroy(l.dispatcher);
    core_rig_end(&r);
}

static void groups_start_an_interval_apart(void **state)
{
    (void)state;
    r.groups = 4;
    start_line(7, 5, CORE_RIG_KERNEL("mov.u32 %r0, 1;"));
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(l.start[i], 5 + 7 * i);
    end_line();
}

/* MGPUSim's dispatcher: five cycles for a group of four warps, seven for one of six. */
static void further_warps_take_a_cycle_each(void **state)
{
    for (unsigned warps = 3; warps <= 6; warps++) {
        if (warps > 3)
            begin(state);
        r.groups = 4;
        r.group = warps * 32;
        r.config.slots = 64;
        start_uneven_line((ww_dispatcher_config){.interval = 5, .warps = 4},
                          CORE_RIG_KERNEL("mov.u32 %r0, 1;"));
        for (unsigned i = 0; i < 4; i++)
            assert_int_equal(l.start[i], (warps > 4 ? warps + 1 : 5) * i);
        end_line();
    }
}

static void intervals_differ_by_the_seed(void **state)
{
    (void)state;
    ww_tick start[3][32];
    for (unsigned run = 0; run < 3; run++) {
        if (run)
            begin(state);
        r.groups = 32;
        start_uneven_line(
            (ww_dispatcher_config){
                .interval = 7, .warps = 64, .jitter = 3, .seed = run < 2 ? 5 : 6},
            CORE_RIG_KERNEL("mov.u32 %r0, 1;"));
        memcpy(start[run], l.start, sizeof(start[run]));
        end_line();
    }
    unsigned seen = 0;
    for (unsigned i = 1; i < 32; i++) {
        ww_tick gap = start[0][i] - start[0][i - 1];
        assert_in_range(gap, 7, 10);
        seen |= 1u << gap;
    }
    assert_int_equal(seen, 0xfu << 7); /* each of the four */
    assert_memory_equal(start[0], start[1], sizeof(start[0]));
    assert_memory_not_equal(start[0], start[2], sizeof(start[0]));
}

/* The end of a group does not make the next one come earlier than its interval. */
static void an_end_does_not_shorten_the_interval(void **state)
{
    (void)state;
    r.groups = 6;
    r.config.slots = 2;
    start_line(40, 0, CORE_RIG_KERNEL("mov.u32 %r0, 1;"));
    for (unsigned i = 0; i < 6; i++)
        assert_int_equal(l.start[i], 40 * i);
    end_line();
}

/* Room comes late: the group starts in the tick in which another has ended. */
static void a_group_waits_for_free_slots(void **state)
{
    (void)state;
    r.groups = 2;
    r.config.slots = 1;
    start_line(3, 0, CORE_RIG_KERNEL("mov.u32 %r0, 1;"));
    assert_int_equal(l.start[0], 0);
    assert_int_equal(l.start[1], 13); /* fetched from 1 to 12, ended at 13 */
    assert_int_equal(ww_dispatcher_last_end(l.dispatcher), 26);
    end_line();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(slots_limit_groups, begin),
        cmocka_unit_test_setup(groups_limit_groups, begin),
        cmocka_unit_test_setup(local_memory_limits_groups, begin),
        cmocka_unit_test_setup(registers_limit_groups, begin),
        cmocka_unit_test_setup(scalar_registers_limit_groups, begin),
        cmocka_unit_test_setup(a_freed_slot_is_used_at_once, begin),
        cmocka_unit_test_setup(a_slot_is_used_while_its_group_goes_on, begin),
        cmocka_unit_test_setup(a_group_that_fits_nowhere_is_refused, begin),
        cmocka_unit_test_setup(groups_start_an_interval_apart, begin),
        cmocka_unit_test_setup(further_warps_take_a_cycle_each, begin),
        cmocka_unit_test_setup(intervals_differ_by_the_seed, begin),
        cmocka_unit_test_setup(an_end_does_not_shorten_the_interval, begin),
        cmocka_unit_test_setup(a_group_waits_for_free_slots, begin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
