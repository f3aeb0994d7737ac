/* How much memory a choice needs: its arrays are allocated on a device that runs nothing, where
 * they cost only address space. */
#include "host/functional_device.h"
#include "workload/host_internal.h"

uint64_t ww_workload_footprint(const ww_choice *choice, uint64_t seed, ww_errors *errors)
{
    ww_exec_options unused = {0};
    ww_workload_options options = {.seed = seed};
    ww_device *device = ww_functional_device_create(&unused, NULL);
    ww_host host = {.choice = choice, .options = &options, .device = device, .errors = errors};
    void *state = ww_calloc(1, choice->workload->state_size);
    choice->workload->allocate(&host, state);
    uint64_t bytes = ww_host_ok(&host) ? ww_host_footprint(&host) : 0;
    free(state);
    ww_host_close(&host);
    ww_device_destroy(device);
    return bytes;
}
