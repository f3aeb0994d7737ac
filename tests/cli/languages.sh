# What real kernel files contain besides kernels: inline assembly, textures, old and odd functions.
. "$WW_ROOT/tests/support/cli.sh"

verify() {
    run_program exec "$1"
    check_status 0
    grep -q ': verified$' out.txt || complain "not verified"
}

cat >assembly.cl <<'END'
kernel void k(global uint *o, global ushort *bits)
{
    global half *h = (global half *)bits;
    uint x;
    asm volatile("bfe.u32 %0, %1, 4, 8;" : "=r"(x) : "r"(0x12345u));
    typeof(x) y = x;
    o[0] = y;
    vstorea_half(vloada_half(1, h) * 2, 0, h);
    o[1] = bits[0];
}
END
cat >assembly.yaml <<'END'
kernel: assembly.cl
buffers:
  o: {type: u32, count: 2}
  h: {type: f16, fill: [0, 1.5]}
launches: [{global: 1, args: [o, h]}]
check:
  o: {values: [0x34, 0x4200]}
END
verify assembly.yaml

cat >print.cl <<'END'
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void k(int width)
{
    int4 v = (int4)(1, -2, 3, 4);
    float3 f = (float3)(1.5f, -2.25f, 3);
    printf("%v4d|%.2v3hlf|%v2hhu|%v2ld|%5d|\n", v, f, (uchar2)(200, 7), (long2)(-5000000000L, 6), 42);
    printf("%-6s|%.2s|%*d|%c|%%|%#x|%.1e|%lu|%y\n", "hey", "abcdef", width, 77, 'x', 255u, 1e10f, 1ul << 40);
    printf("%*.*f|%3c|%v5d\n", width, 2, 3.14159f, 'z', 9);
    half4 h = (half4)(0.5h, -2.25h, 65504.0h, 0.000030517578125h);
    printf("%v4hf|%.1v2hg|%f|%v3hd|%v2lg\n", h, h.xy, h.x, (short3)(-1, 2, 3), (double2)(0.25, 1e300));
    printf("%hx|%hhx|%ho|%hhu|%hhd|%hd|%lx|%F\n", -32767, -128, -1, -1, 200, 98304 + 5, -1L, nan(0ul));
}
END
cat >print.yaml <<'END'
kernel: print.cl
launches: [{global: 1, args: [{i32: 6}]}]
END
run_program exec print.yaml
check_status 0
cat >want.txt <<'END'
1,-2,3,4|1.50,-2.25,3.00|200,7|-5000000000,6|   42|
hey   |ab|    77|x|%|0xff|1.0e+10|1099511627776|%y
  3.14|  z|9
0.500000,-2.250000,65504.000000,0.000031|0.5,-2|0.500000|-1,2,3|0.25,1e+300
8001|80|177777|255|-56|-32763|ffffffffffffffff|NAN
END
grep -v warning: err.txt | diff -u want.txt - >&2 || complain "printf prints something else"

# A texture that no kernel uses may be there.
cat >host.cu <<'END'
#include <cuComplex.h>
texture<float4, 1, cudaReadModeElementType> unused;
__global__ void k(cuComplex *c, cuDoubleComplex *d)
{
    c[3] = cuCdivf(cuCmulf(c[0], c[1]), cuConjf(c[2]));
    d[0] = make_cuDoubleComplex(cuCabs(cuComplexFloatToDouble(c[2])), cuCrealf(c[0]));
}
void host(float *data)
{
    cudaArray_t array;
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    unused.filterMode = cudaFilterModePoint;
    cudaMallocArray(&array, &format, 4, 4);
    cudaBindTexture(NULL, unused, data, format, 64);
    cudaUnbindTexture(unused);
}
END
cat >host.yaml <<'END'
kernel: host.cu
buffers:
  c: {type: f32, fill: [1, 2, 3, -1, 3, -4, 0, 0]}
  d: {type: f64, count: 2}
launches: [{global: 1, args: [c, d]}]
check:
  c: {values: [1, 2, 3, -1, 3, -4, 1.4, -0.2], tolerance: 1e-6}
  d: {values: [5, 1]}
END
verify host.yaml

cat >heap.cu <<'END'
struct node {
    node *next;
    int value;
    __device__ node(node *n, int v) : next(n), value(v) {}
    __device__ virtual ~node() {}
    __device__ virtual int weight() const { return value; }
};
struct heavy : node {
    __device__ heavy(node *n, int v) : node(n, v) {}
    __device__ int weight() const override { return 2 * value; }
};
__global__ void k(int *sum)
{
    node *list = nullptr;
    for (int n = 1; n <= 4; n++)
        list = n + threadIdx.x & 1 ? new node(list, n) : new heavy(list, n);
    int *parts = (int *)malloc(16);
    for (int n = 0; list; n++) {
        node *next = list->next;
        parts[n] = list->weight();
        delete list;
        list = next;
    }
    sum[threadIdx.x] = parts[0] + 10 * parts[1] + 100 * parts[2] + 1000 * parts[3];
    free(parts);
    if (malloc(1ull << 60))
        sum[threadIdx.x] = 0;
}
END
cat >heap.yaml <<'END'
kernel: heap.cu
buffers: {sum: {type: i32, count: 3}}
launches: [{groups: 1, local: 3, args: [sum]}]
check:
  sum: {values: [1438, 2264, 1438]}
END
verify heap.yaml

# A failed assertion tells its text and its line.
cat >assert.cu <<'END'
__global__ void k(int *a)
{
    int i = threadIdx.x;
    assert(a[i] < 33 && "too much");
    a[i] = 1;
}
END
cat >assert.yaml <<'END'
kernel: assert.cu
buffers: {a: {type: i32, count: 40, fill: iota}}
launches: [{groups: 1, local: 40, args: [a]}]
END
run_program exec assert.yaml
check_status 1
grep -q 'assert.cu:4: .* work-item (33,0,0), .*: assertion failed: a\[i\] < 33 && "too much" (' err.txt ||
    complain "the assertion is not told"
sed 's/count: 40/count: 33/; s/local: 40/local: 33/' assert.yaml >holds.yaml
echo 'check: {a: {value: 1}}' >>holds.yaml
verify holds.yaml

cat >fetch.cu <<'END'
texture<float, 1> t;
__global__ void k(float *o) { o[0] = tex1Dfetch(t, 1); }
END
sed 's/host.cu/fetch.cu/; /c: /d; s/c, d/d/; /check/,$d' host.yaml >fetch.yaml
run_program exec fetch.yaml
check_status 2
grep -q "^[^ ]*fetch.cu:2:.* textures and surfaces do not exist here (use buffers)" err.txt ||
    complain "textures are not refused clearly"

# Forms that nvcc's mathematical functions use.
cat >roots.ptx <<'END'
.version 7.8
.target sm_70
.address_size 64
.visible .entry k(.param .u64 out)
{
    .reg .b64 %a;
    .reg .f64 %x<4>;
    ld.param.u64 %a, [out];
    mov.f64 %x1, 0d4030000000000000;
    rsqrt.approx.f64 %x2, %x1;
    rsqrt.approx.ftz.f64 %x3, %x1;
    st.global.v2.f64 [%a], {%x2, %x3};
    rcp.approx.ftz.f64 %x3, %x1;
    st.global.f64 [%a+16], %x3;
    ret;
}
END
cat >roots.yaml <<'END'
kernel: roots.ptx
buffers: {out: {type: f64, count: 3}}
launches: [{groups: 1, local: 1, args: [out]}]
check:
  out: {values: [0.25, 0.25, 0.0625], tolerance: 1e-6}
END
verify roots.yaml

cat >fetch.ptx <<'END'
.version 7.8
.target sm_70
.address_size 64
.global .texref t;
.entry k()
{
    .reg .f32 %f<5>;
    .reg .s32 %r<2>;
    tex.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [t, {%r1}];
    ret;
}
END
expect_error 2 "fetch.ptx:9:5: opcode 'tex': images, textures and samplers are not supported" \
    inspect fetch.ptx
finish
