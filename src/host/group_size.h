/* Sizes that OpenCL kernels require: of groups (reqd_work_group_size) and of sub-groups
 * (intel_reqd_sub_group_size). clang writes them into its LLVM IR, but not into the PTX that it
 * makes from it. */
#ifndef WW_HOST_GROUP_SIZE_H
#define WW_HOST_GROUP_SIZE_H

/* A copy of the PTX text in which the entries have the .reqntid and .reqsubgroup that the text of
 * the IR gives their functions; the caller frees it. An entry that has one already keeps it. */
char *ww_group_sizes_add(const char *ptx, const char *ir);

#endif
