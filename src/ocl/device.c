/* What the device answers about itself: the configuration where it says something, else what the
 * simulator's limits are. */
#include "ocl/extensions.h"
#include "ocl/gpu.h"

#include <inttypes.h>
#include <string.h>

/* Memory is sparse: these bound what a program asks for, not what it uses. */
#define GLOBAL_BYTES (UINT64_C(8) << 30)
#define MOST_VARIABLE_BYTES ((size_t)64 << 20)

static cl_int give_sizes(const ww_cl_answer *answer, size_t x, size_t y, size_t z)
{
    size_t sizes[3] = {x, y, z};
    return ww_cl_give(answer, sizes, sizeof(sizes));
}

static uint64_t number_of(const char *key)
{
    double number = 0;
    return ww_config_number(ww_cl_gpu_config(), key, &number) ? (uint64_t)number : 0;
}

#define NAME_AND_SPACE(name, major) #name " "
#define NAME_AND_VERSION(name, major) {CL_MAKE_VERSION(major, 0, 0), #name},
#define FEATURE_AND_VERSION(name) {CL_MAKE_VERSION(3, 0, 0), #name},

static cl_int give_extension_text(const ww_cl_answer *answer)
{
    char text[] = WW_CL_EXTENSIONS(NAME_AND_SPACE);
    text[strlen(text) - 1] = 0;
    return ww_cl_give_text(answer, text);
}

static cl_int give_named_versions(const ww_cl_answer *answer, cl_device_info name)
{
    static const cl_name_version extensions[] = {WW_CL_EXTENSIONS(NAME_AND_VERSION)};
    static const cl_name_version features[] = {WW_CL_FEATURES(FEATURE_AND_VERSION)};
    static const cl_name_version languages[] = {
        {CL_MAKE_VERSION(1, 0, 0), "OpenCL C"},
        {CL_MAKE_VERSION(1, 1, 0), "OpenCL C"},
        {CL_MAKE_VERSION(1, 2, 0), "OpenCL C"},
        {CL_MAKE_VERSION(3, 0, 0), "OpenCL C"},
    };
    if (name == CL_DEVICE_EXTENSIONS_WITH_VERSION)
        return ww_cl_give(answer, extensions, sizeof(extensions));
    if (name == CL_DEVICE_OPENCL_C_FEATURES)
        return ww_cl_give(answer, features, sizeof(features));
    return ww_cl_give(answer, languages, sizeof(languages));
}

static cl_int give_name(const ww_cl_answer *answer)
{
    const char *given = ww_cl_gpu_given_name();
    if (given)
        return ww_cl_give_text(answer, given);
    char *name = ww_format("warpwalk %s", ww_cl_gpu_machine());
    cl_int status = ww_cl_give_text(answer, name);
    free(name);
    return status;
}

/* Texts and versions. */
static cl_int give_identity(cl_device_info name, const ww_cl_answer *answer)
{
    switch (name) {
    case CL_DEVICE_TYPE: return ww_cl_give_ulong(answer, ww_cl_gpu_type());
    case CL_DEVICE_VENDOR_ID: return ww_cl_give_uint(answer, 0x7777);
    case CL_DEVICE_NAME: return give_name(answer);
    case CL_DEVICE_VENDOR: return ww_cl_give_text(answer, "warpwalk");
    case CL_DRIVER_VERSION: return ww_cl_give_text(answer, WW_VERSION);
    case CL_DEVICE_PROFILE: return ww_cl_give_text(answer, "FULL_PROFILE");
    case CL_DEVICE_VERSION: return ww_cl_give_text(answer, "OpenCL 3.0 warpwalk");
    case CL_DEVICE_NUMERIC_VERSION: return ww_cl_give_uint(answer, CL_MAKE_VERSION(3, 0, 0));
    case CL_DEVICE_OPENCL_C_VERSION: return ww_cl_give_text(answer, "OpenCL C 1.2 warpwalk");
    case CL_DEVICE_LATEST_CONFORMANCE_VERSION_PASSED:
        return ww_cl_give_text(answer, "v0000-01-01-00"); /* none */
    case CL_DEVICE_IL_VERSION:
    case CL_DEVICE_BUILT_IN_KERNELS: return ww_cl_give_text(answer, "");
    case CL_DEVICE_ILS_WITH_VERSION:
    case CL_DEVICE_BUILT_IN_KERNELS_WITH_VERSION: return ww_cl_give(answer, NULL, 0);
    case CL_DEVICE_EXTENSIONS: return give_extension_text(answer);
    case CL_DEVICE_EXTENSIONS_WITH_VERSION:
    case CL_DEVICE_OPENCL_C_FEATURES:
    case CL_DEVICE_OPENCL_C_ALL_VERSIONS: return give_named_versions(answer, name);
    case CL_DEVICE_PLATFORM: return ww_cl_give_handle(answer, ww_cl_platform());
    case CL_DEVICE_PARENT_DEVICE: return ww_cl_give_handle(answer, NULL);
    case CL_DEVICE_REFERENCE_COUNT: return ww_cl_give_uint(answer, 1);
    case CL_DEVICE_AVAILABLE:
    case CL_DEVICE_COMPILER_AVAILABLE:
    case CL_DEVICE_LINKER_AVAILABLE:
    case CL_DEVICE_ENDIAN_LITTLE:
    case CL_DEVICE_ERROR_CORRECTION_SUPPORT:
        return ww_cl_give_bool(answer, name != CL_DEVICE_ERROR_CORRECTION_SUPPORT);
    default: return CL_INVALID_VALUE;
    }
}

/* Sizes that the machine or the simulator has. */
static cl_int give_machine(cl_device_info name, const ww_cl_answer *answer)
{
    size_t most_group = ww_cl_gpu_most_group();
    switch (name) {
    case CL_DEVICE_MAX_COMPUTE_UNITS:
        return ww_cl_give_uint(answer, (cl_uint)number_of("gpu.compute_units"));
    case CL_DEVICE_MAX_CLOCK_FREQUENCY:
        return ww_cl_give_uint(answer, (cl_uint)(number_of("gpu.clock") / 1000000));
    case CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS: return ww_cl_give_uint(answer, 3);
    case CL_DEVICE_MAX_WORK_ITEM_SIZES:
        return give_sizes(answer, most_group, most_group, most_group);
    case CL_DEVICE_MAX_WORK_GROUP_SIZE: return ww_cl_give_size(answer, most_group);
    case CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE:
        return ww_cl_give_size(answer, number_of("core.warp_width"));
    case CL_DEVICE_SUB_GROUP_SIZES_INTEL:
        return ww_cl_give_size(answer, number_of("core.warp_width"));
    case CL_DEVICE_MAX_NUM_SUB_GROUPS:
        return ww_cl_give_uint(answer, (cl_uint)ww_cl_sub_groups_in(most_group));
    case CL_DEVICE_ADDRESS_BITS: return ww_cl_give_uint(answer, 64);
    case CL_DEVICE_MAX_MEM_ALLOC_SIZE: return ww_cl_give_ulong(answer, WW_CL_MOST_BUFFER_BYTES);
    case CL_DEVICE_GLOBAL_MEM_SIZE: return ww_cl_give_ulong(answer, GLOBAL_BYTES);
    case CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE: return ww_cl_give_ulong(answer, 65536);
    case CL_DEVICE_MAX_CONSTANT_ARGS: return ww_cl_give_uint(answer, 64);
    case CL_DEVICE_LOCAL_MEM_SIZE: return ww_cl_give_ulong(answer, number_of("lds.size"));
    case CL_DEVICE_LOCAL_MEM_TYPE: return ww_cl_give_uint(answer, CL_LOCAL);
    case CL_DEVICE_MAX_PARAMETER_SIZE: return ww_cl_give_size(answer, WW_CL_MOST_ARGUMENT_BYTES);
    case CL_DEVICE_GLOBAL_MEM_CACHE_SIZE: return ww_cl_give_ulong(answer, number_of("l2.size"));
    case CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE:
        return ww_cl_give_uint(answer, (cl_uint)number_of("l1d.line"));
    case CL_DEVICE_GLOBAL_MEM_CACHE_TYPE:
        return ww_cl_give_uint(answer, number_of("l2.size") ? CL_READ_WRITE_CACHE : CL_NONE);
    case CL_DEVICE_MEM_BASE_ADDR_ALIGN: return ww_cl_give_uint(answer, WW_CL_BASE_ALIGN * 8);
    case CL_DEVICE_MIN_DATA_TYPE_ALIGN_SIZE: return ww_cl_give_uint(answer, WW_CL_BASE_ALIGN);
    case CL_DEVICE_HOST_UNIFIED_MEMORY: return ww_cl_give_bool(answer, false);
    case CL_DEVICE_PROFILING_TIMER_RESOLUTION: return ww_cl_give_size(answer, 1);
    case CL_DEVICE_PRINTF_BUFFER_SIZE: return ww_cl_give_size(answer, (size_t)1 << 20);
    default: return CL_INVALID_VALUE;
    }
}

/* What the device can do. */
static cl_int give_abilities(cl_device_info name, const ww_cl_answer *answer)
{
    const cl_device_fp_config whole = CL_FP_DENORM | CL_FP_INF_NAN | CL_FP_ROUND_TO_NEAREST |
                                      CL_FP_ROUND_TO_ZERO | CL_FP_ROUND_TO_INF | CL_FP_FMA;
    const cl_device_atomic_capabilities atomics =
        CL_DEVICE_ATOMIC_ORDER_RELAXED | CL_DEVICE_ATOMIC_ORDER_ACQ_REL |
        CL_DEVICE_ATOMIC_ORDER_SEQ_CST | CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP |
        CL_DEVICE_ATOMIC_SCOPE_DEVICE;
    switch (name) {
    case CL_DEVICE_SINGLE_FP_CONFIG:
        return ww_cl_give_ulong(answer, whole | CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT);
    case CL_DEVICE_DOUBLE_FP_CONFIG: return ww_cl_give_ulong(answer, whole);
    case CL_DEVICE_HALF_FP_CONFIG: return ww_cl_give_ulong(answer, whole);
    case CL_DEVICE_EXECUTION_CAPABILITIES: return ww_cl_give_ulong(answer, CL_EXEC_KERNEL);
    case CL_DEVICE_QUEUE_ON_HOST_PROPERTIES:
        return ww_cl_give_ulong(answer,
                                CL_QUEUE_PROFILING_ENABLE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    case CL_DEVICE_SVM_CAPABILITIES:
        return ww_cl_give_ulong(answer, CL_DEVICE_SVM_COARSE_GRAIN_BUFFER);
    case CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES: return ww_cl_give_ulong(answer, atomics);
    case CL_DEVICE_ATOMIC_FENCE_CAPABILITIES:
        return ww_cl_give_ulong(answer, atomics | CL_DEVICE_ATOMIC_SCOPE_WORK_ITEM);
    case CL_DEVICE_PREFERRED_INTEROP_USER_SYNC: return ww_cl_give_bool(answer, true);
    case CL_DEVICE_PARTITION_PROPERTIES:
    case CL_DEVICE_PARTITION_TYPE: {
        const cl_device_partition_property none = 0;
        return ww_cl_give(answer, &none, sizeof(none));
    }
    case CL_DEVICE_PARTITION_AFFINITY_DOMAIN: return ww_cl_give_ulong(answer, 0);
    case CL_DEVICE_PREFERRED_PLATFORM_ATOMIC_ALIGNMENT:
    case CL_DEVICE_PREFERRED_GLOBAL_ATOMIC_ALIGNMENT:
    case CL_DEVICE_PREFERRED_LOCAL_ATOMIC_ALIGNMENT:
    case CL_DEVICE_PARTITION_MAX_SUB_DEVICES: return ww_cl_give_uint(answer, 0);
    case CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT:
    case CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS:
    case CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT:
    case CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT: return ww_cl_give_bool(answer, true);
    case CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE:
    case CL_DEVICE_GLOBAL_VARIABLE_PREFERRED_TOTAL_SIZE:
        return ww_cl_give_size(answer, MOST_VARIABLE_BYTES);
    default: return CL_INVALID_VALUE;
    }
}

static cl_int give_vectors(cl_device_info name, const ww_cl_answer *answer)
{
    switch (name) {
    case CL_DEVICE_PREFERRED_VECTOR_WIDTH_CHAR:
    case CL_DEVICE_PREFERRED_VECTOR_WIDTH_SHORT:
    case CL_DEVICE_PREFERRED_VECTOR_WIDTH_INT:
    case CL_DEVICE_PREFERRED_VECTOR_WIDTH_LONG:
    case CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT:
    case CL_DEVICE_PREFERRED_VECTOR_WIDTH_DOUBLE:
    case CL_DEVICE_NATIVE_VECTOR_WIDTH_CHAR:
    case CL_DEVICE_NATIVE_VECTOR_WIDTH_SHORT:
    case CL_DEVICE_NATIVE_VECTOR_WIDTH_INT:
    case CL_DEVICE_NATIVE_VECTOR_WIDTH_LONG:
    case CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT:
    case CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE:
    case CL_DEVICE_PREFERRED_VECTOR_WIDTH_HALF:
    case CL_DEVICE_NATIVE_VECTOR_WIDTH_HALF: return ww_cl_give_uint(answer, 1);
    default: return CL_INVALID_VALUE;
    }
}

/* What extensions ask. The device has an instruction for dot products of any signs (dp4a); one more
 * adds and saturates. */
static cl_int give_extensions(cl_device_info name, const ww_cl_answer *answer)
{
    const cl_device_integer_dot_product_acceleration_properties_khr fast = {
        .signed_accelerated = CL_TRUE,
        .unsigned_accelerated = CL_TRUE,
        .mixed_signedness_accelerated = CL_TRUE,
        .accumulating_saturating_signed_accelerated = CL_FALSE,
        .accumulating_saturating_unsigned_accelerated = CL_FALSE,
        .accumulating_saturating_mixed_signedness_accelerated = CL_FALSE,
    };
    switch (name) {
    case CL_DEVICE_INTEGER_DOT_PRODUCT_CAPABILITIES_KHR:
        return ww_cl_give_ulong(answer, CL_DEVICE_INTEGER_DOT_PRODUCT_INPUT_4x8BIT_PACKED_KHR |
                                            CL_DEVICE_INTEGER_DOT_PRODUCT_INPUT_4x8BIT_KHR);
    case CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_8BIT_KHR:
    case CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_4x8BIT_PACKED_KHR:
        return ww_cl_give(answer, &fast, sizeof(fast));
    case CL_DEVICE_CXX_FOR_OPENCL_NUMERIC_VERSION_EXT:
        /* A version has ten bits for its first number, too few for 2021. */
        return ww_cl_give_uint(answer, CL_MAKE_VERSION(1, 0, 0));
    default: return CL_INVALID_VALUE;
    }
}

/* Images, pipes and queues on the device are optional in 3.0. */
static cl_int give_absent(cl_device_info name, const ww_cl_answer *answer)
{
    switch (name) {
    case CL_DEVICE_IMAGE_SUPPORT:
    case CL_DEVICE_PIPE_SUPPORT: return ww_cl_give_bool(answer, false);
    case CL_DEVICE_QUEUE_ON_DEVICE_PROPERTIES:
    case CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES: return ww_cl_give_ulong(answer, 0);
    case CL_DEVICE_IMAGE2D_MAX_WIDTH:
    case CL_DEVICE_IMAGE2D_MAX_HEIGHT:
    case CL_DEVICE_IMAGE3D_MAX_WIDTH:
    case CL_DEVICE_IMAGE3D_MAX_HEIGHT:
    case CL_DEVICE_IMAGE3D_MAX_DEPTH:
    case CL_DEVICE_IMAGE_MAX_BUFFER_SIZE:
    case CL_DEVICE_IMAGE_MAX_ARRAY_SIZE: return ww_cl_give_size(answer, 0);
    case CL_DEVICE_MAX_READ_IMAGE_ARGS:
    case CL_DEVICE_MAX_WRITE_IMAGE_ARGS:
    case CL_DEVICE_MAX_READ_WRITE_IMAGE_ARGS:
    case CL_DEVICE_MAX_SAMPLERS:
    case CL_DEVICE_IMAGE_PITCH_ALIGNMENT:
    case CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT:
    case CL_DEVICE_MAX_PIPE_ARGS:
    case CL_DEVICE_PIPE_MAX_ACTIVE_RESERVATIONS:
    case CL_DEVICE_PIPE_MAX_PACKET_SIZE:
    case CL_DEVICE_QUEUE_ON_DEVICE_PREFERRED_SIZE:
    case CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE:
    case CL_DEVICE_MAX_ON_DEVICE_QUEUES:
    case CL_DEVICE_MAX_ON_DEVICE_EVENTS: return ww_cl_give_uint(answer, 0);
    default: return CL_INVALID_VALUE;
    }
}

cl_int CL_API_CALL clGetDeviceInfo(cl_device_id device, cl_device_info name, size_t room,
                                   void *value, size_t *size)
{
    static cl_int (*const groups[])(cl_device_info, const ww_cl_answer *) = {
        give_identity, give_machine, give_abilities, give_vectors, give_extensions, give_absent};
    WW_CL_ENTER;
    size_t known = 0;
    ww_cl_answer answer = {room, value, &known};
    cl_int status = CL_INVALID_VALUE;
    if (!ww_cl_is(device, WW_CL_DEVICE))
        return CL_INVALID_DEVICE;
    for (size_t i = 0; status != CL_SUCCESS && i < sizeof(groups) / sizeof(groups[0]); i++)
        status = groups[i](name, &answer);
    if (status == CL_SUCCESS && size)
        *size = known;
    return status;
}
