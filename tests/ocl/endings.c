/* Launches three times, and then ends in the way that its argument names. */
#include "support.h"

#include <signal.h>
#include <unistd.h>

static const char *source =
    "kernel void add(global int *p) { p[get_global_id(0)] += 1; }\n"
    "kernel void spin(global volatile int *p) { while (p[0] != -1) p[1]++; }\n";

static void CL_CALLBACK leave(cl_event event, cl_int status, void *unused)
{
    (void)event;
    (void)status;
    (void)unused;
    exit(3);
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "leak";
    size_t global = 64;
    cl_event event;
    start();
    cl_program program = build(source, NULL);
    cl_kernel kernel = kernel_of(program, strcmp(how, "spin") ? "add" : "spin");
    cl_kernel add = kernel_of(program, "add");
    cl_mem mem = buffer_of(256);
    set_arg(kernel, 0, sizeof(mem), &mem);
    set_arg(add, 0, sizeof(mem), &mem);
    for (int i = 0; i < 3; i++)
        OK(clEnqueueNDRangeKernel(queue, add, 1, NULL, &global, NULL, 0, NULL, &event));
    OK(clFinish(queue));
    puts("ready");
    fflush(stdout);
    if (strcmp(how, "abort") == 0)
        abort();
    if (strcmp(how, "crash") == 0) {
        int *volatile nowhere = NULL;
        *nowhere = 0;
    }
    if (strcmp(how, "kill") == 0)
        raise(SIGKILL);
    if (strcmp(how, "term") == 0)
        raise(SIGTERM);
    if (strcmp(how, "quick") == 0)
        _exit(4);
    if (strcmp(how, "spin") == 0) {
        clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL);
        puts("the program went on");
        fflush(stdout);
    }
    if (strcmp(how, "callback") == 0) {
        OK(clSetEventCallback(event, CL_COMPLETE, leave, NULL));
        pause();
    }
    return 0; /* nothing is released */
}
