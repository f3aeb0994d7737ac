/* What OpenCL's queries say about kernels and PTX does not: names and types of arguments, and
 * attributes. clang writes them into its LLVM IR; here they become comments at the end of the PTX:
 *
 *     //ww.kernel NAME
 *     //ww.attributes reqd_work_group_size(8,4,1)
 *     //ww.argument SPACE ACCESS TYPE QUALIFIERS NAME      with tabs between them
 *
 * SPACE is 0 private, 1 global, 2 constant or 3 local. */
#ifndef WW_HOST_KERNEL_INFO_H
#define WW_HOST_KERNEL_INFO_H

#include <stdbool.h>
#include <stddef.h>

/* A copy of the PTX text with the comments; the caller frees it. */
char *ww_kernel_info_add(const char *ptx, const char *ir);

typedef struct ww_kernel_argument {
    int space;
    char *access, *type, *qualifiers, *name;
} ww_kernel_argument;

typedef struct ww_kernel_info {
    char *attributes;
    ww_kernel_argument *arguments;
    size_t count;
} ww_kernel_info;

/* False: the text has none about the kernel. Free it with ww_kernel_info_clear if true. */
bool ww_kernel_info_read(const char *ptx, const char *kernel, ww_kernel_info *info);
void ww_kernel_info_clear(ww_kernel_info *info);

#endif
