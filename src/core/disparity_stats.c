#include "core/disparity.h"

#define OF(set, field) offsetof(ww_disparity_counters, set.field)

#define COUNTER(set, stat, field, stat_unit, stat_doc)                                         \
    {                                                                                          \
        .name = "core." stat, .unit = (stat_unit), .doc = (stat_doc), .kind = WW_STAT_COUNTER, \
        .offset = OF(set, field)                                                               \
    }

#define SUM(set, stat, field, stat_unit, stat_doc)                                           \
    {                                                                                        \
        .name = "core." stat, .unit = (stat_unit), .doc = (stat_doc), .kind = WW_STAT_GAUGE, \
        .offset = OF(set, field)                                                             \
    }

#define DERIVED(stat, function, stat_doc)                                             \
    {                                                                                 \
        .name = "core." stat, .unit = "", .doc = (stat_doc), .kind = WW_STAT_DERIVED, \
        .derive = (function)                                                          \
    }

/* A function for each set of groups: the quotient of two of its sums. */
#define QUOTIENT(set, name, above, below)                                             \
    static double set##_##name(const void *counters, const ww_config *config)         \
    {                                                                                 \
        const ww_disparity_sums *s = &((const ww_disparity_counters *)counters)->set; \
        (void)config;                                                                 \
        return ww_ratio((double)s->above, (double)s->below);                          \
    }

#define QUOTIENTS(set)                                         \
    QUOTIENT(set, disparity, disparity, groups)                \
    QUOTIENT(set, of_fastest, disparity_of_fastest, groups)    \
    QUOTIENT(set, instructions, instruction_disparity, groups) \
    QUOTIENT(set, ideal, slowest, mean)                        \
    QUOTIENT(set, inversion, inverted, compared)               \
    QUOTIENT(set, change, changed, compared)

QUOTIENTS(all)
QUOTIENTS(first_wave)

/* `p`: "group_" or "first_wave_"; `which`: after "groups". */
#define STATS(set, p, which)                                                                       \
    COUNTER(set, p "count", groups, "groups", "groups" which " that ended"),                       \
        COUNTER(set, p "slowest", slowest, "cycles", "of their slowest warps, summed"),            \
        COUNTER(set, p "fastest", fastest, "cycles", "of their fastest warps, summed"),            \
        SUM(set, p "mean", mean, "cycles", "of their warps on average, summed over groups"),       \
        SUM(set, p "disparity_sum", disparity, "groups",                                           \
            "(slowest - fastest) / slowest of their warps' cycles, summed over groups"),           \
        DERIVED(p "disparity", set##_disparity, "its mean over groups" which),                     \
        SUM(set, p "disparity_of_fastest_sum", disparity_of_fastest, "groups",                     \
            "(slowest - fastest) / fastest, summed likewise"),                                     \
        DERIVED(p "disparity_of_fastest", set##_of_fastest, "its mean over groups" which),         \
        SUM(set, p "instruction_disparity_sum", instruction_disparity, "groups",                   \
            "(most - fewest) / most of their warps' instructions, summed likewise"),               \
        DERIVED(p "instruction_disparity", set##_instructions, "its mean over groups" which),      \
        DERIVED(p "ideal", set##_ideal,                                                            \
                "cycles of slowest warps over those of mean warps: the speedup if all warps of a " \
                "group took its mean time"),                                                       \
        COUNTER(set, p "compared", compared, "groups",                                             \
                "those of them with all warps in the first pass, where there was one"),            \
        COUNTER(set, p "inverted", inverted, "groups",                                             \
                "of those: the slowest warp was faster than the group's mean in the first pass"),  \
        DERIVED(p "inversion", set##_inversion, "their share: criticality inversion"),             \
        COUNTER(set, p "changed", changed, "groups",                                               \
                "of those compared: another warp was the slowest in the first pass"),              \
        DERIVED(p "change", set##_change, "their share"),                                          \
        COUNTER(set, p "critical", critical, "cycles",                                             \
                "of those compared: of the warps that were slowest in the first pass, summed"),    \
        COUNTER(set, p "critical_before", critical_profiled, "cycles",                             \
                "of the same warps in the first pass")

#define REASON(id, statistic, text)                 \
    {.name = "core.slowest_" statistic,             \
     .unit = "cycles",                              \
     .doc = "groups' slowest warps' cycles: " text, \
     .kind = WW_STAT_COUNTER,                       \
     .offset = offsetof(ww_disparity_counters, reasons[WW_REASON_##id])},

static const ww_stat stats[] = {
    STATS(all, "group_", ""), STATS(first_wave, "first_wave_", " of the first wave"),
    /* clang-format off */
    WW_REASONS(REASON)
    /* clang-format on */
};

#define REASON_NAME(id, statistic, text) "core.slowest_" statistic,
static const char *const slowest[] = {"core.group_slowest", NULL};
static const char *const reasons[] = {WW_REASONS(REASON_NAME) NULL};
static const ww_law laws[] = {{reasons, slowest}};

const ww_stat_table ww_disparity_stats = {
    .name = "groups",
    .doc = "how the times of a group's warps differ",
    .stats = stats,
    .count = sizeof(stats) / sizeof(stats[0]),
    .size = sizeof(ww_disparity_counters),
    .laws = laws,
    .law_count = 1,
};
