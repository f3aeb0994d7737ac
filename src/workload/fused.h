/* References that round as the kernels do.
 *
 * fused   a * b + c rounded once, as fma() in a kernel is: fmaf() and fma() of <math.h> give the
 *         same bits on every machine
 *
 * Where the order of a kernel's operations is fixed, its reference makes the same ones in that
 * order and must be met to the last bit. Nothing is contracted here (cmake/flags.cmake); a kernel
 * says with its FP_CONTRACT pragma or with fma() what is. */
#ifndef WW_WORKLOAD_FUSED_H
#define WW_WORKLOAD_FUSED_H

#include <math.h>

/* Of a function with a loop of fmaf() or fma(): where the processor has an instruction for them,
 * the loop uses it instead of calling the C library. Not with older clangs, in which such functions
 * of one name in two files collide even if they are static (seen with 14, not with 19). */
#if defined(__x86_64__) && (!defined(__clang__) || __clang_major__ >= 19)
#define WW_FUSED __attribute__((target_clones("fma", "default")))
#else
#define WW_FUSED
#endif

#endif
