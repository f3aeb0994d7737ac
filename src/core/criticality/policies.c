#include "core/criticality.h"

/* One line for each policy of this folder. */
#define MEMBERS(X) \
    X(none)        \
    X(profiled)

#define DECLARE(name) extern const ww_criticality ww_criticality_##name;
MEMBERS(DECLARE)

#define LIST(name) &ww_criticality_##name.policy,
static const ww_policy *const members[] = {MEMBERS(LIST)};

const ww_policy_family ww_criticality_family = {
    .name = "warp criticality",
    .key = "core.criticality",
    .doc = "how critical each warp is, for schedulers and caches that ask",
    .members = members,
    .count = sizeof(members) / sizeof(members[0]),
};
