#include "energy/energy.h"

static double total(const void *counters, const ww_config *config)
{
    (void)config;
    return ww_energy_total(counters);
}

static double dynamic(const void *counters, const ww_config *config)
{
    const ww_energy *e = counters;
    (void)config;
    return ww_energy_total(e) - e->spent[WW_ENERGY_STATIC];
}

static double power(const void *counters, const ww_config *config)
{
    const ww_energy *e = counters;
    (void)config;
    return ww_ratio(ww_energy_total(e), e->seconds);
}

#define COMPONENT(id, statistic, group, text) \
    {.name = "energy." statistic,             \
     .unit = "J",                             \
     .doc = text,                             \
     .kind = WW_STAT_GAUGE,                   \
     .offset = offsetof(ww_energy, spent[WW_ENERGY_##id])},

static const ww_stat stats[] = {
    {.name = "energy.total",
     .unit = "J",
     .doc = "of all components, an estimate (docs/energy.md)",
     .kind = WW_STAT_DERIVED,
     .derive = total},
    {.name = "energy.dynamic",
     .unit = "J",
     .doc = "of it, without energy.static",
     .kind = WW_STAT_DERIVED,
     .derive = dynamic},
    {.name = "energy.power",
     .unit = "W",
     .doc = "energy.total over energy.time",
     .kind = WW_STAT_DERIVED,
     .derive = power},
    {.name = "energy.time",
     .unit = "s",
     .doc = "of launches, and of copies where memory is paged",
     .kind = WW_STAT_GAUGE,
     .offset = offsetof(ww_energy, seconds)},
    /* clang-format off */
    WW_ENERGY_COMPONENTS(COMPONENT)
    /* clang-format on */
    {.name = "energy.translation",
     .unit = "J",
     .doc = "energy.tlb, energy.walk, energy.cuptw, and the parts of caches and energy.dram that "
            "read page-table entries",
     .kind = WW_STAT_GAUGE,
     .offset = offsetof(ww_energy, translation)},
};

const ww_stat_table ww_energy_stats = {
    .name = "energy",
    .doc = "an estimate from counted events (docs/energy.md)",
    .stats = stats,
    .count = sizeof(stats) / sizeof(stats[0]),
    .size = sizeof(ww_energy),
};
