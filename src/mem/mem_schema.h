/* The keys of caches, network and links, and the configurations they make. */
#ifndef WW_MEM_MEM_SCHEMA_H
#define WW_MEM_MEM_SCHEMA_H

#include "config/config.h"
#include "mem/cache.h"
#include "mem/crossbar.h"
#include "mem/link.h"

extern const ww_schema ww_l1d_schema;
extern const ww_schema ww_l1i_schema;
extern const ww_schema ww_l1s_schema;
extern const ww_schema ww_l2_schema;
extern const ww_schema ww_network_schema;
extern const ww_schema ww_link_schema;

/* From the keys "PREFIX.size" and so on; the prefix outlives the cache. Latencies stay in cycles of
 * the clock. sim/ converts them to ticks, and sets names, queues' neighbours and the level. */
void ww_cache_configure(const ww_config *config, const char *prefix, ww_cache_config *cache);
void ww_crossbar_configure(const ww_config *config, ww_crossbar_config *crossbar);
void ww_link_configure(const ww_config *config, ww_link_config *link);

#endif
