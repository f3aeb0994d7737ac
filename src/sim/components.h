/* All components: their keys and statistics.
 *
 * A new component adds one line to each table of components.c. Keys name their policies. */
#ifndef WW_SIM_COMPONENTS_H
#define WW_SIM_COMPONENTS_H

#include "config/schema.h"
#include "stats/stats.h"

#define WW_DEFAULT_MACHINE "simt32"
#define WW_DEFAULT_TIMED_MACHINE "apu-isca18"

extern const ww_schema_set ww_all_schemas;

/* Declares the statistics of every component and policy, to list or describe them. */
void ww_declare_all_stats(ww_stats *stats);

#endif
