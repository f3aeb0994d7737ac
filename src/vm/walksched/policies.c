#include "vm/walksched.h"

/* One line for each policy of this folder. */
#define MEMBERS(X) \
    X(fcfs)        \
    X(random)      \
    X(sjf)         \
    X(batch)       \
    X(simt)

#define DECLARE(name) extern const ww_walksched ww_walksched_##name;
MEMBERS(DECLARE)

#define LIST(name) &ww_walksched_##name.policy,
static const ww_policy *const members[] = {MEMBERS(LIST)};

const ww_policy_family ww_walksched_family = {
    .name = "walk scheduler",
    .key = "walk.scheduler",
    .doc = "which waiting page walk is selected next",
    .members = members,
    .count = sizeof(members) / sizeof(members[0]),
};
