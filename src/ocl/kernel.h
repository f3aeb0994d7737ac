/* Kernels: an entry of a program, and its arguments. */
#ifndef WW_OCL_KERNEL_H
#define WW_OCL_KERNEL_H

#include "host/kernel_info.h"
#include "ocl/program.h"

typedef struct ww_cl_argument {
    bool set;
    uint64_t local; /* bytes of local memory */
    cl_mem mem;     /* a buffer that was set; it may be gone. NULL: none */
} ww_cl_argument;

struct _cl_kernel {
    ww_cl_object object;
    cl_program program;
    const ww_function *function;
    ww_cl_argument *arguments; /* function->param_count */
    uint8_t *params;           /* the parameter block */
    ww_kernel_info info;
    bool has_info;
};

static inline bool ww_cl_is_local(const ww_variable *parameter)
{
    return parameter->is_pointer && parameter->pointer_space == WW_SPACE_SHARED;
}

/* Bytes of local memory: the kernel's own and its arguments'. */
uint64_t ww_cl_kernel_local_bytes(cl_kernel kernel);
/* Most work-items in a group. */
size_t ww_cl_kernel_most_group(cl_kernel kernel);

#endif
