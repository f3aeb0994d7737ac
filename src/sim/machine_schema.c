#include "sim/machine_schema.h"

#include "core/criticality.h"
#include "mem/replace.h"
#include "vm/vm_schema.h"

#include <inttypes.h>
#include <stdio.h>

static const ww_key keys[] = {
    {.key = "machine.clusters",
     .type = WW_KEY_U64,
     .unit = "clusters",
     .min = "1",
     .max = "16",
     .initial = "1",
     .doc = "parts with a network of their own; compute units, DRAM channels with their L2 slices, "
            "and walkers are divided evenly among them"},
};

static int check_share(const ww_config *config, const char *key, ww_errors *errors)
{
    uint64_t clusters = ww_config_u64(config, "machine.clusters");
    uint64_t count = ww_config_u64(config, key);
    if (count == WW_INFINITE || count % clusters == 0)
        return WW_OK;
    return ww_fail(errors, WW_BAD_INPUT, ww_config_location(config, key, "machine.clusters", NULL),
                   "%s is %" PRIu64 ", which machine.clusters, %" PRIu64
                   ", does not divide (a multiple of %" PRIu64 ")",
                   key, count, clusters, clusters);
}

/* Without a prediction no request is of a critical warp, and the ways for them stay empty. */
static int check_criticality(const ww_config *config, const char *cache, ww_errors *errors)
{
    char key[32], size[32];
    snprintf(key, sizeof(key), "%s.replacement", cache);
    snprintf(size, sizeof(size), "%s.size", cache);
    const ww_policy *replace = ww_config_policy(config, key);
    const ww_policy *criticality = ww_config_policy(config, "core.criticality");
    if (!((const ww_replace *)(const void *)replace)->needs_criticality ||
        ((const ww_criticality *)(const void *)criticality)->warp_started ||
        !ww_config_bytes(config, size))
        return WW_OK;
    return ww_fail(errors, WW_BAD_INPUT, ww_config_location(config, key, "core.criticality", NULL),
                   "%s is %s, and core.criticality is %s (a policy that predicts: cpl)", key,
                   replace->name, criticality->name);
}

static int check(const ww_config *config, ww_errors *errors)
{
    static const char *const caches[] = {"l1d", "l1i", "l1s", "l2"};
    int status = check_share(config, "gpu.compute_units", errors);
    for (size_t i = 0; i < sizeof(caches) / sizeof(caches[0]); i++)
        status |= check_criticality(config, caches[i], errors);
    status |= check_share(config, "dram.channels", errors);
    if (ww_vm_is_ideal(config))
        return status;
    status |= check_share(config, "walk.walkers", errors);
    uint64_t clusters = ww_config_u64(config, "machine.clusters");
    if (clusters > 1 && ww_walks_go_to_dram(config))
        status |= ww_fail(errors, WW_BAD_INPUT,
                          ww_config_location(config, "walk.memory", "machine.clusters", NULL),
                          "walk.memory is dram, but machine.clusters is %" PRIu64
                          " (l2: walkers reach the memory of other clusters through the networks)",
                          clusters);
    return status;
}

const ww_schema ww_machine_schema = {
    .name = "machine",
    .doc = "the machine as a whole",
    .keys = keys,
    .count = sizeof(keys) / sizeof(keys[0]),
    .check = check,
};
