#include "host/clang.h"

#include "base/memory.h"
#include "host/process.h"

#include <sys/stat.h>

#define ARCHITECTURE "sm_70"

char *ww_clang_find(const char *wanted)
{
    static const char *const names[] = {"clang-19", "clang-16", "clang-14", "clang"};
    if (wanted)
        return ww_process_find(wanted);
    char *path = NULL;
    for (size_t i = 0; !path && i < sizeof(names) / sizeof(names[0]); i++)
        path = ww_process_find(names[i]);
    return path;
}

char *ww_clang_find_libclc(const char *wanted)
{
    static const char *const paths[] = {
        "/usr/lib/clc/nvptx64--nvidiacl.bc",
        "/usr/share/clc/nvptx64--nvidiacl.bc",
        "/usr/local/lib/clc/nvptx64--nvidiacl.bc",
        "/usr/local/share/clc/nvptx64--nvidiacl.bc",
    };
    struct stat info;
    if (wanted)
        return stat(wanted, &info) == 0 ? ww_strdup(wanted) : NULL;
    for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++)
        if (stat(paths[i], &info) == 0)
            return ww_strdup(paths[i]);
    return NULL;
}

/* clang-format off */
const char *const ww_clang_opencl_target[] = {
    "-x", "cl", "-cl-std=CL1.2", "-target", "nvptx64-nvidia-nvcl", "-march=" ARCHITECTURE,
    "-Xclang", "-cl-ext=+cl_khr_int64_base_atomics,+cl_khr_int64_extended_atomics,"
               "+cl_khr_fp16,+cl_khr_subgroups,+__opencl_c_subgroups,"
               "+__opencl_c_generic_address_space,+__opencl_c_program_scope_global_variables,"
               "+__opencl_c_atomic_order_acq_rel,"
               "+__cl_clang_bitfields,+__cl_clang_function_pointers",
    /* Extensions and features that are no more than macros for clang. */
    "-Dcl_khr_subgroups=1", "-Dcl_khr_subgroup_extended_types=1",
    "-Dcl_khr_subgroup_non_uniform_vote=1",
    "-Dcl_khr_subgroup_ballot=1", "-Dcl_khr_subgroup_non_uniform_arithmetic=1",
    "-Dcl_khr_subgroup_shuffle=1", "-Dcl_khr_subgroup_shuffle_relative=1",
    "-Dcl_khr_subgroup_clustered_reduce=1", "-Dcl_khr_subgroup_rotate=1",
    "-Dcl_khr_integer_dot_product=1", "-Dcl_intel_required_subgroup_size=1",
    "-D__opencl_c_integer_dot_product_input_4x8bit=1",
    "-D__opencl_c_integer_dot_product_input_4x8bit_packed=1",
    "-D__opencl_c_work_group_collective_functions=1", "-D__opencl_c_atomic_order_seq_cst=1",
    "-D__opencl_c_atomic_scope_device=1", NULL};

/* Ignored pragmas: clang takes extensions that are no more than macros for unsupported. */
const char *const ww_clang_opencl_flags[] = {
    "-fgnu-keywords", "-Wno-unused-value", "-Wno-ignored-pragmas",
    "-Wno-error=user-defined-warnings", NULL};

/* Contraction within an expression only: CUDA's default would fuse operations inside libclc, whose
 * argument reductions need them apart. */
const char *const ww_clang_cuda_flags[] = {
    "-x", "cuda", "--cuda-device-only", "--cuda-gpu-arch=" ARCHITECTURE, "-nocudainc",
    "-nocudalib", "--cuda-path=/nonexistent", "-Xclang", "-target-feature", "-Xclang", "+ptx63",
    "-std=c++17", "-fdeclspec", "-ffp-contract=on", "-Wno-unknown-cuda-version",
    "-Wno-register", "-Wno-ignored-attributes", "-Wno-reserved-user-defined-literal",
    "-Wno-c++11-narrowing", NULL};

/* Line directives only: the PTX names the source line of each instruction, and its code is the same
 * as without them. No sinking of common code: a store before an early return stays there, so that
 * work-items that return before a barrier differ from those that go around it. */
const char *const ww_clang_common_flags[] = {
    "-O2", "-mllvm", "-sink-common-insts=0", "-gline-directives-only", "-fdebug-compilation-dir=.",
    "-fno-crash-diagnostics", "-fno-caret-diagnostics",
    "-fno-color-diagnostics", "-Wno-linker-warnings", "-Wno-unused-command-line-argument", NULL};
/* clang-format on */
