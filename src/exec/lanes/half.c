/* f16, bf16 and pairs of them: arithmetic rounded to nearest. */
#include "exec/lanes/half.h"
#include "exec/lanes/extreme.h"

/* An f16 product has 22 bits; what double loses of the sum is too small to change the rounding. */
#define FUSED_F16(x, y, z) narrow_to_odd((double)(x) * (double)(y) + (double)(z))
#define FUSED_BF16(x, y, z) add_to_odd((x) * (y), z)

#define FAMILY half
#include "exec/lanes/define_operators.h"
