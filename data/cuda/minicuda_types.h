/* Built-in vector types, their makers, dim3 and the index variables. */
#ifndef __WW_MINICUDA_TYPES_H
#define __WW_MINICUDA_TYPES_H

typedef signed char __ww_char;
typedef unsigned char __ww_uchar;
typedef unsigned short __ww_ushort;
typedef unsigned int __ww_uint;
typedef unsigned long __ww_ulong;
typedef long long __ww_longlong;
typedef unsigned long long __ww_ulonglong;

/* Alignments are those of the CUDA programming guide: a vector of 2 or 4 is aligned to its size,
 * at most 16. */
#define __WW_VECTOR_TYPES(name, t, align2, align4)                                          \
    struct name##1 { t x; };                                                                \
    struct __attribute__((aligned(align2))) name##2 { t x, y; };                            \
    struct name##3 { t x, y, z; };                                                          \
    struct __attribute__((aligned(align4))) name##4 { t x, y, z, w; };                      \
    __WW_BOTH name##1 make_##name##1(t x) { return name##1{x}; }                            \
    __WW_BOTH name##2 make_##name##2(t x, t y) { return name##2{x, y}; }                    \
    __WW_BOTH name##3 make_##name##3(t x, t y, t z) { return name##3{x, y, z}; }            \
    __WW_BOTH name##4 make_##name##4(t x, t y, t z, t w) { return name##4{x, y, z, w}; }

__WW_VECTOR_TYPES(char, __ww_char, 2, 4)
__WW_VECTOR_TYPES(uchar, __ww_uchar, 2, 4)
__WW_VECTOR_TYPES(short, short, 4, 8)
__WW_VECTOR_TYPES(ushort, __ww_ushort, 4, 8)
__WW_VECTOR_TYPES(int, int, 8, 16)
__WW_VECTOR_TYPES(uint, __ww_uint, 8, 16)
__WW_VECTOR_TYPES(long, long, 16, 16)
__WW_VECTOR_TYPES(ulong, __ww_ulong, 16, 16)
__WW_VECTOR_TYPES(longlong, __ww_longlong, 16, 16)
__WW_VECTOR_TYPES(ulonglong, __ww_ulonglong, 16, 16)
__WW_VECTOR_TYPES(float, float, 8, 16)
__WW_VECTOR_TYPES(double, double, 16, 16)

struct dim3 {
    unsigned x, y, z;
    __host__ __device__ constexpr dim3(unsigned a = 1, unsigned b = 1, unsigned c = 1)
        : x(a), y(b), z(c)
    {
    }
    __host__ __device__ constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
    __host__ __device__ constexpr operator uint3() const { return uint3{x, y, z}; }
};

/* threadIdx and friends: objects without storage whose members read the special registers. */
#define __WW_INDEX(type, variable, sreg, plain)                                             \
    struct type {                                                                           \
        __declspec(property(get = __ww_x)) unsigned x;                                      \
        __declspec(property(get = __ww_y)) unsigned y;                                      \
        __declspec(property(get = __ww_z)) unsigned z;                                      \
        __WW_INDEX_GETTER unsigned __ww_x() { return __nvvm_read_ptx_sreg_##sreg##_x(); }   \
        __WW_INDEX_GETTER unsigned __ww_y() { return __nvvm_read_ptx_sreg_##sreg##_y(); }   \
        __WW_INDEX_GETTER unsigned __ww_z() { return __nvvm_read_ptx_sreg_##sreg##_z(); }   \
        __device__ operator plain() const { return plain{__ww_x(), __ww_y(), __ww_z()}; }   \
        __device__ operator __ww_other_##plain() const                                      \
        {                                                                                   \
            return __ww_other_##plain{__ww_x(), __ww_y(), __ww_z()};                        \
        }                                                                                   \
    };                                                                                      \
    extern const __device__ __attribute__((weak)) type variable;
#define __WW_INDEX_GETTER static __inline__ __attribute__((device, always_inline, nodebug))
typedef dim3 __ww_other_uint3;
typedef uint3 __ww_other_dim3;

__WW_INDEX(__ww_thread_index, threadIdx, tid, uint3)
__WW_INDEX(__ww_block_index, blockIdx, ctaid, uint3)
__WW_INDEX(__ww_block_size, blockDim, ntid, dim3)
__WW_INDEX(__ww_grid_size, gridDim, nctaid, dim3)

/* An int in expressions: the width of the machine's warps. */
struct __ww_warp_size {
    __WW_INDEX_GETTER int __ww_read()
    {
        int size;
        __asm__("mov.u32 %0, WARP_SZ;" : "=r"(size));
        return size;
    }
    __device__ operator int() const { return __ww_read(); }
};
extern const __device__ __attribute__((weak)) __ww_warp_size warpSize;

#endif
