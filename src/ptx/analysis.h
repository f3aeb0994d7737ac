/* Static analysis of a module's functions.
 *
 * need       registers and local memory of a function and its callees: the maximum over chains of
 *            calls, for each kind separately
 * recursive  a function that may call itself, directly or not: its need is that of one activation,
 *            and grows with the depth of the recursion
 * An indirect call may reach every function whose address is taken somewhere in the module. */
#ifndef WW_PTX_ANALYSIS_H
#define WW_PTX_ANALYSIS_H

#include "ptx/flow.h"
#include "ptx/liveness.h"
#include "ptx/paths.h"
#include "ptx/uniform.h"

typedef struct ww_function_analysis {
    const ww_function *function;
    ww_flow *flow; /* this and the next three are NULL for a function without a body */
    ww_uniform *uniform;
    ww_liveness *liveness;
    ww_paths *paths;
    ww_register_need need; /* callees included */
    uint64_t local_bytes;  /* callees included */
    bool recursive;        /* it or something it calls */
    bool calls_indirectly; /* it or something it calls */
} ww_function_analysis;

typedef struct ww_analysis {
    const ww_module *module;
    ww_function_analysis *functions; /* by function index */
    uint32_t function_count;
} ww_analysis;

ww_analysis *ww_analysis_create(const ww_module *module);
void ww_analysis_destroy(ww_analysis *analysis); /* before or after its module */

#endif
