#include "paging/driver.h"

/* One line for each policy of this folder. */
#define MEMBERS(X)   \
    X(transfer_sets) \
    X(uvm)

#define DECLARE(name) extern const ww_paging_driver ww_paging_driver_##name;
MEMBERS(DECLARE)

#define LIST(name) &ww_paging_driver_##name.policy,
static const ww_policy *const members[] = {MEMBERS(LIST)};

const ww_policy_family ww_paging_driver_family = {
    .name = "paging driver",
    .key = "paging.driver",
    .doc = "the software on the host that serves far-faults",
    .members = members,
    .count = sizeof(members) / sizeof(members[0]),
};
