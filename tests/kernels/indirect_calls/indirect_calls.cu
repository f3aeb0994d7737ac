// Calls through tables: the lanes of a warp call different functions at once, also from a loop, and
// functions get pointers to functions.
typedef int operation(int, int);

__device__ __noinline__ int add(int a, int b) { return a + b; }
__device__ __noinline__ int subtract(int a, int b) { return a - b; }
__device__ __noinline__ int multiply(int a, int b) { return a * b; }
__device__ __noinline__ int larger(int a, int b) { return a > b ? a : b; }
__device__ __noinline__ int power(int a, int b)
{
    int r = 1;
    for (int n = 0; n < (b & 7); n++)
        r *= a;
    return r;
}

__device__ operation *table[5] = {add, subtract, multiply, larger, power};

__device__ __noinline__ int twice(operation *f, int a, int b)
{
    return f(f(a, b), b);
}

extern "C" __global__ void indirect_calls(const int *in, int *out, int length)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int sum = in[i];
    for (int n = 0; n < length; n++) {
        unsigned which = (unsigned)(sum + i + n) % 6;
        if (which == 5)
            continue;
        sum = table[which](sum, i % 17 + n);
        if (sum < -1000)
            break;
    }
    out[i] = i % 3 ? twice(table[i % 5], sum, i) : sum;
}
