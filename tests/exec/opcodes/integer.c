/* Integer arithmetic. */
#include "opcodes.h"

#include <string.h>

typedef __int128 wide;

/* One integer type: its PTX name, register kind, and how to read it. */
typedef struct integer_type {
    const char *name;
    char kind;
    unsigned bits;
    bool is_signed;
} integer_type;

static const integer_type types[] = {{"u16", 'h', 16, false}, {"s16", 'h', 16, true},
                                     {"u32", 'w', 32, false}, {"s32", 'w', 32, true},
                                     {"u64", 'd', 64, false}, {"s64", 'd', 64, true}};
#define TYPE_COUNT (sizeof(types) / sizeof(types[0]))

static wide as(const integer_type *t, uint64_t bits)
{
    if (!t->is_signed)
        return (wide)(bits & (UINT64_MAX >> (64 - t->bits)));
    return (wide)((int64_t)(bits << (64 - t->bits)) >> (64 - t->bits));
}

/* The bits of a product from `from` on; 128-bit products of unsigned operands do not fit wide. */
static uint64_t product_bits(const integer_type *t, wide a, wide b, unsigned from)
{
    unsigned __int128 product = (unsigned __int128)a * (unsigned __int128)b;
    (void)t;
    return (uint64_t)(product >> from);
}

#define REFERENCE(name, expression)                                          \
    static void name(const void *context, const uint64_t *in, uint64_t *out) \
    {                                                                        \
        const integer_type *t = context;                                     \
        const wide a = as(t, in[0]), b = as(t, in[1]), c = as(t, in[2]);     \
        (void)a, (void)b, (void)c;                                           \
        out[0] = (uint64_t)(expression);                                     \
    }

REFERENCE(ref_add, a + b)
REFERENCE(ref_sub, a - b)
REFERENCE(ref_mul_lo, product_bits(t, a, b, 0))
REFERENCE(ref_mul_hi, product_bits(t, a, b, t->bits))
REFERENCE(ref_mad_lo, product_bits(t, a, b, 0) + (uint64_t)c)
REFERENCE(ref_mad_hi, product_bits(t, a, b, t->bits) + (uint64_t)c)
REFERENCE(ref_div, b == 0 ? -1 : a / b)
REFERENCE(ref_rem, b == 0 ? a : a % b)
REFERENCE(ref_min, a < b ? a : b)
REFERENCE(ref_max, a > b ? a : b)
REFERENCE(ref_sad, c + (a > b ? a - b : b - a))
REFERENCE(ref_abs, a < 0 ? -a : a)
REFERENCE(ref_neg, -a)

static void check_types(const char *operation, unsigned sources, value_reference *reference,
                        bool signed_only)
{
    for (size_t i = 0; i < TYPE_COUNT; i++) {
        char opcode[40], shape[8] = {types[i].kind, '='};
        if (signed_only && !types[i].is_signed)
            continue;
        snprintf(opcode, sizeof(opcode), "%s.%s", operation, types[i].name);
        memset(shape + 2, types[i].kind, sources);
        check(opcode, shape, reference, &types[i]);
    }
}

static wide limit32(wide v)
{
    return v > INT32_MAX ? INT32_MAX : v < INT32_MIN ? INT32_MIN : v;
}

REFERENCE(ref_add_sat, limit32(a + b))
REFERENCE(ref_sub_sat, limit32(a - b))
REFERENCE(ref_mad_hi_sat, limit32(((a * b) >> 32) + c))

void integer_arithmetic(void **state)
{
    (void)state;
    check_types("add", 2, ref_add, false);
    check_types("sub", 2, ref_sub, false);
    check_types("mul.lo", 2, ref_mul_lo, false);
    check_types("mul.hi", 2, ref_mul_hi, false);
    check_types("mad.lo", 3, ref_mad_lo, false);
    check_types("mad.hi", 3, ref_mad_hi, false);
    check_types("div", 2, ref_div, false);
    check_types("rem", 2, ref_rem, false);
    check_types("min", 2, ref_min, false);
    check_types("max", 2, ref_max, false);
    check_types("sad", 3, ref_sad, false);
    check_types("abs", 1, ref_abs, true);
    check_types("neg", 1, ref_neg, true);
    check("add.sat.s32", "w=ww", ref_add_sat, &types[3]);
    check("sub.sat.s32", "w=ww", ref_sub_sat, &types[3]);
    check("mad.hi.sat.s32", "w=www", ref_mad_hi_sat, &types[3]);
}

static wide as24(const integer_type *t, uint64_t bits)
{
    return t->is_signed ? (wide)((int32_t)((uint32_t)bits << 8) >> 8) : (wide)(bits & 0xffffff);
}

REFERENCE(ref_mul_wide, a *b)
REFERENCE(ref_mul24_lo, as24(t, in[0]) * as24(t, in[1]))
REFERENCE(ref_mul24_hi, (as24(t, in[0]) * as24(t, in[1])) >> 16)
REFERENCE(ref_mad24_lo, as24(t, in[0]) * as24(t, in[1]) + c)
REFERENCE(ref_mad24_hi, ((as24(t, in[0]) * as24(t, in[1])) >> 16) + c)

static void ref_mad_wide(const void *context, const uint64_t *in, uint64_t *out)
{
    const integer_type *t = context;
    out[0] = (uint64_t)(as(t, in[0]) * as(t, in[1])) + in[2];
}

void integer_wide_products(void **state)
{
    (void)state;
    for (size_t i = 0; i < 4; i++) {
        char opcode[40];
        bool half = types[i].bits == 16;
        snprintf(opcode, sizeof(opcode), "mul.wide.%s", types[i].name);
        check(opcode, half ? "w=hh" : "d=ww", ref_mul_wide, &types[i]);
        snprintf(opcode, sizeof(opcode), "mad.wide.%s", types[i].name);
        check(opcode, half ? "w=hhw" : "d=wwd", ref_mad_wide, &types[i]);
    }
    check("mul24.lo.u32", "w=ww", ref_mul24_lo, &types[2]);
    check("mul24.hi.u32", "w=ww", ref_mul24_hi, &types[2]);
    check("mul24.lo.s32", "w=ww", ref_mul24_lo, &types[3]);
    check("mul24.hi.s32", "w=ww", ref_mul24_hi, &types[3]);
    check("mad24.lo.u32", "w=www", ref_mad24_lo, &types[2]);
    check("mad24.hi.s32", "w=www", ref_mad24_hi, &types[3]);
}

/* Sums of numbers twice as wide as the type, in two halves. */
typedef struct carry_case {
    unsigned bits;
    bool subtract;
} carry_case;

static void ref_carry(const void *context, const uint64_t *in, uint64_t *out)
{
    const carry_case *c = context;
    typedef unsigned __int128 twice;
    twice a = (twice)in[1] << c->bits | in[0], b = (twice)in[3] << c->bits | in[2];
    twice result = c->subtract ? a - b : a + b;
    out[0] = (uint64_t)result;
    out[1] = (uint64_t)(result >> c->bits);
}

static void check_carry(const char *name, const char *type, unsigned bits, bool subtract)
{
    char body[300], opcode[40];
    carry_case c = {bits, subtract};
    snprintf(opcode, sizeof(opcode), "%s.cc.%s", name, type);
    snprintf(body, sizeof(body), "%s.cc.%s %%d0, %%s0, %%s2;\n%sc.%s %%d1, %%s1, %%s3;", name, type,
             name, type);
    check_value(
        &(value_case){opcode, bits == 32 ? "ww=wwww" : "dd=dddd", ref_carry, &c, .body = body});
}

/* (s0, s1) * s2 + (s3, s4) to 96 bits, of which the upper 64 are given. */
static void ref_wide_product(const void *context, const uint64_t *in, uint64_t *out)
{
    (void)context;
    unsigned __int128 a = in[1] << 32 | in[0], c = in[4] << 32 | in[3];
    unsigned __int128 result = a * in[2] + c;
    out[0] = (uint32_t)(result >> 32);
    out[1] = (uint32_t)(result >> 64);
}

/* The carry out of three additions, the middle one setting it from a carry in. */
static void ref_chain(const void *context, const uint64_t *in, uint64_t *out)
{
    (void)context;
    unsigned __int128 a = (unsigned __int128)in[1] << 64 | in[0] << 32 | in[2];
    unsigned __int128 b = (unsigned __int128)in[3] << 64 | in[1] << 32 | in[0];
    out[0] = (uint32_t)((a + b) >> 64);
    out[1] = (uint32_t)((a - b) >> 64);
}

/* Lanes that do not add keep their carry. */
static void ref_kept_carry(const void *context, const uint64_t *in, uint64_t *out)
{
    (void)context;
    uint64_t sum = in[2] < in[3] ? in[2] + in[3] : in[0] + in[1];
    out[0] = (uint32_t)sum;
    out[1] = sum >> 32;
}

void integer_carry(void **state)
{
    (void)state;
    check_value(&(value_case){.opcode = "addc.u32",
                              .shape = "ww=wwww",
                              .reference = ref_kept_carry,
                              .body = ".reg .pred %q;\nsetp.lt.u32 %q, %s2, %s3;\n"
                                      "add.cc.u32 %d0, %s0, %s1;\n"
                                      "@%q add.cc.u32 %d0, %s2, %s3;\n"
                                      "addc.u32 %d1, 0, 0;"});
    static const char *const names[] = {"u32", "s32", "u64", "s64"};
    for (unsigned i = 0; i < 4; i++) {
        check_carry("add", names[i], i < 2 ? 32 : 64, false);
        check_carry("sub", names[i], i < 2 ? 32 : 64, true);
    }
    check_value(&(value_case){"addc.cc.u32", "ww=wwww", ref_chain,
                              .body = ".reg .b32 %x;\n"
                                      "add.cc.u32 %x, %s2, %s0;\n"
                                      "addc.cc.u32 %x, %s0, %s1;\n"
                                      "addc.u32 %d0, %s1, %s3;\n"
                                      "sub.cc.u32 %x, %s2, %s0;\n"
                                      "subc.cc.u32 %x, %s0, %s1;\n"
                                      "subc.u32 %d1, %s1, %s3;"});
    check_value(&(value_case){"madc.hi.cc.u32", "ww=wwwww", ref_wide_product,
                              .body = ".reg .b32 %x;\n"
                                      "mad.lo.cc.u32 %x, %s0, %s2, %s3;\n"
                                      "madc.hi.cc.u32 %d0, %s0, %s2, %s4;\n"
                                      "madc.hi.u32 %d1, %s1, %s2, 0;\n"
                                      "mad.lo.cc.u32 %d0, %s1, %s2, %d0;\n"
                                      "addc.u32 %d1, %d1, 0;"});
    check_value(&(value_case){"madc.lo.cc.u32", "ww=wwwww", ref_wide_product,
                              .body = ".reg .b32 %x, %y;\n"
                                      "mad.lo.cc.u32 %x, %s0, %s2, %s3;\n"
                                      "madc.lo.cc.u32 %d0, %s1, %s2, %s4;\n"
                                      "madc.hi.u32 %d1, %s1, %s2, 0;\n"
                                      "mul.hi.u32 %y, %s0, %s2;\n"
                                      "add.cc.u32 %d0, %d0, %y;\n"
                                      "addc.u32 %d1, %d1, 0;"});
}

/* Pairs of 16-bit integers. */
static uint64_t each_half(const void *context, const uint64_t *in, value_reference *one)
{
    uint64_t low[3] = {in[0] & 0xffff, in[1] & 0xffff, 0}, high[3] = {in[0] >> 16, in[1] >> 16, 0};
    uint64_t a, b;
    one(context, low, &a);
    one(context, high, &b);
    return (a & 0xffff) | (b & 0xffff) << 16;
}

#define PAIRS(name, one)                                                     \
    static void name(const void *context, const uint64_t *in, uint64_t *out) \
    {                                                                        \
        out[0] = each_half(context, in, one);                                \
    }
PAIRS(ref_add_pairs, ref_add)
PAIRS(ref_min_pairs, ref_min)
PAIRS(ref_max_pairs, ref_max)

void integer_pairs(void **state)
{
    (void)state;
    check("add.u16x2", "w=ww", ref_add_pairs, &types[0]);
    check("add.s16x2", "w=ww", ref_add_pairs, &types[1]);
    check("min.u16x2", "w=ww", ref_min_pairs, &types[0]);
    check("min.s16x2", "w=ww", ref_min_pairs, &types[1]);
    check("max.u16x2", "w=ww", ref_max_pairs, &types[0]);
    check("max.s16x2", "w=ww", ref_max_pairs, &types[1]);
}

/* Comparisons of integers. */
typedef struct comparison {
    const char *name;
    unsigned kind; /* bits of: less, equal, greater */
    bool as_unsigned;
} comparison;

static const comparison comparisons[] = {
    {"eq", 2, false}, {"ne", 5, false}, {"lt", 1, false}, {"le", 3, false}, {"gt", 4, false},
    {"ge", 6, false}, {"lo", 1, true},  {"ls", 3, true},  {"hi", 4, true},  {"hs", 6, true}};

typedef struct compare_context {
    const comparison *compare;
    integer_type type;
    char combine; /* & | ^ or 0 */
    uint32_t yes; /* of set */
} compare_context;

static uint64_t combined(char how, uint64_t result, uint64_t other)
{
    return how == '&'   ? result & other
           : how == '|' ? result | other
           : how == '^' ? result ^ other
                        : result;
}

static uint64_t compare(const compare_context *c, const uint64_t *in)
{
    integer_type t = c->type;
    if (c->compare->as_unsigned)
        t.is_signed = false;
    wide a = as(&t, in[0]), b = as(&t, in[1]);
    return c->compare->kind >> (a < b ? 0 : a == b ? 1 : 2) & 1;
}

static void ref_setp(const void *context, const uint64_t *in, uint64_t *out)
{
    const compare_context *c = context;
    uint64_t result = compare(c, in);
    out[0] = combined(c->combine, result, in[2]);
    out[1] = combined(c->combine, !result, in[2]);
}

static void ref_set(const void *context, const uint64_t *in, uint64_t *out)
{
    const compare_context *c = context;
    out[0] = combined(c->combine, compare(c, in), in[2]) ? c->yes : 0;
}

static void check_setp(const comparison *compare, const integer_type *t)
{
    static const struct {
        const char *name;
        char how;
        char last;
    } combines[] = {{"", 0, 0}, {".and", '&', 'p'}, {".or", '|', 'n'}, {".xor", '^', 'p'}};
    for (unsigned i = 0; i < 4; i++) {
        char opcode[40];
        char shape[8] = {'p', 'p', '=', t->kind, t->kind, combines[i].last};
        compare_context c = {compare, *t, combines[i].how, 0};
        snprintf(opcode, sizeof(opcode), "setp.%s%s.%s", compare->name, combines[i].name, t->name);
        check(opcode, i & 1 ? shape + 1 : shape, ref_setp, &c);
    }
}

static void check_set(const comparison *compare, const integer_type *t)
{
    static const struct {
        const char *name;
        uint32_t yes;
    } results[] = {{"u32", UINT32_MAX}, {"s32", UINT32_MAX}, {"f32", 0x3f800000}};
    for (unsigned i = 0; i < 3; i++) {
        char opcode[40], shape[8] = {'w', '=', t->kind, t->kind, i == 1 ? 'p' : 0};
        compare_context c = {compare, *t, i == 1 ? '&' : 0, results[i].yes};
        snprintf(opcode, sizeof(opcode), "set.%s%s.%s.%s", compare->name, i == 1 ? ".and" : "",
                 results[i].name, t->name);
        check(opcode, shape, ref_set, &c);
    }
}

void comparisons_of_integers(void **state)
{
    (void)state;
    static const integer_type untyped[] = {
        {"b16", 'h', 16, false}, {"b32", 'w', 32, false}, {"b64", 'd', 64, false}};
    for (size_t i = 0; i < sizeof(comparisons) / sizeof(comparisons[0]); i++) {
        for (size_t t = 0; t < TYPE_COUNT; t += comparisons[i].as_unsigned ? 2 : 1)
            check_setp(&comparisons[i], &types[t]);
        for (size_t t = 0; t < 3 && i < 2; t++)
            check_setp(&comparisons[i], &untyped[t]);
        check_set(&comparisons[i], &types[comparisons[i].as_unsigned ? 2 : i % TYPE_COUNT]);
    }
}
