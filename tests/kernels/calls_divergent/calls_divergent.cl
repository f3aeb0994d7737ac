/* Functions that are not inlined, called from both sides of branches, from loops whose lanes leave
 * early, and from each other. */
static __attribute__((noinline)) uint twist(uint a, uint b)
{
    if (a > b)
        return a - b;
    return (b << 1) ^ a;
}

static __attribute__((noinline)) ulong spread(uint a, uint rounds)
{
    ulong r = a;
    for (uint i = 0; i < rounds; i++) {
        if (r & 1)
            r = r * 3 + twist(i, a);
        else
            r >>= 1;
        if (r == 5)
            return 55;
    }
    return r;
}

static __attribute__((noinline)) void both(uint a, uint *low, uint *high)
{
    *low = twist(a, 100);
    *high = twist(100, a);
}

kernel void calls_divergent(global const uint *in, global ulong *out)
{
    size_t i = get_global_id(0);
    uint v = in[i] % 1000, low = 0, high = 0;
    ulong r = 0;
    if (v & 1)
        r = spread(v, v % 9);
    else if (v & 2)
        r = twist(v, 300);
    else {
        both(v, &low, &high);
        r = low * 7ul + high;
    }
    for (uint n = 0; n < v % 4; n++) {
        r += spread(v + n, 4);
        if (r % 11 == 3)
            break;
        r ^= twist((uint)r, n);
    }
    out[i] = r;
}
