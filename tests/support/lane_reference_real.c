#include "support/lane_reference.h"
#include "support/soft_real.h"

static uint64_t sign_of(const soft_format *f)
{
    return (uint64_t)1 << (f->bits - 1);
}

static uint64_t type_bits(const soft_format *f, uint64_t element)
{
    return f->bits == 64 ? element : element & (((uint64_t)1 << f->bits) - 1);
}

/* A bit pattern with a subnormal made a signed zero if the form says so. */
static uint64_t flushed(const soft_format *f, uint32_t flags, uint64_t bits)
{
    const uint64_t least_normal = (uint64_t)1 << (f->precision - 1);
    const bool tiny = (bits & ~sign_of(f)) < least_normal;
    return flags & WW_FLAG_FTZ && tiny ? bits & sign_of(f) : bits;
}

/* What .sat, .relu and .ftz do to a result. */
static uint64_t ended(const soft_format *f, uint32_t flags, uint64_t bits)
{
    const soft_real v = soft_unpack(f, bits), one = soft_integer(false, 1);
    const bool negative = v.negative && v.kind != SOFT_NAN;
    if (flags & WW_FLAG_SAT && (negative || v.kind == SOFT_NAN))
        return 0;
    if (flags & WW_FLAG_SAT && soft_compare(v, one) == 1)
        return soft_pack(f, one, WW_ROUND_RN);
    if (flags & WW_FLAG_RELU && negative)
        return 0;
    return flushed(f, flags, bits);
}

static bool arithmetic(const ww_form *form, soft_real x, soft_real y, soft_real z, soft_real *r)
{
    const ww_round round = form->round ? form->round : WW_ROUND_RN;
    switch (form->op) {
    case WW_OP_ADD: *r = soft_add(x, y, round); return true;
    case WW_OP_SUB: *r = soft_add(x, soft_negate(y), round); return true;
    case WW_OP_MUL: *r = soft_multiply(x, y); return true;
    case WW_OP_MAD:
    case WW_OP_FMA: *r = soft_add(soft_multiply(x, y), z, round); return true;
    case WW_OP_DIV: *r = soft_divide(x, y); return true;
    case WW_OP_RCP: *r = soft_divide(soft_integer(false, 1), x); return true;
    case WW_OP_SQRT: *r = soft_root(x); return true;
    default: return false;
    }
}

static soft_real lesser(soft_real x, soft_real y)
{
    const int order = soft_compare(x, y);
    if (order == 2)
        return x.kind == SOFT_NAN ? y : x;
    return order == -1 || (order == 0 && x.negative) ? x : y;
}

static soft_real extreme(const ww_form *form, soft_real x, soft_real y)
{
    const bool negative = x.negative != y.negative;
    if (form->flags & WW_FLAG_NAN && soft_compare(x, y) == 2)
        return (soft_real){.kind = SOFT_NAN};
    if (form->flags & WW_FLAG_XORSIGN)
        x.negative = y.negative = false;
    soft_real r =
        form->op == WW_OP_MIN ? lesser(x, y) : soft_negate(lesser(soft_negate(x), soft_negate(y)));
    if (form->flags & WW_FLAG_XORSIGN)
        r.negative = negative;
    return r;
}

static bool holds(ww_compare compare, int order)
{
    static const uint8_t ordered[] = {WW_COMPARE_EQ, WW_COMPARE_NE, WW_COMPARE_LT,
                                      WW_COMPARE_LE, WW_COMPARE_GT, WW_COMPARE_GE};
    if (compare == WW_COMPARE_NUM || compare == WW_COMPARE_NAN)
        return (order == 2) == (compare == WW_COMPARE_NAN);
    if (compare >= WW_COMPARE_EQU)
        return order == 2 || holds(ordered[compare - WW_COMPARE_EQU], order);
    if (order == 2)
        return false;
    switch (compare) {
    case WW_COMPARE_EQ: return order == 0;
    case WW_COMPARE_NE: return order != 0;
    case WW_COMPARE_LT: return order < 0;
    case WW_COMPARE_LE: return order <= 0;
    case WW_COMPARE_GT: return order > 0;
    default: return order >= 0;
    }
}

static bool is_class(ww_variant class, const soft_format *f, soft_real v)
{
    const bool subnormal = v.kind == SOFT_FINITE && !(v.m >> (f->precision - 1));
    switch (class) {
    case WW_VARIANT_FINITE: return v.kind == SOFT_ZERO || v.kind == SOFT_FINITE;
    case WW_VARIANT_INFINITE: return v.kind == SOFT_INFINITE;
    case WW_VARIANT_NUMBER: return v.kind != SOFT_NAN;
    case WW_VARIANT_NOTANUMBER: return v.kind == SOFT_NAN;
    case WW_VARIANT_NORMAL: return v.kind == SOFT_ZERO || (v.kind == SOFT_FINITE && !subnormal);
    default: return subnormal;
    }
}

bool lane_reference_real(const ww_form *form, const lane_sources *in, lane_verdict *out)
{
    const soft_format *f = soft_format_of(form->op == WW_OP_SET ? form->type2 : form->type);
    if (!f)
        return false;
    const uint64_t a = flushed(f, form->flags, type_bits(f, in->a));
    const uint64_t b = flushed(f, form->flags, type_bits(f, in->b));
    const uint64_t c = flushed(f, form->flags, type_bits(f, in->c));
    const soft_real x = soft_unpack(f, a), y = soft_unpack(f, b), z = soft_unpack(f, c);
    const ww_round round = form->round ? form->round : WW_ROUND_RN;
    soft_real r;
    if (arithmetic(form, x, y, z, &r)) {
        out->d = ended(f, form->flags, soft_pack(f, r, round));
        return true;
    }
    switch (form->op) {
    case WW_OP_MIN:
    case WW_OP_MAX: out->d = soft_pack(f, extreme(form, x, y), round); return true;
    case WW_OP_ABS: out->d = a & ~sign_of(f); return true;
    case WW_OP_NEG: out->d = a ^ sign_of(f); return true;
    case WW_OP_COPYSIGN: out->d = (a & sign_of(f)) | (b & ~sign_of(f)); return true;
    case WW_OP_TESTP: out->d = is_class(form->variant, f, x); return true;
    case WW_OP_SETP:
    case WW_OP_SET: out->d = holds(form->compare, soft_compare(x, y)); return true;
    default: return false;
    }
}
