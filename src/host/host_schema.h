/* The configuration keys of the host side: buffers and kernel compilation. */
#ifndef WW_HOST_HOST_SCHEMA_H
#define WW_HOST_HOST_SCHEMA_H

#include "config/schema.h"

extern const ww_schema ww_host_schema;

#endif
