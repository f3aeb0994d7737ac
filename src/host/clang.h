/* Finds clang and libclc; the flags that make PTX with them. The lists end in NULL. */
#ifndef WW_HOST_CLANG_H
#define WW_HOST_CLANG_H

#define WW_CLANG_ADVICE "apt install clang-19 libclc-19"

/* Paths that the caller frees, or NULL. `wanted` NULL: the best that is installed. */
char *ww_clang_find(const char *wanted);
char *ww_clang_find_libclc(const char *wanted);

extern const char *const ww_clang_opencl_target[]; /* language and target of OpenCL C */
extern const char *const ww_clang_opencl_flags[];
extern const char *const ww_clang_cuda_flags[]; /* language, target and flags of CUDA C */
extern const char *const ww_clang_common_flags[];

#endif
