#include "support/reference.h"

static uint32_t fib(uint32_t n)
{
    uint32_t a = 0, b = 1;
    while (n-- > 0) {
        uint32_t next = a + b;
        a = b;
        b = next;
    }
    return a;
}

/* The closed forms for the first argument up to 2. */
static uint32_t ackermann(uint32_t m, uint32_t n)
{
    return m == 0 ? n + 1 : m == 1 ? n + 2 : 2 * n + 3;
}

static uint32_t walk(const uint32_t *tree, uint32_t count, uint32_t node, uint32_t skip)
{
    if (node >= count || tree[node] % 7 == skip)
        return 0;
    return tree[node] + 2 * walk(tree, count, 2 * node + 1, skip) +
           3 * walk(tree, count, 2 * node + 2, (skip + 1) % 7) + skip;
}

REFERENCE(recursion)
{
    const uint32_t *tree = reference_input(r, "tree");
    uint32_t *out = reference_wanted(r, "out"), female[16] = {1}, male[16] = {0};
    uint32_t count = (uint32_t)reference_bytes(r, "tree") / 4;
    for (uint32_t n = 1; n < 16; n++) {
        female[n] = n - male[female[n - 1]];
        male[n] = n - female[male[n - 1]];
    }
    for (uint32_t i = 0; i < reference_bytes(r, "out") / 20; i++) {
        uint32_t *mine = out + 5 * i;
        mine[0] = fib(i % 10);
        mine[1] = ackermann(i % 3, i % 5);
        mine[2] = walk(tree, count, i % 9, i % 7);
        mine[3] = i & 1 ? female[i % 14] : male[i % 11];
        mine[4] = fib(mine[3]);
    }
}
