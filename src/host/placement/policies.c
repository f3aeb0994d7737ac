#include "host/placement.h"

/* One line for each file of this folder. */
#define MEMBERS(X) \
    X(guarded)     \
    X(packed)

#define DECLARE(name) extern const ww_placement ww_placement_##name;
MEMBERS(DECLARE)

#define LIST(name) &ww_placement_##name.policy,
static const ww_policy *const members[] = {MEMBERS(LIST)};

const ww_policy_family ww_placement_family = {
    .name = "buffer placement",
    .key = "memory.placement",
    .doc = "the virtual address of a new buffer",
    .members = members,
    .count = sizeof(members) / sizeof(members[0]),
};
