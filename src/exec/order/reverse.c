#include "exec/order.h"

static size_t next(void *state, size_t ready_count)
{
    (void)state;
    return ready_count - 1;
}

extern const ww_order ww_order_reverse;
const ww_order ww_order_reverse = {
    .policy = {.name = "reverse", .doc = "the last in launch order"},
    .next = next,
};
