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
 * a b c    source rows; selp's c is a mask
 * carry    add.cc, addc, sub.cc, subc, mad.cc, madc: the carry (or borrow) mask, read and written
 *
 * 8- and 16-bit sources are read from the low bits only. 8- and 16-bit results are written extended
 * to 32 bits: sign-extended for s8 and s16, else zero-extended.
 * Every build of the operators (portable, AVX2, AVX-512) gives the same bits. */
#ifndef WW_EXEC_LANE_H
#define WW_EXEC_LANE_H

#include "ptx/isa.h"

typedef void ww_lane_fn(void *d, const void *a, const void *b, const void *c, unsigned blocks,
                        uint64_t *carry);

typedef enum ww_lane_level { WW_LANE_PORTABLE, WW_LANE_AVX2, WW_LANE_AVX512 } ww_lane_level;

/* The best level that this processor and this build have. */
ww_lane_level ww_lane_best(void);
const char *ww_lane_level_name(ww_lane_level level);

/* The operator for an arithmetic form, or NULL when there is none (an unknown combination, or an
 * operation that is not lane arithmetic: moves, memory, control flow, warp-wide ones). `set` is
 * found as the setp with the same compare and source type. */
ww_lane_fn *ww_lane_find(ww_lane_level level, const ww_form *form);

#endif
