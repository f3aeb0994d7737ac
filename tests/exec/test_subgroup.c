/* Instructions of sub-groups at many widths, and when only some lanes are active. */
#include "support/kernel_run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum { GROUP = 70, ITEMS = 2 * GROUP, WORDS = 16 };

#define HEAD                                                                        \
    ".visible .entry k(.param .u64 in, .param .u64 out)\n{\n"                       \
    ".reg .b32 %id, %a, %r<20>;\n.reg .b64 %i, %o, %rd<4>;\n.reg .pred %p<8>;\n"    \
    "ld.param.u64 %i, [in];\nld.param.u64 %o, [out];\n"                             \
    "mov.u32 %r0, %tid.x;\nmov.u32 %r1, %ctaid.x;\nmad.lo.u32 %id, %r1, 70, %r0;\n" \
    "mad.wide.u32 %i, %id, 4, %i;\nmad.wide.u32 %o, %id, 64, %o;\nld.global.u32 %a, [%i];\n"

static const char *text = HEAD
    "mov.u32 %r2, %subgroup_lane;\nst.global.u32 [%o], %r2;\n"
    "mov.u32 %r3, %subgroup_id;\nst.global.u32 [%o+4], %r3;\n"
    "mov.u32 %r3, %subgroup_size;\nst.global.u32 [%o+8], %r3;\n"
    "mov.u32 %r3, %subgroup_count;\nst.global.u32 [%o+12], %r3;\n"
    "mov.u32 %r3, %subgroup_width;\nst.global.u32 [%o+16], %r3;\n"
    "and.b32 %r4, %a, 1;\nsetp.ne.u32 %p0, %r4, 0;\nand.b32 %r4, %a, 6;\nsetp.eq.u32 %p1, %r4, 0;\n"
    "@%p1 bra DONE;\n"
    "shfl.subgroup.up.b32 %r5, %a, 3;\nst.global.u32 [%o+20], %r5;\n"
    "shfl.subgroup.down.b32 %r5, %a, 2;\nst.global.u32 [%o+24], %r5;\n"
    "shfl.subgroup.bfly.b32 %r5, %a, 5;\nst.global.u32 [%o+28], %r5;\n"
    "shr.u32 %r6, %a, 8;\nshfl.subgroup.idx.b32 %r5, %a, %r6;\nst.global.u32 [%o+32], %r5;\n"
    "vote.subgroup.ballot.b64 %rd0, %p0;\nst.global.u64 [%o+40], %rd0;\n"
    "vote.subgroup.ballot.b64 %rd0, !%p0;\nst.global.u64 [%o+48], %rd0;\n"
    "vote.subgroup.all.pred %p2, %p0;\nselp.u32 %r7, 1, 0, %p2;\n"
    "vote.subgroup.any.pred %p2, %p0;\nselp.u32 %r8, 2, 0, %p2;\nor.b32 %r7, %r7, %r8;\n"
    "st.global.u32 [%o+56], %r7;\nDONE:\nret;\n}\n";

typedef struct subgroup {
    const uint32_t *in; /* of its lanes */
    unsigned count;
    uint64_t active;
} subgroup;

static subgroup subgroup_of(const uint32_t *in, unsigned item, unsigned width)
{
    unsigned first = item % GROUP / width * width;
    subgroup s = {.in = in + item / GROUP * GROUP + first};
    s.count = GROUP - first < width ? GROUP - first : width;
    for (unsigned i = 0; i < s.count; i++)
        s.active |= (uint64_t)((s.in[i] & 6) != 0) << i;
    return s;
}

/* A lane that is not active, or not there, gives the reader's own value. */
static uint32_t value_of(const subgroup *s, unsigned lane, unsigned source)
{
    return s->in[source < 64 && s->active >> source & 1 ? source : lane];
}

static void expect(const uint32_t *in, unsigned item, unsigned width, uint32_t *want)
{
    subgroup s = subgroup_of(in, item, width);
    unsigned lane = item % GROUP % width;
    uint64_t odd = 0, even = 0;
    uint32_t first[5] = {lane, item % GROUP / width, s.count, (GROUP + width - 1) / width, width};
    memcpy(want, first, sizeof(first));
    if (!(s.active >> lane & 1))
        return;
    for (unsigned i = 0; i < s.count; i++) {
        odd |= (uint64_t)(s.in[i] & 1) << i & s.active;
        even |= (uint64_t)(~s.in[i] & 1) << i & s.active;
    }
    want[5] = value_of(&s, lane, lane - 3);
    want[6] = value_of(&s, lane, lane + 2);
    want[7] = value_of(&s, lane, lane ^ 5);
    want[8] = value_of(&s, lane, s.in[lane] >> 8);
    memcpy(want + 10, &odd, 8);
    memcpy(want + 12, &even, 8);
    want[14] = (odd == s.active) + 2u * (odd != 0);
}

static void all_widths(void **state)
{
    (void)state;
    static const unsigned widths[] = {1, 3, 8, 31, 32, 33, 64};
    static uint32_t in[ITEMS], out[ITEMS * WORDS], want[ITEMS * WORDS];
    ww_module *module = kernel_parse(text);
    for (unsigned i = 0; i < ITEMS; i++)
        in[i] = (i * 2654435761u >> 7 & 0xff) | (i * 40503u >> 4 & 0x3f) << 8;
    for (size_t n = 0; n < sizeof(widths) / sizeof(widths[0]); n++) {
        memset(out, 0, sizeof(out));
        memset(want, 0, sizeof(want));
        for (unsigned i = 0; i < ITEMS; i++)
            expect(in, i, widths[n], want + i * WORDS);
        kernel_run(module, (kernel_config){widths[n], ww_lane_best()},
                   &(kernel_launch){.groups = 2,
                                    .group = GROUP,
                                    .blocks = {{"in", in, sizeof(in)}, {"out", out, sizeof(out)}},
                                    .block_count = 2});
        assert_memory_equal(out, want, sizeof(want));
    }
    ww_module_destroy(module);
}

/* Lanes of one side of a branch wait at the barrier for those of the other. */
static void barrier_waits(void **state)
{
    (void)state;
    static const char *wait =
        HEAD ".shared .align 4 .b8 cell[4];\nsetp.ne.u32 %p0, %r0, 0;\n@%p0 bra READ;\n"
             "st.shared.u32 [cell], %a;\nbar.subgroup.sync;\nbra.uni DONE;\n"
             "READ:\nbar.subgroup.sync;\nld.shared.u32 %r2, [cell];\nst.global.u32 [%o], %r2;\n"
             "DONE:\nret;\n}\n";
    uint32_t in[64] = {77}, out[64 * WORDS] = {0};
    ww_module *module = kernel_parse(wait);
    kernel_run(module, (kernel_config){64, ww_lane_best()},
               &(kernel_launch){.groups = 1,
                                .group = 64,
                                .blocks = {{"in", in, sizeof(in)}, {"out", out, sizeof(out)}},
                                .block_count = 2});
    for (unsigned i = 1; i < 64; i++)
        assert_int_equal(out[i * WORDS], 77);
    ww_module_destroy(module);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_widths),
        cmocka_unit_test(barrier_waits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
