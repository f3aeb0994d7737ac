/* Branches, ends and calls. */
#include "text.h"

#include <string.h>

#define GROUPS 2
#define GROUP 70
#define ITEMS (GROUPS * GROUP)

static void check_items(const char *text, const uint32_t *in, const uint32_t *want)
{
    check_text(&(text_case){.text = text,
                            .groups = GROUPS,
                            .group = GROUP,
                            .in = in,
                            .in_bytes = ITEMS * 4,
                            .want = want,
                            .want_count = ITEMS});
}

/* A loop whose lanes leave at different times by bra, ret and exit; what they leave behind. */
void branches_and_ends(void **state)
{
    (void)state;
    uint32_t in[ITEMS], want[ITEMS];
    for (uint32_t i = 0; i < ITEMS; i++) {
        in[i] = i * 37 % 41;
        uint32_t sum = 0, n = 0;
        want[i] = 0;
        for (;;) {
            if (n == in[i]) {
                want[i] = sum + 1000;
                break;
            }
            sum += n++;
            if (n == 20 && i % 5 == 0) {
                want[i] = 1; /* ret */
                break;
            }
            if (n == 30) {
                want[i] = 2; /* exit */
                break;
            }
        }
    }
    check_items(
        TEXT_HEAD
        "mov.u32 %r0, 0;\nmov.u32 %r1, 0;\nrem.u32 %r2, %id, 5;\n"
        "setp.eq.u32 %p3, %r2, 0;\n"
        "LOOP:\nsetp.eq.u32 %p0, %r1, %a;\n@%p0 bra FOUND;\n"
        "add.u32 %r0, %r0, %r1;\nadd.u32 %r1, %r1, 1;\n"
        "setp.eq.and.u32 %p1, %r1, 20, %p3;\n@!%p1 bra NEXT;\nst.global.u32 [%o], 1;\nret;\n"
        "NEXT:\nsetp.ne.u32 %p2, %r1, 30;\n@%p2 bra LOOP;\nst.global.u32 [%o], 2;\nexit;\n"
        "FOUND:\nadd.u32 %r0, %r0, 1000;\nst.global.u32 [%o], %r0;\nbra.uni END;\n"
        "trap;\nEND:\n}\n",
        in, want);
    for (uint32_t i = 0; i < ITEMS; i++)
        want[i] = in[i] >= 20 ? 0 : in[i] + 5;
    check_items(TEXT_HEAD "setp.ge.u32 %p0, %a, 20;\n@%p0 ret.uni;\nadd.u32 %r0, %a, 5;\n"
                          "@!%p0 st.global.u32 [%o], %r0;\nexit;\n}\n",
                in, want);
}

void branches_by_index(void **state)
{
    (void)state;
    uint32_t in[ITEMS], want[ITEMS];
    for (uint32_t i = 0; i < ITEMS; i++) {
        in[i] = i * 7 % 5;
        static const uint32_t values[] = {11, 22, 33, 22, 66};
        want[i] = values[in[i]] + 100 + (in[i] == 4 ? 1000 : 0);
    }
    check_items(TEXT_HEAD
                "mov.u32 %r1, 100;\nsetp.lt.u32 %p0, %a, 4;\n"
                "LIST: .branchtargets ONE, TWO, THREE, TWO;\n"
                "@%p0 brx.idx %a, LIST;\nmov.u32 %r0, 66;\nadd.u32 %r1, %r1, 1000;\nbra END;\n"
                "ONE:\nmov.u32 %r0, 11;\nbra END;\nTWO:\nmov.u32 %r0, 22;\nbra END;\n"
                "THREE:\nmov.u32 %r0, 33;\nEND:\nadd.u32 %r0, %r0, %r1;\nst.global.u32 [%o], %r0;\n"
                "ret;\n}\n",
                in, want);
    for (uint32_t i = 0; i < ITEMS; i++) {
        in[i] = i / GROUP;
        want[i] = in[i] ? 5 : 6;
    }
    check_items(TEXT_HEAD
                "L: .branchtargets A, B;\nbrx.idx.uni %a, L;\nA:\nst.global.u32 [%o], 6;\n"
                "ret;\nB:\nst.global.u32 [%o], 5;\nret;\n}\n",
                in, want);
}

static const char call_functions[] =
    ".func (.param .b32 r) twice(.param .b32 x)\n{\n.reg .b32 %x;\nld.param.b32 %x, [x];\n"
    "shl.b32 %x, %x, 1;\nst.param.b32 [r], %x;\nret;\n}\n"
    ".func (.param .b32 r) odd(.param .b32 x)\n{\n.reg .b32 %x, %y;\n.reg .pred %p;\n"
    "ld.param.b32 %x, [x];\nsetp.gt.u32 %p, %x, 50;\n@%p bra BIG;\nadd.u32 %y, %x, 7;\n"
    "st.param.b32 [r], %y;\nret;\nBIG:\n{\n.param .b32 a;\n.param .b32 b;\nst.param.b32 [a], %x;\n"
    "call (b), twice, (a);\nld.param.b32 %y, [b];\n}\nst.param.b32 [r], %y;\nret;\n}\n"
    ".func (.param .b32 r) sum(.param .b32 x)\n{\n.reg .b32 %x, %y;\n.reg .pred %p;\n"
    "ld.param.b32 %x, [x];\nsetp.ne.u32 %p, %x, 0;\nmov.u32 %y, 0;\n@!%p bra END;\n"
    "sub.u32 %y, %x, 1;\n{\n.param .b32 a;\n.param .b32 b;\nst.param.b32 [a], %y;\n"
    "call (b), sum, (a);\nld.param.b32 %y, [b];\n}\nadd.u32 %y, %y, %x;\nEND:\n"
    "st.param.b32 [r], %y;\nret;\n}\n";

/* Direct, under divergence, guarded, nested, recursive, and through pointers that differ. */
void calls_direct_and_indirect(void **state)
{
    (void)state;
    char text[6000];
    uint32_t in[ITEMS], want[ITEMS];
    for (uint32_t i = 0; i < ITEMS; i++) {
        in[i] = i * 29 % 97;
        uint32_t x = in[i], odd = x > 50 ? 2 * x : x + 7;
        uint32_t direct = x & 1 ? odd : 2 * x;
        uint32_t guarded = x & 2 ? 2 * direct : direct;
        uint32_t depth = x % 9, recursive = depth * (depth + 1) / 2;
        uint32_t pointed = x % 3 == 0 ? 2 * x : x % 3 == 1 ? odd : recursive;
        want[i] = guarded + 1000 * recursive + 100000 * (x % 3 == 2 ? recursive : pointed);
    }
    snprintf(
        text, sizeof(text), "%s%s%s", call_functions,
        ".global .align 8 .u64 table[3] = {twice, odd, sum};\n",
        TEXT_HEAD
        ".param .b32 p;\n.param .b32 q;\n"
        "and.b32 %r0, %a, 1;\nsetp.ne.u32 %p0, %r0, 0;\nst.param.b32 [p], %a;\n@%p0 bra ODD;\n"
        "call.uni (q), twice, (p);\nbra.uni AFTER;\nODD:\ncall.uni (q), odd, (p);\nAFTER:\n"
        "ld.param.b32 %r1, [q];\nand.b32 %r0, %a, 2;\nsetp.ne.u32 %p1, %r0, 0;\n"
        "st.param.b32 [p], %r1;\nst.param.b32 [q], %r1;\n@%p1 call (q), twice, (p);\n"
        "ld.param.b32 %r1, [q];\n"
        "rem.u32 %r2, %a, 9;\nst.param.b32 [p], %r2;\ncall (q), sum, (p);\nld.param.b32 %r3, [q];\n"
        "rem.u32 %r4, %a, 3;\nmov.u64 %rd0, table;\nmad.wide.u32 %rd0, %r4, 8, %rd0;\n"
        "ld.global.u64 %rd1, [%rd0];\nsetp.eq.u32 %p2, %r4, 2;\nselp.u32 %r5, %r2, %a, %p2;\n"
        "st.param.b32 [p], %r5;\nTYPE: .callprototype (.param .b32 _) _ (.param .b32 _);\n"
        "call (q), %rd1, (p), TYPE;\nld.param.b32 %r6, [q];\n"
        "mad.lo.u32 %r1, %r3, 1000, %r1;\nmad.lo.u32 %r1, %r6, 100000, %r1;\n"
        "st.global.u32 [%o], %r1;\nret;\n}\n");
    check_items(text, in, want);
}

/* Register parameters, constants as arguments, several results, recursion that swaps them. */
void calls_with_registers(void **state)
{
    (void)state;
    uint32_t in[ITEMS], want[ITEMS];
    for (uint32_t i = 0; i < ITEMS; i++) {
        in[i] = i % 13;
        uint32_t a = in[i] + 1, b = 100;
        for (uint32_t n = in[i]; n; n--) {
            uint32_t old = a;
            a = b;
            b = old + n;
        }
        want[i] = in[i] % 2 ? b * 7 + a + 3 : a * 7 + b + 3; /* and every level swaps the results */
    }
    check_items(
        ".func (.reg .u32 %sum, .reg .u32 %more) f(.reg .u32 %x, .reg .u32 %y, .reg .u32 %n)\n"
        "{\n.reg .pred %p;\n.reg .u32 %z, %m;\nsetp.ne.u32 %p, %n, 0;\n@%p bra AGAIN;\n"
        "mov.u32 %sum, %x;\nmov.u32 %more, %y;\nret;\nAGAIN:\nadd.u32 %x, %x, %n;\n"
        "sub.u32 %n, %n, 1;\nmov.u32 %z, 3;\ncall (%more, %sum), f, (%y, %x, %n);\n"
        "setp.ne.u32 %p, %z, 3;\n@%p trap;\nret;\n}\n"
        ".func (.reg .f32 %r) half(.reg .f32 %x)\n{\nmul.f32 %r, %x, "
        "0f3F000000;\nret;\n}\n" TEXT_HEAD
        "add.u32 %r0, %a, 1;\ncall (%r1, %r2), f, (%r0, 100, %a);\n"
        "call (%f0), half, (6.0);\ncvt.rzi.u32.f32 %r3, %f0;\n"
        "mad.lo.u32 %r1, %r1, 7, %r2;\nadd.u32 %r1, %r1, %r3;\nst.global.u32 [%o], %r1;\n"
        "ret;\n}\n",
        in, want);
}
