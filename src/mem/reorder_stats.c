#include "mem/reorder_stats.h"

#define STAT(field, stat_unit, stat_doc) \
    {.name = "l1s_reorder." #field,      \
     .unit = stat_unit,                  \
     .doc = stat_doc,                    \
     .kind = WW_STAT_COUNTER,            \
     .offset = offsetof(ww_reorder_counters, field)},

/* clang-format off */
static const ww_stat stats[] = {WW_REORDER_COUNTERS(STAT)};
/* clang-format on */

const ww_stat_table ww_reorder_stats = {
    .name = "reorder buffers",
    .doc = "before scalar caches, where l1s.reorder is more than 0",
    .stats = stats,
    .count = sizeof(stats) / sizeof(stats[0]),
    .size = sizeof(ww_reorder_counters),
};
