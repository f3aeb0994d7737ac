/* The inside of a ww_host, shared by the files of this folder. */
#ifndef WW_WORKLOAD_HOST_PARTS_H
#define WW_WORKLOAD_HOST_PARTS_H

#include "base/memory.h"
#include "workload/catalogue.h"
#include "workload/graph.h"

struct ww_host {
    const ww_choice *choice;
    const ww_workload_options *options;
    const ww_module *module;
    ww_device *device;
    ww_device_program *program;
    ww_errors *errors;
    int status;
    bool wrong; /* a property did not hold */
    size_t launches;
    WW_VEC(ww_array *) arrays;
    WW_VEC(void *) blocks; /* of ww_host_alloc */
    WW_VEC(ww_graph_source *) graphs;
};

/* After verify: WW_OK when all that had to be named was named and right. */
int ww_host_judge(ww_host *host);

uint64_t ww_host_footprint(const ww_host *host); /* bytes in arrays */
void ww_host_close(ww_host *host);

#endif
