#include "vm/vm_schema.h"

#include "vm/cuptw/cuptw_schema.h"

#include <inttypes.h>
#include <string.h>

static const char *const translations[] = {"ideal", "full", NULL};
static const char *const page_sizes[] = {"4KiB", "64KiB", "2MiB", NULL};
static const uint64_t page_bytes[] = {4096, 65536, 2097152};
static const char *const allocations[] = {"eager", "first_touch", "first_walk", NULL};
static const char *const indices[] = {"low", "hash", NULL};
static const char *const orders[] = {"arrival", "oldest", NULL};
static const char *const arbiters[] = {"waiting", "rotating", NULL};
static const char *const caches[] = {"levels", "unified", "none", NULL};
static const char *const memories[] = {"dram", "l2", NULL};

#define IDLE_NUMBER(name, words, least, most, value, other, is, now, text)                 \
    {                                                                                      \
        .key = (name), .type = WW_KEY_U64, .unit = (words), .min = (least), .max = (most), \
        .initial = (value), .idle_key = (other), .idle_value = (is), .idle_now = (now),    \
        .doc = (text)                                                                      \
    }
#define NUMBER(name, words, least, most, value, text)                                      \
    {                                                                                      \
        .key = (name), .type = WW_KEY_U64, .unit = (words), .min = (least), .max = (most), \
        .initial = (value), .doc = (text)                                                  \
    }

#define CHOICE(name, of, value, text)                                                            \
    {                                                                                            \
        .key = (name), .type = WW_KEY_CHOICE, .choices = (of), .initial = (value), .doc = (text) \
    }

static const ww_key vm_keys[] = {
    CHOICE("translation", translations, "ideal",
           "whether TLBs and page walks take time, or every address is translated at once"),
    CHOICE("page_size", page_sizes, "4KiB", "size of a page"),
    {.key = "vm.memory",
     .type = WW_KEY_BYTES,
     .min = "16MiB",
     .max = "256TiB",
     .initial = "16GiB",
     .doc = "physical memory that pages and page tables are in"},
    {.key = "vm.frames",
     .type = WW_KEY_POLICY,
     .family = &ww_frame_order_family,
     .initial = "contiguous",
     .doc = "which frame of the memory a page gets"},
    {.key = "vm.allocate",
     .type = WW_KEY_CHOICE,
     .choices = allocations,
     .initial = "eager",
     .idle_key = "paging.mode",
     .idle_value = "demand",
     .doc =
         "when a page gets its frame: with its buffer; when an instruction that accesses it issues "
         "first; or when its first walk begins, as by a fault (ideal translation: first_touch)"},
    {.key = "vm.allocate_pages",
     .type = WW_KEY_U64,
     .unit = "pages",
     .min = "1",
     .max = "512",
     .initial = "1",
     .idle_key = "vm.allocate",
     .idle_value = "eager",
     .doc = "of a buffer that get their frames together, aligned, when the first of them gets one "
            "(16: contiguity-aware demand paging, HPCA 2023)"},
};

static const ww_key tlb_keys[] = {
    {.key = "tlb.merge",
     .type = WW_KEY_POLICY,
     .family = &ww_tlbmerge_family,
     .initial = "none",
     .doc = "which pages share an entry of a TLB"},
};

#define TLB_KEYS(p, entries, ways, latency, lookups, mshrs, queue)                                \
    NUMBER(p ".entries", "entries", "0", "1048576", entries, "translations that it holds"),       \
        NUMBER(p ".ways", "ways", "0", "65536", ways, "entries in a set; 0: fully associative"),  \
        CHOICE(p ".index", indices, "low",                                                        \
               "which bits of a page's number choose its set: the low ones, or all folded"),      \
        NUMBER(p ".latency", "cycles", "1", "10000", latency, "of a lookup, with the way there"), \
        NUMBER(p ".lookups", "lookups", "1", "1024", lookups, "lookups in a cycle"),              \
        NUMBER(p ".mshrs", "entries", "1", "65536", mshrs, "pages with an outstanding miss"),     \
        NUMBER(p ".queue", "requests", "1", "65536", queue, "requests that wait for their lookup")

/* Of TLBs that several compute units share. */
#define TLB_ORDER(p)                                                                     \
    CHOICE(p ".order", orders, "arrival",                                                \
           "which waiting request is next, for its lookup and for the level below: the " \
           "first that came, or that of the oldest instruction")

static const ww_key l1_tlb_keys[] = {TLB_KEYS("l1_tlb", "32", "0", "1", "2", "64", "16")};
static const ww_key l2_tlb_keys[] = {
    TLB_KEYS("l2_tlb", "512", "16", "69", "2", "512", "16"),
    TLB_ORDER("l2_tlb"),
    CHOICE(
        "l2_tlb.arbiter", arbiters, "waiting",
        "which L1 TLB sends next when the queue has room again: the one that began to wait first, "
        "or the first at or after a pointer that moves by one seat in each cycle, also over the "
        "seats of scalar and instruction TLBs that send nothing"),
    NUMBER("l2_tlb.lent_mshrs", "entries", "0", "1048576", "0",
           "entries that may serve as further miss registers, and hold no translation meanwhile"),
    NUMBER("l2_tlb.epoch", "lookups", "1", "1048576", "1024",
           "over which different warps are counted"),
};
static const ww_key iommu_l1_tlb_keys[] = {
    TLB_KEYS("iommu_l1_tlb", "0", "0", "10", "2", "512", "16"),
    TLB_ORDER("iommu_l1_tlb"),
};
static const ww_key iommu_l2_tlb_keys[] = {
    TLB_KEYS("iommu_l2_tlb", "0", "16", "140", "2", "512", "16"),
    TLB_ORDER("iommu_l2_tlb"),
};

/* Walk warps take all walks. */
static const char *without_walkers(const ww_config *config)
{
    bool takes = ww_cuptw_is_softwalker(config) && !ww_config_bool(config, "softwalker.hybrid");
    return takes ? "softwalker.hybrid" : NULL;
}

static const ww_key walk_keys[] = {
    {.key = "walk.walkers",
     .type = WW_KEY_U64,
     .unit = "walkers",
     .min = "1",
     .max = "65536",
     .initial = "8",
     .infinite = true,
     .idle_now = without_walkers,
     .doc = "page walks at the same time"},
    {.key = "walk.buffer",
     .type = WW_KEY_U64,
     .unit = "requests",
     .min = "1",
     .max = "65536",
     .initial = "256",
     .infinite = true,
     .idle_now = without_walkers,
     .doc = "requests that wait for a walker"},
    {.key = "walk.scheduler",
     .type = WW_KEY_POLICY,
     .family = &ww_walksched_family,
     .initial = "fcfs",
     .idle_now = without_walkers,
     .doc = "which waiting walk is selected next"},
    {.key = "walk.merge",
     .type = WW_KEY_POLICY,
     .family = &ww_walkmerge_family,
     .initial = "none",
     .idle_now = without_walkers,
     .doc = "which walks share a line of page-table entries, or a walker"},
    {.key = "walk.opportunity",
     .type = WW_KEY_BOOL,
     .initial = "false",
     .idle_now = without_walkers,
     .doc =
         "whether to count reads whose line another request needs at the same time, merged or not"},
    CHOICE("walk.cache", caches, "levels",
           "caches of upper page-table entries: one for each level, one for all, or none"),
    IDLE_NUMBER("walk.cache_entries", "entries", "1", "1024", "8", "walk.cache", "none", NULL,
                "of each walk cache"),
    IDLE_NUMBER("walk.cache_latency", "cycles", "0", "10000", "10", "walk.cache", "none", NULL,
                "of a lookup in the walk caches"),
    IDLE_NUMBER("walk.cache_ports", "ports", "0", "64", "0", "walk.cache", "none", NULL,
                "of the walk caches together; 0: no walker waits for one"),
    IDLE_NUMBER("walk.cache_interval", "cycles", "1", "10000", "5", "walk.cache_ports", "0", NULL,
                "from a lookup to the next one of a port"),
    {.key = "walk.pte_cache",
     .type = WW_KEY_BYTES,
     .max = "64MiB",
     .initial = "0",
     .idle_now = without_walkers,
     .doc = "cache of page-table lines of 64 bytes, of all levels; 0: there is none"},
    IDLE_NUMBER("walk.pte_cache_ways", "ways", "0", "65536", "8", "walk.pte_cache", "0",
                without_walkers, "lines in a set of it; 0: fully associative"),
    IDLE_NUMBER("walk.pte_cache_latency", "cycles", "1", "10000", "20", "walk.pte_cache", "0",
                without_walkers, "of a lookup in it"),
    {.key = "walk.memory",
     .type = WW_KEY_CHOICE,
     .choices = memories,
     .initial = "l2",
     .idle_now = without_walkers,
     .doc = "where page-table entries are read: through the L2, or in the DRAM past it"},
};

/* ---- configurations ---- */

static void key_of(char *key, size_t size, const char *prefix, const char *name)
{
    snprintf(key, size, "%s.%s", prefix, name);
}

static uint32_t number_of(const ww_config *config, const char *prefix, const char *name)
{
    char key[64];
    key_of(key, sizeof(key), prefix, name);
    return (uint32_t)ww_config_u64(config, key);
}

bool ww_vm_is_ideal(const ww_config *config)
{
    return ww_config_choice(config, "translation") == 0;
}

uint64_t ww_vm_page_bytes(const ww_config *config)
{
    return page_bytes[ww_config_choice(config, "page_size")];
}

bool ww_walks_allocate(const ww_config *config)
{
    return ww_config_choice(config, "vm.allocate") == 2;
}

void ww_driver_configure(const ww_config *config, uint64_t seed, ww_driver_config *driver)
{
    *driver = (ww_driver_config){
        .frames = {.memory = ww_config_bytes(config, "vm.memory"),
                   .frame = ww_vm_page_bytes(config),
                   .order =
                       (const ww_frame_order *)(const void *)ww_config_policy(config, "vm.frames"),
                   .start = {.config = config, .prefix = "vm", .seed = seed}},
        .eager = ww_config_choice(config, "vm.allocate") == 0,
        .together = ww_config_choice(config, "vm.allocate") == 0
                        ? 1
                        : (uint32_t)ww_config_u64(config, "vm.allocate_pages"),
    };
}

static const ww_tlbmerge *merge_of(const ww_config *config)
{
    return (const ww_tlbmerge *)(const void *)ww_config_policy(config, "tlb.merge");
}

void ww_tlb_configure(const ww_config *config, const char *prefix, ww_tlb_config *tlb)
{
    char index[64], order[64];
    key_of(index, sizeof(index), prefix, "index");
    key_of(order, sizeof(order), prefix, "order");
    bool is_shared = strcmp(prefix, "l1_tlb") != 0;
    *tlb = (ww_tlb_config){
        .name = prefix,
        .entries = {.entries = number_of(config, prefix, "entries"),
                    .ways = number_of(config, prefix, "ways"),
                    .hashed = ww_config_choice(config, index) == 1},
        .latency = number_of(config, prefix, "latency"),
        .lookups = number_of(config, prefix, "lookups"),
        .mshrs = number_of(config, prefix, "mshrs"),
        .lends = strcmp(prefix, "l2_tlb") == 0 ? number_of(config, prefix, "lent_mshrs") : 0,
        .queue = number_of(config, prefix, "queue"),
        .producers = 1,
        .oldest_first = is_shared && ww_config_choice(config, order) == 1,
        .merge = merge_of(config),
        .start = {.config = config, .prefix = "tlb", .shared = is_shared},
    };
}

void ww_mmu_configure(const ww_config *config, uint64_t seed, uint32_t most, ww_mmu_config *mmu)
{
    uint64_t walkers = ww_config_u64(config, "walk.walkers");
    uint64_t buffer = ww_config_u64(config, "walk.buffer");
    bool caches_walks = ww_config_choice(config, "walk.cache") != WW_WALK_CACHE_NONE;
    *mmu = (ww_mmu_config){
        .walkers = walkers < most ? (uint32_t)walkers : most,
        .buffer = buffer == WW_INFINITE ? most : (uint32_t)buffer,
        .queue = 1,
        .cache = (ww_walk_cache_kind)ww_config_choice(config, "walk.cache"),
        .cache_entries = (uint32_t)ww_config_u64(config, "walk.cache_entries"),
        .protect = ww_config_bool(config, "walk.protect"),
        .cache_latency = caches_walks ? (uint32_t)ww_config_u64(config, "walk.cache_latency") : 0,
        .cache_ports = caches_walks ? (uint32_t)ww_config_u64(config, "walk.cache_ports") : 0,
        .cache_interval = (uint32_t)ww_config_u64(config, "walk.cache_interval"),
        .pte_cache = {.entries =
                          (uint32_t)(ww_config_bytes(config, "walk.pte_cache") / WW_PTE_LINE),
                      .ways = (uint32_t)ww_config_u64(config, "walk.pte_cache_ways")},
        .pte_cache_latency = (uint32_t)ww_config_u64(config, "walk.pte_cache_latency"),
        .scheduler = (const ww_walksched *)(const void *)ww_config_policy(config, "walk.scheduler"),
        .merge = (const ww_walkmerge *)(const void *)ww_config_policy(config, "walk.merge"),
        .opportunity = ww_config_bool(config, "walk.opportunity"),
        .runs = merge_of(config)->find && ww_config_choice(config, "tlb.merge_fill") != 1,
        .aging = ww_config_u64(config, "walk.aging"),
        .start = {.config = config, .prefix = "walk", .seed = seed},
        .page_shift = (unsigned)__builtin_ctzll(ww_vm_page_bytes(config)),
        .line = (uint32_t)ww_config_bytes(config, "l1d.line"),
        .sector = (uint32_t)ww_config_bytes(config, "l1d.sector"),
    };
}

uint64_t ww_walk_buffer_entries(const ww_config *config)
{
    uint64_t entries = ww_config_u64(config, "walk.buffer");
    return entries == WW_INFINITE ? 0 : entries;
}

uint64_t ww_walk_cache_entries(const ww_config *config)
{
    uint64_t entries = ww_config_u64(config, "walk.cache_entries");
    unsigned leaf = ww_vm_page_bytes(config) == page_bytes[2] ? 2 : 1;
    switch (ww_config_choice(config, "walk.cache")) {
    case WW_WALK_CACHE_LEVELS: return (WW_LEVELS - leaf) * entries;
    case WW_WALK_CACHE_UNIFIED: return entries;
    default: return 0;
    }
}

bool ww_walks_go_to_dram(const ww_config *config)
{
    return ww_config_choice(config, "walk.memory") == 0;
}

/* ---- checks ---- */

/* With one frame in each region, interleaved is the same as contiguous. */
static int check_regions(const ww_config *config, uint64_t frames, ww_errors *errors)
{
    const char key[] = "vm.regions";
    if (!ww_policy_has_key(ww_config_policy(config, "vm.frames"), "regions") ||
        ww_config_u64(config, key) <= frames / 2)
        return WW_OK;
    return ww_fail(errors, WW_BAD_INPUT,
                   ww_config_location(config, key, "vm.memory", "page_size", NULL),
                   "vm.regions is %" PRIu64 ", too many for the %" PRIu64
                   " frames of vm.memory (%" PRIu64 " at most: two frames in each)",
                   ww_config_u64(config, key), frames, frames / 2);
}

static int check_vm(const ww_config *config, ww_errors *errors)
{
    uint64_t page = ww_vm_page_bytes(config), memory = ww_config_bytes(config, "vm.memory");
    if (page * 2 <= memory)
        return check_regions(config, memory / page, errors);
    return ww_fail(errors, WW_BAD_INPUT, ww_config_location(config, "page_size", "vm.memory", NULL),
                   "vm.memory is %" PRIu64 ", too small for a page of %" PRIu64
                   " and its page table (%" PRIu64 " or more)",
                   memory, page, page * 2);
}

static int check_ways(const char *ways_key, uint64_t ways, const char *entries_key,
                      uint64_t entries, ww_where at, ww_errors *errors)
{
    if (!ways || entries % ways == 0)
        return WW_OK;
    return ww_fail(errors, WW_BAD_INPUT, at,
                   "%s is %" PRIu64 ", which does not divide the %" PRIu64
                   " entries of %s (a divisor of %" PRIu64 ", or 0: fully associative)",
                   ways_key, ways, entries, entries_key, entries);
}

static int check_tlb(const ww_config *config, const char *prefix, ww_errors *errors)
{
    ww_tlb_config tlb;
    char entries[64], ways[64], index[64];
    key_of(entries, sizeof(entries), prefix, "entries");
    key_of(ways, sizeof(ways), prefix, "ways");
    key_of(index, sizeof(index), prefix, "index");
    ww_tlb_configure(config, prefix, &tlb);
    const ww_lru_config *c = &tlb.entries;
    ww_where at = ww_config_location(config, entries, ways, index, NULL);
    if (tlb.lends > c->entries)
        return ww_fail(errors, WW_BAD_INPUT,
                       ww_config_location(config, "l2_tlb.lent_mshrs", entries, NULL),
                       "l2_tlb.lent_mshrs is %" PRIu32 " (at most l2_tlb.entries, %" PRIu32 ")",
                       tlb.lends, c->entries);
    if (tlb.lends && tlb.merge && tlb.merge->find)
        return ww_fail(errors, WW_BAD_INPUT,
                       ww_config_location(config, "l2_tlb.lent_mshrs", "tlb.merge", NULL),
                       "l2_tlb.lent_mshrs is %" PRIu32
                       " with tlb.merge (0: lending an entry of several pages would take all of "
                       "them)",
                       tlb.lends);
    int status = check_ways(ways, c->ways, entries, c->entries, at, errors);
    uint32_t sets = c->ways ? c->entries / c->ways : 1;
    if (status != WW_OK || !c->hashed || (sets & (sets - 1)) == 0)
        return status;
    return ww_fail(errors, WW_BAD_INPUT, at,
                   "%s is hash, but %s over %s is %" PRIu32 " (a power of two)", index, entries,
                   ways, sets);
}

/* Walks are divided among the walkers as they come: no scheduler can choose among all of them. */
static int check_batches(const ww_config *config, ww_errors *errors)
{
    const ww_walkmerge *merge =
        (const ww_walkmerge *)(const void *)ww_config_policy(config, "walk.merge");
    const char *scheduler = ww_config_policy(config, "walk.scheduler")->name;
    if (!merge->batch || strcmp(scheduler, "fcfs") == 0)
        return WW_OK;
    return ww_fail(errors, WW_BAD_INPUT,
                   ww_config_location(config, "walk.merge", "walk.scheduler", NULL),
                   "walk.scheduler is %s, but walk.merge is %s, which gives walks to the walkers "
                   "as they come (fcfs is needed)",
                   scheduler, merge->policy.name);
}

static int check_walk(const ww_config *config, ww_errors *errors)
{
    if (check_batches(config, errors) != WW_OK)
        return WW_BAD_INPUT;
    uint64_t bytes = ww_config_bytes(config, "walk.pte_cache");
    if (bytes % WW_PTE_LINE)
        return ww_fail(errors, WW_BAD_INPUT, ww_config_location(config, "walk.pte_cache", NULL),
                       "walk.pte_cache is %" PRIu64 " (a multiple of %u is needed)", bytes,
                       WW_PTE_LINE);
    return check_ways("walk.pte_cache_ways", ww_config_u64(config, "walk.pte_cache_ways"),
                      "walk.pte_cache", ww_config_bytes(config, "walk.pte_cache") / WW_PTE_LINE,
                      ww_config_location(config, "walk.pte_cache", "walk.pte_cache_ways", NULL),
                      errors);
}

/* ---- schemas ---- */

const ww_schema ww_vm_schema = {
    .name = "vm",
    .doc = "virtual memory: pages, frames and how addresses are translated",
    .keys = vm_keys,
    .count = sizeof(vm_keys) / sizeof(vm_keys[0]),
    .check = check_vm};

#define IDLE_WITHOUT_TIME .idle_key = "translation", .idle_value = "ideal"

#define TLB_SCHEMA(id, text)                                                               \
    static int check_##id(const ww_config *config, ww_errors *errors)                      \
    {                                                                                      \
        return check_tlb(config, #id, errors);                                             \
    }                                                                                      \
    const ww_schema ww_##id##_schema = {.name = #id,                                       \
                                        .doc = text,                                       \
                                        .keys = id##_keys,                                 \
                                        .count = sizeof(id##_keys) / sizeof(id##_keys[0]), \
                                        IDLE_WITHOUT_TIME,                                 \
                                        .check = check_##id};

TLB_SCHEMA(l1_tlb, "L1 TLBs: one of each compute unit, and one of each scalar cache")
TLB_SCHEMA(l2_tlb, "L2 TLB, one of each cluster")
TLB_SCHEMA(iommu_l1_tlb, "first TLB of an IOMMU; with 0 entries there is none")
TLB_SCHEMA(iommu_l2_tlb, "second TLB of an IOMMU; with 0 entries there is none")

const ww_schema ww_tlb_schema = {.name = "tlb",
                                 .doc = "TLBs of all levels",
                                 .keys = tlb_keys,
                                 .count = sizeof(tlb_keys) / sizeof(tlb_keys[0]),
                                 IDLE_WITHOUT_TIME};

const ww_schema ww_walk_schema = {.name = "walk",
                                  .doc = "page walks: their buffer, walkers, and walk caches",
                                  .keys = walk_keys,
                                  .count = sizeof(walk_keys) / sizeof(walk_keys[0]),
                                  IDLE_WITHOUT_TIME,
                                  .check = check_walk};
