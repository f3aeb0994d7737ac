#include "exec/order.h"

static void start(void *state, uint64_t seed)
{
    (void)state;
    (void)seed;
}

static size_t next(void *state, size_t ready_count)
{
    (void)state;
    return ready_count - 1;
}

extern const ww_order ww_order_reverse;
const ww_order ww_order_reverse = {
    .policy = {.name = "reverse", .doc = "the last in launch order"},
    .start = start,
    .next = next,
};
