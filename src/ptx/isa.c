#include "ptx/isa.h"

#define NAME_ENTRY(e, n) n,

static const char *const type_names[] = {WW_TYPES(NAME_ENTRY)};
static const char *const op_names[] = {WW_OPS(NAME_ENTRY)};
static const char *const space_names[] = {WW_SPACES(NAME_ENTRY)};

const char *ww_type_name(ww_type type)
{
    return type < WW_TYPE_COUNT ? type_names[type] : "";
}

const char *ww_op_name(ww_op op)
{
    return op < WW_OP_COUNT ? op_names[op] : "";
}

const char *ww_space_name(ww_space space)
{
    return space < WW_SPACE_COUNT ? space_names[space] : "";
}

unsigned ww_type_bits(ww_type type)
{
    switch (type) {
    case WW_TYPE_PRED: return 1;
    case WW_TYPE_B8:
    case WW_TYPE_U8:
    case WW_TYPE_S8: return 8;
    case WW_TYPE_B16:
    case WW_TYPE_U16:
    case WW_TYPE_S16:
    case WW_TYPE_F16:
    case WW_TYPE_BF16: return 16;
    case WW_TYPE_B32:
    case WW_TYPE_U32:
    case WW_TYPE_S32:
    case WW_TYPE_F32:
    case WW_TYPE_F16X2:
    case WW_TYPE_BF16X2:
    case WW_TYPE_U16X2:
    case WW_TYPE_S16X2: return 32;
    case WW_TYPE_B64:
    case WW_TYPE_U64:
    case WW_TYPE_S64:
    case WW_TYPE_F64: return 64;
    case WW_TYPE_B128: return 128;
    case WW_TYPE_NONE:
    case WW_TYPE_COUNT: break;
    }
    return 0;
}

bool ww_type_is_float(ww_type type)
{
    return type == WW_TYPE_F16 || type == WW_TYPE_BF16 || type == WW_TYPE_F16X2 ||
           type == WW_TYPE_BF16X2 || type == WW_TYPE_F32 || type == WW_TYPE_F64;
}

bool ww_type_is_signed(ww_type type)
{
    return type == WW_TYPE_S8 || type == WW_TYPE_S16 || type == WW_TYPE_S32 ||
           type == WW_TYPE_S64 || type == WW_TYPE_S16X2;
}
