/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lists whose rooms did not suffice, in the launch of the levels. Keys are where they were, but how
 * many each bucket has is known, as all asked for places: they move once more, to buckets as large
 * as that, which are segments. (2^24 u32 of which one in 1000 is low took 446 µs as one segment,
 * and take 346 so, on an H200.)
 */
#ifndef CONSORT_MSD_SPILLED_CUH
#define CONSORT_MSD_SPILLED_CUH

#include "cuda/device/grid_barrier.cuh"
#include "cuda/sorts/msd/msd_partition.cuh"

/* By all blocks, if some keys are no numbers: keys come to rest as codes, and are one segment. */
template <typename K, unsigned Threads>
static __device__ __forceinline__ void msd_file_spilled(const msd_arguments &a,
                                                        code_range<K> *warp_ranges)
{
    constexpr unsigned loads = 32 / sizeof(K);
    const codes<K> codec(a.codec);
    const uint64_t stride = (uint64_t)gridDim.x * Threads;
    code_range<K> range;
    range.clear();
    for (uint64_t first = (uint64_t)blockIdx.x * Threads + threadIdx.x; first < a.count;
         first += loads * stride) {
        K code[loads];
#pragma unroll
        for (unsigned i = 0; i < loads; i++)
            code[i] = ((const K *)a.in)[min(first + i * stride, a.count - 1)];
#pragma unroll
        for (unsigned i = 0; i < loads; i++) {
            code[i] = codec.encode(code[i]);
            range.add(code[i]);
            if (first + i * stride < a.count)
                ((K *)a.buffers[0])[first + i * stride] = code[i];
        }
    }
    range.join_block(warp_ranges);
    if (threadIdx.x == 0)
        ((code_range<K> *)a.extremes)[blockIdx.x] = range;
    grid_barrier(&a.control->arrivals);
    if (blockIdx.x == 0) {
        range = msd_range_of_blocks<K, Threads>(a, 0, gridDim.x, warp_ranges);
        if (threadIdx.x == 0) {
            msd_file(a, 0, (uint32_t)a.count, 0, range.low, range.high);
            a.control->mode = MSD_TABLED;
            a.control->halved = 0;
        }
    }
    grid_barrier(&a.control->arrivals);
}

/* By one block: cursors to where buckets begin, and tiles to be taken again. */
static __device__ __forceinline__ void msd_place_buckets(const msd_arguments &a,
                                                         uint32_t *warp_sums)
{
    msd_control *control = a.control;
    const uint32_t keys = threadIdx.x < MSD_DIGITS ? control->bucket_cursor[threadIdx.x] : 0;
    const uint32_t begin = block_exclusive_sum_256(keys, warp_sums);
    if (threadIdx.x < MSD_DIGITS)
        control->bucket_begin[threadIdx.x] = control->bucket_cursor[threadIdx.x] = begin;
    if (threadIdx.x == 0) {
        control->bucket_begin[MSD_DIGITS] = (uint32_t)a.count;
        control->taken[MSD_TAKEN_FIRST] = 0;
    }
}

/* The codes of a bucket's keys. */
template <typename K>
static __device__ __forceinline__ code_range<K> msd_bucket_codes(const msd_arguments &a,
                                                                 uint32_t bucket)
{
    const uint32_t below = a.second_bits, last = ((1u << a.cell_bits) - 1) >> below;
    const msd_cell_codes<K> codes_of(a);
    const K low = codes_of.of(bucket << below).low;
    const K high = codes_of.of((bucket << below) + msd_ones<uint32_t>(below)).high;
    const bool open = a.control->outside != 0;
    return {open && bucket == 0 ? (K)0 : low, open && bucket == last ? (K) ~(K)0 : high};
}

/* By one block, when keys have moved. */
template <typename K>
static __device__ __forceinline__ void msd_file_buckets(const msd_arguments &a)
{
    msd_control *control = a.control;
    if (threadIdx.x < 1u << (a.cell_bits - a.second_bits)) {
        const code_range<K> own = msd_bucket_codes<K>(a, threadIdx.x);
        const uint32_t begin = control->bucket_begin[threadIdx.x];
        msd_file(a, begin, control->bucket_begin[threadIdx.x + 1] - begin, 0, own.low, own.high);
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        control->mode = MSD_TABLED;
        control->halved = 0;
    }
}

/* Half as many keys as levels move at once: registers for more would spill (the list above by tiles
 * of 512 × 32: 463 µs). */
template <typename K, unsigned Threads, unsigned Items>
using msd_spilled_tile = msd_tile<K, Threads, Items / 2>;

/* By all blocks; `s` has such a tile, and sums of warps. */
template <typename K, typename Tile, typename Storage>
static __device__ __forceinline__ void msd_move_spilled(const msd_arguments &a, Storage &s)
{
    msd_control *control = a.control;
    if (blockIdx.x == 0)
        msd_place_buckets(a, s.warp_sums);
    grid_barrier(&control->arrivals);
    const uint32_t below = a.second_bits, bits = a.cell_bits - below;
    Tile tile(s.spilled);
    if (control->mode == MSD_VALUED) {
        using digit = msd_value_digit<K, false, true>;
        msd_move_tiles(tile, msd_first_source<K, digit>(a, Tile::keys, {a, below, bits}));
    } else {
        using digit = msd_clamped_digit<K>;
        msd_move_tiles(tile, msd_first_source<K, digit>(a, Tile::keys, {a, below, bits}));
    }
    grid_barrier(&control->arrivals);
    if (blockIdx.x == 0)
        msd_file_buckets<K>(a);
    grid_barrier(&control->arrivals);
}

/* The same where levels alone would lack registers for it, though it lacks them itself then: its
 * arguments are found by pointers. So it finds its shared memory by itself. */
template <typename K, typename Tile, typename Storage>
__attribute__((noinline)) static __device__ void msd_move_spilled_apart(const msd_arguments &a)
{
    SHARED_DYNAMIC(storage, Storage);
    msd_move_spilled<K, Tile>(a, *storage);
}

/* By all blocks. */
template <bool Apart, typename K, unsigned Threads, typename Tile, typename Storage>
static __device__ __forceinline__ void msd_resume_spilled(const msd_arguments &a, Storage &s)
{
    if (a.control->nameless)
        msd_file_spilled<K, Threads>(a, s.ranges);
    else if constexpr (Apart)
        msd_move_spilled_apart<K, Tile, Storage>(a);
    else
        msd_move_spilled<K, Tile>(a, s);
}

#endif
