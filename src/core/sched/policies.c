#include "core/scheduler.h"

/* One line for each policy of this folder. */
#define MEMBERS(X) \
    X(rr)          \
    X(gto)         \
    X(two_level)   \
    X(caws_blk)    \
    X(caws_sm)     \
    X(caws_avg)    \
    X(gcaws)       \
    X(turns)       \
    X(turns_blk)   \
    X(turns_sm)    \
    X(turns_avg)   \
    X(longest)

#define DECLARE(name) extern const ww_scheduler ww_scheduler_##name;
MEMBERS(DECLARE)

#define LIST(name) &ww_scheduler_##name.policy,
static const ww_policy *const members[] = {MEMBERS(LIST)};

const ww_policy_family ww_scheduler_family = {
    .name = "warp scheduler",
    .key = "core.scheduler",
    .doc = "which ready warp issues",
    .members = members,
    .count = sizeof(members) / sizeof(members[0]),
};
