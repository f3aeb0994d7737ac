/* Where the OpenCL driver of this program is: beside it, or where `make install` puts it. */
#ifndef WW_HOST_OPENCL_DRIVER_H
#define WW_HOST_OPENCL_DRIVER_H

#include "base/error.h"

typedef struct ww_opencl_driver {
    char *library, *icd; /* paths; the second names the first to loaders */
} ww_opencl_driver;

/* WW_BAD_INPUT with an error: it is not there. Clear it in both cases. */
int ww_opencl_driver_find(ww_opencl_driver *driver, ww_errors *errors);
void ww_opencl_driver_clear(ww_opencl_driver *driver);

#endif
