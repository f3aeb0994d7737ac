#include "config/config.h"
#include "mem/replace.h"

#include <stdio.h>

/* One line for each file of this folder. */
#define MEMBERS(X) \
    X(lru)         \
    X(plru)        \
    X(random)      \
    X(srrip)       \
    X(ship)        \
    X(cacp)

#define DECLARE(name) extern const ww_replace ww_replace_##name;
MEMBERS(DECLARE)

#define LIST(name) &ww_replace_##name.policy,
static const ww_policy *const members[] = {MEMBERS(LIST)};

static uint64_t number_of(const ww_config *config, const char *prefix, const char *name)
{
    char path[64];
    uint64_t number = 0;
    snprintf(path, sizeof(path), "%s.%s", prefix, name);
    return ww_config_whole(config, path, &number) ? number : 0;
}

void ww_cache_policy_geometry(ww_policy_start *start)
{
    uint64_t size = number_of(start->config, start->prefix, "size");
    uint64_t line = number_of(start->config, "l1d", "line");
    start->line = line;
    start->ways = number_of(start->config, start->prefix, "ways");
    start->sets = line && start->ways ? size / line / start->ways : 0;
}

#define FAMILY(cache, what)                                      \
    const ww_policy_family ww_replace_##cache##_family = {       \
        .name = what " replacement",                             \
        .key = #cache ".replacement",                            \
        .doc = "which line of a set of the " what " is evicted", \
        .members = members,                                      \
        .count = sizeof(members) / sizeof(members[0]),           \
        .geometry = ww_cache_policy_geometry,                    \
    };

FAMILY(l1d, "L1 data cache")
FAMILY(l1i, "L1 instruction cache")
FAMILY(l1s, "L1 scalar cache")
FAMILY(l2, "L2 cache")
