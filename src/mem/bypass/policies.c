#include "mem/bypass.h"

/* One line for each file of this folder. */
#define MEMBERS(X) \
    X(none)        \
    X(all)         \
    X(fixed)       \
    X(pc_adaptive) \
    X(ctrl_c)

#define DECLARE(name) extern const ww_bypass ww_bypass_##name;
MEMBERS(DECLARE)

#define LIST(name) &ww_bypass_##name.policy,
static const ww_policy *const members[] = {MEMBERS(LIST)};

const ww_policy_family ww_bypass_family = {
    .name = "L1 data cache bypass",
    .key = "l1d.bypass",
    .doc = "which loads that miss in the L1 data cache are not kept there",
    .members = members,
    .count = sizeof(members) / sizeof(members[0]),
    .geometry = ww_cache_policy_geometry,
};
