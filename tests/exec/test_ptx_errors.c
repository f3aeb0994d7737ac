/* Wrong PTX: one line that says where and what, status WW_BAD_INPUT, and no module. */
#include "support/kernel_run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

/* What is wrong, and "line:col: message" with lines counted from the start of the text. */
typedef struct wrong_text {
    const char *text;
    const char *message;
} wrong_text;

static const wrong_text modules[] = {
    {".entry k( { ret; }", "1:11: expected .param"},
    {".entry k(.param .u64 a) ret;", "1:25: expected the body of 'k'"},
    {".entry k(.param .u64 a)\n{\n ret;", "4:1: the body of 'k' has no closing '}'"},
    {".entry (.param .u64 a) { ret; }", "1:8: expected a function's name"},
    {".entry k(.param u64 a) { ret; }", "1:17: expected a type such as .b32"},
    {".entry k(.param .u64) { ret; }", "1:21: expected a parameter's name"},
    {".entry k(.param .b8 a[]) { ret; }", "1:26: parameter 'a' of a kernel must be sized memory"},
    {".entry k() { ret; }\n.entry k() { ret; }", "2:12: 'k' is defined twice"},
    {".func f() { ret; }\n.func f() { ret; }", "2:11: 'f' is defined twice"},
    {".entry k() { ret; } }", "1:21: expected a directive such as .version, .entry or .global"},
    {"nonsense", "1:1: expected a directive such as .version, .entry or .global"},
    {".global .u32 x = {1, 2};", "1:22: more initial values than 'x' has room for"},
    {".global .u32 x[2] = {1, 2, 3};", "1:28: more initial values than 'x' has room for"},
    {".global .u32 x; .global .u32 x;", "1:30: 'x' is declared twice in this scope"},
    {".global .u32 x[99999999999999];", "1:30: an array of an impossible size"},
    {".global .u32 x[-1];", "1:18: an array of an impossible size"},
    {".global .align 3 .u32 x;", "1:16: an alignment of 3 (a power of two up to 65536)"},
    {".global .u64 x = nowhere;", "1:18: unknown name 'nowhere' in an initialiser"},
    {".global .pred x;", "1:15: expected a type such as .b32"},
    {".global x;", "1:9: expected a type such as .b32"},
    {".tex .u64 t;", "1:1: images, textures and samplers are not supported"},
    {".global .u32 s = \"abc\";", "1:18: expected an operand, found 'abc'"},
    {".const .u32 c = 99999999999999999999;",
     "1:17: '99999999999999999999' is not a number of at most 64 bits"},
    {".entry k(.param .u64 .ptr .texref t) { ret; }",
     "1:27: images, textures and samplers are not supported"},
    {".address_size 32", "1:15: .address_size 32 (only 64 is supported)"},
    {".reg .u32 %x<3>;\n.func f() { mov.u32 %x1, 0; ret; }\n.func g() { mov.u32 %x1, 0; ret; }",
     "3:24: '%x1' of the module is used by 'f' and by 'g' (declare it inside the functions)"},
    {".local .u32 y;\n.func f() { st.local.u32 [y], 0; ret; }\n"
     ".entry g() { st.local.u32 [y], 0; ret; }",
     "3:29: 'y' of the module is used by 'f' and by 'g' (declare it inside the functions)"},
    {".version abc", "1:10: expected a version such as 7.8"},
    {".file x \"y\"", "1:7: expected an integer"},
    {".section .debug_info {", "2:1: expected '}' before the end of the file"},
    {"/* never closed", "1:1: this comment has no end"},
    {".entry k() .reqntid 0 { ret; }", "1:23: a group size of 0"},
    {".entry k() .maxntid { ret; }", "1:21: expected an integer"},
};

/* Statements of a kernel `k` in a module that also has functions
 * `g` of two 32-bit registers and `h` of 8 bytes. */
static const wrong_text bodies[] = {
    {".reg .b128 %q;", "1:6: 128-bit registers are not supported"},
    {".reg .v4 .f32 %q;", "1:6: vector registers are not supported (use scalar ones and {..})"},
    {".reg .u7 %q;", "1:6: expected a register type such as .b32"},
    {".reg .u32 %q<-1>;", "1:17: a range of -1 registers"},
    {".reg .u32 %q, %q;", "1:17: '%q' is declared twice in this scope"},
    {".reg .u32 q\n ret;", "2:2: expected ';', found 'ret'"},
    {".local .u32 x", "2:1: expected ';', found 'ret'"},
    {".shared .b8 x[4] y;", "1:18: expected ';', found 'y'"},
    {".weird 4;", "1:1: unknown directive '.weird'"},
    {"foo.u32 %r0, %r1;", "1:1: unknown opcode 'foo' (docs/ptx.md lists what is supported)"},
    {"mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32 %r0, %r1, %r2, %r3;",
     "1:1: opcode 'mma': tensor-core instructions are not supported"},
    {"ad.u32 %r0, %r1, %r2;", "1:1: unknown opcode 'ad' (did you mean 'add'?)"},
    {"add.u31 %r0, %r1, %r2;", "1:1: 'add' does not take '.u31' here (nearest form: "
                               "add.u16/.u32/.u64/.s16/.s32/.s64/.u16x2/.s16x2)"},
    {"add.sat.u32 %r0, %r1, %r2;",
     "1:1: 'add' does not take '.u32' here (nearest form: add.sat.s32)"},
    {"add %r0, %r1, %r2;", "1:1: 'add' needs more suffixes (nearest form: "
                           "add.u16/.u32/.u64/.s16/.s32/.s64/.u16x2/.s16x2)"},
    {"add.u32 %r0, %r1;", "1:17: 'add' needs 3 operands"},
    {"add.u32 %r0, %r1, %r2, %r3;", "1:24: 'add' has an operand too many"},
    {"add.u32 %r0 %r1, %r2;", "1:13: 'add' needs 3 operands"},
    {"add.u32 %r0, %r1, %r2\n ret;", "2:2: expected ';' after 'add'"},
    {"add.u32 %r0, %r1, %rd0;", "1:19: register '%rd0' is .b64 where .u32 is needed"},
    {"add.u64 %rd0, %rd1, %r0;", "1:21: register '%r0' is .b32 where .u64 is needed"},
    {"add.u32 %rd0, %r1, %r2;", "1:9: register '%rd0' is .b64 where .u32 is needed"},
    {"add.u32 %r0, %p0, %r2;", "1:14: register '%p0' is .pred where .u32 is needed"},
    {"add.u32 %r0, %r99, %r2;", "1:14: register '%r99' is not declared"},
    {"add.u32 %x, %r0, %r2;", "1:9: register '%x' is not declared"},
    {"add.u32 5, %r0, %r2;", "1:9: a result must go to a register"},
    {"add.u32 %r0, %r1, name;", "1:19: unknown name 'name'"},
    {"add.u32 %r0, %r1, 99999999999999999999;",
     "1:19: '99999999999999999999' is not a number of at most 64 bits"},
    {"add.u32 %r0, %r1, 0xzz;", "1:19: '0xzz' is not a number of at most 64 bits"},
    {"add.u32 %r0, %r1, 1.5e;", "1:19: '1.5e' is not a number of at most 64 bits"},
    {"add.f32 %f0, %f1, 1;", "1:19: an integer where .f32 is needed (write 1.0 or 0f3F800000)"},
    {"add.u32 %r0, %r1, !%p0;", "1:19: register '%p0' is .pred where .u32 is needed"},
    {"add.u32 %r0, %r1, [%rd0];", "1:19: this operand of 'add' must be a .u32"},
    {"add.u32 %r0, %r1, {%r2, %r3};", "1:19: this operand of 'add' must be a .u32"},
    {"add.u32 %r0.x, %r1, %r2;", "1:12: '%r0.x': parts of registers are not supported"},
    {"setp.eq.u32 %r0, %r1, %r2;", "1:13: register '%r0' is .b32 where .pred is needed"},
    {"setp.zz.u32 %p0, %r1, %r2;",
     "1:1: 'setp' does not take '.zz' here (nearest form: "
     "setp.eq/.ne/.lt/.le/.gt/.ge/.lo/.ls/.hi/.hs.b16/.b32/.b64/.u16/.u32/.u64/.s16/.s32/.s64)"},
    {"setp.eq.and.u32 %p0, %r1, %r2;", "1:30: 'setp' needs 4 operands"},
    {"setp.eq.u32 !%p0, %r1, %r2;", "1:13: '!' stands only before a predicate source"},
    {"selp.u32 %r0, %r1, %r2, %r3;", "1:25: register '%r3' is .b32 where .pred is needed"},
    {"and.pred %p0, %p1, %r0;", "1:20: register '%r0' is .b32 where .pred is needed"},
    {"@%r0 bra L;\nL:", "1:2: expected a declared predicate after '@'"},
    {"@%nope ret;", "1:2: expected a declared predicate after '@'"},
    {"@ ret;", "1:3: expected a declared predicate after '@'"},
    {"bra MISSING;", "1:5: unknown label 'MISSING'"},
    {"bra %r0;", "1:5: expected a label"},
    {"bra;", "1:4: 'bra' needs 1 operand"},
    {"L: L: ret;", "1:4: label 'L' is declared twice"},
    {"brx.idx %r0, MISSING;", "1:14: unknown label 'MISSING'"},
    {"L: brx.idx %r0, L;", "1: 'brx.idx %r0, L' cannot go there"},
    {"L: .branchtargets A; brx.idx %r0, L;", "1:19: unknown label 'A'"},
    {"L: .branchtargets A; A: bra L;", "1: 'bra L' cannot go there"},
    {"ld.global.u32 %r0, %rd0;", "1:20: expected an address in [ ]"},
    {"ld.global.u32 %r0, [%r0;", "1:24: expected ']', found ';'"},
    {"ld.global.u32 %r0, [%p0];", "1:20: an address register must have 32 or 64 bits"},
    {"ld.global.u32 %r0, [%h0];", "1:20: an address register must have 32 or 64 bits"},
    {"ld.global.u32 %r0, [missing];",
     "1:28: expected an address: a register, a variable or a number"},
    {"ld.global.u32 %h0, [%rd0];", "1:15: register '%h0' is .b16 where .u32 is needed"},
    {"ld.global.v2.u32 %r0, [%rd0];", "1:18: expected 2 elements in { }"},
    {"ld.global.v2.u32 {%r0}, [%rd0];", "1:18: 1 elements where 2 are needed"},
    {"ld.global.v3.u32 {%r0, %r1, %r2}, [%rd0];",
     "1:1: 'ld' does not take '.v3' here (nearest form: "
     "ld{.volatile}{.global/.shared/.shared::cta/.local/.const/.param/.param::entry/"
     ".param::func}{.nc}{.v2/.v4/.v8}.b8/.u8/.s8/.b16/.u16/.s16/.f16/.b32/.u32/.s32/.f32/.b64/.u64/"
     ".s64/.f64)"},
    {"ld.nowhere.u32 %r0, [%rd0];",
     "1:1: 'ld' does not take '.nowhere' here (nearest form: "
     "ld{.volatile}{.global/.shared/.shared::cta/.local/.const/.param/.param::entry/"
     ".param::func}{.nc}{.v2/.v4/.v8}.b8/.u8/.s8/.b16/.u16/.s16/.f16/.b32/.u32/.s32/.f32/.b64/.u64/"
     ".s64/.f64)"},
    {"ld.global.u32 %r0, [%rd0+x];", "1:26: expected an integer"},
    {"ld.global.u32 %r0, [%rd0+4]+4;", "1:28: expected ';' after 'ld'"},
    {"st.global.u32 %rd0, %r0;", "1:15: expected an address in [ ]"},
    {"st.global.u32 [%rd0], %p0;", "1:23: register '%p0' is .pred where .u32 is needed"},
    {"st.global.v2.u32 [%rd0], {%r0, _};", "1:26: expected a register in a vector"},
    {"st.global.v4.f32 [%rd0], {%f0, %f1, %f2, %f3, %f4};", "1:26: 5 elements where 4 are needed"},
    {"mov.b64 %rd0, {%r0};", "1:15: register '%r0' is .b32 where .b64 is needed"},
    {"mov.b64 %rd0, {%r0, %r1, %r2};", "1:15: 3 elements do not make a .b64"},
    {"mov.b64 {%r0, %h0}, %rd0;", "1:9: register '%h0' is .b16 where .b32 is needed"},
    {"mov.u64 %rd0, %tid.x;", "1:15: this operand of 'mov' must be a .u64"},
    {"mov.u32 %r0, %tid.w;", "1:14: register '%tid' is not declared"},
    {"mov.u32 %r0, %nosuch;", "1:14: register '%nosuch' is not declared"},
    {"mov.pred %p0, %r0;", "1:15: register '%r0' is .b32 where .pred is needed"},
    {"cvt.u32 %r0, %r1;",
     "1:1: 'cvt' needs more suffixes (nearest form: "
     "cvt{.rn/.rz/.rm/.rp/.rna/.rni/.rzi/.rmi/.rpi}{.ftz}{.sat}.u8/.s8/.u16/.s16/.u32/.s32/.u64/"
     ".s64/.bf16/.f16/.f32/.f64.u8/.s8/.u16/.s16/.u32/.s32/.u64/.s64/.bf16/.f16/.f32/.f64)"},
    {"cvt.rn.f32.f99 %f0, %f1;",
     "1:1: 'cvt' does not take '.f99' here (nearest form: "
     "cvt{.rn/.rz/.rm/.rp/.rna/.rni/.rzi/.rmi/.rpi}{.ftz}{.sat}.u8/.s8/.u16/.s16/.u32/.s32/.u64/"
     ".s64/.bf16/.f16/.f32/.f64.u8/.s8/.u16/.s16/.u32/.s32/.u64/.s64/.bf16/.f16/.f32/.f64)"},
    {"cvt.f64.f32 %f0, %f1;", "1:13: register '%f0' is .f32 where .f64 is needed"},
    {"rcp.f32 %f0, %f1;", "1:9: 'rcp' needs .approx or one rounding (.rn .rz .rm .rp)"},
    {"rcp.approx.rn.f32 %f0, %f1;", "1:19: 'rcp' needs .approx or one rounding (.rn .rz .rm .rp)"},
    {"sqrt.approx.f64 %fd0, %fd1;", "1:17: approximations of .f64 exist only as .approx.ftz.f64"},
    {"sin.f32 %f0, %f1;", "1:1: 'sin' needs more suffixes (nearest form: sin.approx{.ftz}.f32)"},
    {"fma.f32 %f0, %f1, %f2, %f3;",
     "1:1: 'fma' needs more suffixes (nearest form: fma.rn/.rz/.rm/.rp{.ftz}{.sat}.f32)"},
    {"lop3.b32 %r0, %r1, %r2, %r3, %r4;", "1:30: expected a constant"},
    {"bar.sync;", "1:9: 'bar' needs 1 operand"},
    {"bar.arrive 0;", "1:13: 'bar' needs 2 operands"},
    {"bar.red.popc.u32 %p0, 0, %p1;", "1:18: register '%p0' is .pred where .b32 is needed"},
    {"shfl.sync.left.b32 %r0, %r1, 1, 31, -1;",
     "1:1: 'shfl' does not take '.left' here (nearest form: shfl.sync.up/.down/.bfly/.idx.b32)"},
    {"shfl.sync.up.b32 %r0, %r1, 1, 31;", "1:33: 'shfl' needs 5 operands"},
    {"vote.sync.ballot.b32 %p0, %p1, -1;", "1:22: register '%p0' is .pred where .b32 is needed"},
    {"atom.global.add.u16 %h0, [%rd0], %h1;",
     "1:1: 'atom' does not take '.u16' here (nearest form: "
     "atom{.global/.shared/.shared::cta}.add{.noftz}.u32/.s32/.u64/.s64/.f32/.f64/.f16/.f16x2/"
     ".bf16/.bf16x2)"},
    {"atom.global.cas.b32 %r0, [%rd0], %r1;", "1:37: 'atom' needs 4 operands"},
    {"atom.local.add.u32 %r0, [%rd0], %r1;",
     "1:1: 'atom' does not take '.local' here (nearest form: "
     "atom{.global/.shared/.shared::cta}.and/.or/.xor.b32/.b64)"},
    {"red.global.exch.b32 [%rd0], %r1;",
     "1:1: 'red' does not take '.exch' here (nearest form: "
     "red{.global/.shared/.shared::cta}.and/.or/.xor.b32/.b64)"},
    {"tex.2d.v4.f32.f32 {%f0, %f1, %f2, %f3}, [t, {%f4, %f5}];",
     "1:1: opcode 'tex': images, textures and samplers are not supported"},
    {"suld.b.1d.b32 %r0, [s, {%r1}];",
     "1:1: opcode 'suld': images, textures and samplers are not supported"},
    {"wmma.load.a.sync %r0, [%rd0];",
     "1:1: opcode 'wmma': tensor-core instructions are not supported"},
    {"call nofunc;", "1:6: call of 'nofunc', which is not declared"},
    {"call (%r0), %rd0, (%r1);", "1:24: an indirect call needs a prototype"},
    {"call %r0, (), P;", "1:6: '%r0' cannot be called"},
    {"call (%r0), g, (%r1);", "1:21: the call has 1 argument where 2 are needed"},
    {"call (%r0), g, (%r1, %r2, %r3);", "1:31: the call has 3 arguments where 2 are needed"},
    {"call (%r0), g, (%r1, %rd0);", "1:27: argument 2 of the call has another size than declared"},
    {"call (5), g, (%r1, %r2);",
     "1:24: a result of the call must go to a register or .param variable"},
    {"call (%r0), g, (%r1, 1.5);\ncall h, (1);", "2:12: a number cannot be passed as 'x'"},
    {"call (%rd0), g, (%r1, %r2);", "1:27: result 1 of the call has another size than declared"},
    {"call g, (%r1, %r2);", "1:19: the call has 0 results where 1 is needed"},
    {"call (%r0), g (%r1, %r2);", "1:15: the call has 0 arguments where 2 are needed"},
    {"call (%r0), g, (%r1, nope);", "1:26: unknown name in a call's arguments"},
    {"call (%r0), g, ([%rd0], %r2);",
     "1:23: a call passes registers, numbers and .param variables"},
    {"call (%r0), %rd0, (%r1, %r2), NOPROTO;",
     "1:31: 'NOPROTO' is not a .callprototype declared before"},
    {"{ .reg .u32 %inner; } add.u32 %inner, 1, 2;", "1:31: register '%inner' is not declared"},
    {"}}", "1:2: expected a directive such as .version, .entry or .global"},
    {"{ { {", "4:1: the body of 'k' has no closing '}'"},
    {"\"string\";", "1:1: expected an instruction, found 'string'"},
    {", ;", "1:1: expected an instruction, found ','"},
    {"add.u32 %r0, %r1, %r2;;; 5;", "1:26: expected an instruction, found '5'"},
    {".loc x y z", "1:6: expected an integer"},
    {"cp.async.ca.shared.global [%r0], [%rd0], %r1;", "1:42: expected a constant"},
    {"nanosleep.u32 %rd0;", "1:15: register '%rd0' is .b64 where .b32 is needed"},
    {"membar.nowhere;",
     "1:1: 'membar' does not take '.nowhere' here (nearest form: membar.cta/.gl/.sys/.gpu)"},
    {"isspacep.shared %p0, %r0;", "1:22: register '%r0' is .b32 where .u64 is needed"},
    {"cvta.nowhere.u64 %rd0, %rd1;",
     "1:1: 'cvta' does not take '.nowhere' here (nearest form: "
     "cvta.global/.shared/.shared::cta/.local/.const/.param/.param::entry.u32/.u64)"},
    {"prmt.b32.zz %r0, %r1, %r2, %r3;", "1:1: 'prmt' does not take '.zz' here (nearest form: "
                                        "prmt{.f4e/.b4e/.rc8/.ecl/.ecr/.rc16}.b32)"},
    {"mul.u32 %r0, %r1, %r2;",
     "1:1: 'mul' needs more suffixes (nearest form: mul.lo/.hi.u16/.u32/.u64/.s16/.s32/.s64)"},
    {"mul.wide.u64 %rd0, %rd1, %rd2;",
     "1:1: 'mul' does not take '.u64' here (nearest form: mul.wide.u16/.s16/.u32/.s32)"},
    {"mad.wide.u32 %rd0, %r1, %r2, %r3;", "1:30: register '%r3' is .b32 where .u64 is needed"},
    {"shl.b32 %r0, %r1, %rd0;", "1:19: register '%rd0' is .b64 where .b32 is needed"},
    {"bfi.b32 %r0, %r1, %r2, %r3;", "1:27: 'bfi' needs 5 operands"},
    {"ret %r0;", "1:5: 'ret' has an operand too many"},
    {"exit.uni;", "1:1: 'exit' does not take '.uni' here (nearest form: exit)"},
    {"trap 5;", "1:6: 'trap' has an operand too many"},
};

static const char before_body[] =
    ".func h(.param .b8 x[8])\n{\nret;\n}\n"
    ".func (.reg .b32 %o) g(.reg .b32 %a, .reg .b32 %b)\n{\nret;\n}\n.visible .entry k()\n{\n"
    ".reg .b32 %r<9>;\n.reg .b64 %rd<9>;\n.reg .b16 %h<9>;\n.reg .f32 %f<9>;\n"
    ".reg .f64 %fd<9>;\n.reg .pred %p<9>;\n";

static int count_lines(const char *text)
{
    int count = 0;
    for (; *text; text++)
        count += *text == '\n';
    return count;
}

static void check_wrong(const char *before, const wrong_text *wrong, const char *after)
{
    char text[2000], want[600];
    ww_errors *errors = ww_errors_create();
    snprintf(text, sizeof(text), "%s%s\n%s", before, wrong->text, after);
    char *rest;
    long line = strtol(wrong->message, &rest, 10) + KERNEL_HEADER_LINES + count_lines(before);
    snprintf(want, sizeof(want), "k.ptx:%ld%s", line, rest);
    ww_module *module = kernel_try_parse(text, errors);
    if (module)
        fail_msg("'%s' was accepted", wrong->text);
    assert_string_equal(ww_errors_line(errors, 0), want);
    assert_int_equal(ww_errors_count(errors), 1);
    assert_int_equal(ww_errors_status(errors), WW_BAD_INPUT);
    ww_errors_destroy(errors);
}

static void wrong_modules(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(modules) / sizeof(modules[0]); i++)
        check_wrong("", &modules[i], "");
}

static void wrong_statements(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(bodies) / sizeof(bodies[0]); i++)
        check_wrong(before_body, &bodies[i], "ret;\n}\n");
}

static void text_without_a_version(void **state)
{
    (void)state;
    ww_errors *errors = ww_errors_create();
    assert_null(ww_module_parse("k.ptx", ".entry k() { ret; }", 19, errors));
    assert_string_equal(ww_errors_line(errors, 0),
                        "k.ptx:1:20: no .version directive: this is not PTX");
    assert_null(ww_module_parse("k.ptx", "", 0, errors));
    assert_int_equal(ww_errors_count(errors), 2);
    ww_errors_destroy(errors);
}

/* All errors of a file are told, up to a limit. */
static void several_errors_at_once(void **state)
{
    (void)state;
    ww_errors *errors = ww_errors_create();
    assert_null(kernel_try_parse(".entry a()\n{\n.reg .b32 %r<2>;\nadd.u32 %r0, %r9, 1;\n"
                                 "st.global.v2.u32 [%r0], {%r0, %r7};\nsub.q %r0, %r1, 1;\n}\n"
                                 ".entry b()\n{\nbra NOWHERE;\nfoo;\n}\n",
                                 errors));
    static const char *const want[] = {
        "k.ptx:7:14: register '%r9' is not declared", "k.ptx:8:31: register '%r7' is not declared",
        "k.ptx:9:1: 'sub' does not take '.q' here", "k.ptx:14:1: unknown opcode 'foo'"};
    assert_int_equal(ww_errors_count(errors), 4);
    for (size_t i = 0; i < 4; i++)
        assert_memory_equal(ww_errors_line(errors, i), want[i], strlen(want[i]));
    ww_errors_destroy(errors);
    errors = ww_errors_create();
    char text[4000] = ".entry k()\n{\n";
    for (int i = 0; i < 100; i++)
        strcat(text, "foo;\n");
    assert_null(kernel_try_parse(text, errors));
    assert_int_equal(ww_errors_count(errors), 20);
    ww_errors_destroy(errors);
}

/* Every beginning of a module is parsed or refused, and never read past its end. */
static void text_that_breaks_off(void **state)
{
    (void)state;
    static const char whole[] =
        ".version 7.8\n.target sm_70\n.address_size 64\n.file 1 \"a.cu\"\n"
        ".global .align 4 .u32 x[2] = {1, 0x2};\n.global .u64 y = generic(x)+4;\n"
        ".func (.param .b32 r) f(.param .b32 a)\n{\nret;\n}\n"
        ".visible .entry k(.param .u64 .ptr .global .align 4 p, .param .f32 q) .maxntid 8, 1, 1\n"
        "{\n.reg .pred %p<2>;\n.reg .b32 %r<4>;\n.reg .b64 %rd<4>;\n.shared .b8 s[16];\n"
        "L: .branchtargets A, B;\n.loc 1 2 3\nld.param.u64 %rd1, [p];\n"
        "A:\n@!%p1 brx.idx %r1, L;\nB:\n{\n.param .b32 a;\n.param .b32 b;\n"
        "call.uni (b), f, (a);\n}\nld.global.v2.u32 {%r1, _}, [%rd1+-4];\n"
        "mov.f32 %r2, 0f3F800000;\nmov.f32 %r2, 1.5e-3; // end\nret;\n}\n";
    for (size_t length = 0; length < sizeof(whole); length++) {
        ww_errors *errors = ww_errors_create();
        char *part = ww_calloc(length + 1, 1);
        char *exact = part + 1; /* the byte after it is not ours */
        memcpy(exact, whole, length);
        ww_module *module = ww_module_parse("k.ptx", exact, length, errors);
        assert_int_equal(module == NULL, ww_errors_count(errors) > 0);
        if (module)
            ww_module_destroy(module);
        free(part);
        ww_errors_destroy(errors);
    }
}

typedef struct wrong_launch {
    const char *text;
    const char *message; /* the whole line after "k.ptx:", or all of it when that starts with '=' */
    const char *entry;
    unsigned width, groups, group;
} wrong_launch;

#define BODY(text)                                                               \
    ".visible .entry k(.param .u64 p)\n{\n.reg .b32 %r<4>;\n.reg .b64 %rd<4>;\n" \
    ".reg .f32 %f<4>;\n.reg .b16 %h<4>;\n.reg .pred %p<4>;\n" text "\nret;\n}\n"

static const wrong_launch launches[] = {
    {".extern .func nowhere();\n" BODY("call nowhere;"),
     "12: call of 'nowhere', which has no body in this module (define it, or link what defines it)",
     NULL, 32, 1, 1},
    {".func nobody(.param .b64 a);\n" BODY("call nobody, (%rd0);"),
     "12: call of 'nobody', which has no body in this module (define it, or link what defines it)",
     NULL, 32, 1, 1},
    {".extern .func _Z11read_imagef(.param .b64 a);\n" BODY("call _Z11read_imagef, (%rd0);"),
     "12: call of '_Z11read_imagef': images, textures and samplers are not supported", NULL, 32, 1,
     1},
    {".extern .global .u32 elsewhere;\n" BODY("mov.u64 %rd0, elsewhere;"),
     "4: variable 'elsewhere' is .extern and defined nowhere", NULL, 32, 1, 1},
    {BODY("ld.global.v2.u32 {%r0, %rd0}, [%rd1];"), "11: vector elements of different widths", NULL,
     32, 1, 1},
    {BODY("ld.param.u64 %rd0, [p+4];"), "11: 'ld.param.u64 %rd0, [p+4]' reads past the parameters",
     NULL, 32, 1, 1},
    {BODY("ld.param.u32 %r0, [p+-4];"), "11: 'ld.param.u32 %r0, [p+-4]' reads past the parameters",
     NULL, 32, 1, 1},
    {BODY("st.param.u32 [p], %r0;"), "11: 'st.param.u32 [p], %r0': this memory cannot be written",
     NULL, 32, 1, 1},
    {".const .u32 c;\n" BODY("st.const.u32 [c], %r0;"),
     "12: 'st.const.u32 [c], %r0': this memory cannot be written", NULL, 32, 1, 1},
    {BODY("add.u32 %r0, %clock, 1;"), "11: '%clock' can only be read by mov", NULL, 32, 1, 1},
    {BODY("cvta.shared.u32 %r0, %r1;"),
     "11: 32-bit generic addresses are not supported (use cvta.u64)", NULL, 32, 1, 1},
    {BODY("and.pred %p0, %p1, !%p2;"), "11: 'and.pred %p0, %p1, !%p2' takes no '!' (use not.pred)",
     NULL, 32, 1, 1},
    {BODY("cp.async.ca.shared.global [%r0], [%rd0], 5;"), "11: cp.async copies 4, 8 or 16 bytes",
     NULL, 32, 1, 1},
    {BODY("setp.lo.s32 %p0, %r0, %r1;"), "11: 'setp.lo.s32 %p0, %r0, %r1' is not supported", NULL,
     32, 1, 1},
    {BODY("shfl.sync.idx.b32 %r0, %r1, 0, 31, -1;"),
     "11: 'shfl.sync.idx.b32 %r0, %r1, 0, 31, -1' needs warps of 32 or 64 lanes (core.warp_width "
     "is 8)",
     NULL, 8, 1, 1},
    {BODY("bar.warp.sync -1;"),
     "11: 'bar.warp.sync -1' needs warps of 32 or 64 lanes (core.warp_width is 16)", NULL, 16, 1,
     1},
    {BODY(""), "=there is no kernel 'missing' in k.ptx", "missing", 32, 1, 1},
    {".func f() { ret; }\n" BODY(""), "=there is no kernel 'f' in k.ptx", "f", 32, 1, 1},
    {BODY(""), "=kernel 'k': a launch of no work-items", NULL, 32, 0, 1},
    {BODY(""), "=kernel 'k': a launch of no work-items", NULL, 32, 1, 0},
    {BODY(""), "=kernel 'k': a group of 1025 work-items (at most 1024)", NULL, 32, 1, 1025},
    {".entry k() .reqntid 64 { ret; }\n", "=kernel 'k' requires groups of (64,1,1), not (32,1,1)",
     NULL, 32, 1, 32},
    {".entry k() .maxntid 64 { ret; }\n",
     "=kernel 'k': a group of 65 work-items (it was compiled for at most 64)", NULL, 32, 1, 65},
    {BODY(".shared .b8 big[20000000];\nmov.u32 %r0, big;"),
     "=kernel 'k' needs 20000000 bytes of shared memory (at most 16777216)", NULL, 32, 1, 1},
    {BODY(".local .b8 big[100000000];\nmov.u64 %rd0, big;"),
     "=k.ptx: 'k' needs 100000000 bytes of local memory a lane (at most 67108864)", NULL, 32, 1, 1},
    {BODY(""), "=a warp width of 65 (1 to 64 are possible)", NULL, 65, 1, 1},
    {BODY(""), "=a warp width of 0 (1 to 64 are possible)", NULL, 0, 1, 1}};

static void launches_that_cannot_start(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(launches) / sizeof(launches[0]); i++) {
        const wrong_launch *l = &launches[i];
        char want[400];
        uint64_t value = 0;
        ww_errors *errors = ww_errors_create();
        ww_module *module = kernel_parse(l->text);
        kernel_launch launch = {.entry = l->entry,
                                .groups = l->groups,
                                .group = l->group,
                                .values = &value,
                                .value_bytes = sizeof(value)};
        int status =
            kernel_try_run(module, (kernel_config){l->width, ww_lane_best()}, &launch, errors);
        snprintf(want, sizeof(want), "%s%s",
                 l->message[0] == '=' ? "" : "k.ptx:", l->message + (l->message[0] == '='));
        assert_int_equal(ww_errors_count(errors), 1);
        assert_string_equal(ww_errors_line(errors, 0), want);
        assert_int_equal(status, WW_BAD_INPUT);
        ww_module_destroy(module);
        ww_errors_destroy(errors);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_modules),          cmocka_unit_test(wrong_statements),
        cmocka_unit_test(text_without_a_version), cmocka_unit_test(several_errors_at_once),
        cmocka_unit_test(text_that_breaks_off),   cmocka_unit_test(launches_that_cannot_start),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
