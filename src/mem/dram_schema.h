/* The configuration keys of the DRAM, and from them to a channel's configuration. */
#ifndef WW_MEM_DRAM_SCHEMA_H
#define WW_MEM_DRAM_SCHEMA_H

#include "mem/dram.h"

extern const ww_schema ww_dram_schema;

/* The chosen type with every key that overrides it applied; timing.burst is set. */
ww_dram_type ww_dram_resolve(const ww_config *config);

/* Sets the keys that are 0 or auto to the values of the type. */
void ww_dram_resolve_keys(ww_config *config);

/* The configuration of one channel, for a machine whose base clock is at least dram.clock and whose
 * caches have such lines and sectors (ww_dram_check_line). `config` outlives the channel. */
void ww_dram_configure(const ww_config *config, uint64_t base_hertz, uint32_t line_bytes,
                       uint32_t sector_bytes, ww_dram_config *result);

#endif
