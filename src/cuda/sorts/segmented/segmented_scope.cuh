/* SPDX-License-Identifier: Apache-2.0 */
/* The threads that sort a tile of leaves together: a warp, or a block. */
#ifndef CONSORT_SEGMENTED_SCOPE_CUH
#define CONSORT_SEGMENTED_SCOPE_CUH

#include "cuda/device/sort_network.cuh"

struct segmented_warp_scope {
    static constexpr bool keeps_values = true; /* beside codes, where a thread has room for both */
    /* Outliers beside the tag: with the code for them this scope takes 10 % longer for all leaves.
     */
    static constexpr bool leaves_out = false;
    static constexpr bool ranked = false; /* several segments share a leaf */

    /* Of its tile's memory, the warp's part of the block's. */
    static __device__ __forceinline__ uint32_t memory_thread()
    {
        return threadIdx.x & ~31u;
    }
    static __device__ __forceinline__ uint32_t first_thread()
    {
        return 0;
    }
    static __device__ __forceinline__ uint32_t threads()
    {
        return 32;
    }
    static __device__ __forceinline__ void sync()
    {
        __syncwarp();
    }
    /* Lets all see what others wrote before, as in a block. */
    static __device__ __forceinline__ bool any(bool value)
    {
        __syncwarp();
        return __any_sync(0xffffffffu, value);
    }
    static __device__ __forceinline__ uint32_t most(uint32_t value, uint32_t *)
    {
        return __reduce_max_sync(0xffffffffu, value);
    }
    /* Leaves of `lanes` lanes each. */
    template <typename T, unsigned N>
    static __device__ __forceinline__ void sort(T (&x)[N], uint32_t lanes, T *, uint32_t)
    {
        network_sort<N, 0>(x);
        network_merge_lanes(x, lanes);
    }
};

/* One whose tile is a run of segments (segmented_runs.cuh). */
struct segmented_run_scope : segmented_warp_scope {
    static constexpr bool ranked = true;
};

struct segmented_block_scope {
    static constexpr bool keeps_values = false;
    static constexpr bool leaves_out = true;
    static constexpr bool ranked = false;

    static __device__ __forceinline__ uint32_t memory_thread()
    {
        return 0;
    }
    static __device__ __forceinline__ uint32_t first_thread()
    {
        return threadIdx.x & ~31u;
    }
    static __device__ __forceinline__ uint32_t threads()
    {
        return blockDim.x;
    }
    static __device__ __forceinline__ void sync()
    {
        __syncthreads();
    }
    static __device__ __forceinline__ bool any(bool value)
    {
        return __syncthreads_or(value);
    }
    /* How many threads say so. */
    static __device__ __forceinline__ uint32_t count(bool value)
    {
        return (uint32_t)__syncthreads_count(value);
    }
    /* `scratch` has a word for each warp, and is free afterwards. */
    static __device__ __forceinline__ uint32_t most(uint32_t value, uint32_t *scratch)
    {
        const uint32_t of_warp = __reduce_max_sync(0xffffffffu, value);
        if (threadIdx.x % 32 == 0)
            scratch[threadIdx.x / 32] = of_warp;
        __syncthreads();
        const uint32_t lane = threadIdx.x % 32;
        const uint32_t most = lane < blockDim.x / 32 ? scratch[lane] : 0;
        __syncthreads();
        return __reduce_max_sync(0xffffffffu, most);
    }
    /* One leaf of `length` items, through `tile`, which is free afterwards. */
    template <typename T, unsigned N>
    static __device__ __forceinline__ void sort(T (&x)[N], uint32_t, T *tile, uint32_t length)
    {
        if ((threadIdx.x & ~31u) * N < length) {
            network_sort<N, 0>(x);
            network_merge_lanes(x, 32);
        }
        network_merge_warps(x, tile, length);
        __syncthreads();
    }
};

#endif
