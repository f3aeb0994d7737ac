#include "ptx/liveness.h"

#include "support/ptx_text.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#define ENTRY(text)                                       \
    ".visible .entry k(.param .u64 a, .param .u32 n) {\n" \
    " .reg .pred %p<9>; .reg .b32 %r<40>; .reg .b64 %rd<9>; .reg .b16 %h<4>;\n" text "}\n"

static void check_need(const char *ptx, uint32_t vector, uint32_t scalar, uint32_t predicates)
{
    ptx_text text = ptx_analyse(ptx);
    const ww_function_analysis *f = ptx_function(&text, "k");
    assert_int_equal(f->need.vector, vector);
    assert_int_equal(f->need.scalar, scalar);
    assert_int_equal(f->need.predicates, predicates);
    ptx_free(&text);
}

static void units_by_type(void **state)
{
    (void)state;
    assert_int_equal(ww_type_units(WW_TYPE_U8), 1);
    assert_int_equal(ww_type_units(WW_TYPE_F16X2), 1);
    assert_int_equal(ww_type_units(WW_TYPE_F64), 2);
    assert_int_equal(ww_type_units(WW_TYPE_B128), 4);
    assert_int_equal(ww_type_units(WW_TYPE_PRED), 0);
}

/* A result can reuse the register of a source that is read for the last time. */
static void straight_line(void **state)
{
    (void)state;
    check_need(ENTRY("mov.u32 %r1, %tid.x; add.u32 %r2, %r1, 1; add.u32 %r3, %r2, 1; ret;"), 1, 0,
               0);
    check_need(ENTRY("mov.u32 %r1, %tid.x; mov.u32 %r2, %tid.y; add.u32 %r3, %r2, %r1; ret;"), 2, 0,
               0);
}

static void kinds(void **state)
{
    (void)state;
    check_need(ENTRY("mov.u32 %r1, %tid.x; cvt.u64.u32 %rd1, %r1; ld.param.u64 %rd2, [a];\n"
                     "setp.lt.u64 %p1, %rd1, %rd2; setp.gt.u64 %p2, %rd1, 4;\n"
                     "and.pred %p3, %p1, %p2; @%p3 st.global.u64 [%rd2], %rd1; ret;"),
               2, 2, 2);
}

/* A value that is never read still needs a register when it is written. */
static void dead_writes(void **state)
{
    (void)state;
    check_need(ENTRY("mov.u32 %r1, %tid.x; mov.u32 %r2, %tid.x; mov.u32 %r3, %tid.x; ret;"), 1, 0,
               0);
}

/* r1 is needed round the loop, also behind its last read in the text. */
static void loops_keep_values(void **state)
{
    (void)state;
    ptx_text text = ptx_analyse(ENTRY("mov.u32 %r1, %tid.x; mov.u32 %r2, %tid.y;\n"
                                      "L: add.u32 %r2, %r2, %r1; setp.lt.u32 %p1, %r2, 99;\n"
                                      "mov.u32 %r3, %tid.z; @%p1 bra L; ret;"));
    const ww_function_analysis *f = ptx_function(&text, "k");
    assert_int_equal(f->liveness->at[ptx_find(f, "%tid.z")].vector, 3);
    assert_int_equal(f->liveness->at[ptx_find(f, "ret")].vector, 0);
    assert_int_equal(f->liveness->at[ptx_find(f, "%tid.x")].vector, 1);
    ptx_free(&text);
}

/* Two guarded writes make one value, which is held only from the first of them on. */
static void guarded_writes(void **state)
{
    (void)state;
    ptx_text text = ptx_analyse(ENTRY("mov.u32 %r1, %tid.x; setp.lt.u32 %p1, %r1, 5;\n"
                                      "@%p1 mov.u32 %r2, %tid.y; @!%p1 mov.u32 %r2, %tid.z;\n"
                                      "add.u32 %r3, %r2, 1; ret;"));
    const ww_function_analysis *f = ptx_function(&text, "k");
    assert_int_equal(f->liveness->at[ptx_find(f, "setp")].vector, 1);
    assert_int_equal(f->liveness->at[ptx_find(f, "%tid.y")].vector, 1);
    assert_int_equal(f->liveness->at[ptx_find(f, "%tid.z")].vector, 1);
    assert_int_equal(f->need.vector, 1);
    assert_int_equal(f->need.predicates, 1);
    ptx_free(&text);
}

static const char calls[] =
    ".func (.param .b32 o) leaf(.param .b32 i) { .reg .b32 %r<9>; .local .b32 x[4];\n"
    " ld.param.b32 %r1, [i]; ld.local.b32 %r2, [x]; ld.local.b32 %r3, [x+4];\n"
    " add.u32 %r4, %r1, %r2; add.u32 %r5, %r4, %r3; st.param.b32 [o], %r5; ret; }\n"
    ".func (.reg .b32 %o) self(.reg .b32 %i) { .reg .b32 %r<4>; .reg .pred %p1;\n"
    " setp.eq.u32 %p1, %i, 0; @%p1 ret; sub.u32 %r1, %i, 1; call (%o), self, (%r1);\n"
    " add.u32 %o, %o, %i; ret; }\n"
    ".global .u64 table[1] = {leaf};\n"
    ".entry k() { .reg .b32 %r<9>; mov.u32 %r1, %tid.x; mov.u32 %r2, %tid.y;\n"
    " { .param .b32 i; .param .b32 o; st.param.b32 [i], %r1; call (o), leaf, (i);\n"
    "   ld.param.b32 %r3, [o]; } add.u32 %r4, %r3, %r2; st.global.u32 [table], %r4; ret; }\n"
    ".entry deep() { .reg .b32 %r<9>; mov.u32 %r1, %tid.x; call (%r2), self, (%r1); ret; }\n"
    ".entry far() { .reg .b32 %r<9>; .reg .b64 %rd1; mov.u32 %r1, %tid.x;\n"
    " ld.global.u64 %rd1, [table]; proto: .callprototype (.param .b32 _) _ (.param .b32 _);\n"
    " { .param .b32 i; .param .b32 o; st.param.b32 [i], 1; call (o), %rd1, (i), proto; }\n"
    " st.global.u32 [table], %r1; ret; }\n";

static void callees_add(void **state)
{
    (void)state;
    ptx_text text = ptx_analyse(calls);
    const ww_function_analysis *leaf = ptx_function(&text, "leaf");
    const ww_function_analysis *k = ptx_function(&text, "k");
    const ww_function_analysis *deep = ptx_function(&text, "deep");
    const ww_function_analysis *far = ptx_function(&text, "far");
    assert_int_equal(leaf->need.vector, 3);
    assert_int_equal(k->liveness->most.vector, 2);
    assert_int_equal(k->need.vector, 1 + 3); /* %r2 is held at the call */
    assert_int_equal(k->local_bytes, k->function->local_bytes + leaf->function->local_bytes);
    assert_false(k->recursive);
    assert_false(k->calls_indirectly);
    assert_true(deep->recursive);
    assert_int_equal(deep->need.vector, 1 + 2);
    assert_false(far->recursive);
    assert_true(far->calls_indirectly);
    assert_int_equal(far->need.vector, 1 + 3);
    ptx_free(&text);
}

static void needs_by_lane_only_when_asked(void **state)
{
    (void)state;
    ptx_text text = ptx_analyse(ENTRY("ld.param.u32 %r1, [n]; st.global.u32 [16], %r1; ret;"));
    const ww_function_analysis *f = ptx_function(&text, "k");
    ww_uses *uses = ww_uses_create(f->flow);
    ww_liveness *all = ww_liveness_create(uses, NULL);
    assert_int_equal(f->need.scalar, 1);
    assert_int_equal(f->need.vector, 0);
    assert_int_equal(all->most.scalar, 0);
    assert_int_equal(all->most.vector, 1);
    ww_liveness_destroy(all);
    ww_uses_destroy(uses);
    ptx_free(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(units_by_type),
        cmocka_unit_test(straight_line),
        cmocka_unit_test(kinds),
        cmocka_unit_test(dead_writes),
        cmocka_unit_test(loops_keep_values),
        cmocka_unit_test(guarded_writes),
        cmocka_unit_test(callees_add),
        cmocka_unit_test(needs_by_lane_only_when_asked),
    };
    return cmocka_run_group_tests_name("liveness", tests, NULL, NULL);
}
