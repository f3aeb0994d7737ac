#include "host/host_memory.h"

#include <inttypes.h>

/* Host memory that could be used without swapping, in bytes; UINT64_MAX when it is not known. */
static uint64_t available_memory(void)
{
    uint64_t kilobytes = UINT64_MAX / 1024;
    char line[128];
    FILE *in = fopen("/proc/meminfo", "r");
    while (in && fgets(line, sizeof(line), in))
        if (sscanf(line, "MemAvailable: %" SCNu64, &kilobytes) == 1)
            break;
    if (in)
        fclose(in);
    return kilobytes * 1024;
}

int ww_check_host_memory(uint64_t bytes, ww_errors *errors)
{
    uint64_t available = available_memory();
    if (bytes <= available)
        return WW_OK;
    return ww_fail(errors, WW_FAILED, WW_NOWHERE,
                   "the buffers' contents need %" PRIu64 " MiB of memory and %" PRIu64
                   " MiB are available",
                   bytes >> 20, available >> 20);
}
