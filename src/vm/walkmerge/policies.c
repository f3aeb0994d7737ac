#include "vm/walkmerge.h"

/* One line for each policy of this folder. */
#define MEMBERS(X) \
    X(none)        \
    X(mpw)         \
    X(neighborhood)

#define DECLARE(name) extern const ww_walkmerge ww_walkmerge_##name;
MEMBERS(DECLARE)

#define LIST(name) &ww_walkmerge_##name.policy,
static const ww_policy *const members[] = {MEMBERS(LIST)};

const ww_policy_family ww_walkmerge_family = {
    .name = "walk merging",
    .key = "walk.merge",
    .doc = "which walks share a line of page-table entries, or a walker",
    .members = members,
    .count = sizeof(members) / sizeof(members[0]),
};
