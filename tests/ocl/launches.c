/* Launches a small kernel as often as its argument says; verifies the sum. */
#include "support.h"

static const char *source = "kernel void add(global int *p, int n) { p[get_global_id(0)] += n; }\n";

int main(int argc, char **argv)
{
    int rounds = argc > 1 ? atoi(argv[1]) : 10, value = 0, one = 1;
    size_t global = 64, local = 64;
    start();
    cl_program program = build(source, NULL);
    cl_kernel kernel = kernel_of(program, "add");
    cl_mem mem = buffer_of(global * sizeof(int));
    set_arg(kernel, 0, sizeof(mem), &mem);
    set_arg(kernel, 1, sizeof(one), &one);
    for (int i = 0; i < rounds; i++)
        OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL));
    OK(clEnqueueReadBuffer(queue, mem, CL_TRUE, 252, 4, &value, 0, NULL, NULL));
    MUST(value == rounds);
    OK(clReleaseMemObject(mem));
    OK(clReleaseKernel(kernel));
    OK(clReleaseProgram(program));
    finish();
    puts("right");
    return 0;
}
