#include "mem/cache_stats.h"

static double hit_rate(const void *counters, const ww_config *config)
{
    const ww_cache_counters *c = counters;
    (void)config;
    return ww_ratio((double)c->hits, (double)c->accesses);
}

static double critical_hit_rate(const void *counters, const ww_config *config)
{
    const ww_cache_counters *c = counters;
    (void)config;
    return ww_ratio((double)c->critical_hits, (double)c->critical_accesses);
}

static double zero_reuse_share(const void *counters, const ww_config *config)
{
    const ww_cache_counters *c = counters;
    (void)config;
    return ww_ratio((double)c->zero_reuse, (double)c->evictions);
}

static double mpki(const void *counters, const ww_config *config)
{
    const ww_cache_counters *c = counters;
    (void)config;
    return ww_ratio(1000 * (double)c->misses, (double)c->instructions);
}

static double read_mpki(const void *counters, const ww_config *config)
{
    const ww_cache_counters *c = counters;
    (void)config;
    return ww_ratio(1000 * (double)c->read_misses, (double)c->instructions);
}

#define COUNTER(prefix, field, stat, stat_unit, stat_doc)                                 \
    {                                                                                     \
        .name = prefix stat, .unit = stat_unit, .doc = stat_doc, .kind = WW_STAT_COUNTER, \
        .offset = offsetof(ww_cache_counters, field)                                      \
    }

#define DERIVED(prefix, stat, function, stat_doc)                                  \
    {                                                                              \
        .name = prefix stat, .unit = "", .doc = stat_doc, .kind = WW_STAT_DERIVED, \
        .derive = function                                                         \
    }

#define OF_CLASS(prefix, class, name, what)                                                    \
    COUNTER(prefix, class_accesses[class], name "_accesses", "requests", "lookups for " what), \
        COUNTER(prefix, class_hits[class], name "_hits", "requests", "those of them that hit")

#define STALL(prefix, name, stat, stat_doc) \
    COUNTER(prefix, stalls[WW_CACHE_STALL_##name], "stall_" stat, "ticks", "queue held: " stat_doc),

#define STATS(prefix, ...)                                                                       \
    {                                                                                            \
        COUNTER(prefix, accesses, "accesses", "requests", "lookups"),                            \
            COUNTER(prefix, hits, "hits", "requests", "lookups that found all they wanted"),     \
            COUNTER(prefix, misses, "misses", "requests", "lookups that fetched from below"),    \
            COUNTER(prefix, merged, "merged", "requests",                                        \
                    "lookups that joined an outstanding miss"),                                  \
            DERIVED(prefix, "hit_rate", hit_rate, "hits of all lookups"),                        \
            COUNTER(prefix, instructions, "instructions", "warp instructions",                   \
                    "instructions of the compute units it serves"),                              \
            DERIVED(prefix, "mpki", mpki, "misses in a thousand warp instructions"),             \
            COUNTER(prefix, kinds[WW_REQUEST_READ], "reads", "requests", "lookups of reads"),    \
            COUNTER(prefix, kinds[WW_REQUEST_WRITE], "writes", "requests", "lookups of writes"), \
            COUNTER(prefix, kinds[WW_REQUEST_ATOMIC], "atomics", "requests",                     \
                    "lookups of atomics"),                                                       \
            OF_CLASS(prefix, WW_CLASS_DATA, "data", "data"),                                     \
            OF_CLASS(prefix, WW_CLASS_INSTRUCTION, "instruction", "instructions"),               \
            OF_CLASS(prefix, WW_CLASS_SCALAR, "scalar", "scalar data"),                          \
            OF_CLASS(prefix, WW_CLASS_PTE, "pte", "page-table entries"),                         \
            OF_CLASS(prefix, WW_CLASS_DMA, "dma", "pages that move"),                            \
            OF_CLASS(prefix, WW_CLASS_WRITE_BACK, "write_back", "lines evicted above"),          \
            COUNTER(prefix, bytes, "bytes", "bytes",                                             \
                    "wanted or written by lookups, in whole sectors"),                           \
            COUNTER(prefix, pte_bytes, "pte_bytes", "bytes", "of them, for page-table entries"), \
            COUNTER(prefix, bypasses, "bypasses", "requests", "misses that bypassed the cache"), \
            COUNTER(prefix, fills, "fills", "requests", "replies from below"),                   \
            COUNTER(prefix, evictions, "evictions", "lines", "lines evicted for others"),        \
            COUNTER(prefix, zero_reuse, "zero_reuse", "lines",                                   \
                    "those of them that nothing used after their insertion"),                    \
            DERIVED(prefix, "zero_reuse_share", zero_reuse_share, "those, of lines evicted"),    \
            COUNTER(prefix, write_backs, "write_backs", "lines", "dirty lines sent down"),       \
            WW_CACHE_STALLS(STALL, prefix) __VA_ARGS__                                           \
    }

#define NAMES(...)        \
    (const char *const[]) \
    {                     \
        __VA_ARGS__, NULL \
    }

#define LAWS(p)                                                                           \
    {                                                                                     \
        {NAMES(p "accesses"), NAMES(p "hits", p "misses", p "merged")},                   \
            {NAMES(p "accesses"), NAMES(p "reads", p "writes", p "atomics")},             \
            {NAMES(p "accesses"),                                                         \
             NAMES(p "data_accesses", p "instruction_accesses", p "scalar_accesses",      \
                   p "pte_accesses", p "dma_accesses", p "write_back_accesses")},         \
            {NAMES(p "hits"), NAMES(p "data_hits", p "instruction_hits", p "scalar_hits", \
                                    p "pte_hits", p "dma_hits", p "write_back_hits")},    \
    }

/* Of the L1 data cache alone. */
#define CRITICAL_STATS(p)                                                                 \
    COUNTER(p, critical_accesses, "critical_accesses", "requests",                        \
            "lookups of loads of critical warps (core.criticality)"),                     \
        COUNTER(p, critical_hits, "critical_hits", "requests", "those of them that hit"), \
        DERIVED(p, "critical_hit_rate", critical_hit_rate, "hits of loads of critical warps")

/* Stores that go through count as misses, though they fetch nothing. */
#define READ_STATS(p)                                                                     \
    COUNTER(p, read_misses, "read_misses", "requests", "misses of loads, not of stores"), \
        DERIVED(p, "read_mpki", read_mpki, "misses of loads in a thousand warp instructions")

#define TABLE(cache, what, ...)                                            \
    static const ww_stat cache##_stats[] = STATS(#cache ".", __VA_ARGS__); \
    static const ww_law cache##_laws[] = LAWS(#cache ".");                 \
    const ww_stat_table ww_##cache##_stats = {                             \
        .name = #cache,                                                    \
        .doc = what,                                                       \
        .stats = cache##_stats,                                            \
        .count = sizeof(cache##_stats) / sizeof(cache##_stats[0]),         \
        .size = sizeof(ww_cache_counters),                                 \
        .laws = cache##_laws,                                              \
        .law_count = sizeof(cache##_laws) / sizeof(cache##_laws[0]),       \
    };

TABLE(l1d, "L1 data caches", CRITICAL_STATS("l1d."), READ_STATS("l1d."))
TABLE(l1i, "L1 instruction caches", )
TABLE(l1s, "L1 scalar caches", )
TABLE(l2, "slices of the L2 cache", )
