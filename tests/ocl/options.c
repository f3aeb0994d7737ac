/* Tells what options do to a program. Prints VALUE as its kernel has it, the version of the language,
 * the options that the program asks for and gets told, and whether groups at an edge may be smaller;
 * or the log of the build.
 *
 *   options TEXT */
#include "support.h"

static const char source[] =
    "#ifndef VALUE\n"
    "#define VALUE 0\n"
    "#endif\n"
    "kernel void tell(global int *to) { to[0] = VALUE; to[1] = __OPENCL_C_VERSION__; }\n";

/* Prints the log and ends when the build fails. */
static cl_program build_or_end(const char *options)
{
    cl_int code;
    const char *text = source;
    cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &code);
    OK(code);
    code = clBuildProgram(program, 1, &device, options, NULL, NULL);
    if (code != CL_SUCCESS) {
        char log[4096] = "";
        OK(clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof(log), log, NULL));
        printf("%d: %s", code, log);
        exit(0);
    }
    return program;
}

int main(int argc, char **argv)
{
    char told[256] = "";
    cl_int values[2];
    size_t items = 3, group = 2;
    MUST(argc == 2);
    start();
    cl_program program = build_or_end(argv[1]);
    cl_kernel kernel = kernel_of(program, "tell");
    cl_mem mem = buffer_of(sizeof(values));
    set_arg(kernel, 0, sizeof(mem), &mem);
    OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &group, &group, 0, NULL, NULL));
    read_all(mem, sizeof(values), values);
    cl_int edges = clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &group, 0, NULL, NULL);
    OK(clFinish(queue));
    OK(clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_OPTIONS, sizeof(told), told, NULL));
    printf("%d, %d, '%s', %d\n", values[0], values[1], told, edges);
    OK(clReleaseMemObject(mem));
    OK(clReleaseKernel(kernel));
    OK(clReleaseProgram(program));
    finish();
    return 0;
}
