/* Every arithmetic form that exists against the reference, on every level of this machine. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "exec/lanes/table.h"
#include "support/lane_reference.h"
#include "support/soft_real.h"

enum { WIDTH = 64, ROUNDS = 16 };

typedef struct operands {
    uint64_t d[WIDTH], a[WIDTH], b[WIDTH], c[WIDTH], e[WIDTH];
} operands;

static uint64_t element(const void *row, unsigned bits, int lane)
{
    switch (bits) {
    case 64: return ((const uint64_t *)row)[lane];
    case 32: return ((const uint32_t *)row)[lane];
    case 1: return *(const uint64_t *)row >> lane & 1;
    default: return 0;
    }
}

static void complain(const ww_form *form, const lane_sources *in, ww_lane_level level,
                     const char *what, uint64_t got, uint64_t want)
{
    char name[128];
    lane_form_text(form, name, sizeof name);
    fail_msg("%s (%s) of %llx, %llx, %llx, %llx: %s %llx, not %llx", name,
             ww_lane_level_name(level), (unsigned long long)in->a, (unsigned long long)in->b,
             (unsigned long long)in->c, (unsigned long long)in->e, what, (unsigned long long)got,
             (unsigned long long)want);
}

static void check_lane(const ww_form *form, const lane_shape *shape, const operands *before,
                       const operands *after, int lane, ww_lane_level level)
{
    const lane_sources in = {element(before->a, shape->a, lane), element(before->b, shape->b, lane),
                             element(before->c, shape->c, lane),
                             form->op == WW_OP_LOP3 ? before->e[0]
                                                    : element(before->e, shape->e, lane)};
    lane_verdict want;
    if (!lane_reference(form, &in, &want))
        complain(form, &in, level, "the reference does not know", 0, 0);
    const uint64_t got = element(after->d, shape->d, lane);
    if (!lane_accepts(&want, got))
        complain(form, &in, level, "result", got, want.d);
    const uint64_t carry = element(after->e, 1, lane);
    if (want.writes_carry && want.carry != carry)
        complain(form, &in, level, "carry", carry, want.carry);
    if (!want.writes_carry && shape->e == 1 && after->e[0] != before->e[0])
        complain(form, &in, level, "carry mask", after->e[0], before->e[0]);
}

static void check_form(const ww_form *form, ww_lane_level level, ww_rng *rng)
{
    static operands before __attribute__((aligned(64))), after __attribute__((aligned(64)));
    const lane_shape shape = lane_shape_of(form);
    ww_lane_fn *fn = ww_lane_find(level, form);
    assert_non_null(fn);
    for (int round = 0; round < ROUNDS; round++) {
        lane_fill(rng, before.a, shape.a);
        lane_fill(rng, before.b, shape.b);
        lane_fill(rng, before.c, shape.c);
        lane_fill(rng, before.e, shape.e);
        if (form->op == WW_OP_LOP3)
            before.e[0] &= 255;
        after = before;
        fn(after.d, after.a, after.b, after.c, WIDTH / 16, after.e);
        for (int lane = 0; lane < WIDTH; lane++)
            check_lane(form, &shape, &before, &after, lane, level);
    }
}

/* Which table entries some form has led to. */
typedef struct operator_census {
    bool seen[4096];
    size_t forms;
} operator_census;

static void note(operator_census *census, ww_lane_fn *fn)
{
    size_t index = 0;
    census->forms++;
    const ww_lane_family *const *families = ww_lane_families(WW_LANE_PORTABLE);
    for (int f = 0; f < WW_LANE_FAMILY_COUNT; f++)
        for (size_t i = 0; i < families[f]->count; i++, index++)
            if (families[f]->entries[i].fn == fn)
                census->seen[index] = true;
}

static void try_form(const ww_form *form, operator_census *census, ww_rng *rng)
{
    ww_lane_fn *fn = ww_lane_find(WW_LANE_PORTABLE, form);
    if (!fn)
        return;
    note(census, fn);
    for (int level = 0; level <= (int)ww_lane_best(); level++)
        check_form(form, (ww_lane_level)level, rng);
}

/* Flag sets to look up; the table says which of them an operation has. */
static const uint32_t endings[] = {
    0,
    WW_FLAG_FTZ,
    WW_FLAG_SAT,
    WW_FLAG_FTZ | WW_FLAG_SAT,
    WW_FLAG_APPROX,
    WW_FLAG_APPROX | WW_FLAG_FTZ,
    WW_FLAG_FULL,
    WW_FLAG_FULL | WW_FLAG_FTZ,
    WW_FLAG_CC,
    WW_FLAG_WRAP,
    WW_FLAG_CLAMP,
    WW_FLAG_SHIFTAMT,
    WW_FLAG_RELU,
    WW_FLAG_FTZ | WW_FLAG_RELU,
    WW_FLAG_NAN,
    WW_FLAG_XORSIGN,
    WW_FLAG_NAN | WW_FLAG_XORSIGN,
    WW_FLAG_FTZ | WW_FLAG_NAN,
    WW_FLAG_FTZ | WW_FLAG_XORSIGN,
    WW_FLAG_FTZ | WW_FLAG_NAN | WW_FLAG_XORSIGN,
};

enum { ENDINGS = sizeof endings / sizeof *endings };

static bool has_two_types(ww_op op)
{
    return op == WW_OP_CVT || op == WW_OP_SET || op == WW_OP_SLCT || op == WW_OP_DP4A ||
           op == WW_OP_DP2A;
}

/* set's result type is not the operator's business: one is enough. */
static bool is_useful(ww_op op, ww_type type)
{
    return op != WW_OP_SET || type == WW_TYPE_S32;
}

static bool is_compare(ww_op op)
{
    return op == WW_OP_SETP || op == WW_OP_SET;
}

static bool has_variants(ww_op op)
{
    return op == WW_OP_MUL || op == WW_OP_MAD || op == WW_OP_MADC || op == WW_OP_MUL24 ||
           op == WW_OP_MAD24 || op == WW_OP_DP2A || op == WW_OP_TESTP || op == WW_OP_SHF ||
           op == WW_OP_PRMT || op == WW_OP_VABSDIFF2 || op == WW_OP_VABSDIFF4;
}

/* All roundings, compares and variants of an operation on given types with given flags. */
static void try_words(ww_form form, operator_census *census, ww_rng *rng)
{
    const bool real = ww_type_is_float(form.type) || ww_type_is_float(form.type2);
    const int rounds = real ? WW_ROUND_COUNT : 1;
    const int compares = is_compare(form.op) ? WW_COMPARE_COUNT : 1;
    const int variants = has_variants(form.op) ? WW_VARIANT_SYNC : 1;
    for (int round = 0; round < rounds; round++)
        for (int compare = 0; compare < compares; compare++)
            for (int variant = 0; variant < variants; variant++) {
                form.round = (uint8_t)round;
                form.compare = (uint8_t)compare;
                form.variant = (uint8_t)variant;
                try_form(&form, census, rng);
            }
}

static void forms_match_the_reference(void **state)
{
    (void)state;
    static operator_census census;
    ww_rng rng;
    ww_rng_seed(&rng, 2024);
    for (unsigned op = 1; op < WW_OP_COUNT; op++)
        for (unsigned type = 1; type < WW_TYPE_COUNT; type++)
            for (unsigned type2 = 0; type2 < (has_two_types(op) ? WW_TYPE_COUNT : 1u); type2++)
                for (size_t i = 0; is_useful(op, type) && i < ENDINGS; i++)
                    try_words((ww_form){.op = (uint8_t)op,
                                        .type = (uint8_t)type,
                                        .type2 = (uint8_t)type2,
                                        .flags = endings[i]},
                              &census, &rng);
    size_t index = 0;
    const ww_lane_family *const *families = ww_lane_families(WW_LANE_PORTABLE);
    for (int f = 0; f < WW_LANE_FAMILY_COUNT; f++)
        for (size_t i = 0; i < families[f]->count; i++, index++)
            if (!census.seen[index])
                fail_msg("%s: entry %zu is never tested", families[f]->name, i);
    print_message("%zu forms, %zu operators\n", census.forms, index);
}

/* 1 + n 2^-e with a small odd n. */
static uint64_t near_one(const soft_format *f, int e, ww_rng *rng)
{
    const soft_bits n = 2 * ww_rng_below(rng, 8) + 1;
    return soft_pack(f, (soft_real){SOFT_FINITE, false, ((soft_bits)1 << e) + n, -e}, WW_ROUND_RN);
}

/* Products half way between two values of the format, and a third operand that is too small to be
 * seen but decides where they go. */
static void fill_halfway(const soft_format *f, unsigned bits, operands *rows, ww_rng *rng)
{
    const int smallest = f->least_exponent - f->precision + 1;
    for (int lane = 0; lane < WIDTH; lane++) {
        const int e = smallest / (1 + (int)ww_rng_below(rng, 3));
        const soft_real tiny = {SOFT_FINITE, ww_rng_below(rng, 2), 1, e};
        const uint64_t a = near_one(f, f->precision / 2, rng);
        const uint64_t b = near_one(f, f->precision - f->precision / 2, rng);
        const uint64_t c = soft_pack(f, tiny, WW_ROUND_RN);
        if (bits == 64)
            rows->a[lane] = a, rows->b[lane] = b, rows->c[lane] = c;
        else
            ((uint32_t *)rows->a)[lane] = (uint32_t)a, ((uint32_t *)rows->b)[lane] = (uint32_t)b,
                       ((uint32_t *)rows->c)[lane] = (uint32_t)c;
    }
}

static void fma_rounds_once(void **state)
{
    (void)state;
    static operands before __attribute__((aligned(64))), after __attribute__((aligned(64)));
    static const uint8_t types[] = {WW_TYPE_F16, WW_TYPE_BF16, WW_TYPE_F32, WW_TYPE_F64};
    ww_rng rng;
    ww_rng_seed(&rng, 5);
    for (size_t t = 0; t < sizeof types / sizeof *types; t++)
        for (int level = 0; level <= (int)ww_lane_best(); level++) {
            const ww_form form = {.op = WW_OP_FMA, .type = types[t], .round = WW_ROUND_RN};
            const lane_shape shape = lane_shape_of(&form);
            fill_halfway(soft_format_of(types[t]), shape.d, &before, &rng);
            after = before;
            ww_lane_find((ww_lane_level)level, &form)(after.d, after.a, after.b, after.c,
                                                      WIDTH / 16, after.e);
            for (int lane = 0; lane < WIDTH; lane++)
                check_lane(&form, &shape, &before, &after, lane, (ww_lane_level)level);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(forms_match_the_reference),
                                       cmocka_unit_test(fma_rounds_once)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
