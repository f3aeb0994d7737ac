/* Checks that the host has enough memory for the buffers of a run. */
#ifndef WW_HOST_HOST_MEMORY_H
#define WW_HOST_HOST_MEMORY_H

#include "base/error.h"

#include <stdint.h>

/* WW_FAILED with a line when `bytes` of buffers do not fit into the memory that is available. */
int ww_check_host_memory(uint64_t bytes, ww_errors *errors);

#endif
