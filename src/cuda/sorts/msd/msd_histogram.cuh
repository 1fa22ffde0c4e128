/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One read counts the keys of each cell, a range of codes or of numbers, and finds the lowest and
 * the highest code.
 */
#ifndef CONSORT_MSD_HISTOGRAM_CUH
#define CONSORT_MSD_HISTOGRAM_CUH

#include "cuda/device/grid_barrier.cuh"
#include "cuda/sorts/msd/msd_counter.cuh"

template <unsigned N>
static __device__ __forceinline__ void msd_load_words(uint4 (&loaded)[N], const uint4 *from)
{
#pragma unroll
    for (unsigned i = 0; i < N; i++)
        loaded[i] = __ldcs(&from[i * MSD_HISTOGRAM_THREADS + threadIdx.x]);
}

/* Whole rounds of the block, so that lanes stay together; keys before the first and after the last
 * whole 16-byte word are left to the first block. */
template <typename K, unsigned How>
static __device__ __forceinline__ code_range<K>
msd_count_words(const msd_arguments &a, const msd_cells<K> &cells, msd_histogram_storage<K> &s)
{
    msd_counter<K, How> counter(a, cells, s);
    constexpr unsigned per_word = sizeof(uint4) / sizeof(K), unroll = 4;
    constexpr uint64_t stretch = (uint64_t)MSD_HISTOGRAM_THREADS * unroll;
    static_assert(stretch * per_word <= 16384, "a counter could overflow");
    const K *keys = (const K *)a.in;
    const uint64_t misaligned = (0 - (uintptr_t)keys) % sizeof(uint4) / sizeof(K);
    const uint64_t head = min(misaligned, a.count);
    const uint64_t words = (a.count - head) / per_word;
    const uint4 *word = (const uint4 *)(keys + head);
    if (blockIdx.x == 0) {
        const uint64_t tail = head + words * per_word;
        if (threadIdx.x < head)
            counter.add_key(keys[threadIdx.x]);
        if (tail + threadIdx.x < a.count)
            counter.add_key(keys[tail + threadIdx.x]);
        __syncthreads();
    }
    const uint32_t whole = (uint32_t)(words / stretch);
    uint32_t number = blockIdx.x, following = number + gridDim.x;
    uint4 loaded[unroll], next[unroll];
    if (number < whole)
        msd_load_words(loaded, word + number * stretch);
    for (uint32_t turn = 0; number < whole; turn ^= 1) {
        const uint32_t taken = threadIdx.x == 0 ? msd_take(a, cells.taken) : 0;
        if (following < whole)
            msd_load_words(next, word + following * stretch);
#pragma unroll
        for (unsigned i = 0; i < unroll; i++)
            counter.add_word(loaded[i]);
#pragma unroll
        for (unsigned i = 0; i < unroll; i++)
            loaded[i] = next[i];
        if (threadIdx.x == 0)
            s.next[turn] = taken;
        counter.meet(cells.bits);
        number = following;
        following = 2 * gridDim.x + s.next[turn];
    }
    if (number == whole)
        for (uint64_t at = head + whole * stretch * per_word + threadIdx.x;
             at < head + words * per_word; at += MSD_HISTOGRAM_THREADS)
            counter.add_key(keys[at]);
    __syncthreads();
    if (counter.exceeds())
        a.control->strays = MSD_STRAYS + 1;
    return counter.range;
}

template <typename K>
static __device__ __forceinline__ code_range<K> msd_count(const msd_arguments &a,
                                                          const msd_cells<K> &cells, uint32_t how,
                                                          msd_histogram_storage<K> &s)
{
    const msd_bins<msd_salts<K>()> bins(s.pairs, cells.totals, cells.bits, a.salt);
    bins.clear(cells.bits);
    const bool covers_all = cells.base == 0 && cells.shift + cells.bits >= 8 * sizeof(K);
    const bool identity = a.codec.identity != 0, flips = msd_codec<K>(a.codec).flips;
    const code_range<K> range = how == MSD_GATHERED ? msd_count_words<K, MSD_GATHERED>(a, cells, s)
                                : covers_all && identity ? msd_count_words<K, MSD_ALL>(a, cells, s)
                                : covers_all && flips ? msd_count_words<K, MSD_FLIPPED>(a, cells, s)
                                                      : msd_count_words<K, MSD_PLACED>(a, cells, s);
    bins.flush(cells.bits);
    return range;
}

template <typename K>
static __device__ __forceinline__ void msd_note_range(const msd_arguments &a, code_range<K> range,
                                                      code_range<K> *warps)
{
    range.join_block(warps);
    if (threadIdx.x == 0)
        ((code_range<K> *)a.extremes)[blockIdx.x] = range;
}

/* By all blocks: where cells that are ranges of numbers begin, and where the last one ends. Not
 * inlined, for the sake of what counts. */
template <typename K>
__attribute__((noinline)) static __device__ void msd_find_bounds(const msd_arguments &a)
{
    const codes<K> codec(a.codec);
    const msd_value_map<K> map = msd_value_map<K>::of(a);
    for (uint32_t cell = blockIdx.x * MSD_HISTOGRAM_THREADS + threadIdx.x; cell <= map.cells;
         cell += gridDim.x * MSD_HISTOGRAM_THREADS) {
        const K first = map.begin(codec, cell);
        ((K *)a.bounds)[cell] = first;
        if (a.halves && cell < map.cells && map.exceeds_half(codec, cell, first))
            a.control->whole[cell >> a.second_bits] = 1;
    }
}

/* By ranges of numbers. Not one of the ways of msd_count(): what these leave in registers across
 * the loop would be spilled in it. */
template <typename K>
static __device__ __forceinline__ void msd_count_numbers(const msd_arguments &a,
                                                         msd_histogram_storage<K> &s)
{
    const msd_bins<msd_salts<K>()> bins(s.pairs, a.cells, a.cell_bits, a.salt);
    msd_find_bounds<K>(a);
    bins.clear(a.cell_bits);
    msd_note_range(a,
                   msd_count_words<K, MSD_NUMBERED>(a, msd_range_cells<K>(a, MSD_TAKEN_COUNTED), s),
                   s.warps);
    bins.flush(a.cell_bits);
}

/* By the ranks of few different codes. Not inlined, for the sake of what else counts. So it finds
 * its shared memory by itself, as additions to what a pointer points to are slower. */
template <typename K>
__attribute__((noinline)) static __device__ void msd_count_ranks(const msd_arguments &a)
{
    SHARED_DYNAMIC(storage, msd_histogram_storage<K>);
    msd_histogram_storage<K> &s = *storage;
    const msd_cells<K> cells = {0, 0, FEW_CODE_BITS, a.singles, MSD_TAKEN_COUNTED};
    const msd_bins<msd_salts<K>()> bins(s.pairs, cells.totals, cells.bits, a.salt);
    if (threadIdx.x < MSD_FEW)
        s.few[threadIdx.x] = code_from_words<K>(a.control->few[threadIdx.x]);
    bins.clear(cells.bits);
    msd_note_range(a, msd_count_words<K, MSD_RANKED>(a, cells, s), s.warps);
    bins.flush(cells.bits);
}

template <typename K>
static __device__ __forceinline__ void msd_histogram(const msd_arguments &a,
                                                     msd_histogram_storage<K> &s)
{
    const msd_control *control = a.control;
    if (control->counted == MSD_RANKED)
        return msd_count_ranks<K>(a);
    if constexpr (sizeof(K) <= 8)
        if (control->valued)
            return msd_count_numbers<K>(a, s);
    const msd_cells<K> cells = control->counted
                                   ? msd_cells<K>{code_from_words<K>(control->rest), 0,
                                                  a.counted_bits, a.singles, MSD_TAKEN_COUNTED}
                                   : msd_range_cells<K>(a, MSD_TAKEN_COUNTED);
    msd_note_range(a, msd_count(a, cells, control->counted, s), s.warps);
}

/* By ranges of codes, as if nothing else had been tried. */
template <typename K>
static __device__ __forceinline__ void msd_recount(const msd_arguments &a,
                                                   msd_histogram_storage<K> &s)
{
    if (a.control->valued) {
        for (uint32_t cell = blockIdx.x * MSD_HISTOGRAM_THREADS + threadIdx.x;
             cell < 1u << a.cell_bits; cell += gridDim.x * MSD_HISTOGRAM_THREADS)
            a.cells[cell] = 0;
        grid_barrier(&a.control->arrivals);
    }
    msd_note_range(a, msd_count(a, msd_range_cells<K>(a, MSD_TAKEN_AGAIN), MSD_PLACED, s), s.warps);
}

#endif
