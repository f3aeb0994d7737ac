#include "host/opencl_driver.h"

#include "base/memory.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The folder of this program, with its final '/'; NULL with an error. */
static char *own_folder(ww_errors *errors)
{
    char path[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", path, sizeof(path) - 1);
    if (length < 0) {
        ww_fail(errors, WW_FAILED, WW_NOWHERE, "cannot read /proc/self/exe: %s", strerror(errno));
        return NULL;
    }
    path[length] = 0;
    strrchr(path, '/')[1] = 0;
    return ww_strdup(path);
}

int ww_opencl_driver_find(ww_opencl_driver *driver, ww_errors *errors)
{
    static const char *const where[][2] = {
        {"libwarpwalk_ocl.so", "warpwalk.icd"},
        {"../lib/libwarpwalk_ocl.so", "../etc/OpenCL/vendors/warpwalk.icd"}};
    char *folder = own_folder(errors);
    bool found = false;
    *driver = (ww_opencl_driver){0};
    for (size_t i = 0; folder && !found && i < sizeof(where) / sizeof(where[0]); i++) {
        ww_opencl_driver_clear(driver);
        driver->library = ww_format("%s%s", folder, where[i][0]);
        driver->icd = ww_format("%s%s", folder, where[i][1]);
        found = access(driver->library, R_OK) == 0 && access(driver->icd, R_OK) == 0;
    }
    int status = !folder ? WW_FAILED
                 : found ? WW_OK
                         : ww_fail(errors, WW_BAD_INPUT, WW_NOWHERE,
                                   "libwarpwalk_ocl.so and warpwalk.icd are not in '%s', nor "
                                   "installed (make builds them where OpenCL's headers are: "
                                   "tools/setup)",
                                   folder);
    free(folder);
    return status;
}

void ww_opencl_driver_clear(ww_opencl_driver *driver)
{
    free(driver->library);
    free(driver->icd);
    *driver = (ww_opencl_driver){0};
}
