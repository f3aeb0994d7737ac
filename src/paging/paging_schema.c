#include "paging/paging_schema.h"

#include "config/policy.h"
#include "paging/driver.h"

#include <string.h>

static const char *const modes[] = {"resident", "copy", "demand", NULL};
static const char *const copies[] = {"all", "inputs", "all_back", "inputs_back", NULL};
static const char *const chunks[] = {"page", "2MiB", NULL};
static const char *const write_backs[] = {"dirty", "always", NULL};
static const char *const flushes[] = {"page", "all", NULL};

#define CHOICE(name, of, value, text)                                                            \
    {                                                                                            \
        .key = (name), .type = WW_KEY_CHOICE, .choices = (of), .initial = (value), .doc = (text) \
    }

#define POLICY(name, of, value, text)                                                           \
    {                                                                                           \
        .key = (name), .type = WW_KEY_POLICY, .family = (of), .initial = (value), .doc = (text) \
    }

static const ww_key mode_keys[] = {
    CHOICE("paging.mode", modes, "resident",
           "how pages of buffers come to the GPU: they are there, they are copied before a launch, "
           "or they come when a kernel needs them"),
};

static const ww_key copy_keys[] = {
    CHOICE("paging.copy", copies, "all",
           "mode copy: all buffers or those that the host has written, and whether pages that "
           "kernels have written are copied back at the end"),
};

static const ww_key link_keys[] = {
    {.key = "paging.link_bandwidth",
     .type = WW_KEY_BANDWIDTH,
     .min = "1MB/s",
     .max = "10TB/s",
     .initial = "16GB/s",
     .doc = "of the link between host and GPU, in each direction"},
    {.key = "paging.link_latency",
     .type = WW_KEY_TIME,
     .min = "0ns",
     .max = "1ms",
     .initial = "1us",
     .doc = "one way, of accesses to pages on the host; in a driver's times for others"},
    {.key = "paging.link_payload",
     .type = WW_KEY_BYTES,
     .min = "32",
     .max = "2MiB",
     .initial = "256",
     .doc = "most data in a packet"},
    {.key = "paging.link_header",
     .type = WW_KEY_BYTES,
     .max = "4096",
     .initial = "0",
     .doc = "of each packet; 0: link_bandwidth is that of data"},
    {.key = "paging.link_duplex",
     .type = WW_KEY_BOOL,
     .initial = "false",
     .doc = "whether each direction has link_bandwidth for itself"},
    {.key = "paging.host_latency",
     .type = WW_KEY_TIME,
     .min = "0ns",
     .max = "1ms",
     .initial = "100ns",
     .doc = "of the host's memory, for accesses to pages on the host; assumed: a DRAM access"},
    {.key = "paging.host_outstanding",
     .type = WW_KEY_U64,
     .unit = "requests",
     .min = "1",
     .max = "65536",
     .initial = "256",
     .doc = "accesses to pages on the host at a time; assumed: as PCIe's tags of 8 bits"},
    {.key = "paging.dma_outstanding",
     .type = WW_KEY_U64,
     .unit = "requests",
     .min = "1",
     .max = "65536",
     .initial = "256",
     .doc = "requests of the DMA engine to the GPU's memory at a time"},
};

static const ww_key demand_keys[] = {
    POLICY("paging.driver", &ww_paging_driver_family, "transfer_sets",
           "the software on the host that serves far-faults"),
    POLICY("paging.prefetch", &ww_prefetch_family, "none",
           "which pages come besides those that faulted"),
    POLICY("paging.warm", &ww_warm_family, "none",
           "which pages come until memory is full, instead of paging.prefetch"),
    POLICY("paging.evict", &ww_evict_family, "lru",
           "which resident page leaves when memory is full"),
    {.key = "paging.resident_fraction",
     .type = WW_KEY_DOUBLE,
     .min = "0.000001",
     .max = "1",
     .initial = "1",
     .doc = "pages that can be resident, as a part of those of all buffers"},
    CHOICE("paging.chunk", chunks, "page",
           "what memory is allocated and evicted in: pages, or blocks of 2 MiB"),
    {.key = "paging.zero_fill",
     .type = WW_KEY_BOOL,
     .initial = "false",
     .doc = "whether pages that neither the host nor a kernel has written come without passing the "
            "link, filled with zeros"},
    CHOICE("paging.write_back", write_backs, "dirty",
           "pages whose data is sent to the host when they leave: written ones, or all"),
    CHOICE("paging.flush", flushes, "page",
           "what leaves the caches with a page: its lines, or all lines"),
    {.key = "paging.invalidate_latency",
     .type = WW_KEY_U64,
     .unit = "cycles",
     .min = "1",
     .max = "100000",
     .initial = "20",
     .doc = "of a shoot-down, from one level of TLBs to the next; assumed: as the network"},
};

ww_paging_mode ww_paging_mode_of(const ww_config *config)
{
    return (ww_paging_mode)ww_config_choice(config, "paging.mode");
}

static int check_mode(const ww_config *config, ww_errors *errors)
{
    if (ww_paging_mode_of(config) == WW_PAGING_RESIDENT ||
        ww_config_choice(config, "translation") == 1)
        return WW_OK;
    return ww_fail(errors, WW_BAD_INPUT,
                   ww_config_location(config, "paging.mode", "translation", NULL),
                   "paging.mode is %s, but translation is ideal: no walk would find that a page "
                   "is missing (translation: full)",
                   modes[ww_paging_mode_of(config)]);
}

static int check_warm(const ww_config *config, ww_errors *errors)
{
    const ww_policy *policy = ww_config_policy(config, "paging.driver");
    const ww_paging_driver *driver = (const ww_paging_driver *)(const void *)policy;
    const char *warm = ww_config_policy(config, "paging.warm")->name;
    if (ww_paging_mode_of(config) != WW_PAGING_DEMAND || driver->warms || !strcmp(warm, "none"))
        return WW_OK;
    return ww_fail(errors, WW_BAD_INPUT,
                   ww_config_location(config, "paging.warm", "paging.driver", NULL),
                   "paging.warm is %s, but the driver %s brings no page before a fault "
                   "(paging.warm: none)",
                   warm, policy->name);
}

/* A key of transfer_sets that is not at its first choice; false also where it has no effect. */
static bool is_chosen(const ww_config *config, const char *key)
{
    return ww_config_has_effect(config, ww_config_find(config, key)) &&
           ww_config_choice(config, key) != 0;
}

static const char *choice_of(const ww_config *config, const char *key)
{
    return ww_config_find(config, key)->key->choices[ww_config_choice(config, key)];
}

static int check_blocked_until(const ww_config *config, ww_errors *errors)
{
    if (!is_chosen(config, "paging.blocked_until") || is_chosen(config, "paging.faults"))
        return WW_OK;
    return ww_fail(errors, WW_BAD_INPUT,
                   ww_config_location(config, "paging.blocked_until", "paging.faults", NULL),
                   "paging.blocked_until is %s, but far-faults block no TLB (paging.faults: "
                   "blocking)",
                   choice_of(config, "paging.blocked_until"));
}

static int check_evict_time(const ww_config *config, ww_errors *errors)
{
    const ww_policy *policy = ww_config_policy(config, "paging.prefetch");
    const ww_prefetch *prefetch = (const ww_prefetch *)(const void *)policy;
    if (!is_chosen(config, "paging.evict_time") || !prefetch->when_full)
        return WW_OK;
    return ww_fail(errors, WW_BAD_INPUT,
                   ww_config_location(config, "paging.evict_time", "paging.prefetch", NULL),
                   "paging.evict_time is %s, but with paging.prefetch: %s pages leave when a set "
                   "is sent (paging.prefetch: none)",
                   choice_of(config, "paging.evict_time"), policy->name);
}

static int check_full_prefetch(const ww_config *config, ww_errors *errors)
{
    const ww_policy *policy = ww_config_policy(config, "paging.prefetch");
    const ww_prefetch *prefetch = (const ww_prefetch *)(const void *)policy;
    if (!is_chosen(config, "paging.full_prefetch") || prefetch->when_full)
        return WW_OK;
    return ww_fail(errors, WW_BAD_INPUT,
                   ww_config_location(config, "paging.full_prefetch", "paging.prefetch", NULL),
                   "paging.full_prefetch is %s, but paging.prefetch: %s adds no page when memory "
                   "is full (locality or tree)",
                   choice_of(config, "paging.full_prefetch"), policy->name);
}

static int check_demand(const ww_config *config, ww_errors *errors)
{
    int warm = check_warm(config, errors), blocked = check_blocked_until(config, errors);
    int evict = check_evict_time(config, errors), full = check_full_prefetch(config, errors);
    return warm ? warm : blocked ? blocked : evict ? evict : full;
}

const ww_schema ww_paging_schema = {.name = "paging",
                                    .doc = "paged memory: how pages of buffers come to the GPU",
                                    .keys = mode_keys,
                                    .count = sizeof(mode_keys) / sizeof(mode_keys[0]),
                                    .check = check_mode};

const ww_schema ww_paging_copy_schema = {.name = "paging.copy",
                                         .doc = "paged memory: copies before a launch",
                                         .keys = copy_keys,
                                         .count = sizeof(copy_keys) / sizeof(copy_keys[0]),
                                         .idle_key = "paging.mode",
                                         .idle_value = "resident",
                                         .other_idle_value = "demand"};

const ww_schema ww_paging_link_schema = {.name = "paging.link",
                                         .doc = "paged memory: the link to the host",
                                         .keys = link_keys,
                                         .count = sizeof(link_keys) / sizeof(link_keys[0]),
                                         .idle_key = "paging.mode",
                                         .idle_value = "resident"};

const ww_schema ww_paging_demand_schema = {.name = "paging.demand",
                                           .doc =
                                               "paged memory: the driver, prefetching and eviction",
                                           .keys = demand_keys,
                                           .count = sizeof(demand_keys) / sizeof(demand_keys[0]),
                                           .check = check_demand,
                                           .idle_key = "paging.mode",
                                           .idle_value = "resident",
                                           .other_idle_value = "copy"};
