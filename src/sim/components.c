#include "sim/components.h"

#include "core/core_schema.h"
#include "core/core_stats.h"
#include "core/disparity.h"
#include "energy/energy.h"
#include "exec/exec_schema.h"
#include "exec/exec_stats.h"
#include "host/host_schema.h"
#include "mem/dram_schema.h"
#include "mem/dram_stats.h"
#include "mem/link_stats.h"
#include "mem/mem_schema.h"
#include "mem/reorder_stats.h"
#include "mem/reuse.h"
#include "paging/paging_schema.h"
#include "paging/paging_stats.h"
#include "sim/machine_schema.h"
#include "vm/cuptw/cuptw_schema.h"
#include "vm/vm_schema.h"
#include "vm/vm_stats.h"

static const ww_schema *const schemas[] = {
    &ww_exec_schema,   &ww_host_schema,         &ww_cu_schema,           &ww_l1d_schema,
    &ww_l1i_schema,    &ww_l1s_schema,          &ww_l2_schema,           &ww_network_schema,
    &ww_dram_schema,   &ww_vm_schema,           &ww_tlb_schema,          &ww_l1_tlb_schema,
    &ww_l2_tlb_schema, &ww_iommu_l1_tlb_schema, &ww_iommu_l2_tlb_schema, &ww_walk_schema,
    &ww_cuptw_schema,  &ww_cuptw_detail_schema, &ww_machine_schema,      &ww_link_schema,
    &ww_paging_schema, &ww_paging_copy_schema,  &ww_paging_link_schema,  &ww_paging_demand_schema,
    &ww_energy_schema, &ww_softwalker_schema,
};

const ww_schema_set ww_all_schemas = {schemas, sizeof(schemas) / sizeof(schemas[0])};

static const ww_stat_table *const stat_tables[] = {
    &ww_exec_stats,          &ww_cu_stats,           &ww_disparity_stats,
    &ww_l1d_stats,           &ww_l1i_stats,          &ww_l1s_stats,
    &ww_crossbar_down_stats, &ww_crossbar_up_stats,  &ww_reorder_stats,
    &ww_link_stats,          &ww_l2_stats,           &ww_dram_stats,
    &ww_l1_tlb_stats,        &ww_l1s_tlb_stats,      &ww_l2_tlb_stats,
    &ww_iommu_l1_tlb_stats,  &ww_iommu_l2_tlb_stats, &ww_walk_stats,
    &ww_cuptw_stats,         &ww_paging_stats,       &ww_pcie_stats,
    &ww_energy_stats,        &ww_reuse_stats,
};

static void declare_family(ww_stats *stats, const ww_policy_family *family)
{
    char prefix[64];
    snprintf(prefix, sizeof(prefix), "%.*s", (int)ww_policy_prefix_length(family), family->key);
    for (size_t i = 0; i < family->count; i++)
        ww_stats_add_policy(stats, family->members[i], prefix, NULL);
}

void ww_declare_all_stats(ww_stats *stats)
{
    for (size_t i = 0; i < sizeof(stat_tables) / sizeof(stat_tables[0]); i++)
        ww_stats_add(stats, stat_tables[i], NULL);
    for (size_t i = 0; i < sizeof(schemas) / sizeof(schemas[0]); i++)
        for (size_t k = 0; k < schemas[i]->count; k++)
            if (schemas[i]->keys[k].family)
                declare_family(stats, schemas[i]->keys[k].family);
}
