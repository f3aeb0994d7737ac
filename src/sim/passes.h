/* Runs a host program on devices: once; twice if a policy needs a profile (first_pass.h); or twice
 * and more if its launches are sampled (sampler.h). */
#ifndef WW_SIM_PASSES_H
#define WW_SIM_PASSES_H

#include "sim/execution.h"
#include "sim/host_program.h"

/* As ww_execute. */
int ww_run_passes(const ww_execution *what, const ww_host_program *program, ww_result *result,
                  ww_errors *errors);

#endif
