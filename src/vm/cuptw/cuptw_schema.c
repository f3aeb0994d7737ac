#include "vm/cuptw/cuptw_schema.h"

#include "vm/vm_schema.h"

#include <inttypes.h>

enum { MODE_NONE, MODE_BASE, MODE_SW, MODE_MT, MODE_FULL, MODE_SOFTWALKER };

static const char *const modes[] = {"none", "base", "sw", "mt", "full", "softwalker", NULL};
static const char *const forms[] = {"amd", "nvidia", NULL};
static const char *const forwards[] = {"full", "walkers", NULL};
static const char *const waits[] = {"compute_unit", "l2_tlb", NULL};
static const char *const answers[] = {"together", "each", NULL};

#define NUMBER(name, words, least, most, value, text)                                      \
    {                                                                                      \
        .key = (name), .type = WW_KEY_U64, .unit = (words), .min = (least), .max = (most), \
        .initial = (value), .doc = (text)                                                  \
    }

#define CHOICE(name, of, value, text)                                                            \
    {                                                                                            \
        .key = (name), .type = WW_KEY_CHOICE, .choices = (of), .initial = (value), .doc = (text) \
    }

/* Keys that only some modes use, and those of the walk cache only with local memory. */
#define THREADS_NUMBER(name, words, least, most, value, text)                              \
    {                                                                                      \
        .key = (name), .type = WW_KEY_U64, .unit = (words), .min = (least), .max = (most), \
        .initial = (value), .idle_now = without_threads, .doc = (text)                     \
    }
#define BANKS(name, value, unused, text)                                                   \
    {                                                                                      \
        .key = (name), .type = WW_KEY_U64, .unit = "banks", .min = "3", .max = "64",       \
        .initial = (value), .idle_key = "lds.size", .idle_value = "0", .idle_now = unused, \
        .doc = (text)                                                                      \
    }
/* Of wavefronts with several threads. */
#define WITH_THREADS .idle_key = "cuptw.threads", .idle_value = "1", .idle_now = without_threads

static unsigned mode_of(const ww_config *config)
{
    return (unsigned)ww_config_choice(config, "cuptw.mode");
}

static bool has_threads(unsigned mode)
{
    return mode == MODE_MT || mode == MODE_FULL;
}

static bool has_cache(unsigned mode)
{
    return mode == MODE_SW || mode == MODE_FULL;
}

static const char *without_threads(const ww_config *config)
{
    return has_threads(mode_of(config)) ? NULL : "cuptw.mode";
}

static const char *without_cache(const ww_config *config)
{
    return has_cache(mode_of(config)) ? NULL : "cuptw.mode";
}

/* Level 2 of pages of 2 MiB is the leaf, which is not cached. */
static bool caches_level_2(const ww_config *config)
{
    return ww_vm_page_bytes(config) < 1ull << ww_level_shift(2);
}

static const char *without_level_2(const ww_config *config)
{
    return caches_level_2(config) ? without_cache(config) : "page_size";
}

static uint64_t miss_registers(const ww_config *config)
{
    return ww_config_u64(config, "l2_tlb.mshrs") + ww_config_u64(config, "l2_tlb.lent_mshrs");
}

/* With a walker for each miss register, no more registers are in use than there are walkers. */
static const char *without_waiting(const ww_config *config)
{
    bool enough = ww_config_u64(config, "walk.walkers") >= miss_registers(config);
    return enough ? "walk.walkers" : NULL;
}

static const ww_key mode_keys[] = {
    CHOICE(
        "cuptw.mode", modes, "none",
        "page walks that compute units make: none; in idle cycles one at a time in a wavefront "
        "(base); with a walk cache in idle local memory (sw); several threads in a wavefront (mt); "
        "both (full); all of them in a walk warp of each compute unit (softwalker)"),
};

static const ww_key detail_keys[] = {
    CHOICE(
        "cuptw.form", forms, "amd",
        "what executes stages: scalar and branch unit and the scalar cache, or integer units and "
        "the L1 data cache; then the L2 TLB alone keeps the answers"),
    THREADS_NUMBER("cuptw.threads", "threads", "1", "64", "16",
                   "walks of a translation wavefront, with modes mt and full"),
    {.key = "cuptw.timeout",
     .type = WW_KEY_U64,
     .unit = "cycles",
     .min = "1",
     .max = "1000000",
     .initial = "128",
     WITH_THREADS,
     .doc = "from the first thread of a wavefront to when it issues although it is not full"},
    {.key = "cuptw.forward",
     .type = WW_KEY_CHOICE,
     .choices = forwards,
     .initial = "full",
     .idle_now = without_waiting,
     .doc = "when the L2 TLB forwards a miss: no miss register is free, or more of them are in use "
            "than there are walkers"},
    CHOICE("cuptw.wait", waits, "compute_unit",
           "where a miss waits for a free thread: at its compute unit, or in the L2 TLB's queue"),
    {.key = "cuptw.answers",
     .type = WW_KEY_CHOICE,
     .choices = answers,
     .initial = "together",
     WITH_THREADS,
     .doc = "when a thread of a wavefront answers: with the others, or when its own walk ends"},
    NUMBER("cuptw.register_words", "registers", "1", "2", "2",
           "of 32 bits, that each of a thread's two registers takes; assumed: an address has 64"),
    BANKS("cuptw.banks_2", "24", without_level_2,
          "of local memory, for entries of level 2 in the walk cache; assumed: most entries are"),
    BANKS("cuptw.banks_3", "3", without_cache, "likewise of level 3"),
    BANKS("cuptw.banks_4", "3", without_cache, "likewise of level 4, the root"),
};

static const ww_key softwalker_keys[] = {
    NUMBER("softwalker.threads", "threads", "1", "64", "32",
           "walks of a walk warp, and requests in its local memory"),
    NUMBER("softwalker.latency", "cycles", "1", "10000", "80",
           "of the way from the last TLB to a compute unit, and of the way back; the paper's is "
           "that of its L2 TLB"),
    NUMBER("softwalker.requests", "requests", "1", "1024", "1",
           "that leave for compute units in a cycle; assumed: one"),
    NUMBER("softwalker.decode", "instructions", "1", "255", "6",
           "of integers, before a walk warp's first level; assumed: with those of offset and check "
           "and four others its program has 22 of about 26, without its exceptions"),
    NUMBER("softwalker.offset", "instructions", "1", "255", "4",
           "of integers, for the address of an entry; assumed: shift, mask, scale, add"),
    NUMBER("softwalker.check", "instructions", "1", "255", "8",
           "of integers, after an entry is read; assumed: test of the entry and of the level"),
    NUMBER("softwalker.registers", "registers", "1", "256", "16", "of a thread of a walk warp"),
    {.key = "softwalker.hybrid",
     .type = WW_KEY_BOOL,
     .initial = "false",
     .doc = "whether idle walkers take walks before walk warps do; else they take none"},
};

bool ww_cuptw_is_on(const ww_config *config)
{
    return !ww_vm_is_ideal(config) && mode_of(config) != MODE_NONE;
}

bool ww_cuptw_is_softwalker(const ww_config *config)
{
    return !ww_vm_is_ideal(config) && mode_of(config) == MODE_SOFTWALKER;
}

bool ww_cuptw_is_nvidia(const ww_config *config)
{
    return ww_cuptw_is_softwalker(config) || ww_config_choice(config, "cuptw.form") == 1;
}

uint32_t ww_cuptw_threshold(const ww_config *config)
{
    uint64_t mshrs = miss_registers(config);
    uint64_t walkers = ww_config_u64(config, "walk.walkers");
    bool early = ww_config_choice(config, "cuptw.forward") == 1 && walkers < mshrs;
    return (uint32_t)(early ? walkers + 1 : mshrs);
}

/* ---- configuration ---- */

static uint32_t number(const ww_config *config, const char *key)
{
    return (uint32_t)ww_config_u64(config, key);
}

/* A wavefront goes on when its update of local memory is complete (section 6.1). A check has no
 * fetch behind it, so that it takes an instruction's latency, not a branch's. In NVIDIA's form
 * integers are computed and compared in the vector units, and entries are read by the memory
 * unit. */
static void configure_stages(const ww_config *config, ww_stage_timing *stages)
{
    bool nvidia = ww_cuptw_is_nvidia(config);
    uint32_t lds = number(config, "unit.lds_interval"),
             memory = number(config, "unit.memory_interval");
    ww_stage_timing integer = {number(config, "unit.simd_latency"),
                               number(config, "unit.simd_interval"), WW_WALK_SIMD, 1};
    ww_stage_timing branch = {number(config, "unit.scalar_latency"),
                              number(config, "unit.branch_interval"), WW_WALK_BRANCH, 1};
    ww_stage_timing scalar_read = {0, number(config, "unit.scalar_interval"), WW_WALK_SCALAR, 1};
    stages[WW_WAVEFRONT_LOOKUP] = stages[WW_WAVEFRONT_UPDATE] =
        (ww_stage_timing){number(config, "unit.lds_latency"), lds, WW_WALK_LDS, 1};
    stages[WW_WAVEFRONT_OFFSET] = integer;
    stages[WW_WAVEFRONT_MEMORY] = nvidia ? (ww_stage_timing){0, 1, WW_WALK_MEMORY, 1} : scalar_read;
    stages[WW_WAVEFRONT_CHECK] = nvidia ? integer : branch;
    stages[WW_WAVEFRONT_DONE] = (ww_stage_timing){memory, memory, WW_WALK_MEMORY, 1};
}

/* In the words of the paper: FPWC is the update, FL2T the end, LDPT the read. */
static void configure_walk_warp(const ww_config *config, ww_cu_walker_config *w)
{
    ww_stage_timing *stages = w->stages;
    w->wavefronts = 1;
    w->threads = number(config, "softwalker.threads");
    w->timeout = 1;
    w->goes_first = w->coalesces = true;
    w->answer_latency = number(config, "softwalker.latency");
    stages[WW_WAVEFRONT_FETCH] = stages[WW_WAVEFRONT_LOOKUP];
    stages[WW_WAVEFRONT_DECODE] = stages[WW_WAVEFRONT_OFFSET];
    stages[WW_WAVEFRONT_UPDATE] = stages[WW_WAVEFRONT_DONE];
    stages[WW_WAVEFRONT_DECODE].instructions = number(config, "softwalker.decode");
    stages[WW_WAVEFRONT_OFFSET].instructions = number(config, "softwalker.offset");
    stages[WW_WAVEFRONT_CHECK].instructions = number(config, "softwalker.check");
}

uint64_t ww_cuptw_reserved_registers(const ww_config *config)
{
    if (!ww_cuptw_is_softwalker(config))
        return 0;
    return ww_config_u64(config, "softwalker.registers") * ww_config_u64(config, "core.warp_width");
}

uint64_t ww_cuptw_reserved_lds(const ww_config *config)
{
    if (!ww_cuptw_is_softwalker(config))
        return 0;
    return ww_config_u64(config, "softwalker.threads") * WW_WALK_REQUEST_BYTES;
}

void ww_distributor_configure(const ww_config *config, ww_distributor_config *d)
{
    bool caches = ww_config_choice(config, "walk.cache") != WW_WALK_CACHE_NONE;
    *d = (ww_distributor_config){
        .slots = number(config, "softwalker.threads"),
        .requests = number(config, "softwalker.requests"),
        .latency = number(config, "softwalker.latency"),
        .look_up = caches ? number(config, "walk.cache_latency") : 0,
        .hybrid = ww_config_bool(config, "softwalker.hybrid"),
        .page_shift = (unsigned)__builtin_ctzll(ww_vm_page_bytes(config)),
    };
}

/* Two registers a thread: scalar ones for a wavefront of one, if there are any; else rows
 * of all lanes. */
static ww_wavefront_registers registers_of(const ww_config *config, bool threads)
{
    uint64_t words = 2 * ww_config_u64(config, "cuptw.register_words");
    if (threads || ww_cuptw_is_nvidia(config) || !ww_config_u64(config, "core.scalar_registers"))
        return (ww_wavefront_registers){.vector = words * ww_config_u64(config, "core.warp_width")};
    return (ww_wavefront_registers){.scalar = words};
}

void ww_cuptw_configure(const ww_config *config, ww_cu_walker_config *w)
{
    unsigned mode = mode_of(config);
    bool threads = has_threads(mode);
    unsigned page_shift = (unsigned)__builtin_ctzll(ww_vm_page_bytes(config));
    *w = (ww_cu_walker_config){
        .wavefronts = number(config, "core.schedulers"),
        .threads = threads ? number(config, "cuptw.threads") : 1,
        .timeout = number(config, "cuptw.timeout"),
        .nvidia = ww_cuptw_is_nvidia(config),
        .answers_each = ww_config_choice(config, "cuptw.answers") == 1,
        .waits_outside = ww_config_choice(config, "cuptw.wait") == 1,
        .caches = has_cache(mode),
        .registers = registers_of(config, threads),
        .conflict = number(config, "lds.conflict"),
        .cache = {.banks = number(config, "lds.banks"),
                  .group = {0, 0, number(config, "cuptw.banks_2"), number(config, "cuptw.banks_3"),
                            number(config, "cuptw.banks_4")},
                  .leaf_level = page_shift < ww_level_shift(2) ? 1 : 2},
        .page_shift = page_shift,
        .line = (uint32_t)ww_config_bytes(config, "l1d.line"),
        .sector = (uint32_t)ww_config_bytes(config, "l1d.sector"),
    };
    configure_stages(config, w->stages);
    if (mode == MODE_SOFTWALKER)
        configure_walk_warp(config, w);
}

/* ---- checks ---- */

static int check_form(const ww_config *config, ww_errors *errors)
{
    if (ww_cuptw_is_nvidia(config) || ww_config_bool(config, "core.scalar_unit"))
        return WW_OK;
    return ww_fail(errors, WW_BAD_INPUT,
                   ww_config_location(config, "cuptw.form", "cuptw.mode", NULL),
                   "cuptw.form is amd, and the machine has no scalar unit (cuptw.form=nvidia, or "
                   "core.scalar_unit=true)");
}

static int check_banks(const ww_config *config, ww_errors *errors)
{
    static const char *const keys[] = {"cuptw.banks_2", "cuptw.banks_3", "cuptw.banks_4"};
    uint64_t sum = 0, banks = ww_config_u64(config, "lds.banks");
    int status = WW_OK;
    for (unsigned i = caches_level_2(config) ? 0 : 1; i < 3; i++) {
        uint64_t value = ww_config_u64(config, keys[i]);
        sum += value;
        if (value % WW_BLOCK_BANKS)
            status |=
                ww_fail(errors, WW_BAD_INPUT, ww_config_location(config, keys[i], NULL),
                        "%s is %" PRIu64 " (a multiple of 3: a block has 3 banks)", keys[i], value);
    }
    if (sum > banks)
        status |= ww_fail(errors, WW_BAD_INPUT,
                          ww_config_location(config, keys[0], keys[1], keys[2], "lds.banks", NULL),
                          "cuptw.banks_2, banks_3 and banks_4 are %" PRIu64
                          " together (at most lds.banks, %" PRIu64 ")",
                          sum, banks);
    return status;
}

static int check_threads(const ww_config *config, const char *key, ww_errors *errors)
{
    uint64_t threads = ww_config_u64(config, key), width = ww_config_u64(config, "core.warp_width");
    if (threads <= width)
        return WW_OK;
    return ww_fail(errors, WW_BAD_INPUT, ww_config_location(config, key, "core.warp_width", NULL),
                   "%s is %" PRIu64 " (at most core.warp_width, %" PRIu64 ")", key, threads, width);
}

static int check_reserved(const char *key, uint64_t reserved, uint64_t all, const char *fewer,
                          ww_where at, ww_errors *errors)
{
    if (reserved < all)
        return WW_OK;
    return ww_fail(errors, WW_BAD_INPUT, at,
                   "a walk warp takes %" PRIu64 " of %s, %" PRIu64
                   ", and leaves nothing to kernels (a larger %s, or fewer %s)",
                   reserved, key, all, key, fewer);
}

static int check_softwalker(const ww_config *config, ww_errors *errors)
{
    static const char threads[] = "softwalker.threads", registers[] = "softwalker.registers";
    if (!ww_cuptw_is_softwalker(config))
        return WW_OK;
    int status = check_threads(config, threads, errors);
    status |= check_reserved("core.registers", ww_cuptw_reserved_registers(config),
                             ww_config_u64(config, "core.registers"), registers,
                             ww_config_location(config, registers, "core.registers", NULL), errors);
    return status | check_reserved("lds.size", ww_cuptw_reserved_lds(config),
                                   ww_config_bytes(config, "lds.size"), threads,
                                   ww_config_location(config, threads, "lds.size", NULL), errors);
}

/* A machine file that sets the mode where translation is ideal has no walks. If a file that is
 * based on it or -s makes translation ideal, that one is for other runs. */
static int check_mode(const ww_config *config, ww_errors *errors)
{
    const ww_setting *mode = ww_config_find(config, "cuptw.mode");
    const ww_setting *translation = ww_config_find(config, "translation");
    if (mode_of(config) == MODE_NONE || !ww_vm_is_ideal(config) ||
        mode->origin != WW_FROM_MACHINE || translation->layer > mode->layer)
        return WW_OK;
    return ww_fail(errors, WW_BAD_INPUT, mode->at,
                   "cuptw.mode is %s, but translation is ideal (translation: full is needed)",
                   modes[mode_of(config)]);
}

static int check(const ww_config *config, ww_errors *errors)
{
    unsigned mode = mode_of(config);
    if (!ww_cuptw_is_on(config) || mode == MODE_SOFTWALKER)
        return WW_OK;
    int status = check_form(config, errors);
    if (has_cache(mode) && ww_config_bytes(config, "lds.size"))
        status |= check_banks(config, errors);
    if (has_threads(mode))
        status |= check_threads(config, "cuptw.threads", errors);
    return status;
}

const ww_schema ww_cuptw_schema = {.name = "cuptw",
                                   .doc = "page walks on compute units (cuPTW)",
                                   .keys = mode_keys,
                                   .count = sizeof(mode_keys) / sizeof(mode_keys[0]),
                                   .idle_key = "translation",
                                   .idle_value = "ideal",
                                   .check = check_mode};

const ww_schema ww_cuptw_detail_schema = {.name = "cuptw wavefronts",
                                          .doc = "translation wavefronts",
                                          .keys = detail_keys,
                                          .count = sizeof(detail_keys) / sizeof(detail_keys[0]),
                                          .idle_key = "cuptw.mode",
                                          .idle_value = "none",
                                          .other_idle_value = "softwalker",
                                          .check = check};

const ww_schema ww_softwalker_schema = {.name = "softwalker",
                                        .doc = "page walks in walk warps (SoftWalker)",
                                        .keys = softwalker_keys,
                                        .count =
                                            sizeof(softwalker_keys) / sizeof(softwalker_keys[0]),
                                        .idle_key = "cuptw.mode",
                                        .active_value = "softwalker",
                                        .check = check_softwalker};

/* ---- statistics ---- */

#define RATIO(name, over, under)                                      \
    static double name(const void *counters, const ww_config *config) \
    {                                                                 \
        const ww_cuptw_counters *c = counters;                        \
        (void)config;                                                 \
        return ww_ratio((double)(over), (double)(under));             \
    }

RATIO(latency_mean, c->latency, c->walks)
RATIO(waiting_mean, c->waiting, c->walks)
RATIO(walking_mean, c->latency - c->waiting, c->walks)
RATIO(active_threads, c->walks, c->wavefronts)
RATIO(hit_rate, c->pte_reads - c->pte_misses, c->pte_reads)
RATIO(cache_hit_rate, c->cache_lookups - c->cache_misses, c->cache_lookups)
RATIO(room_mean, c->room, c->launches)
RATIO(rows_mean, c->cache_rows, c->launches)

static double context_bytes(const void *counters, const ww_config *config)
{
    (void)counters;
    if (!ww_cuptw_is_on(config))
        return 0;
    double bits =
        ww_cuptw_is_softwalker(config)
            ? WW_WALK_WARP_CONTEXT_BITS
            : WW_WAVEFRONT_CONTEXT_BITS * (double)ww_config_u64(config, "core.schedulers");
    return bits / 8 * (double)ww_config_u64(config, "gpu.compute_units");
}

#define COUNTER(field, stat, stat_unit, stat_doc) \
    {.name = "cuptw." stat,                       \
     .unit = stat_unit,                           \
     .doc = stat_doc,                             \
     .kind = WW_STAT_COUNTER,                     \
     .offset = offsetof(ww_cuptw_counters, field)},

#define DERIVED(stat, stat_unit, function, stat_doc) \
    {.name = "cuptw." stat,                          \
     .unit = stat_unit,                              \
     .doc = stat_doc,                                \
     .kind = WW_STAT_DERIVED,                        \
     .derive = function},

/* clang-format off */
static const ww_stat stats[] = {
    WW_CUPTW_COUNTERS(COUNTER)
    DERIVED("latency_mean", "ticks", latency_mean, "of a walk, with the wait for a thread")
    DERIVED("waiting_mean", "ticks", waiting_mean, "of it, the wait for a thread")
    DERIVED("walking_mean", "ticks", walking_mean, "of it, from the set-up of its thread on")
    DERIVED("active_threads", "threads", active_threads, "of a wavefront")
    DERIVED("hit_rate", "", hit_rate, "of reads of entries, in the cache that they go through")
    DERIVED("cache_hit_rate", "", cache_hit_rate, "of lookups in the walk cache in local memory")
    DERIVED("room_mean", "wavefronts", room_mean,
            "that a launch leaves a compute unit registers for")
    DERIVED("cache_rows_mean", "rows", rows_mean, "of local memory that a launch leaves it")
    DERIVED("context_bytes", "bytes", context_bytes,
            "of state that the wavefronts' contexts would take in hardware")
};
/* clang-format on */

static const char *const reads[] = {"cuptw.pte_reads", NULL};
static const char *const levels[] = {"cuptw.pte_reads_level1", "cuptw.pte_reads_level2",
                                     "cuptw.pte_reads_level3", "cuptw.pte_reads_level4", NULL};
static const char *const lookups[] = {"cuptw.cache_lookups", NULL};
static const char *const hits[] = {"cuptw.cache_misses", "cuptw.cache_hits_level2",
                                   "cuptw.cache_hits_level3", "cuptw.cache_hits_level4", NULL};
static const ww_law laws[] = {{reads, levels}, {lookups, hits}};

const ww_stat_table ww_cuptw_stats = {
    .name = "cuptw",
    .doc = "page walks on compute units",
    .stats = stats,
    .count = sizeof(stats) / sizeof(stats[0]),
    .size = sizeof(ww_cuptw_counters),
    .laws = laws,
    .law_count = sizeof(laws) / sizeof(laws[0]),
};
