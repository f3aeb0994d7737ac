#include "ptx/uniform.h"

#include "support/ptx_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define BODY(text)                                        \
    ".global .u32 g; .shared .u32 s; .const .u32 c[4];\n" \
    ".visible .entry k(.param .u64 a, .param .u32 n) {\n" \
    " .reg .pred %p<9>; .reg .b32 %r<40>; .reg .b64 %rd<9>; .local .b32 l[4];\n" text "}\n"

/* Checks `expected`, words separated by spaces: an instruction by its result register, '+' before
 * it when it is uniform, '-' when it is varying; so are registers, with an '=' in front. */
static void check(const char *ptx, const char *name, const char *expected)
{
    ptx_text text = ptx_analyse(ptx);
    const ww_function_analysis *f = ptx_function(&text, name);
    char *words = ww_strdup(expected);
    char *rest = NULL;
    for (char *word = strtok_r(words, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        bool whole_register = word[0] == '=';
        bool uniform = word[whole_register] == '+';
        const char *reg = word + whole_register + 1;
        unsigned found = 0;
        for (uint32_t r = 0; whole_register && r < f->function->register_count; r++)
            if (strcmp(f->function->registers[r].name, reg) == 0) {
                found++;
                if (f->uniform->reg[r] != uniform)
                    fail_msg("register %s should be %s", reg, uniform ? "uniform" : "varying");
            }
        for (uint32_t i = 0; !whole_register && i < f->function->instruction_count; i++) {
            const ww_instruction *in = &f->function->instructions[i];
            int32_t result = in->result_count ? in->operands[0].reg : -1;
            if (in->result_count && in->operands[0].kind == WW_OPERAND_VECTOR)
                result = in->operands[0].elements[0].reg;
            if (result < 0 || strcmp(f->function->registers[result].name, reg) != 0)
                continue;
            found++;
            if (f->uniform->instruction[i] != uniform)
                fail_msg("'%s' should be %s", in->text, uniform ? "uniform" : "varying");
        }
        if (!found)
            fail_msg("nothing called %s", reg);
    }
    free(words);
    ptx_free(&text);
}

static void sources(void **state)
{
    (void)state;
    check(BODY("mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.y;\n"
               "mov.u32 %r4, %tid.z; mov.u32 %r5, %laneid; mov.u32 %r6, %nctaid.z;\n"
               "mov.u32 %r7, 12; mov.u32 %r8, %clock; ld.param.u32 %r9, [n];\n"
               "mad.lo.s32 %r10, %r2, %r3, %r9; mad.lo.s32 %r11, %r2, %r3, %r1;\n"
               "mov.u64 %rd1, g; activemask.b32 %r12; vote.sync.ballot.b32 %r13, 1, -1;\n"
               "setp.lt.s32 %p1, %r7, %r9; setp.lt.s32 %p2, %r1, %r9; selp.b32 %r14, %r1, %r2, "
               "%p1; selp.b32 %r15, %r7, %r2, %p2; ret;"),
          "k",
          "-%r1 +%r2 +%r3 -%r4 -%r5 +%r6 +%r7 -%r8 +%r9 +%r10 -%r11 +%rd1 -%r12 -%r13 +%p1 -%p2 "
          "-%r14 -%r15 =+%r10 =-%r1 =+%p1");
}

static void loads(void **state)
{
    (void)state;
    check(BODY("ld.param.u64 %rd1, [a]; mov.u32 %r20, %tid.x; cvt.u64.u32 %rd2, %r20;\n"
               "add.s64 %rd3, %rd1, %rd2;\n"
               "ld.global.u32 %r1, [%rd1+4]; ld.global.u32 %r2, [%rd3]; ld.u32 %r3, [%rd1];\n"
               "ld.volatile.global.u32 %r4, [%rd1]; ld.shared.u32 %r5, [s];\n"
               "ld.const.u32 %r6, [c+8]; ld.local.u32 %r7, [l]; ld.const.u32 %r8, [%rd2];\n"
               "atom.global.add.u32 %r9, [%rd1], 1; mov.b64 %rd4, n; ld.param.u32 %r10, [%rd4];\n"
               "ld.global.v2.u32 {%r11, %r12}, [%rd1]; shfl.sync.idx.b32 %r13, %r1, 0, 31, -1;\n"
               "bar.red.popc.u32 %r14, 0, %p1; ret;"),
          "k", "+%rd1 -%rd3 +%r1 -%r2 +%r3 -%r4 +%r5 +%r6 -%r7 -%r8 -%r9 +%r10 +%r11 -%r13 +%r14");
}

static void generic_loads_may_be_local(void **state)
{
    (void)state;
    check(BODY("cvta.local.u64 %rd2, l; ld.param.u64 %rd1, [a]; ld.u32 %r1, [%rd1]; ret;"), "k",
          "-%r1 +%rd1 +%rd2");
}

static void functions(void **state)
{
    (void)state;
    const char *text =
        ".func (.param .b32 out) f(.param .b32 in) { .reg .b32 %r<3>;\n"
        " ld.param.b32 %r1, [in]; mov.b32 %r2, 1; st.param.b32 [out], %r1; ret; }\n"
        ".func (.reg .b32 %o) h(.reg .b32 %i) { add.u32 %o, %i, 1; ret; }\n"
        ".entry k(.param .u32 n) { .reg .b32 %r<9>; { .param .b32 x; .param .b32 y;\n"
        " st.param.b32 [x], 1; call (y), f, (x); ld.param.b32 %r1, [y]; } ld.param.u32 %r2, [n];\n"
        " call (%r3), h, (%r2); ret; }\n";
    check(text, "f", "-%r1 +%r2");
    check(text, "h", "-%o =-%o =-%i");
    check(text, "k", "-%r1 +%r2 =-%r3");
}

static void carries(void **state)
{
    (void)state;
    check(BODY("mov.u32 %r1, %tid.x; add.cc.u32 %r2, 1, 2; addc.u32 %r3, 1, 2;\n"
               "add.cc.u32 %r4, %r1, 2; addc.u32 %r5, 1, 2; ret;"),
          "k", "+%r2 +%r3 -%r4 -%r5");
}

static void guarded_writes(void **state)
{
    (void)state;
    check(BODY("mov.u32 %r1, %tid.x; setp.eq.u32 %p1, %r1, 3; setp.eq.u32 %p2, %r20, 3;\n"
               "mov.u32 %r2, 1; @%p1 mov.u32 %r2, 2; add.u32 %r3, %r2, 1;\n"
               "mov.u32 %r4, 1; @%p2 mov.u32 %r4, 2; add.u32 %r5, %r4, 1;\n"
               "mov.u32 %r6, %r1; @%p2 mov.u32 %r6, 7; add.u32 %r7, %r6, 1;\n"
               "mov.u32 %r6, 1; add.u32 %r8, %r6, 1; ret;"),
          "k", "-%r3 +%r5 -%r7 +%r8 =-%r2 =+%r4 =-%r6");
}

/* r2 differs by lane after the first if; r4 after the second does not. */
static void ifs(void **state)
{
    (void)state;
    check(BODY("mov.u32 %r1, %tid.x; setp.lt.u32 %p1, %r1, 3; ld.param.u32 %r9, [n];\n"
               "setp.lt.u32 %p2, %r9, 3; mov.u32 %r2, 1;\n"
               "@%p1 bra A; mov.u32 %r2, 2; add.u32 %r10, %r2, 1; A: add.u32 %r3, %r2, 1;\n"
               "@%p2 bra B; mov.u32 %r4, 2; bra C; B: mov.u32 %r4, 1; C: add.u32 %r5, %r4, 1;\n"
               "add.u32 %r6, %r9, 1; ret;"),
          "k", "+%r2 +%r10 -%r3 +%r5 +%r6 =-%r2 =+%r4 =+%r10");
}

static void uniform_loop_under_a_divergent_if(void **state)
{
    (void)state;
    check(BODY("mov.u32 %r1, %tid.x; ld.param.u32 %r9, [n]; setp.ge.u32 %p1, %r1, %r9;\n"
               "@%p1 bra END; mov.u32 %r2, 0;\n"
               "L: add.u32 %r2, %r2, 1; add.u32 %r3, %r2, %r1; setp.lt.u32 %p2, %r2, %r9;\n"
               "@%p2 bra L; add.u32 %r4, %r2, 1; END: ret;"),
          "k", "+%r2 -%r3 +%p2 +%r4 =+%r2");
}

/* The counter is uniform in the loop, but lanes leave it in different rounds. */
static void loop_with_a_divergent_exit(void **state)
{
    (void)state;
    check(BODY("mov.u32 %r1, %tid.x; mov.u32 %r2, 0;\n"
               "L: add.u32 %r2, %r2, 1; add.u32 %r5, %r2, 3; setp.lt.u32 %p1, %r2, %r1;\n"
               "@%p1 bra L; add.u32 %r3, %r2, 1; mov.u32 %r4, 1; ret;"),
          "k", "+%r2 +%r5 -%p1 -%r3 +%r4 =-%r2 =+%r5");
}

static void break_and_uniform_exit(void **state)
{
    (void)state;
    check(BODY("mov.u32 %r1, %tid.x; mov.u32 %r2, 0;\n"
               "L: add.u32 %r2, %r2, 1; setp.eq.u32 %p1, %r2, %r1; @%p1 bra X;\n"
               "add.u32 %r4, %r2, 1; setp.lt.u32 %p2, %r2, 10; @%p2 bra L;\n"
               "X: add.u32 %r3, %r2, 1; ret;"),
          "k", "+%r2 +%r4 +%p2 -%r3");
}

/* Lanes that leave for good do not make what the others compute varying. */
static void exit_inside_a_loop(void **state)
{
    (void)state;
    check(BODY("mov.u32 %r1, %tid.x; mov.u32 %r2, 0;\n"
               "L: add.u32 %r2, %r2, 1; setp.eq.u32 %p1, %r2, %r1; @%p1 exit;\n"
               "setp.lt.u32 %p2, %r2, 10; @%p2 bra L; add.u32 %r3, %r2, 1; ret;"),
          "k", "+%r2 +%p2 +%r3 =+%r2");
}

static void divergent_if_inside_a_uniform_loop(void **state)
{
    (void)state;
    check(BODY("mov.u32 %r1, %tid.x; mov.u32 %r2, 0; setp.eq.u32 %p1, %r1, 2; mov.u32 %r6, 0;\n"
               "L: @%p1 bra A; add.u32 %r6, %r6, 2; bra B; A: add.u32 %r5, %r2, 4;\n"
               "B: add.u32 %r2, %r2, 1; setp.lt.u32 %p2, %r2, 10; @%p2 bra L;\n"
               "add.u32 %r3, %r2, 1; add.u32 %r7, %r6, 1; ret;"),
          "k", "+%r2 +%p2 +%r3 +%r5 -%r7 =-%r6 =+%r2");
}

/* Lanes that took different ways may meet at J, before the reconvergence point E. */
static void meeting_before_reconvergence(void **state)
{
    (void)state;
    check(BODY("mov.u32 %r1, %tid.x; setp.lt.u32 %p1, %r1, 3; ld.param.u32 %r9, [n];\n"
               "setp.lt.u32 %p2, %r9, 3; @%p1 bra X;\n"
               "mov.u32 %r2, 1; @%p2 bra E; bra J; X: mov.u32 %r2, 2;\n"
               "J: add.u32 %r3, %r2, 1; E: add.u32 %r4, %r9, 1; ret;"),
          "k", "+%r2 -%r3 +%r4");
}

/* Lanes go round H, B alone and wait for the others at C, then all go back to H. */
static void rounds_that_end_inside_a_loop(void **state)
{
    (void)state;
    check(BODY("mov.u32 %r1, %tid.x; mov.u32 %r2, 0;\n"
               "H: add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, %r1; @%p1 bra H;\n"
               "setp.lt.u32 %p2, %r2, 20; @%p2 bra H; ret;"),
          "k", "-%p2 =-%r2");
}

/* The same with a way round the loop: the merge at X brings only one value from it. */
static void loop_that_may_be_skipped(void **state)
{
    (void)state;
    check(BODY("mov.u32 %r1, %tid.x; mov.u32 %r2, 0; @%p2 bra X;\n"
               "L: add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, %r1; @%p1 bra L;\n"
               "X: add.u32 %r3, %r2, 1; ret;"),
          "k", "+%r2 -%r3");
}

/* What lanes bring out of the inner loop does not come back into it: H makes it anew. */
static void loop_in_a_loop(void **state)
{
    (void)state;
    check(BODY("mov.u32 %r1, %tid.x; mov.u32 %r9, 0;\n"
               "O: add.u32 %r9, %r9, 1; mov.u32 %r4, %r9;\n"
               "H: add.u32 %r2, %r4, 1; @%p2 bra S; bar.sync 0;\n"
               "S: add.u32 %r5, %r2, 3; mov.u32 %r4, %r5; setp.lt.u32 %p1, %r5, %r1; @%p1 bra H;\n"
               "add.u32 %r6, %r2, 1; setp.lt.u32 %p3, %r9, 8; @%p3 bra O; ret;"),
          "k", "+%r2 +%r5 -%r6 +%r9 +%p3 =-%r2 =+%r5");
}

/* Lanes wait at W and come back into the rounds at X, below the add that made their %r2. */
static void coming_back_into_the_rounds(void **state)
{
    (void)state;
    check(BODY("mov.u32 %r1, %tid.x; setp.lt.u32 %p1, %r1, 4; mov.u32 %r2, 0;\n"
               "H: add.u32 %r2, %r2, 2; @%p1 bra W; bra X; W: @%p2 bra END;\n"
               "X: mov.u32 %r3, %r2; setp.lt.u32 %p1, %r4, %r1; bra H; END: ret;"),
          "k", "-%r3 =-%r2");
}

/* Lanes that go back to H write %r2 again; at M they meet lanes that keep the old value. */
static void meeting_at_the_top_of_an_inner_loop(void **state)
{
    (void)state;
    check(BODY("mov.u32 %r1, %tid.x; setp.lt.u32 %p1, %r1, 4; mov.u32 %r2, 0;\n"
               "H: add.u32 %r2, %r2, 2; add.u32 %r5, %r2, 0;\n"
               "M: @%p2 bra END; add.u32 %r3, %r5, 1; @%p1 bra H; add.u32 %r4, %r9, 1; bra M;\n"
               "END: add.u32 %r6, %r5, 1; ret;"),
          "k", "-%r3 -%r6 +%r4 =-%r5");
}

static void switches(void **state)
{
    (void)state;
    check(BODY("mov.u32 %r1, %tid.x; ld.param.u32 %r9, [n]; T: .branchtargets A, B, C;\n"
               "brx.idx %r1, T; A: mov.u32 %r2, 1; bra D; B: mov.u32 %r2, 2; bra D;\n"
               "C: mov.u32 %r2, 3; D: add.u32 %r3, %r2, 1;\n"
               "U: .branchtargets E, F; brx.idx %r9, U; E: mov.u32 %r4, 1; bra G;\n"
               "F: mov.u32 %r4, 2; G: add.u32 %r5, %r4, 1; ret;"),
          "k", "-%r3 +%r5");
}

static void counts_and_divergent_blocks(void **state)
{
    (void)state;
    ptx_text text = ptx_analyse(
        BODY("mov.u32 %r1, %tid.x; setp.lt.u32 %p1, %r1, 3; setp.lt.u32 %p2, %r9, 3;\n"
             "@%p1 bra A; mov.u32 %r2, 1; A: @%p2 bra B; mov.u32 %r3, 1; B: ret; mov.u32 %r4, 1;"));
    const ww_function_analysis *f = ptx_function(&text, "k");
    assert_int_equal(f->uniform->branch_count, 2);
    assert_int_equal(f->uniform->divergent_count, 1);
    assert_false(f->uniform->divergent[0]);
    assert_true(f->uniform->divergent[1]);
    assert_false(f->uniform->divergent[2]);
    assert_false(f->uniform->divergent[3]);
    assert_int_equal(f->uniform->instruction_count, 5);
    assert_false(f->uniform->instruction[ptx_find(f, "mov.u32 %r4")]); /* unreachable */
    ptx_free(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sources),
        cmocka_unit_test(loads),
        cmocka_unit_test(generic_loads_may_be_local),
        cmocka_unit_test(functions),
        cmocka_unit_test(carries),
        cmocka_unit_test(guarded_writes),
        cmocka_unit_test(ifs),
        cmocka_unit_test(uniform_loop_under_a_divergent_if),
        cmocka_unit_test(loop_with_a_divergent_exit),
        cmocka_unit_test(break_and_uniform_exit),
        cmocka_unit_test(exit_inside_a_loop),
        cmocka_unit_test(divergent_if_inside_a_uniform_loop),
        cmocka_unit_test(meeting_before_reconvergence),
        cmocka_unit_test(rounds_that_end_inside_a_loop),
        cmocka_unit_test(loop_that_may_be_skipped),
        cmocka_unit_test(loop_in_a_loop),
        cmocka_unit_test(coming_back_into_the_rounds),
        cmocka_unit_test(meeting_at_the_top_of_an_inner_loop),
        cmocka_unit_test(switches),
        cmocka_unit_test(counts_and_divergent_blocks),
    };
    return cmocka_run_group_tests_name("uniform", tests, NULL, NULL);
}
