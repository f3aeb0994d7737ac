/* Many threads: one queue for all, and one for each. Every sum must come out. */
#include "support.h"

#include <pthread.h>

#define THREADS 6
#define ROUNDS 20
#define ITEMS 128

static const char *source = "kernel void add(global int *p, int n) { p[get_global_id(0)] += n; }\n";
static cl_program program;

static void *work(void *context_of_thread)
{
    int number = *(int *)context_of_thread, values[ITEMS];
    cl_int code;
    cl_command_queue own = number % 2 ? clCreateCommandQueue(context, device, 0, &code) : queue;
    cl_kernel kernel = kernel_of(program, "add");
    cl_mem mem = buffer_of(sizeof(values));
    size_t global = ITEMS;
    memset(values, 0, sizeof(values));
    OK(clEnqueueWriteBuffer(own, mem, CL_FALSE, 0, sizeof(values), values, 0, NULL, NULL));
    for (int i = 0; i < ROUNDS; i++) {
        cl_event event;
        cl_int n = number + i;
        set_arg(kernel, 0, sizeof(mem), &mem);
        set_arg(kernel, 1, sizeof(n), &n);
        OK(clEnqueueNDRangeKernel(own, kernel, 1, NULL, &global, NULL, 0, NULL, &event));
        OK(clWaitForEvents(1, &event));
        OK(clReleaseEvent(event));
    }
    OK(clEnqueueReadBuffer(own, mem, CL_TRUE, 0, sizeof(values), values, 0, NULL, NULL));
    for (int i = 0; i < ITEMS; i++)
        MUST(values[i] == ROUNDS * number + ROUNDS * (ROUNDS - 1) / 2);
    OK(clReleaseMemObject(mem));
    OK(clReleaseKernel(kernel));
    if (own != queue)
        OK(clReleaseCommandQueue(own));
    return NULL;
}

int main(void)
{
    pthread_t threads[THREADS];
    int numbers[THREADS];
    start();
    program = build(source, NULL);
    for (int i = 0; i < THREADS; i++) {
        numbers[i] = i;
        pthread_create(&threads[i], NULL, work, &numbers[i]);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    OK(clReleaseProgram(program));
    finish();
    puts("right");
    return 0;
}
