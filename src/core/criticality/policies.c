#include "core/criticality.h"

/* One line for each policy of this folder. */
#define MEMBERS(X) \
    X(none)        \
    X(profiled)    \
    X(cpl)

#define DECLARE(name) extern const ww_criticality ww_criticality_##name;
MEMBERS(DECLARE)

#define LIST(name) &ww_criticality_##name.policy,
static const ww_policy *const members[] = {MEMBERS(LIST)};

static void geometry(ww_policy_start *start)
{
    start->slots = ww_config_u64(start->config, "core.wavefronts");
}

const ww_policy_family ww_criticality_family = {
    .name = "warp criticality",
    .key = "core.criticality",
    .doc = "how critical each warp is, for schedulers and caches that ask",
    .members = members,
    .count = sizeof(members) / sizeof(members[0]),
    .geometry = geometry,
};

const char *const ww_critical_warps[] = {"slow", "top", NULL};

double ww_criticality_accuracy(const void *counters, const ww_config *config)
{
    const ww_warp_criticality *all = counters;
    (void)config;
    return ww_ratio((double)all->slow_samples, (double)all->samples);
}
