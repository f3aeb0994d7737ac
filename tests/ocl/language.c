/* What kernels can use besides OpenCL C 1.2, and what queries say of it: sub-groups, program-scope
 * variables, features and extensions, C++ for OpenCL. */
#include "support.h"

#include <CL/cl_ext.h>

static size_t width; /* of a sub-group */

/* ---- queries ---- */

static cl_uint number_of(cl_device_info name)
{
    cl_uint value = 12345;
    OK(clGetDeviceInfo(device, name, sizeof(value), &value, NULL));
    return value;
}

static void device_queries(void)
{
    cl_device_fp_config half = 0;
    cl_device_atomic_capabilities atomics = 0;
    size_t most_group, variables;
    OK(clGetDeviceInfo(device, CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, sizeof(width), &width,
                       NULL));
    OK(clGetDeviceInfo(device, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof(most_group), &most_group,
                       NULL));
    MUST(number_of(CL_DEVICE_MAX_NUM_SUB_GROUPS) == (most_group + width - 1) / width);
    MUST(number_of(CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS) == CL_TRUE);
    MUST(number_of(CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT) == CL_TRUE);
    MUST(number_of(CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT) == CL_TRUE);
    MUST(number_of(CL_DEVICE_NATIVE_VECTOR_WIDTH_HALF) == 1);
    MUST(number_of(CL_DEVICE_CXX_FOR_OPENCL_NUMERIC_VERSION_EXT) ==
         (cl_uint)CL_MAKE_VERSION(1, 0, 0));
    OK(clGetDeviceInfo(device, CL_DEVICE_HALF_FP_CONFIG, sizeof(half), &half, NULL));
    MUST(half & CL_FP_ROUND_TO_NEAREST && half & CL_FP_INF_NAN);
    OK(clGetDeviceInfo(device, CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE, sizeof(variables), &variables,
                       NULL));
    MUST(variables >= 65536);
    OK(clGetDeviceInfo(device, CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES, sizeof(atomics), &atomics,
                       NULL));
    MUST(atomics & CL_DEVICE_ATOMIC_ORDER_SEQ_CST && atomics & CL_DEVICE_ATOMIC_SCOPE_DEVICE);
    cl_device_integer_dot_product_capabilities_khr dots = 0;
    cl_device_integer_dot_product_acceleration_properties_khr fast;
    OK(clGetDeviceInfo(device, CL_DEVICE_INTEGER_DOT_PRODUCT_CAPABILITIES_KHR, sizeof(dots), &dots,
                       NULL));
    MUST(dots == 3);
    OK(clGetDeviceInfo(device, CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_8BIT_KHR,
                       sizeof(fast), &fast, NULL));
    MUST(fast.signed_accelerated && !fast.accumulating_saturating_signed_accelerated);
}

/* Adds a line of OpenCL C that fails unless the macro is defined. */
static void add_test(char *source, size_t size, const char *name)
{
    size_t used = strlen(source);
    snprintf(source + used, size - used, "#ifndef %s\n#error %s\n#endif\n", name, name);
}

/* Each listed extension and feature is a macro of kernels. */
static void macros(void)
{
    static char source[20000];
    static cl_name_version list[64];
    size_t bytes;
    OK(clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS_WITH_VERSION, sizeof(list), list, &bytes));
    for (size_t i = 0; i < bytes / sizeof(list[0]); i++)
        if (strcmp(list[i].name, "cl_ext_cxx_for_opencl") != 0)
            add_test(source, sizeof(source), list[i].name);
    MUST(strstr(source, "cl_khr_fp16") && strstr(source, "cl_khr_subgroup_clustered_reduce"));
    OK(clReleaseProgram(build(source, "")));
    OK(clGetDeviceInfo(device, CL_DEVICE_OPENCL_C_FEATURES, sizeof(list), list, &bytes));
    for (size_t i = 0; i < bytes / sizeof(list[0]); i++)
        add_test(source, sizeof(source), list[i].name);
    MUST(strstr(source, "__opencl_c_subgroups"));
    OK(clReleaseProgram(build(source, "-cl-std=CL3.0")));
}

static const char *sub_groups =
    "kernel void sums(global int *out)\n"
    "{\n"
    "    size_t i = get_global_id(0);\n"
    "    out[i] = sub_group_reduce_add((int)get_local_id(0)) + 100000 * get_sub_group_id();\n"
    "}\n";

static size_t info(cl_kernel kernel, cl_kernel_sub_group_info name, size_t size, const void *input)
{
    size_t value = 12345;
    OK(clGetKernelSubGroupInfo(kernel, device, name, size, input, sizeof(value), &value, NULL));
    return value;
}

static void kernel_queries(cl_kernel kernel)
{
    size_t shape[3] = {5, 7, 2}, count = 2, local[3] = {0}, known = 0, none = 1000;
    MUST(info(kernel, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, sizeof(shape), shape) == width);
    MUST(info(kernel, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, sizeof(shape), shape) ==
         (70 + width - 1) / width);
    MUST(info(kernel, CL_KERNEL_MAX_NUM_SUB_GROUPS, 0, NULL) >= 1);
    MUST(info(kernel, CL_KERNEL_COMPILE_NUM_SUB_GROUPS, 0, NULL) == 0);
    MUST(info(kernel, CL_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL, 0, NULL) == 0);
    OK(clGetKernelSubGroupInfo(kernel, device, CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT,
                               sizeof(count), &count, sizeof(local), local, &known));
    MUST(known == sizeof(local) && local[0] == 2 * width && local[1] == 1 && local[2] == 1);
    OK(clGetKernelSubGroupInfo(kernel, device, CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT,
                               sizeof(none), &none, sizeof(local[0]), local, &known));
    MUST(known == sizeof(local[0]) && local[0] == 0);
    CODE(CL_INVALID_VALUE,
         clGetKernelSubGroupInfo(kernel, device, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, 3, shape,
                                 sizeof(known), &known, NULL));
    CODE(CL_INVALID_VALUE, clGetKernelSubGroupInfo(kernel, device, CL_KERNEL_MAX_NUM_SUB_GROUPS, 0,
                                                   NULL, 1, &known, NULL));
    CODE(CL_INVALID_VALUE,
         clGetKernelSubGroupInfo(kernel, device, 0x9999, 0, NULL, sizeof(known), &known, NULL));
    CODE(CL_INVALID_KERNEL, clGetKernelSubGroupInfo(NULL, device, CL_KERNEL_MAX_NUM_SUB_GROUPS, 0,
                                                    NULL, sizeof(known), &known, NULL));
}

static void sums(void)
{
    cl_int out[200];
    size_t global = 200, local = 100;
    cl_program program = build(sub_groups, "");
    cl_kernel kernel = kernel_of(program, "sums");
    cl_mem mem = buffer_of(sizeof(out));
    kernel_queries(kernel);
    set_arg(kernel, 0, sizeof(mem), &mem);
    OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL));
    read_all(mem, sizeof(out), out);
    for (size_t i = 0; i < global; i++) {
        size_t id = i % local / width, last = (id + 1) * width < local ? (id + 1) * width : local;
        cl_int sum = (cl_int)id * 100000;
        for (size_t l = id * width; l < last; l++)
            sum += (cl_int)l;
        MUST(out[i] == sum);
    }
    OK(clReleaseMemObject(mem));
    OK(clReleaseKernel(kernel));
    OK(clReleaseProgram(program));
}

/* ---- program-scope variables ---- */

static const char *counting =
    "global int calls = 3;\n"
    "global int *global where = &calls;\n"
    "kernel void count(global int *out)\n"
    "{\n"
    "    if (get_local_linear_id() == 0 && get_group_id(0) == 0) { calls++; *where += 10; }\n"
    "    if (get_global_linear_id() == 0) out[0] = calls;\n"
    "}\n";

/* Launches with offsets and odd sizes see the same variables; a program built again has new ones.
 */
static void variables(void)
{
    for (int round = 0; round < 2; round++) {
        cl_program program = build(counting, "-cl-std=CL3.0");
        cl_kernel kernel = kernel_of(program, "count");
        cl_mem mem = buffer_of(sizeof(cl_int));
        size_t offset = 5, sizes[3] = {8, 8, 11}, local = 8, bytes = 0;
        OK(clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE,
                                 sizeof(bytes), &bytes, NULL));
        MUST(bytes == 4 + 8);
        set_arg(kernel, 0, sizeof(mem), &mem);
        for (int i = 0; i < 3; i++) {
            cl_int out = 0;
            OK(clEnqueueNDRangeKernel(queue, kernel, 1, i == 1 ? &offset : NULL, &sizes[i], &local,
                                      0, NULL, NULL));
            read_all(mem, sizeof(out), &out);
            MUST(out == 3 + 11 * (i + 1));
        }
        OK(clReleaseMemObject(mem));
        OK(clReleaseKernel(kernel));
        OK(clReleaseProgram(program));
    }
}

/* A vector of three elements has the bytes of four, with a value from the start or without. */
static const char *vectors =
    "float3 from = (float3)(1, 2, 3);\n"
    "global char3 small;\n"
    "short3 both[2] = {(short3)(4, 5, 6), (short3)(7, 8, 9)};\n"
    "uchar2 pair;\n"
    "uchar2 same(uchar2 a) { return a; }\n"
    "kernel void use(global float *out, uchar2 value)\n"
    "{\n"
    "    local double3 shared;\n"
    "    shared = convert_double3(from);\n"
    "    small = convert_char3(both[1]);\n"
    "    pair = same(value);\n"
    "    float3 sum = convert_float3(shared) + convert_float3(small) * 10 +\n"
    "                 convert_float3(both[0]) * 100;\n"
    "    vstore3(sum, 0, out);\n"
    "    out[3] = same(pair).y;\n"
    "}\n";

static void vector_variables(void)
{
    cl_program program = build(vectors, "-cl-std=CL3.0");
    cl_kernel kernel = kernel_of(program, "use");
    cl_float out[4] = {0};
    cl_mem mem = buffer_of(sizeof(out));
    cl_uchar2 value = {{17, 23}};
    size_t one = 1, bytes = 0;
    OK(clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE,
                             sizeof(bytes), &bytes, NULL));
    MUST(bytes == 16 + 4 + 16 + 2);
    set_arg(kernel, 0, sizeof(mem), &mem);
    set_arg(kernel, 1, sizeof(value), &value);
    OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, &one, 0, NULL, NULL));
    read_all(mem, sizeof(out), out);
    MUST(out[0] == 471 && out[1] == 582 && out[2] == 693 && out[3] == 23);
    OK(clReleaseMemObject(mem));
    OK(clReleaseKernel(kernel));
    OK(clReleaseProgram(program));
}

/* Comparisons of narrow vectors; three halves go through private memory. */
static const char *narrow = "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
                            "kernel void use(global short2 *s, global ushort4 *u, global char2 *c, "
                            "global half *h, int at,\n"
                            "                global int *out)\n"
                            "{\n"
                            "    half room[8];\n"
                            "    size_t i = get_global_id(0);\n"
                            "    short2 less = s[i] < s[i + 1];\n"
                            "    short4 more = u[i] > u[i + 1];\n"
                            "    char2 same = c[i] == c[i + 1];\n"
                            "    vstore3(vload3(i, h), at, room);\n"
                            "    out[0] = less.x * -1 + less.y * -2 + same.x * -4 + same.y * -8;\n"
                            "    out[1] = more.x * -1 + more.y * -2 + more.z * -4 + more.w * -8;\n"
                            "    for (int n = 0; n < 3; n++) out[2 + n] = (int)room[n];\n"
                            "}\n";

static void narrow_vectors(void)
{
    cl_short s[] = {-5, 7, 6, 7};
    cl_ushort u[] = {40000, 1, 5, 9, 3, 2, 5, 8};
    cl_char c[] = {-3, 4, -3, 5};
    cl_ushort h[] = {0x3c00, 0x4000, 0x4200, 0}; /* 1, 2, 3 */
    const void *values[] = {s, u, c, h};
    size_t sizes[] = {sizeof(s), sizeof(u), sizeof(c), sizeof(h)}, one = 1;
    cl_int out[5] = {0}, at = 0;
    cl_mem mems[5] = {NULL};
    cl_kernel kernel;
    cl_program program = build(narrow, "");
    kernel = kernel_of(program, "use");
    for (cl_uint i = 0; i < 4; i++) {
        mems[i] = buffer_of(sizes[i]);
        OK(clEnqueueWriteBuffer(queue, mems[i], CL_TRUE, 0, sizes[i], values[i], 0, NULL, NULL));
        set_arg(kernel, i, sizeof(cl_mem), &mems[i]);
    }
    mems[4] = buffer_of(sizeof(out));
    set_arg(kernel, 4, sizeof(at), &at);
    set_arg(kernel, 5, sizeof(cl_mem), &mems[4]);
    OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, &one, 0, NULL, NULL));
    read_all(mems[4], sizeof(out), out);
    MUST(out[0] == 1 + 4 && out[1] == 1 + 8 && out[2] == 1 && out[3] == 2 && out[4] == 3);
    for (int i = 0; i < 5; i++)
        OK(clReleaseMemObject(mems[i]));
    OK(clReleaseKernel(kernel));
    OK(clReleaseProgram(program));
}

/* ---- groups ---- */

/* A kernel that requires a size of groups has smaller ones at the upper edges, too. */
static void required_groups_at_edges(void)
{
    const char *text = "__attribute__((reqd_work_group_size(4, 2, 1))) kernel void k(global int *o)"
                       "{ atomic_add(o + get_local_size(0) * 4 + get_local_size(1), 1); }\n";
    cl_int out[20] = {0};
    size_t global[2] = {6, 5}, local[2] = {4, 2};
    cl_program program = build(text, "-cl-std=CL3.0");
    cl_kernel kernel = kernel_of(program, "k");
    cl_mem mem = buffer_of(sizeof(out));
    OK(clEnqueueWriteBuffer(queue, mem, CL_TRUE, 0, sizeof(out), out, 0, NULL, NULL));
    set_arg(kernel, 0, sizeof(mem), &mem);
    OK(clEnqueueNDRangeKernel(queue, kernel, 2, NULL, global, local, 0, NULL, NULL));
    read_all(mem, sizeof(out), out);
    MUST(out[4 * 4 + 2] == 16 && out[2 * 4 + 2] == 8 && out[4 * 4 + 1] == 4 && out[2 * 4 + 1] == 2);
    OK(clReleaseMemObject(mem));
    OK(clReleaseKernel(kernel));
    OK(clReleaseProgram(program));
}

/* ---- sizes of sub-groups ---- */

/* The device has one, which a kernel can require; another is an error of the build. */
static void required_sub_groups(void)
{
    const char *text =
        "__attribute__((intel_reqd_sub_group_size(SIZE))) kernel void k(global int *o)"
        "{ o[0] = get_max_sub_group_size(); }\n";
    char options[32], log[1024];
    size_t size = 0;
    cl_ulong spilt = 1;
    OK(clGetDeviceInfo(device, CL_DEVICE_SUB_GROUP_SIZES_INTEL, sizeof(size), &size, NULL));
    MUST(size == width);
    snprintf(options, sizeof(options), "-DSIZE=%zu", size);
    cl_program program = build(text, options);
    cl_kernel kernel = kernel_of(program, "k");
    MUST(info(kernel, CL_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL, 0, NULL) == width);
    OK(clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_SPILL_MEM_SIZE_INTEL, sizeof(spilt),
                                &spilt, NULL));
    MUST(spilt == 0);
    OK(clReleaseKernel(kernel));
    snprintf(options, sizeof(options), "-DSIZE=%zu", size / 2);
    CODE(CL_BUILD_PROGRAM_FAILURE, clBuildProgram(program, 0, NULL, options, NULL, NULL));
    OK(clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof(log), log, NULL));
    MUST(strstr(log, "kernel 'k' requires sub-groups of "));
    OK(clReleaseProgram(program));
}

/* ---- C++ for OpenCL ---- */

static const char *templates = "template <typename T> struct Adder { T all; };\n"
                               "template <typename T> T plus(T a, T b) { return a + b; }\n"
                               "kernel void k(global int *out)\n"
                               "{\n"
                               "    Adder<int> sum{plus(2, 4)};\n"
                               "    int most = work_group_reduce_max(int(get_local_id(0)));\n"
                               "    out[0] = sub_group_broadcast(sum.all, 0) + most;\n"
                               "}\n";

static void cplusplus(void)
{
    static const char *const standards[] = {"-cl-std=CLC++", "-cl-std=CLC++2021"};
    for (int s = 0; s < 2; s++) {
        cl_int out = 0;
        size_t global = 50;
        cl_program program = build(templates, standards[s]);
        cl_kernel kernel = kernel_of(program, "k");
        cl_mem mem = buffer_of(sizeof(out));
        set_arg(kernel, 0, sizeof(mem), &mem);
        OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &global, 0, NULL, NULL));
        read_all(mem, sizeof(out), &out);
        MUST(out == 6 + 49);
        OK(clReleaseMemObject(mem));
        OK(clReleaseKernel(kernel));
        OK(clReleaseProgram(program));
    }
}

int main(void)
{
    start();
    device_queries();
    macros();
    sums();
    variables();
    vector_variables();
    narrow_vectors();
    required_groups_at_edges();
    required_sub_groups();
    cplusplus();
    finish();
    puts("right");
    return 0;
}
