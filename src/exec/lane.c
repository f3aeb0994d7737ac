#include "exec/lanes/table.h"

/* The processor features that lanes/lanes.cmake compiles the levels above portable for. */
#if defined(WW_LANE_HAS_X86_LEVELS)
static bool has_avx2(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
           __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
           __builtin_cpu_supports("popcnt");
}

static bool has_avx512(void)
{
    return has_avx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
}

ww_lane_level ww_lane_best(void)
{
    return has_avx512() ? WW_LANE_AVX512 : has_avx2() ? WW_LANE_AVX2 : WW_LANE_PORTABLE;
}
#else
ww_lane_level ww_lane_best(void)
{
    return WW_LANE_PORTABLE;
}
#endif

const char *ww_lane_level_name(ww_lane_level level)
{
    switch (level) {
    case WW_LANE_AVX2: return "avx2";
    case WW_LANE_AVX512: return "avx512";
    case WW_LANE_PORTABLE: break;
    }
    return "portable";
}

const ww_lane_family *const *ww_lane_families(ww_lane_level level)
{
#if defined(WW_LANE_HAS_X86_LEVELS)
    if (level == WW_LANE_AVX512)
        return ww_lane_families_avx512;
    if (level == WW_LANE_AVX2)
        return ww_lane_families_avx2;
#endif
    (void)level;
    return ww_lane_families_portable;
}

/* Maps types whose operators compute the same bits to one type: unsigned, or untyped bits. */
static uint8_t as_unsigned(uint8_t type)
{
    return type == WW_TYPE_S32 ? WW_TYPE_U32 : type == WW_TYPE_S64 ? WW_TYPE_U64 : type;
}

static uint8_t as_bits(uint8_t type)
{
    switch (type) {
    case WW_TYPE_U16:
    case WW_TYPE_F16:
    case WW_TYPE_BF16: return WW_TYPE_B16;
    case WW_TYPE_U32:
    case WW_TYPE_S32:
    case WW_TYPE_F32: return WW_TYPE_B32;
    case WW_TYPE_U64:
    case WW_TYPE_S64:
    case WW_TYPE_F64: return WW_TYPE_B64;
    default: return type;
    }
}

static uint8_t bits_as_unsigned(uint8_t type)
{
    return type == WW_TYPE_B16   ? WW_TYPE_U16
           : type == WW_TYPE_B32 ? WW_TYPE_U32
           : type == WW_TYPE_B64 ? WW_TYPE_U64
                                 : type;
}

static bool is_unsigned(uint8_t type)
{
    return type == WW_TYPE_U16 || type == WW_TYPE_U32 || type == WW_TYPE_U64;
}

/* Equality of integers has no sign; lo ls hi hs are the unsigned lt le gt ge. */
static void fold_compare(ww_form *form)
{
    const bool equality = form->compare == WW_COMPARE_EQ || form->compare == WW_COMPARE_NE;
    if (equality && form->type == WW_TYPE_S16)
        form->type = WW_TYPE_U16;
    else if (equality)
        form->type = bits_as_unsigned(as_unsigned(form->type));
    if (is_unsigned(form->type) && form->compare >= WW_COMPARE_LO && form->compare <= WW_COMPARE_HS)
        form->compare = (uint8_t)(form->compare - WW_COMPARE_LO + WW_COMPARE_LT);
}

/* Bits of an integer type's value without its sign, or of a real's significand. */
static unsigned precision(ww_type type)
{
    switch (type) {
    case WW_TYPE_F64: return 53;
    case WW_TYPE_F32: return 24;
    case WW_TYPE_F16: return 11;
    case WW_TYPE_BF16: return 8;
    default: return ww_type_bits(type) - ww_type_is_signed(type);
    }
}

/* A conversion that never rounds (an integer type of 31 or 32 bits is not exact in f32). */
static bool is_exact(ww_type to, ww_type from)
{
    if (ww_type_is_float(from))
        return to == WW_TYPE_F64 ? from != WW_TYPE_F64
                                 : to == WW_TYPE_F32 && ww_type_bits(from) == 16;
    return (to == WW_TYPE_F32 || to == WW_TYPE_F64) && precision(from) <= precision(to);
}

/* Drops what cannot change the result: .ftz without an f32 that could be subnormal, .sat to an
 * integer from a real (which clamps anyway), and the rounding of exact results. */
static void fold_convert(ww_form *form)
{
    const ww_type to = form->type, from = form->type2;
    const bool to_float = ww_type_is_float(to), from_float = ww_type_is_float(from);
    if (!to_float && from_float) {
        form->flags &= ~(uint32_t)WW_FLAG_SAT;
        if (from != WW_TYPE_F32)
            form->flags &= ~(uint32_t)WW_FLAG_FTZ;
    }
    if (to_float && !from_float) {
        form->flags &= ~(uint32_t)WW_FLAG_FTZ;
        if (form->flags & WW_FLAG_SAT && form->round <= WW_ROUND_RP)
            form->round = WW_ROUND_RN;
    }
    if (to_float && is_exact(to, from) && form->round <= WW_ROUND_RP)
        form->round = WW_ROUND_RN;
}

/* Integer products default to .lo and real ones to .rn; `mad` of f32 and f64 is `fma`. */
static void fold_arithmetic(ww_form *form)
{
    const bool product = form->op == WW_OP_MUL || form->op == WW_OP_MAD || form->op == WW_OP_MADC;
    if (ww_type_is_float(form->type)) {
        if (form->op == WW_OP_MAD && (form->type == WW_TYPE_F32 || form->type == WW_TYPE_F64))
            form->op = WW_OP_FMA;
        if (form->round == WW_ROUND_NONE)
            form->round = WW_ROUND_RN;
        return;
    }
    if (product && form->variant == WW_VARIANT_NONE)
        form->variant = WW_VARIANT_LO;
    if (!(form->flags & WW_FLAG_SAT) && (!product || form->variant == WW_VARIANT_LO))
        form->type = as_unsigned(form->type);
}

static void fold(ww_form *form)
{
    switch (form->op) {
    case WW_OP_ADD:
    case WW_OP_SUB:
    case WW_OP_MUL:
    case WW_OP_MAD:
    case WW_OP_FMA:
    case WW_OP_ADDC:
    case WW_OP_SUBC:
    case WW_OP_MADC: fold_arithmetic(form); break;
    case WW_OP_SET:
        form->op = WW_OP_SETP;
        form->type = form->type2;
        form->type2 = WW_TYPE_NONE;
        fold_compare(form);
        break;
    case WW_OP_SETP: fold_compare(form); break;
    case WW_OP_SELP:
    case WW_OP_SLCT: form->type = as_bits(form->type); break;
    case WW_OP_SHR: form->type = bits_as_unsigned(form->type); break;
    case WW_OP_CVT: fold_convert(form); break;
    default: break;
    }
}

/* A linear search: a thousand keys, once for each decoded instruction. */
ww_lane_fn *ww_lane_find(ww_lane_level level, const ww_form *form)
{
    if (form->flags > UINT16_MAX)
        return NULL;
    ww_form plain = *form;
    fold(&plain);
    const uint64_t key = WW_LANE_KEY(plain.op, plain.type, plain.type2, plain.round, plain.compare,
                                     plain.variant, plain.flags);
    const ww_lane_family *const *families = ww_lane_families(level);
    for (int f = 0; f < WW_LANE_FAMILY_COUNT; f++)
        for (size_t i = 0; i < families[f]->count; i++)
            if (families[f]->entries[i].key == key)
                return families[f]->entries[i].fn;
    return NULL;
}
