#include "support/lane_reference.h"

#include <stdio.h>
#include <string.h>

static unsigned row_bits(ww_type type)
{
    return ww_type_bits(type) == 64 ? 64 : 32;
}

static lane_shape shape(unsigned d, unsigned a, unsigned b, unsigned c, unsigned e)
{
    return (lane_shape){d, a, b, c, e};
}

lane_shape lane_shape_of(const ww_form *form)
{
    const unsigned w = row_bits(form->type);
    const unsigned wide = ww_type_bits(form->type) == 32 ? 64 : 32;
    const bool is_wide = form->variant == WW_VARIANT_WIDE;
    switch (form->op) {
    case WW_OP_MUL: return shape(is_wide ? wide : w, w, w, 0, 0);
    case WW_OP_MAD:
    case WW_OP_MADC: return shape(is_wide ? wide : w, w, w, is_wide ? wide : w, 1);
    case WW_OP_ADD:
    case WW_OP_SUB:
    case WW_OP_ADDC:
    case WW_OP_SUBC: return shape(w, w, w, 0, 1);
    case WW_OP_FMA:
    case WW_OP_MAD24:
    case WW_OP_SAD:
    case WW_OP_DP4A:
    case WW_OP_DP2A:
    case WW_OP_VABSDIFF2:
    case WW_OP_VABSDIFF4:
    case WW_OP_PRMT:
    case WW_OP_SHF:
    case WW_OP_FNS: return shape(w, w, w, w, 0);
    case WW_OP_LOP3: return shape(w, w, w, w, 1);
    case WW_OP_POPC:
    case WW_OP_CLZ:
    case WW_OP_BFIND: return shape(32, w, 0, 0, 0);
    case WW_OP_BFE: return shape(w, w, 32, 32, 0);
    case WW_OP_BFI: return shape(w, w, w, 32, 32);
    case WW_OP_SHL:
    case WW_OP_SHR: return shape(w, w, 32, 0, 0);
    case WW_OP_TESTP: return shape(1, w, 0, 0, 0);
    case WW_OP_SETP: return shape(1, w, w, 0, 0);
    case WW_OP_SET: return shape(1, row_bits(form->type2), row_bits(form->type2), 0, 0);
    case WW_OP_SELP: return shape(w, w, w, 1, 0);
    case WW_OP_SLCT: return shape(w, w, w, 32, 0);
    case WW_OP_CVT: return shape(w, row_bits(form->type2), row_bits(form->type2), 0, 0);
    default: return shape(w, w, w, 0, 0);
    }
}

/* Packed pairs: each half by itself. */
static bool reference_pair(const ww_form *form, const lane_sources *in, lane_verdict *out)
{
    static const uint8_t halves[WW_TYPE_COUNT] = {[WW_TYPE_F16X2] = WW_TYPE_F16,
                                                  [WW_TYPE_BF16X2] = WW_TYPE_BF16,
                                                  [WW_TYPE_U16X2] = WW_TYPE_U16,
                                                  [WW_TYPE_S16X2] = WW_TYPE_S16};
    ww_form half = *form;
    half.type = halves[form->type];
    lane_sources low = {in->a & 0xffff, in->b & 0xffff, in->c & 0xffff, in->e};
    lane_sources high = {in->a >> 16, in->b >> 16, in->c >> 16, in->e};
    if (form->op == WW_OP_CVT)
        low = (lane_sources){.a = in->b}, high = (lane_sources){.a = in->a};
    lane_verdict low_out = {0};
    *out = (lane_verdict){0};
    if (!lane_reference(&half, &low, &low_out) || !lane_reference(&half, &high, out))
        return false;
    out->d = (out->d & 0xffff) << 16 | (low_out.d & 0xffff);
    out->pair = true;
    if (low_out.slack > out->slack)
        out->slack = low_out.slack;
    return true;
}

static bool is_near(uint64_t want, uint64_t got, uint64_t slack)
{
    return (want > got ? want - got : got - want) <= slack;
}

bool lane_accepts(const lane_verdict *verdict, uint64_t d)
{
    if (verdict->pair)
        return is_near(verdict->d & 0xffff, d & 0xffff, verdict->slack) &&
               is_near(verdict->d >> 16, d >> 16, verdict->slack);
    return is_near(verdict->d, d, verdict->slack);
}

bool lane_reference(const ww_form *form, const lane_sources *in, lane_verdict *out)
{
    if (form->type >= WW_TYPE_F16X2 && form->type <= WW_TYPE_S16X2 && form->op != WW_OP_SET)
        return reference_pair(form, in, out);
    *out = (lane_verdict){0};
    if (form->op == WW_OP_CVT)
        return lane_reference_convert(form, in, out);
    if (form->flags & (WW_FLAG_APPROX | WW_FLAG_FULL))
        return lane_reference_approx(form, in, out);
    return lane_reference_bits(form, in, out) || lane_reference_integer(form, in, out) ||
           lane_reference_real(form, in, out);
}

lane_integer lane_least(ww_type type)
{
    return ww_type_is_signed(type) ? -((lane_integer)1 << (ww_type_bits(type) - 1)) : 0;
}

lane_integer lane_most(ww_type type)
{
    return ((lane_integer)1 << (ww_type_bits(type) - ww_type_is_signed(type))) - 1;
}

lane_integer lane_integer_of(ww_type type, uint64_t element)
{
    const lane_integer range = (lane_integer)1 << ww_type_bits(type);
    lane_integer value = (lane_integer)element % range;
    return value > lane_most(type) ? value - range : value;
}

uint64_t lane_element(ww_type type, lane_integer value)
{
    const lane_integer range = (lane_integer)1 << ww_type_bits(type);
    value = ((value % range) + range) % range;
    value = value > lane_most(type) ? value - range : value;
    return ww_type_bits(type) == 64 ? (uint64_t)value : (uint64_t)(uint32_t)value;
}

static uint64_t edge32(ww_rng *rng)
{
    static const uint32_t edges[] = {
        0,          1,          2,          0x7f,       0x80,       0xff,       0x100,
        0x7fff,     0x8000,     0xffff,     0x10000,    0x7fffff,   0x800000,   0xffffff,
        0x1000000,  0x7f800000, 0x7f800001, 0x7fc00000, 0x7f7fffff, 0x7fffffff, 0x80000000,
        0x80000001, 0xff800000, 0xffffffff, 0x3f800000, 0xbf800000, 0x3f000000, 0x3f7fffff,
        0x4b000000, 0x4b7fffff, 0x4f000000, 0xcf000000, 0x4effffff, 0x4f800000, 0x5f000000,
        0x3c00,     0x7c00,     0xfc00,     0x7bff,     0x3ff,      0x400,      0x7e00,
        0x3f80,     0x7f80,     0x80,       0x477fe000, 0x477ff000, 0x33800000, 0x33000000,
        0x3c003c00, 0x7c007bff, 0x80000000, 0x00018001, 31,         32,         33,
        63,         64,         65,         0x5f800000, 0x007fffff, 0x807fffff, 0xfffffffe};
    return edges[ww_rng_below(rng, sizeof edges / sizeof *edges)];
}

static uint64_t edge64(ww_rng *rng)
{
    static const uint64_t edges[] = {0,
                                     1,
                                     0x7fffffffffffffff,
                                     0x8000000000000000,
                                     0x8000000000000001,
                                     0xffffffffffffffff,
                                     0x7ff0000000000000,
                                     0x7ff0000000000001,
                                     0x7ff8000000000000,
                                     0xfff0000000000000,
                                     0x7fefffffffffffff,
                                     0x0010000000000000,
                                     0x000fffffffffffff,
                                     0x3ff0000000000000,
                                     0xbff0000000000000,
                                     0x41e0000000000000,
                                     0xc1e0000000000000,
                                     0x43e0000000000000,
                                     0xc3e0000000000000,
                                     0x43f0000000000000,
                                     0x41efffffffe00000,
                                     0x4340000000000000,
                                     0x433fffffffffffff,
                                     0x47efffffe0000000,
                                     0x47efffffefffffff,
                                     0x36a0000000000000,
                                     0x3690000000000000,
                                     0x3690000000000001,
                                     0x40effc0000000000,
                                     0x0020000000000001,
                                     0x0020000000000000,
                                     0xffffffff00000000,
                                     0x00000000ffffffff,
                                     0x0020000000000003};
    return edges[ww_rng_below(rng, sizeof edges / sizeof *edges)];
}

static uint64_t random_element(ww_rng *rng, unsigned bits)
{
    const uint64_t any = ww_rng_next(rng);
    const uint64_t edge = bits == 64 ? edge64(rng) : edge32(rng);
    const uint64_t sign = (uint64_t)1 << (bits - 1);
    switch (ww_rng_below(rng, 8)) {
    case 0: return edge;
    case 1: /* near an edge */ return edge + ww_rng_below(rng, 9) - 4;
    case 2: /* a small integer of either sign */ return (ww_rng_below(rng, 200) - 100);
    case 3: /* a real of a few units, with few or many bits */
        return (bits == 64 ? 0x3fc0000000000000 + (any >> 6 & 0x007fffffffffffff)
                           : 0x3e000000 + (any & 0x03ffffff)) |
               (any >> 63 ? sign : 0);
    case 4: /* halves */ return (any & 0x87ff87ff87ff87ff) + 0x3000300030003000;
    case 5: /* one run of ones */ return ~(uint64_t)0 >> (any & 63) << (any >> 6 & 63);
    default: return any;
    }
}

void lane_fill(ww_rng *rng, void *row, unsigned bits)
{
    uint32_t *words = row;
    uint64_t *longs = row;
    if (bits == 1)
        longs[0] = ww_rng_next(rng);
    for (int i = 0; i < 64 && bits == 32; i++)
        words[i] = (uint32_t)random_element(rng, 32);
    for (int i = 0; i < 64 && bits == 64; i++)
        longs[i] = random_element(rng, 64);
}

#define NAME(e, n) n,
void lane_form_text(const ww_form *form, char *text, size_t size)
{
    static const char *const rounds[] = {WW_ROUNDS(NAME)};
    static const char *const compares[] = {WW_COMPARES(NAME)};
    static const char *const variants[] = {WW_VARIANTS(NAME)};
    static const char *const flags[] = {"ftz",   "sat",      "approx", "full",        "cc",  "wrap",
                                        "clamp", "shiftamt", "NaN",    "xorsign.abs", "relu"};
    const char *words[] = {compares[form->compare], variants[form->variant], rounds[form->round]};
    size_t used = (size_t)snprintf(text, size, "%s", ww_op_name(form->op));
    for (size_t i = 0; i < 3; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%s", *words[i] ? "." : "", words[i]);
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        if (form->flags >> i & 1)
            used += (size_t)snprintf(text + used, size - used, ".%s", flags[i]);
    snprintf(text + used, size - used, ".%s%s%s", ww_type_name(form->type), form->type2 ? "." : "",
             ww_type_name(form->type2));
}
