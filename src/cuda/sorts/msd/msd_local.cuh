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
#include "cuda/device/block_scan.cuh"
#include "cuda/sorts/msd/msd_counted.cuh"

enum {
    /* With one key a bin on average six rounds sort 85 % of leaves, a second turn all (simulated:
     * 4096 bins). */
    MSD_ROUNDS = 6,
    MSD_TURNS = 4
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
    static constexpr unsigned rows = bins / 4 / Threads;
    using merge_type = block_merge<K, false, Threads, Items>;

    struct alignas(16) storage {
        uint32_t bin[bins]; /* zero between leaves */
        union {
            K key[keys];
            typename merge_type::storage merging; /* its codes are the keys */
        };
        code_range<K> ranges[warps];
        uint32_t warp_sums[rows / 2][warps];
    };

    storage &s;
    const codes<K> codec;
    uint32_t count;
    K code[Items];

    static_assert(Items % 2 == 1, "threads meet in no bank, and rounds exchange with neighbours");
    static_assert(keys < 65536, "ranks and sums are 16 bits");
    static_assert(rows % 2 == 0, "bins are scanned in pairs of rows");

    __device__ __forceinline__ void clear_bins()
    {
#pragma unroll
        for (unsigned row = 0; row < rows; row++)
            ((uint4 *)s.bin)[row * Threads + threadIdx.x] = make_uint4(0, 0, 0, 0);
    }

    __device__ __forceinline__ msd_local(const msd_arguments &a, storage &memory)
        : s(memory), codec(a.codec), count(0)
    {
        clear_bins();
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

    /* Every thread owns four neighbouring bins in each of `rows` rows: no two lanes meet in a bank.
     * The sums of two rows are scanned at once, as halves of a word. */
    __device__ __forceinline__ void scan_bins()
    {
        uint4 *bin = (uint4 *)s.bin + threadIdx.x;
        uint4 size[rows];
        uint32_t sum[rows / 2];
#pragma unroll
        for (unsigned row = 0; row < rows; row++) {
            size[row] = bin[row * Threads];
            const uint32_t own = size[row].x + size[row].y + size[row].z + size[row].w;
            sum[row / 2] = row % 2 == 0 ? own : sum[row / 2] + (own << 16);
        }
        uint32_t inclusive[rows / 2];
#pragma unroll
        for (unsigned pair = 0; pair < rows / 2; pair++) {
            inclusive[pair] = warp_inclusive_sum(sum[pair]);
            if (threadIdx.x % 32 == 31)
                s.warp_sums[pair][threadIdx.x / 32] = inclusive[pair];
        }
        __syncthreads();
        uint32_t before_rows = 0;
#pragma unroll
        for (unsigned pair = 0; pair < rows / 2; pair++) {
            const uint32_t other = s.warp_sums[pair][threadIdx.x % 32 % warps];
            const uint32_t scanned = warp_inclusive_sum(threadIdx.x % 32 < warps ? other : 0);
            const uint32_t all = __shfl_sync(0xffffffffu, scanned, 31);
            const unsigned warp = threadIdx.x / 32;
            uint32_t before = __shfl_sync(0xffffffffu, scanned, warp > 0 ? warp - 1 : 0);
            before = (warp > 0 ? before : 0) + inclusive[pair] - sum[pair];
            bin[2 * pair * Threads] = places_of(size[2 * pair], before_rows + (before & 0xffff));
            before_rows += all & 0xffff;
            bin[(2 * pair + 1) * Threads] =
                places_of(size[2 * pair + 1], before_rows + (before >> 16));
            before_rows += all >> 16;
        }
    }

    static __device__ __forceinline__ uint4 places_of(uint4 size, uint32_t first)
    {
        return make_uint4(first, first + size.x, first + size.x + size.y,
                          first + size.x + size.y + size.z);
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
        scan_bins();
        __syncthreads();
#pragma unroll
        for (unsigned i = 0; i < Items; i++)
            if (i * Threads + threadIdx.x < count)
                s.key[atomicAdd(&s.bin[digit(code[i])], 1u)] = code[i];
        const uint32_t padded = (count + stretch - 1) / stretch * stretch;
        for (uint32_t i = count + threadIdx.x; i < padded; i += Threads)
            s.key[i] = (K) ~(K)0;
        __syncthreads();
        clear_bins();
    }

    /* Rounds within a warp's stretch, Items neighbouring keys a lane; true if they are in order. */
    __device__ __forceinline__ bool transpose_stretch()
    {
        const unsigned lane = threadIdx.x % 32;
        K *own = s.key + threadIdx.x * Items;
        K key[Items];
#pragma unroll
        for (unsigned i = 0; i < Items; i++)
            key[i] = own[i];
#pragma unroll
        for (unsigned round = 0; round < MSD_ROUNDS; round++) {
#pragma unroll
            for (unsigned i = round % 2; i + 1 < Items; i += 2)
                msd_compare_exchange(key[i], key[i + 1]);
            if (round % 2 == 1) {
                const K next = msd_from_next_lane(key[0]);
                const K previous = msd_from_previous_lane(key[Items - 1]);
                if (lane < 31)
                    key[Items - 1] = code_lower(key[Items - 1], next);
                if (lane > 0)
                    key[0] = code_higher(key[0], previous);
            }
        }
        const K next = msd_from_next_lane(key[0]);
        bool in_order = lane == 31 || !(next < key[Items - 1]);
#pragma unroll
        for (unsigned i = 0; i < Items; i++) {
            own[i] = key[i];
            if (i > 0)
                in_order &= !(key[i] < key[i - 1]);
        }
        return in_order;
    }

    /* Rounds on the 32 keys around the end of this warp's stretch, one a lane. */
    __device__ __forceinline__ bool transpose_seam()
    {
        const uint32_t seam = (threadIdx.x / 32 + 1) * stretch;
        if (seam >= count)
            return true;
        const unsigned lane = threadIdx.x % 32;
        K *own = s.key + seam - 16 + lane;
        K key = *own;
        const K outside = lane < 16 ? own[-(int)lane - 1] : own[32 - (int)lane];
#pragma unroll
        for (unsigned round = 0; round < MSD_ROUNDS; round++) {
            const bool lower = (lane ^ round) % 2 == 0;
            const K next = msd_from_next_lane(key), previous = msd_from_previous_lane(key);
            if (lower && lane < 31)
                key = code_lower(key, next);
            if (!lower && lane > 0)
                key = code_higher(key, previous);
        }
        *own = key;
        const K next = msd_from_next_lane(key);
        bool in_order = lane == 31 ? !(outside < key) : !(next < key);
        if (lane == 0)
            in_order &= !(key < outside);
        return in_order;
    }

    __device__ __forceinline__ void finish_bins()
    {
        for (unsigned turn = 0; turn < MSD_TURNS; turn++) {
            bool in_order = true;
            if (threadIdx.x / 32 * stretch < count)
                in_order = transpose_stretch();
            __syncthreads();
            in_order &= transpose_seam();
            if (__syncthreads_and(in_order))
                return;
        }
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

template <typename K, typename Local>
static __device__ __forceinline__ void msd_small_leaves(const msd_arguments &a,
                                                        typename Local::storage &s)
{
    if (a.outcome && blockIdx.x == 0 && threadIdx.x == 0) {
        ((int32_t *)a.outcome)[0] = 0; /* CONSORT_OK */
        ((int32_t *)a.outcome)[1] = 1;
    }
    if (a.control->mode == MSD_EQUAL) {
        msd_copy_equal<K>(a);
        return;
    }
    Local local(a, s);
    if (a.control->mode == MSD_DIRECT)
        msd_sort_cells<Local, K>(a, local);
    const uint32_t leaves = a.control->small_leaves;
    for (uint32_t i = blockIdx.x; i < leaves; i += gridDim.x)
        msd_sort_leaf<Local, K>(a, local, a.leaves[i]);
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
