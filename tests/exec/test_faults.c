/* Faults of the simulated program: the exact line, and status WW_FAILED. */
#include "support/kernel_run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

/* A kernel of 2 groups of 40 items at width 32 with two buffers of 400 bytes, `a` at 0x100010000
 * and `b` at 0x100030000. Its statements start at line 22; %id and the addresses are ready. */
#define HEAD                                                                               \
    ".visible .entry k(.param .u64 pa, .param .u64 pb)\n{\n"                               \
    ".reg .b32 %item, %n, %g, %id, %r<9>;\n.reg .b64 %a, %b, %rd<9>;\n.reg .pred %p<9>;\n" \
    ".reg .b16 %h<3>;\n.shared .align 16 .b8 s[64];\n.local .align 16 .b8 l[32];\n"        \
    "ld.param.u64 %a, [pa];\nld.param.u64 %b, [pb];\nmov.u32 %item, %tid.x;\n"             \
    "mov.u32 %n, %ntid.x;\nmov.u32 %g, %ctaid.x;\nmad.lo.u32 %id, %g, %n, %item;\n"        \
    "mad.wide.u32 %rd0, %id, 4, %a;\nmov.u32 %r0, s;\nmov.u64 %rd1, l;\n"                  \
    "setp.ge.u32 %p0, %id, 37;\n"

typedef struct fault {
    const char *text; /* statements after HEAD */
    const char *lane; /* "group (0,0,0), ..." */
    const char *message;
    uint64_t max_instructions;
} fault;

#define ITEM37 "group (0,0,0), work-item (37,0,0), warp 1 lane 5"
#define ITEM0 "group (0,0,0), work-item (0,0,0), warp 0 lane 0"

static const fault memory_faults[] = {
    /* The first lane at fault is named, not the first lane. */
    {"mad.wide.u32 %rd2, %id, 400, %a;\n@%p0 add.s64 %rd2, %a, 400;\n@!%p0 mov.u64 %rd2, %a;\n"
     "ld.global.u32 %r1, [%rd2];",
     ITEM37,
     "25: %s: load of 4 bytes at 0x100010190 is out of bounds: just past the end of buffer 'a' "
     "(0x100010000, 400 bytes) (ld.global.u32 %%r1, [%%rd2])",
     0},
    {"selp.b64 %rd2, %b, %rd0, %p0;\nst.global.u32 [%rd2+-8], %r1;", ITEM0,
     "23: %s: store of 4 bytes at 0x10000fff8 is out of bounds: 8 bytes before the start of buffer "
     "'a' "
     "(0x100010000, 400 bytes) (st.global.u32 [%%rd2+-8], %%r1)",
     0},
    {"@%p0 ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%a+400];", ITEM37,
     "22: %s: load of 16 bytes at 0x100010190 is out of bounds: just past the end of buffer "
     "'a' "
     "(0x100010000, 400 bytes) (@%%p0 ld.global.v4.u32 {%%r1, %%r2, %%r3, %%r4}, [%%a+400])",
     0},
    {".global .align 16 .b8 g[8];\nmov.u64 %rd2, g;\n"
     "@%p0 ld.v4.u32 {%r1, %r2, %r3, %r4}, [%rd2];",
     ITEM37,
     "24: %s: load of 16 bytes at 0x100050000 is out of bounds: reaches 8 bytes past the end of "
     "buffer 'g' (0x100050000, 8 bytes) (@%%p0 ld.v4.u32 {%%r1, %%r2, %%r3, %%r4}, [%%rd2])",
     0},
    {"@%p0 ld.global.u64 %rd2, [%b+-8];", ITEM37,
     "22: %s: load of 8 bytes at 0x10002fff8 is out of bounds: 8 bytes before the start of buffer "
     "'b' "
     "(0x100030000, 400 bytes) (@%%p0 ld.global.u64 %%rd2, [%%b+-8])",
     0},
    {"@%p0 atom.global.add.u32 %r1, [%b+0x1000], 1;", ITEM37,
     "22: %s: atomic of 4 bytes at 0x100031000 is out of bounds: 3696 bytes past the end of buffer "
     "'b' "
     "(0x100030000, 400 bytes) (@%%p0 atom.global.add.u32 %%r1, [%%b+0x1000], 1)",
     0},
    {"mov.u64 %rd2, 0;\n@%p0 ld.global.u32 %r1, [%rd2];", ITEM37,
     "23: %s: load of 4 bytes through a null pointer (address 0x0) (@%%p0 ld.global.u32 %%r1, "
     "[%%rd2])",
     0},
    {"mov.u64 %rd2, 0;\n@%p0 st.u8 [%rd2+12], %r1;", ITEM37,
     "23: %s: store of 1 bytes through a null pointer (address 0xc) (@%%p0 st.u8 [%%rd2+12], "
     "%%r1)",
     0},
    {"add.s64 %rd2, %rd0, 2;\n@%p0 ld.global.u32 %r1, [%rd2];", ITEM37,
     "23: %s: misaligned load of 4 bytes at 0x100010096 (a multiple of 4 is needed) (@%%p0 "
     "ld.global.u32 %%r1, [%%rd2])",
     0},
    {"ld.global.v2.u32 {%r1, %r2}, [%rd0];", "group (0,0,0), work-item (1,0,0), warp 0 lane 1",
     "22: %s: misaligned load of 8 bytes at 0x100010004 (a multiple of 8 is needed) "
     "(ld.global.v2.u32 "
     "{%%r1, %%r2}, [%%rd0])",
     0},
    {"mad.lo.u32 %r1, %item, 4, %r0;\nst.shared.u32 [%r1], %r2;",
     "group (0,0,0), work-item (16,0,0), warp 0 lane 16",
     "23: %s: store of 4 bytes at shared address 0x40 is out of bounds (64 bytes) (st.shared.u32 "
     "[%%r1], %%r2)",
     0},
    {"cvta.shared.u64 %rd2, 48;\n@%p0 ld.v4.u32 {%r1, %r2, %r3, %r4}, [%rd2+16];", ITEM37,
     "23: %s: load of 16 bytes at shared address 0x40 is out of bounds (64 bytes) (@%%p0 ld.v4.u32 "
     "{%%r1, %%r2, %%r3, %%r4}, [%%rd2+16])",
     0},
    {"@%p0 st.local.u32 [%rd1+32], %r1;", ITEM37,
     "22: %s: store of 4 bytes at local address 0x20 is out of bounds (32 bytes) (@%%p0 "
     "st.local.u32 [%%rd1+32], %%r1)",
     0},
    {"mov.u64 %rd2, pa;\n@%p0 ld.param.u64 %rd3, [%rd2+16];", ITEM37,
     "23: %s: load of 8 bytes at param address 0x10 is out of bounds (16 bytes) (@%%p0 "
     "ld.param.u64 %%rd3, [%%rd2+16])",
     0},
    {".const .align 4 .b8 c[8];\nmov.u64 %rd2, c;\n@%p0 st.u32 [%rd2+4], %r1;", ITEM37,
     "24: %s: store of 4 bytes at 0x100050004, in the read-only buffer 'c' (@%%p0 st.u32 "
     "[%%rd2+4], "
     "%%r1)",
     0},
    {".const .align 4 .b8 c[8];\nmov.u64 %rd2, c;\n@%p0 atom.add.u32 %r2, [%rd2], %r1;", ITEM37,
     "24: %s: atomic of 4 bytes at 0x100050000, in the read-only buffer 'c' (@%%p0 atom.add.u32 "
     "%%r2, "
     "[%%rd2], %%r1)",
     0}};

static const fault control_faults[] = {
    {"@%p0 trap;", ITEM37, "22: %s: trap (@%%p0 trap)", 0},
    {"L: .branchtargets A, B;\nA:\nadd.u32 %r1, %r1, %id;\nbrx.idx %r1, L;\nB:",
     "group (0,0,0), work-item (2,0,0), warp 0 lane 2",
     "25: %s: branch index 2 of a list of 2 (brx.idx %%r1, L)", 0},
    {"@%p0 bar.sync 16;\nret;", "group (0,0,0), work-item (37,0,0), warp 1 lane 5",
     "22: %s: barrier 16 does not exist (0 to 15 do) (@%%p0 bar.sync 16)", 0},
    {"bar.sync 0, 33;", ITEM0,
     "22: %s: a barrier of 33 work-items (a multiple of 32 is needed) (bar.sync 0, 33)", 0},
    /* Half of a warp waits for the group while the other half waits for it to come back. */
    {"setp.lt.u32 %p1, %item, 16;\n@%p1 bra IN;\nbra OUT;\nIN:\nbar.sync 0;\nOUT:\nadd.u32 %r1, "
     "%r1, 1;\nbar.sync 0;",
     ITEM0,
     "26: %s: barrier 0 is never complete: 24 work-items wait, 40 are needed; others have passed "
     "it by and "
     "are at PTX line 29 (bar.sync 0)",
     0},
    /* Two halves of the group wait at different barriers. */
    {"setp.lt.u32 %p1, %item, 32;\n@%p1 bar.sync 1;\n@!%p1 bar.sync 2;", ITEM0,
     "23: %s: barrier 1 is never complete: 32 work-items wait, 40 are needed; others wait at "
     "another "
     "barrier (@%%p1 bar.sync 1)",
     0},
    {"bar.sync 3, 64;", ITEM0,
     "22: %s: barrier 3 is never complete: 40 work-items wait, 64 are needed; others wait at "
     "another barrier (bar.sync 3, 64)",
     0},
    {"mov.u64 %rd2, 0x1234;\nP: .callprototype _ ();\ncall %rd2, (), P;", ITEM0,
     "24: %s: call through 0x1234, which is not a function of that kind (call %%rd2, (), P)", 0},
    {"L:\nadd.u32 %r1, %r1, 1;\nbra L;", "group (0,0,0), warp 0",
     "23: %s: stopped after 1000 warp instructions (--max-instructions) (add.u32 %%r1, %%r1, 1)",
     1000}};

static char *run_fault(const char *text, uint64_t max_instructions, int *status)
{
    uint8_t a[400] = {0}, b[400] = {0};
    ww_errors *errors = ww_errors_create();
    ww_module *module = kernel_parse(text);
    kernel_launch launch = {.groups = 2,
                            .group = 40,
                            .blocks = {{"a", a, sizeof(a)}, {"b", b, sizeof(b)}},
                            .block_count = 2,
                            .max_instructions = max_instructions};
    *status = kernel_try_run(module, (kernel_config){32, ww_lane_best()}, &launch, errors);
    assert_int_equal(ww_errors_count(errors), *status != WW_OK);
    char *line = ww_strdup(*status == WW_OK ? "no fault" : ww_errors_line(errors, 0));
    ww_module_destroy(module);
    ww_errors_destroy(errors);
    return line;
}

static void check_faults(const fault *faults, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char text[3000], lane[200], want[800];
        int status;
        snprintf(text, sizeof(text), "%s%s\nret;\n}\n", HEAD, faults[i].text);
        char *line = run_fault(text, faults[i].max_instructions, &status);
        snprintf(lane, sizeof(lane), "kernel 'k', %s", faults[i].lane);
        int used = snprintf(want, sizeof(want), "k.ptx:");
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
        snprintf(want + used, sizeof(want) - (size_t)used, faults[i].message, lane);
#pragma GCC diagnostic pop
        assert_string_equal(line, want);
        assert_int_equal(status, WW_FAILED);
        free(line);
    }
}

static void faults_of_memory(void **state)
{
    (void)state;
    check_faults(memory_faults, sizeof(memory_faults) / sizeof(memory_faults[0]));
}

static void faults_of_control(void **state)
{
    (void)state;
    check_faults(control_faults, sizeof(control_faults) / sizeof(control_faults[0]));
}

/* Whole modules: the message is all of the line. */
static const fault whole_modules[] = {
    {".extern .func __assertfail(.param .b64 m, .param .b64 f, .param .b32 l, .param .b64 n,\n"
     ".param .b64 c);\n.global .b8 m[6] = {97, 32, 60, 32, 51, 0};\n"
     ".global .b8 f[5] = {120, 46, 99, 117, 0};\n"
     ".visible .entry k()\n{\n.reg .b64 %m, %f;\ncvta.global.u64 %m, m;\ncvta.global.u64 %f, f;\n"
     "{\n.param .b64 pm;\n.param .b64 pf;\n.param .b32 pl;\n.param .b64 pn;\n.param .b64 pc;\n"
     "st.param.b64 [pm], %m;\nst.param.b64 [pf], %f;\nst.param.b32 [pl], 12;\n"
     "st.param.b64 [pn], %f;\nst.param.b64 [pc], 1;\n"
     "call.uni __assertfail, (pm, pf, pl, pn, pc);\n}\nret;\n}\n",
     NULL,
     "k.ptx:24: kernel 'k', group (0,0,0), work-item (0,0,0), warp 0 lane 0: assertion failed: a < "
     "3, at x.cu:12 (call.uni __assertfail, (pm, pf, pl, pn, pc))",
     0},
    {".func f()\n{\n.local .b8 x[1000];\ncall f;\nret;\n}\n.visible .entry k()\n{\ncall "
     "f;\nret;\n}\n",
     NULL,
     "k.ptx:7: kernel 'k', group (0,0,0), work-item (0,0,0), warp 0 lane 0: the stack of 66544 "
     "bytes overflows in a call of 'f' (endless recursion?) (call f)",
     0},
    {".visible .entry k(.param .u64 a)\n{\n.reg .b64 %a;\n.reg .b32 %r;\n.reg .pred %p;\n"
     "ld.param.u64 %a, [a];\nTRY:\natom.global.cas.b32 %r, [%a], 0, 1;\nsetp.ne.u32 %p, %r, 0;\n"
     "@%p bra TRY;\nst.global.u32 [%a], 0;\nret;\n}\n",
     NULL,
     "k.ptx:11: kernel 'k', group (0,0,0), work-item (1,0,0), warp 0 lane 1: no progress: this "
     "loop waits for memory that no warp changes, while 1 lanes of its warp wait for it to "
     "reconverge (a spin lock in lock-step) (atom.global.cas.b32 %r, [%a], 0, 1)",
     0},
    {".visible .entry k(.param .u64 a)\n{\n.reg .b64 %a;\n.reg .b32 %r;\n.reg .pred %p;\n"
     "ld.param.u64 %a, [a];\nWAIT:\nld.volatile.global.u32 %r, [%a];\nsetp.eq.u32 %p, %r, 0;\n"
     "@%p bra WAIT;\nret;\n}\n",
     NULL,
     "k.ptx:11: kernel 'k', group (0,0,0), work-item (0,0,0), warp 0 lane 0: no progress: this "
     "loop waits for memory that no warp changes (ld.volatile.global.u32 %r, [%a])",
     0},
    {".file 1 \"dir/a.cu\"\n.visible .entry k(.param .u64 a)\n{\n.reg .b64 %a;\n"
     ".loc 1 17 3\nld.param.u64 %a, [a];\n.loc 1 18 5\nst.global.u32 [%a+1600], 1;\nret;\n}\n",
     NULL,
     "dir/a.cu:18: kernel 'k', group (0,0,0), work-item (0,0,0), warp 0 lane 0: store of 4 bytes "
     "at 0x100010640 is out of bounds: 1200 bytes past the end of buffer 'a' (0x100010000, 400 "
     "bytes) (PTX line 11: st.global.u32 [%a+1600], 1)",
     0}};

static void faults_of_modules(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(whole_modules) / sizeof(whole_modules[0]); i++) {
        int status;
        char *line = run_fault(whole_modules[i].text, 0, &status);
        assert_string_equal(line, whole_modules[i].message);
        assert_int_equal(status, WW_FAILED);
        free(line);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(faults_of_memory),
        cmocka_unit_test(faults_of_control),
        cmocka_unit_test(faults_of_modules),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
