/* From a configuration to the options of an execution. */
#ifndef WW_EXEC_EXEC_CONFIG_H
#define WW_EXEC_EXEC_CONFIG_H

#include "config/config.h"
#include "exec/exec.h"

/* Sets width, level, order, config and seed, and no other option. WW_BAD_INPUT when exec.lanes
 * names an instruction set that this processor does not have. */
int ww_exec_configure(const ww_config *config, uint64_t seed, ww_exec_options *options,
                      ww_errors *errors);

#endif
