/* Included before every OpenCL C kernel: what must be a macro. Missing and faulty library
 * functions are supplied in builtins.cl. */

/* What OpenCL C forbids and most of its compilers take. */
#pragma OPENCL EXTENSION __cl_clang_bitfields : enable
#pragma OPENCL EXTENSION __cl_clang_function_pointers : enable

/* The version of the device; that of the language is __OPENCL_C_VERSION__. */
#define __OPENCL_VERSION__ 300

/* A single half is aligned anyway; compilers know the aligned forms for vectors alone. */
#define vloada_half(offset, p) vload_half(offset, p)
#define vstorea_half(v, offset, p) vstore_half(v, offset, p)
#define vstorea_half_rte(v, offset, p) vstore_half_rte(v, offset, p)
#define vstorea_half_rtz(v, offset, p) vstore_half_rtz(v, offset, p)
#define vstorea_half_rtp(v, offset, p) vstore_half_rtp(v, offset, p)
#define vstorea_half_rtn(v, offset, p) vstore_half_rtn(v, offset, p)

/* OpenCL C 2.0 atomics: every order and scope is sequentially consistent here, because a memory
 * operation takes effect when its warp issues it. */
#if __OPENCL_C_VERSION__ >= 200 || defined(__OPENCL_CPP_VERSION__)

#define __WW_ORDER __ATOMIC_RELAXED
#define __WW_SCOPE __OPENCL_MEMORY_SCOPE_DEVICE

#define atomic_init(p, v) __opencl_atomic_store(p, v, __WW_ORDER, __WW_SCOPE)
#define atomic_store(p, v) __opencl_atomic_store(p, v, __WW_ORDER, __WW_SCOPE)
#define atomic_load(p) __opencl_atomic_load(p, __WW_ORDER, __WW_SCOPE)
#define atomic_exchange(p, v) __opencl_atomic_exchange(p, v, __WW_ORDER, __WW_SCOPE)
#define atomic_fetch_add(p, v) __opencl_atomic_fetch_add(p, v, __WW_ORDER, __WW_SCOPE)
#define atomic_fetch_sub(p, v) __opencl_atomic_fetch_sub(p, v, __WW_ORDER, __WW_SCOPE)
#define atomic_fetch_and(p, v) __opencl_atomic_fetch_and(p, v, __WW_ORDER, __WW_SCOPE)
#define atomic_fetch_or(p, v) __opencl_atomic_fetch_or(p, v, __WW_ORDER, __WW_SCOPE)
#define atomic_fetch_xor(p, v) __opencl_atomic_fetch_xor(p, v, __WW_ORDER, __WW_SCOPE)
#define atomic_fetch_min(p, v) __opencl_atomic_fetch_min(p, v, __WW_ORDER, __WW_SCOPE)
#define atomic_fetch_max(p, v) __opencl_atomic_fetch_max(p, v, __WW_ORDER, __WW_SCOPE)
#define atomic_compare_exchange_strong(p, e, v) \
    __opencl_atomic_compare_exchange_strong(p, e, v, __WW_ORDER, __WW_ORDER, __WW_SCOPE)
#define atomic_compare_exchange_weak(p, e, v) atomic_compare_exchange_strong(p, e, v)

#define atomic_store_explicit(p, v, ...) atomic_store(p, v)
#define atomic_load_explicit(p, ...) atomic_load(p)
#define atomic_exchange_explicit(p, v, ...) atomic_exchange(p, v)
#define atomic_fetch_add_explicit(p, v, ...) atomic_fetch_add(p, v)
#define atomic_fetch_sub_explicit(p, v, ...) atomic_fetch_sub(p, v)
#define atomic_fetch_and_explicit(p, v, ...) atomic_fetch_and(p, v)
#define atomic_fetch_or_explicit(p, v, ...) atomic_fetch_or(p, v)
#define atomic_fetch_xor_explicit(p, v, ...) atomic_fetch_xor(p, v)
#define atomic_fetch_min_explicit(p, v, ...) atomic_fetch_min(p, v)
#define atomic_fetch_max_explicit(p, v, ...) atomic_fetch_max(p, v)
#define atomic_compare_exchange_strong_explicit(p, e, v, ...) \
    atomic_compare_exchange_strong(p, e, v)
#define atomic_compare_exchange_weak_explicit(p, e, v, ...) atomic_compare_exchange_strong(p, e, v)

#define atomic_flag_test_and_set(p) ((bool)atomic_exchange(p, 1))
#define atomic_flag_test_and_set_explicit(p, ...) atomic_flag_test_and_set(p)
#define atomic_flag_clear(p) atomic_store(p, 0)
#define atomic_flag_clear_explicit(p, ...) atomic_flag_clear(p)

#define atomic_work_item_fence(flags, ...) mem_fence(flags)
#define work_group_barrier(flags, ...) barrier(flags)

#endif

/* printf becomes a call of `printf` with a pointer to the arguments, which the executor carries out.
 * Older compilers cannot lower such a call: there it does nothing but evaluate the arguments. */
#if __clang_major__ < 17
__attribute__((always_inline, nodebug,
               diagnose_if(1, "printf prints nothing with this version of clang", "warning")))
static inline int __ww_printf(void)
{
    return 0;
}
#define printf(...) ((void)(__VA_ARGS__), __ww_printf())
#endif
