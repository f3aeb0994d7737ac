/* CUDA C without a toolkit: included before every .cu file. Device code gets what it needs to run;
 * host code in the same file gets declarations, so that it parses. */
#ifndef __WW_MINICUDA_H
#define __WW_MINICUDA_H

#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
/* A static one can be set by the host, too: its value is not known to the compiler. */
#define __constant__ __attribute__((constant, used))
#define __managed__ __attribute__((device))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __grid_constant__
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __attribute__((aligned(n)))
#define __device_builtin__
#define __cudart_builtin__
#define CUDARTAPI
#define CUDART_CB

#define __CUDACC__ 1
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 0
#define CUDART_VERSION 12000
#define CUDA_VERSION 12000

/* A device function of this header: always inlined, and its lines are those of its caller. */
#define __WW_DEVICE static __inline__ __attribute__((device, always_inline, nodebug))
#define __WW_BOTH static __inline__ __attribute__((host, device, always_inline, nodebug))

/* Before the system headers: a constexpr function of theirs becomes a device function as well unless
 * a device overload is already there. */
#include "minicuda_math.h"

#include <assert.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "minicuda_types.h"

#include "minicuda_device.h"

#include "minicuda_heap.h"

#include "minicuda_simd.h"

#include "minicuda_host.h"

#include "minicuda_texture.h"

#endif
