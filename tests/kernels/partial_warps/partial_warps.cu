// Groups that do not fill their last warp: sizes 1, 33, 100 and 9 x 7. Sums over the group go
// through shared memory; the last work-items take other ways than the rest.
extern __shared__ unsigned partial[];

extern "C" __global__ void partial_warps(const unsigned *in, unsigned *sums, unsigned *out)
{
    unsigned size = blockDim.x * blockDim.y;
    unsigned l = threadIdx.y * blockDim.x + threadIdx.x, i = blockIdx.x * size + l;
    partial[l] = in[i];
    if (l + 1 == size)
        partial[l] *= 2;
    else if (l >= size / 2)
        partial[l] += l;
    for (unsigned width = size; width > 1; width = (width + 1) / 2) {
        __syncthreads();
        unsigned half = (width + 1) / 2;
        if (l < width / 2)
            partial[l] += partial[l + half];
    }
    __syncthreads();
    out[i] = partial[0] + l;
    if (l == 0)
        sums[blockIdx.x] = partial[0];
}
