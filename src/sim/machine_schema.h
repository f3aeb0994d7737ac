/* The keys of a machine as a whole. */
#ifndef WW_SIM_MACHINE_SCHEMA_H
#define WW_SIM_MACHINE_SCHEMA_H

#include "config/config.h"

extern const ww_schema ww_machine_schema;

#endif
