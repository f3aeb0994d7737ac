/* The sum of n integers: shuffles inside a warp, shared memory between warps, one atomic a block. */
#include <cuda_runtime.h>
#include <stdio.h>

__global__ void reduce(const int *in, unsigned long long *sum, int n)
{
    __shared__ int partial[32];
    int value = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        value += in[i];
    for (int offset = 16; offset > 0; offset /= 2)
        value += __shfl_down_sync(0xffffffff, value, offset);
    if (threadIdx.x % 32 == 0)
        partial[threadIdx.x / 32] = value;
    __syncthreads();
    if (threadIdx.x < 32) {
        value = threadIdx.x < blockDim.x / 32 ? partial[threadIdx.x] : 0;
        for (int offset = 16; offset > 0; offset /= 2)
            value += __shfl_down_sync(0xffffffff, value, offset);
        if (threadIdx.x == 0)
            atomicAdd(sum, (unsigned long long)value);
    }
}

/* Host code in the same file is parsed and not used: the launch file replaces it. */
int main()
{
    int *in;
    unsigned long long *sum, result;
    cudaMallocManaged(&in, 65536 * sizeof(int));
    cudaMallocManaged(&sum, sizeof(*sum));
    reduce<<<64, 256>>>(in, sum, 65536);
    cudaMemcpy(&result, sum, sizeof(result), cudaMemcpyDeviceToHost);
    printf("%llu\n", result);
}
