#include "support/lane_reference.h"
#include "support/soft_real.h"

#include <float.h>
#include <math.h>

/* A long double, exactly. */
static soft_real from_long_double(long double v)
{
    int e = 0;
    if (isnan(v))
        return (soft_real){.kind = SOFT_NAN};
    if (isinf(v))
        return (soft_real){.kind = SOFT_INFINITE, .negative = v < 0};
    const long double fraction = frexpl(fabsl(v), &e);
    const soft_real r = {SOFT_FINITE, signbit(v), (soft_bits)ldexpl(fraction, 64), e - 64};
    return r.m ? r : (soft_real){.kind = SOFT_ZERO, .negative = r.negative};
}

static bool function(ww_op op, long double x, long double y, long double *r)
{
    switch (op) {
    case WW_OP_RCP: *r = 1 / x; return true;
    case WW_OP_SQRT: *r = sqrtl(x); return true;
    case WW_OP_RSQRT: *r = 1 / sqrtl(x); return true;
    case WW_OP_SIN: *r = sinl(x); return true;
    case WW_OP_COS: *r = cosl(x); return true;
    case WW_OP_LG2: *r = log2l(x); return true;
    case WW_OP_EX2: *r = exp2l(x); return true;
    case WW_OP_TANH: *r = tanhl(x); return true;
    case WW_OP_DIV: *r = x / y; return true;
    default: return false;
    }
}

/* div.approx for a divisor beyond 2^126, as the manual has it. */
static bool huge_divisor(const ww_form *form, long double x, long double y, long double *r)
{
    if (form->op != WW_OP_DIV || !(form->flags & WW_FLAG_APPROX) || isnan(x) || isnan(y) ||
        fabsl(y) <= 0x1p126L || isinf(y))
        return false;
    *r = isinf(x) ? (long double)NAN : copysignl(0.0L, x) * copysignl(1.0L, y);
    return true;
}

static uint64_t flushed(const soft_format *f, uint32_t flags, uint64_t bits)
{
    const uint64_t sign = (uint64_t)1 << (f->bits - 1);
    const bool tiny = (bits & ~sign) < (uint64_t)1 << (f->precision - 1);
    return flags & WW_FLAG_FTZ && tiny ? bits & sign : bits;
}

bool lane_reference_approx(const ww_form *form, const lane_sources *in, lane_verdict *out)
{
    const soft_format *f = soft_format_of(form->type);
    const bool gross = form->type == WW_TYPE_F64 && form->flags & WW_FLAG_FTZ;
    const uint64_t ones = f->bits == 64 ? UINT64_MAX : ((uint64_t)1 << f->bits) - 1;
    uint64_t a = in->a & ones;
    if (gross && soft_unpack(f, a).kind == SOFT_FINITE)
        a &= 0xffffffff00000000;
    const long double x = soft_long_double(soft_unpack(f, flushed(f, form->flags, a)));
    const long double y = soft_long_double(soft_unpack(f, flushed(f, form->flags, in->b & ones)));
    long double r;
    if (!huge_divisor(form, x, y, &r) && !function(form->op, x, y, &r))
        return false;
    const uint64_t near = soft_pack(f, from_long_double(r), WW_ROUND_RN);
    out->d = flushed(f, form->flags, gross ? near & 0xffffffff00000000 : near);
    out->slack = isnan(r) || isinf(r) || r == 0 ? 0 : gross ? 1ull << 32 : 1;
    return true;
}
