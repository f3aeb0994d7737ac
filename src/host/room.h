/* Checks that the host has enough memory for the buffers of a run. */
#ifndef WW_HOST_ROOM_H
#define WW_HOST_ROOM_H

#include "base/error.h"

#include <stdint.h>

/* WW_FAILED with a line when `bytes` of buffers do not fit into the memory that is available. */
int ww_check_room(uint64_t bytes, ww_errors *errors);

#endif
