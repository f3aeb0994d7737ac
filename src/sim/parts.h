/* The parts a program is made of: every component's keys and statistics, in one place.
 *
 * A new component adds one line to each table of parts.c; policies are found through the keys that
 * choose them. */
#ifndef WW_SIM_PARTS_H
#define WW_SIM_PARTS_H

#include "config/schema.h"
#include "stats/stats.h"

#define WW_DEFAULT_MACHINE "simt32"
#define WW_DEFAULT_TIMED_MACHINE "apu-isca18"

extern const ww_schema_set ww_all_schemas;

/* Declares every component's statistics, for those who list or describe them. */
void ww_declare_all_stats(ww_stats *stats);

#endif
