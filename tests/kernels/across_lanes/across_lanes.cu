// Shuffles, votes and matches in warps of 32, also under divergence: the
// same in warps of 64, which are two of them.
extern "C" __global__ void across_lanes(const unsigned *in, unsigned *out)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
    unsigned v = in[i], sum = v, scan = v;
    unsigned mask = __activemask();
    for (int step = 16; step > 0; step /= 2)
        sum += __shfl_xor_sync(0xffffffff, sum, step);
    for (int step = 1; step < 32; step *= 2) {
        unsigned other = __shfl_up_sync(0xffffffff, scan, step);
        if (lane >= step)
            scan += other;
    }
    unsigned odd = __ballot_sync(0xffffffff, v & 1);
    unsigned r = sum * 3 + scan * 5 + odd + __popc(mask);
    r += __any_sync(0xffffffff, v % 50 == 0) * 11 + __all_sync(0xffffffff, v < 950) * 13;
    r ^= __shfl_down_sync(0xffffffff, v, 3, 8) + __shfl_sync(0xffffffff, v, v % 32);
    if (v & 4) {
        unsigned some = __activemask();
        r += __popc(some) * 100 + __ballot_sync(some, v & 2) % 1001;
        r ^= __shfl_sync(some, v, __ffs(some) - 1);
    } else if (v & 8) {
        unsigned same = __match_any_sync(__activemask(), v % 4);
        r += same % 10007;
    }
    out[i] = r;
}
