#include "sim/parts.h"

#include "exec/exec_schema.h"
#include "exec/exec_stats.h"
#include "host/host_schema.h"

static const ww_schema *const schemas[] = {
    &ww_exec_schema,
    &ww_host_schema,
};

const ww_schema_set ww_all_schemas = {schemas, sizeof(schemas) / sizeof(schemas[0])};

static const ww_stat_table *const stat_tables[] = {
    &ww_exec_stats,
};

void ww_declare_all_stats(ww_stats *stats)
{
    for (size_t i = 0; i < sizeof(stat_tables) / sizeof(stat_tables[0]); i++)
        ww_stats_add(stats, stat_tables[i], NULL);
}
