/* The configuration keys of functional execution. */
#ifndef WW_EXEC_EXEC_SCHEMA_H
#define WW_EXEC_EXEC_SCHEMA_H

#include "config/schema.h"

extern const ww_schema ww_exec_schema;

/* The choices of exec.lanes, in this order. */
enum { WW_LANES_AUTO, WW_LANES_PORTABLE, WW_LANES_AVX2, WW_LANES_AVX512 };

#endif
