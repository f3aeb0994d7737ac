#include "support/lane_reference.h"

/* Bit by bit, as the PTX manual's pseudo-code. */
static bool bit(uint64_t v, unsigned at)
{
    return v >> at & 1;
}

static uint64_t shifted(const ww_form *form, const lane_sources *in)
{
    const unsigned width = ww_type_bits(form->type);
    const bool sign = ww_type_is_signed(form->type) && bit(in->a, width - 1);
    uint64_t d = 0;
    for (unsigned i = 0; i < width; i++) {
        const uint64_t from = form->op == WW_OP_SHL ? i - in->b : i + in->b;
        const bool inside = form->op == WW_OP_SHL ? in->b <= i : from < width;
        d |= (uint64_t)(inside ? bit(in->a, (unsigned)from) : sign) << i;
    }
    return lane_element(form->type, (lane_integer)d);
}

static uint64_t funnel(const ww_form *form, const lane_sources *in)
{
    const unsigned n = form->flags & WW_FLAG_WRAP ? in->c % 32 : in->c > 32 ? 32 : (unsigned)in->c;
    uint64_t d = 0;
    for (unsigned i = 0; i < 32; i++) {
        const unsigned from = form->variant == WW_VARIANT_L ? i + 32 - n : i + n;
        d |= (uint64_t)(from < 32 ? bit(in->a, from) : bit(in->b, from - 32)) << i;
    }
    return d;
}

static uint64_t extracted(const ww_form *form, const lane_sources *in)
{
    const unsigned most = ww_type_bits(form->type) - 1;
    const unsigned pos = in->b % 256, len = in->c % 256;
    const unsigned last = pos + len - 1 < most ? pos + len - 1 : most;
    const bool sign = ww_type_is_signed(form->type) && len && bit(in->a, last);
    uint64_t d = 0;
    for (unsigned i = 0; i <= most; i++)
        d |= (uint64_t)(i < len && pos + i <= most ? bit(in->a, pos + i) : sign) << i;
    return d;
}

static uint64_t inserted(const ww_form *form, const lane_sources *in)
{
    const unsigned most = ww_type_bits(form->type) - 1;
    const unsigned pos = in->c % 256, len = in->e % 256;
    uint64_t d = in->b;
    for (unsigned i = 0; i < len && pos + i <= most; i++)
        d = (d & ~((uint64_t)1 << (pos + i))) | (uint64_t)bit(in->a, i) << (pos + i);
    return d;
}

static uint64_t found(const ww_form *form, uint64_t v)
{
    const unsigned most = ww_type_bits(form->type) - 1;
    const bool sign = ww_type_is_signed(form->type) && bit(v, most);
    for (unsigned i = most + 1; i-- > 0;)
        if (bit(v, i) != sign)
            return form->flags & WW_FLAG_SHIFTAMT ? most - i : i;
    return UINT32_MAX;
}

static uint64_t nth_set(const lane_sources *in)
{
    const int32_t n = (int32_t)in->c;
    if (n == 0)
        return in->b < 32 && bit(in->a, (unsigned)in->b) ? in->b : UINT32_MAX;
    int64_t count = n > 0 ? n : -(int64_t)n;
    for (int64_t at = (int64_t)in->b; at >= 0 && at<32; at += n> 0 ? 1 : -1)
        if (bit(in->a, (unsigned)at) && --count == 0)
            return (uint64_t)at;
    return UINT32_MAX;
}

static uint64_t masked(const ww_form *form, const lane_sources *in)
{
    const bool wrap = form->flags & WW_FLAG_WRAP;
    const uint64_t first = wrap ? in->a % 32 : in->a, length = wrap ? in->b % 32 : in->b;
    uint64_t d = 0;
    for (uint64_t i = 0; i < 32; i++)
        d |= (uint64_t)(i >= first && i < first + length) << i;
    return d;
}

static uint64_t extended(const ww_form *form, const lane_sources *in)
{
    const uint64_t n = form->flags & WW_FLAG_WRAP ? in->b % 32 : in->b > 32 ? 32 : in->b;
    const bool sign = n && ww_type_is_signed(form->type) && bit(in->a, (unsigned)n - 1);
    uint64_t d = 0;
    for (unsigned i = 0; i < 32; i++)
        d |= (uint64_t)(i < n ? bit(in->a, i) : sign) << i;
    return d;
}

/* The manual's table of byte selectors, result byte 3 first. */
static const char *const permutations[][4] = {
    {"3210", "4321", "5432", "6543"}, {"5670", "6701", "7012", "0123"},
    {"0000", "1111", "2222", "3333"}, {"3210", "3211", "3222", "3333"},
    {"0000", "1110", "2210", "3210"}, {"1010", "3232", "1010", "3232"}};

static uint64_t permuted(const ww_form *form, const lane_sources *in)
{
    uint64_t d = 0;
    for (unsigned i = 0; i < 4; i++) {
        unsigned pick = in->c >> 4 * i & 15;
        if (form->variant)
            pick = (unsigned)(permutations[form->variant - WW_VARIANT_F4E][in->c % 4][3 - i] - '0');
        const uint64_t source = (pick & 7) < 4 ? in->a : in->b;
        const uint8_t byte = (uint8_t)(source >> 8 * (pick & 3));
        d |= (uint64_t)(pick < 8 ? byte : byte >= 128 ? 255 : 0) << 8 * i;
    }
    return d;
}

static uint64_t looked_up(const lane_sources *in)
{
    uint64_t d = 0;
    for (unsigned i = 0; i < 32; i++)
        d |= (uint64_t)bit(in->e & 255,
                           (unsigned)(bit(in->a, i) * 4 + bit(in->b, i) * 2 + bit(in->c, i)))
             << i;
    return d;
}

static uint64_t population(uint64_t v)
{
    uint64_t ones = 0;
    for (; v; v >>= 1)
        ones += v & 1;
    return ones;
}

static uint64_t reversed(uint64_t v, unsigned width)
{
    uint64_t d = 0;
    for (unsigned i = 0; i < width; i++)
        d |= (uint64_t)bit(v, i) << (width - 1 - i);
    return d;
}

/* slct: c's sign; a NaN is not >= 0. */
static bool chooses_first(const ww_form *form, uint64_t c)
{
    const bool zero =
        (c & 0x7fffffff) == 0 || (form->flags & WW_FLAG_FTZ && (c & 0x7fffffff) < 0x00800000);
    if (form->type2 == WW_TYPE_F32)
        return zero || c <= 0x7f800000;
    return c < 0x80000000;
}

static uint64_t leading_zeros(uint64_t v, unsigned width)
{
    uint64_t count = 0;
    while (count < width && !bit(v, width - 1 - (unsigned)count))
        count++;
    return count;
}

bool lane_reference_bits(const ww_form *form, const lane_sources *in, lane_verdict *out)
{
    static const uint8_t as_bits[] = {[16] = WW_TYPE_U16, [32] = WW_TYPE_U32, [64] = WW_TYPE_U64};
    const unsigned width = ww_type_bits(form->type);
    const ww_type same = form->type == WW_TYPE_S16 ? WW_TYPE_S16 : as_bits[width];
    const uint64_t ones = width == 64 ? UINT64_MAX : ((uint64_t)1 << width) - 1;
    switch (form->op) {
    case WW_OP_AND: out->d = in->a & in->b & ones; return true;
    case WW_OP_OR: out->d = (in->a | in->b) & ones; return true;
    case WW_OP_XOR: out->d = (in->a ^ in->b) & ones; return true;
    case WW_OP_NOT: out->d = ones - (in->a & ones); return true;
    case WW_OP_CNOT: out->d = !(in->a & ones); return true;
    case WW_OP_LOP3: out->d = looked_up(in); return true;
    case WW_OP_SHL:
    case WW_OP_SHR: out->d = shifted(form, in); return true;
    case WW_OP_SHF: out->d = funnel(form, in); return true;
    case WW_OP_POPC: out->d = population(in->a); return true;
    case WW_OP_CLZ: out->d = leading_zeros(in->a, width); return true;
    case WW_OP_BREV: out->d = reversed(in->a, width); return true;
    case WW_OP_BFIND: out->d = found(form, in->a); return true;
    case WW_OP_FNS: out->d = nth_set(in); return true;
    case WW_OP_BFE: out->d = extracted(form, in); return true;
    case WW_OP_BFI: out->d = inserted(form, in); return true;
    case WW_OP_BMSK: out->d = masked(form, in); return true;
    case WW_OP_SZEXT: out->d = extended(form, in); return true;
    case WW_OP_PRMT: out->d = permuted(form, in); return true;
    case WW_OP_SELP:
        out->d = lane_element(same, (lane_integer)(in->c ? in->a : in->b));
        return true;
    case WW_OP_SLCT:
        out->d = lane_element(same, (lane_integer)(chooses_first(form, in->c) ? in->a : in->b));
        return true;
    default: return false;
    }
}
