#include "vm/tlbmerge.h"

/* One line for each policy of this folder. */
#define MEMBERS(X) \
    X(none)        \
    X(snakebyte)

#define DECLARE(name) extern const ww_tlbmerge ww_tlbmerge_##name;
MEMBERS(DECLARE)

#define LIST(name) &ww_tlbmerge_##name.policy,
static const ww_policy *const members[] = {MEMBERS(LIST)};

const ww_policy_family ww_tlbmerge_family = {
    .name = "TLB merging",
    .key = "tlb.merge",
    .doc = "which pages share an entry of a TLB",
    .members = members,
    .count = sizeof(members) / sizeof(members[0]),
};
