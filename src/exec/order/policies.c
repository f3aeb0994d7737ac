#include "exec/order.h"

/* One line for each policy: a file of this folder. */
#define MEMBERS(X) \
    X(in_order)    \
    X(reverse)     \
    X(random)

#define DECLARE(name) extern const ww_order ww_order_##name;
MEMBERS(DECLARE)

#define LIST(name) &ww_order_##name.policy,
static const ww_policy *const members[] = {MEMBERS(LIST)};

const ww_policy_family ww_order_family = {
    .name = "execution order",
    .key = "exec.order",
    .doc = "which ready group and warp runs next in functional execution",
    .members = members,
    .count = sizeof(members) / sizeof(members[0]),
};
