/* A compute unit between mocks: which requests it sends and when, and which warps wait for them. A
 * request arrives at its cache two ticks after the issue, and the mocks answer 10 ticks later. */
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
    return 0;
}

/* %d0 the buffer, %r0 the lane, %d1 the buffer plus 4 bytes for each lane. */
#define POINTERS \
    "ld.param.u64 %d0, [p]; mov.u32 %r0, %tid.x; mul.wide.u32 %d1, %r0, 4; add.u64 %d1, %d0, %d1;"

/* ---- loads and stores ---- */

static void a_value_is_there_when_its_reply_is(void **state)
{
    (void)state;
    core_rig_play(&r, CORE_RIG_KERNEL(POINTERS "ld.global.u32 %r1, [%d1]; add.u32 %r2, %r1, 1;"));
    core_rig_expect(&r, "0:a0 1:a1 5:a2 9:a3 13:a4 25:a5 26:a6");
    assert_string_equal(r.data.log, "16:R0"); /* issued in cycle 14: cycle 0 of the log is 1 */
    assert_int_equal(r.counters.load_latency, 12);
    assert_int_equal(r.counters.loads, 1);
    core_rig_end(&r);
}

static void lines_go_out_at_the_rate_of_requests(void **state)
{
    (void)state;
    const char *text = CORE_RIG_KERNEL("ld.param.u64 %d0, [p]; mov.u32 %r0, %tid.x;"
                                       "mul.wide.u32 %d1, %r0, 1024; add.u64 %d1, %d0, %d1;"
                                       "ld.global.u32 %r1, [%d1]; add.u32 %r2, %r1, 1;");
    core_rig_play(&r, text);
    core_rig_expect(
        &r, "0:a0 1:a1 5:a2 9:a3 13:a4 56:a5 57:a6"); /* the last of 32 leaves 31 cycles later */
    assert_int_equal(r.counters.lines, 32);
    core_rig_end(&r);
    begin(NULL);
    r.config.requests_per_cycle = 4;
    core_rig_play(&r, text);
    core_rig_expect(&r, "0:a0 1:a1 5:a2 9:a3 13:a4 32:a5 33:a6");
    core_rig_end(&r);
}

static void stores_and_atomics_say_what_they_are(void **state)
{
    (void)state;
    core_rig_play(
        &r,
        CORE_RIG_KERNEL(
            POINTERS
            "st.global.u32 [%d1], %r0; st.global.u32 [%d0+256], %r0; st.global.u8 [%d1+512], %r0;"
            "red.global.add.u32 [%d0+1024], %r0; setp.lt.u32 %q0, %r0, 8;"
            "@%q0 st.global.u32 [%d1+2048], %r0; setp.lt.u32 %q0, %r0, 0; @%q0 st.global.u32 "
            "[%d1], %r0;"));
    assert_string_equal(r.data.log, "16:W0 17:w100:1 18:w200 19:A400:1 24:W800:1");
    core_rig_end(&r);
}

static struct {
    uint16_t pc, tag;
} seen;

static unsigned note_instruction(ww_request *request)
{
    seen.pc = request->pc;
    seen.tag = request->pc_tag;
    return 1;
}

/* The function before has an instruction and the implicit return. */
static void kernels_have_instructions_of_their_own(void **state)
{
    static const struct {
        const char *text;
        uint16_t tag;
    } programs[] = {
        {CORE_RIG_KERNEL("ld.param.u64 %d0, [p]; ld.global.u32 %r1, [%d0];"), 1},
        {".visible .entry other()\n{\nret;\n}\n" CORE_RIG_KERNEL(
             "ld.param.u64 %d0, [p]; ld.global.u32 %r1, [%d0];"),
         3},
    };
    for (int i = 0; i < 2; i++) {
        r.data.spoil = note_instruction;
        core_rig_play(&r, programs[i].text);
        assert_int_equal(seen.pc, 1);
        assert_int_equal(seen.tag, programs[i].tag);
        core_rig_end(&r);
        begin(state);
    }
}

static void a_fence_waits_for_stores(void **state)
{
    (void)state;
    core_rig_play(&r,
                  CORE_RIG_KERNEL(POINTERS "st.global.u32 [%d1], %r0; mov.u32 %r1, 1; membar.gl;"
                                           "mov.u32 %r2, 1;"));
    core_rig_expect(&r, "0:a0 1:a1 5:a2 9:a3 13:a4 14:a5 25:a6 26:a7 27:a8");
    assert_int_equal(r.counters.reasons[WW_REASON_SYNCHRONISATION], 10);
    core_rig_end(&r);
}

/* As a_fence_waits_for_stores, with the kernel's end in the fence's place. */
static void the_end_waits_for_stores_where_warps_end_when_they_are_done(void **state)
{
    (void)state;
    r.config.end_waits = true;
    core_rig_play(&r, CORE_RIG_KERNEL(POINTERS "st.global.u32 [%d1], %r0; mov.u32 %r1, 1;"));
    core_rig_expect(&r, "0:a0 1:a1 5:a2 9:a3 13:a4 14:a5 25:a6");
    assert_int_equal(r.counters.reasons[WW_REASON_SYNCHRONISATION], 10);
    core_rig_end(&r);
}

/* Four requests in the mock's port and two instructions in the queue; it takes them at tick 100. */
static void a_full_queue_holds_the_warp_back(void **state)
{
    (void)state;
    const char *text = CORE_RIG_KERNEL("ld.param.u64 %d0, [p]; ld.global.u32 %r1, [%d0]; "
                                       "ld.global.u32 %r2, [%d0]; ld.global.u32 %r3, [%d0];"
                                       "ld.global.u32 %r4, [%d0]; ld.global.u32 %r5, [%d0]; "
                                       "ld.global.u32 %r6, [%d0]; ld.global.u32 %r7, [%d0];");
    for (unsigned refuse = 0; refuse < 2; refuse++) {
        begin(NULL);
        r.config.memory_queue = 2;
        r.data.hold = 100;
        r.refuse = refuse;
        core_rig_play(&r, text);
        core_rig_expect(&r, "0:a0 4:a1 5:a2 6:a3 7:a4 8:a5 9:a6 99:a7 100:a8");
        assert_int_equal(r.counters.reasons[refuse ? WW_REASON_MSHR : WW_REASON_STRUCTURAL], 89);
        assert_int_equal(r.counters.reasons[refuse ? WW_REASON_STRUCTURAL : WW_REASON_MSHR], 0);
        core_rig_end(&r);
    }
}

/* Algorithm 2: the first cycle of a wait for a miss is a data hazard, the others are the
 * cache's. */
static void waits_for_misses_are_told_apart(void **state)
{
    (void)state;
    const char *text = CORE_RIG_KERNEL("ld.param.u64 %d0, [p]; ld.global.u32 %r1, [%d0];"
                                       "add.u32 %r2, %r1, 1;");
    core_rig_play(&r, text);
    core_rig_expect(&r, "0:a0 4:a1 16:a2 17:a3");
    assert_int_equal(r.counters.reasons[WW_REASON_DATA_HAZARD], 3 + 11);
    core_rig_end(&r);
    begin(NULL);
    r.data.missed = true;
    core_rig_play(&r, text);
    assert_int_equal(r.counters.reasons[WW_REASON_DATA_HAZARD], 3 + 1);
    assert_int_equal(r.counters.reasons[WW_REASON_DATA_CACHE], 10);
    core_rig_end(&r);
}

/* A miss that no warp waits for does not turn a later wait into one for a miss. */
static void an_unused_miss_is_not_waited_for(void **state)
{
    (void)state;
    r.data.missed = true;
    r.config.units[WW_UNIT_SFU].latency = 30;
    core_rig_load(&r, CORE_RIG_KERNEL("ld.param.u64 %d0, [p]; ld.global.u32 %r1, [%d0];"
                                      "sqrt.approx.f32 %f1, 0f3f800000; add.f32 %f2, %f1, %f1;"
                                      "ld.global.u32 %r2, [%d0]; add.u32 %r3, %r2, 1;"));
    core_rig_step(&r, 30); /* the first load is back */
    r.data.missed = false;
    core_rig_run(&r);
    core_rig_expect(&r, "0:a0 4:a1 5:a2 35:a3 36:a4 48:a5 49:a6");
    assert_int_equal(r.counters.reasons[WW_REASON_DATA_CACHE], 0);
    core_rig_end(&r);
}

/* 700 MHz beside 924 MHz: 25 cycles in 33 ticks. The mock answers in ticks. */
static void a_slow_clock_takes_replies_at_its_edges(void **state)
{
    (void)state;
    r.config.clock = ww_clock_make(700000000, 924000000);
    core_rig_play(&r, CORE_RIG_KERNEL("ld.param.u64 %d0, [p]; ld.global.u32 %r1, [%d0];"
                                      "add.u32 %r2, %r1, 1;"));
    /* Issued in cycle 5, sent in 6 at tick 8, arrives at 9, back at 19, where cycle 14 starts. */
    core_rig_expect(&r, "0:a0 4:a1 13:a2 14:a3");
    assert_string_equal(r.data.log, "9:R0:1");
    core_rig_end(&r);
}

static void uniform_constants_come_through_the_scalar_cache(void **state)
{
    (void)state;
    r.config.scalar_unit = true;
    core_rig_play(&r,
                  CORE_RIG_KERNEL(
                      "ld.param.u64 %d0, [p]; ld.global.nc.u32 %r1, [%d0]; add.u32 %r2, %r1, 1;"));
    core_rig_expect(&r, "0:a0 4:a1 16:a2 17:a3");
    assert_string_equal(r.scalar.log, "7:R0:1");
    assert_string_equal(r.data.log, "");
    core_rig_end(&r);
}

/* ---- private memory ---- */

/* Lanes' copies of a word are adjacent: one index for all lanes is one line, one for each lane is a
 * line for each word. */
static void private_memory_is_laid_out_by_words(void **state)
{
    (void)state;
    r.config.width = r.group = 64;
    r.data.base = 0;
    core_rig_play(&r,
                  CORE_RIG_KERNEL(".local .align 16 .b8 a[2048]; mov.u32 %r0, %tid.x;"
                                  "mul.lo.u32 %r1, %r0, 32; mov.u32 %r2, a; add.u32 %r3, %r2, %r1;"
                                  "st.local.u32 [a], %r0;"
                                  "st.local.v4.u64 [%r3], {%d0, %d1, %d2, %d3};"));
    assert_int_equal(r.counters.memory_instructions, 2);
    assert_int_equal(r.counters.lines, 2 + 64 * 8); /* 64 lanes of 4 bytes in lines of 128 */
    core_rig_end(&r);
}

/* ---- local data share ---- */

#define SHARED ".shared .align 16 .b8 s[4096]; mov.u32 %r0, %tid.x; mov.u32 %r1, s;"

static void the_share_has_its_latency(void **state)
{
    (void)state;
    r.config.units[WW_UNIT_LDS].latency = 24;
    core_rig_play(&r, CORE_RIG_KERNEL(SHARED "shl.b32 %r2, %r0, 2; add.u32 %r2, %r1, %r2;"
                                             "ld.shared.u32 %r3, [%r2]; add.u32 %r4, %r3, 1;"));
    core_rig_expect(&r, "0:a0 1:a1 4:a2 8:a3 12:a4 36:a5 37:a6");
    assert_int_equal(r.counters.lds_conflict_cycles, 0);
    assert_int_equal(r.data.arrived, 0);
    core_rig_end(&r);
}

/* A stride of 8 words: 8 lanes share a bank. */
static void conflicts_cost_what_the_machine_says(void **state)
{
    (void)state;
    r.config.units[WW_UNIT_LDS].latency = 24;
    r.config.lds_conflict = 2;
    core_rig_play(&r, CORE_RIG_KERNEL(SHARED "shl.b32 %r2, %r0, 5; add.u32 %r2, %r1, %r2;"
                                             "ld.shared.u32 %r3, [%r2]; ld.shared.u32 %r5, [%r1];"
                                             "add.u32 %r4, %r3, 1;"));
    /* The second load waits for 8 passes; the sum for 24 + 7 * 2 cycles. */
    core_rig_expect(&r, "0:a0 1:a1 4:a2 8:a3 12:a4 20:a5 50:a6 51:a7");
    assert_int_equal(r.counters.lds_conflict_cycles, 14);
    assert_int_equal(r.counters.unit_busy[WW_UNIT_LDS], 9);
    core_rig_end(&r);
}

/* A generic access is known to go to the local data share when it executes; it occupies the banks
 * as others do. */
static void generic_accesses_take_the_banks_time(void **state)
{
    (void)state;
    r.config.units[WW_UNIT_LDS].latency = 24;
    core_rig_play(
        &r, CORE_RIG_KERNEL(SHARED "shl.b32 %r2, %r0, 5; add.u32 %r2, %r1, %r2;"
                                   "cvt.u64.u32 %d2, %r2; cvta.shared.u64 %d3, %d2;"
                                   "ld.u32 %r3, [%d3]; ld.u32 %r5, [%d3]; add.u32 %r4, %r5, 1;"));
    /* The second starts when the first is through, 8 cycles after it: 20 + 8 + 24 + 7. */
    core_rig_expect(&r, "0:a0 1:a1 4:a2 8:a3 12:a4 16:a5 20:a6 21:a7 59:a8 60:a9");
    core_rig_end(&r);
}

/* ---- instructions ---- */

#define MOVES8                                                                                 \
    "mov.u32 %r0, 1; mov.u32 %r1, 1; mov.u32 %r2, 1; mov.u32 %r3, 1; mov.u32 %r4, 1; mov.u32 " \
    "%r5, 1;"                                                                                  \
    "mov.u32 %r6, 1; mov.u32 %r7, 1;"
#define MOVES32 MOVES8 MOVES8 MOVES8 MOVES8

/* 16 instructions in a line and in the buffer. The first fetch goes out in cycle 1; when half are
 * left, at the 8th instruction, the next, for the 8 that fit into the buffer: half a line. */
static void instructions_are_fetched_ahead(void **state)
{
    (void)state;
    r.warm = false;
    core_rig_play(&r, CORE_RIG_KERNEL(MOVES32));
    assert_int_equal(r.first_issue, 12);
    assert_string_equal(r.instruction.log, "2:R0 20:R80:3 31:R80:c 42:R100:7");
    assert_non_null(strstr(r.log, "15:a15 18:a16 "));
    assert_non_null(strstr(r.log, "25:a23 29:a24 "));
    assert_non_null(strstr(r.log, "36:a31 40:a32"));
    assert_int_equal(r.counters.reasons[WW_REASON_FETCH], 11 + 2 + 3 + 3);
    assert_int_equal(r.counters.fetches, 4);
    core_rig_end(&r);
    begin(NULL);
    r.warm = false;
    r.instruction.latency = 5;
    core_rig_play(&r, CORE_RIG_KERNEL(MOVES32));
    assert_non_null(strstr(r.log, "15:a15 16:a16 "));
    assert_non_null(strstr(r.log, "31:a31 32:a32"));
    core_rig_end(&r);
}

/* A fetch requests the sectors of its instructions. */
static void a_small_buffer_fetches_a_part_of_a_line(void **state)
{
    (void)state;
    r.warm = false;
    r.config.instruction_buffer = 4;
    core_rig_play(&r, CORE_RIG_KERNEL(MOVES8));
    assert_int_equal(strncmp(r.instruction.log, "2:R0:1 ", 7), 0);
    core_rig_end(&r);
}

/* A jump out of the buffer waits for the branch, then for the fetch. */
static void a_jump_fetches_its_target(void **state)
{
    (void)state;
    r.warm = false;
    r.config.instruction_buffer = 4;
    core_rig_play(&r, CORE_RIG_KERNEL("bra L;" MOVES32 "L: mov.u32 %r1, 1;"));
    assert_int_equal(r.first_issue, 12);
    core_rig_expect(&r,
                    "0:a0 15:a33 16:a34"); /* decided in 4, fetched then: there 11 cycles later */
    assert_int_equal(r.counters.reasons[WW_REASON_CONTROL], 3); /* the buffer has what follows */
    core_rig_end(&r);
}

/* One instruction at a time: behind a branch the buffer is empty. If the branch is not taken, what
 * follows is there 11 cycles after it issued, and it is undecided in 9 more, from 11 to 19. */
static void an_empty_buffer_comes_before_an_undecided_branch(void **state)
{
    (void)state;
    for (int taken = 0; taken < 2; taken++) {
        begin(NULL);
        r.warm = false;
        r.config.instruction_buffer = 1;
        r.config.units[WW_UNIT_BRANCH].latency = 20;
        core_rig_play(&r, taken
                              ? CORE_RIG_KERNEL("setp.eq.u32 %q0, 1, 1; @%q0 bra L;" MOVES8 "L:")
                              : CORE_RIG_KERNEL("setp.eq.u32 %q0, 0, 1; @%q0 bra L;" MOVES8 "L:"));
        assert_int_equal(r.counters.reasons[WW_REASON_CONTROL], taken ? 0 : 9);
        core_rig_end(&r);
    }
}

#define COUNT_TO_3 "mov.u32 %r1, 0; L: add.u32 %r1, %r1, 1; setp.lt.u32 %q0, %r1, 3; @%q0 bra L;"

/* Each jump back leaves the buffer: decided 4 cycles after it issued, then the fetch. */
static void a_scheduler_keeps_lines_of_its_own(void **state)
{
    (void)state;
    r.warm = false;
    core_rig_play(&r, CORE_RIG_KERNEL(COUNT_TO_3));
    core_rig_expect(&r, "0:a0 4:a1 8:a2 12:a3 27:a1 31:a2 35:a3 50:a1 54:a2 58:a3 62:a4");
    assert_string_equal(r.instruction.log, "2:R0 29:R0 52:R0");
    core_rig_end(&r);
    begin(NULL);
    r.warm = false;
    r.config.l0_lines = 2;
    r.config.l0_latency = 3;
    core_rig_play(&r, CORE_RIG_KERNEL(COUNT_TO_3));
    core_rig_expect(&r, "0:a0 4:a1 8:a2 12:a3 19:a1 23:a2 27:a3 34:a1 38:a2 42:a3 46:a4");
    assert_string_equal(r.instruction.log, "2:R0");
    assert_int_equal(r.counters.fetches, 3);
    assert_int_equal(r.counters.l0_hits, 2);
    core_rig_end(&r);
}

/* Direct mapped, one line: the two lines of the loop drive each other out. */
static void lines_of_a_scheduler_drive_each_other_out(void **state)
{
    (void)state;
    r.warm = false;
    r.config.l0_lines = 1;
    r.config.l0_latency = 1;
    core_rig_play(&r, CORE_RIG_KERNEL("mov.u32 %r9, 0; L: " MOVES8 MOVES8
                                      "add.u32 %r9, %r9, 1; setp.lt.u32 %q0, %r9, 3; @%q0 bra L;"));
    assert_int_equal(r.counters.l0_hits, 0);
    assert_int_equal(r.counters.fetches, 6);
    core_rig_end(&r);
}

/* The L0 is slow: when the branch is decided, the fetch of what follows it is in flight, and must
 * not fill the buffer as its target. */
static void a_jump_gives_up_a_fill(void **state)
{
    (void)state;
    r.warm = false;
    r.config.l0_lines = 2;
    r.config.l0_latency = 20;
    r.config.instruction_buffer = 4;
    core_rig_play(
        &r, CORE_RIG_KERNEL("mov.u32 %r1, 0; mov.u32 %r2, 0; bra L;" MOVES8 "L: mov.u32 %r1, 1;"));
    /* Instruction 4 is fetched in cycle 1; the branch is decided in 6, its fetch arrives in 26. */
    core_rig_expect(&r, "0:a0 1:a1 2:a2 26:a11 27:a12");
    core_rig_end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_value_is_there_when_its_reply_is, begin),
        cmocka_unit_test_setup(lines_go_out_at_the_rate_of_requests, begin),
        cmocka_unit_test_setup(stores_and_atomics_say_what_they_are, begin),
        cmocka_unit_test_setup(kernels_have_instructions_of_their_own, begin),
        cmocka_unit_test_setup(a_fence_waits_for_stores, begin),
        cmocka_unit_test_setup(the_end_waits_for_stores_where_warps_end_when_they_are_done, begin),
        cmocka_unit_test_setup(a_full_queue_holds_the_warp_back, begin),
        cmocka_unit_test_setup(waits_for_misses_are_told_apart, begin),
        cmocka_unit_test_setup(an_unused_miss_is_not_waited_for, begin),
        cmocka_unit_test_setup(a_slow_clock_takes_replies_at_its_edges, begin),
        cmocka_unit_test_setup(uniform_constants_come_through_the_scalar_cache, begin),
        cmocka_unit_test_setup(private_memory_is_laid_out_by_words, begin),
        cmocka_unit_test_setup(the_share_has_its_latency, begin),
        cmocka_unit_test_setup(conflicts_cost_what_the_machine_says, begin),
        cmocka_unit_test_setup(generic_accesses_take_the_banks_time, begin),
        cmocka_unit_test_setup(instructions_are_fetched_ahead, begin),
        cmocka_unit_test_setup(a_small_buffer_fetches_a_part_of_a_line, begin),
        cmocka_unit_test_setup(a_jump_fetches_its_target, begin),
        cmocka_unit_test(an_empty_buffer_comes_before_an_undecided_branch),
        cmocka_unit_test_setup(a_scheduler_keeps_lines_of_its_own, begin),
        cmocka_unit_test_setup(lines_of_a_scheduler_drive_each_other_out, begin),
        cmocka_unit_test_setup(a_jump_gives_up_a_fill, begin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
