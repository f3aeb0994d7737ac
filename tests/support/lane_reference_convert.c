#include "support/lane_reference.h"
#include "support/soft_real.h"

static soft_real source(ww_type type, uint32_t flags, uint64_t element)
{
    const soft_format *f = soft_format_of(type);
    if (!f) {
        const lane_integer v = lane_integer_of(type, element);
        return soft_integer(v < 0, (uint64_t)(v < 0 ? -v : v));
    }
    soft_real v =
        soft_unpack(f, f->bits == 64 ? element : element & (((uint64_t)1 << f->bits) - 1));
    if (type == WW_TYPE_F32 && flags & WW_FLAG_FTZ && v.kind == SOFT_FINITE && v.m < 0x800000)
        v.kind = SOFT_ZERO, v.m = 0;
    return v;
}

static uint64_t to_integer(ww_type type, ww_type from, soft_real v)
{
    const unsigned bits = ww_type_bits(type);
    if (v.kind == SOFT_NAN && (from == WW_TYPE_F64 || bits == 64))
        return lane_element(type, lane_integer_of(type, (uint64_t)1 << (bits - 1)));
    if (v.kind == SOFT_NAN || v.kind == SOFT_ZERO)
        return 0;
    const bool huge = v.kind == SOFT_INFINITE || v.e > 64 || v.m >> (v.e > 0 ? 70 - v.e : 70);
    lane_integer value = huge ? (lane_integer)1 << 70 : (lane_integer)(v.m << v.e);
    value = v.negative ? -value : value;
    const lane_integer least = lane_least(type), most = lane_most(type);
    return lane_element(type, value < least ? least : value > most ? most : value);
}

/* .sat and .relu on the source, which for values of [0, 1] is the same as on the result. */
static soft_real limited(soft_real v, uint32_t flags)
{
    const bool nan = v.kind == SOFT_NAN;
    if (flags & WW_FLAG_SAT && (nan || v.negative))
        return soft_integer(false, 0);
    if (flags & WW_FLAG_SAT && soft_compare(v, soft_integer(false, 1)) == 1)
        return soft_integer(false, 1);
    return flags & WW_FLAG_RELU && !nan && v.negative ? soft_integer(false, 0) : v;
}

bool lane_reference_convert(const ww_form *form, const lane_sources *in, lane_verdict *out)
{
    const ww_type to = form->type, from = form->type2;
    const soft_format *f = soft_format_of(to);
    soft_real v = source(from, form->flags, in->a);
    if (form->round >= WW_ROUND_RNI)
        v = soft_integral(v, form->round);
    if (!f && !ww_type_is_float(from)) {
        lane_integer value = lane_integer_of(from, in->a);
        if (form->flags & WW_FLAG_SAT)
            value = value < lane_least(to)  ? lane_least(to)
                    : value > lane_most(to) ? lane_most(to)
                                            : value;
        out->d = lane_element(to, value);
        return true;
    }
    if (!f) {
        out->d = to_integer(to, from, v);
        return true;
    }
    const bool has_direction = form->round >= WW_ROUND_RN && form->round <= WW_ROUND_RP;
    out->d = soft_pack(f, limited(v, form->flags), has_direction ? form->round : WW_ROUND_RN);
    if (to == WW_TYPE_F32 && form->flags & WW_FLAG_FTZ && (out->d & 0x7fffffff) < 0x800000)
        out->d &= 0x80000000;
    return true;
}
