#include "core/core_stats.h"

#include "core/core.h"

#define FIELD(member) .kind = WW_STAT_COUNTER, .offset = offsetof(ww_cu_counters, member)
#define DERIVED(function) .kind = WW_STAT_DERIVED, .derive = (function)

static double ipc(const void *counters, const ww_config *config)
{
    const ww_cu_counters *c = counters;
    (void)config;
    return ww_ratio((double)c->instructions, (double)c->cycles);
}

static double occupancy(const void *counters, const ww_config *config)
{
    const ww_cu_counters *c = counters;
    double slots = (double)c->resident_cycles * (double)ww_config_u64(config, "core.wavefronts");
    return ww_ratio((double)c->warp_cycles, slots);
}

/* Of all compute units, those without a warp too. */
static double cu_cycles(const ww_cu_counters *c, const ww_config *config)
{
    return (double)c->cycles * (double)ww_config_u64(config, "gpu.compute_units");
}

static double warps_mean(const void *counters, const ww_config *config)
{
    const ww_cu_counters *c = counters;
    return ww_ratio((double)c->warp_cycles, cu_cycles(c, config));
}

static double free_mean(double size, uint64_t allocated, double cycles)
{
    return cycles > 0 ? size - (double)allocated / cycles : 0;
}

static double free_lds(const void *counters, const ww_config *config)
{
    const ww_cu_counters *c = counters;
    return free_mean((double)ww_config_bytes(config, "lds.size"), c->lds_cycles,
                     cu_cycles(c, config));
}

static double free_registers(const void *counters, const ww_config *config)
{
    const ww_cu_counters *c = counters;
    return free_mean((double)ww_config_u64(config, "core.registers"), c->register_cycles,
                     cu_cycles(c, config));
}

static double free_scalar_registers(const void *counters, const ww_config *config)
{
    const ww_cu_counters *c = counters;
    uint64_t size = ww_config_u64(config, "core.scalar_registers");
    return size ? free_mean((double)size, c->scalar_register_cycles, cu_cycles(c, config)) : 0;
}

/* `each`: units of the kind in a compute unit. */
static double utilisation(const ww_cu_counters *c, const ww_config *config, unsigned unit,
                          uint64_t each)
{
    return ww_ratio((double)c->unit_busy[unit], (double)each * cu_cycles(c, config));
}

#define UTILISATION(id, name, each)                                                 \
    static double name##_utilisation(const void *counters, const ww_config *config) \
    {                                                                               \
        return utilisation(counters, config, id, each);                             \
    }

UTILISATION(WW_UNIT_SIMD, simd, ww_config_u64(config, "core.schedulers"))
UTILISATION(WW_UNIT_SFU, sfu, ww_config_u64(config, "core.schedulers"))
UTILISATION(WW_UNIT_FP64, fp64, ww_config_u64(config, "core.schedulers"))
UTILISATION(WW_UNIT_SCALAR, scalar, 1)
UTILISATION(WW_UNIT_BRANCH, branch, 1)
UTILISATION(WW_UNIT_LDS, lds, 1)
UTILISATION(WW_UNIT_MEMORY, memory, 1)

static double walks_per_kcycle(const void *counters, const ww_config *config)
{
    const ww_cu_counters *c = counters;
    (void)config;
    return ww_ratio(1000 * (double)c->walks, (double)c->cycles);
}

static double stall_cycles(const void *counters, const ww_config *config)
{
    const ww_cu_counters *c = counters;
    (void)config;
    return (double)(c->resident_cycles - c->issue_cycles);
}

static double lines_per_instruction(const void *counters, const ww_config *config)
{
    const ww_cu_counters *c = counters;
    (void)config;
    return ww_ratio((double)c->lines, (double)c->memory_instructions);
}

static double load_latency(const void *counters, const ww_config *config)
{
    const ww_cu_counters *c = counters;
    (void)config;
    return ww_ratio((double)c->load_latency, (double)c->loads);
}

static double translation_share(const void *counters, const ww_config *config)
{
    const ww_cu_counters *c = counters;
    (void)config;
    return ww_ratio((double)c->stages[WW_STAGE_TRANSLATE], (double)c->request_ticks);
}

static double translations_per_kcycle(const void *counters, const ww_config *config)
{
    const ww_cu_counters *c = counters;
    (void)config;
    return ww_ratio(1000 * (double)c->translations, (double)c->cycles);
}

#define REASON(id, statistic, text)  \
    {.name = "core.warp_" statistic, \
     .unit = "cycles",               \
     .doc = "warps' cycles: " text,  \
     FIELD(reasons[WW_REASON_##id])},

#define UNIT(id, name_of)                                                                      \
    {.name = "unit." #name_of "_issues",                                                       \
     .unit = "instructions",                                                                   \
     .doc = "instructions issued to " #name_of " units",                                       \
     FIELD(unit_issues[id])},                                                                  \
        {.name = "unit." #name_of "_busy",                                                     \
         .unit = "cycles",                                                                     \
         .doc = "cycles in which " #name_of " units accepted no other one",                    \
         FIELD(unit_busy[id])},                                                                \
        {.name = "unit." #name_of "_utilisation",                                              \
         .unit = "",                                                                           \
         .doc = "share of those in the cycles of all " #name_of " units, from launch to end, " \
                "compute units without work included",                                         \
         DERIVED(name_of##_utilisation)},                                                      \
        {.name = "unit." #name_of "_lanes",                                                    \
         .unit = "lanes",                                                                      \
         .doc = "active lanes of instructions issued to " #name_of " units",                   \
         FIELD(unit_lanes[id])},

#define STAGE(id, statistic, text)  \
    {.name = "latency." statistic,  \
     .unit = "ticks",               \
     .doc = "data requests: " text, \
     FIELD(stages[WW_STAGE_##id])},

#define CAUSE(id, statistic, text)       \
    {.name = "blame." statistic,         \
     .unit = "ticks",                    \
     .doc = "data requests wait: " text, \
     FIELD(blame[WW_CAUSE_##id])},

#define WARP_CAUSE(id, statistic, text)      \
    {.name = "core.blame_" statistic,        \
     .unit = "cycles",                       \
     .doc = "warps' cycles, finally: " text, \
     FIELD(warp_blame[WW_CAUSE_##id])},

static const ww_stat stats[] = {
    {.name = "core.cycles",
     .unit = "cycles",
     .doc = "of the core clock, in launches",
     FIELD(cycles)},
    {.name = "core.instructions",
     .unit = "instructions",
     .doc = "warp instructions issued",
     FIELD(instructions)},
    {.name = "core.ipc",
     .unit = "",
     .doc = "warp instructions in a cycle, all compute units",
     DERIVED(ipc)},
    {.name = "core.first_wave_cycles",
     .unit = "cycles",
     .doc = "of core.cycles, those until a launch's first wave of groups had ended",
     FIELD(first_wave_cycles)},
    {.name = "core.groups", .unit = "groups", .doc = "work-groups dispatched", FIELD(groups)},
    {.name = "core.warps", .unit = "warps", .doc = "warps dispatched", FIELD(warps)},
    {.name = "core.resident_cycles",
     .unit = "cycles",
     .doc = "cycles of compute units that had a warp",
     FIELD(resident_cycles)},
    {.name = "core.issue_cycles",
     .unit = "cycles",
     .doc = "of those, cycles in which an instruction was issued",
     FIELD(issue_cycles)},
    {.name = "core.stall_cycles",
     .unit = "cycles",
     .doc = "of those, cycles in which none was",
     DERIVED(stall_cycles)},
    {.name = "core.occupancy",
     .unit = "",
     .doc = "share of warp slots in use, over cycles in which a compute unit had a warp",
     DERIVED(occupancy)},
    {.name = "core.warp_cycles",
     .unit = "cycles",
     .doc = "warps in slots, summed over those cycles",
     FIELD(warp_cycles)},
    {.name = "core.warps_mean",
     .unit = "warps",
     .doc = "in a compute unit, over all cycles and compute units, also those without work",
     DERIVED(warps_mean)},
    {.name = "core.lds_cycles",
     .unit = "byte cycles",
     .doc = "bytes of local memory that groups occupied, over cycles",
     FIELD(lds_cycles)},
    {.name = "core.lds_free_mean",
     .unit = "bytes",
     .doc = "of a compute unit's local memory without a group, over all cycles and compute units",
     DERIVED(free_lds)},
    {.name = "core.register_cycles",
     .unit = "register cycles",
     .doc = "registers that groups occupied, over cycles",
     FIELD(register_cycles)},
    {.name = "core.registers_free_mean",
     .unit = "registers",
     .doc = "of a compute unit without a group, likewise",
     DERIVED(free_registers)},
    {.name = "core.scalar_register_cycles",
     .unit = "register cycles",
     .doc = "scalar registers that groups occupied, over cycles",
     FIELD(scalar_register_cycles)},
    {.name = "core.scalar_registers_free_mean",
     .unit = "registers",
     .doc = "scalar registers of a compute unit without a group, likewise",
     DERIVED(free_scalar_registers)},
    {.name = "core.imbalance",
     .unit = "",
     .doc = "standard deviation over mean of the instructions of compute units that had a group",
     .kind = WW_STAT_GAUGE,
     .is_level = true,
     .offset = offsetof(ww_cu_counters, imbalance)},
    {.name = "core.warp_lifetime",
     .unit = "cycles",
     .doc = "cycles of all warps from dispatch to end",
     FIELD(lifetime)},
    /* clang-format off */
    WW_REASONS(REASON)
    /* clang-format on */
    {.name = "core.load_hazard",
     .unit = "cycles",
     .doc = "of core.warp_data_hazard: an operand comes from a load that hit in the L1",
     FIELD(load_hazard)},
    {.name = "core.blame_units",
     .unit = "cycles",
     .doc = "warps' cycles of structural, mshr, data_cache and core.load_hazard by what they "
            "finally waited for: a unit other than the load/store unit",
     FIELD(warp_units)},
    /* clang-format off */
    WW_CAUSES(WARP_CAUSE)
    UNIT(WW_UNIT_SIMD, simd)
    UNIT(WW_UNIT_SFU, sfu)
    UNIT(WW_UNIT_FP64, fp64)
    UNIT(WW_UNIT_SCALAR, scalar)
    UNIT(WW_UNIT_BRANCH, branch)
    UNIT(WW_UNIT_LDS, lds)
    UNIT(WW_UNIT_MEMORY, memory)
    /* clang-format on */
    {.name = "unit.float_lanes",
     .unit = "lanes",
     .doc = "of unit.simd_lanes, those of floating-point instructions",
     FIELD(float_lanes)},
    {.name = "lds.conflict_cycles",
     .unit = "cycles",
     .doc = "latency added by bank conflicts",
     FIELD(lds_conflict_cycles)},
    {.name = "core.fetches",
     .unit = "requests",
     .doc = "lines of instructions that warps fetched",
     FIELD(fetches)},
    {.name = "core.l0i_hits",
     .unit = "requests",
     .doc = "of them, hits in a scheduler's own instruction cache",
     FIELD(l0_hits)},
    {.name = "core.memory_instructions",
     .unit = "instructions",
     .doc = "memory instructions that left the compute unit's registers and local memory",
     FIELD(memory_instructions)},
    {.name = "core.lines",
     .unit = "requests",
     .doc = "requests of these instructions, one for each line",
     FIELD(lines)},
    {.name = "core.lines_per_instruction",
     .unit = "",
     .doc = "requests for each memory instruction",
     DERIVED(lines_per_instruction)},
    {.name = "core.loads",
     .unit = "instructions",
     .doc = "loads and atomics whose values came",
     FIELD(loads)},
    {.name = "core.load_latency",
     .unit = "cycles",
     .doc = "from a load's issue to its last value, summed",
     FIELD(load_latency)},
    {.name = "core.load_latency_mean",
     .unit = "cycles",
     .doc = "from a load's issue to its last value",
     DERIVED(load_latency)},
    {.name = "latency.total",
     .unit = "ticks",
     .doc = "data requests: from the instruction's issue to the reply, summed",
     FIELD(request_ticks)},
    /* clang-format off */
    WW_STAGES(STAGE)
    WW_CAUSES(CAUSE)
    /* clang-format on */
    {.name = "translation.requests",
     .unit = "pages",
     .doc = "pages of memory instructions that were looked up in L1 TLBs",
     FIELD(translations)},
    {.name = "translation.latency_share",
     .unit = "",
     .doc =
         "share of the latency of data requests in which their instruction waited for translations",
     DERIVED(translation_share)},
    {.name = "translation.per_kcycle",
     .unit = "pages",
     .doc = "looked up in a thousand cycles",
     DERIVED(translations_per_kcycle)},
    {.name = "translation.walks",
     .unit = "walks",
     .doc = "page walks that were completed, by walkers and by compute units",
     FIELD(walks)},
    {.name = "walk.per_kcycle",
     .unit = "walks",
     .doc = "completed in a thousand cycles",
     DERIVED(walks_per_kcycle)},
};

#define REASON_NAME(id, statistic, text) "core.warp_" statistic,
#define STAGE_NAME(id, statistic, text) "latency." statistic,
static const char *const lifetime[] = {"core.warp_lifetime", NULL};
static const char *const reasons[] = {WW_REASONS(REASON_NAME) NULL};
static const char *const total[] = {"latency.total", NULL};
static const char *const stages[] = {WW_STAGES(STAGE_NAME) NULL};
#define CAUSE_NAME(id, statistic, text) "blame." statistic,
#define WARP_CAUSE_NAME(id, statistic, text) "core.blame_" statistic,
static const char *const causes[] = {WW_CAUSES(CAUSE_NAME) NULL};
static const char *const warp_causes[] = {"core.blame_units", WW_CAUSES(WARP_CAUSE_NAME) NULL};
static const char *const memory_reasons[] = {"core.warp_structural", "core.warp_mshr",
                                             "core.warp_data_cache", "core.load_hazard", NULL};
static const ww_law laws[] = {
    {reasons, lifetime}, {stages, total}, {causes, total}, {warp_causes, memory_reasons}};

const ww_stat_table ww_cu_stats = {
    .name = "core",
    .doc = "compute units",
    .stats = stats,
    .count = sizeof(stats) / sizeof(stats[0]),
    .size = sizeof(ww_cu_counters),
    .laws = laws,
    .law_count = sizeof(laws) / sizeof(laws[0]),
};
