/* Shuffles, votes and matches in warps of 32, also among some lanes only. */
extern "C" __global__ void warp_votes(const unsigned *in, unsigned *out)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32, v = in[i];
    unsigned sum = v;
    for (int d = 16; d > 0; d /= 2)
        sum += __shfl_xor_sync(0xffffffff, sum, d);
    unsigned scan = v;
    for (int d = 1; d < 32; d *= 2) {
        unsigned left = __shfl_up_sync(0xffffffff, scan, d);
        if (lane >= d)
            scan += left;
    }
    unsigned odd = __ballot_sync(0xffffffff, v & 1);
    unsigned some = __any_sync(0xffffffff, v % 64 == 7) | __all_sync(0xffffffff, v % 64 != 9) << 1;
    unsigned quarter = __shfl_sync(0xffffffff, v, 3, 8) + __shfl_down_sync(0xffffffff, v, 2, 4);
    unsigned few = 0;
    if (v & 2)
        few = __popc(__ballot_sync(__activemask(), v & 4));
    out[i * 4] = sum ^ scan;
    out[i * 4 + 1] = odd;
    out[i * 4 + 2] = some | few << 2;
    out[i * 4 + 3] = quarter;
}
