// Recursion to a depth that differs between lanes: one function, a tree with two calls, a walk over
// a tree in memory with a stack frame of its own, and two functions that call each other.
__device__ __noinline__ unsigned fib(unsigned n)
{
    return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

__device__ __noinline__ unsigned ackermann(unsigned m, unsigned n)
{
    if (m == 0)
        return n + 1;
    if (n == 0)
        return ackermann(m - 1, 1);
    return ackermann(m - 1, ackermann(m, n - 1));
}

// A heap-shaped tree: children of node n are 2n + 1 and 2n + 2. Notes the path on the way down.
__device__ __noinline__ unsigned walk(const unsigned *tree, unsigned count, unsigned node,
                                      unsigned skip)
{
    unsigned path[4] = {node, skip, 0, 0};
    if (node >= count || tree[node] % 7 == skip)
        return 0;
    path[2] = walk(tree, count, 2 * node + 1, skip);
    path[3] = walk(tree, count, 2 * node + 2, (skip + 1) % 7);
    return tree[path[0]] + path[2] * 2 + path[3] * 3 + path[1];
}

__device__ __noinline__ unsigned male(unsigned n);

__device__ __noinline__ unsigned female(unsigned n)
{
    return n == 0 ? 1 : n - male(female(n - 1));
}

__device__ __noinline__ unsigned male(unsigned n)
{
    return n == 0 ? 0 : n - female(male(n - 1));
}

extern "C" __global__ void recursion(const unsigned *tree, unsigned count, unsigned *out)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned *mine = out + 5 * i;
    mine[0] = fib(i % 10);
    mine[1] = ackermann(i % 3, i % 5);
    mine[2] = walk(tree, count, i % 9, i % 7);
    if (i & 1)
        mine[3] = female(i % 14);
    else
        mine[3] = male(i % 11);
    mine[4] = fib(mine[3]);
}
