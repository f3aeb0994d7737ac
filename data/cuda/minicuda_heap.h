/* malloc and new in device code: pieces of one array that are never given back. A kernel that
 * allocates more than the heap holds in all gets null pointers. */
#ifndef __WW_MINICUDA_HEAP_H
#define __WW_MINICUDA_HEAP_H

static __device__ __align__(16) char __ww_heap[64 << 20];
static __device__ unsigned long long __ww_heap_used;

#define __WW_HEAP __inline__ __attribute__((device, nodebug))

extern "C" __WW_HEAP void *malloc(size_t size)
{
    unsigned long long whole = (size + 15) & ~15ull;
    if (whole < size || whole > sizeof(__ww_heap))
        return 0;
    unsigned long long at = atomicAdd(&__ww_heap_used, whole);
    return at + whole <= sizeof(__ww_heap) ? __ww_heap + at : 0;
}
extern "C" __WW_HEAP void free(void *) {}

#undef __WW_HEAP

/* The compiler's wrapper of this header defines device operators new and delete by them. */
#include <new>

#endif
