/* Writes and reads a buffer of so many MiB, and says how much memory the process had at most. */
#include "support.h"

#include <sys/resource.h>

int main(int argc, char **argv)
{
    size_t bytes = (size_t)(argc > 1 ? atoi(argv[1]) : 64) << 20;
    struct rusage usage;
    start();
    unsigned char *values = malloc(bytes);
    MUST(values);
    for (size_t i = 0; i < bytes; i += 4096)
        values[i] = (unsigned char)(i >> 12);
    cl_mem mem = buffer_of(bytes);
    OK(clEnqueueWriteBuffer(queue, mem, CL_TRUE, 0, bytes, values, 0, NULL, NULL));
    memset(values, 0, bytes);
    read_all(mem, bytes, values);
    for (size_t i = 0; i < bytes; i += 4096)
        MUST(values[i] == (unsigned char)(i >> 12));
    OK(clReleaseMemObject(mem));
    free(values);
    finish();
    getrusage(RUSAGE_SELF, &usage);
    printf("right, %ld MiB\n", usage.ru_maxrss / 1024);
    return 0;
}
