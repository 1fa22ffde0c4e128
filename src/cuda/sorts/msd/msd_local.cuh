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
#include "cuda/sorts/msd/msd_codes.cuh"

enum {
    MSD_TURNS = 4, /* of which usually one suffices, or two */
    /* Keys of a bin from which on only luck, or that they are equal, lets turns suffice. */
    MSD_CROWDED_BIN = 24
};

/* Where a sorted list lies: at(i) is what leaves write their keys to from the i-th on, by
 * msd_put(). */
template <typename K> struct msd_output {
    K *all;

    __device__ __forceinline__ K *at(uint32_t begin) const
    {
        return all + begin;
    }
};

template <typename K> static __device__ __forceinline__ void msd_put(K *to, uint32_t at, K key)
{
    to[at] = key;
}

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

/* Keys that are almost in place, or in crowded bins. */
template <typename Local>
static __device__ __forceinline__ void msd_finish_bins(typename Local::storage &s, uint32_t count,
                                                       bool crowded)
{
    for (unsigned turn = 0; turn < (crowded ? 1u : (unsigned)MSD_TURNS); turn++)
        if (transposition_turn<Local::items, Local::rounds>(s.key, count))
            return;
    msd_sort_by_merging<typename Local::merge_type, typename Local::key_type>(s.merging, count);
}

/* Of the bins of a leaf: whether one has more keys than was asked about, or so many that turns do
 * not help. */
struct msd_bins_filled {
    bool many, crowded;
};

template <typename K, unsigned Threads, unsigned Items, unsigned BinBits> struct msd_local {
    using key_type = K;
    static constexpr unsigned items = Items;
    static constexpr unsigned keys = Threads * Items, bins = 1u << BinBits;
    static constexpr unsigned warps = Threads / 32, stretch = 32 * Items;
    static constexpr unsigned rounds =
        2 * keys > 3 * bins ? TRANSPOSITION_MORE_ROUNDS : TRANSPOSITION_ROUNDS;
    static constexpr bool fetches_early = sizeof(K) <= 8; /* registers are too few for wider keys */
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
        uint32_t next[2], begin[2], count[2]; /* leaves of the block, in turns */
    };

    storage &s;
    const msd_codec<K> codec;
    uint32_t count;
    K code[Items];

    static_assert(Items % 2 == 1, "threads meet in no bank, and rounds exchange with neighbours");
    static_assert(keys < 65536, "ranks and sums are 16 bits");

    __device__ __forceinline__ msd_local(const msd_arguments &a, storage &memory)
        : msd_local(a.codec, memory)
    {
    }

    __device__ __forceinline__ msd_local(const code_constants &constants, storage &memory)
        : s(memory), codec(constants), count(0)
    {
        binning::clear(s.bin);
        __syncthreads();
    }

    /* Only registers: `count` may be that of the leaf before. */
    __device__ __forceinline__ void fetch(const K *from, uint32_t keys_in_leaf)
    {
#pragma unroll
        for (unsigned i = 0; i < Items; i++)
            if (i * Threads + threadIdx.x < keys_in_leaf)
                code[i] = from[i * Threads + threadIdx.x];
    }

    __device__ __forceinline__ void load(const K *from, uint32_t keys_in_leaf)
    {
        count = keys_in_leaf;
        fetch(from, keys_in_leaf);
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
     * Whether a bin has more than `Most` keys is the same for all threads. */
    template <unsigned Most>
    __device__ __forceinline__ msd_bins_filled put_in_bins(const msd_linear_digit<K> &digit)
    {
#pragma unroll
        for (unsigned i = 0; i < Items; i++)
            if (i * Threads + threadIdx.x < count)
                atomicAdd(&s.bin[digit(code[i])], 1u);
        __syncthreads();
        const uint32_t largest = binning::scan(s.bin, s.warp_sums);
        const bool many = __syncthreads_or(largest > Most) != 0;
        const bool crowded =
            many && (Most >= MSD_CROWDED_BIN || __syncthreads_or(largest > MSD_CROWDED_BIN) != 0);
#pragma unroll
        for (unsigned i = 0; i < Items; i++)
            if (i * Threads + threadIdx.x < count)
                s.key[atomicAdd(&s.bin[digit(code[i])], 1u)] = code[i];
        const uint32_t padded = (count + stretch - 1) / stretch * stretch;
        for (uint32_t i = count + threadIdx.x; i < padded; i += Threads)
            s.key[i] = (K) ~(K)0;
        __syncthreads();
        binning::clear(s.bin);
        return {many, crowded};
    }

    template <typename To, typename Decode>
    __device__ __forceinline__ void write_as(const To &to, const Decode &decode) const
    {
#pragma unroll
        for (unsigned i = 0; i < Items; i++)
            if (i * Threads + threadIdx.x < count)
                msd_put(to, i * Threads + threadIdx.x, decode(s.key[i * Threads + threadIdx.x]));
    }

    template <typename To> __device__ __forceinline__ void write(const To &to) const
    {
        codec.with_decoder([&](const auto &decode) { write_as(to, decode); });
    }

    /* All keys are the same. */
    template <typename To> __device__ __forceinline__ void write_equal(const To &to, K key) const
    {
        key = codec.decode(key);
        for (uint32_t i = threadIdx.x; i < count; i += Threads)
            msd_put(to, i, key);
    }

    /* Codes within [base, base + 2^bits). `fetch_next` is called as soon as codes have left the
     * registers: the next leaf's are on their way while this one is finished. */
    template <typename To, typename Fetch>
    __device__ __forceinline__ void sort_within(K base, uint32_t bits, const To &to,
                                                const Fetch &fetch_next)
    {
        const bool crowded = put_in_bins<MSD_CROWDED_BIN>(digit_for(base, bits)).crowded;
        if (fetches_early)
            fetch_next();
        msd_finish_bins<msd_local>(s, count, crowded);
        write(to);
        if (!fetches_early)
            fetch_next();
    }
};

/* Codes anywhere. */
template <typename Local, typename To, typename Fetch>
static __device__ __forceinline__ void msd_sort_leaf(Local &local, const To &to,
                                                     const Fetch &fetch_next)
{
    using K = typename Local::key_type;
    const code_range<K> range = local.range_of_keys();
    if (range.low == range.high) {
        fetch_next();
        local.write_equal(to, range.low);
    } else {
        local.sort_within(range.low, code_bit_length((K)(range.high - range.low)), to, fetch_next);
    }
    __syncthreads();
}

#endif
