/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Short lists in one launch: those of one leaf by one block, others by blocks that meet at
 * barriers: codes and their range, levels from the whole list on, leaves.
 */
#ifndef CONSORT_MSD_SHORT_CUH
#define CONSORT_MSD_SHORT_CUH

#include "cuda/sorts/msd/msd_levels.cuh"
#include "cuda/sorts/msd/msd_local.cuh"

/* A list that is one leaf. */
template <typename K, typename Local>
static __device__ __forceinline__ void msd_alone(const msd_arguments &a, typename Local::storage &s)
{
    Local local(a, s);
    local.load((const K *)a.in, (uint32_t)a.count);
    local.encode();
    local.sort((K *)a.out);
    msd_tell_outcome(a);
}

template <typename K, unsigned Threads, unsigned Items, typename Local> struct msd_whole_storage {
    union {
        msd_levels_storage<K, Threads, Items, Items> levels;
        msd_skew_storage skew;
        typename Local::storage leaf;
    };
    code_range<K> ranges[Threads / 32];
};

/* Keys come to rest as codes; each block notes the range of its own. */
template <typename K, unsigned Threads>
static __device__ __forceinline__ void msd_read_codes(const msd_arguments &a,
                                                      code_range<K> *warp_ranges)
{
    constexpr unsigned loads = 4;
    const codes<K> codec(a.codec);
    const uint32_t count = (uint32_t)a.count, stride = gridDim.x * Threads;
    code_range<K> range;
    range.clear();
    for (uint32_t first = blockIdx.x * Threads + threadIdx.x; first < count;
         first += loads * stride) {
        K code[loads];
#pragma unroll
        for (unsigned i = 0; i < loads; i++)
            code[i] = ((const K *)a.in)[min(first + i * stride, count - 1)];
#pragma unroll
        for (unsigned i = 0; i < loads; i++) {
            code[i] = codec.encode(code[i]);
            range.add(code[i]);
            if (first + i * stride < count)
                ((K *)a.buffers[0])[first + i * stride] = code[i];
        }
    }
    range.join_block(warp_ranges);
    if (threadIdx.x == 0)
        ((code_range<K> *)a.extremes)[blockIdx.x] = range;
    __syncthreads();
}

/* By one block: the whole list is the first segment, or it is left to passes. */
template <typename K, unsigned Threads>
static __device__ __forceinline__ void
msd_file_whole(const msd_arguments &a, code_range<K> *warp_ranges, msd_skew_storage &skew)
{
    constexpr unsigned each = 8, samples = Threads * each;
    const uint32_t count = (uint32_t)a.count;
    K code[each];
#pragma unroll
    for (unsigned i = 0; i < each; i++) {
        const uint64_t at = msd_sample_place(i * Threads + threadIdx.x, samples, 1, count);
        code[i] = ((const K *)a.buffers[0])[min(at, (uint64_t)count - 1)];
    }
    code_range<K> range;
    range.clear();
    for (uint32_t i = threadIdx.x; i < gridDim.x; i += Threads)
        range.add(((const code_range<K> *)a.extremes)[i]);
    range.join_block(warp_ranges);
    const uint32_t bits = code_bit_length((K)(range.high - range.low));
    const msd_scale scale = {bits > MSD_DIGIT_BITS ? bits - MSD_DIGIT_BITS : 0,
                             (uint32_t)((uint64_t)2 * a.small_leaf * samples / count),
                             samples / 16 * 15};
    const bool passes = msd_wants_passes<K, Threads, each>(a, code, range.low, scale, skew);
    if (threadIdx.x == 0 && passes)
        a.control->mode = MSD_PASSES;
    else if (threadIdx.x == 0)
        msd_file(a, 0, count, 0, range.low, range.high);
}

template <typename K, unsigned Threads, unsigned Items, typename Local>
static __device__ __forceinline__ void msd_whole(const msd_arguments &a,
                                                 const lsd_arguments &passes,
                                                 msd_whole_storage<K, Threads, Items, Local> &s)
{
    msd_read_codes<K, Threads>(a, s.ranges);
    grid_barrier(&a.control->arrivals);
    if (blockIdx.x == 0)
        msd_file_whole<K, Threads>(a, s.ranges, s.skew);
    grid_barrier(&a.control->arrivals);
    msd_levels<K, Threads, Items, Items>(a, passes, s.levels);
    if (a.control->mode == MSD_PASSES)
        return;
    msd_tell_outcome(a);
    __syncthreads();
    Local local(a, s.leaf);
    msd_sort_small<K>(a, local);
}

#endif
