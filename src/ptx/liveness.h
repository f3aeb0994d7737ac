/* How many registers a function must hold at once, for occupancy.
 *
 * unit       32 bits of register: 64-bit types take two units, all others one (128-bit four)
 * predicate  counted separately: machines have separate predicate registers
 * scalar     a register whose value is the same in all lanes wherever it is read (uniform.h); a
 *            warp needs one copy. All others are vector registers, with a copy in every lane
 * held       from its first possible definition to its last possible read; a write that is never
 *            read is held at that instruction
 * A guarded write does not end the life of the value before. Unreachable code holds nothing. Counts
 * are exact for the control-flow graph: no rounding to allocation granules, no spilling, no reuse
 * across lanes. */
#ifndef WW_PTX_LIVENESS_H
#define WW_PTX_LIVENESS_H

#include "ptx/uses.h"

typedef struct ww_register_need {
    uint32_t vector; /* units a lane */
    uint32_t scalar; /* units a warp */
    uint32_t predicates;
} ww_register_need;

typedef struct ww_liveness {
    ww_register_need *at;  /* by instruction: to execute it, the larger of before and after */
    ww_register_need most; /* over all instructions, each field for itself */
} ww_liveness;

/* `uniform_registers` is by register, or NULL when all are to count as vector registers. */
ww_liveness *ww_liveness_create(const ww_uses *uses, const bool *uniform_registers);
void ww_liveness_destroy(ww_liveness *liveness);

/* Point 2i is before instruction i, point 2i+1 after it. Calls `visit` for each stretch of points
 * inside one block over which a register is held; stretches of one register do not overlap. */
typedef void ww_visit_range(uint32_t reg, uint32_t first, uint32_t last, void *context);
void ww_live_ranges(const ww_uses *uses, ww_visit_range *visit, void *context);

unsigned ww_type_units(ww_type type); /* 0 for predicates */

#endif
