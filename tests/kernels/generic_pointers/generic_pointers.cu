// One pointer that is to global, shared, local or constant memory, lane by lane; variables of the
// module, with addresses of others as initial values; pointers kept in memory.
__constant__ unsigned table[8] = {3, 1, 4, 1, 5, 9, 2, 6};
__device__ unsigned counters[4] = {10, 20, 30, 40};
__device__ unsigned *const places[3] = {&counters[1], &counters[3], counters};
__device__ unsigned visits;

__device__ __noinline__ unsigned take(const unsigned *p, unsigned n)
{
    unsigned sum = 0;
    for (unsigned i = 0; i < n; i++)
        sum = sum * 7 + p[i];
    return sum;
}

extern "C" __global__ void generic_pointers(const unsigned *in, unsigned *out, unsigned **links)
{
    __shared__ unsigned shared[64];
    unsigned own[4];
    unsigned l = threadIdx.x, i = blockIdx.x * blockDim.x + l;
    shared[l] = in[i] + l;
    for (unsigned n = 0; n < 4; n++)
        own[(n + l) % 4] = in[i] ^ n;
    __syncthreads();
    const unsigned *p;
    switch (in[i] % 5) {
    case 0: p = in + i / 2; break;
    case 1: p = shared + l / 2; break;
    case 2: p = own; break;
    case 3: p = table + l % 4; break;
    default: p = places[l % 3]; break;
    }
    unsigned n = p == places[1] ? 1 : 1 + l % 3;
    out[i] = take(p, n);
    unsigned *target = in[i] & 1 ? &shared[l] : &own[l % 4];
    __syncthreads();
    *target += 1000;
    links[i] = &out[i];
    atomicAdd(&visits, 1);
    *links[i] += shared[l] * 3 + own[l % 4];
}

extern "C" __global__ void follow(unsigned **links, unsigned *out)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = *links[gridDim.x * blockDim.x - 1 - i] + visits;
}

extern "C" __global__ void forget(unsigned **links)
{
    links[blockIdx.x * blockDim.x + threadIdx.x] = 0;
}
