#include "mem/mem_schema.h"

#include "base/memory.h"
#include "mem/dram_constraints.h"

#include <inttypes.h>
#include <string.h>

static const char *const writes[] = {"back", "through", "evict", NULL};
/* Atomics leave what they wrote in the L2: nothing may drop it. */
static const char *const l2_writes[] = {"back", "through", NULL};
static const char *const allocates[] = {"on_fill", "on_miss", NULL};
static const char *const indices[] = {"low", "xor", NULL};

#define NUMBER(name, words, least, most, value, text)                                      \
    {                                                                                      \
        .key = (name), .type = WW_KEY_U64, .unit = (words), .min = (least), .max = (most), \
        .initial = (value), .doc = (text)                                                  \
    }

#define BYTES(name, least, most, value, text)                                                   \
    {                                                                                           \
        .key = (name), .type = WW_KEY_BYTES, .min = (least), .max = (most), .initial = (value), \
        .doc = (text)                                                                           \
    }

#define CHOICE(name, of, value, text)                                                            \
    {                                                                                            \
        .key = (name), .type = WW_KEY_CHOICE, .choices = (of), .initial = (value), .doc = (text) \
    }

#define SIZE_OR_NONE "capacity; 0: there is none"

/* What all caches have; `id` is the prefix without quotes. */
#define CACHE_KEYS(p, id, size, size_doc, ways, latency_doc, latency, mshrs)                       \
    BYTES(p ".size", "0", "1GiB", size, size_doc),                                                 \
        NUMBER(p ".ways", "ways", "1", "64", ways, "lines in a set"),                              \
        NUMBER(p ".latency", "cycles", "1", "10000", latency, latency_doc),                        \
        NUMBER(p ".mshrs", "entries", "1", "65536", mshrs, "lines with outstanding misses"),       \
        NUMBER(p ".merges", "requests", "1", "65536", "8",                                         \
               "requests that wait for a line's miss, the first included"),                        \
        NUMBER(p ".ports", "lookups", "1", "64", "1", "lookups in a cycle"),                       \
        NUMBER(p ".banks", "banks", "0", "1024", "0",                                              \
               "two lookups in a cycle are not in the same bank; 0: they may be"),                 \
        NUMBER(p ".queue", "requests", "1", "65536", "16", "requests that wait for their lookup"), \
        CHOICE(p ".index", indices, "low",                                                         \
               "which bits of a line's number choose its set: the low ones, or all folded"),       \
        CHOICE(p ".allocate", allocates, "on_fill", "when a read miss allocates its way"),         \
    {                                                                                              \
        .key = p ".replacement", .type = WW_KEY_POLICY, .family = &ww_replace_##id##_family,       \
        .initial = "lru", .idle_key = p ".size", .idle_value = "0",                                \
        .idle_now = bypass_of_all_##id, .doc = "which line of a set is evicted"                    \
    }

/* Of a cache that keeps no line, no line is evicted. Stores leave lines in the L1 data cache only
 * when it is written back. */
static const char *bypass_of_all_l1d(const ww_config *config)
{
    bool written = strcmp(writes[ww_config_choice(config, "l1d.write")], "back") == 0;
    bool all = strcmp(ww_config_policy(config, "l1d.bypass")->name, "all") == 0;
    return all && !written ? "l1d.bypass" : NULL;
}
#define bypass_of_all_l1i NULL
#define bypass_of_all_l1s NULL
#define bypass_of_all_l2 NULL

static const ww_key l1d_keys[] = {
    CACHE_KEYS("l1d", l1d, "16KiB", SIZE_OR_NONE, "4",
               "from the issue of a load that hits to that of an instruction that needs its value",
               "28", "32"),
    BYTES("l1d.line", "16", "4KiB", "128", "line of all caches: the coalescer's unit"),
    BYTES("l1d.sector", "4", "4KiB", "32",
          "part of a line of all caches that travels alone: stores, and what misses fetch"),
    {.key = "l1d.whole_lines",
     .type = WW_KEY_BOOL,
     .initial = "false",
     .doc = "whether a miss of an L1 cache fetches its whole line, not only the sectors it needs"},
    {.key = "l1d.merge_is_reuse",
     .type = WW_KEY_BOOL,
     .initial = "true",
     .doc = "whether a request that merges with the miss of a line uses the line, in all caches"},
    {.key = "l1d.bypass",
     .type = WW_KEY_POLICY,
     .family = &ww_bypass_family,
     .initial = "none",
     .doc = "which loads that miss are not kept"},
    {.key = "l1d.reuse_distance",
     .type = WW_KEY_BOOL,
     .initial = "false",
     .doc = "whether distances between loads of a line are measured (l1d.reuse_*)"},
    CHOICE("l1d.write", writes, "through", "what becomes of stores"),
    {.key = "l1d.invalidate",
     .type = WW_KEY_BOOL,
     .initial = "true",
     .doc = "whether the L1 caches lose their contents at each launch"},
};

static const ww_key l1i_keys[] = {
    CACHE_KEYS("l1i", l1i, "32KiB", SIZE_OR_NONE, "4", "of a hit", "4", "8"),
    NUMBER("l1i.shared_by", "compute units", "1", "512", "1",
           "compute units that share an instruction cache"),
};

static const ww_key l1s_keys[] = {
    CACHE_KEYS(
        "l1s", l1s, "16KiB", SIZE_OR_NONE, "4",
        "from the issue of a scalar load that hits to that of an instruction that needs its value",
        "28", "8"),
    NUMBER("l1s.shared_by", "compute units", "1", "512", "1",
           "compute units that share a scalar cache"),
    NUMBER("l1s.reorder", "entries", "0", "4096", "0",
           "of a reorder buffer before each scalar cache, through which its replies leave in the "
           "order of the requests of all that share it; 0: none, and in any order"),
    {.key = "l1s.reorder_width",
     .type = WW_KEY_U64,
     .unit = "requests",
     .min = "1",
     .max = "64",
     .initial = "4",
     .idle_key = "l1s.reorder",
     .idle_value = "0",
     .doc = "that pass the reorder buffer in a cycle, and replies"},
    {.key = "l1s.reorder_latency",
     .type = WW_KEY_U64,
     .unit = "cycles",
     .min = "1",
     .max = "1000",
     .initial = "1",
     .idle_key = "l1s.reorder",
     .idle_value = "0",
     .doc = "that the reorder buffer adds to l1s.latency, on each way"},
};

static const ww_key l2_keys[] = {
    CACHE_KEYS("l2", l2, "1MiB", "capacity; more than 0: atomics are performed here", "16",
               "of a hit, from a slice's queue to the network", "80", "64"),
    CHOICE("l2.write", l2_writes, "back", "what becomes of stores"),
    NUMBER("l2.atomic_interval", "cycles", "1", "1000", "1",
           "that a line is busy for each lane of an atomic"),
};

static const ww_key network_keys[] = {
    {.key = "network.clock",
     .type = WW_KEY_FREQUENCY,
     .max = "20GHz",
     .initial = "0",
     .doc = "of the crossbar; 0: that of the compute units"},
    NUMBER("network.latency", "cycles", "1", "10000", "10",
           "of network.clock, from the grant to the arrival of a packet's first bytes, in each "
           "direction"),
    NUMBER("network.width", "bytes", "1", "4096", "32",
           "bytes that a port of the crossbar passes in a cycle of network.clock"),
    NUMBER("network.slice_ports", "ports", "1", "64", "1",
           "ports of an L2 slice; its lines are interleaved over them"),
    NUMBER("network.header", "bytes", "0", "4096", "8", "bytes of a packet besides its data"),
    NUMBER("network.queue", "packets", "1", "65536", "8", "packets that wait at an input"),
};

static const ww_key link_keys[] = {
    NUMBER("link.latency", "cycles", "1", "100000", "50",
           "from a packet's start to the arrival of its first bytes, in each direction"),
    NUMBER("link.bandwidth", "bytes", "1", "1048576", "64",
           "bytes that a link passes in a cycle, in each direction, over all of its ports"),
    NUMBER("link.ports", "ports", "1", "256", "1",
           "ports of a link to each network; the lines of slices are interleaved over them"),
    NUMBER("link.queue", "packets", "1", "65536", "16", "packets that wait at a port of a link"),
    NUMBER("link.header", "bytes", "0", "4096", "8", "bytes of a packet besides its data"),
};

static uint64_t bytes_of(const ww_config *config, const char *prefix, const char *name)
{
    char key[64];
    snprintf(key, sizeof(key), "%s.%s", prefix, name);
    return ww_config_bytes(config, key);
}

static uint32_t number_of(const ww_config *config, const char *prefix, const char *name)
{
    char key[64];
    snprintf(key, sizeof(key), "%s.%s", prefix, name);
    return (uint32_t)ww_config_u64(config, key);
}

static size_t choice_of(const ww_config *config, const char *prefix, const char *name)
{
    char key[64];
    snprintf(key, sizeof(key), "%s.%s", prefix, name);
    return ww_config_choice(config, key);
}

void ww_cache_configure(const ww_config *config, const char *prefix, ww_cache_config *cache)
{
    char key[64];
    snprintf(key, sizeof(key), "%s.replacement", prefix);
    bool is_l2 = strcmp(prefix, "l2") == 0;
    bool is_l1d = strcmp(prefix, "l1d") == 0, writes_here = is_l2 || is_l1d;
    *cache = (ww_cache_config){
        .size = bytes_of(config, prefix, "size"),
        .line = (uint32_t)ww_config_bytes(config, "l1d.line"),
        .sector = (uint32_t)ww_config_bytes(config, "l1d.sector"),
        .ways = number_of(config, prefix, "ways"),
        .index = choice_of(config, prefix, "index") ? WW_INDEX_XOR : WW_INDEX_LOW,
        .slices = 1,
        .slice_lines = 1,
        .replace = (const ww_replace *)(const void *)ww_config_policy(config, key),
        .bypass =
            is_l1d ? (const ww_bypass *)(const void *)ww_config_policy(config, "l1d.bypass") : NULL,
        .start = {.config = config, .prefix = prefix},
        .latency = number_of(config, prefix, "latency"),
        .ports = number_of(config, prefix, "ports"),
        .banks = number_of(config, prefix, "banks"),
        .mshrs = number_of(config, prefix, "mshrs"),
        .merges = number_of(config, prefix, "merges"),
        .in_queue = number_of(config, prefix, "queue"),
        .fill_queue = number_of(config, prefix, "queue"),
        .producers = 1,
        .suppliers = 1,
        .write = writes_here ? (ww_write_policy)choice_of(config, prefix, "write") : WW_WRITE_EVICT,
        .allocate = (ww_allocate)choice_of(config, prefix, "allocate"),
        .merge_is_reuse = ww_config_bool(config, "l1d.merge_is_reuse"),
        .measures_reuse = is_l1d && ww_config_bool(config, "l1d.reuse_distance"),
        .whole_lines = !is_l2 && ww_config_bool(config, "l1d.whole_lines"),
    };
}

void ww_crossbar_configure(const ww_config *config, ww_crossbar_config *crossbar)
{
    uint32_t width = number_of(config, "network", "width");
    *crossbar = (ww_crossbar_config){
        .queue = number_of(config, "network", "queue"),
        .senders = 1,
        .latency = number_of(config, "network", "latency"),
        .input_width = width,
        .output_width = width,
        .header = number_of(config, "network", "header"),
        .sector_size = (uint32_t)ww_config_bytes(config, "l1d.sector"),
    };
}

void ww_link_configure(const ww_config *config, ww_link_config *link)
{
    uint32_t ports = number_of(config, "link", "ports");
    *link = (ww_link_config){
        .ports = ports,
        .queue = number_of(config, "link", "queue"),
        .latency = number_of(config, "link", "latency"),
        .bandwidth = number_of(config, "link", "bandwidth") / ports,
        .header = number_of(config, "link", "header"),
        .sector_size = (uint32_t)ww_config_bytes(config, "l1d.sector"),
    };
}

static int check_link(const ww_config *config, ww_errors *errors)
{
    uint64_t bandwidth = ww_config_u64(config, "link.bandwidth");
    uint64_t ports = ww_config_u64(config, "link.ports");
    if (bandwidth % ports == 0)
        return WW_OK;
    return ww_fail(errors, WW_BAD_INPUT,
                   ww_config_location(config, "link.bandwidth", "link.ports", NULL),
                   "link.bandwidth is %" PRIu64 ", which link.ports, %" PRIu64
                   ", does not divide (a multiple of %" PRIu64 ")",
                   bandwidth, ports, ports);
}

/* The line and sector of all caches. */
static int check_line(const ww_config *config, ww_errors *errors)
{
    uint64_t line = ww_config_bytes(config, "l1d.line");
    uint64_t sector = ww_config_bytes(config, "l1d.sector");
    int status = ww_cache_line_check(
        line, sector, ww_config_location(config, "l1d.line", "l1d.sector", NULL), errors);
    if (status)
        return status;
    ww_where at = ww_config_location(config, "l1d.line", "dram.interleave", "dram.row_size",
                                     "dram.burst_length", "dram.width", NULL);
    return ww_dram_check_line(config, line, at, errors);
}

/* A policy's own key by its position; `none` if it has not that many. */
static void own_key(char key[64], const char *prefix, const ww_policy *policy, size_t i,
                    const char *none)
{
    snprintf(key, 64, "%s.%s", prefix, i < policy->key_count ? policy->keys[i].key : none);
}

static ww_where geometry_location(const ww_config *config, const char *prefix)
{
    char size[64], ways[64], replacement[64], own[64];
    snprintf(size, sizeof(size), "%s.size", prefix);
    snprintf(ways, sizeof(ways), "%s.ways", prefix);
    snprintf(replacement, sizeof(replacement), "%s.replacement", prefix);
    own_key(own, prefix, ww_config_policy(config, replacement), 0, "ways");
    return ww_config_location(config, size, ways, replacement, own, "l1d.line", NULL);
}

static int check_slices(const ww_config *config, const ww_cache_config *cache, ww_errors *errors)
{
    uint64_t channels = ww_config_u64(config, "dram.channels");
    uint64_t sets = (uint64_t)cache->line * cache->ways * channels;
    if (cache->size % sets == 0)
        return WW_OK;
    return ww_fail(
        errors, WW_BAD_INPUT,
        ww_config_location(config, "l2.size", "l2.ways", "dram.channels", "l1d.line", NULL),
        "l2.size is %" PRIu64 ", which dram.channels, %" PRIu64
        " slices, cannot share (a multiple of %" PRIu64 ": l2.ways, %u, of %u in each)",
        cache->size, channels, sets, cache->ways, cache->line);
}

/* A bypass needs a cache that loads can bypass, and keys that agree. */
static int check_bypass(const ww_config *config, ww_errors *errors)
{
    const ww_policy *policy = ww_config_policy(config, "l1d.bypass");
    const ww_bypass *bypass = (const ww_bypass *)(const void *)policy;
    if (!ww_config_bytes(config, "l1d.size") && bypass->bypasses)
        return ww_fail(
            errors, WW_BAD_INPUT, ww_config_location(config, "l1d.bypass", "l1d.size", NULL),
            "l1d.bypass is %s, but there is no L1 to bypass: l1d.size is 0 (none)", policy->name);
    ww_policy_start start = {.config = config, .prefix = "l1d"};
    const char *refused = bypass->refuse ? bypass->refuse(&start) : NULL;
    if (!refused)
        return WW_OK;
    char keys[2][64];
    own_key(keys[0], "l1d", policy, 0, "bypass");
    own_key(keys[1], "l1d", policy, 1, "bypass");
    return ww_fail(errors, WW_BAD_INPUT,
                   ww_config_location(config, "l1d.bypass", keys[0], keys[1], NULL), "%s", refused);
}

static int check_reuse(const ww_config *config, ww_errors *errors)
{
    if (ww_config_bytes(config, "l1d.size") || !ww_config_bool(config, "l1d.reuse_distance"))
        return WW_OK;
    return ww_fail(errors, WW_BAD_INPUT,
                   ww_config_location(config, "l1d.reuse_distance", "l1d.size", NULL),
                   "l1d.reuse_distance is true, but there is no L1: l1d.size is 0 (false)");
}

static int check_cache(const ww_config *config, const char *prefix, ww_errors *errors)
{
    ww_cache_config cache;
    bool is_l2 = strcmp(prefix, "l2") == 0;
    ww_cache_configure(config, prefix, &cache);
    cache.atomics_here = is_l2;
    if (strcmp(prefix, "l1d") == 0 &&
        (check_line(config, errors) || check_bypass(config, errors) || check_reuse(config, errors)))
        return WW_BAD_INPUT;
    if (cache.line & (cache.line - 1))
        return WW_OK; /* the L1 data cache's check has said so */
    int status = ww_cache_config_check(&cache, prefix, geometry_location(config, prefix), errors);
    return status || !is_l2 ? status : check_slices(config, &cache, errors);
}

#define SCHEMA(id, text)                                                                   \
    static int check_##id(const ww_config *config, ww_errors *errors)                      \
    {                                                                                      \
        return check_cache(config, #id, errors);                                           \
    }                                                                                      \
    const ww_schema ww_##id##_schema = {.name = #id,                                       \
                                        .doc = text,                                       \
                                        .keys = id##_keys,                                 \
                                        .count = sizeof(id##_keys) / sizeof(id##_keys[0]), \
                                        .check = check_##id};

SCHEMA(l1d, "L1 data cache of a compute unit")
SCHEMA(l1i, "L1 instruction cache")
SCHEMA(l1s, "L1 scalar cache, where the machine has a scalar unit")
SCHEMA(l2, "L2 cache: the sizes are of all slices together, one slice for each DRAM channel")

#define SLOWEST_HERTZ 1000000u

static int check_network(const ww_config *config, ww_errors *errors)
{
    uint64_t hertz = ww_config_hertz(config, "network.clock");
    if (!hertz || hertz >= SLOWEST_HERTZ)
        return WW_OK;
    return ww_fail(errors, WW_BAD_INPUT, ww_config_location(config, "network.clock", NULL),
                   "network.clock is %" PRIu64 " Hz (at least 1MHz, or 0: that of gpu.clock)",
                   hertz);
}

static void resolve_network(ww_config *config)
{
    if (!ww_config_hertz(config, "network.clock"))
        ww_config_resolve(config, "network.clock", ww_config_hertz(config, "gpu.clock"));
}

const ww_schema ww_network_schema = {
    .name = "network",
    .doc = "crossbar between compute units and L2 slices",
    .keys = network_keys,
    .count = sizeof(network_keys) / sizeof(network_keys[0]),
    .check = check_network,
    .resolve = resolve_network,
};

const ww_schema ww_link_schema = {
    .name = "link",
    .doc = "links between the networks of clusters, one from each to each other",
    .keys = link_keys,
    .count = sizeof(link_keys) / sizeof(link_keys[0]),
    .idle_key = "machine.clusters",
    .idle_value = "1",
    .check = check_link,
};
