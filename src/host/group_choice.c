#include "host/group_choice.h"

static uint64_t largest_divisor(uint64_t number, uint64_t most)
{
    uint64_t divisor = most < number ? most : number;
    while (number % divisor != 0)
        divisor--;
    return divisor;
}

/* Makes the last dimension that can be smaller smaller, until the group is small enough. */
static void shrink(unsigned dims, uint64_t most_items, const uint64_t global[3], uint64_t local[3])
{
    for (unsigned d = dims; d-- > 0;) {
        uint64_t others = 1;
        for (unsigned e = 0; e < d; e++)
            others *= local[e];
        uint64_t limit = others < most_items ? most_items / others : 1;
        if (local[d] > limit)
            local[d] = largest_divisor(global[d], limit);
    }
}

void ww_choose_group(const ww_function *function, unsigned dims, uint64_t most_items,
                     const uint64_t global[3], uint64_t local[3])
{
    static const uint64_t most[3][3] = {{256, 1, 1}, {16, 16, 1}, {8, 8, 4}};
    bool required = function->required_group[0] > 0;
    for (unsigned d = 0; d < dims; d++) {
        uint64_t limit = most[dims - 1][d];
        if (function->most_group[d] > 0 && function->most_group[d] < limit)
            limit = function->most_group[d];
        local[d] = required ? function->required_group[d] : largest_divisor(global[d], limit);
    }
    if (!required)
        shrink(dims, most_items, global, local);
}
