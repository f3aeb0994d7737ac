/* The platform: there is one, with one device. */
#include "ocl/extensions.h"
#include "ocl/gpu.h"

#include <string.h>

static struct _cl_platform_id *platform;
static struct _cl_device_id *device;

cl_platform_id ww_cl_platform(void)
{
    if (!platform && ww_cl_gpu_configure()) {
        platform = ww_cl_create(WW_CL_PLATFORM, sizeof(*platform));
        device = ww_cl_create(WW_CL_DEVICE, sizeof(*device));
    }
    return platform;
}

cl_device_id ww_cl_device(void)
{
    return ww_cl_platform() ? device : NULL;
}

bool ww_cl_are_devices(cl_uint count, const cl_device_id *devices)
{
    for (cl_uint i = 0; i < count; i++)
        if (!ww_cl_is(devices[i], WW_CL_DEVICE))
            return false;
    return true;
}

static cl_int give_platforms(cl_uint room, cl_platform_id *platforms, cl_uint *count)
{
    if ((!platforms && !count) || (platforms && room == 0))
        return CL_INVALID_VALUE;
    if (!ww_cl_platform())
        return CL_PLATFORM_NOT_FOUND_KHR;
    if (platforms)
        platforms[0] = platform;
    if (count)
        *count = 1;
    return CL_SUCCESS;
}

cl_int CL_API_CALL clGetPlatformIDs(cl_uint room, cl_platform_id *platforms, cl_uint *count)
{
    WW_CL_ENTER;
    return give_platforms(room, platforms, count);
}

__attribute__((visibility("default"))) cl_int CL_API_CALL
clIcdGetPlatformIDsKHR(cl_uint room, cl_platform_id *platforms, cl_uint *count)
{
    WW_CL_ENTER;
    return give_platforms(room, platforms, count);
}

static cl_int give_extensions(const ww_cl_answer *answer)
{
    static const cl_name_version list[] = {{CL_MAKE_VERSION(1, 0, 0), "cl_khr_icd"}};
    return ww_cl_give(answer, list, sizeof(list));
}

__attribute__((visibility("default"))) cl_int CL_API_CALL clGetPlatformInfo(
    cl_platform_id which, cl_platform_info name, size_t room, void *value, size_t *size)
{
    WW_CL_ENTER;
    ww_cl_answer answer = {room, value, size};
    if (which ? !ww_cl_is(which, WW_CL_PLATFORM) : !ww_cl_platform())
        return CL_INVALID_PLATFORM;
    switch (name) {
    case CL_PLATFORM_PROFILE: return ww_cl_give_text(&answer, "FULL_PROFILE");
    case CL_PLATFORM_VERSION: return ww_cl_give_text(&answer, "OpenCL 3.0 warpwalk " WW_VERSION);
    case CL_PLATFORM_NUMERIC_VERSION: return ww_cl_give_uint(&answer, CL_MAKE_VERSION(3, 0, 0));
    case CL_PLATFORM_NAME: return ww_cl_give_text(&answer, "warpwalk");
    case CL_PLATFORM_VENDOR: return ww_cl_give_text(&answer, "warpwalk");
    case CL_PLATFORM_EXTENSIONS: return ww_cl_give_text(&answer, "cl_khr_icd");
    case CL_PLATFORM_EXTENSIONS_WITH_VERSION: return give_extensions(&answer);
    case CL_PLATFORM_ICD_SUFFIX_KHR: return ww_cl_give_text(&answer, "WW");
    case CL_PLATFORM_HOST_TIMER_RESOLUTION: return ww_cl_give_ulong(&answer, 0); /* no timers */
    default: return CL_INVALID_VALUE;
    }
}

/* ---- functions of extensions ---- */

static void *address_of(const char *name)
{
    if (name && strcmp(name, "clIcdGetPlatformIDsKHR") == 0)
        return (void *)(uintptr_t)clIcdGetPlatformIDsKHR;
    return NULL;
}

__attribute__((visibility("default"))) void *CL_API_CALL
clGetExtensionFunctionAddress(const char *name)
{
    return address_of(name);
}

void *CL_API_CALL clGetExtensionFunctionAddressForPlatform(cl_platform_id which, const char *name)
{
    WW_CL_ENTER;
    return ww_cl_is(which, WW_CL_PLATFORM) ? address_of(name) : NULL;
}

cl_int CL_API_CALL clUnloadCompiler(void)
{
    return CL_SUCCESS;
}

cl_int CL_API_CALL clUnloadPlatformCompiler(cl_platform_id which)
{
    WW_CL_ENTER;
    return ww_cl_is(which, WW_CL_PLATFORM) ? CL_SUCCESS : CL_INVALID_PLATFORM;
}

/* ---- devices ---- */

cl_int CL_API_CALL clGetDeviceIDs(cl_platform_id which, cl_device_type type, cl_uint room,
                                  cl_device_id *devices, cl_uint *count)
{
    const cl_device_type known = CL_DEVICE_TYPE_DEFAULT | CL_DEVICE_TYPE_CPU | CL_DEVICE_TYPE_GPU |
                                 CL_DEVICE_TYPE_ACCELERATOR | CL_DEVICE_TYPE_CUSTOM;
    WW_CL_ENTER;
    if (which ? !ww_cl_is(which, WW_CL_PLATFORM) : !ww_cl_platform())
        return CL_INVALID_PLATFORM;
    if (type != CL_DEVICE_TYPE_ALL && (!(type & known) || (type & ~known)))
        return CL_INVALID_DEVICE_TYPE;
    if ((!devices && !count) || (devices && room == 0))
        return CL_INVALID_VALUE;
    bool found = type & (ww_cl_gpu_type() | CL_DEVICE_TYPE_DEFAULT);
    if (count)
        *count = found;
    if (!found)
        return CL_DEVICE_NOT_FOUND;
    if (devices)
        devices[0] = device;
    return CL_SUCCESS;
}

/* A root device has no references to count. */
static cl_int check_device(cl_device_id which)
{
    WW_CL_ENTER;
    return ww_cl_is(which, WW_CL_DEVICE) ? CL_SUCCESS : CL_INVALID_DEVICE;
}

cl_int CL_API_CALL clRetainDevice(cl_device_id which)
{
    return check_device(which);
}

cl_int CL_API_CALL clReleaseDevice(cl_device_id which)
{
    return check_device(which);
}

/* The device cannot be partitioned, in no way. */
cl_int CL_API_CALL clCreateSubDevices(cl_device_id which,
                                      const cl_device_partition_property *properties, cl_uint room,
                                      cl_device_id *devices, cl_uint *count)
{
    (void)properties;
    (void)room;
    (void)devices;
    (void)count;
    cl_int status = check_device(which);
    return status == CL_SUCCESS ? CL_INVALID_VALUE : status;
}

/* The device's clock stands still between launches: it is no timer that runs with the host's. */
cl_int CL_API_CALL clGetDeviceAndHostTimer(cl_device_id which, cl_ulong *device_time,
                                           cl_ulong *host_time)
{
    (void)device_time;
    (void)host_time;
    cl_int status = check_device(which);
    return status == CL_SUCCESS ? CL_INVALID_OPERATION : status;
}

cl_int CL_API_CALL clGetHostTimer(cl_device_id which, cl_ulong *host_time)
{
    (void)host_time;
    cl_int status = check_device(which);
    return status == CL_SUCCESS ? CL_INVALID_OPERATION : status;
}

/* There are no queues on the device. */
cl_int CL_API_CALL clSetDefaultDeviceCommandQueue(cl_context context, cl_device_id which,
                                                  cl_command_queue queue)
{
    WW_CL_ENTER;
    if (!ww_cl_is(context, WW_CL_CONTEXT))
        return CL_INVALID_CONTEXT;
    if (!ww_cl_is(which, WW_CL_DEVICE))
        return CL_INVALID_DEVICE;
    (void)queue;
    return CL_INVALID_OPERATION;
}
