/* The table of lane operators.
 *
 * key      a canonical form packed into 64 bits: what an operator is found by
 * entry    a key and its operator
 * family   the entries of one source file (integer.c, float.c, ...), for one level
 * level    one build of all families with the compiler flags of one kind of processor
 * lane.c makes forms canonical: it folds words that cannot change the result (`add.s32` is found as
 * `add.u32`). */
#ifndef WW_EXEC_LANES_TABLE_H
#define WW_EXEC_LANES_TABLE_H

#include <stddef.h>

#include "exec/lane.h"

typedef struct ww_lane_entry {
    uint64_t key;
    ww_lane_fn *fn;
} ww_lane_entry;

typedef struct ww_lane_family {
    const char *name;
    const ww_lane_entry *entries;
    size_t count;
} ww_lane_family;

/* clang-format off */
#define WW_LANE_FAMILIES(X) \
    X(integer) X(carry) X(bits) X(compare) X(select) X(float) X(rounded) X(half) \
    X(convert_integer) X(convert_float) X(convert_half) X(approx)
/* clang-format on */

#define WW_LANE_COUNT_FAMILY(family) +1
enum { WW_LANE_FAMILY_COUNT = 0 WW_LANE_FAMILIES(WW_LANE_COUNT_FAMILY) };

/* Flags that lane arithmetic knows: the low 16 bits of ww_form_flag. */
#define WW_LANE_KEY(op, type, type2, round, compare, variant, flags)                   \
    ((uint64_t)(op) << 56 | (uint64_t)(type) << 48 | (uint64_t)(type2) << 40 |         \
     (uint64_t)(round) << 32 | (uint64_t)(compare) << 24 | (uint64_t)(variant) << 16 | \
     (uint64_t)(flags))

/* The families of a level; of the portable one when this build has no such level. */
const ww_lane_family *const *ww_lane_families(ww_lane_level level);

/* What lanes/level.c defines, once for each level that this build has. */
extern const ww_lane_family *const ww_lane_families_portable[WW_LANE_FAMILY_COUNT];
extern const ww_lane_family *const ww_lane_families_avx2[WW_LANE_FAMILY_COUNT];
extern const ww_lane_family *const ww_lane_families_avx512[WW_LANE_FAMILY_COUNT];

#endif
