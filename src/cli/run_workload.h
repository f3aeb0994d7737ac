/* Shared by exec and run: runs a workload with progress and writes its result. */
#ifndef WW_CLI_RUN_WORKLOAD_H
#define WW_CLI_RUN_WORKLOAD_H

#include "cli/run_options.h"

/* The exit status; WW_STATUS_OF_SIGNAL after a signal. */
int ww_run_workload(const ww_arguments *arguments, bool timed, ww_errors *errors);

#endif
