/* The .approx functions: within the error that the PTX manual states, and its special values. */
#include "opcodes.h"

#include "reals.h"

#include <math.h>

typedef struct approximation {
    long double (*exact)(long double, long double);
    long double relative; /* greatest errors; either is enough */
    long double absolute;
    bool ftz;
} approximation;

static long double ex_div(long double a, long double b)
{
    return a / b;
}
static long double ex_rcp(long double a, long double b)
{
    (void)b;
    return 1 / a;
}
static long double ex_sqrt(long double a, long double b)
{
    (void)b;
    return sqrtl(a);
}
static long double ex_rsqrt(long double a, long double b)
{
    (void)b;
    return 1 / sqrtl(a);
}
static long double ex_sin(long double a, long double b)
{
    (void)b;
    return sinl(a);
}
static long double ex_cos(long double a, long double b)
{
    (void)b;
    return cosl(a);
}
static long double ex_lg2(long double a, long double b)
{
    (void)b;
    return log2l(a);
}
static long double ex_ex2(long double a, long double b)
{
    (void)b;
    return exp2l(a);
}
static long double ex_tanh(long double a, long double b)
{
    (void)b;
    return tanhl(a);
}

/* Results near the ends of the range may round over them. */
static bool is_close(const approximation *a, long double want, float got)
{
    if (isnan(want) || isnan(got))
        return isnan(want) && isnan(got);
    if (want == (long double)got)
        return !signbit(want) == !signbit(got);
    if (fabsl(want) > 0x1.fffffep127L)
        return isinf(got) && !signbit(want) == !signbit(got);
    if (a->ftz && fabsl(want) < 0x1p-126L)
        return got == 0 || fabsf(got) == 0x1p-126f;
    if (isinf(got))
        return fabsl(want) * (1 + a->relative) > 0x1.fffffep127L;
    long double error = fabsl((long double)got - want);
    return error <= a->relative * fabsl(want) || error <= a->absolute || error <= 0x1p-149L;
}

static bool accept_f32(const void *context, const uint64_t *in, uint64_t got)
{
    const approximation *a = context;
    float x = f32_of(a->ftz ? flushed(in[0]) : in[0]), y = f32_of(a->ftz ? flushed(in[1]) : in[1]);
    return got >> 32 == 0 && is_close(a, a->exact(x, y), f32_of(got));
}

/* For divisors beyond 2^126 the quotient is 0, or NaN of infinity. */
static bool accept_div(const void *context, const uint64_t *in, uint64_t got)
{
    float x = f32_of(in[0]), y = f32_of(in[1]);
    if (fabsf(y) <= 0x1p126f || isinf(y) || isnan(y) || isnan(x))
        return accept_f32(context, in, got);
    return isinf(x) ? isnan(f32_of(got)) : f32_of(got) == 0;
}

/* sin and cos are promised a small error only near zero. */
static bool accept_angle(const void *context, const uint64_t *in, uint64_t got)
{
    float x = f32_of(in[0]);
    approximation a = *(const approximation *)context;
    if (fabsf(x) > 6.2831855f)
        a.absolute = fabsf(x) > 314.15927f ? 2 : 0x1p-14L;
    if (fabsf(x) > 314.15927f && isfinite(x))
        return fabsf(f32_of(got)) <= 1;
    return accept_f32(&a, in, got);
}

/* The upper half of the double has 20 bits of the result, the lower half is zero. */
static bool accept_f64(const void *context, const uint64_t *in, uint64_t got)
{
    const approximation *a = context;
    double x = f64_of(in[0]);
    if (fpclassify(x) == FP_SUBNORMAL)
        x = copysign(0, x);
    long double want = a->exact(x, 0);
    double result = f64_of(got);
    if (isnan(want) || isnan(result))
        return isnan(want) && isnan(result);
    if ((uint32_t)got)
        return false;
    if (isinf(want) || want == 0)
        return (long double)result == want && !signbit(result) == !signbit(want);
    if (fabsl(want) < 0x1p-1022L)
        return result == 0;
    return fabsl((long double)result - want) <= 0x1p-20L * fabsl(want);
}

static void check_approximate(const char *opcode, const char *shape, value_accept *accept,
                              const approximation *a)
{
    check_value(&(value_case){.opcode = opcode, .shape = shape, .context = a, .accept = accept});
}

void float_approximations(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        value_accept *accept;
        approximation a;
    } unary[] = {{"rcp.approx", accept_f32, {ex_rcp, 0x1p-23L, 0, false}},
                 {"sqrt.approx", accept_f32, {ex_sqrt, 0x1p-23L, 0, false}},
                 {"rsqrt.approx", accept_f32, {ex_rsqrt, 0x1.2p-23L, 0, false}},
                 {"sin.approx", accept_angle, {ex_sin, 0, 0x1.6p-21L, false}},
                 {"cos.approx", accept_angle, {ex_cos, 0, 0x1.6p-21L, false}},
                 {"lg2.approx", accept_f32, {ex_lg2, 0x1p-22L, 0x1p-22L, false}},
                 {"ex2.approx", accept_f32, {ex_ex2, 0x1p-22L, 0, false}}};
    for (size_t i = 0; i < sizeof(unary) / sizeof(unary[0]); i++) {
        char opcode[40];
        approximation a = unary[i].a;
        snprintf(opcode, sizeof(opcode), "%s.f32", unary[i].name);
        check_approximate(opcode, "f=f", unary[i].accept, &a);
        a.ftz = true;
        snprintf(opcode, sizeof(opcode), "%s.ftz.f32", unary[i].name);
        check_approximate(opcode, "f=f", unary[i].accept, &a);
    }
    approximation divide = {ex_div, 0x1p-22L, 0, false}, divide_ftz = {ex_div, 0x1p-22L, 0, true};
    check_approximate("div.approx.f32", "f=ff", accept_div, &divide);
    check_approximate("div.approx.ftz.f32", "f=ff", accept_div, &divide_ftz);
    check_approximate("div.full.f32", "f=ff", accept_f32, &divide);
    check_approximate("div.full.ftz.f32", "f=ff", accept_f32, &divide_ftz);
    check_approximate("tanh.approx.f32", "f=f", accept_f32,
                      &(approximation){ex_tanh, 0x1p-11L, 0, false});
    check_approximate("rcp.approx.ftz.f64", "g=g", accept_f64,
                      &(approximation){ex_rcp, 0, 0, true});
    check_approximate("rsqrt.approx.ftz.f64", "g=g", accept_f64,
                      &(approximation){ex_rsqrt, 0, 0, true});
}
