/* Execute, then charge: an instruction that issues is executed for its values, and the functional
 * units, the scoreboard and the load/store units are charged for what it did. No state of its own.
 */
#ifndef WW_CORE_EXECUTE_H
#define WW_CORE_EXECUTE_H

#include "core/core.h"

/* The scheduler has picked the slot, whose functional unit is free. A fault of the program stops
 * the run; the instruction is not charged then. */
void ww_cu_execute(ww_cu *cu, unsigned scheduler, unsigned slot, uint64_t cycle);

#endif
