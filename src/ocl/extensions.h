/* Extensions of the device, features and versions of its language: what kernels are compiled with
 * (host/clang.c) offers them. X(name, major version) */
#ifndef WW_OCL_EXTENSIONS_H
#define WW_OCL_EXTENSIONS_H

#include <CL/cl_icd.h>

#define WW_CL_EXTENSIONS(X)                      \
    X(cl_khr_byte_addressable_store, 1)          \
    X(cl_khr_global_int32_base_atomics, 1)       \
    X(cl_khr_global_int32_extended_atomics, 1)   \
    X(cl_khr_local_int32_base_atomics, 1)        \
    X(cl_khr_local_int32_extended_atomics, 1)    \
    X(cl_khr_int64_base_atomics, 1)              \
    X(cl_khr_int64_extended_atomics, 1)          \
    X(cl_khr_fp64, 1)                            \
    X(cl_khr_fp16, 1)                            \
    X(cl_khr_subgroups, 1)                       \
    X(cl_khr_subgroup_extended_types, 1)         \
    X(cl_khr_subgroup_non_uniform_vote, 1)       \
    X(cl_khr_subgroup_ballot, 1)                 \
    X(cl_khr_subgroup_non_uniform_arithmetic, 1) \
    X(cl_khr_subgroup_shuffle, 1)                \
    X(cl_khr_subgroup_shuffle_relative, 1)       \
    X(cl_khr_subgroup_clustered_reduce, 1)       \
    X(cl_khr_subgroup_rotate, 1)                 \
    X(cl_khr_integer_dot_product, 2)             \
    X(cl_intel_required_subgroup_size, 1)        \
    X(cl_ext_cxx_for_opencl, 1)

#define WW_CL_FEATURES(X)                          \
    X(__opencl_c_int64)                            \
    X(__opencl_c_fp64)                             \
    X(__opencl_c_generic_address_space)            \
    X(__opencl_c_program_scope_global_variables)   \
    X(__opencl_c_subgroups)                        \
    X(__opencl_c_work_group_collective_functions)  \
    X(__opencl_c_atomic_order_acq_rel)             \
    X(__opencl_c_atomic_order_seq_cst)             \
    X(__opencl_c_atomic_scope_device)              \
    X(__opencl_c_integer_dot_product_input_4x8bit) \
    X(__opencl_c_integer_dot_product_input_4x8bit_packed)

#endif
