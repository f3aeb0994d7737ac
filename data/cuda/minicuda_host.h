/* The runtime API as far as host code in a .cu file usually mentions it: declarations only. Host
 * code is parsed and thrown away; launches are described in a launch file. */
#ifndef __WW_MINICUDA_HOST_H
#define __WW_MINICUDA_HOST_H

enum cudaError {
    cudaSuccess = 0,
    cudaErrorInvalidValue = 1,
    cudaErrorMemoryAllocation = 2,
    cudaErrorInvalidConfiguration = 9,
    cudaErrorInvalidDevice = 101,
    cudaErrorNotReady = 600,
    cudaErrorUnknown = 999
};
typedef enum cudaError cudaError_t;
enum cudaMemcpyKind {
    cudaMemcpyHostToHost,
    cudaMemcpyHostToDevice,
    cudaMemcpyDeviceToHost,
    cudaMemcpyDeviceToDevice,
    cudaMemcpyDefault
};
enum cudaFuncCache {
    cudaFuncCachePreferNone,
    cudaFuncCachePreferShared,
    cudaFuncCachePreferL1,
    cudaFuncCachePreferEqual
};
enum cudaSharedMemConfig {
    cudaSharedMemBankSizeDefault,
    cudaSharedMemBankSizeFourByte,
    cudaSharedMemBankSizeEightByte
};
enum cudaFuncAttribute {
    cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
    cudaFuncAttributePreferredSharedMemoryCarveout = 9
};
enum cudaMemoryAdvise {
    cudaMemAdviseSetReadMostly = 1,
    cudaMemAdviseUnsetReadMostly,
    cudaMemAdviseSetPreferredLocation,
    cudaMemAdviseUnsetPreferredLocation,
    cudaMemAdviseSetAccessedBy,
    cudaMemAdviseUnsetAccessedBy
};
enum cudaLimit { cudaLimitStackSize, cudaLimitPrintfFifoSize, cudaLimitMallocHeapSize };
enum cudaDeviceAttr {
    cudaDevAttrMaxThreadsPerBlock = 1,
    cudaDevAttrMaxSharedMemoryPerBlock = 8,
    cudaDevAttrWarpSize = 10,
    cudaDevAttrClockRate = 13,
    cudaDevAttrMultiProcessorCount = 16,
    cudaDevAttrComputeCapabilityMajor = 75,
    cudaDevAttrComputeCapabilityMinor = 76
};

typedef struct CUstream_st *cudaStream_t;
typedef struct CUevent_st *cudaEvent_t;
struct cudaDeviceProp {
    char name[256];
    size_t totalGlobalMem, sharedMemPerBlock, totalConstMem, memPitch, sharedMemPerMultiprocessor;
    size_t textureAlignment, sharedMemPerBlockOptin;
    int regsPerBlock, warpSize, maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3], clockRate;
    int major, minor, multiProcessorCount, concurrentKernels, l2CacheSize, memoryClockRate;
    int memoryBusWidth, maxThreadsPerMultiProcessor, unifiedAddressing, managedMemory, integrated;
    int canMapHostMemory, deviceOverlap, asyncEngineCount, computeMode, ECCEnabled, pciBusID;
};
struct cudaFuncAttributes {
    size_t sharedSizeBytes, constSizeBytes, localSizeBytes;
    int maxThreadsPerBlock, numRegs, ptxVersion, binaryVersion;
};
struct cudaExtent { size_t width, height, depth; };
struct cudaPitchedPtr { void *ptr; size_t pitch, xsize, ysize; };

enum {
    cudaHostAllocDefault = 0,
    cudaHostAllocPortable = 1,
    cudaHostAllocMapped = 2,
    cudaHostAllocWriteCombined = 4,
    cudaMemAttachGlobal = 1,
    cudaMemAttachHost = 2,
    cudaStreamDefault = 0,
    cudaStreamNonBlocking = 1,
    cudaEventDefault = 0,
    cudaEventBlockingSync = 1,
    cudaEventDisableTiming = 2,
    cudaDeviceScheduleAuto = 0,
    cudaDeviceScheduleSpin = 1,
    cudaDeviceScheduleYield = 2,
    cudaDeviceScheduleBlockingSync = 4,
    cudaDeviceMapHost = 8,
    cudaCpuDeviceId = -1
};

#define __WW_API extern "C" __host__ cudaError_t

__WW_API cudaMalloc(void **, size_t);
__WW_API cudaMallocPitch(void **, size_t *, size_t, size_t);
__WW_API cudaMallocHost(void **, size_t);
__WW_API cudaMallocManaged(void **, size_t, unsigned = cudaMemAttachGlobal);
__WW_API cudaMallocAsync(void **, size_t, cudaStream_t);
__WW_API cudaHostAlloc(void **, size_t, unsigned);
__WW_API cudaHostGetDevicePointer(void **, void *, unsigned);
__WW_API cudaHostRegister(void *, size_t, unsigned);
__WW_API cudaHostUnregister(void *);
__WW_API cudaFree(void *);
__WW_API cudaFreeAsync(void *, cudaStream_t);
__WW_API cudaFreeHost(void *);
__WW_API cudaMemcpy(void *, const void *, size_t, cudaMemcpyKind);
__WW_API cudaMemcpyAsync(void *, const void *, size_t, cudaMemcpyKind, cudaStream_t = 0);
__WW_API cudaMemcpy2D(void *, size_t, const void *, size_t, size_t, size_t, cudaMemcpyKind);
__WW_API cudaMemset(void *, int, size_t);
__WW_API cudaMemsetAsync(void *, int, size_t, cudaStream_t = 0);
__WW_API cudaMemset2D(void *, size_t, int, size_t, size_t);
__WW_API cudaMemGetInfo(size_t *, size_t *);
__WW_API cudaMemPrefetchAsync(const void *, size_t, int, cudaStream_t = 0);
__WW_API cudaMemAdvise(const void *, size_t, cudaMemoryAdvise, int);
__WW_API cudaDeviceSynchronize();
__WW_API cudaThreadSynchronize();
__WW_API cudaDeviceReset();
__WW_API cudaThreadExit();
__WW_API cudaDeviceSetLimit(cudaLimit, size_t);
__WW_API cudaDeviceSetCacheConfig(cudaFuncCache);
__WW_API cudaDeviceGetAttribute(int *, cudaDeviceAttr, int);
__WW_API cudaDeviceSetSharedMemConfig(cudaSharedMemConfig);
__WW_API cudaDeviceCanAccessPeer(int *, int, int);
__WW_API cudaDeviceEnablePeerAccess(int, unsigned);
__WW_API cudaProfilerStart();
__WW_API cudaProfilerStop();
__WW_API cudaGetDevice(int *);
__WW_API cudaSetDevice(int);
__WW_API cudaSetDeviceFlags(unsigned);
__WW_API cudaGetDeviceCount(int *);
__WW_API cudaGetDeviceProperties(cudaDeviceProp *, int);
__WW_API cudaGetLastError();
__WW_API cudaPeekAtLastError();
__WW_API cudaStreamCreate(cudaStream_t *);
__WW_API cudaStreamCreateWithFlags(cudaStream_t *, unsigned);
__WW_API cudaStreamDestroy(cudaStream_t);
__WW_API cudaStreamSynchronize(cudaStream_t);
__WW_API cudaStreamQuery(cudaStream_t);
__WW_API cudaStreamAttachMemAsync(cudaStream_t, void *, size_t = 0, unsigned = 0);
__WW_API cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned = 0);
__WW_API cudaEventCreate(cudaEvent_t *);
__WW_API cudaEventCreateWithFlags(cudaEvent_t *, unsigned);
__WW_API cudaEventDestroy(cudaEvent_t);
__WW_API cudaEventRecord(cudaEvent_t, cudaStream_t = 0);
__WW_API cudaEventSynchronize(cudaEvent_t);
__WW_API cudaEventQuery(cudaEvent_t);
__WW_API cudaEventElapsedTime(float *, cudaEvent_t, cudaEvent_t);
__WW_API cudaDriverGetVersion(int *);
__WW_API cudaRuntimeGetVersion(int *);
__WW_API cudaLaunchKernel(const void *, dim3, dim3, void **, size_t, cudaStream_t);
__WW_API cudaConfigureCall(dim3, dim3, size_t = 0, cudaStream_t = 0);
extern "C" __host__ unsigned __cudaPushCallConfiguration(dim3, dim3, size_t = 0, void * = 0);
extern "C" __host__ const char *cudaGetErrorString(cudaError_t);
extern "C" __host__ const char *cudaGetErrorName(cudaError_t);

static inline __host__ cudaError_t cudaEventCreate(cudaEvent_t *event, unsigned flags)
{
    return cudaEventCreateWithFlags(event, flags);
}

template <typename T> __host__ cudaError_t cudaMalloc(T **, size_t);
template <typename T> __host__ cudaError_t cudaMallocPitch(T **, size_t *, size_t, size_t);
template <typename T> __host__ cudaError_t cudaMallocHost(T **, size_t, unsigned = 0);
template <typename T>
__host__ cudaError_t cudaMallocManaged(T **, size_t, unsigned = cudaMemAttachGlobal);
template <typename T> __host__ cudaError_t cudaMallocAsync(T **, size_t, cudaStream_t);
template <typename T> __host__ cudaError_t cudaHostAlloc(T **, size_t, unsigned);
template <typename T> __host__ cudaError_t cudaHostGetDevicePointer(T **, void *, unsigned);
template <typename T>
__host__ cudaError_t cudaMemcpyToSymbol(const T &, const void *, size_t, size_t = 0,
                                        cudaMemcpyKind = cudaMemcpyHostToDevice);
template <typename T>
__host__ cudaError_t cudaMemcpyFromSymbol(void *, const T &, size_t, size_t = 0,
                                          cudaMemcpyKind = cudaMemcpyDeviceToHost);
template <typename T> __host__ cudaError_t cudaGetSymbolAddress(void **, const T &);
template <typename T> __host__ cudaError_t cudaFuncSetCacheConfig(T *, cudaFuncCache);
template <typename T> __host__ cudaError_t cudaFuncSetSharedMemConfig(T *, cudaSharedMemConfig);
template <typename T> __host__ cudaError_t cudaFuncSetAttribute(T *, cudaFuncAttribute, int);
template <typename T> __host__ cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *, T *);
template <typename T>
__host__ cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *, T, int, size_t);
template <typename T>
__host__ cudaError_t cudaOccupancyMaxPotentialBlockSize(int *, int *, T, size_t = 0, int = 0);
template <typename T>
__host__ cudaError_t cudaLaunchKernel(T *, dim3, dim3, void **, size_t = 0, cudaStream_t = 0);

#undef __WW_API

#endif
