/* The device without time: launches run to their end on the functional executor. */
#ifndef WW_HOST_FUNCTIONAL_DEVICE_H
#define WW_HOST_FUNCTIONAL_DEVICE_H

#include "host/device.h"

/* `placement` chooses the addresses of buffers (NULL: one page after the other). The options are
 * copied; what they point to outlives the device. */
ww_device *ww_functional_device_create(const ww_exec_options *options, const ww_placer *placer);

/* Of all launches so far. */
ww_exec_counters ww_functional_device_counters(const ww_device *device);
double ww_functional_device_seconds(const ww_device *device); /* of processor time */

#endif
