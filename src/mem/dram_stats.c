#include "mem/dram_stats.h"

void ww_dram_counters_add(ww_dram_counters *sum, const ww_dram_counters *counters)
{
#define ADD(field, statistic, unit, doc) sum->field += counters->field;
    WW_DRAM_COUNTERS(ADD)
#undef ADD
}

static uint64_t begun_with(const ww_dram_tally *tally, ww_dram_op op)
{
    return tally->begun[WW_DRAM_READ][op] + tally->begun[WW_DRAM_WRITE][op];
}

static uint64_t begun(const uint64_t by_op[WW_DRAM_PRECHARGE + 1])
{
    uint64_t sum = 0;
    for (unsigned op = 0; op <= WW_DRAM_PRECHARGE; op++)
        sum += by_op[op];
    return sum;
}

void ww_dram_count(ww_dram_counters *counters, const ww_dram_tally *tally, const ww_dram_type *type)
{
    const uint64_t *commands = tally->commands;
    uint64_t burst_bytes = ww_dram_burst_bytes(type);
    counters->reads = begun(tally->begun[WW_DRAM_READ]);
    counters->writes = begun(tally->begun[WW_DRAM_WRITE]);
    counters->row_hits = begun_with(tally, WW_DRAM_READ) + begun_with(tally, WW_DRAM_WRITE);
    counters->row_misses = begun_with(tally, WW_DRAM_ACTIVATE);
    counters->row_conflicts = begun_with(tally, WW_DRAM_PRECHARGE);
    counters->activates = commands[WW_DRAM_ACTIVATE];
    counters->refreshes = commands[WW_DRAM_REFRESH] + commands[WW_DRAM_REFRESH_BANK];
    counters->read_bytes = commands[WW_DRAM_READ] * burst_bytes;
    counters->write_bytes = commands[WW_DRAM_WRITE] * burst_bytes;
    counters->bytes = counters->read_bytes + counters->write_bytes;
    counters->busy_cycles = (commands[WW_DRAM_READ] + commands[WW_DRAM_WRITE]) * type->timing.burst;
}

static double utilisation(const void *counters, const ww_config *config)
{
    const ww_dram_counters *c = counters;
    (void)config;
    return ww_ratio((double)c->busy_cycles, (double)c->cycles);
}

static double row_hit_rate(const void *counters, const ww_config *config)
{
    const ww_dram_counters *c = counters;
    (void)config;
    return ww_ratio((double)c->row_hits, (double)(c->reads + c->writes));
}

#define COUNTER(field, stat_name, stat_unit, stat_doc) \
    {.name = stat_name,                                \
     .unit = stat_unit,                                \
     .doc = stat_doc,                                  \
     .kind = WW_STAT_COUNTER,                          \
     .offset = offsetof(ww_dram_counters, field)},

static const ww_stat stats[] = {
    /* clang-format off */
    WW_DRAM_COUNTERS(COUNTER)
    /* clang-format on */
    {.name = "dram.utilisation",
     .unit = "",
     .doc = "share of time in which a channel's data bus was in use",
     .kind = WW_STAT_DERIVED,
     .derive = utilisation},
    {.name = "dram.row_hit_rate",
     .unit = "",
     .doc = "share of requests that found their row open",
     .kind = WW_STAT_DERIVED,
     .derive = row_hit_rate},
};

static const char *const found[] = {"dram.row_hits", "dram.row_misses", "dram.row_conflicts", NULL};
static const char *const served[] = {"dram.reads", "dram.writes", NULL};
static const char *const ways[] = {"dram.read_bytes", "dram.write_bytes", NULL};
static const char *const bytes[] = {"dram.bytes", NULL};
static const ww_law laws[] = {{found, served}, {ways, bytes}};

const ww_stat_table ww_dram_stats = {
    .name = "dram",
    .doc = "DRAM channels",
    .stats = stats,
    .count = sizeof(stats) / sizeof(stats[0]),
    .size = sizeof(ww_dram_counters),
    .laws = laws,
    .law_count = sizeof(laws) / sizeof(laws[0]),
};
