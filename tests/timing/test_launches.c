/* Groups of two launches in one compute unit at the same time, and when their slots are free. */
#include "support/core_rig.h"
#include "support/kernel_run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define OTHER_CODE (CORE_RIG_CODE + 0x10000)

/* A second kernel, with an executor of its own, in the memory of the rig. */
typedef struct other {
    ww_module *module;
    ww_analysis *analysis;
    ww_program *program;
    ww_timed_code *code;
    ww_launch launch;
    ww_cu_launch cu_launch;
} other;

static core_rig r;
static other o;

static int begin(void **state)
{
    (void)state;
    core_rig_init(&r);
    return 0;
}

/* Its groups have `warps` warps. */
static void load_other(const char *text, uint32_t warps)
{
    ww_exec_options options = {.width = r.config.width, .level = ww_lane_best()};
    o.module = kernel_parse(text);
    o.analysis = ww_analysis_create(o.module);
    o.program = ww_program_create(o.module, r.memory, &options, r.errors);
    o.launch = r.launch;
    o.launch.group[0] = warps * r.config.width;
    ww_executor *x = ww_program_begin(o.program, &o.launch, r.errors);
    assert_non_null(x);
    o.code = ww_timed_code_create(x->kernel, o.analysis, false, 0, false);
    o.cu_launch = r.cu_launch;
    o.cu_launch.executor = x;
    o.cu_launch.warps = warps;
    o.cu_launch.code = o.code;
    o.cu_launch.code_address = OTHER_CODE;
    o.cu_launch.local_address = 3 * CORE_RIG_CODE;
    o.cu_launch.registers =
        (uint64_t)(o.code->need.vector + o.code->need.scalar) * r.config.width * warps;
    o.cu_launch.lds_bytes = x->shared_bytes;
    o.cu_launch.launch = &o.launch;
    ww_cu_begin(r.cu, &o.cu_launch);
}

static void drop_other(void)
{
    ww_cu_end(r.cu, &o.cu_launch);
    ww_program_end(o.program);
    ww_timed_code_destroy(o.code);
    ww_program_destroy(o.program);
    ww_analysis_destroy(o.analysis);
    ww_module_destroy(o.module);
}

static const uint32_t *buffer(void)
{
    return (const uint32_t *)(const void *)ww_memory_find(r.memory, r.params[0], 4)->host;
}

#define FIRST                                                                     \
    CORE_RIG_KERNEL("ld.param.u64 %d0, [p]; mov.u32 %r0, 5; add.u32 %r1, %r0, 2;" \
                    "st.global.u32 [%d0], %r1;")
/* Has another number of instructions, other registers, private memory and local memory. */
#define SECOND                                                                                  \
    CORE_RIG_KERNEL(".local .align 4 .b8 a[64]; .shared .align 4 .b8 b[128];"                   \
                    "ld.param.u64 %d9, [p]; mov.u32 %r20, 40; st.local.u32 [a], %r20;"          \
                    "ld.local.u32 %r21, [a]; st.shared.u32 [b], %r21; ld.shared.u32 %r22, [b];" \
                    "add.u32 %r23, %r22, 2; st.global.u32 [%d9+128], %r23;")

/* The other launch's group has slot a, the rig's slot b: it fetches a cycle later, and ends first.
 */
static void two_kernels_are_resident_at_once(void **state)
{
    (void)state;
    r.warm = false;
    core_rig_load(&r, FIRST);
    load_other(SECOND, 1);
    ww_cu_add_group(r.cu, &o.cu_launch, 0);
    core_rig_step(&r, 4);
    assert_int_equal(ww_cu_warps(r.cu), 2);
    assert_int_equal(r.cu->residency.registers, o.cu_launch.registers + r.cu_launch.registers);
    assert_int_equal(r.cu->residency.lds_bytes, 128);
    core_rig_run(&r);
    assert_int_equal(r.done, 2);
    assert_int_equal(buffer()[0], 7);
    assert_int_equal(buffer()[32], 42);
    assert_int_equal(r.cu->residency.registers, 0);
    assert_int_equal(r.cu->residency.lds_bytes, 0);
    core_rig_expect(&r,
                    "0:a0 1:b0 2:a1 3:b1 6:a2 7:b2 8:a3 11:b3 12:b4 20:a4 21:a5 25:a6 29:a7 30:a8");
    assert_string_equal(r.instruction.log, "2:R10000 3:R0");
    assert_string_equal(r.data.log, "20:W1ffff0000 22:R1ffff0000 25:w0:1 43:w80:1");
    drop_other();
    core_rig_end(&r);
}

/* A slot and a resident that one launch has used serve the next one. */
static void a_launch_takes_over_what_another_had(void **state)
{
    (void)state;
    r.config.slots = 2;
    r.config.groups = 1;
    core_rig_load(&r, FIRST);
    load_other(SECOND, 2);
    core_rig_run(&r);
    assert_true(ww_cu_can_accept(r.cu, &o.cu_launch));
    ww_cu_add_group(r.cu, &o.cu_launch, 0);
    assert_false(ww_cu_can_accept(r.cu, &r.cu_launch));
    core_rig_run(&r);
    ww_cu_add_group(r.cu, &r.cu_launch, 0);
    core_rig_run(&r);
    assert_int_equal(r.done, 3);
    assert_int_equal(r.counters.warps, 1 + 2 + 1);
    assert_int_equal(buffer()[0], 7);
    assert_int_equal(buffer()[32], 42);
    drop_other();
    core_rig_end(&r);
}

/* The first warp of a group ends at once, the second one waits for a load. */
#define ONE_WAITS                                                                           \
    CORE_RIG_KERNEL("mov.u32 %r0, %tid.x; setp.lt.u32 %q0, %r0, 32; @%q0 bra end;"          \
                    "ld.param.u64 %d0, [p]; ld.global.u32 %r1, [%d0]; add.u32 %r2, %r1, 1;" \
                    "end:")

/* Three slots: whether another group of two warps fits while the second warp waits. */
static bool fits_while_one_waits(bool holds_slots)
{
    r.config.slots = 3;
    r.config.holds_slots = holds_slots;
    r.group = 64;
    r.data.latency = 100;
    core_rig_load(&r, ONE_WAITS);
    core_rig_step(&r, 60);
    assert_int_equal(ww_cu_warps(r.cu), 1);
    bool fits = ww_cu_can_accept(r.cu, &r.cu_launch);
    core_rig_run(&r);
    assert_true(ww_cu_can_accept(r.cu, &r.cu_launch));
    core_rig_end(&r);
    return fits;
}

static void a_group_keeps_its_slots_until_it_ends(void **state)
{
    (void)state;
    assert_false(fits_while_one_waits(true));
}

static void a_slot_is_free_when_its_warp_has_ended(void **state)
{
    (void)state;
    assert_true(fits_while_one_waits(false));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(two_kernels_are_resident_at_once, begin),
        cmocka_unit_test_setup(a_launch_takes_over_what_another_had, begin),
        cmocka_unit_test_setup(a_group_keeps_its_slots_until_it_ends, begin),
        cmocka_unit_test_setup(a_slot_is_free_when_its_warp_has_ended, begin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
