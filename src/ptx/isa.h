/* The instruction set as data: what the words of a PTX opcode mean.
 *
 * operation   what an instruction does (`add`, `ld`), without its suffixes
 * form        an operation with all its suffixes resolved: `add.rz.ftz.f32`
 * A form is all that execution needs to choose an operator. */
#ifndef WW_PTX_ISA_H
#define WW_PTX_ISA_H

#include <stdbool.h>
#include <stdint.h>

/* X(enumerator, name in PTX) */
/* clang-format off */
#define WW_TYPES(X)                                                                            \
    X(NONE, "") X(B8, "b8") X(U8, "u8") X(S8, "s8") X(B16, "b16") X(U16, "u16") X(S16, "s16")  \
    X(F16, "f16") X(BF16, "bf16") X(B32, "b32") X(U32, "u32") X(S32, "s32") X(F32, "f32")      \
    X(F16X2, "f16x2") X(BF16X2, "bf16x2") X(U16X2, "u16x2") X(S16X2, "s16x2") X(B64, "b64")    \
    X(U64, "u64") X(S64, "s64") X(F64, "f64") X(PRED, "pred") X(B128, "b128")

#define WW_OPS(X)                                                                              \
    X(NONE, "") X(ADD, "add") X(SUB, "sub") X(MUL, "mul") X(MAD, "mad") X(FMA, "fma")          \
    X(ADDC, "addc") X(SUBC, "subc") X(MADC, "madc") X(MUL24, "mul24") X(MAD24, "mad24")        \
    X(SAD, "sad") X(DIV, "div") X(REM, "rem") X(ABS, "abs") X(NEG, "neg") X(MIN, "min")        \
    X(MAX, "max") X(POPC, "popc") X(CLZ, "clz") X(BFIND, "bfind") X(BREV, "brev")              \
    X(FNS, "fns") X(BFE, "bfe") X(BFI, "bfi") X(BMSK, "bmsk") X(SZEXT, "szext")                \
    X(DP4A, "dp4a") X(DP2A, "dp2a") X(VABSDIFF2, "vabsdiff2") X(VABSDIFF4, "vabsdiff4")        \
    X(COPYSIGN, "copysign") X(TESTP, "testp") X(RCP, "rcp")                                    \
    X(SQRT, "sqrt") X(RSQRT, "rsqrt") X(SIN, "sin") X(COS, "cos") X(LG2, "lg2") X(EX2, "ex2")  \
    X(TANH, "tanh") X(SETP, "setp") X(SET, "set") X(SELP, "selp") X(SLCT, "slct")              \
    X(AND, "and") X(OR, "or") X(XOR, "xor") X(NOT, "not") X(CNOT, "cnot") X(LOP3, "lop3")      \
    X(SHF, "shf") X(SHL, "shl") X(SHR, "shr") X(PRMT, "prmt") X(CVT, "cvt") X(MOV, "mov")      \
    X(CVTA, "cvta") X(ISSPACEP, "isspacep") X(LD, "ld") X(LDU, "ldu") X(ST, "st")              \
    X(ATOM, "atom") X(RED, "red") X(PREFETCH, "prefetch") X(PREFETCHU, "prefetchu")            \
    X(DISCARD, "discard") X(MEMBAR, "membar") X(FENCE, "fence") X(BAR, "bar")                  \
    X(BARRIER, "barrier") X(SHFL, "shfl") X(VOTE, "vote") X(MATCH, "match")                    \
    X(ACTIVEMASK, "activemask") X(REDUX, "redux") X(ELECT, "elect") X(BRA, "bra")              \
    X(BRX, "brx") X(CALL, "call") X(RET, "ret") X(EXIT, "exit") X(TRAP, "trap")                \
    X(BRKPT, "brkpt") X(NANOSLEEP, "nanosleep") X(PMEVENT, "pmevent")                          \
    X(CP_ASYNC, "cp") X(STACKSAVE, "stacksave") X(STACKRESTORE, "stackrestore")                \
    X(ALLOCA, "alloca")

/* Rounding: to a float (rn rz rm rp rna) or to an integer value (rni rzi rmi rpi). */
#define WW_ROUNDS(X)                                                                           \
    X(NONE, "") X(RN, "rn") X(RZ, "rz") X(RM, "rm") X(RP, "rp") X(RNA, "rna") X(RNI, "rni")    \
    X(RZI, "rzi") X(RMI, "rmi") X(RPI, "rpi")

/* Comparisons. eq..ge are ordered (false with a NaN) for floats; the ..u ones are true with a NaN;
 * lo ls hi hs are lt le gt ge of unsigned integers. */
#define WW_COMPARES(X)                                                                         \
    X(NONE, "") X(EQ, "eq") X(NE, "ne") X(LT, "lt") X(LE, "le") X(GT, "gt") X(GE, "ge")        \
    X(LO, "lo") X(LS, "ls") X(HI, "hi") X(HS, "hs") X(EQU, "equ") X(NEU, "neu") X(LTU, "ltu")  \
    X(LEU, "leu") X(GTU, "gtu") X(GEU, "geu") X(NUM, "num") X(NAN, "nan")

/* A suffix that only some operations have. */
#define WW_VARIANTS(X)                                                                         \
    X(NONE, "") X(LO, "lo") X(HI, "hi") X(WIDE, "wide") X(L, "l") X(R, "r") X(F4E, "f4e")      \
    X(B4E, "b4e") X(RC8, "rc8") X(ECL, "ecl") X(ECR, "ecr") X(RC16, "rc16") X(IDX, "idx")      \
    X(UP, "up") X(DOWN, "down") X(BFLY, "bfly") X(ALL, "all") X(ANY, "any") X(UNI, "uni")      \
    X(BALLOT, "ballot") X(FINITE, "finite") X(INFINITE, "infinite") X(NUMBER, "number")        \
    X(NOTANUMBER, "notanumber") X(NORMAL, "normal") X(SUBNORMAL, "subnormal") X(SUM, "add")    \
    X(SYNC, "sync") X(ARRIVE, "arrive") X(RED, "red") X(WARP, "warp") X(MATCH_ANY, "any")      \
    X(MATCH_ALL, "all") X(COMMIT, "commit_group") X(WAIT, "wait_group")                        \
    X(WAIT_ALL, "wait_all") X(ASYNC, "async")

/* What an atom, red, bar.red, redux or the second half of a setp does with two values. */
#define WW_COMBINES(X)                                                                         \
    X(NONE, "") X(ADD, "add") X(MIN, "min") X(MAX, "max") X(AND, "and") X(OR, "or")            \
    X(XOR, "xor") X(INC, "inc") X(DEC, "dec") X(EXCH, "exch") X(CAS, "cas") X(POPC, "popc")

#define WW_SPACES(X)                                                                           \
    X(GENERIC, "generic") X(GLOBAL, "global") X(SHARED, "shared") X(LOCAL, "local")            \
    X(CONST, "const") X(PARAM, "param")
/* clang-format on */

#define WW_ENUM_TYPE(e, n) WW_TYPE_##e,
#define WW_ENUM_OP(e, n) WW_OP_##e,
#define WW_ENUM_ROUND(e, n) WW_ROUND_##e,
#define WW_ENUM_COMPARE(e, n) WW_COMPARE_##e,
#define WW_ENUM_VARIANT(e, n) WW_VARIANT_##e,
#define WW_ENUM_COMBINE(e, n) WW_COMBINE_##e,
#define WW_ENUM_SPACE(e, n) WW_SPACE_##e,

typedef enum ww_type { WW_TYPES(WW_ENUM_TYPE) WW_TYPE_COUNT } ww_type;
typedef enum ww_op { WW_OPS(WW_ENUM_OP) WW_OP_COUNT } ww_op;
typedef enum ww_round { WW_ROUNDS(WW_ENUM_ROUND) WW_ROUND_COUNT } ww_round;
typedef enum ww_compare { WW_COMPARES(WW_ENUM_COMPARE) WW_COMPARE_COUNT } ww_compare;
typedef enum ww_variant { WW_VARIANTS(WW_ENUM_VARIANT) WW_VARIANT_COUNT } ww_variant;
typedef enum ww_combine { WW_COMBINES(WW_ENUM_COMBINE) WW_COMBINE_COUNT } ww_combine;
typedef enum ww_space { WW_SPACES(WW_ENUM_SPACE) WW_SPACE_COUNT } ww_space;

enum ww_form_flag {
    WW_FLAG_FTZ = 1 << 0, /* subnormal f32 inputs and results become signed zeros */
    WW_FLAG_SAT = 1 << 1, /* floats to [0,1] with NaN to +0; integers to their type's range */
    WW_FLAG_APPROX = 1 << 2,
    WW_FLAG_FULL = 1 << 3,     /* div.full */
    WW_FLAG_CC = 1 << 4,       /* writes the carry */
    WW_FLAG_WRAP = 1 << 5,     /* shf, bmsk, szext: amounts modulo 32 */
    WW_FLAG_CLAMP = 1 << 6,    /* shf, bmsk, szext: amounts limited to 32 */
    WW_FLAG_SHIFTAMT = 1 << 7, /* bfind: the shift that brings the bit to the top */
    WW_FLAG_NAN = 1 << 8,      /* min, max: NaN if either is */
    WW_FLAG_XORSIGN = 1 << 9,  /* min, max .xorsign.abs */
    WW_FLAG_RELU = 1 << 10,
    WW_FLAG_SYNC = 1 << 11, /* shfl, vote, match, redux with a member mask */
    WW_FLAG_UNI = 1 << 12,
    WW_FLAG_VOLATILE = 1 << 13,
    WW_FLAG_TO = 1 << 14, /* cvta.to */
    WW_FLAG_NONCOHERENT = 1 << 15,
    WW_FLAG_WARP = 1 << 16, /* bar.warp.sync */
    WW_FLAG_ALIGNED = 1 << 17,
    WW_FLAG_NOFTZ = 1 << 18,    /* atom.add.noftz */
    WW_FLAG_SUBGROUP = 1 << 19, /* shfl, vote, bar: over the whole warp, whatever its width */
};

typedef struct ww_form {
    uint8_t op;      /* ww_op */
    uint8_t type;    /* ww_type of the result, or the only type */
    uint8_t type2;   /* cvt, set: source; dp4a: type of b; slct: type of c; tex and such: none */
    uint8_t round;   /* ww_round */
    uint8_t compare; /* ww_compare */
    uint8_t variant; /* ww_variant */
    uint8_t combine; /* ww_combine */
    uint8_t space;   /* ww_space */
    uint8_t vector;  /* 1, 2, 4 or 8 elements */
    uint32_t flags;  /* ww_form_flag */
} ww_form;

const char *ww_type_name(ww_type type);
const char *ww_op_name(ww_op op);
const char *ww_space_name(ww_space space);
unsigned ww_type_bits(ww_type type); /* 1 for pred */
bool ww_type_is_float(ww_type type); /* f16, bf16, their pairs, f32, f64 */
bool ww_type_is_signed(ww_type type);

#endif
