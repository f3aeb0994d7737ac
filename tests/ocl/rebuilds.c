/* Builds, runs and releases many programs, as programs that generate kernels do: what a released
 * program used returns to the host. */
#include "support.h"

#include <unistd.h>

#define BUILDS 24

static long resident_kib(void)
{
    long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    MUST(file && fscanf(file, "%*d %ld", &pages) == 1);
    fclose(file);
    return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

static void add(cl_mem mem, int number)
{
    char options[32];
    size_t items = 64;
    snprintf(options, sizeof(options), "-DNUMBER=%d", number);
    cl_program program =
        build("kernel void add(global int *to) { to[get_global_id(0)] += NUMBER; }", options);
    cl_kernel kernel = kernel_of(program, "add");
    set_arg(kernel, 0, sizeof(mem), &mem);
    OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &items, 0, NULL, NULL));
    OK(clFinish(queue));
    OK(clReleaseKernel(kernel));
    OK(clReleaseProgram(program));
}

int main(void)
{
    cl_int values[64], sum = 0;
    long before = 0;
    start();
    cl_mem mem = buffer_of(sizeof(values));
    OK(clEnqueueFillBuffer(queue, mem, &sum, sizeof(sum), 0, sizeof(values), 0, NULL, NULL));
    for (int round = 0; round < 2; round++)
        for (int i = 1; i <= BUILDS; i++) {
            add(mem, i);
            sum += i;
            if (!before && i == 4)
                before = resident_kib();
        }
    long more = resident_kib() - before;
    read_all(mem, sizeof(values), values);
    for (int i = 0; i < 64; i++)
        MUST(values[i] == sum);
    if (more > 500 * BUILDS)
        fprintf(stderr, "%d programs keep %ld KiB\n", BUILDS, more);
    MUST(more <= 500 * BUILDS);
    printf("right\n");
    OK(clReleaseMemObject(mem));
    finish();
    return 0;
}
