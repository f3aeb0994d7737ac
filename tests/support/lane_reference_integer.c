#include "support/lane_reference.h"

/* The high half of a 64 by 64 bit product, from 32-bit parts. */
static uint64_t high_product(uint64_t x, uint64_t y)
{
    const uint64_t x0 = (uint32_t)x, x1 = x >> 32, y0 = (uint32_t)y, y1 = y >> 32;
    const uint64_t middle = x1 * y0 + (x0 * y0 >> 32);
    return x1 * y1 + (middle >> 32) + ((x0 * y1 + (uint32_t)middle) >> 32);
}

/* The product that mul and mad start from: its low half, high half or all of it. */
static lane_integer product(const ww_form *form, const lane_sources *in)
{
    const ww_type t = form->type;
    const lane_integer x = lane_integer_of(t, in->a), y = lane_integer_of(t, in->b);
    if (ww_type_bits(t) == 64) {
        const uint64_t ux = in->a, uy = in->b;
        if (form->variant != WW_VARIANT_HI)
            return (lane_integer)(ux * uy);
        const uint64_t high = high_product(ux, uy);
        if (!ww_type_is_signed(t))
            return (lane_integer)high;
        return (lane_integer)(high - (x < 0 ? uy : 0) - (y < 0 ? ux : 0));
    }
    if (form->variant == WW_VARIANT_HI) {
        const lane_integer unit = (lane_integer)1 << ww_type_bits(t);
        const lane_integer all = x * y;
        return (all - ((all % unit) + unit) % unit) / unit;
    }
    return x * y;
}

static lane_integer clamped(ww_type type, lane_integer v)
{
    return v < lane_least(type) ? lane_least(type) : v > lane_most(type) ? lane_most(type) : v;
}

static bool finish(const ww_form *form, lane_integer value, lane_verdict *out)
{
    const bool limited = form->flags & WW_FLAG_SAT;
    out->d = lane_element(form->type, limited ? clamped(form->type, value) : value);
    return true;
}

static uint64_t wide_element(ww_type type, lane_integer value)
{
    return ww_type_bits(type) == 16 ? (uint64_t)(uint32_t)value : (uint64_t)value;
}

/* add, sub, mad and their carrying forms, as sums of non-negative numbers below 2^bits. */
static bool carried(const ww_form *form, const lane_sources *in, lane_verdict *out)
{
    const lane_integer range = (lane_integer)1 << ww_type_bits(form->type);
    const bool takes = form->op == WW_OP_ADDC || form->op == WW_OP_SUBC || form->op == WW_OP_MADC;
    const lane_integer carry = takes ? (lane_integer)in->e : 0;
    lane_integer value;
    if (form->op == WW_OP_SUB || form->op == WW_OP_SUBC)
        value = (lane_integer)in->a - (lane_integer)in->b - carry;
    else if (form->op == WW_OP_ADD || form->op == WW_OP_ADDC)
        value = (lane_integer)in->a + (lane_integer)in->b + carry;
    else
        value = ((product(form, in) % range) + range) % range + (lane_integer)in->c + carry;
    out->d = lane_element(form->type, value);
    out->writes_carry = form->flags & WW_FLAG_CC;
    out->carry = value < 0 || value >= range;
    return true;
}

static lane_integer low24(ww_type type, uint64_t v)
{
    const lane_integer low = (lane_integer)(v % 0x1000000);
    return ww_type_is_signed(type) && low >= 0x800000 ? low - 0x1000000 : low;
}

static bool multiply24(const ww_form *form, const lane_sources *in, lane_verdict *out)
{
    const lane_integer all = low24(form->type, in->a) * low24(form->type, in->b);
    const int64_t part = form->variant == WW_VARIANT_HI ? (int64_t)all >> 16 : (int64_t)all;
    if (form->op == WW_OP_MUL24)
        return finish(form, part, out);
    const lane_integer half = lane_integer_of(form->type, (uint64_t)part);
    return finish(form, half + lane_integer_of(form->type, in->c), out);
}

static bool quotient(const ww_form *form, lane_integer x, lane_integer y, lane_verdict *out)
{
    const lane_integer q = y == 0 ? -1 : x / y;
    return finish(form, form->op == WW_OP_DIV ? q : y == 0 ? x : x - q * y, out);
}

static bool extreme(const ww_form *form, lane_integer x, lane_integer y, lane_verdict *out)
{
    const lane_integer chosen = (x < y) == (form->op == WW_OP_MIN) ? x : y;
    return finish(form, form->flags & WW_FLAG_RELU && chosen < 0 ? 0 : chosen, out);
}

static bool dot(const ww_form *form, const lane_sources *in, lane_verdict *out)
{
    const ww_type bytes_a = ww_type_is_signed(form->type) ? WW_TYPE_S8 : WW_TYPE_U8;
    const ww_type halves_a = ww_type_is_signed(form->type) ? WW_TYPE_S16 : WW_TYPE_U16;
    const ww_type bytes_b = ww_type_is_signed(form->type2) ? WW_TYPE_S8 : WW_TYPE_U8;
    lane_integer sum = (lane_integer)in->c;
    if (form->op == WW_OP_DP4A)
        for (int i = 0; i < 32; i += 8)
            sum += lane_integer_of(bytes_a, in->a >> i) * lane_integer_of(bytes_b, in->b >> i);
    else
        for (int i = 0; i < 2; i++)
            sum += lane_integer_of(halves_a, in->a >> 16 * i) *
                   lane_integer_of(bytes_b,
                                   in->b >> (8 * i + (form->variant == WW_VARIANT_HI ? 16 : 0)));
    out->d = lane_element(WW_TYPE_U32, sum);
    return true;
}

static bool distances(const ww_form *form, const lane_sources *in, lane_verdict *out)
{
    const int bits = form->op == WW_OP_VABSDIFF2 ? 16 : 8;
    const uint64_t mask = (1u << bits) - 1;
    uint64_t parts = 0, sum = in->c;
    for (int i = 0; i < 32; i += bits) {
        const uint64_t x = in->a >> i & mask, y = in->b >> i & mask,
                       distance = x > y ? x - y : y - x;
        parts |= distance << i;
        sum += distance;
    }
    out->d = lane_element(WW_TYPE_U32, form->variant == WW_VARIANT_SUM ? sum : parts);
    return form->type == WW_TYPE_U32;
}

/* Three-way results of a compare, for integers and reals alike: order is -1, 0, 1 or 2 (NaN). */
static bool holds(ww_compare compare, int order)
{
    switch (compare) {
    case WW_COMPARE_EQ: return order == 0;
    case WW_COMPARE_NE: return order == -1 || order == 1;
    case WW_COMPARE_LT:
    case WW_COMPARE_LO: return order == -1;
    case WW_COMPARE_LE:
    case WW_COMPARE_LS: return order == -1 || order == 0;
    case WW_COMPARE_GT:
    case WW_COMPARE_HI: return order == 1;
    case WW_COMPARE_GE:
    case WW_COMPARE_HS: return order == 1 || order == 0;
    default: return false;
    }
}

static bool compared(const ww_form *form, const lane_sources *in, lane_verdict *out)
{
    const ww_type t = form->op == WW_OP_SET ? form->type2 : form->type;
    if (ww_type_is_float(t))
        return false;
    const lane_integer x = lane_integer_of(t, in->a), y = lane_integer_of(t, in->b);
    out->d = holds(form->compare, x < y ? -1 : x > y);
    return true;
}

bool lane_reference_integer(const ww_form *form, const lane_sources *in, lane_verdict *out)
{
    const ww_type t = form->type;
    if (form->op == WW_OP_SETP || form->op == WW_OP_SET)
        return compared(form, in, out);
    if (ww_type_is_float(t))
        return false;
    const lane_integer x = lane_integer_of(t, in->a), y = lane_integer_of(t, in->b);
    const lane_integer z = lane_integer_of(t, in->c);
    const bool wide = form->variant == WW_VARIANT_WIDE;
    const bool carries = form->flags & WW_FLAG_CC || form->op == WW_OP_ADDC ||
                         form->op == WW_OP_SUBC || form->op == WW_OP_MADC;
    if (carries)
        return carried(form, in, out);
    switch (form->op) {
    case WW_OP_ADD: return finish(form, x + y, out);
    case WW_OP_SUB: return finish(form, x - y, out);
    case WW_OP_MUL:
        out->d = wide_element(t, product(form, in));
        return wide || finish(form, product(form, in), out);
    case WW_OP_MAD:
        out->d = wide_element(t, product(form, in) + (lane_integer)in->c);
        return wide || finish(form, lane_integer_of(t, (uint64_t)product(form, in)) + z, out);
    case WW_OP_MUL24:
    case WW_OP_MAD24: return multiply24(form, in, out);
    case WW_OP_SAD: return finish(form, z + (x > y ? x - y : y - x), out);
    case WW_OP_DIV:
    case WW_OP_REM: return quotient(form, x, y, out);
    case WW_OP_MIN:
    case WW_OP_MAX: return extreme(form, x, y, out);
    case WW_OP_ABS: return finish(form, x < 0 ? -x : x, out);
    case WW_OP_NEG: return finish(form, -x, out);
    case WW_OP_DP4A:
    case WW_OP_DP2A: return dot(form, in, out);
    case WW_OP_VABSDIFF2:
    case WW_OP_VABSDIFF4: return distances(form, in, out);
    default: return false;
    }
}
