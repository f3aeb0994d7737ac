/* f32 and f64 arithmetic in all rounding modes, with .ftz and .sat. */
#include "opcodes.h"

#include "reals.h"

#include <fenv.h>
#include <math.h>
#include <string.h>

/* One float operation for both types; `ftz` and `sat` apply to f32. */
typedef struct float_context {
    bool is_double, ftz, sat;
    double (*f64)(double, double, double);
    float (*f32)(float, float, float);
} float_context;

/* The operations, computed at run time in the rounding mode that is set. */
#define OPERATION(name, expression32, expression64)        \
    static float name##_f32(float x, float y, float z)     \
    {                                                      \
        volatile float a = x, b = y, c = z;                \
        (void)a, (void)b, (void)c;                         \
        return expression32;                               \
    }                                                      \
    static double name##_f64(double x, double y, double z) \
    {                                                      \
        volatile double a = x, b = y, c = z;               \
        (void)a, (void)b, (void)c;                         \
        return expression64;                               \
    }
OPERATION(add, a + b, a + b)
OPERATION(sub, a - b, a - b)
OPERATION(mul, a *b, a *b)
OPERATION(fma, fmaf(a, b, c), fma(a, b, c))
OPERATION(div, a / b, a / b)
OPERATION(rcp, 1 / a, 1 / a)
OPERATION(sqrt, sqrtf(a), sqrt(a))

static uint64_t saturated(uint64_t bits)
{
    float v = f32_of(bits);
    return isnan(v) || v <= 0 ? 0 : v > 1 ? bits_of_f32(1) : bits;
}

static void ref_float(const void *context, const uint64_t *in, uint64_t *out)
{
    const float_context *c = context;
    if (c->is_double) {
        out[0] = bits_of_f64(c->f64(f64_of(in[0]), f64_of(in[1]), f64_of(in[2])));
        return;
    }
    uint64_t s[3];
    for (unsigned i = 0; i < 3; i++)
        s[i] = c->ftz ? flushed(in[i]) : in[i];
    uint64_t result = bits_of_f32(c->f32(f32_of(s[0]), f32_of(s[1]), f32_of(s[2])));
    result = c->ftz ? flushed(result) : result;
    out[0] = c->sat ? saturated(result) : result;
}

typedef struct operation {
    const char *name;
    unsigned sources;
    bool plain;     /* exists without a rounding, which then is .rn */
    bool saturates; /* exists with .sat */
    double (*f64)(double, double, double);
    float (*f32)(float, float, float);
} operation;

static const struct {
    const char *name;
    int mode;
} roundings[] = {{"", FE_TONEAREST},
                 {".rn", FE_TONEAREST},
                 {".rz", FE_TOWARDZERO},
                 {".rm", FE_DOWNWARD},
                 {".rp", FE_UPWARD}};

static void check_form(const operation *o, unsigned rounding, bool is_double, bool ftz, bool sat)
{
    char opcode[60], shape[8];
    float_context c = {is_double, ftz, sat, o->f64, o->f32};
    snprintf(opcode, sizeof(opcode), "%s%s%s%s.%s", o->name, roundings[rounding].name,
             ftz ? ".ftz" : "", sat ? ".sat" : "", is_double ? "f64" : "f32");
    snprintf(shape, sizeof(shape), "%c=%.*s", is_double ? 'g' : 'f', (int)o->sources,
             is_double ? "ggg" : "fff");
    check_value(&(value_case){.opcode = opcode,
                              .shape = shape,
                              .reference = ref_float,
                              .context = &c,
                              .rounding = roundings[rounding].mode});
}

void float_arithmetic(void **state)
{
    (void)state;
    static const operation operations[] = {
        {"add", 2, true, true, add_f64, add_f32},   {"sub", 2, true, true, sub_f64, sub_f32},
        {"mul", 2, true, true, mul_f64, mul_f32},   {"fma", 3, false, true, fma_f64, fma_f32},
        {"mad", 3, true, true, fma_f64, fma_f32},   {"div", 2, false, false, div_f64, div_f32},
        {"rcp", 1, false, false, rcp_f64, rcp_f32}, {"sqrt", 1, false, false, sqrt_f64, sqrt_f32}};
    for (size_t i = 0; i < sizeof(operations) / sizeof(operations[0]); i++)
        for (unsigned r = operations[i].plain ? 0 : 1; r < 5; r++) {
            check_form(&operations[i], r, true, false, false);
            for (int f = 0; f < (operations[i].saturates ? 4 : 2); f++)
                check_form(&operations[i], r, false, f & 1, f >> 1);
        }
}

/* min, max: a NaN loses against a number, and -0 is below +0. */
typedef struct extreme_context {
    bool is_double, greatest, ftz, nan, xorsign;
} extreme_context;

static uint64_t magnitude(uint64_t bits)
{
    return bits & 0x7fffffff;
}

static uint64_t extreme32(const extreme_context *c, uint64_t a, uint64_t b)
{
    uint64_t sign = (a ^ b) & 0x80000000;
    if (c->xorsign) {
        a = magnitude(a);
        b = magnitude(b);
    }
    float x = f32_of(a), y = f32_of(b);
    if (isnan(x) || isnan(y)) {
        if (c->nan || (isnan(x) && isnan(y)))
            return 0x7fffffff;
        a = isnan(x) ? b : a;
    } else if (x == y) {
        a = c->greatest == !(a >> 31) ? a : b; /* for zeros of two signs */
    } else if ((x < y) == c->greatest) {
        a = b;
    }
    return c->xorsign ? a | sign : a;
}

static uint64_t extreme64(const extreme_context *c, uint64_t a, uint64_t b)
{
    double x = f64_of(a), y = f64_of(b);
    if (isnan(x))
        return b;
    if (isnan(y))
        return a;
    if (x == y)
        return c->greatest == !(a >> 63) ? a : b;
    return (x < y) == c->greatest ? b : a;
}

static void ref_extreme(const void *context, const uint64_t *in, uint64_t *out)
{
    const extreme_context *c = context;
    if (c->is_double)
        out[0] = extreme64(c, in[0], in[1]);
    else if (c->ftz)
        out[0] = extreme32(c, flushed(in[0]), flushed(in[1]));
    else
        out[0] = extreme32(c, in[0], in[1]);
}

static void check_extremes(void)
{
    for (unsigned i = 0; i < 16; i++) {
        char opcode[60];
        extreme_context c = {false, i & 1, i & 2, i & 4, i & 8};
        snprintf(opcode, sizeof(opcode), "%s%s%s%s.f32", c.greatest ? "max" : "min",
                 c.ftz ? ".ftz" : "", c.nan ? ".NaN" : "", c.xorsign ? ".xorsign.abs" : "");
        check(opcode, "f=ff", ref_extreme, &c);
    }
    check("min.f64", "g=gg", ref_extreme, &(extreme_context){.is_double = true});
    check("max.f64", "g=gg", ref_extreme, &(extreme_context){.is_double = true, .greatest = true});
}

#define REFERENCE(name, expression)                                          \
    static void name(const void *context, const uint64_t *in, uint64_t *out) \
    {                                                                        \
        (void)context;                                                       \
        out[0] = expression;                                                 \
    }
#define SIGN32 0x80000000ull
#define SIGN64 0x8000000000000000ull
REFERENCE(ref_abs32, in[0] & ~SIGN32)
REFERENCE(ref_abs32_ftz, flushed(in[0]) & ~SIGN32)
REFERENCE(ref_abs64, in[0] & ~SIGN64)
REFERENCE(ref_neg32, in[0] ^ SIGN32)
REFERENCE(ref_neg32_ftz, flushed(in[0]) ^ SIGN32)
REFERENCE(ref_neg64, in[0] ^ SIGN64)
REFERENCE(ref_copysign32, (in[0] & SIGN32) | (in[1] & ~SIGN32))
REFERENCE(ref_copysign64, (in[0] & SIGN64) | (in[1] & ~SIGN64))

void float_extremes_and_signs(void **state)
{
    (void)state;
    check_extremes();
    check("abs.f32", "f=f", ref_abs32, NULL);
    check("abs.ftz.f32", "f=f", ref_abs32_ftz, NULL);
    check("abs.f64", "g=g", ref_abs64, NULL);
    check("neg.f32", "f=f", ref_neg32, NULL);
    check("neg.ftz.f32", "f=f", ref_neg32_ftz, NULL);
    check("neg.f64", "g=g", ref_neg64, NULL);
    check("copysign.f32", "f=ff", ref_copysign32, NULL);
    check("copysign.f64", "g=gg", ref_copysign64, NULL);
}

/* testp. */
typedef struct class_context {
    int (*f32)(float);
    int (*f64)(double);
} class_context;

#define CLASS(name, expression)     \
    static int name##_f32(float v)  \
    {                               \
        return expression;          \
    }                               \
    static int name##_f64(double v) \
    {                               \
        return expression;          \
    }
CLASS(finite, isfinite(v) != 0)
CLASS(infinite, isinf(v) != 0)
CLASS(number, !isnan(v))
CLASS(notanumber, isnan(v) != 0)
CLASS(normal, isnormal(v) || v == 0) /* zeros are normal here (PTX ISA, testp) */
CLASS(subnormal, fpclassify(v) == FP_SUBNORMAL)

static void ref_class32(const void *context, const uint64_t *in, uint64_t *out)
{
    out[0] = (uint64_t)((const class_context *)context)->f32(f32_of(in[0]));
}

static void ref_class64(const void *context, const uint64_t *in, uint64_t *out)
{
    out[0] = (uint64_t)((const class_context *)context)->f64(f64_of(in[0]));
}

void float_classes(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        class_context context;
    } classes[] = {
        {"finite", {finite_f32, finite_f64}}, {"infinite", {infinite_f32, infinite_f64}},
        {"number", {number_f32, number_f64}}, {"notanumber", {notanumber_f32, notanumber_f64}},
        {"normal", {normal_f32, normal_f64}}, {"subnormal", {subnormal_f32, subnormal_f64}}};
    for (unsigned i = 0; i < 6; i++) {
        char opcode[40];
        snprintf(opcode, sizeof(opcode), "testp.%s.f32", classes[i].name);
        check(opcode, "p=f", ref_class32, &classes[i].context);
        snprintf(opcode, sizeof(opcode), "testp.%s.f64", classes[i].name);
        check(opcode, "p=g", ref_class64, &classes[i].context);
    }
}

/* Comparisons: bits of less, equal, greater, unordered. */
typedef struct compare_context {
    unsigned kind;
    bool ftz;
    char combine;
    uint32_t yes;
} compare_context;

static const struct {
    const char *name;
    unsigned kind;
} comparisons[] = {{"eq", 2},   {"ne", 5},   {"lt", 1},   {"le", 3},  {"gt", 4},
                   {"ge", 6},   {"equ", 10}, {"neu", 13}, {"ltu", 9}, {"leu", 11},
                   {"gtu", 12}, {"geu", 14}, {"num", 7},  {"nan", 8}};

static uint64_t compare(const compare_context *c, double a, double b)
{
    unsigned relation = isnan(a) || isnan(b) ? 3 : a < b ? 0 : a == b ? 1 : 2;
    return c->kind >> relation & 1;
}

static uint64_t combined(char how, uint64_t result, uint64_t other)
{
    return how == '&'   ? result & other
           : how == '|' ? result | other
           : how == '^' ? result ^ other
                        : result;
}

static uint64_t compare32(const compare_context *c, const uint64_t *in)
{
    if (c->ftz)
        return compare(c, f32_of(flushed(in[0])), f32_of(flushed(in[1])));
    return compare(c, f32_of(in[0]), f32_of(in[1]));
}

static void ref_setp32(const void *context, const uint64_t *in, uint64_t *out)
{
    const compare_context *c = context;
    uint64_t result = compare32(c, in);
    out[0] = combined(c->combine, result, in[2]);
    out[1] = combined(c->combine, !result, in[2]);
}

static void ref_setp64(const void *context, const uint64_t *in, uint64_t *out)
{
    const compare_context *c = context;
    uint64_t result = compare(c, f64_of(in[0]), f64_of(in[1]));
    out[0] = combined(c->combine, result, in[2]);
    out[1] = combined(c->combine, !result, in[2]);
}

static void ref_set32(const void *context, const uint64_t *in, uint64_t *out)
{
    const compare_context *c = context;
    out[0] = compare32(c, in) ? c->yes : 0;
}

static void ref_set64(const void *context, const uint64_t *in, uint64_t *out)
{
    const compare_context *c = context;
    out[0] = compare(c, f64_of(in[0]), f64_of(in[1])) ? c->yes : 0;
}

static void check_comparison(const char *name, unsigned kind)
{
    static const char *const combines[] = {"", ".and", ".or", ".xor"};
    char opcode[60];
    for (unsigned i = 0; i < 4; i++) {
        compare_context c = {kind, false, " &|^"[i], 0};
        snprintf(opcode, sizeof(opcode), "setp.%s%s.f32", name, combines[i]);
        check(opcode, i ? "p=ffn" : "p=ff", ref_setp32, &c);
        snprintf(opcode, sizeof(opcode), "setp.%s%s.f64", name, combines[i]);
        check(opcode, i ? "pp=ggp" : "pp=gg", ref_setp64, &c);
        c.ftz = true;
        snprintf(opcode, sizeof(opcode), "setp.%s%s.ftz.f32", name, combines[i]);
        check(opcode, i ? "pp=ffp" : "pp=ff", ref_setp32, &c);
    }
    snprintf(opcode, sizeof(opcode), "set.%s.u32.f32", name);
    check(opcode, "w=ff", ref_set32, &(compare_context){kind, false, 0, UINT32_MAX});
    snprintf(opcode, sizeof(opcode), "set.%s.ftz.f32.f32", name);
    check(opcode, "w=ff", ref_set32, &(compare_context){kind, true, 0, 0x3f800000});
    snprintf(opcode, sizeof(opcode), "set.%s.s32.f64", name);
    check(opcode, "w=gg", ref_set64, &(compare_context){kind, false, 0, UINT32_MAX});
}

void comparisons_of_floats(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(comparisons) / sizeof(comparisons[0]); i++)
        check_comparison(comparisons[i].name, comparisons[i].kind);
}
