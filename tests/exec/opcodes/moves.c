/* mov in all its forms, cvta, isspacep, and hints that only have to do nothing. */
#include "text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define GROUPS 2
#define GROUP 70
#define ITEMS (GROUPS * GROUP)

static void ref_copy(const void *context, const uint64_t *in, uint64_t *out)
{
    (void)context;
    out[0] = in[0];
}

static void ref_pack2x32(const void *context, const uint64_t *in, uint64_t *out)
{
    (void)context;
    out[0] = in[1] << 32 | in[0];
}

static void ref_pack2x16(const void *context, const uint64_t *in, uint64_t *out)
{
    (void)context;
    out[0] = in[1] << 16 | in[0];
}

static void ref_pack4x16(const void *context, const uint64_t *in, uint64_t *out)
{
    (void)context;
    out[0] = in[3] << 48 | in[2] << 32 | in[1] << 16 | in[0];
}

static void ref_halves(const void *context, const uint64_t *in, uint64_t *out)
{
    unsigned bits = *(const unsigned *)context;
    out[0] = in[0];
    out[1] = in[0] >> bits;
}

static void ref_upper(const void *context, const uint64_t *in, uint64_t *out)
{
    (void)context;
    out[0] = in[0] >> 32;
    out[1] = in[0] >> 48;
}

static void ref_swapped(const void *context, const uint64_t *in, uint64_t *out)
{
    (void)context;
    out[0] = in[0] << 32 | in[0] >> 32;
}

void moves_of_parts(void **state)
{
    (void)state;
    static const char *const types[] = {"b16", "u16",   "s16", "f16", "b32", "u32", "s32",
                                        "f32", "f16x2", "b64", "u64", "s64", "f64"};
    static const char *const shapes[] = {"h=h", "h=h", "h=h", "x=x", "w=w", "w=w", "w=w",
                                         "f=f", "X=X", "d=d", "d=d", "d=d", "g=g"};
    for (unsigned i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
        char opcode[20];
        snprintf(opcode, sizeof(opcode), "mov.%s", types[i]);
        check(opcode, shapes[i], ref_copy, NULL);
    }
    static const unsigned bits16 = 16, bits32 = 32;
    static const value_case cases[] = {
        {.opcode = "mov.b64",
         .shape = "d=ww",
         .reference = ref_pack2x32,
         .body = "mov.b64 %d0, {%s0, %s1};"},
        {.opcode = "mov.b32",
         .shape = "w=hh",
         .reference = ref_pack2x16,
         .body = "mov.b32 %d0, {%s0, %s1};"},
        {.opcode = "mov.b64",
         .shape = "d=hhhh",
         .reference = ref_pack4x16,
         .body = "mov.b64 %d0, {%s0, %s1, %s2, %s3};"},
        {.opcode = "mov.b64",
         .shape = "ww=d",
         .reference = ref_halves,
         .context = &bits32,
         .body = "mov.b64 {%d0, %d1}, %s0;"},
        {.opcode = "mov.b32",
         .shape = "hh=w",
         .reference = ref_halves,
         .context = &bits16,
         .body = "mov.b32 {%d0, %d1}, %s0;"},
        {.opcode = "mov.b64",
         .shape = "hh=d",
         .reference = ref_upper,
         .body = "mov.b64 {_, _, %d0, %d1}, %s0;"},
        {.opcode = "mov.b64",
         .shape = "d=d",
         .reference = ref_swapped,
         .body = ".reg .b32 %x, %y;\nmov.b64 {%x, %y}, %s0;\nmov.b64 {%y, %x}, %s0;\n"
                 "mov.b64 %d0, {%x, %y};"}};
    for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        check_value(&cases[i]);
}

/* Item and group numbers; the same at every width. */
void special_registers(void **state)
{
    (void)state;
    uint32_t in[ITEMS] = {0}, want[ITEMS][8];
    for (uint32_t i = 0; i < ITEMS; i++) {
        uint32_t all[8] = {i % GROUP, 0, i / GROUP, GROUP, GROUPS, 1, i % GROUP, 0};
        memcpy(want[i], all, sizeof(all));
    }
    check_text(&(text_case){
        .text = TEXT_HEAD
        "mul.wide.u32 %rd0, %id, 28;\nadd.s64 %o, %o, %rd0;\n"
        "mov.u32 %r0, %tid.x;\nst.global.u32 [%o], %r0;\n"
        "mov.u32 %r0, %tid.y;\nst.global.u32 [%o+4], %r0;\n"
        "mov.u32 %r0, %ctaid.x;\nst.global.u32 [%o+8], %r0;\n"
        "mov.u32 %r0, %ntid.x;\nst.global.u32 [%o+12], %r0;\n"
        "mov.u32 %r0, %nctaid.x;\nst.global.u32 [%o+16], %r0;\n"
        "mov.u32 %r0, %nctaid.z;\nst.global.u32 [%o+20], %r0;\n"
        "mov.u16 %h0, %tid.x;\nst.global.u16 [%o+24], %h0;\n"
        "mov.u64 %rd1, %clock64;\nmov.u64 %rd2, %clock64;\nsetp.le.u64 %p0, %rd2, %rd1;\n"
        "selp.u32 %r1, 1, 0, %p0;\nst.global.u32 [%o+28], %r1;\nret;\n}\n",
        .groups = GROUPS,
        .group = GROUP,
        .in = in,
        .in_bytes = sizeof(in),
        .want = &want[0][0],
        .want_count = ITEMS * 8});
    uint32_t lanes[ITEMS][6];
    for (uint32_t i = 0; i < ITEMS; i++) {
        uint32_t lane = i % GROUP % 32, one = 1u << lane;
        uint32_t all[6] = {lane, 32, one, one - 1, one | (one - 1), i % GROUP / 32};
        memcpy(lanes[i], all, sizeof(all));
    }
    check_text(&(text_case){.text = TEXT_HEAD
                            "mul.wide.u32 %rd0, %id, 20;\nadd.s64 %o, %o, %rd0;\n"
                            "mov.u32 %r0, %laneid;\nst.global.u32 [%o], %r0;\n"
                            "mov.u32 %r0, WARP_SZ;\nst.global.u32 [%o+4], %r0;\n"
                            "mov.u32 %r0, %lanemask_eq;\nst.global.u32 [%o+8], %r0;\n"
                            "mov.u32 %r0, %lanemask_lt;\nst.global.u32 [%o+12], %r0;\n"
                            "mov.u32 %r0, %lanemask_le;\nst.global.u32 [%o+16], %r0;\n"
                            "mov.u32 %r0, %warpid;\nst.global.u32 [%o+20], %r0;\nret;\n}\n",
                            .groups = GROUPS,
                            .group = GROUP,
                            .in = in,
                            .in_bytes = sizeof(in),
                            .want = &lanes[0][0],
                            .want_count = ITEMS * 6,
                            .warps_only = true});
}

/* The number of the launch, as 32 and as 64 bits. */
void launch_numbers(void **state)
{
    (void)state;
    static const char text[] = ".visible .entry k(.param .u64 out)\n{\n.reg .b32 %r, %n;\n"
                               ".reg .b64 %o, %g;\nld.param.u64 %o, [out];\nmov.u32 %n, %tid.x;\n"
                               "mad.wide.u32 %o, %n, 16, %o;\nmov.u32 %r, %gridid;\n"
                               "mov.u64 %g, %gridid;\nst.global.u32 [%o], %r;\n"
                               "st.global.u64 [%o+8], %g;\nret;\n}\n";
    ww_module *module = kernel_parse(text);
    size_t count;
    const kernel_config *configs = kernel_configs(&count);
    for (size_t i = 0; i < count; i++) {
        uint64_t out[GROUP][2] = {{0}};
        kernel_launch launch = {.groups = 1,
                                .group = GROUP,
                                .blocks = {{"out", out, sizeof(out)}},
                                .block_count = 1,
                                .repeats = 2};
        kernel_run(module, configs[i], &launch);
        for (unsigned item = 0; item < GROUP; item++) {
            assert_int_equal(out[item][0], 2);
            assert_int_equal(out[item][1], 2);
        }
    }
    ww_module_destroy(module);
}

/* Addresses of variables in all spaces, with offsets, to generic and back; isspacep. */
void addresses_as_values(void **state)
{
    (void)state;
    uint32_t in[ITEMS], want[ITEMS][4];
    for (uint32_t i = 0; i < ITEMS; i++) {
        in[i] = i * 7 + 1;
        want[i][0] = in[i] + 40; /* through global */
        want[i][1] = in[i] * 3;  /* through shared and local */
        want[i][2] = 0x2a;       /* which spaces: shared, not local; local, not global; global */
        want[i][3] = 30;
    }
    check_text(&(text_case){
        .text =
            ".global .align 8 .u32 table[4] = {10, 20, 30, 40};\n"
            ".global .align 8 .u64 pointer[2] = {table, generic(table)+8};\n" TEXT_HEAD
            ".shared .align 4 .b8 tile[280];\n.local .align 4 .b8 own[16];\n"
            "mul.wide.u32 %rd0, %id, 12;\nadd.s64 %o, %o, %rd0;\n"
            "mov.u64 %rd1, table;\ncvta.global.u64 %rd2, %rd1;\ncvta.to.global.u64 %rd3, %rd2;\n"
            "ld.global.u32 %r0, [%rd3+12];\nadd.u32 %r0, %r0, %a;\nst.global.u32 [%o], %r0;\n"
            "mov.u32 %r1, tile;\nmad.lo.u32 %r1, %item, 4, %r1;\nst.shared.u32 [%r1], %a;\n"
            "cvt.u64.u32 %rd4, %r1;\ncvta.shared.u64 %rd5, %rd4;\nld.u32 %r2, [%rd5];\n"
            "mov.u64 %rd6, own;\ncvta.local.u64 %rd7, %rd6;\nst.u32 [%rd7+8], %r2;\n"
            "cvta.to.local.u64 %rd8, %rd7;\nld.local.u32 %r3, [%rd8+8];\n"
            "cvta.to.shared.u64 %rd9, %rd5;\nld.shared.u32 %r4, [%rd9];\n"
            "add.u32 %r2, %r2, %r3;\nadd.u32 %r2, %r2, %r4;\nst.global.u32 [%o+4], %r2;\n"
            "mov.u32 %r5, 0;\n"
            "isspacep.global %p0, %rd5;\nselp.u32 %r6, 1, 0, %p0;\nor.b32 %r5, %r5, %r6;\n"
            "isspacep.shared %p0, %rd5;\nselp.u32 %r6, 2, 0, %p0;\nor.b32 %r5, %r5, %r6;\n"
            "isspacep.local %p0, %rd5;\nselp.u32 %r6, 4, 0, %p0;\nor.b32 %r5, %r5, %r6;\n"
            "isspacep.local %p0, %rd7;\nselp.u32 %r6, 8, 0, %p0;\nor.b32 %r5, %r5, %r6;\n"
            "isspacep.global %p0, %rd7;\nselp.u32 %r6, 16, 0, %p0;\nor.b32 %r5, %r5, %r6;\n"
            "isspacep.global %p0, %rd2;\nselp.u32 %r6, 32, 0, %p0;\nor.b32 %r5, %r5, %r6;\n"
            "st.global.u32 [%o+8], %r5;\n"
            "ld.global.u64 %rd10, [pointer+8];\nld.u32 %r7, [%rd10];\nst.global.u32 [%o+12], %r7;\n"
            "ret;\n}\n",
        .groups = GROUPS,
        .group = GROUP,
        .in = in,
        .in_bytes = sizeof(in),
        .want = &want[0][0],
        .want_count = ITEMS * 4});
}

/* A warp whose lanes point into four spaces and two buffers at once. */
void generic_addresses_of_mixed_spaces(void **state)
{
    (void)state;
    uint32_t in[ITEMS], want[ITEMS];
    for (uint32_t i = 0; i < ITEMS; i++) {
        static const uint32_t starts[] = {100, 200, 300, 400};
        in[i] = i % 5;
        want[i] = in[i] < 4 ? starts[in[i]] + i % GROUP + 1000 : 1000 + 500;
    }
    check_text(&(text_case){
        .text =
            ".const .u32 fixed[1] = {500};\n.global .u32 spare[70];\n" TEXT_HEAD
            ".shared .align 4 .b8 tile[280];\n.shared .align 4 .b8 tile2[280];\n"
            ".local .align 4 .b8 own[4];\n"
            "mov.u64 %rd0, tile;\nmad.wide.u32 %rd0, %item, 4, %rd0;\n"
            "add.u32 %r0, %item, 100;\nst.shared.u32 [%rd0], %r0;\ncvta.shared.u64 %rd0, %rd0;\n"
            "mov.u64 %rd1, tile2;\nmad.wide.u32 %rd1, %item, 4, %rd1;\n"
            "add.u32 %r0, %item, 200;\nst.shared.u32 [%rd1], %r0;\ncvta.shared.u64 %rd1, %rd1;\n"
            "add.u32 %r0, %item, 300;\nst.local.u32 [own], %r0;\ncvta.local.u64 %rd2, own;\n"
            "mov.u64 %rd3, spare;\nmad.wide.u32 %rd3, %item, 4, %rd3;\n"
            "add.u32 %r0, %item, 400;\nst.global.u32 [%rd3], %r0;\n"
            "mov.u64 %rd4, fixed;\n"
            "setp.eq.u32 %p0, %a, 0;\nselp.b64 %rd5, %rd0, %rd4, %p0;\n"
            "setp.eq.u32 %p0, %a, 1;\nselp.b64 %rd5, %rd1, %rd5, %p0;\n"
            "setp.eq.u32 %p0, %a, 2;\nselp.b64 %rd5, %rd2, %rd5, %p0;\n"
            "setp.eq.u32 %p1, %a, 3;\nselp.b64 %rd5, %rd3, %rd5, %p1;\n"
            "ld.u32 %r1, [%rd5];\nadd.u32 %r1, %r1, 1000;\n"
            "setp.ne.u32 %p2, %a, 4;\n@%p2 st.u32 [%rd5], %r1;\nmov.u32 %r2, %r1;\n"
            "@%p2 ld.u32 %r2, [%rd5];\nst.global.u32 [%o], %r2;\nret;\n}\n",
        .groups = GROUPS,
        .group = GROUP,
        .in = in,
        .in_bytes = sizeof(in),
        .want = want,
        .want_count = ITEMS});
}

/* cp.async copies (with zeros past the source's size); prefetches, fences and sleeps do nothing. */
void asynchronous_copies_and_hints(void **state)
{
    (void)state;
    uint32_t in[4 * GROUP], want[GROUP][4];
    for (uint32_t i = 0; i < 4 * GROUP; i++)
        in[i] = i * i + 3;
    for (uint32_t i = 0; i < GROUP; i++) {
        want[i][0] = in[4 * i];
        want[i][1] = in[4 * i + 3];
        want[i][2] = in[4 * i];
        want[i][3] = 0;
    }
    check_text(
        &(text_case){.text = TEXT_HEAD
                     ".shared .align 16 .b8 tile[1120];\n.shared .align 8 .b8 part[560];\n"
                     "mul.wide.u32 %rd0, %id, 12;\nadd.s64 %i, %i, %rd0;\nadd.s64 %o, %o, %rd0;\n"
                     "mov.u32 %r0, tile;\nmad.lo.u32 %r0, %item, 16, %r0;\n"
                     "mov.u32 %r1, part;\nmad.lo.u32 %r1, %item, 8, %r1;\n"
                     "mov.u32 %r2, -1;\nst.shared.v2.u32 [%r1], {%r2, %r2};\n"
                     "cp.async.cg.shared.global [%r0], [%i], 16;\n"
                     "cp.async.ca.shared.global [%r1], [%i], 8, 4;\n"
                     "cp.async.commit_group;\ncp.async.wait_group 0;\ncp.async.wait_all;\n"
                     "prefetch.global.L1 [%i];\nprefetch.global.L2 [%i];\nprefetchu.L1 [%i];\n"
                     "membar.cta;\nmembar.gl;\nmembar.sys;\nfence.sc.gpu;\nfence.acq_rel.cta;\n"
                     "nanosleep.u32 100;\nnanosleep.u32 %item;\npmevent 1;\nbrkpt;\n"
                     "ld.shared.u32 %r3, [%r0];\nst.global.u32 [%o], %r3;\n"
                     "ld.shared.u32 %r3, [%r0+12];\nst.global.u32 [%o+4], %r3;\n"
                     "ld.shared.v2.u32 {%r3, %r4}, [%r1];\nst.global.v2.u32 [%o+8], {%r3, %r4};\n"
                     "ret;\n}\n",
                     .groups = 1,
                     .group = GROUP,
                     .in = in,
                     .in_bytes = sizeof(in),
                     .want = &want[0][0],
                     .want_count = GROUP * 4});
}
