/* The statistics of translation. */
#ifndef WW_VM_VM_STATS_H
#define WW_VM_VM_STATS_H

#include "stats/stats.h"

extern const ww_stat_table ww_l1_tlb_stats;
extern const ww_stat_table ww_l1s_tlb_stats; /* of scalar caches */
extern const ww_stat_table ww_l2_tlb_stats;
extern const ww_stat_table ww_iommu_l1_tlb_stats;
extern const ww_stat_table ww_iommu_l2_tlb_stats;
extern const ww_stat_table ww_walk_stats;

#endif
