/* Barriers of the group, and exchanges within warps of 32 (of which 64 lanes hold two). */
#include "text.h"

#include "base/rng.h"

#include <string.h>

#define GROUPS 2
#define GROUP 96
#define ITEMS (GROUPS * GROUP)
#define PART 32

static void random_words(uint32_t *words, size_t count, uint64_t seed)
{
    ww_rng rng;
    ww_rng_seed(&rng, seed);
    for (size_t i = 0; i < count; i++)
        words[i] = (uint32_t)ww_rng_next(&rng);
}

/* Each item hands its value to the one opposite, by way of shared memory. */
static void check_exchange(const char *barrier, bool warps_only)
{
    char text[2000];
    uint32_t in[140], want[140];
    random_words(in, 140, 1);
    for (unsigned i = 0; i < 140; i++)
        want[i] = in[i / 70 * 70 + 69 - i % 70];
    snprintf(text, sizeof(text),
             "%s.shared .align 4 .b8 tile[280];\nmov.u32 %%r0, tile;\n"
             "mad.lo.u32 %%r1, %%item, 4, %%r0;\nst.shared.u32 [%%r1], %%a;\n%s\n"
             "sub.u32 %%r2, 69, %%item;\nmad.lo.u32 %%r1, %%r2, 4, %%r0;\n"
             "ld.shared.u32 %%r3, [%%r1];\nst.global.u32 [%%o], %%r3;\nret;\n}\n",
             TEXT_HEAD, barrier);
    check_text(&(text_case){.text = text,
                            .groups = 2,
                            .group = 70,
                            .in = in,
                            .in_bytes = sizeof(in),
                            .want = want,
                            .want_count = 140,
                            .warps_only = warps_only});
}

static void check_reductions(void)
{
    uint32_t in[140], want[140];
    random_words(in, 140, 2);
    for (unsigned g = 0; g < 2; g++) {
        uint32_t count = 0;
        for (unsigned i = 0; i < 70; i++) {
            in[g * 70 + i] |= g; /* in the second group all are odd */
            count += in[g * 70 + i] & 1;
        }
        for (unsigned i = 0; i < 70; i++)
            want[g * 70 + i] =
                count | (count == 70 ? 0x100 : 0) | (count ? 0x200 : 0) | (count < 70 ? 0x400 : 0);
    }
    check_text(&(text_case){
        .text = TEXT_HEAD
        "and.b32 %r0, %a, 1;\nsetp.ne.u32 %p0, %r0, 0;\n"
        "bar.red.popc.u32 %r1, 0, %p0;\n"
        "bar.red.and.pred %p1, 1, %p0;\nselp.u32 %r2, 0x100, 0, %p1;\nor.b32 %r1, %r1, %r2;\n"
        "bar.red.or.pred %p2, 0, %p0;\nselp.u32 %r2, 0x200, 0, %p2;\nor.b32 %r1, %r1, %r2;\n"
        "barrier.red.or.pred %p3, 2, !%p0;\nselp.u32 %r2, 0x400, 0, %p3;\n"
        "or.b32 %r1, %r1, %r2;\nst.global.u32 [%o], %r1;\nret;\n}\n",
        .groups = 2,
        .group = 70,
        .in = in,
        .in_bytes = sizeof(in),
        .want = want,
        .want_count = 140});
}

/* One half of the group produces and goes on; the other waits for it at a barrier of both. */
static void check_producers(void)
{
    uint32_t in[128], want[128];
    random_words(in, 128, 3);
    for (unsigned i = 0; i < 128; i++)
        want[i] = i < 64 ? in[i + 64] : 7;
    check_text(&(text_case){
        .text = TEXT_HEAD
        ".shared .align 4 .b8 tile[512];\nmov.u32 %r0, tile;\n"
        "mad.lo.u32 %r1, %item, 4, %r0;\nsetp.lt.u32 %p0, %item, 64;\n@%p0 bra CONSUME;\n"
        "st.shared.u32 [%r1], %a;\nbar.arrive 3, 128;\nmov.u32 %r2, 7;\nbra.uni DONE;\n"
        "CONSUME:\nbar.sync 3, 128;\nld.shared.u32 %r2, [%r1+256];\n"
        "DONE:\nst.global.u32 [%o], %r2;\nret;\n}\n",
        .groups = 1,
        .group = 128,
        .in = in,
        .in_bytes = sizeof(in),
        .want = want,
        .want_count = 128});
}

/* Items that have ended do not keep the others waiting; a barrier whose guard is false in all lanes
 * does nothing. */
static void check_early_exit(void)
{
    uint32_t in[140], want[140];
    for (unsigned i = 0; i < 140; i++) {
        in[i] = i % 3;
        want[i] = i % 3 == 1 ? 0 : i % 70 + 1;
    }
    check_text(&(text_case){.text = TEXT_HEAD
                            "setp.eq.u32 %p0, %a, 1;\n@%p0 exit;\nsetp.gt.u32 %p1, %a, 5;\n"
                            "@%p1 bar.sync 0;\nbar.sync 0;\nadd.u32 %r0, %item, 1;\n"
                            "st.global.u32 [%o], %r0;\nbar.sync 0;\nret;\n}\n",
                            .groups = 2,
                            .group = 70,
                            .in = in,
                            .in_bytes = sizeof(in),
                            .want = want,
                            .want_count = 140});
}

void group_barriers(void **state)
{
    (void)state;
    static const char *const barriers[] = {"bar.sync 0;",
                                           "bar.sync %group;",
                                           "bar.cta.sync 15;",
                                           "barrier.sync 1;",
                                           "barrier.sync.aligned 2;",
                                           "barrier.cta.sync.aligned 3;",
                                           "membar.cta;\nbar.sync 0;\nbar.sync 0;"};
    for (unsigned i = 0; i < sizeof(barriers) / sizeof(barriers[0]); i++)
        check_exchange(barriers[i], false);
    check_exchange("bar.sync 0;\nbar.warp.sync -1;", true);
    check_reductions();
    check_producers();
    check_early_exit();
}

/* As the PTX manual writes it. */
static uint32_t shuffled(char mode, const uint32_t *part, uint32_t lane, uint32_t b, uint32_t c,
                         bool *inside)
{
    uint32_t segment = c >> 8 & 31, clamp = c & 31, n = b & 31;
    int most = (int)((lane & segment) | (clamp & ~segment));
    int from = mode == 'u'   ? (int)lane - (int)n
               : mode == 'd' ? (int)(lane + n)
               : mode == 'b' ? (int)(lane ^ n)
                             : (int)((lane & segment) | (n & ~segment));
    *inside = mode == 'u' ? from >= most : from <= most;
    return part[*inside ? (uint32_t)from : lane];
}

/* Input words: value, b, c of each item. */
static void check_shuffle(const char *mode, bool sync)
{
    char text[2000];
    uint32_t in[ITEMS][3], value[ITEMS], want[ITEMS][2];
    random_words(&in[0][0], ITEMS * 3, 4);
    for (unsigned i = 0; i < ITEMS; i++) {
        value[i] = in[i][0];
        uint32_t width = 1u << in[i][2] % 6;
        if (i >= GROUP) /* the second group: the segments that compilers use */
            in[i][2] = (32 - width) << 8 | (*mode == 'u' ? 0 : 31);
    }
    for (unsigned i = 0; i < ITEMS; i++) {
        bool inside;
        want[i][0] =
            shuffled(*mode, &value[i / PART * PART], i % PART, in[i][1], in[i][2], &inside);
        want[i][1] = inside;
    }
    snprintf(
        text, sizeof(text),
        "%smul.wide.u32 %%rd0, %%id, 8;\nadd.s64 %%i, %%i, %%rd0;\nmad.wide.u32 %%o, %%id, 4, "
        "%%o;\n"
        "ld.global.u32 %%a, [%%i];\nld.global.u32 %%r1, [%%i+4];\nld.global.u32 %%r2, [%%i+8];\n"
        "shfl%s.%s.b32 %%r3|%%p0, %%a, %%r1, %%r2%s;\nst.global.u32 [%%o], %%r3;\n"
        "selp.u32 %%r4, 1, 0, %%p0;\nst.global.u32 [%%o+4], %%r4;\n"
        "shfl%s.%s.b32 %%a, %%a, %%r1, %%r2%s;\nsetp.ne.u32 %%p1, %%a, %%r3;\n@%%p1 trap;\n"
        "ret;\n}\n",
        TEXT_HEAD, sync ? ".sync" : "", mode, sync ? ", -1" : "", sync ? ".sync" : "", mode,
        sync ? ", 0xffffffff" : "");
    check_text(&(text_case){.text = text,
                            .groups = GROUPS,
                            .group = GROUP,
                            .in = in,
                            .in_bytes = sizeof(in),
                            .want = &want[0][0],
                            .want_count = ITEMS * 2,
                            .warps_only = true});
}

void warp_shuffles(void **state)
{
    (void)state;
    static const char *const modes[] = {"up", "down", "bfly", "idx"};
    for (unsigned i = 0; i < 4; i++) {
        check_shuffle(modes[i], true);
        check_shuffle(modes[i], false);
    }
}

/* What the lanes of one part of 32 agree on. `members` are those that take part. */
static void votes_of(const uint32_t *value, uint32_t count, uint32_t members, uint32_t *want)
{
    uint32_t yes = 0, least = UINT32_MAX, sum = 0, all_bits = UINT32_MAX;
    for (uint32_t i = 0; i < count; i++) {
        if (!(members >> i & 1))
            continue;
        yes |= (value[i] & 1) << i;
        least = value[i] < least ? value[i] : least;
        sum += value[i];
        all_bits &= value[i];
    }
    want[0] = yes;
    want[1] = (yes == members ? 1 : 0) | (yes ? 2 : 0) | (yes == members || !yes ? 4 : 0);
    want[2] = members;
    want[3] = sum;
    want[4] = least;
    want[5] = all_bits;
}

#define WORDS 8
static const char vote_body[] =
    "and.b32 %r0, %a, 1;\nsetp.ne.u32 %p0, %r0, 0;\nactivemask.b32 %r9;\n"
    "vote.sync.ballot.b32 %r1, %p0, %r9;\nst.global.u32 [%o], %r1;\n"
    "vote.ballot.sync.b32 %r10, %p0, %r9;\nsetp.ne.u32 %p5, %r1, %r10;\n@%p5 trap;\n"
    "vote.sync.all.pred %p1, %p0, %r9;\nselp.u32 %r2, 1, 0, %p1;\n"
    "vote.sync.any.pred %p1, %p0, %r9;\nselp.u32 %r3, 2, 0, %p1;\nor.b32 %r2, %r2, %r3;\n"
    "vote.sync.uni.pred %p1, %p0, %r9;\nselp.u32 %r3, 4, 0, %p1;\nor.b32 %r2, %r2, %r3;\n"
    "st.global.u32 [%o+4], %r2;\nst.global.u32 [%o+8], %r9;\n"
    "redux.sync.add.u32 %r4, %a, %r9;\nst.global.u32 [%o+12], %r4;\n"
    "redux.sync.min.u32 %r4, %a, %r9;\nst.global.u32 [%o+16], %r4;\n"
    "redux.sync.and.b32 %r4, %a, %r9;\nst.global.u32 [%o+20], %r4;\n"
    "and.b32 %r5, %a, 6;\nmatch.any.sync.b32 %r6, %r5, %r9;\nst.global.u32 [%o+24], %r6;\n"
    "match.all.sync.b32 %r6|%p2, %r5, %r9;\nelect.sync %r7|%p3, %r9;\n"
    "selp.u32 %r8, 1, 0, %p2;\nshl.b32 %r7, %r7, 8;\nadd.u32 %r8, %r8, %r7;\n"
    "selp.u32 %r7, 0x10000, 0, %p3;\nadd.u32 %r8, %r8, %r7;\nst.global.u32 [%o+28], %r8;\n";

/* All lanes, or only those with bit 3 set, in groups whose last warp has 6 lanes. */
static void check_votes(bool divergent)
{
    enum { ALL = 140 };
    char text[4000];
    uint32_t in[ALL], want[ALL][WORDS];
    memset(want, 0, sizeof(want));
    random_words(in, ALL, 5);
    in[33] = in[34] = in[35] = 9;
    for (unsigned i = 0; i < 6; i++)
        in[64 + i] = 9; /* a part in which all agree */
    for (unsigned i = 0; i < ALL; i++) {
        unsigned lane = i % 70 % PART, first = i - lane, count = i % 70 >= 64 ? 6 : PART;
        uint32_t members = 0, same = 0;
        for (unsigned l = 0; l < count; l++)
            members |= (uint32_t)(!divergent || in[first + l] >> 3 & 1) << l;
        if (!(members >> lane & 1))
            continue;
        votes_of(&in[first], count, members, want[i]);
        for (unsigned l = 0; l < count; l++)
            same |= (members >> l & 1 && (in[first + l] & 6) == (in[i] & 6) ? 1u : 0u) << l;
        uint32_t leader = (uint32_t)__builtin_ctz(members);
        want[i][6] = same;
        want[i][7] = (same == members) + (leader << 8) + (leader == lane ? 0x10000 : 0);
    }
    snprintf(text, sizeof(text),
             "%smul.wide.u32 %%rd0, %%id, 28;\nadd.s64 %%o, %%o, %%rd0;\n"
             "and.b32 %%r11, %%a, 8;\nsetp.eq.u32 %%p7, %%r11, 0;\n%s%sDONE:\nret;\n}\n",
             TEXT_HEAD, divergent ? "@%p7 bra DONE;\n" : "", vote_body);
    check_text(&(text_case){.text = text,
                            .groups = 2,
                            .group = 70,
                            .in = in,
                            .in_bytes = sizeof(in),
                            .want = &want[0][0],
                            .want_count = ALL * WORDS,
                            .warps_only = true});
}

/* The forms without .sync speak of the active lanes. */
static void check_old_votes(void)
{
    uint32_t in[ITEMS], want[ITEMS];
    random_words(in, ITEMS, 6);
    for (unsigned i = 0; i < ITEMS; i++) {
        uint32_t all[6];
        votes_of(&in[i / PART * PART], PART, UINT32_MAX, all);
        want[i] = all[0] ^ all[1];
    }
    check_text(&(text_case){
        .text = TEXT_HEAD
        "and.b32 %r0, %a, 1;\nsetp.ne.u32 %p0, %r0, 0;\n"
        "vote.ballot.b32 %r1, %p0;\nvote.all.pred %p1, %p0;\nselp.u32 %r2, 1, 0, %p1;\n"
        "vote.any.pred %p1, %p0;\nselp.u32 %r3, 2, 0, %p1;\nor.b32 %r2, %r2, %r3;\n"
        "vote.uni.pred %p1, %p0;\nselp.u32 %r3, 4, 0, %p1;\nor.b32 %r2, %r2, %r3;\n"
        "xor.b32 %r1, %r1, %r2;\nst.global.u32 [%o], %r1;\nret;\n}\n",
        .groups = GROUPS,
        .group = GROUP,
        .in = in,
        .in_bytes = sizeof(in),
        .want = want,
        .want_count = ITEMS,
        .warps_only = true});
}

/* The other operations of redux, signed and unsigned. */
static void check_reduces(void)
{
    static const char *const names[] = {"add.s32", "min.s32", "max.s32",
                                        "max.u32", "or.b32",  "xor.b32"};
    uint32_t in[ITEMS], want[ITEMS];
    random_words(in, ITEMS, 7);
    for (unsigned n = 0; n < 6; n++) {
        char text[2000];
        for (unsigned i = 0; i < ITEMS; i++) {
            const uint32_t *part = &in[i / PART * PART];
            uint32_t r = part[0];
            for (unsigned l = 1; l < PART; l++)
                r = n == 0   ? r + part[l]
                    : n == 1 ? ((int32_t)part[l] < (int32_t)r ? part[l] : r)
                    : n == 2 ? ((int32_t)part[l] > (int32_t)r ? part[l] : r)
                    : n == 3 ? (part[l] > r ? part[l] : r)
                    : n == 4 ? r | part[l]
                             : r ^ part[l];
            want[i] = r;
        }
        snprintf(text, sizeof(text),
                 "%sredux.sync.%s %%r0, %%a, -1;\nst.global.u32 [%%o], %%r0;\nret;\n}\n", TEXT_HEAD,
                 names[n]);
        check_text(&(text_case){.text = text,
                                .groups = GROUPS,
                                .group = GROUP,
                                .in = in,
                                .in_bytes = sizeof(in),
                                .want = want,
                                .want_count = ITEMS,
                                .warps_only = true});
    }
}

void warp_votes(void **state)
{
    (void)state;
    check_votes(false);
    check_votes(true);
    check_old_votes();
    check_reduces();
}
