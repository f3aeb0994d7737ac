/* A stream's steps: what an instruction accessed is the record that its step returns, with the
 * program's addresses, however they were resolved. */
#include "support/core_rig.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static core_rig r;
static ww_stream *stream;
static const ww_access *access;
static uint64_t executed; /* lanes of the last step */

/* A warp at its first instruction, in slot 0. */
static void load(const char *text)
{
    core_rig_init(&r);
    core_rig_load(&r, text);
    ww_cu_add_group(r.cu, &r.cu_launch, 0);
    stream = &r.cu->slots[0].stream;
}

static void step(void)
{
    bool others;
    assert_true(ww_stream_can_run(stream));
    assert_int_equal(ww_stream_step(stream, &access, &executed, &others), WW_OK);
}

/* Steps up to, and including, the n-th memory instruction from here. */
static void step_accesses(unsigned n)
{
    while (n) {
        unsigned flags = ww_stream_op(stream, ww_stream_pc(stream))->flags;
        n -= (flags & (WW_TIMED_LOAD | WW_TIMED_STORE | WW_TIMED_ATOMIC)) != 0;
        step();
    }
}

static void expect(ww_space space, uint64_t lanes, unsigned bytes)
{
    assert_int_equal(access->space, space);
    assert_int_equal(access->lanes, lanes);
    assert_int_equal(access->bytes, bytes);
    assert_int_equal(executed, __builtin_popcountll(lanes));
    assert_false(access->physical);
}

static void expect_row(uint64_t first, uint64_t stride)
{
    for (unsigned lane = 0; lane < 32; lane++)
        if (access->lanes >> lane & 1)
            assert_int_equal(access->address[lane], first + lane * stride);
}

/* %d1: the lane's word in the buffer; %q0: lanes 0 to 3; %q1: none. */
#define WORDS                                                                                      \
    "mov.u32 %r0, %tid.x; ld.param.u64 %d0, [p]; mul.wide.u32 %d1, %r0, 4; add.u64 %d1, %d0, %d1;" \
    "setp.lt.u32 %q0, %r0, 4; setp.gt.u32 %q1, %r0, 99;"

static void an_access_has_the_lanes_that_execute_it(void **state)
{
    (void)state;
    load(CORE_RIG_KERNEL(WORDS "ld.global.u32 %r1, [%d1]; @%q0 ld.global.u32 %r1, [%d1+256];"
                               "@%q1 st.global.u32 [%d1], %r1; st.global.v2.u32 [%d0], {%r0, %r1};"
                               "atom.global.add.u32 %r2, [%d0], 1;"));
    step_accesses(1);
    expect(WW_SPACE_GLOBAL, 0xffffffff, 4);
    expect_row(r.params[0], 4);
    step_accesses(1);
    expect(WW_SPACE_GLOBAL, 0xf, 4);
    expect_row(r.params[0] + 256, 4);
    step_accesses(1);
    assert_int_equal(access->lanes, 0);
    step_accesses(1);
    expect(WW_SPACE_GLOBAL, 0xffffffff, 8);
    expect_row(r.params[0], 0);
    step_accesses(1);
    expect(WW_SPACE_GLOBAL, 0xffffffff, 4);
    expect_row(r.params[0], 0);
    core_rig_drop(&r);
}

/* Known to be consecutive from the second time on, when the buffer is known. */
static void a_sequence_is_known(void **state)
{
    (void)state;
    load(CORE_RIG_KERNEL(WORDS "L: ld.global.u32 %r1, [%d1]; bra.uni L;"));
    step_accesses(1);
    step_accesses(1);
    assert_true(access->sequence);
    core_rig_drop(&r);
}

static void private_addresses_are_offsets(void **state)
{
    (void)state;
    load(CORE_RIG_KERNEL(".local .align 8 .b8 a[64];" WORDS "st.local.u32 [a+8], %r0;"));
    step_accesses(1);
    expect(WW_SPACE_LOCAL, 0xffffffff, 4);
    expect_row(8, 0);
    core_rig_drop(&r);
}

/* Lanes 0 to 3 access the local data share, the others the buffer. */
static void a_generic_access_keeps_its_addresses(void **state)
{
    (void)state;
    load(CORE_RIG_KERNEL(".shared .align 4 .b8 b[64];" WORDS
                         "mov.u64 %d2, b; cvta.shared.u64 %d2, %d2; selp.b64 %d3, %d2, %d0, %q0;"
                         "ld.u32 %r1, [%d3];"));
    step_accesses(1);
    expect(WW_SPACE_GENERIC, 0xffffffff, 4);
    for (unsigned lane = 0; lane < 32; lane++)
        assert_int_equal(access->address[lane], lane < 4 ? WW_SHARED_WINDOW : r.params[0]);
    core_rig_drop(&r);
}

static void an_asynchronous_copy_accesses_its_source(void **state)
{
    (void)state;
    load(CORE_RIG_KERNEL(".shared .align 4 .b8 b[128];" WORDS
                         "mov.u32 %r2, b; cp.async.ca.shared.global [%r2], [%d1], 4;"));
    step_accesses(1);
    expect(WW_SPACE_GLOBAL, 0xffffffff, 4);
    expect_row(r.params[0], 4);
    core_rig_drop(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_access_has_the_lanes_that_execute_it),
        cmocka_unit_test(a_sequence_is_known),
        cmocka_unit_test(private_addresses_are_offsets),
        cmocka_unit_test(a_generic_access_keeps_its_addresses),
        cmocka_unit_test(an_asynchronous_copy_accesses_its_source),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
