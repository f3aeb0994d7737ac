#include "mem/link_stats.h"

#define STAT(field, stat_unit, stat_doc) \
    {.name = "link." #field,             \
     .unit = stat_unit,                  \
     .doc = stat_doc,                    \
     .kind = WW_STAT_COUNTER,            \
     .offset = offsetof(ww_link_counters, field)},

/* clang-format off */
static const ww_stat stats[] = {WW_LINK_COUNTERS(STAT)};
/* clang-format on */

const ww_stat_table ww_link_stats = {
    .name = "links",
    .doc = "between clusters, in both directions",
    .stats = stats,
    .count = sizeof(stats) / sizeof(stats[0]),
    .size = sizeof(ww_link_counters),
};
