# Library functions that come from data/: OpenCL's that libclc lacks or gets wrong, and CUDA's.
. "$WW_ROOT/tests/support/cli.sh"

# Runs NAME.yaml, whose checks must hold on both machines.
verify() {
    for machine in simt32 simt64; do
        run_program exec "$1" -m $machine
        check_status 0
        grep -q ': verified$' out.txt || complain "not verified on $machine"
    done
}

cat >integers.cl <<'END'
kernel void k(global long *o, long least, long most)
{
    int i = (int)(least >> 32);
    o[0] = sub_sat(0, i) == INT_MAX;
    o[1] = sub_sat(0L, least);
    o[2] = sub_sat((long2)(-2, most), (long2)(most, -1)).x;
    o[3] = mad_sat(1L, -5L, least);
    o[4] = mad_sat(most, 2L, 5L);
    o[5] = mad_sat(-9L, 17L, most);
    o[6] = mad_hi(most, 4L, 3L);
    o[7] = mad_hi((char)100, (char)100, (char)1);
    o[8] = abs_diff(least, most) == ULONG_MAX;
    o[9] = get_work_dim();
}
END
cat >integers.yaml <<'END'
kernel: integers.cl
buffers: {o: {type: i64, count: 10}}
launches:
  - {global: [1, 1], args: [o, {i64: -9223372036854775808}, {i64: 9223372036854775807}]}
check:
  o: {values: [1, 9223372036854775807, -9223372036854775808, -9223372036854775808,
               9223372036854775807, 9223372036854775654, 4, 40, 1, 2]}
END
verify integers.yaml

# Saturated conversions to 64 bits: a NaN gives 0, what is too large the nearest number.
cat >saturated.cl <<'END'
kernel void k(global long *o, float nan, double x, float large)
{
    o[0] = convert_long_sat(nan);
    o[1] = convert_ulong_sat((double)nan);
    long4 v = convert_long4_sat_rtp((float4)(nan, 2.25f, -large, large));
    vstore4(v, 0, o + 2);
    o[6] = convert_long_sat_rte(x);
    o[7] = convert_long_sat_rtn(-x);
    o[8] = convert_long_sat(-x);
    ulong3 u = convert_ulong3_sat((double3)(-x, x, (double)large));
    vstore3(as_long3(u), 0, o + 9);
    o[12] = convert_ulong16_sat_rtz((float16)(large, nan, 7.9f, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, nan)).s2;
    o[13] = convert_ulong2_sat_rtp((float2)(nan, 0.5f)).y;
}
END
cat >saturated.yaml <<'END'
kernel: saturated.cl
buffers: {o: {type: i64, count: 14}}
launches:
  - {global: [1], args: [o, {f32: nan}, {f64: 3.5}, {f32: 1e30}]}
check:
  o: {values: [0, 0, 0, 3, -9223372036854775808, 9223372036854775807, 4, -4, -3, 0, 3, -1, 7, 1]}
END
verify saturated.yaml

cat >native.cl <<'END'
kernel void k(global const float *x, global float *worst)
{
    float v = x[get_global_id(0)];
    float got[] = {native_exp(v), native_exp2(v), native_exp10(v), native_log(v), native_log2(v),
                   native_log10(v), native_sin(v), native_cos(v), native_tan(v), native_sqrt(v),
                   native_rsqrt(v), native_recip(v), native_divide(3.0f, v),
                   native_powr(v, 1.5f), half_exp(v), half_sin(v)};
    float want[] = {exp(v), exp2(v), exp10(v), log(v), log2(v), log10(v), sin(v), cos(v), tan(v),
                    sqrt(v), rsqrt(v), 1 / v, 3 / v, powr(v, 1.5f), exp(v), sin(v)};
    float4 both = native_exp2((float4)(v, 1, 2, 3));
    float most = both.w == 8 ? 0 : 1;
    for (int i = 0; i < 16; i++)
        most = fmax(most, fabs(got[i] - want[i]) / (fabs(want[i]) + 1));
    worst[get_global_id(0)] = most;
}
END
cat >native.yaml <<'END'
kernel: native.cl
buffers:
  x: {type: f32, count: 512, fill: random, range: [0.25, 1.5], seed: 3}
  worst: {type: f32, count: 512, fill: 9}
launches:
  - {global: [512], args: [x, worst]}
check: {worst: {value: 0, tolerance: 4e-6}}
END
verify native.yaml

cat >atomics.cl <<'END'
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
kernel void wide(global long *sum, global ulong *least, local ulong *in_group)
{
    if (get_local_id(0) == 0)
        *in_group = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atom_add(in_group, (ulong)get_local_id(0));
    atom_sub(sum, (long)get_global_id(0) << 32);
    atom_min(least, (ulong)get_global_id(0) + 5);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0)
        atom_xchg(&sum[1], (long)*in_group);
}
#if __OPENCL_C_VERSION__ >= 200
kernel void second(global atomic_int *count, global atomic_uint *most, global atomic_float *sum,
                   global int *won, global atomic_flag *flag, local atomic_int *l)
{
    if (get_local_id(0) == 0)
        atomic_init(l, 10);
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    atomic_fetch_add_explicit(l, 1, memory_order_relaxed, memory_scope_work_group);
    atomic_fetch_max(most, (uint)get_global_id(0));
    work_group_barrier(CLK_LOCAL_MEM_FENCE, memory_scope_work_group);
    if (get_local_linear_id() == 0)
        atomic_fetch_add(count, atomic_load_explicit(l, memory_order_acquire));
    int expected = 0;
    if (atomic_compare_exchange_strong(&count[1], &expected, 7))
        won[0] += 1;
    if (!atomic_flag_test_and_set(flag))
        won[1] += 1;
    won[2] = ctz(40) + work_group_all(get_global_id(0) < 64) + 10 * work_group_any(0);
    atomic_exchange(sum, 2.5f);
}
#endif
kernel void copies(global const float3 *in, global float3 *out, local float3 *tile)
{
    event_t e = async_work_group_copy(tile, in, 8, 0);
    wait_group_events(1, &e);
    e = async_work_group_strided_copy(out, tile, 4, 2, 0);
    wait_group_events(1, &e);
}
END
cat >atomics.yaml <<'END'
kernel: atomics.cl
build_options: "-cl-std=CL2.0"
buffers:
  sum: {type: i64, count: 2}
  least: {type: u64, fill: [1000]}
  count: {type: i32, count: 2}
  most: {type: u32, count: 1}
  fsum: {type: f32, count: 1}
  won: {type: i32, count: 3}
  flag: {type: i32, count: 1}
  in: {type: f32, count: 32, fill: iota}
  out: {type: f32, count: 32}
launches:
  - {entry: wide, global: [64], local: [16], args: [sum, least, {local: 8}]}
  - {entry: second, global: [64], local: [32], args: [count, most, fsum, won, flag, {local: 4}]}
  - {entry: copies, global: [4], local: [4], args: [in, out, {local: 128}]}
check:
  sum: {values: [-8658654068736, 120]}
  least: {value: 5}
  count: {values: [84, 7]}
  most: {value: 63}
  fsum: {value: 2.5}
  won: {values: [1, 1, 4]}
  out: {values: [0, 1, 2, 3, 0, 0, 0, 0, 4, 5, 6, 7, 0, 0, 0, 0,
                 8, 9, 10, 11, 0, 0, 0, 0, 12, 13, 14, 15, 0, 0, 0, 0]}
END
verify atomics.yaml

cat >cuda.cu <<'END'
#include <cuda_runtime.h>
#include <cmath>
#include <cstdio>
__constant__ float scale[2] = {2.0f, 3.0f};
__device__ int counter = 5;
struct pair { float x; int n; };

template <typename T> __device__ T twice(T v) { return v + v; }

extern "C" __global__ void math(const float *in, double *out, pair p)
{
    extern __shared__ float s[];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    s[threadIdx.x] = in[i];
    __syncthreads();
    float v = s[blockDim.x - 1 - threadIdx.x];
    out[i] = sqrtf(v) + std::pow(v, 2.0f) + fmaxf(v, p.x) + std::abs(-v) + sin(0.0) + pow(2.0, 3) +
             twice(p.n) + scale[1] + max(1, p.n) + __popc(255) + __clz(1) + __ffs(8) +
             (__brev(1u) == 0x80000000u) + __float_as_int(1.0f) * 0.0 + sizeof(float4);
}

extern "C" __global__ void warp(int *out)
{
    int lane = threadIdx.x % 32;
    unsigned long long wide = (unsigned long long)lane << 40;
    out[threadIdx.x] = __shfl_xor_sync(0xffffffff, lane, 1) + __shfl_up_sync(0xffffffff, lane, 2) +
                       (int)(__shfl_sync(0xffffffff, wide, 3, 8) >> 40) +
                       __popc(__ballot_sync(0xffffffff, lane < 10)) +
                       __syncthreads_count(lane == 0) * 100;
    atomicAdd(&counter, 1);
    atomicMax(&out[64], lane);
    atomicCAS(&out[65], 0, 77);
    __syncthreads();
    if (threadIdx.x == 0)
        out[66] = counter;
    if (__all_sync(0xffffffff, lane >= 0) && !__any_sync(0xffffffff, lane > 40))
        atomicInc((unsigned *)&out[67], 20u);
}
END
cat >cuda.yaml <<'END'
kernel: cuda.cu
buffers:
  in: {type: f32, fill: [16, 9, 4, 1]}
  out: {type: f64, count: 4}
  ints: {type: i32, count: 68}
launches:
  - {entry: math, groups: [1], local: [4], shared: 16, args: [in, out, {bytes: "0000a040 07000000"}]}
  - {entry: warp, groups: [1], local: [64], args: [ints]}
check:
  out: {values: [100, 119, 194, 384]}
END
awk 'BEGIN {
    printf "  ints: {values: ["
    for (t = 0; t < 64; t++) {
        lane = t % 32
        partner = lane % 2 ? lane - 1 : lane + 1
        up = lane < 2 ? lane : lane - 2
        printf "%d, ", partner + up + lane - lane % 8 + 3 + 10 + 200
    }
    print "31, 77, 69, 1]}"
}' >>cuda.yaml
verify cuda.yaml

cat >groups.cu <<'END'
#include <cooperative_groups.h>
#include <cuda_fp16.h>
namespace cg = cooperative_groups;
__global__ void groups(int *o, half *h, half2 *pairs)
{
    cg::thread_block block = cg::this_thread_block();
    auto tile = cg::tiled_partition<8>(block);
    int rank = block.thread_rank(), sum = rank;
    for (int i = tile.size() / 2; i > 0; i /= 2)
        sum += tile.shfl_down(sum, i);
    unsigned votes = tile.ballot(tile.thread_rank() < 3);
    cg::sync(block);
    o[rank] = tile.thread_rank() == 0 ? sum : (int)votes;
    h[rank] = __hfma(__float2half(1.5f), h[rank], __float2half(2.0f)) + half(1.0f);
    pairs[rank] = __hadd2(pairs[rank], __floats2half2_rn(2.0f, 0.5f));
}
END
cat >groups.yaml <<'END'
kernel: groups.cu
buffers:
  o: {type: i32, count: 16}
  h: {type: f16, count: 16, fill: 2}
  pairs: {type: f16, count: 32, fill: 1}
launches:
  - {entry: groups, groups: [1], local: [16], args: [o, h, pairs]}
check:
  o: {values: [28, 7, 7, 7, 7, 7, 7, 7, 92, 7, 7, 7, 7, 7, 7, 7]}
  h: {value: 6}
  pairs: {values: [3, 1.5, 3, 1.5, 3, 1.5, 3, 1.5, 3, 1.5, 3, 1.5, 3, 1.5, 3, 1.5,
                   3, 1.5, 3, 1.5, 3, 1.5, 3, 1.5, 3, 1.5, 3, 1.5, 3, 1.5, 3, 1.5]}
END
verify groups.yaml
# Halves: second results through pointers of all kinds, neighbours, bits, directed conversions, group copies.
cat >half_library.cl <<'END'
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void k(global half *o, global int *n, global const half *in, local half *l)
{
    half p;
    half2 q;
    local int e;
    int2 m;
    o[0] = fract(in[0], &p);
    o[1] = p;
    o[2] = modf(in[0], o + 3);
    o[4] = frexp(in[1], &e);
    n[0] = e;
    o[5] = remquo(in[2], in[3], n + 1);
    o[6] = sincos(in[4], l);
    o[7] = l[0];
    q = lgamma_r((half2)(in[5], in[3]), &m);
    o[8] = q.x;
    n[2] = m.x;
    o[9] = fract(-0x1p-24h, &p);
    q = nextafter((half2)(1.0h, -0x1p-14h), (half2)(in[3], in[4]));
    vstore2(q, 5, o);
    o[12] = nextafter(in[4], -1.0h);
    o[13] = bitselect(1.0h, -3.0h, -0.0h);
    n[3] = isnan(nan((ushort)5)) + 2 * isnormal((half2)(0x1p-15h, 1.0h)).y + 4 * signbit((half3)(-0.0h)).z;
    half4 s = shuffle2((half2)(1, 2), (half2)(3, 4), (ushort4)(3, 0, 2, 1));
    vstore4(s, 4, o);
    o[14] = convert_half_rtz(n[4]);
    o[15] = convert_half_rtp(n[4]);
    o[20] = convert_half2_rtn((long2)(-n[4], 7)).x;
    o[21] = convert_half_rtp(1e-9);
    o[22] = convert_half_rtz(70000u);
    o[23] = ldexp((half2)(1.5h, 1), 3).x;
    event_t copied = async_work_group_copy(l, in, 6, 0);
    wait_group_events(1, &copied);
    o[24] = l[5] + l[1];
}
END
cat >half_library.yaml <<'END'
kernel: half_library.cl
buffers:
  o: {type: f16, count: 25}
  n: {type: i32, fill: [0, 0, 0, 0, 2049]}
  in: {type: f16, fill: [-2.25, 6, 7, 2, 0, 0.5]}
launches: [{global: 1, args: [o, n, in, {local: 64}]}]
check:
  o: {values: [0.75, -3, -0.25, -2, 0.75, -1, 0, 1, 0.572265625, 0.99951171875, 1.0009765625, -6.097555160522461e-05,
               -5.960464477539063e-08, -1, 2048, 2050, 4, 1, 3, 2, -2050, 5.960464477539063e-08, 65504, 12, 6.5]}
  n: {values: [3, 4, 1, -5, 2049]}
END
verify half_library.yaml

finish
