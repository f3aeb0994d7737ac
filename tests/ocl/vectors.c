/* Vectors of bytes: arguments of every size, and loads and stores that are aligned to an element
 * only (OpenCL C, vload and vstore), in every address space. Vectors of halves: comparisons,
 * extremes and conversions. */
#include "support.h"

static const char *const source =
    "kernel void arguments(char2 a, uchar2 b, char3 c, uchar4 d, char8 e, uchar16 f, short2 g,\n"
    "                      ushort3 h, global int *r)\n"
    "{\n"
    "    vstore2(convert_int2(a), 0, r);\n"
    "    vstore2(convert_int2(b), 0, r + 2);\n"
    "    vstore3(convert_int3(c), 0, r + 4);\n"
    "    vstore4(convert_int4(d), 0, r + 7);\n"
    "    vstore8(convert_int8(e), 0, r + 11);\n"
    "    vstore16(convert_int16(f), 0, r + 19);\n"
    "    vstore2(convert_int2(g), 0, r + 35);\n"
    "    vstore3(convert_int3(h), 0, r + 37);\n"
    "}\n"
    "#define COPY(type, at)                                                          \\\n"
    "    local type l[64];                                                           \\\n"
    "    private type p[64];                                                         \\\n"
    "    for (int i = 0; i < 64; i++)                                                \\\n"
    "        l[i] = p[i] = 0;                                                        \\\n"
    "    vstore16(vload16(1, from + at), 1, l + at);                                 \\\n"
    "    vstore16(vload16(1, l + at), 1, p + at);                                    \\\n"
    "    vstore16(vload16(1, p + at), 1, to + at);                                   \\\n"
    "    vstore16(vload16(1, fixed + at), 2, to + at);\n"
    "kernel void chars(global char *from, constant char *fixed, global char *to, int at)\n"
    "{ COPY(char, at) }\n"
    "kernel void uchars(global uchar *from, constant uchar *fixed, global uchar *to, int at)\n"
    "{ COPY(uchar, at) }\n";

static void arguments(cl_program program)
{
    cl_kernel kernel = kernel_of(program, "arguments");
    cl_mem mem = buffer_of(64 * sizeof(int));
    cl_char a[2] = {-1, 1}, c[4] = {-2, -3, 4, 99}, e[8] = {1, -2, 3, -4, 5, -6, 7, -8};
    cl_uchar b[2] = {255, 1}, d[4] = {250, 1, 251, 2}, f[16];
    cl_short g[2] = {-300, 301};
    cl_ushort h[4] = {65535, 1, 65534, 7};
    int wanted[40], got[40], at = 0;
    size_t one = 1;
    for (int i = 0; i < 16; i++)
        f[i] = (cl_uchar)(i * 17);
#define ARGUMENT(index, values, count)              \
    set_arg(kernel, index, sizeof(values), values); \
    for (int i = 0; i < (count); i++)               \
        wanted[at++] = (values)[i];
    ARGUMENT(0, a, 2)
    ARGUMENT(1, b, 2)
    ARGUMENT(2, c, 3)
    ARGUMENT(3, d, 4)
    ARGUMENT(4, e, 8)
    ARGUMENT(5, f, 16)
    ARGUMENT(6, g, 2)
    ARGUMENT(7, h, 3)
    set_arg(kernel, 8, sizeof(mem), &mem);
    OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
    read_all(mem, sizeof(got), got);
    MUST(at == 40 && memcmp(got, wanted, sizeof(got)) == 0);
    OK(clReleaseMemObject(mem));
    OK(clReleaseKernel(kernel));
}

/* Functions that take and return two bytes and ask not to be inlined. */
static void calls(void)
{
    cl_program program =
        build("__attribute__((noinline)) char2 sum(char2 a, uchar2 b)\n"
              "{ return a + (char2)(b.x, b.y); }\n"
              "__attribute__((__noinline__)) int difference(char2 a) { return a.x - a.y; }\n"
              "__attribute__((noinline)) uchar2 parts(int a) { return (uchar2)(a, a >> 8); }\n"
              "kernel void k(global char2 *a, global uchar2 *b, global int *r)\n"
              "{\n"
              "    a[0] = sum(a[0], b[0]);\n"
              "    r[0] = difference(a[0]);\n"
              "    b[0] = parts(r[1]);\n"
              "}\n",
              NULL);
    cl_kernel kernel = kernel_of(program, "k");
    cl_mem a = buffer_of(2), b = buffer_of(2), r = buffer_of(8);
    cl_char first[2] = {-100, 50};
    cl_uchar second[2] = {30, 60};
    int result[2] = {0, 0x2211};
    size_t one = 1;
    OK(clEnqueueWriteBuffer(queue, a, CL_TRUE, 0, 2, first, 0, NULL, NULL));
    OK(clEnqueueWriteBuffer(queue, b, CL_TRUE, 0, 2, second, 0, NULL, NULL));
    OK(clEnqueueWriteBuffer(queue, r, CL_TRUE, 0, 8, result, 0, NULL, NULL));
    set_arg(kernel, 0, sizeof(a), &a);
    set_arg(kernel, 1, sizeof(b), &b);
    set_arg(kernel, 2, sizeof(r), &r);
    OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
    read_all(a, 2, first);
    read_all(b, 2, second);
    read_all(r, 8, result);
    MUST(first[0] == -70 && first[1] == 110 && result[0] == -180);
    MUST(second[0] == 0x11 && second[1] == 0x22);
    OK(clReleaseMemObject(a));
    OK(clReleaseMemObject(b));
    OK(clReleaseMemObject(r));
    OK(clReleaseKernel(kernel));
    OK(clReleaseProgram(program));
}

/* Operators compare vectors of halves: -1 where true, 0 where false or where one is no number. */
static void half_comparisons(void)
{
    cl_program program = build("#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
                               "kernel void k(global half *a, global half *b, global short *r)\n"
                               "{\n"
                               "    vstore4(vload4(0, a) == vload4(0, b), 0, r);\n"
                               "    vstore4(vload4(0, a) < vload4(0, b), 1, r);\n"
                               "    vstore2(vload2(0, a) != vload2(0, b), 4, r);\n"
                               "    vstore2(vload2(0, a) >= (half2)(1.0h, 0.5h), 5, r);\n"
                               "}\n",
                               NULL);
    cl_kernel kernel = kernel_of(program, "k");
    cl_mem a = buffer_of(8), b = buffer_of(8), r = buffer_of(24);
    cl_ushort first[4] = {0x3C00, 0, 0x7E00, 0xC000};  /* 1, 0, NaN, -2 */
    cl_ushort second[4] = {0x3C00, 0x8000, 0x7E00, 1}; /* 1, -0, NaN, the smallest above 0 */
    cl_short wanted[12] = {-1, -1, 0, 0, 0, 0, 0, -1, 0, 0, -1, 0}, got[12];
    size_t one = 1;
    OK(clEnqueueWriteBuffer(queue, a, CL_TRUE, 0, 8, first, 0, NULL, NULL));
    OK(clEnqueueWriteBuffer(queue, b, CL_TRUE, 0, 8, second, 0, NULL, NULL));
    set_arg(kernel, 0, sizeof(a), &a);
    set_arg(kernel, 1, sizeof(b), &b);
    set_arg(kernel, 2, sizeof(r), &r);
    OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
    read_all(r, sizeof(got), got);
    MUST(memcmp(got, wanted, sizeof(got)) == 0);
    OK(clReleaseMemObject(a));
    OK(clReleaseMemObject(b));
    OK(clReleaseMemObject(r));
    OK(clReleaseKernel(kernel));
    OK(clReleaseProgram(program));
}

/* max, min and clamp of pairs of halves: each element by itself. */
static void half_extremes(void)
{
    cl_program program = build("#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
                               "kernel void k(global half *a, global half *b, global half *r)\n"
                               "{\n"
                               "    half2 x = vload2(0, a), y = vload2(0, b);\n"
                               "    vstore2(max(x, y), 0, r);\n"
                               "    vstore2(min(x, y), 1, r);\n"
                               "    vstore2(clamp(x, (half2)(-1.0h), (half2)(0.5h)), 2, r);\n"
                               "    vstore2(clamp(y, -1.0h, 0.5h), 3, r);\n"
                               "}\n",
                               NULL);
    cl_kernel kernel = kernel_of(program, "k");
    cl_mem a = buffer_of(4), b = buffer_of(4), r = buffer_of(16);
    cl_ushort first[2] = {0x3C00, 0xC000}, second[2] = {0x3800, 1}; /* 1, -2; 0.5, nearly 0 */
    cl_ushort wanted[8] = {0x3C00, 1, 0x3800, 0xC000, 0x3800, 0xBC00, 0x3800, 1}, got[8];
    size_t one = 1;
    OK(clEnqueueWriteBuffer(queue, a, CL_TRUE, 0, 4, first, 0, NULL, NULL));
    OK(clEnqueueWriteBuffer(queue, b, CL_TRUE, 0, 4, second, 0, NULL, NULL));
    set_arg(kernel, 0, sizeof(a), &a);
    set_arg(kernel, 1, sizeof(b), &b);
    set_arg(kernel, 2, sizeof(r), &r);
    OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
    read_all(r, sizeof(got), got);
    MUST(memcmp(got, wanted, sizeof(got)) == 0);
    OK(clReleaseMemObject(a));
    OK(clReleaseMemObject(b));
    OK(clReleaseMemObject(r));
    OK(clReleaseKernel(kernel));
    OK(clReleaseProgram(program));
}

/* All 16 halves of a vector become floats and doubles. */
static void half_conversions(void)
{
    cl_program program =
        build("#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
              "kernel void k(global half16 *h, global float16 *f, global double16 *d)\n"
              "{\n"
              "    f[0] = convert_float16(h[0]);\n"
              "    d[0] = convert_double16(h[1]);\n"
              "}\n",
              NULL);
    cl_kernel kernel = kernel_of(program, "k");
    cl_mem h = buffer_of(64), f = buffer_of(64), d = buffer_of(128);
    cl_ushort halves[32];
    cl_float floats[16];
    cl_double doubles[16];
    size_t one = 1;
    for (int i = 0; i < 32; i++)
        halves[i] = (cl_ushort)(0x3C00 + (i % 16 << 6)); /* 1 + i / 16 */
    OK(clEnqueueWriteBuffer(queue, h, CL_TRUE, 0, 64, halves, 0, NULL, NULL));
    set_arg(kernel, 0, sizeof(h), &h);
    set_arg(kernel, 1, sizeof(f), &f);
    set_arg(kernel, 2, sizeof(d), &d);
    OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
    read_all(f, 64, floats);
    read_all(d, 128, doubles);
    for (int i = 0; i < 16; i++)
        MUST(floats[i] == 1 + (float)i / 16 && doubles[i] == 1 + (double)i / 16);
    OK(clReleaseMemObject(h));
    OK(clReleaseMemObject(f));
    OK(clReleaseMemObject(d));
    OK(clReleaseKernel(kernel));
    OK(clReleaseProgram(program));
}

static void unaligned(cl_program program, const char *name)
{
    cl_kernel kernel = kernel_of(program, name);
    unsigned char values[64], got[64], none = 0;
    size_t one = 1;
    for (int i = 0; i < 64; i++)
        values[i] = (unsigned char)(i * 3 + 100);
    cl_mem from = buffer_of(64), to = buffer_of(64);
    OK(clEnqueueWriteBuffer(queue, from, CL_TRUE, 0, 64, values, 0, NULL, NULL));
    set_arg(kernel, 0, sizeof(from), &from);
    set_arg(kernel, 1, sizeof(from), &from);
    set_arg(kernel, 2, sizeof(to), &to);
    for (int at = 0; at < 16; at++) {
        OK(clEnqueueFillBuffer(queue, to, &none, 1, 0, 64, 0, NULL, NULL));
        set_arg(kernel, 3, sizeof(at), &at);
        OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
        read_all(to, 64, got);
        MUST(memcmp(got + 16 + at, values + 16 + at, 16) == 0);
        MUST(memcmp(got + 32 + at, values + 16 + at, 16) == 0);
        MUST(got[15 + at] == 0 && (at == 15 || got[48 + at + 1] == 0));
    }
    OK(clReleaseMemObject(from));
    OK(clReleaseMemObject(to));
    OK(clReleaseKernel(kernel));
}

int main(void)
{
    start();
    cl_program program = build(source, NULL);
    arguments(program);
    calls();
    half_comparisons();
    half_extremes();
    half_conversions();
    unaligned(program, "chars");
    unaligned(program, "uchars");
    OK(clReleaseProgram(program));
    finish();
    puts("right");
    return 0;
}
