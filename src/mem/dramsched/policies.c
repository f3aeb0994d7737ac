#include "mem/dramsched.h"

/* One line for each file of this folder. */
#define MEMBERS(X) \
    X(fcfs)        \
    X(frfcfs)      \
    X(pte_first)

#define DECLARE(name) extern const ww_dramsched ww_dramsched_##name;
MEMBERS(DECLARE)

#define LIST(name) &ww_dramsched_##name.policy,
static const ww_policy *const members[] = {MEMBERS(LIST)};

const ww_policy_family ww_dramsched_family = {
    .name = "DRAM scheduling",
    .key = "dram.scheduler",
    .doc = "which waiting request of a DRAM channel has the next command",
    .members = members,
    .count = sizeof(members) / sizeof(members[0]),
};
