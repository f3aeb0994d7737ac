/* Internal to this folder: the members of a ww_host. */
#ifndef WW_WORKLOAD_HOST_INTERNAL_H
#define WW_WORKLOAD_HOST_INTERNAL_H

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

/* The parameter's index in the table; parameter_count when there is none. */
size_t ww_parameter_index(const ww_workload *workload, const char *name);

/* For a choice with a graph: refuses given parameters that the graph's kind does not have; a given
 * `scale` overrides the `vertices` of the named size. */
int ww_graph_resolve_parameters(ww_choice *choice, ww_errors *errors);
/* Whether the parameter's value has a meaning: always, unless it describes another kind of
 * graph. */
bool ww_graph_uses(const ww_choice *choice, size_t parameter);

/* After verify: WW_OK when every element that needs a value was named and right. */
int ww_host_judge(ww_host *host);

uint64_t ww_host_footprint(const ww_host *host); /* bytes in arrays */
void ww_host_close(ww_host *host);

#endif
