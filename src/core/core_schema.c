#include "core/core_schema.h"

#include <inttypes.h>

#define NUMBER(name, words, least, most, value, text)                                      \
    {                                                                                      \
        .key = (name), .type = WW_KEY_U64, .unit = (words), .min = (least), .max = (most), \
        .initial = (value), .doc = (text)                                                  \
    }

#define UNIT(name, latency, interval, what)                                               \
    NUMBER("unit." name "_latency", "cycles", "1", "1000", latency,                       \
           "from the issue of " what " to that of an instruction that needs its result"), \
        NUMBER("unit." name "_interval", "cycles", "1", "1000", interval,                 \
               "from the issue of " what " to that of the next one on the same unit")

static const char *const releases[] = {"group", "warp", NULL};
static const char *const ends[] = {"issued", "done", NULL};
static const char *const arbitrations[] = {"rotating", "fixed", "policy", NULL};
static const char *const memory_returns[] = {"any", "in_order", NULL};
static const char *const data_accesses[] = {"all_pages", "own_page", NULL};
static const char *const arguments[] = {"registers", "scalar", NULL};

#define CHOICE(name, of, value, text)                                                            \
    {                                                                                            \
        .key = (name), .type = WW_KEY_CHOICE, .choices = (of), .initial = (value), .doc = (text) \
    }

#define IDLE_WITHOUT_TRANSLATION .idle_key = "translation", .idle_value = "ideal"

static const ww_key keys[] = {
    {.key = "checked",
     .type = WW_KEY_BOOL,
     .initial = "false",
     .host_only = true,
     .doc = "whether every access is compared with what it must be; a difference ends the run"},
    NUMBER("gpu.compute_units", "compute units", "1", "512", "8", "compute units (CUs, SMs)"),
    {.key = "gpu.clock",
     .type = WW_KEY_FREQUENCY,
     .min = "1MHz",
     .max = "20GHz",
     .initial = "1GHz",
     .doc = "core clock: `cycles` are counted in it"},
    NUMBER("gpu.dispatch_interval", "cycles", "1", "100000", "1",
           "from the dispatch of one work-group to that of the next"),
    NUMBER("gpu.dispatch_warps", "warps", "1", "64", "64",
           "warps of a work-group that this covers; each further one takes a cycle"),
    NUMBER("gpu.dispatch_jitter", "cycles", "0", "100000", "0",
           "up to so many cycles are added to that, by the seed: groups do not start in step"),
    NUMBER("gpu.launch_latency", "cycles", "0", "1000000000", "0",
           "from a launch to the dispatch of its first work-group"),
    NUMBER("core.wavefronts", "warps", "1", "64", "40", "warps that a compute unit holds"),
    NUMBER("core.groups", "groups", "1", "64", "16", "work-groups that a compute unit holds"),
    CHOICE("core.slot_release", releases, "group",
           "when the slot of a warp that has ended is free for another group: with the last warp "
           "of its group, or at once (Xiang, Yang and Zhou, HPCA 2014)"),
    CHOICE(
        "core.warp_end", ends, "issued",
        "when a warp ends: with its last instruction, or when its loads and stores are done, too "
        "(MGPUSim: S_ENDPGM waits for them)"),
    NUMBER("core.schedulers", "schedulers", "1", "8", "4",
           "warp schedulers of a compute unit; each has every n-th warp"),
    NUMBER("core.issue_period", "cycles", "1", "64", "1",
           "a scheduler issues every so many cycles (GCN: 4, one SIMD after the other)"),
    NUMBER("core.issue_width", "instructions", "1", "7", "1",
           "instructions of different warps, for different units, that it then issues (GCN: 5)"),
    CHOICE("core.arbitration", arbitrations, "rotating",
           "which scheduler is served first in a cycle where several want one unit: each as often "
           "as the others, always the one with the lowest number (GPGPU-Sim 3.x), or the one "
           "whose warp the policy has first in a pool of all schedulers' warps (caws_*; else the "
           "lowest number)"),
    {.key = "core.scheduler",
     .type = WW_KEY_POLICY,
     .family = &ww_scheduler_family,
     .initial = "rr",
     .doc = "which ready warp issues"},
    {.key = "core.criticality",
     .type = WW_KEY_POLICY,
     .family = &ww_criticality_family,
     .initial = "none",
     .doc = "how critical warps are, for schedulers and caches that ask"},
    {.key = "core.inversion",
     .type = WW_KEY_BOOL,
     .initial = "false",
     .doc = "whether groups are compared with a first pass under rr (core.group_inverted, and the "
            "lists waves and warps of a result), where no policy needs a first pass"},
    NUMBER("core.registers", "registers", "1", "16777216", "65536",
           "vector registers of 32 bits in a compute unit, all lanes counted"),
    NUMBER(
        "core.scalar_registers", "registers", "0", "16777216", "0",
        "scalar registers of 32 bits in a compute unit; 0: uniform values take vector registers"),
    {.key = "core.scalar_unit",
     .type = WW_KEY_BOOL,
     .initial = "false",
     .doc = "whether what is the same in all lanes executes on a scalar unit"},
    {.key = "core.arguments",
     .type = WW_KEY_CHOICE,
     .choices = arguments,
     .initial = "registers",
     .doc = "where a warp finds the kernel's arguments: in registers when it starts, or in memory, "
            "from where it loads them through the scalar cache, as AMD's do",
     .idle_key = "core.scalar_unit",
     .idle_value = "false"},
    NUMBER("core.instruction_bytes", "bytes", "1", "64", "8", "size of an instruction"),
    NUMBER("core.instruction_buffer", "instructions", "2", "1024", "16",
           "instructions that a warp's buffer holds"),
    {.key = "l0i.size",
     .type = WW_KEY_BYTES,
     .min = "0",
     .max = "16MiB",
     .initial = "0",
     .doc = "a scheduler's own instruction cache, before the L1; direct mapped; 0: none"},
    NUMBER("l0i.latency", "cycles", "1", "63", "1",
           "from a fetch that hits there to the warp's buffer"),
    NUMBER("core.memory_queue", "instructions", "1", "4096", "16",
           "memory instructions in the load/store unit that are not sent completely"),
    {.key = "core.address_queue",
     .type = WW_KEY_U64,
     .unit = "instructions",
     .min = "1",
     .max = "4096",
     .initial = "4096",
     .doc = "of these, instructions with pages still to be looked up in the TLB; others wait to "
            "be issued",
     IDLE_WITHOUT_TRANSLATION},
    CHOICE("core.memory_return", memory_returns, "any",
           "in which order vector memory instructions of a compute unit complete: as their last "
           "replies come, or as they were issued"),
    {.key = "core.reorder",
     .type = WW_KEY_U64,
     .unit = "lines",
     .min = "0",
     .max = "4096",
     .initial = "0",
     .doc = "lines of vector memory instructions from the lookup of their page until they and all "
            "older ones are answered: entries of a reorder buffer; 0: no limit",
     .idle_key = "core.memory_return",
     .idle_value = "any"},
    {.key = "core.data_access",
     .type = WW_KEY_CHOICE,
     .choices = data_accesses,
     .initial = "all_pages",
     .doc = "when the data accesses of a memory instruction start: when all of its pages are "
            "translated, or each when its own page is",
     IDLE_WITHOUT_TRANSLATION},
    UNIT("simd", "4", "1", "a vector instruction"),
    UNIT("sfu", "16", "4", "a special function"),
    UNIT("fp64", "8", "2", "a double-precision instruction"),
    UNIT("scalar", "4", "1", "a scalar instruction"),
    UNIT("branch", "4", "1", "a branch or a barrier"),
    UNIT("lds", "24", "1", "an access to local memory without conflicts"),
    NUMBER("unit.memory_interval", "cycles", "1", "1000", "1",
           "from the issue of a memory instruction to that of the next one"),
    {.key = "lds.size",
     .type = WW_KEY_BYTES,
     .min = "0",
     .max = "1GiB",
     .initial = "64KiB",
     .doc = "local data share (OpenCL's local, CUDA's shared memory) of a compute unit"},
    NUMBER("lds.banks", "banks", "1", "64", "32", "banks of the local data share"),
    NUMBER("lds.bank_width", "bytes", "1", "64", "4", "bytes that a bank delivers in a cycle"),
    NUMBER("lds.conflict", "cycles", "0", "1000", "1",
           "additional latency for each further access to the same bank"),
    NUMBER("l1d.requests_per_cycle", "requests", "1", "64", "1",
           "lines that the load/store unit requests from the L1 in a cycle"),
};

static int need_power(const ww_config *config, const char *key, ww_errors *errors)
{
    uint64_t value = ww_config_u64(config, key);
    if ((value & (value - 1)) == 0)
        return WW_OK;
    return ww_fail(errors, WW_BAD_INPUT, ww_config_location(config, key, NULL),
                   "%s is %" PRIu64 " (a power of two is needed)", key, value);
}

static int check_criticality(const ww_config *config, ww_errors *errors)
{
    const ww_policy *scheduler = ww_config_policy(config, "core.scheduler");
    const ww_policy *criticality = ww_config_policy(config, "core.criticality");
    if (!((const ww_scheduler *)(const void *)scheduler)->needs_criticality ||
        ((const ww_criticality *)(const void *)criticality)->warp_started)
        return WW_OK;
    return ww_fail(errors, WW_BAD_INPUT,
                   ww_config_location(config, "core.scheduler", "core.criticality", NULL),
                   "core.scheduler is %s, and core.criticality is %s (a policy that predicts: cpl)",
                   scheduler->name, criticality->name);
}

static int check(const ww_config *config, ww_errors *errors)
{
    uint64_t wavefronts = ww_config_u64(config, "core.wavefronts");
    uint64_t schedulers = ww_config_u64(config, "core.schedulers");
    uint64_t instruction = ww_config_u64(config, "core.instruction_bytes");
    uint64_t line = ww_config_bytes(config, "l1d.line");
    int status = need_power(config, "lds.banks", errors);
    status |= need_power(config, "lds.bank_width", errors);
    status |= need_power(config, "core.instruction_bytes", errors);
    if (wavefronts < schedulers)
        status |= ww_fail(errors, WW_BAD_INPUT,
                          ww_config_location(config, "core.wavefronts", "core.schedulers", NULL),
                          "core.wavefronts is %" PRIu64
                          " (at least one for each of core.schedulers, %" PRIu64 ")",
                          wavefronts, schedulers);
    if (ww_config_bytes(config, "l0i.size") % line)
        status |=
            ww_fail(errors, WW_BAD_INPUT, ww_config_location(config, "l0i.size", "l1d.line", NULL),
                    "l0i.size is %" PRIu64 " (a multiple of l1d.line, %" PRIu64 ")",
                    ww_config_bytes(config, "l0i.size"), line);
    status |= check_criticality(config, errors);
    if (instruction > line)
        status |= ww_fail(errors, WW_BAD_INPUT,
                          ww_config_location(config, "core.instruction_bytes", "l1d.line", NULL),
                          "core.instruction_bytes is %" PRIu64 " (at most l1d.line, %" PRIu64 ")",
                          instruction, line);
    return status;
}

const ww_schema ww_cu_schema = {
    .name = "core",
    .doc = "compute units",
    .keys = keys,
    .count = sizeof(keys) / sizeof(keys[0]),
    .check = check,
};

static unsigned number(const ww_config *config, const char *key)
{
    return (unsigned)ww_config_u64(config, key);
}

static void configure_units(const ww_config *config, ww_unit_timing *units)
{
    static const struct {
        ww_unit unit;
        const char *latency, *interval;
    } names[] = {
        {WW_UNIT_SIMD, "unit.simd_latency", "unit.simd_interval"},
        {WW_UNIT_SFU, "unit.sfu_latency", "unit.sfu_interval"},
        {WW_UNIT_FP64, "unit.fp64_latency", "unit.fp64_interval"},
        {WW_UNIT_SCALAR, "unit.scalar_latency", "unit.scalar_interval"},
        {WW_UNIT_BRANCH, "unit.branch_latency", "unit.branch_interval"},
        {WW_UNIT_LDS, "unit.lds_latency", "unit.lds_interval"},
    };
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        units[names[i].unit] =
            (ww_unit_timing){number(config, names[i].latency), number(config, names[i].interval)};
    units[WW_UNIT_MEMORY].interval = number(config, "unit.memory_interval");
}

void ww_cu_configure(const ww_config *config, ww_cu_config *cu)
{
    *cu = (ww_cu_config){
        .width = number(config, "core.warp_width"),
        .slots = number(config, "core.wavefronts"),
        .schedulers = number(config, "core.schedulers"),
        .issue_period = number(config, "core.issue_period"),
        .issue_width = number(config, "core.issue_width"),
        .groups = number(config, "core.groups"),
        .registers = ww_config_u64(config, "core.registers"),
        .scalar_registers = ww_config_u64(config, "core.scalar_registers"),
        .scalar_unit = ww_config_bool(config, "core.scalar_unit"),
        .lds_bytes = ww_config_bytes(config, "lds.size"),
        .lds_banks = number(config, "lds.banks"),
        .lds_bank_bytes = number(config, "lds.bank_width"),
        .lds_conflict = number(config, "lds.conflict"),
        .instruction_bytes = number(config, "core.instruction_bytes"),
        .instruction_buffer = number(config, "core.instruction_buffer"),
        .l0_lines =
            (unsigned)(ww_config_bytes(config, "l0i.size") / ww_config_bytes(config, "l1d.line")),
        .l0_latency = number(config, "l0i.latency"),
        .memory_queue = number(config, "core.memory_queue"),
        .address_queue = number(config, "core.address_queue"),
        .end_waits = ww_config_choice(config, "core.warp_end") == 1,
        .holds_slots = ww_config_choice(config, "core.slot_release") == 0,
        .rotates = ww_config_choice(config, "core.arbitration") == 0,
        .one_pool = ww_config_choice(config, "core.arbitration") == 2,
        .in_order = ww_config_choice(config, "core.memory_return") == 1,
        .reorder = number(config, "core.reorder"),
        .own_page = ww_config_choice(config, "core.data_access") == 1,
        .blame_every = number(config, "host.blame_every"),
        .run_ahead = ww_config_bool(config, "host.run_ahead"),
        .compute_ahead = ww_config_bool(config, "host.compute_ahead"),
        .requests_per_cycle = number(config, "l1d.requests_per_cycle"),
        .scheduler = (const ww_scheduler *)(const void *)ww_config_policy(config, "core.scheduler"),
        .criticality =
            (const ww_criticality *)(const void *)ww_config_policy(config, "core.criticality"),
    };
    configure_units(config, cu->units);
}
