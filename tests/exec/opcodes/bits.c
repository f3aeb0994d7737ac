/* Logic, shifts, counts and fields of bits; moves of parts of registers. */
#include "opcodes.h"

#include <string.h>

#define REFERENCE(name, T, expression)                                       \
    static void name(const void *context, const uint64_t *in, uint64_t *out) \
    {                                                                        \
        const T a = (T)in[0], b = (T)in[1];                                  \
        (void)context, (void)a, (void)b;                                     \
        out[0] = (uint64_t)(expression);                                     \
    }

REFERENCE(ref_and, uint64_t, a &b)
REFERENCE(ref_or, uint64_t, a | b)
REFERENCE(ref_xor, uint64_t, a ^ b)
REFERENCE(ref_not, uint64_t, ~a)
REFERENCE(ref_cnot, uint64_t, !a)

static unsigned count_ones(uint64_t bits)
{
    unsigned count = 0;
    for (; bits; bits >>= 1)
        count += bits & 1;
    return count;
}

/* The highest set bit, or -1. */
static int highest_one(uint64_t bits)
{
    int at = -1;
    for (; bits; bits >>= 1)
        at++;
    return at;
}

static uint64_t reversed(uint64_t bits, unsigned width)
{
    uint64_t result = 0;
    for (unsigned i = 0; i < width; i++)
        result |= (bits >> i & 1) << (width - 1 - i);
    return result;
}

REFERENCE(ref_popc, uint64_t, count_ones(a))
REFERENCE(ref_clz32, uint64_t, 31 - highest_one(a))
REFERENCE(ref_clz64, uint64_t, 63 - highest_one(a))
REFERENCE(ref_brev32, uint64_t, reversed(a, 32))
REFERENCE(ref_brev64, uint64_t, reversed(a, 64))

static uint64_t find(uint64_t bits, unsigned width, bool shift)
{
    int at = highest_one(bits);
    return at < 0 ? UINT32_MAX : shift ? width - 1 - (unsigned)at : (unsigned)at;
}

REFERENCE(ref_bfind_u32, uint32_t, find(a, 32, false))
REFERENCE(ref_bfind_s32, int32_t, find((uint32_t)(a < 0 ? ~a : a), 32, false))
REFERENCE(ref_bfind_u64, uint64_t, find(a, 64, false))
REFERENCE(ref_bfind_s64, int64_t, find((uint64_t)(a < 0 ? ~a : a), 64, false))
REFERENCE(ref_bfind_shift_u32, uint32_t, find(a, 32, true))
REFERENCE(ref_bfind_shift_s32, int32_t, find((uint32_t)(a < 0 ? ~a : a), 32, true))
REFERENCE(ref_bfind_shift_u64, uint64_t, find(a, 64, true))
REFERENCE(ref_bfind_shift_s64, int64_t, find((uint64_t)(a < 0 ? ~a : a), 64, true))

static void check_widths(const char *operation, const char *sources, value_reference *reference)
{
    static const char kinds[] = {'h', 'w', 'd'};
    for (unsigned i = 0; i < 3; i++) {
        char opcode[20], shape[8] = {kinds[i], '='};
        memset(shape + 2, kinds[i], strlen(sources));
        snprintf(opcode, sizeof(opcode), "%s.b%u", operation, 16u << i);
        check(opcode, shape, reference, NULL);
    }
}

/* Any function of three bits, as a table indexed by them. */
static void ref_lop3(const void *context, const uint64_t *in, uint64_t *out)
{
    unsigned table = *(const unsigned *)context;
    out[0] = 0;
    for (unsigned i = 0; i < 32; i++) {
        unsigned index =
            (unsigned)((in[0] >> i & 1) << 2 | (in[1] >> i & 1) << 1 | (in[2] >> i & 1));
        out[0] |= (uint64_t)(table >> index & 1) << i;
    }
}

void integer_bits(void **state)
{
    (void)state;
    check_widths("and", "ab", ref_and);
    check_widths("or", "ab", ref_or);
    check_widths("xor", "ab", ref_xor);
    check_widths("not", "a", ref_not);
    check_widths("cnot", "a", ref_cnot);
    check("popc.b32", "w=w", ref_popc, NULL);
    check("popc.b64", "w=d", ref_popc, NULL);
    check("clz.b32", "w=w", ref_clz32, NULL);
    check("clz.b64", "w=d", ref_clz64, NULL);
    check("brev.b32", "w=w", ref_brev32, NULL);
    check("brev.b64", "d=d", ref_brev64, NULL);
    check("bfind.u32", "w=w", ref_bfind_u32, NULL);
    check("bfind.s32", "w=w", ref_bfind_s32, NULL);
    check("bfind.u64", "w=d", ref_bfind_u64, NULL);
    check("bfind.s64", "w=d", ref_bfind_s64, NULL);
    check("bfind.shiftamt.u32", "w=w", ref_bfind_shift_u32, NULL);
    check("bfind.shiftamt.s32", "w=w", ref_bfind_shift_s32, NULL);
    check("bfind.shiftamt.u64", "w=d", ref_bfind_shift_u64, NULL);
    check("bfind.shiftamt.s64", "w=d", ref_bfind_shift_s64, NULL);
    static const unsigned tables[] = {0, 0x80, 0x96, 0xca, 0xd8, 0xe8, 0xf0, 0x1b, 0xff};
    for (unsigned i = 0; i < sizeof(tables) / sizeof(tables[0]); i++) {
        char tail[16];
        snprintf(tail, sizeof(tail), ", 0x%x", tables[i]);
        check_value(&(value_case){.opcode = "lop3.b32",
                                  .shape = "w=www",
                                  .reference = ref_lop3,
                                  .context = &tables[i],
                                  .tail = tail});
    }
}

/* Shifts: amounts past the width give zeros or signs; shf's clamp or wrap. */
#define SHIFT(name, T, most, inside, outside)                                \
    static void name(const void *context, const uint64_t *in, uint64_t *out) \
    {                                                                        \
        const T a = (T)in[0];                                                \
        const uint32_t n = (uint32_t)in[1];                                  \
        (void)context;                                                       \
        out[0] = n < most ? (uint64_t)(inside) : (uint64_t)(outside);        \
    }
SHIFT(ref_shl16, uint16_t, 16, (uint64_t)a << n, 0)
SHIFT(ref_shl32, uint32_t, 32, (uint64_t)a << n, 0)
SHIFT(ref_shl64, uint64_t, 64, a << n, 0)
SHIFT(ref_shr_u16, uint16_t, 16, a >> n, 0)
SHIFT(ref_shr_u32, uint32_t, 32, a >> n, 0)
SHIFT(ref_shr_u64, uint64_t, 64, a >> n, 0)
SHIFT(ref_shr_s16, int16_t, 16, a >> n, a < 0 ? -1 : 0)
SHIFT(ref_shr_s32, int32_t, 32, a >> n, a < 0 ? -1 : 0)
SHIFT(ref_shr_s64, int64_t, 64, a >> n, a < 0 ? -1 : 0)

typedef struct funnel {
    bool left, wrap;
} funnel;

static void ref_shf(const void *context, const uint64_t *in, uint64_t *out)
{
    const funnel *f = context;
    uint64_t both = in[1] << 32 | in[0];
    uint32_t n = (uint32_t)in[2];
    n = f->wrap ? n & 31 : n > 32 ? 32 : n;
    if (f->left)
        out[0] = n == 32 ? in[0] : (uint32_t)(both << n >> 32);
    else
        out[0] = n == 32 ? in[1] : (uint32_t)(both >> n);
}

void integer_shifts(void **state)
{
    (void)state;
    check("shl.b16", "h=hs", ref_shl16, NULL);
    check("shl.b32", "w=ws", ref_shl32, NULL);
    check("shl.b64", "d=ds", ref_shl64, NULL);
    check("shr.b16", "h=hs", ref_shr_u16, NULL);
    check("shr.b32", "w=ws", ref_shr_u32, NULL);
    check("shr.b64", "d=ds", ref_shr_u64, NULL);
    check("shr.u16", "h=hs", ref_shr_u16, NULL);
    check("shr.u32", "w=ws", ref_shr_u32, NULL);
    check("shr.u64", "d=ds", ref_shr_u64, NULL);
    check("shr.s16", "h=hs", ref_shr_s16, NULL);
    check("shr.s32", "w=ws", ref_shr_s32, NULL);
    check("shr.s64", "d=ds", ref_shr_s64, NULL);
    check("shf.l.wrap.b32", "w=wws", ref_shf, &(funnel){true, true});
    check("shf.l.clamp.b32", "w=wws", ref_shf, &(funnel){true, false});
    check("shf.r.wrap.b32", "w=wws", ref_shf, &(funnel){false, true});
    check("shf.r.clamp.b32", "w=wws", ref_shf, &(funnel){false, false});
}

/* Fields. */
typedef struct field {
    unsigned width;
    bool is_signed;
} field;

/* Bit by bit: the field's bits as far as the source has them, then the sign of the last it has. */
static void ref_bfe(const void *context, const uint64_t *in, uint64_t *out)
{
    const field *f = context;
    unsigned at = in[1] & 0xff, length = in[2] & 0xff, most = f->width - 1;
    unsigned sign_at = at + length - 1 < most ? at + length - 1 : most;
    uint64_t sign = f->is_signed && length ? in[0] >> sign_at & 1 : 0;
    out[0] = 0;
    for (unsigned i = 0; i < f->width; i++) {
        uint64_t bit = i < length && at + i <= most ? in[0] >> (at + i) & 1 : sign;
        out[0] |= bit << i;
    }
}

static void ref_bfi(const void *context, const uint64_t *in, uint64_t *out)
{
    const field *f = context;
    unsigned at = in[2] & 0xff, length = in[3] & 0xff;
    out[0] = in[1];
    for (unsigned i = 0; i < length && at + i < f->width; i++)
        out[0] = (out[0] & ~(1ull << (at + i))) | (in[0] >> i & 1) << (at + i);
}

static void ref_bmsk(const void *context, const uint64_t *in, uint64_t *out)
{
    bool wrap = *(const bool *)context;
    uint64_t at = wrap ? in[0] & 31 : in[0], length = wrap ? in[1] & 31 : in[1];
    out[0] = 0;
    for (uint64_t i = at; i < 32 && i - at < length; i++)
        out[0] |= 1ull << i;
}

static void ref_szext(const void *context, const uint64_t *in, uint64_t *out)
{
    const field *f = context; /* its width: 1 to wrap */
    uint32_t n = (uint32_t)in[1];
    n = f->width ? n & 31 : n > 32 ? 32 : n;
    uint64_t kept = in[0] & ((1ull << n) - 1);
    out[0] = f->is_signed && n && n < 32 && kept >> (n - 1) ? kept | ~0ull << n : kept;
}

static void ref_fns(const void *context, const uint64_t *in, uint64_t *out)
{
    (void)context;
    int32_t offset = (int32_t)in[2];
    uint32_t base = (uint32_t)in[1];
    out[0] = UINT32_MAX;
    if (base > 31)
        return;
    if (offset == 0) {
        if (in[0] >> base & 1)
            out[0] = base;
        return;
    }
    int64_t left = offset < 0 ? -(int64_t)offset : offset;
    for (int at = (int)base; at >= 0 && at < 32 && left > 0; at += offset < 0 ? -1 : 1)
        if (in[0] >> at & 1 && --left == 0)
            out[0] = (uint64_t)at;
}

typedef struct dots {
    bool a_signed, b_signed;
    int halves; /* 0: dp4a; 1, 2: dp2a.lo, .hi */
} dots;

static int64_t part(uint64_t bits, unsigned at, unsigned width, bool is_signed)
{
    uint64_t value = bits >> at & ((1ull << width) - 1);
    return is_signed && value >> (width - 1) ? (int64_t)value - (1 << width) : (int64_t)value;
}

static void ref_dot(const void *context, const uint64_t *in, uint64_t *out)
{
    const dots *d = context;
    int64_t sum = (int64_t)in[2];
    for (unsigned i = 0; i < (d->halves ? 2u : 4u); i++)
        sum += part(in[0], i * (d->halves ? 16 : 8), d->halves ? 16 : 8, d->a_signed) *
               part(in[1], i * 8 + (d->halves == 2 ? 16 : 0), 8, d->b_signed);
    out[0] = (uint64_t)sum;
}

static void check_dots(void)
{
    static const char *const types[] = {"u32", "s32"};
    static const char *const names[] = {"dp4a", "dp2a.lo", "dp2a.hi"};
    for (int i = 0; i < 12; i++) {
        char opcode[40];
        dots d = {i & 1, i >> 1 & 1, i >> 2};
        snprintf(opcode, sizeof(opcode), "%s.%s.%s", names[d.halves], types[d.a_signed],
                 types[d.b_signed]);
        check(opcode, "w=www", ref_dot, &d);
    }
}

typedef struct distances {
    unsigned width;
    bool sum;
} distances;

static void ref_distances(const void *context, const uint64_t *in, uint64_t *out)
{
    const distances *d = context;
    uint64_t sum = in[2];
    out[0] = 0;
    for (unsigned at = 0; at < 32; at += d->width) {
        int64_t distance = part(in[0], at, d->width, false) - part(in[1], at, d->width, false);
        distance = distance < 0 ? -distance : distance;
        out[0] |= (uint64_t)distance << at;
        sum += (uint64_t)distance;
    }
    if (d->sum)
        out[0] = sum;
}

/* prmt's modes, as selectors of the general one. */
static void ref_prmt(const void *context, const uint64_t *in, uint64_t *out)
{
    const char *mode = context;
    static const struct {
        const char *name;
        uint16_t selectors[4];
    } modes[] = {
        {".f4e", {0x3210, 0x4321, 0x5432, 0x6543}}, {".b4e", {0x5670, 0x6701, 0x7012, 0x0123}},
        {".rc8", {0x0000, 0x1111, 0x2222, 0x3333}}, {".ecl", {0x3210, 0x3211, 0x3222, 0x3333}},
        {".ecr", {0x0000, 0x1110, 0x2210, 0x3210}}, {".rc16", {0x1010, 0x3232, 0x1010, 0x3232}}};
    uint64_t bytes = in[1] << 32 | in[0], selector = in[2];
    for (unsigned i = 0; i < 6; i++)
        if (strcmp(mode, modes[i].name) == 0)
            selector = modes[i].selectors[in[2] & 3];
    out[0] = 0;
    for (unsigned i = 0; i < 4; i++) {
        unsigned choice = (unsigned)(selector >> (4 * i)) & 15;
        uint64_t byte = bytes >> (8 * (choice & 7)) & 255;
        if (choice & 8)
            byte = byte & 128 ? 255 : 0;
        out[0] |= byte << (8 * i);
    }
}

void integer_fields(void **state)
{
    (void)state;
    check("bfe.u32", "w=wss", ref_bfe, &(field){32, false});
    check("bfe.s32", "w=wss", ref_bfe, &(field){32, true});
    check("bfe.u64", "d=dss", ref_bfe, &(field){64, false});
    check("bfe.s64", "d=dss", ref_bfe, &(field){64, true});
    check("bfi.b32", "w=wwss", ref_bfi, &(field){32, false});
    check("bfi.b64", "d=ddss", ref_bfi, &(field){64, false});
    check("bmsk.clamp.b32", "w=ss", ref_bmsk, &(bool){false});
    check("bmsk.wrap.b32", "w=ss", ref_bmsk, &(bool){true});
    check("szext.clamp.u32", "w=ws", ref_szext, &(field){0, false});
    check("szext.clamp.s32", "w=ws", ref_szext, &(field){0, true});
    check("szext.wrap.u32", "w=ws", ref_szext, &(field){1, false});
    check("szext.wrap.s32", "w=ws", ref_szext, &(field){1, true});
    check("fns.b32", "w=wss", ref_fns, NULL);
    check_dots();
    check("vabsdiff2.u32.u32.u32", "w=www", ref_distances, &(distances){16, false});
    check("vabsdiff4.u32.u32.u32", "w=www", ref_distances, &(distances){8, false});
    check("vabsdiff2.u32.u32.u32.add", "w=www", ref_distances, &(distances){16, true});
    check("vabsdiff4.u32.u32.u32.add", "w=www", ref_distances, &(distances){8, true});
    static const char *const modes[] = {"", ".f4e", ".b4e", ".rc8", ".ecl", ".ecr", ".rc16"};
    for (unsigned i = 0; i < 7; i++) {
        char opcode[40];
        snprintf(opcode, sizeof(opcode), "prmt.b32%s", modes[i]);
        check(opcode, "w=www", ref_prmt, modes[i]);
    }
}

/* Predicates, selp and slct. */
static void ref_selp(const void *context, const uint64_t *in, uint64_t *out)
{
    (void)context;
    out[0] = in[2] ? in[0] : in[1];
}

static void ref_slct(const void *context, const uint64_t *in, uint64_t *out)
{
    const char *type = context;
    if (strcmp(type, "s32") == 0) {
        out[0] = (int32_t)in[2] >= 0 ? in[0] : in[1];
        return;
    }
    float c;
    uint32_t bits = (uint32_t)in[2];
    memcpy(&c, &bits, 4);
    out[0] = c >= 0 ? in[0] : in[1];
}

static void ref_slct_ftz(const void *context, const uint64_t *in, uint64_t *out)
{
    (void)context;
    uint64_t flushed[3] = {in[0], in[1], in[2] & 0x7f800000 ? in[2] : 0};
    ref_slct("f32", flushed, out);
}

REFERENCE(ref_copy, uint64_t, a)
static void ref_setp_known(const void *context, const uint64_t *in, uint64_t *out)
{
    (void)context, (void)in;
    out[0] = 1;
    out[1] = 0;
}

REFERENCE(ref_not_pred, uint64_t, !a)

void predicates_and_selection(void **state)
{
    (void)state;
    static const char *const types[] = {"b16", "u16", "s16", "b32", "u32", "s32",
                                        "b64", "u64", "s64", "f32", "f64"};
    static const char kinds[] = "hhhwwwdddwd";
    for (unsigned i = 0; i < 11; i++) {
        char opcode[40], shape[8] = {kinds[i], '=', kinds[i], kinds[i], i & 1 ? 'n' : 'p'};
        snprintf(opcode, sizeof(opcode), "selp.%s", types[i]);
        check(opcode, shape, ref_selp, NULL);
        shape[4] = 'w';
        snprintf(opcode, sizeof(opcode), "slct.%s.s32", types[i]);
        check(opcode, shape, ref_slct, "s32");
        shape[4] = 'f';
        snprintf(opcode, sizeof(opcode), "slct.%s.f32", types[i]);
        check(opcode, shape, ref_slct, "f32");
        snprintf(opcode, sizeof(opcode), "slct.ftz.%s.f32", types[i]);
        check(opcode, shape, ref_slct_ftz, NULL);
    }
    check("and.pred", "p=pp", ref_and, NULL);
    check("or.pred", "p=pp", ref_or, NULL);
    check("xor.pred", "p=pp", ref_xor, NULL);
    check("not.pred", "p=p", ref_not_pred, NULL);
    check("mov.pred", "p=p", ref_copy, NULL);
    check_value(&(value_case){.opcode = "mov.pred",
                              .shape = "pp=p",
                              .reference = ref_setp_known,
                              .body = "mov.pred %d0, 1;\nmov.pred %d1, 0;"});
}
