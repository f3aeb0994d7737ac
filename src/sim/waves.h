/* Waves: which groups of a launch follow one another in a compute unit.
 *
 * wave     of a group: 1 when it started on a compute unit where no group of the launch had ended.
 *          Else it follows a group that ended there, the first that none follows yet, and its wave
 *          is that one's plus 1. */
#ifndef WW_SIM_WAVES_H
#define WW_SIM_WAVES_H

#include "core/observer.h"

typedef struct ww_waves ww_waves;

typedef struct ww_wave_warp {
    uint64_t start; /* the cycle from which on it can issue */
    uint64_t group;
    uint32_t wave; /* 0: there is no such warp */
} ww_wave_warp;

ww_waves *ww_waves_create(void);
void ww_waves_destroy(ww_waves *waves);

/* No group of an earlier launch runs. */
void ww_waves_launched(ww_waves *waves);
/* From observers: the warps of a group start one after the other, before any of them ends. */
void ww_waves_started(ww_waves *waves, const ww_observed *warp);
ww_wave_warp ww_waves_ended(ww_waves *waves, const ww_observed *warp);

#endif
