/* Queries about kernels. */
#include "host/device.h"
#include "ocl/gpu.h"
#include "ocl/kernel.h"

#include <string.h>

uint64_t ww_cl_kernel_local_bytes(cl_kernel kernel)
{
    uint64_t bytes = kernel->function->shared_bytes;
    for (unsigned i = 0; i < kernel->function->param_count; i++)
        if (kernel->arguments[i].local)
            bytes = ww_local_argument_at(bytes, kernel->arguments[i].local) +
                    kernel->arguments[i].local;
    return bytes;
}

size_t ww_cl_kernel_most_group(cl_kernel kernel)
{
    const ww_function *f = kernel->function;
    const uint32_t *limit = f->required_group[0] ? f->required_group : f->most_group;
    size_t items = 1, most = ww_cl_gpu_most_group();
    if (ww_cl_gpu_is_timed())
        most = ww_cl_gpu_most_group_with(ww_cl_program_need(kernel->program, f));
    if (!limit[0])
        return most;
    for (int d = 0; d < 3; d++)
        items *= limit[d] ? limit[d] : 1;
    return items < most ? items : most;
}

cl_int CL_API_CALL clGetKernelInfo(cl_kernel kernel, cl_kernel_info name, size_t room, void *value,
                                   size_t *size)
{
    WW_CL_ENTER;
    ww_cl_answer answer = {room, value, size};
    if (!ww_cl_is(kernel, WW_CL_KERNEL))
        return CL_INVALID_KERNEL;
    switch (name) {
    case CL_KERNEL_FUNCTION_NAME: return ww_cl_give_text(&answer, kernel->function->name);
    case CL_KERNEL_NUM_ARGS: return ww_cl_give_uint(&answer, kernel->function->param_count);
    case CL_KERNEL_REFERENCE_COUNT: return ww_cl_give_uint(&answer, kernel->object.references);
    case CL_KERNEL_CONTEXT: return ww_cl_give_handle(&answer, kernel->program->context);
    case CL_KERNEL_PROGRAM: return ww_cl_give_handle(&answer, kernel->program);
    case CL_KERNEL_ATTRIBUTES:
        return ww_cl_give_text(&answer, kernel->has_info ? kernel->info.attributes : "");
    default: return CL_INVALID_VALUE;
    }
}

/* ---- arguments ---- */

static cl_int give_space(const ww_kernel_argument *a, const ww_cl_answer *answer)
{
    static const cl_uint spaces[] = {CL_KERNEL_ARG_ADDRESS_PRIVATE, CL_KERNEL_ARG_ADDRESS_GLOBAL,
                                     CL_KERNEL_ARG_ADDRESS_CONSTANT, CL_KERNEL_ARG_ADDRESS_LOCAL};
    return ww_cl_give_uint(answer, spaces[a->space & 3]);
}

static cl_int give_access(const ww_kernel_argument *a, const ww_cl_answer *answer)
{
    cl_uint access = CL_KERNEL_ARG_ACCESS_NONE;
    if (strcmp(a->access, "read_only") == 0)
        access = CL_KERNEL_ARG_ACCESS_READ_ONLY;
    if (strcmp(a->access, "write_only") == 0)
        access = CL_KERNEL_ARG_ACCESS_WRITE_ONLY;
    if (strcmp(a->access, "read_write") == 0)
        access = CL_KERNEL_ARG_ACCESS_READ_WRITE;
    return ww_cl_give_uint(answer, access);
}

static cl_int give_qualifiers(const ww_kernel_argument *a, const ww_cl_answer *answer)
{
    cl_ulong qualifiers = CL_KERNEL_ARG_TYPE_NONE;
    if (strstr(a->qualifiers, "const"))
        qualifiers |= CL_KERNEL_ARG_TYPE_CONST;
    if (strstr(a->qualifiers, "restrict"))
        qualifiers |= CL_KERNEL_ARG_TYPE_RESTRICT;
    if (strstr(a->qualifiers, "volatile"))
        qualifiers |= CL_KERNEL_ARG_TYPE_VOLATILE;
    return ww_cl_give_ulong(answer, qualifiers);
}

static bool has_info(cl_kernel kernel)
{
    if (kernel->has_info)
        return true;
    char *ptx = ww_cl_program_describe(kernel->program);
    kernel->has_info = ptx && ww_kernel_info_read(ptx, kernel->function->name, &kernel->info);
    free(ptx);
    return kernel->has_info;
}

cl_int CL_API_CALL clGetKernelArgInfo(cl_kernel kernel, cl_uint index, cl_kernel_arg_info name,
                                      size_t room, void *value, size_t *size)
{
    WW_CL_ENTER;
    ww_cl_answer answer = {room, value, size};
    if (!ww_cl_is(kernel, WW_CL_KERNEL))
        return CL_INVALID_KERNEL;
    if (index >= kernel->function->param_count)
        return CL_INVALID_ARG_INDEX;
    if (!has_info(kernel) || index >= kernel->info.count)
        return CL_KERNEL_ARG_INFO_NOT_AVAILABLE;
    const ww_kernel_argument *a = &kernel->info.arguments[index];
    switch (name) {
    case CL_KERNEL_ARG_ADDRESS_QUALIFIER: return give_space(a, &answer);
    case CL_KERNEL_ARG_ACCESS_QUALIFIER: return give_access(a, &answer);
    case CL_KERNEL_ARG_TYPE_NAME: return ww_cl_give_text(&answer, a->type);
    case CL_KERNEL_ARG_TYPE_QUALIFIER: return give_qualifiers(a, &answer);
    case CL_KERNEL_ARG_NAME: return ww_cl_give_text(&answer, a->name);
    default: return CL_INVALID_VALUE;
    }
}

/* ---- work-groups ---- */

cl_int CL_API_CALL clGetKernelWorkGroupInfo(cl_kernel kernel, cl_device_id device,
                                            cl_kernel_work_group_info name, size_t room,
                                            void *value, size_t *size)
{
    WW_CL_ENTER;
    ww_cl_answer answer = {room, value, size};
    if (!ww_cl_is(kernel, WW_CL_KERNEL))
        return CL_INVALID_KERNEL;
    if (device && !ww_cl_is(device, WW_CL_DEVICE))
        return CL_INVALID_DEVICE;
    const ww_function *function = kernel->function;
    size_t required[3];
    for (int d = 0; d < 3; d++)
        required[d] = function->required_group[0] && !function->required_group[d]
                          ? 1
                          : function->required_group[d];
    switch (name) {
    case CL_KERNEL_WORK_GROUP_SIZE:
        return ww_cl_give_size(&answer, ww_cl_kernel_most_group(kernel));
    case CL_KERNEL_COMPILE_WORK_GROUP_SIZE: return ww_cl_give(&answer, required, sizeof(required));
    case CL_KERNEL_LOCAL_MEM_SIZE:
        return ww_cl_give_ulong(&answer, ww_cl_kernel_local_bytes(kernel));
    case CL_KERNEL_PRIVATE_MEM_SIZE: return ww_cl_give_ulong(&answer, function->local_bytes);
    case CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE:
        return ww_cl_give_size(&answer, ww_config_u64(ww_cl_gpu_config(), "core.warp_width"));
    case CL_KERNEL_SPILL_MEM_SIZE_INTEL: return ww_cl_give_ulong(&answer, 0); /* any registers */
    case CL_KERNEL_GLOBAL_WORK_SIZE: return CL_INVALID_VALUE; /* of built-in kernels */
    default: return CL_INVALID_VALUE;
    }
}
