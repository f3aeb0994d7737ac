/* Adds two vectors as programs of users do: source in a string, buffers, a launch, a read. */
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>

static const char *source = "__kernel void vadd(__global const float *a, __global const float *b,\n"
                            "                   __global float *c, uint n)\n"
                            "{\n"
                            "    size_t i = get_global_id(0);\n"
                            "    if (i < n) c[i] = a[i] + b[i];\n"
                            "}\n";

#define CHECK(call)                                                                 \
    do {                                                                            \
        cl_int code_ = (call);                                                      \
        if (code_ != CL_SUCCESS) {                                                  \
            fprintf(stderr, "%s:%d: %s is %d\n", __FILE__, __LINE__, #call, code_); \
            exit(1);                                                                \
        }                                                                           \
    } while (0)

int main(int argc, char **argv)
{
    cl_uint n = argc > 1 ? (cl_uint)atoi(argv[1]) : 4096;
    cl_platform_id platform;
    cl_device_id device;
    cl_int code;
    CHECK(clGetPlatformIDs(1, &platform, NULL));
    CHECK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_GPU, 1, &device, NULL));
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    CHECK(code);
    cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, 0};
    cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, properties, &code);
    CHECK(code);
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &code);
    CHECK(code);
    CHECK(clBuildProgram(program, 1, &device, "", NULL, NULL));
    cl_kernel kernel = clCreateKernel(program, "vadd", &code);
    CHECK(code);
    size_t bytes = n * sizeof(float);
    float *a = malloc(bytes), *b = malloc(bytes), *c = malloc(bytes);
    for (cl_uint i = 0; i < n; i++) {
        a[i] = (float)i;
        b[i] = 2.0f * (float)i;
    }
    cl_mem da = clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, bytes, a, &code);
    CHECK(code);
    cl_mem db = clCreateBuffer(context, CL_MEM_READ_ONLY, bytes, NULL, &code);
    CHECK(code);
    cl_mem dc = clCreateBuffer(context, CL_MEM_WRITE_ONLY, bytes, NULL, &code);
    CHECK(code);
    CHECK(clEnqueueWriteBuffer(queue, db, CL_FALSE, 0, bytes, b, 0, NULL, NULL));
    CHECK(clSetKernelArg(kernel, 0, sizeof(da), &da));
    CHECK(clSetKernelArg(kernel, 1, sizeof(db), &db));
    CHECK(clSetKernelArg(kernel, 2, sizeof(dc), &dc));
    CHECK(clSetKernelArg(kernel, 3, sizeof(n), &n));
    size_t local = 64, global = (n + local - 1) / local * local;
    cl_event event;
    CHECK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, &event));
    CHECK(clEnqueueReadBuffer(queue, dc, CL_TRUE, 0, bytes, c, 0, NULL, NULL));
    for (cl_uint i = 0; i < n; i++)
        if (c[i] != a[i] + b[i]) {
            fprintf(stderr, "c[%u] is %g and not %g\n", i, c[i], a[i] + b[i]);
            return 1;
        }
    cl_ulong start, end;
    CHECK(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof(start), &start, NULL));
    CHECK(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof(end), &end, NULL));
    printf("right, %llu ns\n", (unsigned long long)(end - start));
    clReleaseEvent(event);
    clReleaseMemObject(da);
    clReleaseMemObject(db);
    clReleaseMemObject(dc);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    free(a);
    free(b);
    free(c);
    return 0;
}
