/* Floats as bits and as values of the host, and rounding to formats the host may not have. */
#ifndef WW_TESTS_REALS_H
#define WW_TESTS_REALS_H

#include <stdbool.h>
#include <stdint.h>

float f32_of(uint64_t bits);
double f64_of(uint64_t bits);
uint64_t bits_of_f32(float value);
uint64_t bits_of_f64(double value);

/* A subnormal f32 becomes a zero of its sign; other bits stay. */
uint64_t flushed(uint64_t f32_bits);

/* A binary format: 11 and 5 for f16, 8 and 8 for bf16, 24 and 8 for f32. */
typedef struct real_format {
    int precision; /* bits of the significand, with the one not stored */
    int exponent_bits;
} real_format;

extern const real_format format_f16, format_bf16, format_f32;

double value_of(const real_format *format, uint64_t bits);
/* The value rounded as the host rounds now (fesetround). NaNs become quiet. */
uint64_t rounded_to(const real_format *format, double value);
/* a + b rounded to odd: rounding it once more to fewer bits is as good as rounding the sum. */
double sum_to_odd(double a, double b);

#endif
