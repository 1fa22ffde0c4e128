/* SPDX-License-Identifier: Apache-2.0 */
/* Which leaves blocks sort: cells of the second partition, and those that are listed, small and
 * large ones. */
#ifndef CONSORT_MSD_LEAVES_CUH
#define CONSORT_MSD_LEAVES_CUH

#include "cuda/sorts/msd/msd_counted.cuh"
#include "cuda/sorts/msd/msd_local.cuh"

/* Of a leaf that a block will sort: nothing if `count` is 0. */
struct msd_next_leaf {
    uint32_t number, begin, count;
};

/* A cell; other leaves take it if it is too large. */
static __device__ __forceinline__ msd_next_leaf msd_leaf_of_cell(const msd_arguments &a,
                                                                 const uint32_t *ends,
                                                                 uint32_t cell)
{
    if (cell >= 1u << a.cell_bits)
        return {cell, 0, 0};
    const uint32_t begin = cell ? ends[cell - 1] : 0, count = ends[cell] - begin;
    return {cell, begin, count <= a.small_leaf ? count : 0};
}

/* The second partition's cells are leaves; each cell's cursor has come to its end. A cell is asked
 * for two leaves ahead: while one is sorted the keys of the next are on their way, and the number
 * of the one behind it. */
template <typename Local, typename K, typename Output>
static __device__ __forceinline__ void msd_sort_cells(const msd_arguments &a, Local &local,
                                                      const Output &out)
{
    const msd_cell_codes<K> codes(a);
    const bool once = a.cell_bits == MSD_DIGIT_BITS && a.control->mode != MSD_MOVED;
    const uint32_t *ends = once ? a.control->bucket_cursor : a.cells;
    const K *from = (const K *)a.buffers[once ? 0 : 1];
    msd_next_leaf leaf = msd_leaf_of_cell(a, ends, blockIdx.x);
    uint32_t following = blockIdx.x + gridDim.x, taken = blockIdx.x - gridDim.x;
    local.fetch(from + leaf.begin, leaf.count);
    for (uint32_t turn = 0; leaf.number < 1u << a.cell_bits; turn ^= 1) {
        if (threadIdx.x == 0) {
            local.s.next[turn] = taken;
            taken = msd_take(a, MSD_TAKEN_CELLS);
        }
        const msd_next_leaf next = msd_leaf_of_cell(a, ends, following);
        const auto fetch_next = [&] { local.fetch(from + next.begin, next.count); };
        if (leaf.count) {
            const code_range<K> range = codes.of(leaf.number);
            local.count = leaf.count;
            local.sort_within(range.low, code_bit_length((K)(range.high - range.low)),
                              out.at(leaf.begin), fetch_next);
        } else {
            fetch_next();
            __syncthreads();
        }
        leaf = next;
        following = 3 * gridDim.x + local.s.next[turn];
    }
}

/* The same of keys so wide that none are on their way while a leaf is sorted: nor are registers
 * left for what the next leaf is, which one thread finds out. */
template <typename Local, typename K, typename Output>
static __device__ __forceinline__ void msd_sort_wide_cells(const msd_arguments &a, Local &local,
                                                           const Output &out)
{
    const msd_cell_codes<K> codes(a);
    const bool once = a.cell_bits == MSD_DIGIT_BITS;
    const uint32_t *ends = once ? a.control->bucket_cursor : a.cells;
    const K *from = (const K *)a.buffers[once ? 0 : 1];
    uint32_t taken = blockIdx.x - gridDim.x;
    msd_next_leaf leaf = msd_leaf_of_cell(a, ends, blockIdx.x);
    for (uint32_t turn = 0; leaf.number < 1u << a.cell_bits; turn ^= 1) {
        local.load(from + leaf.begin, leaf.count);
        if (threadIdx.x == 0) {
            const msd_next_leaf next = msd_leaf_of_cell(a, ends, 2 * gridDim.x + taken);
            local.s.next[turn] = next.number;
            local.s.begin[turn] = next.begin;
            local.s.count[turn] = next.count;
            taken = msd_take(a, MSD_TAKEN_CELLS);
        }
        if (leaf.count) {
            const code_range<K> range = codes.of(leaf.number);
            local.sort_within(range.low, code_bit_length((K)(range.high - range.low)),
                              out.at(leaf.begin), [] {});
        } else {
            __syncthreads();
        }
        leaf = {local.s.next[turn], local.s.begin[turn], local.s.count[turn]};
    }
}

/* All keys are the same: at most they are in the wrong array. */
template <typename K> static __device__ __forceinline__ void msd_copy_equal(const msd_arguments &a)
{
    if (a.in == a.out)
        return;
    const K key = *(const K *)a.in;
    const uint64_t threads = (uint64_t)gridDim.x * blockDim.x;
    for (uint64_t i = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; i < a.count; i += threads)
        ((K *)a.out)[i] = key;
}

template <typename Local, typename K>
static __device__ __forceinline__ void msd_fetch_leaf(const msd_arguments &a, Local &local,
                                                      const msd_leaf &leaf)
{
    const K *from = (const K *)a.buffers[leaf.count_and_buffer >> 31];
    local.fetch(from + leaf.begin, leaf.count_and_buffer & 0x7fffffff);
}

/* `leaves` of a list, of which `at(i)` is the i-th. */
template <typename K, typename Local, typename Output, typename At>
static __device__ __forceinline__ void msd_sort_list(const msd_arguments &a, Local &local,
                                                     const Output &out, uint32_t leaves,
                                                     const At &at)
{
    uint32_t number = blockIdx.x;
    if (number >= leaves)
        return;
    msd_leaf next = at(number);
    msd_fetch_leaf<Local, K>(a, local, next);
    for (;;) {
        const msd_leaf leaf = next;
        number += gridDim.x;
        const bool more = number < leaves;
        if (more)
            next = at(number);
        local.count = leaf.count_and_buffer & 0x7fffffff;
        msd_sort_leaf(local, out.at(leaf.begin), [&] {
            if (more)
                msd_fetch_leaf<Local, K>(a, local, next);
        });
        if (!more)
            return;
    }
}

template <typename K, typename Local, typename Output>
static __device__ __forceinline__ void msd_sort_small(const msd_arguments &a, Local &local,
                                                      const Output &out)
{
    msd_sort_list<K>(a, local, out, a.control->small_leaves,
                     [&](uint32_t i) { return a.leaves[i]; });
}

template <typename K, typename Local, typename Output>
static __device__ __forceinline__ void msd_sort_large(const msd_arguments &a, Local &local,
                                                      const Output &out)
{
    msd_sort_list<K>(a, local, out, a.control->large_leaves,
                     [&](uint32_t i) { return msd_large_leaf(a, i); });
}

static __device__ __forceinline__ void msd_tell_outcome(const msd_arguments &a)
{
    if (a.outcome && blockIdx.x == 0 && threadIdx.x == 0) {
        ((int32_t *)a.outcome)[0] = 0; /* CONSORT_OK */
        ((int32_t *)a.outcome)[1] = 1;
    }
}

template <typename K, typename Local>
static __device__ __forceinline__ void msd_small_leaves(const msd_arguments &a,
                                                        typename Local::storage &s)
{
    if (a.control->mode == MSD_PASSES)
        return;
    msd_tell_outcome(a);
    if (a.control->mode == MSD_EQUAL) {
        msd_copy_equal<K>(a);
        return;
    }
    Local local(a, s);
    const msd_output<K> out = {(K *)a.out};
    const uint32_t mode = a.control->mode;
    const bool cells = mode == MSD_DIRECT || mode == MSD_VALUED || mode == MSD_MOVED;
    if (cells && !msd_is_halved(a)) {
        if constexpr (Local::fetches_early)
            msd_sort_cells<Local, K>(a, local, out);
        else
            msd_sort_wide_cells<Local, K>(a, local, out);
    }
    msd_sort_small<K>(a, local, out);
}

template <typename K, typename Local>
static __device__ __forceinline__ void msd_large_leaves(const msd_arguments &a,
                                                        typename Local::storage &s)
{
    static_assert(sizeof s >= Local::warps * EXPANSION_NEAR * sizeof(uint32_t), "room");
    if (a.control->mode == MSD_COUNTED)
        msd_write_counted<K>(a, (uint32_t *)&s);
    if (blockIdx.x >= a.control->large_leaves)
        return;
    Local local(a, s);
    msd_sort_large<K>(a, local, msd_output<K>{(K *)a.out});
}

#endif
