/* Arguments in memory (core.arguments: scalar): loads through the scalar cache, one for all that
 * instructions in a row read in a block. */
#include "support/core_rig.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static core_rig r;

static int begin(void **state)
{
    (void)state;
    core_rig_init(&r);
    r.config.scalar_unit = true;
    r.config.argument_block = 32;
    return 0;
}

#define KERNEL(instructions)                                                                \
    ".visible .entry k(.param .u64 p, .param .u64 q, .param .u64 s, .param .u64 t, .param " \
    ".u64 u)\n{\n.reg .b64 %d<16>; .reg .pred %q<4>;\n" instructions CORE_RIG_TAIL

/* p and q are in the block of bytes 0 to 31, u in the next: two loads, issued in cycles 0 and 2,
 * arrive 3 ticks later and are answered after 10. The value of q comes with that of p (12). Read
 * again, q is a load of its own. */
static void arguments_in_a_row_are_one_load(void **state)
{
    (void)state;
    core_rig_play(&r, KERNEL("ld.param.u64 %d0, [p]; ld.param.u64 %d1, [q]; ld.param.u64 %d2, [u];"
                             "add.s64 %d3, %d0, %d1; add.s64 %d4, %d2, %d3; ld.param.u64 %d5, [q];"
                             "add.s64 %d6, %d5, %d4;"));
    core_rig_expect(&r, "0:a0 1:a1 2:a2 12:a3 16:a4 17:a5 29:a6 30:a7");
    assert_string_equal(r.scalar.log, "3:R400:1 5:R400:2 20:R400:1");
    assert_string_equal(r.data.log, "");
    assert_int_equal(r.counters.memory_instructions, 3);
    assert_int_equal(r.counters.loads, 3);
    core_rig_end(&r);
}

/* A warp that branches to the load of q has not executed that of p before. */
static void a_branch_target_loads_for_itself(void **state)
{
    (void)state;
    core_rig_play(&r, KERNEL("ld.param.u64 %d0, [p];\nAGAIN: ld.param.u64 %d1, [q];"
                             "setp.eq.u64 %q0, %d0, %d1; @%q0 bra AGAIN;"));
    core_rig_expect(&r, "0:a0 1:a1 13:a2 17:a3 21:a4");
    assert_string_equal(r.scalar.log, "3:R400:1 4:R400:1");
    core_rig_end(&r);
}

/* The default: a move, which the scalar unit makes in 4 cycles. */
static void arguments_can_be_in_registers(void **state)
{
    (void)state;
    r.config.argument_block = 0;
    core_rig_play(&r, KERNEL("ld.param.u64 %d0, [p]; ld.param.u64 %d1, [q];"
                             "add.s64 %d3, %d0, %d1;"));
    core_rig_expect(&r, "0:a0 1:a1 5:a2 6:a3");
    assert_string_equal(r.scalar.log, "");
    core_rig_end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(arguments_in_a_row_are_one_load, begin),
        cmocka_unit_test_setup(a_branch_target_loads_for_itself, begin),
        cmocka_unit_test_setup(arguments_can_be_in_registers, begin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
