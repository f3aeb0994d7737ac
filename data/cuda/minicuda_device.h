/* Barriers, fences, warp-wide operations, atomics, bit operations and reinterpretations. */
#ifndef __WW_MINICUDA_DEVICE_H
#define __WW_MINICUDA_DEVICE_H

/* ---- barriers and fences (__syncthreads is the compiler's own) ---- */

__WW_DEVICE int __syncthreads_count(int p) { return __nvvm_bar0_popc(p); }
__WW_DEVICE int __syncthreads_and(int p) { return __nvvm_bar0_and(p); }
__WW_DEVICE int __syncthreads_or(int p) { return __nvvm_bar0_or(p); }
__WW_DEVICE void __syncwarp(unsigned mask = 0xffffffff) { __nvvm_bar_warp_sync(mask); }
__WW_DEVICE void __threadfence_block() { __nvvm_membar_cta(); }
__WW_DEVICE void __threadfence() { __nvvm_membar_gl(); }
__WW_DEVICE void __threadfence_system() { __nvvm_membar_sys(); }
__WW_DEVICE void __trap() { __asm__ volatile("trap;"); }
__WW_DEVICE void __brkpt() { __asm__ volatile("brkpt;"); }
__WW_DEVICE void __nanosleep(unsigned ns) { __asm__ volatile("nanosleep.u32 %0;" : : "r"(ns)); }
__WW_DEVICE void __prof_trigger(int) {}
__WW_DEVICE clock_t clock() { return (clock_t)__nvvm_read_ptx_sreg_clock(); }
__WW_DEVICE long long clock64() { return __nvvm_read_ptx_sreg_clock64(); }

/* The executor ends the kernel here, with the message. */
extern "C" __device__ __attribute__((noreturn)) void
__assertfail(const char *message, const char *file, unsigned line, const char *function,
             size_t character) noexcept;
extern "C" __device__ inline __attribute__((noreturn, always_inline, nodebug)) void
__assert_fail(const char *message, const char *file, unsigned line, const char *function) noexcept
{
    __assertfail(message, file, line, function, 1);
}

/* The compiler turns these calls into vprintf's, which the executor carries out. */
extern "C" __device__ int printf(const char *, ...);

__WW_DEVICE void *memcpy(void *d, const void *s, size_t n) { return __builtin_memcpy(d, s, n); }
__WW_DEVICE void *memset(void *d, int c, size_t n) { return __builtin_memset(d, c, n); }
__WW_DEVICE void *memmove(void *d, const void *s, size_t n) { return __builtin_memmove(d, s, n); }

/* ---- votes ---- */

__WW_DEVICE unsigned __ballot_sync(unsigned mask, int p) { return __nvvm_vote_ballot_sync(mask, p); }
__WW_DEVICE int __all_sync(unsigned mask, int p) { return __nvvm_vote_all_sync(mask, p); }
__WW_DEVICE int __any_sync(unsigned mask, int p) { return __nvvm_vote_any_sync(mask, p); }
__WW_DEVICE int __uni_sync(unsigned mask, int p) { return __nvvm_vote_uni_sync(mask, p); }
__WW_DEVICE unsigned __activemask()
{
    unsigned mask;
    __asm__ volatile("activemask.b32 %0;" : "=r"(mask));
    return mask;
}
__WW_DEVICE unsigned __ballot(int p) { return __ballot_sync(0xffffffff, p); }
__WW_DEVICE int __all(int p) { return __all_sync(0xffffffff, p); }
__WW_DEVICE int __any(int p) { return __any_sync(0xffffffff, p); }
__WW_DEVICE unsigned __lane_id() { return __nvvm_read_ptx_sreg_laneid(); }

/* ---- shuffles: 32-bit ones from the compiler, others in 32-bit pieces ---- */

template <typename T, typename F>
__WW_DEVICE T __ww_shuffle_pieces(T value, F &&shuffle)
{
    static_assert(sizeof(T) <= 8, "a shuffle moves at most 8 bytes");
    union {
        T whole;
        int pieces[(sizeof(T) + 3) / 4];
    } in, out;
    in.pieces[0] = 0;
    in.whole = value;
    for (unsigned i = 0; i < (sizeof(T) + 3) / 4; i++)
        out.pieces[i] = shuffle(in.pieces[i]);
    return out.whole;
}

/* The last operand of shfl: the segment mask in bits 8..12 and the clamp in bits 0..4. */
#define __WW_SHUFFLE(name, mode, operand, clamp)                                              \
    template <typename T>                                                                     \
    __WW_DEVICE T name##_sync(unsigned mask, T value, operand lane, int width = 32)           \
    {                                                                                         \
        int control = ((32 - width) << 8) | (clamp);                                          \
        return __ww_shuffle_pieces(value, [=] __device__(int piece) {                         \
            return __nvvm_shfl_sync_##mode##_i32(mask, piece, (int)lane, control);            \
        });                                                                                   \
    }                                                                                         \
    template <typename T> __WW_DEVICE T name(T value, operand lane, int width = 32)           \
    {                                                                                         \
        return name##_sync(0xffffffff, value, lane, width);                                   \
    }
__WW_SHUFFLE(__shfl, idx, int, 0x1f)
__WW_SHUFFLE(__shfl_up, up, unsigned, 0)
__WW_SHUFFLE(__shfl_down, down, unsigned, 0x1f)
__WW_SHUFFLE(__shfl_xor, bfly, int, 0x1f)

template <typename T> __WW_DEVICE unsigned __match_any_sync(unsigned mask, T value)
{
    static_assert(sizeof(T) == 4 || sizeof(T) == 8, "match compares 4 or 8 bytes");
    unsigned result;
    if constexpr (sizeof(T) == 4)
        __asm__ volatile("match.any.sync.b32 %0, %1, %2;"
                         : "=r"(result)
                         : "r"(__builtin_bit_cast(unsigned, value)), "r"(mask));
    else
        __asm__ volatile("match.any.sync.b64 %0, %1, %2;"
                         : "=r"(result)
                         : "l"(__builtin_bit_cast(unsigned long long, value)), "r"(mask));
    return result;
}

/* ---- warp reductions (written as shuffles would: exact for any mask of active lanes) ---- */

#define __WW_REDUX(name, op, t)                                                            \
    __WW_DEVICE t name(unsigned mask, t value)                                             \
    {                                                                                      \
        t result = value;                                                                  \
        bool first = true;                                                                 \
        for (unsigned rest = mask; rest; rest &= rest - 1) {                               \
            t other = __shfl_sync(mask, value, __builtin_ctz(rest));                       \
            result = first ? other : (op);                                                 \
            first = false;                                                                 \
        }                                                                                  \
        return result;                                                                     \
    }
__WW_REDUX(__reduce_add_sync, result + other, unsigned)
__WW_REDUX(__reduce_add_sync, result + other, int)
__WW_REDUX(__reduce_min_sync, result < other ? result : other, unsigned)
__WW_REDUX(__reduce_min_sync, result < other ? result : other, int)
__WW_REDUX(__reduce_max_sync, result > other ? result : other, unsigned)
__WW_REDUX(__reduce_max_sync, result > other ? result : other, int)
__WW_REDUX(__reduce_and_sync, result &other, unsigned)
__WW_REDUX(__reduce_or_sync, result | other, unsigned)
__WW_REDUX(__reduce_xor_sync, result ^ other, unsigned)

/* ---- atomics: _block and _system forms have the same effect ---- */

#define __WW_ATOMIC(name, t, expression)                                      \
    __WW_DEVICE t name(t *p, t v) { return expression; }                      \
    __WW_DEVICE t name##_block(t *p, t v) { return expression; }              \
    __WW_DEVICE t name##_system(t *p, t v) { return expression; }
#define __WW_ATOMIC_INTEGERS(X) X(int) X(unsigned) X(unsigned long long) X(long long)
#define __WW_ATOMIC_INTEGER(t)                                                \
    __WW_ATOMIC(atomicAdd, t, __atomic_fetch_add(p, v, __ATOMIC_RELAXED))     \
    __WW_ATOMIC(atomicSub, t, __atomic_fetch_sub(p, v, __ATOMIC_RELAXED))     \
    __WW_ATOMIC(atomicAnd, t, __atomic_fetch_and(p, v, __ATOMIC_RELAXED))     \
    __WW_ATOMIC(atomicOr, t, __atomic_fetch_or(p, v, __ATOMIC_RELAXED))       \
    __WW_ATOMIC(atomicXor, t, __atomic_fetch_xor(p, v, __ATOMIC_RELAXED))     \
    __WW_ATOMIC(atomicMin, t, __atomic_fetch_min(p, v, __ATOMIC_RELAXED))     \
    __WW_ATOMIC(atomicMax, t, __atomic_fetch_max(p, v, __ATOMIC_RELAXED))     \
    __WW_ATOMIC(atomicExch, t, __atomic_exchange_n(p, v, __ATOMIC_RELAXED))   \
    __WW_DEVICE t atomicCAS(t *p, t expected, t v)                            \
    {                                                                         \
        return __sync_val_compare_and_swap(p, expected, v);                   \
    }                                                                         \
    __WW_DEVICE t atomicCAS_block(t *p, t expected, t v)                      \
    {                                                                         \
        return __sync_val_compare_and_swap(p, expected, v);                   \
    }                                                                         \
    __WW_DEVICE t atomicCAS_system(t *p, t expected, t v)                     \
    {                                                                         \
        return __sync_val_compare_and_swap(p, expected, v);                   \
    }
__WW_ATOMIC_INTEGERS(__WW_ATOMIC_INTEGER)
__WW_ATOMIC(atomicInc, unsigned, __nvvm_atom_inc_gen_ui(p, v))
__WW_ATOMIC(atomicDec, unsigned, __nvvm_atom_dec_gen_ui(p, v))
__WW_ATOMIC(atomicAdd, float, __nvvm_atom_add_gen_f(p, v))
__WW_ATOMIC(atomicAdd, double, __nvvm_atom_add_gen_d(p, v))
__WW_ATOMIC(atomicExch, float,
            __builtin_bit_cast(float, __atomic_exchange_n((int *)p, __builtin_bit_cast(int, v),
                                                          __ATOMIC_RELAXED)))

/* ---- bits ---- */

__WW_DEVICE int __popc(unsigned x) { return __builtin_popcount(x); }
__WW_DEVICE int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
__WW_DEVICE int __clz(int x) { return x ? __builtin_clz((unsigned)x) : 32; }
__WW_DEVICE int __clzll(long long x) { return x ? __builtin_clzll((unsigned long long)x) : 64; }
__WW_DEVICE int __ffs(int x) { return x ? __builtin_ctz((unsigned)x) + 1 : 0; }
__WW_DEVICE int __ffsll(long long x) { return x ? __builtin_ctzll((unsigned long long)x) + 1 : 0; }
__WW_DEVICE unsigned __brev(unsigned x) { return __builtin_bitreverse32(x); }
__WW_DEVICE unsigned long long __brevll(unsigned long long x) { return __builtin_bitreverse64(x); }
__WW_DEVICE unsigned __byte_perm(unsigned a, unsigned b, unsigned selector)
{
    return __nvvm_prmt(a, b, selector);
}
__WW_DEVICE unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift)
{
    return (unsigned)((((unsigned long long)high << 32 | low) << (shift & 31)) >> 32);
}
__WW_DEVICE unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift)
{
    return (unsigned)(((unsigned long long)high << 32 | low) >> (shift & 31));
}
__WW_DEVICE unsigned __funnelshift_lc(unsigned low, unsigned high, unsigned shift)
{
    return shift >= 32 ? low : __funnelshift_l(low, high, shift);
}
__WW_DEVICE unsigned __funnelshift_rc(unsigned low, unsigned high, unsigned shift)
{
    return shift >= 32 ? high : __funnelshift_r(low, high, shift);
}
__WW_DEVICE int __mulhi(int a, int b) { return (int)(((long long)a * b) >> 32); }
__WW_DEVICE unsigned __umulhi(unsigned a, unsigned b)
{
    return (unsigned)(((unsigned long long)a * b) >> 32);
}
__WW_DEVICE long long __mul64hi(long long a, long long b) { return __nvvm_mulhi_ll(a, b); }
__WW_DEVICE unsigned long long __umul64hi(unsigned long long a, unsigned long long b)
{
    return __nvvm_mulhi_ull(a, b);
}
__WW_DEVICE int __mul24(int a, int b) { return (a << 8 >> 8) * (b << 8 >> 8); }
__WW_DEVICE unsigned __umul24(unsigned a, unsigned b) { return (a & 0xffffff) * (b & 0xffffff); }
__WW_DEVICE unsigned __sad(int a, int b, unsigned c)
{
    return (a < b ? (unsigned)b - (unsigned)a : (unsigned)a - (unsigned)b) + c;
}
__WW_DEVICE unsigned __usad(unsigned a, unsigned b, unsigned c) { return (a < b ? b - a : a - b) + c; }
__WW_DEVICE int __hadd(int a, int b) { return (int)(((long long)a + b) >> 1); }
__WW_DEVICE int __rhadd(int a, int b) { return (int)(((long long)a + b + 1) >> 1); }
__WW_DEVICE unsigned __uhadd(unsigned a, unsigned b)
{
    return (unsigned)(((unsigned long long)a + b) >> 1);
}
__WW_DEVICE int __dp4a(int a, int b, int c)
{
    int d;
    __asm__("dp4a.s32.s32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
    return d;
}
__WW_DEVICE unsigned __dp4a(unsigned a, unsigned b, unsigned c)
{
    unsigned d;
    __asm__("dp4a.u32.u32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
    return d;
}

/* ---- the same bits as another type ---- */

__WW_DEVICE int __float_as_int(float x) { return __builtin_bit_cast(int, x); }
__WW_DEVICE unsigned __float_as_uint(float x) { return __builtin_bit_cast(unsigned, x); }
__WW_DEVICE float __int_as_float(int x) { return __builtin_bit_cast(float, x); }
__WW_DEVICE float __uint_as_float(unsigned x) { return __builtin_bit_cast(float, x); }
__WW_DEVICE long long __double_as_longlong(double x) { return __builtin_bit_cast(long long, x); }
__WW_DEVICE double __longlong_as_double(long long x) { return __builtin_bit_cast(double, x); }
__WW_DEVICE int __double2hiint(double x) { return (int)(__double_as_longlong(x) >> 32); }
__WW_DEVICE int __double2loint(double x) { return (int)__double_as_longlong(x); }
__WW_DEVICE double __hiloint2double(int high, int low)
{
    return __longlong_as_double((long long)high << 32 | (unsigned)low);
}

/* ---- loads and stores with cache hints: the hint does not change the value ---- */

#define __WW_LOAD(name) \
    template <typename T> __WW_DEVICE T name(const T *p) { return *p; }
#define __WW_STORE(name) \
    template <typename T> __WW_DEVICE void name(T *p, T v) { *p = v; }
__WW_LOAD(__ldg)
__WW_LOAD(__ldca)
__WW_LOAD(__ldcg)
__WW_LOAD(__ldcs)
__WW_LOAD(__ldlu)
__WW_LOAD(__ldcv)
__WW_STORE(__stcg)
__WW_STORE(__stcs)
__WW_STORE(__stwb)
__WW_STORE(__stwt)

__WW_DEVICE unsigned __isGlobal(const void *p) { return __nvvm_isspacep_global(p); }
__WW_DEVICE unsigned __isShared(const void *p) { return __nvvm_isspacep_shared(p); }
__WW_DEVICE unsigned __isConstant(const void *p) { return __nvvm_isspacep_const(p); }
__WW_DEVICE unsigned __isLocal(const void *p) { return __nvvm_isspacep_local(p); }
__WW_DEVICE size_t __cvta_generic_to_shared(const void *p)
{
    return (size_t)(__attribute__((address_space(3))) const void *)p;
}

#endif
