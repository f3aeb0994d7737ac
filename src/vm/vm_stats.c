#include "vm/vm_stats.h"

#include "vm/mmu.h"
#include "vm/tlb.h"

#define NAMES(...)        \
    (const char *const[]) \
    {                     \
        __VA_ARGS__, NULL \
    }

/* ---- TLBs ---- */

static double hit_rate(const void *counters, const ww_config *config)
{
    const ww_tlb_counters *c = counters;
    (void)config;
    return ww_ratio((double)c->hits, (double)c->accesses);
}

static double mpki(const void *counters, const ww_config *config)
{
    const ww_tlb_counters *c = counters;
    (void)config;
    return ww_ratio(1000 * (double)(c->misses + c->forwarded), (double)c->instructions);
}

static double warps_mean(const void *counters, const ww_config *config)
{
    const ww_tlb_counters *c = counters;
    (void)config;
    return ww_ratio((double)c->epoch_warps, (double)c->epochs);
}

#define TLB_COUNTER(field, stat, stat_unit, stat_doc) \
    {.name = PREFIX "." stat,                         \
     .unit = stat_unit,                               \
     .doc = stat_doc,                                 \
     .kind = WW_STAT_COUNTER,                         \
     .offset = offsetof(ww_tlb_counters, field)},

#define DERIVED(stat, stat_unit, function, stat_doc) \
    {.name = PREFIX "." stat,                        \
     .unit = stat_unit,                              \
     .doc = stat_doc,                                \
     .kind = WW_STAT_DERIVED,                        \
     .derive = function},

#define TLB_STATS                                                                                \
    {                                                                                            \
        WW_TLB_COUNTERS(TLB_COUNTER)                                                             \
        TLB_COUNTER(instructions, "instructions", "warp instructions",                           \
                    "instructions of the compute units it serves")                               \
        DERIVED("hit_rate", "", hit_rate, "hits of all lookups")                                 \
        DERIVED("mpki", "", mpki, "misses in a thousand warp instructions, with forwarded ones") \
        DERIVED("waves_mean", "warps", warps_mean, "different warps in an epoch of lookups")     \
    }

#define TLB_LAWS                                                                               \
    {                                                                                          \
        {                                                                                      \
            NAMES(PREFIX ".accesses"),                                                         \
                NAMES(PREFIX ".hits", PREFIX ".misses", PREFIX ".merged", PREFIX ".forwarded") \
        }                                                                                      \
    }

#define TABLE(id, text, size_of)                               \
    const ww_stat_table ww_##id##_stats = {                    \
        .name = PREFIX,                                        \
        .doc = text,                                           \
        .stats = id##_stats,                                   \
        .count = sizeof(id##_stats) / sizeof(id##_stats[0]),   \
        .size = sizeof(size_of),                               \
        .laws = id##_laws,                                     \
        .law_count = sizeof(id##_laws) / sizeof(id##_laws[0]), \
    };

/* clang-format off */
#define PREFIX "l1_tlb"
static const ww_stat l1_tlb_stats[] = TLB_STATS;
static const ww_law l1_tlb_laws[] = TLB_LAWS;
TABLE(l1_tlb, "L1 TLBs of compute units", ww_tlb_counters)
#undef PREFIX
#define PREFIX "l1s_tlb"
static const ww_stat l1s_tlb_stats[] = TLB_STATS;
static const ww_law l1s_tlb_laws[] = TLB_LAWS;
TABLE(l1s_tlb, "L1 TLBs of scalar caches", ww_tlb_counters)
#undef PREFIX
#define PREFIX "l2_tlb"
static const ww_stat l2_tlb_stats[] = TLB_STATS;
static const ww_law l2_tlb_laws[] = TLB_LAWS;
TABLE(l2_tlb, "L2 TLB", ww_tlb_counters)
#undef PREFIX
#define PREFIX "iommu_l1_tlb"
static const ww_stat iommu_l1_tlb_stats[] = TLB_STATS;
static const ww_law iommu_l1_tlb_laws[] = TLB_LAWS;
TABLE(iommu_l1_tlb, "first TLB of the IOMMU", ww_tlb_counters)
#undef PREFIX
#define PREFIX "iommu_l2_tlb"
static const ww_stat iommu_l2_tlb_stats[] = TLB_STATS;
static const ww_law iommu_l2_tlb_laws[] = TLB_LAWS;
TABLE(iommu_l2_tlb, "second TLB of the IOMMU", ww_tlb_counters)
#undef PREFIX
/* clang-format on */

/* ---- walks ---- */

#define RATIO(name, over, under)                                      \
    static double name(const void *counters, const ww_config *config) \
    {                                                                 \
        const ww_walk_counters *c = counters;                         \
        (void)config;                                                 \
        return ww_ratio((double)(over), (double)(under));             \
    }

RATIO(latency_mean, c->latency, c->count)
RATIO(queue_mean, c->waiting, c->ticks)
RATIO(busy_mean, c->busy, c->ticks)
RATIO(reads_mean, c->pte_reads, c->count)
RATIO(read_latency, c->reading, c->pte_reads)
RATIO(interleaved_share, c->interleaved, c->several)
RATIO(first_mean, c->first_latency, c->several)
RATIO(last_mean, c->last_latency, c->several)
RATIO(first_answer_mean, c->first_answer, c->several)
RATIO(last_answer_mean, c->last_answer, c->several)
RATIO(per_instruction, c->count, c->instructions)

static double gap_mean(const void *counters, const ww_config *config)
{
    return last_mean(counters, config) - first_mean(counters, config);
}

static double span_mean(const void *counters, const ww_config *config)
{
    return last_answer_mean(counters, config) - first_answer_mean(counters, config);
}

#define WALK_COUNTER(field, stat, stat_unit, stat_doc) \
    {.name = PREFIX "." stat,                          \
     .unit = stat_unit,                                \
     .doc = stat_doc,                                  \
     .kind = WW_STAT_COUNTER,                          \
     .offset = offsetof(ww_walk_counters, field)},

/* clang-format off */
#define PREFIX "walk"
static const ww_stat walk_stats[] = {
    WW_WALK_COUNTERS(WALK_COUNTER)
    WALK_COUNTER(cache_lookups, "cache_lookups", "lookups", "of walks in the walk caches")
    WALK_COUNTER(cache_hits[0], "cache_misses", "lookups", "found no entry of any level")
    WALK_COUNTER(cache_hits[2], "cache_hits_level2", "lookups",
                 "found an entry of level 2, and read from level 1 on")
    WALK_COUNTER(cache_hits[3], "cache_hits_level3", "lookups", "likewise of level 3")
    WALK_COUNTER(cache_hits[4], "cache_hits_level4", "lookups", "likewise of level 4")
    WALK_COUNTER(estimates, "estimates", "lookups", "for the score of a walk that had to wait")
    WALK_COUNTER(estimate_hits, "estimate_hits", "lookups", "of them, that found an entry")
    WALK_COUNTER(protected_victims, "protected_victims", "entries",
                 "evicted instead of a protected one")
    DERIVED("latency_mean", "ticks", latency_mean, "from the miss in the last TLB to the answer")
    DERIVED("queue_mean", "walks", queue_mean, "that wait in the buffer, over time")
    DERIVED("busy_mean", "walkers", busy_mean, "at work, over time")
    DERIVED("pte_reads_mean", "reads", reads_mean, "of page-table entries in memory, for a walk")
    DERIVED("pte_read_latency", "ticks", read_latency, "of a page-table entry in memory")
    DERIVED("per_instruction", "walks", per_instruction, "of a memory instruction with any")
    DERIVED("interleaved_share", "", interleaved_share,
            "of instructions with several walks, those with another one's in between")
    DERIVED("first_latency_mean", "ticks", first_mean,
            "of instructions with several walks: latency of the walk that is answered first, "
            "from its own miss in the last TLB")
    DERIVED("last_latency_mean", "ticks", last_mean, "likewise of the walk that is answered last")
    DERIVED("gap_mean", "ticks", gap_mean, "between the two latencies")
    DERIVED("first_answer_mean", "ticks", first_answer_mean,
            "of the same: from the miss of the instruction's first walk to its first answer")
    DERIVED("last_answer_mean", "ticks", last_answer_mean, "likewise to its last answer")
    DERIVED("span_mean", "ticks", span_mean, "from the first answer to the last")
};
static const ww_law walk_laws[] = {
    {NAMES(PREFIX ".count"), NAMES(PREFIX ".at_once", PREFIX ".selected", PREFIX ".merged")},
    {NAMES(PREFIX ".pte_reads"), NAMES(PREFIX ".pte_reads_level1", PREFIX ".pte_reads_level2",
                                       PREFIX ".pte_reads_level3", PREFIX ".pte_reads_level4")},
    {NAMES(PREFIX ".cache_lookups"),
     NAMES(PREFIX ".cache_misses", PREFIX ".cache_hits_level2", PREFIX ".cache_hits_level3",
           PREFIX ".cache_hits_level4")},
    {NAMES(PREFIX ".instructions"), NAMES(PREFIX ".work_0", PREFIX ".work_16", PREFIX ".work_32",
                                          PREFIX ".work_48", PREFIX ".work_64", PREFIX ".work_80",
                                          PREFIX ".work_256")},
};
TABLE(walk, "page walks", ww_walk_counters)
/* clang-format on */
