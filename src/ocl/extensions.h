/* Extensions of the device, features and versions of its language: what kernels are compiled with
 * (host/clang.c) offers them. */
#ifndef WW_OCL_EXTENSIONS_H
#define WW_OCL_EXTENSIONS_H

#include <CL/cl_icd.h>

#define WW_CL_EXTENSIONS(X)                 \
    X(cl_khr_byte_addressable_store)        \
    X(cl_khr_global_int32_base_atomics)     \
    X(cl_khr_global_int32_extended_atomics) \
    X(cl_khr_local_int32_base_atomics)      \
    X(cl_khr_local_int32_extended_atomics)  \
    X(cl_khr_int64_base_atomics)            \
    X(cl_khr_int64_extended_atomics)        \
    X(cl_khr_fp64)

#define WW_CL_FEATURES(X) \
    X(__opencl_c_int64)   \
    X(__opencl_c_fp64)

#endif
