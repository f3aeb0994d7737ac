/* Power over the time of a run (samples.h), by group of components (energy/energy.h). */
#ifndef WW_SIM_ENERGY_SERIES_H
#define WW_SIM_ENERGY_SERIES_H

#include "base/json.h"
#include "sim/gpu.h"

typedef struct ww_energy_series ww_energy_series;

ww_energy_series *ww_energy_series_create(void);
void ww_energy_series_destroy(ww_energy_series *series);

/* Cycles until the next one. */
uint64_t ww_energy_series_add(ww_energy_series *series, const ww_gpu_sample *sample);
uint64_t ww_energy_series_end(const ww_energy_series *series); /* the cycle of the last sample */

/* Equal bins of the time up to a cycle, in watts: {"power": [...], "power_core": [...], ...}. The
 * groups of a bin add up to its power. */
json_t *ww_energy_series_json(const ww_energy_series *series, unsigned bins, uint64_t end);

#endif
