#include "sim/parts.h"

#include "exec/exec_schema.h"
#include "host/host_schema.h"

static const ww_schema *const schemas[] = {
    &ww_exec_schema,
    &ww_host_schema,
};

const ww_schema_set ww_all_schemas = {schemas, sizeof(schemas) / sizeof(schemas[0])};
