#include "config/config.h"
#include "mem/replace.h"

#include <stdio.h>
#include <string.h>

/* One line for each file of this folder. */
#define MEMBERS(X) \
    X(lru)         \
    X(plru)        \
    X(random)      \
    X(srrip)

#define DECLARE(name) extern const ww_replace ww_replace_##name;
MEMBERS(DECLARE)

#define LIST(name) &ww_replace_##name.policy,
static const ww_policy *const members[] = {MEMBERS(LIST)};

#define FAMILY(cache, what)                                      \
    const ww_policy_family ww_replace_##cache##_family = {       \
        .name = what " replacement",                             \
        .key = #cache ".replacement",                            \
        .doc = "which line of a set of the " what " is evicted", \
        .members = members,                                      \
        .count = sizeof(members) / sizeof(members[0]),           \
    };

FAMILY(l1d, "L1 data cache")
FAMILY(l1i, "L1 instruction cache")
FAMILY(l1s, "L1 scalar cache")
FAMILY(l2, "L2 cache")

static uint64_t number_beside(const struct ww_config *config, const char *key, const char *name)
{
    char path[64];
    const char *dot = strchr(key, '.');
    if (!dot)
        return 0;
    snprintf(path, sizeof(path), "%.*s.%s", (int)(dot - key), key, name);
    const ww_setting *setting = ww_config_find(config, path);
    if (!setting)
        return 0;
    return setting->key->type == WW_KEY_BYTES ? ww_config_bytes(config, path)
                                              : ww_config_u64(config, path);
}

ww_replace_geometry ww_replace_geometry_of(const struct ww_config *config, const char *key)
{
    uint64_t size = number_beside(config, key, "size");
    uint64_t line = number_beside(config, "l1d.replacement", "line"); /* of all caches */
    uint64_t ways = number_beside(config, key, "ways");
    return (ww_replace_geometry){line && ways ? size / line / ways : 0, ways};
}
