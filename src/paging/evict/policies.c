#include "paging/evict.h"

/* One line for each policy of this folder. */
#define MEMBERS(X) \
    X(random)      \
    X(lru)         \
    X(allocation2m)

#define DECLARE(name) extern const ww_evict ww_evict_##name;
MEMBERS(DECLARE)

#define LIST(name) &ww_evict_##name.policy,
static const ww_policy *const members[] = {MEMBERS(LIST)};

const ww_policy_family ww_evict_family = {
    .name = "page eviction",
    .key = "paging.evict",
    .doc = "which resident page leaves when memory is full",
    .members = members,
    .count = sizeof(members) / sizeof(members[0]),
};
