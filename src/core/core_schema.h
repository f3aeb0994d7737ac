/* The keys of compute units, and the configuration they make. */
#ifndef WW_CORE_CORE_SCHEMA_H
#define WW_CORE_CORE_SCHEMA_H

#include "core/core.h"

extern const ww_schema ww_cu_schema;

/* All but the clock and the coalescer's line and sector, which are the L1's. */
void ww_cu_configure(const ww_config *config, ww_cu_config *cu);

#endif
