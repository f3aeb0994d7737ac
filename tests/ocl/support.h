/* What the programs here share: checks that name their line, and a context with one queue. */
#ifndef WW_TESTS_OCL_SUPPORT_H
#define WW_TESTS_OCL_SUPPORT_H

#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MUST(condition)                                                             \
    do {                                                                            \
        if (!(condition)) {                                                         \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
            exit(1);                                                                \
        }                                                                           \
    } while (0)

/* The call returns this code. */
#define CODE(wanted, call)                                                                    \
    do {                                                                                      \
        cl_int code_ = (call);                                                                \
        if (code_ != (wanted)) {                                                              \
            fprintf(stderr, "%s:%d: %s is %d and not %d\n", __FILE__, __LINE__, #call, code_, \
                    (wanted));                                                                \
            exit(1);                                                                          \
        }                                                                                     \
    } while (0)
#define OK(call) CODE(CL_SUCCESS, call)

static cl_platform_id platform;
static cl_device_id device;
static cl_context context;
static cl_command_queue queue; /* in order, profiled */

static inline void start(void)
{
    cl_int code;
    cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, 0};
    OK(clGetPlatformIDs(1, &platform, NULL));
    OK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    OK(code);
    queue = clCreateCommandQueueWithProperties(context, device, properties, &code);
    OK(code);
}

static inline void finish(void)
{
    OK(clReleaseCommandQueue(queue));
    OK(clReleaseContext(context));
}

static inline cl_program build(const char *source, const char *options)
{
    cl_int code;
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &code);
    OK(code);
    code = clBuildProgram(program, 1, &device, options, NULL, NULL);
    if (code != CL_SUCCESS) {
        char log[4096] = "";
        clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof(log), log, NULL);
        fprintf(stderr, "%s", log);
    }
    OK(code);
    return program;
}

static inline cl_kernel kernel_of(cl_program program, const char *name)
{
    cl_int code;
    cl_kernel kernel = clCreateKernel(program, name, &code);
    OK(code);
    return kernel;
}

static inline cl_mem buffer_of(size_t size)
{
    cl_int code;
    cl_mem mem = clCreateBuffer(context, CL_MEM_READ_WRITE, size, NULL, &code);
    OK(code);
    return mem;
}

static inline void set_arg(cl_kernel kernel, cl_uint index, size_t size, const void *value)
{
    OK(clSetKernelArg(kernel, index, size, value));
}

static inline void read_all(cl_mem mem, size_t size, void *to)
{
    OK(clEnqueueReadBuffer(queue, mem, CL_TRUE, 0, size, to, 0, NULL, NULL));
}

#endif
