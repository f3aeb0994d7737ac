/* A device on which launches are interpreted by scalar.h. */
#ifndef WW_TESTS_SCALAR_DEVICE_H
#define WW_TESTS_SCALAR_DEVICE_H

#include "host/device.h"

/* A launch of a kernel that speaks of warps fails, with WW_BAD_INPUT. */
ww_device *scalar_device_create(ww_lane_level level);

#endif
