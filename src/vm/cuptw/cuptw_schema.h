/* Keys and statistics of page walks on compute units. */
#ifndef WW_VM_CUPTW_CUPTW_SCHEMA_H
#define WW_VM_CUPTW_CUPTW_SCHEMA_H

#include "config/config.h"
#include "stats/stats.h"
#include "vm/cuptw/cu_walker.h"
#include "vm/cuptw/distributor.h"

extern const ww_schema ww_cuptw_schema;
extern const ww_schema ww_cuptw_detail_schema;
extern const ww_schema ww_softwalker_schema;
extern const ww_stat_table ww_cuptw_stats;

/* Whether compute units make walks. */
bool ww_cuptw_is_on(const ww_config *config);
bool ww_cuptw_is_softwalker(const ww_config *config); /* and they make all, in walk warps */
bool ww_cuptw_is_nvidia(const ww_config *config);
/* Registers of the L2 TLB from which on misses are forwarded. */
uint32_t ww_cuptw_threshold(const ww_config *config);
/* What a walk warp takes of each compute unit for good. */
uint64_t ww_cuptw_reserved_registers(const ww_config *config);
uint64_t ww_cuptw_reserved_lds(const ww_config *config); /* bytes */
/* But for the clock; the distributor's also without what the cluster knows. */
void ww_cuptw_configure(const ww_config *config, ww_cu_walker_config *walker);
void ww_distributor_configure(const ww_config *config, ww_distributor_config *distributor);

#endif
