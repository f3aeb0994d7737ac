/* Execute, then charge: an instruction that issues is executed for its values, and the functional
 * units, the scoreboard and the load/store units are charged for what it did. No state of its own.
 */
#ifndef WW_CORE_EXECUTE_H
#define WW_CORE_EXECUTE_H

#include "core/core.h"

struct ww_slot_state;

/* The scheduler has picked the slot of this bit, whose functional unit is free. A fault of the
 * program stops the run; the instruction is not charged then. */
__attribute__((noinline)) void ww_cu_execute(ww_cu *cu, unsigned scheduler,
                                             struct ww_slot_state *slot, uint64_t bit,
                                             uint64_t cycle);

/* Whether an access that has lanes goes to the local data share. A generic one does when its first
 * address is there, as in hardware. */
static inline bool ww_goes_to_share(const ww_timed_op *op, const ww_access *access)
{
    if (!(op->flags & WW_TIMED_GENERIC))
        return op->unit == WW_UNIT_LDS;
    uint64_t first = access->address[__builtin_ctzll(access->lanes)];
    return first - WW_SHARED_WINDOW < WW_WINDOW_BYTES;
}

#endif
