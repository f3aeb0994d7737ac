/* Rounding to an integer value within a real format: rni (to even), rzi, rmi, rpi. */
#ifndef WW_EXEC_LANES_INTEGRAL_H
#define WW_EXEC_LANES_INTEGRAL_H

#define INTEGRAL32_RNI(v) __builtin_rintf(v)
#define INTEGRAL32_RZI(v) __builtin_truncf(v)
#define INTEGRAL32_RMI(v) __builtin_floorf(v)
#define INTEGRAL32_RPI(v) __builtin_ceilf(v)
#define INTEGRAL64_RNI(v) __builtin_rint(v)
#define INTEGRAL64_RZI(v) __builtin_trunc(v)
#define INTEGRAL64_RMI(v) __builtin_floor(v)
#define INTEGRAL64_RPI(v) __builtin_ceil(v)

#endif
