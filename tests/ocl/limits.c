/* What the device does not have: registers for a large group, images; and what messages about a
 * program name, whose source is in no file. */
#include "support.h"

static const char *const source = "kernel void add(global int *a, int b)\n"
                                  "{\n"
                                  "    a[get_global_id(0)] += b;\n"
                                  "}\n"
                                  "kernel void far(global int *a)\n"
                                  "{\n"
                                  "    a[get_global_id(0) + 100000000] = 1;\n"
                                  "}\n";

/* A group of the size that the query says runs, and a larger one is refused. */
static void registers(cl_program program)
{
    cl_kernel kernel = kernel_of(program, "add");
    size_t most = 0, device_most = 0, global = 1024;
    int one = 1, value = 0;
    cl_mem mem = buffer_of(global * sizeof(int));
    OK(clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_WORK_GROUP_SIZE, sizeof(most), &most,
                                NULL));
    OK(clGetDeviceInfo(device, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof(device_most), &device_most,
                       NULL));
    printf("a group has at most %zu of %zu work-items\n", most, device_most);
    MUST(most > 0 && most <= device_most);
    size_t twice[] = {most, 2};
    set_arg(kernel, 0, sizeof(mem), &mem);
    set_arg(kernel, 1, sizeof(one), &one);
    OK(clEnqueueFillBuffer(queue, mem, &value, sizeof(value), 0, global * sizeof(int), 0, NULL,
                           NULL));
    OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &most, &most, 0, NULL, NULL));
    OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL));
    CODE(CL_INVALID_WORK_GROUP_SIZE,
         clEnqueueNDRangeKernel(queue, kernel, 2, NULL, twice, twice, 0, NULL, NULL));
    OK(clEnqueueReadBuffer(queue, mem, CL_TRUE, 0, sizeof(value), &value, 0, NULL, NULL));
    MUST(value == 2);
    OK(clReleaseMemObject(mem));
    OK(clReleaseKernel(kernel));
}

/* The log of a program that is not built. */
static void refused(const char *text, const char *wanted)
{
    cl_int code;
    char log[4096] = "";
    cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &code);
    OK(code);
    CODE(CL_BUILD_PROGRAM_FAILURE, clBuildProgram(program, 1, &device, "", NULL, NULL));
    OK(clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof(log), log, NULL));
    if (!strstr(log, wanted))
        fprintf(stderr, "%s", log);
    MUST(strstr(log, wanted) && !strstr(log, "/tmp") && !strstr(log, "_Z"));
    OK(clReleaseProgram(program));
}

static void logs(void)
{
    refused("\nkernel void f(global int *a) { a[0] = b; }", "<source>.cl:2:39: error");
    refused("kernel void f(read_only image2d_t i, global float4 *a)\n"
            "{ a[0] = read_imagef(i, (int2)(1, 1)); }",
            "argument 'i' of kernel 'f' is of type image2d_t, which this device does not have");
    refused("constant sampler_t s = CLK_ADDRESS_NONE;\n"
            "float4 g(read_only image2d_t i);\n"
            "kernel void f(global float4 *a, read_only image2d_t i) { a[0] = g(i); }",
            "function 'g' is called and defined nowhere");
}

/* A header that the program gives is named as the program names it. */
static void headers(void)
{
    cl_int code;
    char log[4096] = "";
    const char *text = "#include \"own/part.h\"\nkernel void f(global int *a) { a[0] = PART; }";
    const char *part = "#define PART 1\n#warning part of it\n", *name = "own/part.h";
    cl_program header = clCreateProgramWithSource(context, 1, &part, NULL, &code);
    OK(code);
    cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &code);
    OK(code);
    OK(clCompileProgram(program, 1, &device, "", 1, &header, &name, NULL, NULL));
    OK(clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof(log), log, NULL));
    MUST(strncmp(log, "In file included from <source>.cl:1:\nown/part.h:2:2: warning", 59) == 0);
    OK(clReleaseProgram(program));
    OK(clReleaseProgram(header));
}

/* The line on standard error is looked at by the script that runs this. */
static void fault(cl_program program)
{
    cl_kernel kernel = kernel_of(program, "far");
    size_t one = 1;
    cl_mem mem = buffer_of(sizeof(int));
    set_arg(kernel, 0, sizeof(mem), &mem);
    OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
    CODE(CL_OUT_OF_RESOURCES, clFinish(queue));
    OK(clReleaseMemObject(mem));
    OK(clReleaseKernel(kernel));
}

int main(void)
{
    start();
    cl_program program = build(source, NULL);
    registers(program);
    logs();
    headers();
    fault(program);
    OK(clReleaseProgram(program));
    finish();
    puts("right");
    return 0;
}
