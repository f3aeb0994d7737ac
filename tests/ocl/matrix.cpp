// Multiplies matrices with the C++ bindings: kernel functors, exceptions, local memory.
#define CL_HPP_TARGET_OPENCL_VERSION 300
#define CL_HPP_ENABLE_EXCEPTIONS
#include <CL/opencl.hpp>

#include <cstdio>
#include <vector>

static const char *source = R"(
#define TILE 8
kernel void multiply(global const float *a, global const float *b, global float *c, int n)
{
    local float ta[TILE][TILE], tb[TILE][TILE];
    int x = get_global_id(0), y = get_global_id(1), lx = get_local_id(0), ly = get_local_id(1);
    float sum = 0;
    for (int t = 0; t < n; t += TILE) {
        ta[ly][lx] = a[y * n + t + lx];
        tb[ly][lx] = b[(t + ly) * n + x];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < TILE; k++)
            sum += ta[ly][k] * tb[k][lx];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[y * n + x] = sum;
})";

static bool verify(const std::vector<float> &a, const std::vector<float> &b,
                   const std::vector<float> &c, int n)
{
    for (int y = 0; y < n; y++)
        for (int x = 0; x < n; x++) {
            float sum = 0;
            for (int k = 0; k < n; k++)
                sum += a[size_t(y * n + k)] * b[size_t(k * n + x)];
            if (sum != c[size_t(y * n + x)])
                return false;
        }
    return true;
}

int main()
try {
    const int n = 32;
    std::vector<float> a(n * n), b(n * n), c(n * n);
    for (size_t i = 0; i < a.size(); i++) {
        a[i] = float(i % 7);
        b[i] = float(i % 5);
    }
    cl::Context context(CL_DEVICE_TYPE_GPU);
    cl::CommandQueue queue(context);
    cl::Program program(context, source, true);
    cl::KernelFunctor<cl::Buffer, cl::Buffer, cl::Buffer, int> multiply(program, "multiply");
    cl::Buffer da(context, a.begin(), a.end(), true), db(context, b.begin(), b.end(), true);
    cl::Buffer dc(context, CL_MEM_WRITE_ONLY, c.size() * sizeof(float));
    multiply(cl::EnqueueArgs(queue, cl::NDRange(n, n), cl::NDRange(8, 8)), da, db, dc, n).wait();
    cl::copy(queue, dc, c.begin(), c.end());
    if (!verify(a, b, c, n))
        return 1;
    try {
        cl::Kernel none(program, "none");
        return 1;
    } catch (const cl::Error &error) {
        if (error.err() != CL_INVALID_KERNEL_NAME)
            return 1;
    }
    std::puts("right");
    return 0;
} catch (const cl::Error &error) {
    std::fprintf(stderr, "%s: %d\n", error.what(), error.err());
    return 1;
}
