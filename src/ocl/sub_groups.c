/* What a kernel answers about sub-groups: they are warps, in the order of local linear ids. */
#include "ocl/gpu.h"
#include "ocl/kernel.h"

static size_t width(void)
{
    return ww_config_u64(ww_cl_gpu_config(), "core.warp_width");
}

size_t ww_cl_sub_groups_in(size_t items)
{
    return (items + width() - 1) / width();
}

/* Reads the sizes of a group that the program passes: 1 to 3 numbers. */
static bool read_items(size_t input_size, const void *input, size_t *items)
{
    const size_t *sizes = input;
    size_t count = input_size / sizeof(size_t);
    *items = 1;
    if (!input || count < 1 || count > 3 || input_size % sizeof(size_t))
        return false;
    for (size_t d = 0; d < count; d++)
        *items *= sizes[d];
    return true;
}

/* A group of `count` sub-groups in as many dimensions as there is room for; zeros: none. */
static cl_int give_local_size(const ww_cl_answer *answer, cl_kernel kernel, size_t input_size,
                              const void *input)
{
    size_t dims = answer->value ? answer->room / sizeof(size_t) : 3, sizes[3] = {0};
    if (!input || input_size != sizeof(size_t) || dims < 1)
        return CL_INVALID_VALUE;
    size_t count = *(const size_t *)input;
    if (count <= ww_cl_kernel_most_group(kernel) / width()) {
        sizes[0] = count * width();
        sizes[1] = sizes[2] = count ? 1 : 0;
    }
    return ww_cl_give(answer, sizes, (dims < 3 ? dims : 3) * sizeof(size_t));
}

cl_int CL_API_CALL clGetKernelSubGroupInfo(cl_kernel kernel, cl_device_id device,
                                           cl_kernel_sub_group_info name, size_t input_size,
                                           const void *input, size_t room, void *value,
                                           size_t *size)
{
    WW_CL_ENTER;
    ww_cl_answer answer = {room, value, size};
    size_t items;
    if (!ww_cl_is(kernel, WW_CL_KERNEL))
        return CL_INVALID_KERNEL;
    if (device && !ww_cl_is(device, WW_CL_DEVICE))
        return CL_INVALID_DEVICE;
    switch (name) {
    case CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE:
        return read_items(input_size, input, &items) ? ww_cl_give_size(&answer, width())
                                                     : CL_INVALID_VALUE;
    case CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE:
        return read_items(input_size, input, &items)
                   ? ww_cl_give_size(&answer, ww_cl_sub_groups_in(items))
                   : CL_INVALID_VALUE;
    case CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT:
        return give_local_size(&answer, kernel, input_size, input);
    case CL_KERNEL_MAX_NUM_SUB_GROUPS:
        return ww_cl_give_size(&answer, ww_cl_sub_groups_in(ww_cl_kernel_most_group(kernel)));
    case CL_KERNEL_COMPILE_NUM_SUB_GROUPS: return ww_cl_give_size(&answer, 0);
    case CL_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL:
        return ww_cl_give_size(&answer, kernel->function->required_subgroup);
    default: return CL_INVALID_VALUE;
    }
}
