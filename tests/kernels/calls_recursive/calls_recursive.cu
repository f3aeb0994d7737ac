// Recursion, mutual recursion and calls through tables of functions, all of them divergent; virtual
// functions; structs by value in and out of functions that are not inlined.
struct pair { int first; long long second; char tag; };

static __device__ __noinline__ unsigned fibonacci(unsigned n)
{
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

__device__ bool is_odd(unsigned n);
__device__ __noinline__ bool is_even(unsigned n) { return n == 0 ? true : is_odd(n - 1); }
__device__ __noinline__ bool is_odd(unsigned n) { return n == 0 ? false : is_even(n - 1); }

__device__ __noinline__ int ackermann(int m, int n)
{
    if (m == 0)
        return n + 1;
    return ackermann(m - 1, n == 0 ? 1 : ackermann(m, n - 1));
}

__device__ __noinline__ pair swap(pair p, int by)
{
    pair r = {(int)p.second, p.first + by, (char)(p.tag ^ by)};
    return r;
}

typedef int (*operation)(int, int);
__device__ __noinline__ int add(int a, int b) { return a + b; }
__device__ __noinline__ int multiply(int a, int b) { return a * b; }
__device__ __noinline__ int odd_one(int a, int b) { return (int)fibonacci(a & 7) - b; }
__device__ operation const table[] = {add, multiply, odd_one, add};

struct shape {
    int size;
    __device__ shape(int s) : size(s) {}
    __device__ virtual int area() const { return 0; }
    __device__ virtual ~shape() {}
};
struct square : shape {
    __device__ square(int s) : shape(s) {}
    __device__ int area() const override { return size * size; }
};
struct strip : shape {
    int length;
    __device__ strip(int s, int l) : shape(s), length(l) {}
    __device__ int area() const override { return size * length; }
};

__global__ void calls_recursive(const int *in, long long *out, pair start)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    int v = in[i];
    long long *o = out + i * 6;
    o[0] = fibonacci((unsigned)v % 11);
    o[1] = (unsigned)v % 3 ? is_even((unsigned)v % 17) : 7;
    o[2] = ackermann(v & 1, v >> 1 & 3) + (v & 16 ? ackermann(2, v >> 5 & 1) : 0);
    pair p = start;
    for (int n = 0; n < (v & 3); n++)
        p = swap(p, v & 255);
    o[3] = p.first * 1000LL + p.second + p.tag;
    o[4] = table[v & 3](v & 1023, v >> 4 & 63);
    square s(v & 31);
    strip t(v & 15, 3);
    shape const *chosen = v & 32 ? (shape const *)&s : (shape const *)&t;
    o[5] = chosen->area();
}
