/* Binary floating point in integers: the reference that lane operators are tested against. Slow,
 * exact, and unrelated to the processor's arithmetic.
 *
 * soft real   sign, significand m and exponent e: m * 2^e; the last bit of m may stand for a
 *             remainder that is not zero (sticky)
 * format      precision and exponent range of f16, bf16, f32 or f64 */
#ifndef WW_TESTS_SUPPORT_SOFT_REAL_H
#define WW_TESTS_SUPPORT_SOFT_REAL_H

#include "ptx/isa.h"

__extension__ typedef unsigned __int128 soft_bits;

typedef enum soft_kind { SOFT_ZERO, SOFT_FINITE, SOFT_INFINITE, SOFT_NAN } soft_kind;

typedef struct soft_real {
    soft_kind kind;
    bool negative;
    soft_bits m;
    int e;
} soft_real;

typedef struct soft_format {
    int precision, least_exponent, most_exponent, bits;
    uint64_t nan; /* canonical */
} soft_format;

/* The format of a type, or of a pair's halves. */
const soft_format *soft_format_of(ww_type type);

soft_real soft_unpack(const soft_format *format, uint64_t bits);
/* Rounds; WW_ROUND_RN, RZ, RM or RP. */
uint64_t soft_pack(const soft_format *format, soft_real v, ww_round round);

soft_real soft_integer(bool negative, uint64_t magnitude);
soft_real soft_negate(soft_real v);
soft_real soft_add(soft_real x, soft_real y, ww_round round); /* round: for the sign of zero */
soft_real soft_multiply(soft_real x, soft_real y);
soft_real soft_divide(soft_real x, soft_real y);
soft_real soft_root(soft_real x);
/* An integer value; round is RNI, RZI, RMI or RPI. */
soft_real soft_integral(soft_real v, ww_round round);

/* -1, 0, 1, or 2 when one is a NaN. */
int soft_compare(soft_real x, soft_real y);
long double soft_long_double(soft_real v);

#endif
