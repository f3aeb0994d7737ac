/* cvt between integers, floats and halves. */
#include "opcodes.h"

#include "reals.h"

#include <fenv.h>
#include <math.h>
#include <string.h>

typedef struct number_type {
    const char *name;
    unsigned bits;
    bool is_signed;
    char kind; /* of a register that just holds it */
    const real_format *half;
} number_type;

static const number_type integers[] = {{"u8", 8, false, 'h', NULL},   {"s8", 8, true, 'h', NULL},
                                       {"u16", 16, false, 'h', NULL}, {"s16", 16, true, 'h', NULL},
                                       {"u32", 32, false, 'w', NULL}, {"s32", 32, true, 'w', NULL},
                                       {"u64", 64, false, 'd', NULL}, {"s64", 64, true, 'd', NULL}};
static const number_type floats[] = {{"f16", 16, true, 'x', &format_f16},
                                     {"bf16", 16, true, 'b', &format_bf16},
                                     {"f32", 32, true, 'f', NULL},
                                     {"f64", 64, true, 'g', NULL}};

typedef struct conversion {
    const number_type *to, *from;
    bool ftz, sat;
} conversion;

typedef __int128 wide;

static wide integer_value(const number_type *t, uint64_t bits)
{
    bits <<= 64 - t->bits;
    return t->is_signed ? (wide)((int64_t)bits >> (64 - t->bits)) : (wide)(bits >> (64 - t->bits));
}

static wide least(const number_type *t)
{
    return t->is_signed ? -((wide)1 << (t->bits - 1)) : 0;
}

static wide most(const number_type *t)
{
    return ((wide)1 << (t->bits - t->is_signed)) - 1;
}

static wide clamped(const number_type *t, wide value)
{
    return value < least(t) ? least(t) : value > most(t) ? most(t) : value;
}

/* A result narrower than its register is extended to it. */
static uint64_t in_register(const number_type *t, wide value)
{
    return (uint64_t)integer_value(t, (uint64_t)value);
}

static void ref_integers(const void *context, const uint64_t *in, uint64_t *out)
{
    const conversion *c = context;
    wide value = integer_value(c->from, in[0]);
    out[0] = in_register(c->to, c->sat ? clamped(c->to, value) : value);
}

static void check_conversion(const conversion *c, const char *rounding, int mode,
                             value_reference *reference, const char *shape)
{
    char opcode[60];
    snprintf(opcode, sizeof(opcode), "cvt%s%s%s.%s.%s", rounding, c->ftz ? ".ftz" : "",
             c->sat ? ".sat" : "", c->to->name, c->from->name);
    check_value(&(value_case){
        .opcode = opcode, .shape = shape, .reference = reference, .context = c, .rounding = mode});
}

/* Each pair in registers that fit, and in wider ones. */
static void check_integers(const number_type *to, const number_type *from, bool sat)
{
    static const char kinds[] = {'h', 'w', 'd'};
    conversion c = {to, from, false, sat};
    for (unsigned i = 0; i < 9; i++) {
        unsigned to_bits = 16u << i / 3, from_bits = 16u << i % 3;
        char shape[4] = {kinds[i / 3], '=', kinds[i % 3]};
        if (to_bits >= to->bits && from_bits >= from->bits)
            check_conversion(&c, "", FE_TONEAREST, ref_integers, shape);
    }
}

void conversions_between_integers(void **state)
{
    (void)state;
    for (unsigned to = 0; to < 8; to++)
        for (unsigned from = 0; from < 8; from++) {
            check_integers(&integers[to], &integers[from], false);
            check_integers(&integers[to], &integers[from], true);
        }
}

static double float_value(const number_type *t, uint64_t bits, bool ftz)
{
    if (t->half)
        return value_of(t->half, bits);
    if (t->bits == 32)
        return f32_of(ftz ? flushed(bits) : bits);
    return f64_of(bits);
}

/* NaN is 0, or the sign bit alone where f64 or 64-bit integers are involved (PTX ISA 9.0, cvt). */
static void ref_to_integer(const void *context, const uint64_t *in, uint64_t *out)
{
    const conversion *c = context;
    double value = float_value(c->from, in[0], c->ftz);
    if (isnan(value)) {
        bool odd = c->from->bits == 64 || c->to->bits == 64;
        out[0] = odd ? in_register(c->to, (wide)1 << (c->to->bits - 1)) : 0;
        return;
    }
    value = nearbyint(value);
    wide whole = value > 0x1p64 ? (wide)1 << 65 : value < -0x1p64 ? -((wide)1 << 65) : (wide)value;
    out[0] = in_register(c->to, clamped(c->to, whole));
}

static const struct {
    const char *to_integer, *to_float;
    int mode;
} roundings[] = {{".rni", ".rn", FE_TONEAREST},
                 {".rzi", ".rz", FE_TOWARDZERO},
                 {".rmi", ".rm", FE_DOWNWARD},
                 {".rpi", ".rp", FE_UPWARD}};

void conversions_to_integers(void **state)
{
    (void)state;
    for (unsigned to = 0; to < 8; to++)
        for (unsigned from = 0; from < 4; from++)
            for (unsigned r = 0; r < 4; r++) {
                conversion c = {&integers[to], &floats[from], false, false};
                char shape[4] = {c.to->kind, '=', c.from->kind};
                check_conversion(&c, roundings[r].to_integer, roundings[r].mode, ref_to_integer,
                                 shape);
                if (from != 2)
                    continue;
                c.ftz = true;
                check_conversion(&c, roundings[r].to_integer, roundings[r].mode, ref_to_integer,
                                 shape);
            }
}

static uint64_t bits_of(const number_type *t, double value)
{
    if (t->half)
        return rounded_to(t->half, value);
    return t->bits == 32 ? rounded_to(&format_f32, value) : bits_of_f64(value);
}

/* Integers of 64 bits as a double that rounds to the type as they do: the low bits, when there are
 * too many, only matter in being there. */
static double stand_in(const number_type *to, wide value)
{
    bool negative = value < 0;
    uint64_t rest = (uint64_t)(negative ? -value : value);
    if (to->bits < 64 && rest >> 53)
        rest = (rest >> 12 | ((rest & 0xfff) != 0)) << 12;
    int mode = fegetround();
    double result;
    if (rest >> 53 && to->bits < 64) { /* 52 bits and a sticky one: exact */
        result = ldexp((double)(rest >> 12), 12);
    } else {
        fesetround(negative && mode == FE_DOWNWARD ? FE_UPWARD
                   : negative && mode == FE_UPWARD ? FE_DOWNWARD
                                                   : mode);
        volatile uint64_t at_run_time = rest;
        result = (double)at_run_time;
        fesetround(mode);
    }
    return negative ? -result : result;
}

static uint64_t saturated(const number_type *to, double value)
{
    return isnan(value) || value <= 0 ? 0 : bits_of(to, value > 1 ? 1 : value);
}

static void ref_from_integer(const void *context, const uint64_t *in, uint64_t *out)
{
    const conversion *c = context;
    double value = stand_in(c->to, integer_value(c->from, in[0]));
    out[0] = c->sat ? saturated(c->to, value) : bits_of(c->to, value);
}

void conversions_from_integers(void **state)
{
    (void)state;
    for (unsigned to = 0; to < 4; to++)
        for (unsigned from = 0; from < 8; from++)
            for (unsigned r = 0; r < (to == 1 ? 1 : 4); r++) {
                conversion c = {&floats[to], &integers[from], false, false};
                char shape[4] = {c.to->kind, '=', c.from->kind};
                check_conversion(&c, roundings[r].to_float, roundings[r].mode, ref_from_integer,
                                 shape);
                if (to != 2 || r)
                    continue;
                c.sat = true;
                check_conversion(&c, roundings[r].to_float, roundings[r].mode, ref_from_integer,
                                 shape);
            }
}

static uint64_t finished(const conversion *c, uint64_t result)
{
    bool single = c->to->bits == 32;
    if (single && c->ftz)
        result = flushed(result);
    if (!c->sat)
        return result;
    return saturated(c->to, float_value(c->to, result, false));
}

static void ref_floats(const void *context, const uint64_t *in, uint64_t *out)
{
    const conversion *c = context;
    out[0] = finished(c, bits_of(c->to, float_value(c->from, in[0], c->ftz)));
}

static void ref_integral(const void *context, const uint64_t *in, uint64_t *out)
{
    const conversion *c = context;
    double value = float_value(c->from, in[0], c->ftz);
    out[0] = finished(c, bits_of(c->to, nearbyint(value)));
}

/* All widths of floats to each other; the same width without a rounding is a copy. */
static void check_floats(const conversion *c)
{
    char shape[4] = {c->to->kind, '=', c->from->kind};
    if (c->to->bits > c->from->bits || c->to == c->from)
        check_conversion(c, "", FE_TONEAREST, ref_floats, shape);
    for (unsigned r = 0; r < 4 && c->to->bits < c->from->bits; r++)
        if (!(c->to->half == &format_bf16 && r > 1))
            check_conversion(c, roundings[r].to_float, roundings[r].mode, ref_floats, shape);
    for (unsigned r = 0; r < 4 && c->to == c->from && c->to->half != &format_bf16; r++)
        check_conversion(c, roundings[r].to_integer, roundings[r].mode, ref_integral, shape);
}

/* Two f32 to a pair of halves, the first in the upper one. */
typedef struct pair_conversion {
    const real_format *format;
    bool relu;
} pair_conversion;

static void ref_pair(const void *context, const uint64_t *in, uint64_t *out)
{
    const pair_conversion *c = context;
    out[0] = 0;
    for (unsigned i = 0; i < 2; i++) {
        double value = f32_of(in[1 - i]);
        if (c->relu && value <= 0)
            value = 0;
        out[0] |= rounded_to(c->format, value) << (16 * i);
    }
}

static void check_pairs(void)
{
    for (unsigned i = 0; i < 8; i++) {
        char opcode[60];
        pair_conversion c = {i & 1 ? &format_bf16 : &format_f16, i & 2};
        snprintf(opcode, sizeof(opcode), "cvt%s%s.%s.f32", i & 4 ? ".rz" : ".rn",
                 c.relu ? ".relu" : "", i & 1 ? "bf16x2" : "f16x2");
        check_value(&(value_case){.opcode = opcode,
                                  .shape = i & 1 ? "B=ff" : "X=ff",
                                  .reference = ref_pair,
                                  .context = &c,
                                  .rounding = i & 4 ? FE_TOWARDZERO : FE_TONEAREST});
    }
}

void conversions_between_floats(void **state)
{
    (void)state;
    for (unsigned to = 0; to < 4; to++)
        for (unsigned from = 0; from < 4; from++) {
            conversion c = {&floats[to], &floats[from], false, false};
            if (to < 2 && from < 2 && to != from)
                continue; /* there are none between f16 and bf16 */
            if (to == 1 && from == 3)
                continue;
            check_floats(&c);
            if (to < 2 || from < 2)
                continue;
            c.sat = true;
            check_floats(&c);
            c.ftz = to == 2 || from == 2;
            check_floats(&c);
            c.sat = false;
            check_floats(&c);
        }
    check_pairs();
}
