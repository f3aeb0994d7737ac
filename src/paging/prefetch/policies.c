#include "paging/prefetch.h"

/* One line for each policy of this folder. */
#define MEMBERS(X) \
    X(none)        \
    X(random)      \
    X(sequential)  \
    X(locality)    \
    X(oracle)      \
    X(tree)

#define DECLARE(name) extern const ww_prefetch ww_prefetch_##name;
MEMBERS(DECLARE)

#define LIST(name) &ww_prefetch_##name.policy,
static const ww_policy *const members[] = {MEMBERS(LIST)};

const ww_policy_family ww_prefetch_family = {
    .name = "page prefetching",
    .key = "paging.prefetch",
    .doc = "which pages come besides those that faulted",
    .members = members,
    .count = sizeof(members) / sizeof(members[0]),
};

/* Those without keys of their own, which paging.prefetch has. */
static const ww_policy *const warm_members[] = {LIST(none) LIST(sequential) LIST(oracle)};

const ww_policy_family ww_warm_family = {
    .name = "page prefetching before memory is full",
    .key = "paging.warm",
    .doc = "which pages come until memory is full for the first time, instead of paging.prefetch",
    .members = warm_members,
    .count = sizeof(warm_members) / sizeof(warm_members[0]),
};
