/* The device with time: launches run on a GPU that is modelled cycle by cycle (gpu.h). */
#ifndef WW_SIM_TIMED_DEVICE_H
#define WW_SIM_TIMED_DEVICE_H

#include "host/device.h"
#include "sim/gpu.h"

/* As ww_functional_device_create; NULL with errors when the configuration makes no machine. The watch outlives the
 * device, and may be NULL. */
ww_device *ww_timed_device_create(const ww_config *config, const ww_exec_options *options,
                                  ww_place_fn *place, const ww_gpu_watch *watch, ww_errors *errors);

/* Of all launches so far. */
ww_exec_counters ww_timed_device_counters(const ww_device *device);
double ww_timed_device_seconds(const ww_device *device); /* of processor time */
ww_gpu *ww_timed_device_gpu(const ww_device *device);

#endif
