/* The keys of translation, and the configurations of its components from them. */
#ifndef WW_VM_VM_SCHEMA_H
#define WW_VM_VM_SCHEMA_H

#include "config/config.h"
#include "vm/driver.h"
#include "vm/mmu.h"
#include "vm/tlb.h"

extern const ww_schema ww_vm_schema;
extern const ww_schema ww_tlb_schema;
extern const ww_schema ww_l1_tlb_schema;
extern const ww_schema ww_l2_tlb_schema;
extern const ww_schema ww_iommu_l1_tlb_schema;
extern const ww_schema ww_iommu_l2_tlb_schema;
extern const ww_schema ww_walk_schema;

bool ww_vm_is_ideal(const ww_config *config);
uint64_t ww_vm_page_bytes(const ww_config *config);
/* Whether a page gets its frame when its first walk begins. */
bool ww_walks_allocate(const ww_config *config);
void ww_driver_configure(const ww_config *config, uint64_t seed, ww_driver_config *driver);
/* The TLB whose keys start with `prefix`. */
void ww_tlb_configure(const ww_config *config, const char *prefix, ww_tlb_config *tlb);
/* `most`: requests that can be in the MMU at the same time. */
void ww_mmu_configure(const ww_config *config, uint64_t seed, uint32_t most, ww_mmu_config *mmu);
/* 0: infinite. */
uint64_t ww_walk_buffer_entries(const ww_config *config);
/* Of all walk caches together. */
uint64_t ww_walk_cache_entries(const ww_config *config);
/* Walkers read page-table entries in the DRAM, past the L2. */
bool ww_walks_go_to_dram(const ww_config *config);

#endif
