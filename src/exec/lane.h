/* Lane operators: what one arithmetic instruction does to all lanes of a warp at once.
 *
 * row      one register of a warp: element [lane], 4 bytes a lane for types up to 32 bits (also for
 *          8- and 16-bit ones), 8 bytes for 64-bit types; 64-byte aligned
 * mask     a predicate of a warp: one uint64_t, bit [lane]
 * An operator computes every lane of `blocks` blocks of 16 lanes, needed or not: the caller keeps
 * the lanes that were active. It touches nothing else, has no state and cannot fail. `d` may be the
 * same row as a source, never one that partly overlaps.
 *
 * d        the result row; for setp and testp a mask (bits beyond blocks*16 are zero)
 * a b c    source rows; selp's c is a mask; shift amounts, bit positions, bit-field lengths and
 *          prmt's selector are 32-bit rows whatever the form's type
 * extra    add.cc, addc, sub.cc, subc, mad.cc, madc: the carry mask, read and (.cc) written; bit
 *          [lane] is 1 after a carry, and after a borrow for the subtractions; bits beyond
 *          blocks*16 become zero. lop3: the look-up table, *extra from 0 to 255 (0xf0 is a, 0xcc
 *          is b, 0xaa is c). bfi: the fourth source, the row of lengths, as a uint64_t pointer.
 *          Else not touched: may be NULL, as may be the sources that a form does not have
 *
 * 8- and 16-bit sources are read from the low bits only. 8- and 16-bit results are written extended
 * to 32 bits: sign-extended for s8 and s16, else zero-extended.
 * Every build of the operators (portable, AVX2, AVX-512) gives the same bits.
 *
 * Where PTX leaves a result open, or a device may differ, this is what happens:
 * - x / 0 is all ones (unsigned: the largest value; signed: -1), x rem 0 is x; the least signed
 *   value / -1 is itself, rem 0
 * - a NaN result of arithmetic, min, max or cvt is canonical: 0x7fffffff (f32), 0x7fff (f16, bf16),
 *   0x7ff8000000000000 (f64); abs, neg and copysign change only the sign of a NaN
 * - .ftz flushes a result that is subnormal after rounding
 * - cvt from a real to an integer clamps to the type's range; NaN gives 0, or the top bit alone
 *   when the source is f64 or the result has 64 bits
 * - .relu and .sat give +0 for -0
 * - .approx functions are within one ulp (f32) of the true value, sin and cos for every finite
 *   source; div.approx gives a signed zero for divisors beyond 2^126
 * Not supported: the saturating and mixed-type forms of the video instructions, three-source min
 * and max, f32x2, tf32 and the 8-bit (and smaller) floats. */
#ifndef WW_EXEC_LANE_H
#define WW_EXEC_LANE_H

#include "ptx/isa.h"

typedef void ww_lane_fn(void *d, const void *a, const void *b, const void *c, unsigned blocks,
                        uint64_t *extra);

typedef enum ww_lane_level { WW_LANE_PORTABLE, WW_LANE_AVX2, WW_LANE_AVX512 } ww_lane_level;

/* The best level that this processor and this build have. */
ww_lane_level ww_lane_best(void);
const char *ww_lane_level_name(ww_lane_level level);

/* The operator for an arithmetic form, or NULL when there is none (an unknown combination, or an
 * operation that is not lane arithmetic: moves, memory, control flow, warp-wide ones). `set` is
 * found as the setp with the same compare and source type. */
ww_lane_fn *ww_lane_find(ww_lane_level level, const ww_form *form);

#endif
