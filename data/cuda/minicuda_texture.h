/* Textures, surfaces and arrays as far as host code mentions them. Device code that fetches from one
 * is refused with a message that says so: the machine has no texture units. */
#ifndef __WW_MINICUDA_TEXTURE_H
#define __WW_MINICUDA_TEXTURE_H

enum cudaTextureReadMode { cudaReadModeElementType, cudaReadModeNormalizedFloat };
enum cudaTextureFilterMode { cudaFilterModePoint, cudaFilterModeLinear };
enum cudaTextureAddressMode {
    cudaAddressModeWrap,
    cudaAddressModeClamp,
    cudaAddressModeMirror,
    cudaAddressModeBorder
};
enum cudaChannelFormatKind {
    cudaChannelFormatKindSigned,
    cudaChannelFormatKindUnsigned,
    cudaChannelFormatKindFloat,
    cudaChannelFormatKindNone
};
enum cudaResourceType {
    cudaResourceTypeArray,
    cudaResourceTypeMipmappedArray,
    cudaResourceTypeLinear,
    cudaResourceTypePitch2D
};
enum {
    cudaTextureType1D = 1,
    cudaTextureType2D = 2,
    cudaTextureType3D = 3,
    cudaTextureTypeCubemap = 12,
    cudaTextureType1DLayered = 241,
    cudaTextureType2DLayered = 242,
    cudaArrayDefault = 0,
    cudaArrayLayered = 1,
    cudaArraySurfaceLoadStore = 2
};

struct cudaChannelFormatDesc {
    int x, y, z, w;
    cudaChannelFormatKind f;
};
typedef struct cudaArray *cudaArray_t;
typedef const struct cudaArray *cudaArray_const_t;
typedef unsigned long long cudaTextureObject_t;
typedef unsigned long long cudaSurfaceObject_t;

struct textureReference {
    int normalized;
    cudaTextureFilterMode filterMode;
    cudaTextureAddressMode addressMode[3];
    cudaChannelFormatDesc channelDesc;
};
template <typename T, int dimensions = cudaTextureType1D,
          cudaTextureReadMode mode = cudaReadModeElementType>
struct __attribute__((device_builtin_texture_type)) texture : textureReference {
};
template <typename T, int dimensions = cudaTextureType1D>
struct __attribute__((device_builtin_surface_type)) surface;
template <int dimensions> struct __attribute__((device_builtin_surface_type)) surface<void, dimensions> {
    cudaChannelFormatDesc channelDesc;
};

struct cudaTextureDesc {
    cudaTextureAddressMode addressMode[3];
    cudaTextureFilterMode filterMode;
    cudaTextureReadMode readMode;
    int sRGB, normalizedCoords;
    float borderColor[4];
};
struct cudaResourceDesc {
    cudaResourceType resType;
    union {
        struct { cudaArray_t array; } array;
        struct { void *devPtr; cudaChannelFormatDesc desc; size_t sizeInBytes; } linear;
        struct {
            void *devPtr;
            cudaChannelFormatDesc desc;
            size_t width, height, pitchInBytes;
        } pitch2D;
    } res;
};
struct cudaResourceViewDesc;
struct cudaPos { size_t x, y, z; };
struct cudaMemcpy3DParms {
    cudaArray_t srcArray;
    cudaPos srcPos;
    cudaPitchedPtr srcPtr;
    cudaArray_t dstArray;
    cudaPos dstPos;
    cudaPitchedPtr dstPtr;
    cudaExtent extent;
    cudaMemcpyKind kind;
};

#define __WW_API extern "C" __host__ cudaError_t
__WW_API cudaMallocArray(cudaArray_t *, const cudaChannelFormatDesc *, size_t, size_t = 0,
                         unsigned = 0);
__WW_API cudaMalloc3DArray(cudaArray_t *, const cudaChannelFormatDesc *, cudaExtent, unsigned = 0);
__WW_API cudaMalloc3D(cudaPitchedPtr *, cudaExtent);
__WW_API cudaFreeArray(cudaArray_t);
__WW_API cudaMemcpy3D(const cudaMemcpy3DParms *);
__WW_API cudaMemcpyToArray(cudaArray_t, size_t, size_t, const void *, size_t, cudaMemcpyKind);
__WW_API cudaMemcpy2DToArray(cudaArray_t, size_t, size_t, const void *, size_t, size_t, size_t,
                             cudaMemcpyKind);
__WW_API cudaCreateTextureObject(cudaTextureObject_t *, const cudaResourceDesc *,
                                 const cudaTextureDesc *, const cudaResourceViewDesc *);
__WW_API cudaDestroyTextureObject(cudaTextureObject_t);
__WW_API cudaCreateSurfaceObject(cudaSurfaceObject_t *, const cudaResourceDesc *);
__WW_API cudaDestroySurfaceObject(cudaSurfaceObject_t);
extern "C" __host__ cudaChannelFormatDesc cudaCreateChannelDesc(int, int, int, int,
                                                                cudaChannelFormatKind);
extern "C" __host__ cudaExtent make_cudaExtent(size_t, size_t, size_t);
extern "C" __host__ cudaPos make_cudaPos(size_t, size_t, size_t);
extern "C" __host__ cudaPitchedPtr make_cudaPitchedPtr(void *, size_t, size_t, size_t);
#undef __WW_API

template <typename T> __host__ cudaChannelFormatDesc cudaCreateChannelDesc();
template <typename... A> __host__ cudaError_t cudaBindTexture(size_t *, A &&...);
template <typename... A> __host__ cudaError_t cudaBindTexture2D(size_t *, A &&...);
template <typename... A> __host__ cudaError_t cudaBindTextureToArray(A &&...);
template <typename... A> __host__ cudaError_t cudaBindSurfaceToArray(A &&...);
template <typename T> __host__ cudaError_t cudaUnbindTexture(T &&);

/* Fetches: by reference (the element's type is the texture's) and by object (it is given). */
#define __WW_NO_TEXTURES \
    __attribute__((unavailable("textures and surfaces do not exist here (use buffers)")))
#define __WW_FETCH(name)                                                                     \
    template <typename T, int d, cudaTextureReadMode m, typename... A>                       \
    __device__ __WW_NO_TEXTURES T name(texture<T, d, m>, A...);                              \
    template <typename T, typename... A>                                                     \
    __device__ __WW_NO_TEXTURES T name(cudaTextureObject_t, A...);                           \
    template <typename T, typename... A>                                                     \
    __device__ __WW_NO_TEXTURES void name(T *, cudaTextureObject_t, A...);
__WW_FETCH(tex1Dfetch)
__WW_FETCH(tex1D)
__WW_FETCH(tex2D)
__WW_FETCH(tex3D)
__WW_FETCH(tex1DLayered)
__WW_FETCH(tex2DLayered)
__WW_FETCH(tex2DLod)
__WW_FETCH(tex3DLod)
__WW_FETCH(tex2Dgather)
__WW_FETCH(texCubemap)
#define __WW_SURFACE(dimensions)                                                             \
    template <typename T, typename... A>                                                     \
    __device__ __WW_NO_TEXTURES T surf##dimensions##read(A...);                              \
    template <typename T, typename... A>                                                     \
    __device__ __WW_NO_TEXTURES void surf##dimensions##read(T *, A...);                      \
    template <typename T, typename... A>                                                     \
    __device__ __WW_NO_TEXTURES void surf##dimensions##write(T, A...);
__WW_SURFACE(1D)
__WW_SURFACE(2D)
__WW_SURFACE(3D)

#endif
