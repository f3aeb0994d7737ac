#include "vm/frames.h"

/* One line for each policy of this folder. */
#define MEMBERS(X) \
    X(contiguous)  \
    X(interleaved) \
    X(random)

#define DECLARE(name) extern const ww_frame_order ww_frame_order_##name;
MEMBERS(DECLARE)

#define LIST(name) &ww_frame_order_##name.policy,
static const ww_policy *const members[] = {MEMBERS(LIST)};

const ww_policy_family ww_frame_order_family = {
    .name = "frame order",
    .key = "vm.frames",
    .doc = "which frame of the physical memory a page gets",
    .members = members,
    .count = sizeof(members) / sizeof(members[0]),
};
