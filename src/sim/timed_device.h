/* The device with time: launches run on a GPU that is modelled cycle by cycle (gpu.h). */
#ifndef WW_SIM_TIMED_DEVICE_H
#define WW_SIM_TIMED_DEVICE_H

#include "host/device.h"
#include "sim/gpu.h"
#include "sim/region.h"
#include "sim/sampler.h"

/* As ww_functional_device_create. The configuration was checked. The observer and the first pass
 * outlive the device, and may be NULL. */
ww_device *ww_timed_device_create(const ww_config *config, const ww_exec_options *options,
                                  const ww_region *region, const ww_placer *placer,
                                  const ww_gpu_observer *observer, const ww_first_pass *first_pass);
/* Before the first launch: launches are sampled; it outlives the device. There is no region. */
void ww_timed_device_sample(ww_device *device, ww_sampler *sampler);

/* Whether later launches take time; at first they do. The others run functionally: caches and TLBs
 * do not see them. */
void ww_timed_device_time(ww_device *device, bool timed);

/* The region is over: launches fail from now on, which is no error. */
bool ww_timed_device_is_over(const ww_device *device);
/* Statistics of the machine since the start of the region, with the table of execution's, which is
 * empty. The caller owns them, and reads them before the device is destroyed. */
ww_stats *ww_timed_device_take_stats(ww_device *device);
/* Cycles and warp instructions that count. */
uint64_t ww_timed_device_cycles(const ww_device *device);
uint64_t ww_timed_device_instructions(const ww_device *device);
/* Reuse distances by instruction (reuse_rows.h); NULL: they are not measured. */
json_t *ww_timed_device_reuse(const ww_device *device);

/* Of all launches so far. */
ww_exec_counters ww_timed_device_counters(const ww_device *device);
double ww_timed_device_seconds(const ww_device *device); /* of processor time */
/* Whether a kernel that was launched has a load with this number, as bypass.h sees them. */
bool ww_timed_device_has_load(const ww_device *device, uint64_t pc);

#endif
