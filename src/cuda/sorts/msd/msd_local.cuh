/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finishing a leaf, a bucket that fits into shared memory. The next bits of the codes put its keys
 * into bins, about one key a bin: then every key is almost at its place, and a few rounds of
 * odd-even transposition, on stretches of neighbouring keys in the registers of a thread, do the
 * rest. Where bins are large (codes that agree in these bits) they do not, and a network for the
 * whole leaf takes over.
 */
#ifndef CONSORT_MSD_LOCAL_CUH
#define CONSORT_MSD_LOCAL_CUH

#include "cuda/device/block_merge.cuh"
#include "cuda/device/bin_scan.cuh"
#include "cuda/device/transposition_rounds.cuh"
#include "cuda/sorts/msd/msd_counted.cuh"

enum {
    MSD_TURNS = 4 /* of which usually one suffices, or two */
};

/* Sorts a leaf whose bins were too large by merging. Not a member: a call that is not inlined would
 * move the members of a leaf from registers to memory. */
template <typename Merge, typename K>
static __device__ void msd_sort_by_merging(typename Merge::storage &s, uint32_t count)
{
    constexpr unsigned items = Merge::keys / Merge::threads;
    Merge merge(s);
    K key[items];
#pragma unroll
    for (unsigned i = 0; i < items; i++) {
        const uint32_t at = threadIdx.x * items + i;
        key[i] = at < count ? s.codes[at] : (K) ~(K)0;
    }
    __syncthreads();
    merge.sort(key);
    merge.store(key);
    __syncthreads();
}

template <typename K, unsigned Threads, unsigned Items, unsigned BinBits> struct msd_local {
    static constexpr unsigned keys = Threads * Items, bins = 1u << BinBits;
    static constexpr unsigned warps = Threads / 32, stretch = 32 * Items;
    using binning = bin_scan<Threads, BinBits>;
    using merge_type = block_merge<K, false, Threads, Items>;

    struct alignas(16) storage {
        uint32_t bin[bins]; /* zero between leaves */
        union {
            K key[keys];
            typename merge_type::storage merging; /* its codes are the keys */
        };
        code_range<K> ranges[warps];
        typename binning::sums warp_sums;
    };

    storage &s;
    const codes<K> codec;
    uint32_t count;
    K code[Items];

    static_assert(Items % 2 == 1, "threads meet in no bank, and rounds exchange with neighbours");
    static_assert(keys < 65536, "ranks and sums are 16 bits");

    __device__ __forceinline__ msd_local(const msd_arguments &a, storage &memory)
        : s(memory), codec(a.codec), count(0)
    {
        binning::clear(s.bin);
        __syncthreads();
    }

    __device__ __forceinline__ void load(const K *from, uint32_t keys_in_leaf)
    {
        count = keys_in_leaf;
#pragma unroll
        for (unsigned i = 0; i < Items; i++)
            if (i * Threads + threadIdx.x < count)
                code[i] = from[i * Threads + threadIdx.x];
    }

    /* Keys as they came become codes. */
    __device__ __forceinline__ void encode()
    {
        codec.encode_all(code);
    }

    __device__ __forceinline__ code_range<K> range_of_keys()
    {
        code_range<K> range;
        range.clear();
#pragma unroll
        for (unsigned i = 0; i < Items; i++)
            if (i * Threads + threadIdx.x < count)
                range.add(code[i]);
        range.join_block(s.ranges);
        return range;
    }

    /* Bits of the distance to the lowest code, as many as there are bins. */
    static __device__ __forceinline__ msd_linear_digit<K> digit_for(K base, uint32_t bits)
    {
        return {base, bits > BinBits ? bits - BinBits : 0, bins - 1};
    }

    /* Counts, then takes places: ranks kept from the counting would cost registers and no less
     * shared memory traffic. Behind the last key follows padding up to the end of a warp's stretch.
     */
    __device__ __forceinline__ void put_in_bins(const msd_linear_digit<K> &digit)
    {
#pragma unroll
        for (unsigned i = 0; i < Items; i++)
            if (i * Threads + threadIdx.x < count)
                atomicAdd(&s.bin[digit(code[i])], 1u);
        __syncthreads();
        binning::scan(s.bin, s.warp_sums);
        __syncthreads();
#pragma unroll
        for (unsigned i = 0; i < Items; i++)
            if (i * Threads + threadIdx.x < count)
                s.key[atomicAdd(&s.bin[digit(code[i])], 1u)] = code[i];
        const uint32_t padded = (count + stretch - 1) / stretch * stretch;
        for (uint32_t i = count + threadIdx.x; i < padded; i += Threads)
            s.key[i] = (K) ~(K)0;
        __syncthreads();
        binning::clear(s.bin);
    }

    __device__ __forceinline__ void finish_bins()
    {
        for (unsigned turn = 0; turn < MSD_TURNS; turn++)
            if (transposition_turn<Items>(s.key, count))
                return;
        msd_sort_by_merging<merge_type, K>(s.merging, count);
    }

    template <typename Decode>
    __device__ __forceinline__ void write_as(K *to, const Decode &decode) const
    {
#pragma unroll
        for (unsigned i = 0; i < Items; i++)
            if (i * Threads + threadIdx.x < count)
                to[i * Threads + threadIdx.x] = decode(s.key[i * Threads + threadIdx.x]);
    }

    __device__ __forceinline__ void write(K *to) const
    {
        if (codec.identity)
            write_as(to, [](K key) { return key; });
        else
            write_as(to, [this](K key) { return codec.decode(key); });
    }

    /* All keys are the same. */
    __device__ __forceinline__ void write_equal(K *to, K key) const
    {
        key = codec.decode(key);
        for (uint32_t i = threadIdx.x; i < count; i += Threads)
            to[i] = key;
    }

    /* Codes within [base, base + 2^bits). */
    __device__ __forceinline__ void sort_within(K base, uint32_t bits, K *to)
    {
        put_in_bins(digit_for(base, bits));
        finish_bins();
        write(to);
    }

    __device__ __forceinline__ void sort(K *to)
    {
        const code_range<K> range = range_of_keys();
        if (range.low == range.high)
            write_equal(to, range.low);
        else
            sort_within(range.low, code_bit_length((K)(range.high - range.low)), to);
        __syncthreads();
    }
};

/* The second partition's cells are leaves; each cell's cursor has come to its end. */
template <typename Local, typename K>
static __device__ __forceinline__ void msd_sort_cells(const msd_arguments &a, Local &local)
{
    const msd_linear_digit<K> cell_of = msd_cell_of<K>(a);
    const bool once = a.cell_bits == MSD_DIGIT_BITS;
    const uint32_t *ends = once ? a.control->bucket_cursor : a.cells;
    const K *from = (const K *)a.buffers[once ? 0 : 1];
    for (uint32_t cell = blockIdx.x; cell < 1u << a.cell_bits; cell += gridDim.x) {
        const uint32_t begin = cell ? ends[cell - 1] : 0, count = ends[cell] - begin;
        if (count == 0 || count > a.small_leaf)
            continue;
        local.load(from + begin, count);
        local.sort_within((K)(cell_of.base + (K)((K)cell << cell_of.shift)), cell_of.shift,
                          (K *)a.out + begin);
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
static __device__ __forceinline__ void msd_sort_leaf(const msd_arguments &a, Local &local,
                                                     const msd_leaf &leaf)
{
    const K *from = (const K *)a.buffers[leaf.count_and_buffer >> 31];
    local.load(from + leaf.begin, leaf.count_and_buffer & 0x7fffffff);
    local.sort((K *)a.out + leaf.begin);
}

/* The list of small leaves. */
template <typename K, typename Local>
static __device__ __forceinline__ void msd_sort_listed(const msd_arguments &a, Local &local)
{
    const uint32_t leaves = a.control->small_leaves;
    for (uint32_t i = blockIdx.x; i < leaves; i += gridDim.x)
        msd_sort_leaf<Local, K>(a, local, a.leaves[i]);
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
    if (a.control->mode == MSD_DIRECT)
        msd_sort_cells<Local, K>(a, local);
    msd_sort_listed<K>(a, local);
}

template <typename K, typename Local>
static __device__ __forceinline__ void msd_large_leaves(const msd_arguments &a,
                                                        typename Local::storage &s)
{
    if (a.control->mode == MSD_COUNTED)
        msd_write_counted<K>(a);
    const uint32_t leaves = a.control->large_leaves;
    if (blockIdx.x >= leaves)
        return;
    Local local(a, s);
    for (uint32_t i = blockIdx.x; i < leaves; i += gridDim.x)
        msd_sort_leaf<Local, K>(a, local, a.leaves[a.leaf_capacity - 1 - i]);
}

#endif
