/* Arithmetic of f16 and bf16, one and two at a time. */
#include "opcodes.h"

#include "reals.h"

#include <math.h>
#include <string.h>

typedef struct half_context {
    const real_format *format;
    char operation; /* + - * f(ma) n(eg) a(bs) < > */
    bool sat, relu, nan;
} half_context;

/* Exact, or to odd. */
static double compute(const half_context *c, double a, double b, double third)
{
    switch (c->operation) {
    case '+': return sum_to_odd(a, b);
    case '-': return sum_to_odd(a, -b);
    case '*': return a * b;
    default: return sum_to_odd(a * b, third);
    }
}

static uint64_t extreme(const half_context *c, uint64_t a, uint64_t b)
{
    double x = value_of(c->format, a), y = value_of(c->format, b);
    bool greatest = c->operation == '>';
    if (isnan(x) || isnan(y))
        return c->nan || (isnan(x) && isnan(y)) ? 0x7fff : isnan(x) ? b : a;
    if (x == y)
        return greatest == !(a >> 15) ? a : b;
    return (x < y) == greatest ? b : a;
}

static uint64_t one(const half_context *c, uint64_t a, uint64_t b, uint64_t third)
{
    if (c->operation == 'n')
        return a ^ 0x8000;
    if (c->operation == 'a')
        return a & 0x7fff;
    if (c->operation == '<' || c->operation == '>')
        return extreme(c, a, b);
    double result =
        compute(c, value_of(c->format, a), value_of(c->format, b), value_of(c->format, third));
    if (c->sat)
        result = isnan(result) || result <= 0 ? 0 : result > 1 ? 1 : result;
    if (c->relu && result <= 0)
        result = 0;
    return rounded_to(c->format, result);
}

static void ref_one(const void *context, const uint64_t *in, uint64_t *out)
{
    out[0] = one(context, in[0], in[1], in[2]);
}

static void ref_two(const void *context, const uint64_t *in, uint64_t *out)
{
    out[0] = one(context, in[0] & 0xffff, in[1] & 0xffff, in[2] & 0xffff) |
             one(context, in[0] >> 16, in[1] >> 16, in[2] >> 16) << 16;
}

static void check_half(const char *name, unsigned sources, half_context c)
{
    static const struct {
        const char *name;
        const real_format *format;
        char kind;
        bool pair;
    } types[] = {{"f16", &format_f16, 'x', false},
                 {"f16x2", &format_f16, 'X', true},
                 {"bf16", &format_bf16, 'b', false},
                 {"bf16x2", &format_bf16, 'B', true}};
    for (unsigned i = 0; i < 4; i++) {
        char opcode[60], shape[8] = {types[i].kind, '='};
        if (c.sat && i > 1)
            continue; /* .sat stands only with f16 */
        memset(shape + 2, types[i].kind, sources);
        snprintf(opcode, sizeof(opcode), "%s.%s", name, types[i].name);
        c.format = types[i].format;
        check(opcode, shape, types[i].pair ? ref_two : ref_one, &c);
    }
}

typedef struct compare_half {
    const real_format *format;
    unsigned kind; /* bits of less, equal, greater, unordered */
} compare_half;

static uint64_t compared(const compare_half *c, uint64_t first, uint64_t second)
{
    double a = value_of(c->format, first), b = value_of(c->format, second);
    return c->kind >> (isnan(a) || isnan(b) ? 3 : a < b ? 0 : a == b ? 1 : 2) & 1;
}

static void ref_setp(const void *context, const uint64_t *in, uint64_t *out)
{
    out[0] = compared(context, in[0], in[1]);
}

static void ref_setp_two(const void *context, const uint64_t *in, uint64_t *out)
{
    out[0] = compared(context, in[0] & 0xffff, in[1] & 0xffff);
    out[1] = compared(context, in[0] >> 16, in[1] >> 16);
}

void half_arithmetic(void **state)
{
    (void)state;
    check_half("add", 2, (half_context){.operation = '+'});
    check_half("add.rn", 2, (half_context){.operation = '+'});
    check_half("add.sat", 2, (half_context){.operation = '+', .sat = true});
    check_half("sub", 2, (half_context){.operation = '-'});
    check_half("sub.sat", 2, (half_context){.operation = '-', .sat = true});
    check_half("mul", 2, (half_context){.operation = '*'});
    check_half("mul.sat", 2, (half_context){.operation = '*', .sat = true});
    check_half("fma.rn", 3, (half_context){.operation = 'f'});
    check_half("fma.rn.sat", 3, (half_context){.operation = 'f', .sat = true});
    check_half("fma.rn.relu", 3, (half_context){.operation = 'f', .relu = true});
    check_half("neg", 1, (half_context){.operation = 'n'});
    check_half("abs", 1, (half_context){.operation = 'a'});
    check_half("min", 2, (half_context){.operation = '<'});
    check_half("max", 2, (half_context){.operation = '>'});
    check_half("min.NaN", 2, (half_context){.operation = '<', .nan = true});
    check_half("max.NaN", 2, (half_context){.operation = '>', .nan = true});
    check("setp.lt.f16", "p=xx", ref_setp, &(compare_half){&format_f16, 1});
    check("setp.neu.f16", "p=xx", ref_setp, &(compare_half){&format_f16, 13});
    check("setp.ge.bf16", "p=bb", ref_setp, &(compare_half){&format_bf16, 6});
    check("setp.gt.f16x2", "pp=XX", ref_setp_two, &(compare_half){&format_f16, 4});
    check("setp.neu.f16x2", "pp=XX", ref_setp_two, &(compare_half){&format_f16, 13});
    check("setp.le.bf16x2", "pp=BB", ref_setp_two, &(compare_half){&format_bf16, 3});
}
