/* Cooperative groups inside a block: the block itself, and tiles of a warp. There is no group of the
 * whole grid: blocks of a launch cannot wait for each other. */
#ifndef __WW_COOPERATIVE_GROUPS_H
#define __WW_COOPERATIVE_GROUPS_H

namespace cooperative_groups
{

struct thread_block {
    static __device__ void sync() { __syncthreads(); }
    static __device__ unsigned thread_rank()
    {
        return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    }
    static __device__ unsigned size() { return blockDim.x * blockDim.y * blockDim.z; }
    static __device__ unsigned num_threads() { return size(); }
    static __device__ dim3 group_index() { return blockIdx; }
    static __device__ dim3 thread_index() { return threadIdx; }
    static __device__ dim3 group_dim() { return blockDim; }
    static __device__ dim3 dim_threads() { return blockDim; }
};

template <unsigned Size, typename Parent = thread_block> struct thread_block_tile {
    static_assert(Size <= 32 && (Size & (Size - 1)) == 0, "a tile has 1, 2, 4, 8, 16 or 32 threads");
    static __device__ unsigned first() { return __lane_id() % 32 / Size * Size; }
    static __device__ unsigned mask() { return (0xffffffffu >> (32 - Size)) << first(); }
    static __device__ void sync() { __syncwarp(mask()); }
    static __device__ unsigned thread_rank() { return __lane_id() % Size; }
    static constexpr __device__ unsigned size() { return Size; }
    static constexpr __device__ unsigned num_threads() { return Size; }
    static __device__ unsigned meta_group_rank() { return thread_block::thread_rank() / Size; }
    static __device__ unsigned meta_group_size()
    {
        return (thread_block::size() + Size - 1) / Size;
    }
    template <typename T> __device__ T shfl(T v, int lane) const
    {
        return __shfl_sync(mask(), v, lane, Size);
    }
    template <typename T> __device__ T shfl_up(T v, unsigned delta) const
    {
        return __shfl_up_sync(mask(), v, delta, Size);
    }
    template <typename T> __device__ T shfl_down(T v, unsigned delta) const
    {
        return __shfl_down_sync(mask(), v, delta, Size);
    }
    template <typename T> __device__ T shfl_xor(T v, int lanes) const
    {
        return __shfl_xor_sync(mask(), v, lanes, Size);
    }
    static __device__ int any(int p) { return __any_sync(mask(), p); }
    static __device__ int all(int p) { return __all_sync(mask(), p); }
    static __device__ unsigned ballot(int p) { return __ballot_sync(mask(), p) >> first(); }
};

/* The threads of a warp that are active here. */
struct coalesced_group {
    unsigned members;
    __device__ void sync() const { __syncwarp(members); }
    __device__ unsigned size() const { return __popc(members); }
    __device__ unsigned num_threads() const { return __popc(members); }
    __device__ unsigned thread_rank() const
    {
        return __popc(members & ((1u << __lane_id() % 32) - 1));
    }
    __device__ int any(int p) const { return __any_sync(members, p); }
    __device__ int all(int p) const { return __all_sync(members, p); }
    template <typename T> __device__ T shfl(T v, unsigned rank) const
    {
        unsigned rest = members;
        for (; rank > 0; rank--)
            rest &= rest - 1;
        return __shfl_sync(members, v, __ffs(rest) - 1);
    }
};

__WW_DEVICE thread_block this_thread_block() { return thread_block(); }
__WW_DEVICE coalesced_group coalesced_threads() { return coalesced_group{__activemask()}; }
template <unsigned Size, typename Parent>
__WW_DEVICE thread_block_tile<Size, Parent> tiled_partition(const Parent &)
{
    return thread_block_tile<Size, Parent>();
}
template <typename Group> __WW_DEVICE void sync(const Group &group) { group.sync(); }

template <typename T> struct plus {
    __device__ T operator()(T a, T b) const { return a + b; }
};
template <typename T> struct less {
    __device__ T operator()(T a, T b) const { return b < a ? b : a; }
};
template <typename T> struct greater {
    __device__ T operator()(T a, T b) const { return a < b ? b : a; }
};
template <unsigned Size, typename Parent, typename T, typename Op>
__WW_DEVICE T reduce(const thread_block_tile<Size, Parent> &tile, T v, Op op)
{
    for (unsigned distance = Size / 2; distance > 0; distance /= 2)
        v = op(v, tile.shfl_xor(v, (int)distance));
    return v;
}

}

#endif
