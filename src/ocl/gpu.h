/* The simulated GPU behind the driver's device, and what the environment says about it.
 *
 *   WARPWALK_MACHINE    a preset's name or a YAML file, as after -m
 *   WARPWALK_SET        KEY=VALUE, several with blanks between them, as after -s
 *   WARPWALK_MODE       run: with time (the default); exec: values only
 *   WARPWALK_TIME       "launch 3..5", "launch 3", "launch 3..": the others run without time
 *   WARPWALK_SEED       as after --seed
 *   WARPWALK_DEVICE_NAME, WARPWALK_DEVICE_TYPE
 *                       what the device says it is, for programs that choose by it
 *   WARPWALK_BUILD_OPTIONS
 *                       added to the options of each program that is built from source
 *   WARPWALK_JSON       the result goes there, as after --json
 *   WARPWALK_TIMELINE   likewise, as after --timeline
 *   WARPWALK_SUMMARY    1: a summary goes to standard error at the end */
#ifndef WW_OCL_GPU_H
#define WW_OCL_GPU_H

#include "config/config.h"
#include "ocl/ocl.h"
#include "ptx/liveness.h"

/* Reads the environment; false with lines on standard error when it is wrong. Once. */
bool ww_cl_gpu_configure(void);
const ww_config *ww_cl_gpu_config(void);
const char *ww_cl_gpu_machine(void);
cl_device_type ww_cl_gpu_type(void);
const char *ww_cl_gpu_given_name(void); /* NULL: the device has its own */
const char *ww_cl_gpu_build_options(void);

bool ww_cl_gpu_is_timed(void);
size_t ww_cl_gpu_most_group(void); /* work-items that a compute unit holds, in one group */
/* The same of a kernel that needs these registers, on a timed machine. */
size_t ww_cl_gpu_most_group_with(const ww_register_need *need);
/* Sub-groups (warps) of a group of so many work-items. */
size_t ww_cl_sub_groups_in(size_t items);

/* Made at the first call; NULL when that fails, which is said on standard error. */
ww_device *ww_cl_gpu_device(void);

/* Simulated picoseconds. Without timing a warp instruction counts as a nanosecond, so that programs
 * which divide by a duration work; it predicts nothing. */
uint64_t ww_cl_gpu_now(void);

/* Runs a launch; an error is also told to the context. WW_BAD_INPUT: the device cannot run it. */
int ww_cl_gpu_launch(cl_context context, ww_device_program *program, const ww_launch *launch);

/* Shows errors on standard error, and to the context if it is not NULL; empties the list. */
void ww_cl_report(cl_context context, ww_errors *errors);

#endif
