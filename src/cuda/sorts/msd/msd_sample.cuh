/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The first look at the keys: a sample says which bits tell them apart, whether they crowd, and
 * what the cells of the histogram are. One block looks at it as codes; another that samples the
 * same looks at floats as numbers, at the same time.
 */
#ifndef CONSORT_MSD_SAMPLE_CUH
#define CONSORT_MSD_SAMPLE_CUH

#include "cuda/sorts/msd/msd_counted.cuh"
#include "cuda/sorts/msd/msd_skew.cuh"
#include "cuda/sorts/msd/msd_values.cuh"

/* Keys that a thread of the sampling block reads. Of narrow keys, whose leaves are larger, half as
 * many tell enough, and to count them takes the block half as long. */
template <typename K> constexpr unsigned msd_sample_each = sizeof(K) == 4 ? 8 : 16;

/* Where cells begin, and the bits of a distance to there. */
template <typename K> struct msd_place {
    K base;
    uint32_t bits;
};

/*
 * Where cells begin and how wide they are. Cells that begin at a multiple of their whole span cost
 * at most one bit of resolution if the keys fill most of it; else they begin a little below the
 * lowest key seen. Keys outside are counted in the first and the last cell.
 */
template <typename K> static __device__ __forceinline__ msd_place<K> msd_place_cells(K low, K high)
{
    uint32_t bits = code_bit_length((K)(low ^ high));
    K base = (K)(low & (K)~msd_ones<K>(bits));
    const K range = high - low;
    if (bits > 2 && range < (K)(msd_ones<K>(bits) / 2 + msd_ones<K>(bits) / 8)) {
        const K margin = range / 64;
        base = low > margin ? low - margin : (K)0;
        const K end = high < (K)((K) ~(K)0 - margin) ? high + margin : (K) ~(K)0;
        bits = code_bit_length((K)(end - base));
    }
    return {base, bits};
}

/* How keys are to be counted one by one, or 0. */
template <typename K>
static __device__ __forceinline__ uint32_t msd_counted_by(const msd_arguments &a,
                                                          const msd_place<K> &place, K varying)
{
    if (msd_bit_count(varying) <= a.counted_bits)
        return MSD_GATHERED;
    return place.bits <= a.counted_bits ? MSD_PLACED : 0;
}

/* The lowest bits that say nothing of a key's cell. */
template <typename K>
static __device__ __forceinline__ uint32_t msd_cell_shift(const msd_arguments &a,
                                                          const msd_place<K> &place)
{
    return place.bits > a.cell_bits ? place.bits - a.cell_bits : 0;
}

/* By one thread. Keys that are to be counted one by one, and are not all found to be such, are
 * counted again by the same ranges as others. Returns whether they are to be. */
template <typename K>
static __device__ __forceinline__ bool msd_choose_cells(const msd_arguments &a,
                                                        const code_range<K> &range, K varying)
{
    const msd_place<K> place = msd_place_cells(range.low, range.high);
    code_to_words(place.base, a.control->base);
    a.control->shift = msd_cell_shift(a, place);
    const uint32_t counted = msd_counted_by(a, place, varying);
    code_to_words(varying, a.control->varying);
    if (counted == 0)
        return false;
    a.control->counted = counted;
    code_to_words(counted == MSD_PLACED ? place.base : (K)(range.low & (K)~varying),
                  a.control->rest);
    if (counted == MSD_GATHERED)
        msd_find_runs(a.control, varying);
    return true;
}

/* The bits that are set for any thread of a block of 32 warps. Holds two barriers. */
template <typename K> static __device__ __forceinline__ K msd_block_or(K bits, code_range<K> *warps)
{
    static_assert(MSD_PLAN_THREADS == 32 * 32, "a warp for each lane");
    bits = code_any_of_warp(bits);
    __syncthreads();
    if (threadIdx.x % 32 == 0)
        warps[threadIdx.x / 32].low = bits;
    __syncthreads();
    return code_any_of_warp(warps[threadIdx.x % 32].low);
}

template <typename K> struct msd_sample_storage {
    code_range<K> warps[MSD_PLAN_THREADS / 32];
    msd_skew_storage skew;
};

template <typename K, unsigned Each>
static __device__ __forceinline__ msd_scale msd_scale_of(const msd_arguments &a,
                                                         const msd_place<K> &place)
{
    const uint32_t bits = min(a.cell_bits, (uint32_t)MSD_SAMPLE_BITS);
    const uint64_t each = max(a.count / (MSD_PLAN_THREADS * Each), (uint64_t)1);
    const uint64_t most = ((uint64_t)a.large_leaf << (a.cell_bits - bits)) / each;
    return {place.bits > bits ? place.bits - bits : 0, (uint32_t)most,
            MSD_PLAN_THREADS * Each / 4 * 3};
}

/* The keys that a thread samples. Neighbours share a place, which one lane works out for them: each
 * for its own took a block 4 µs. */
template <typename K, unsigned Each>
static __device__ __forceinline__ void msd_load_sample(const msd_arguments &a, uint32_t seed,
                                                       K (&key)[Each])
{
    constexpr unsigned in_sector = 32 / sizeof(K);
    constexpr unsigned beside = Each / 2 < in_sector ? Each / 2 : in_sector, groups = 32 / beside;
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    uint32_t begin[Each / beside];
#pragma unroll
    for (unsigned i = 0; i < Each / beside; i++) {
        const unsigned row = i * beside + lane / groups;
        const unsigned number = row * MSD_PLAN_THREADS + (warp * groups + lane % groups) * beside;
        begin[i] =
            (uint32_t)msd_sample_place(a.count, seed, number, MSD_PLAN_THREADS * Each, beside);
    }
#pragma unroll
    for (unsigned i = 0; i < Each; i++) {
        const unsigned owner = i % beside * groups + lane / beside;
        const uint32_t at = __shfl_sync(0xffffffffu, begin[i / beside], owner) + lane % beside;
        key[i] = ((const K *)a.in)[min(at, (uint32_t)a.count - 1)];
    }
}

/* The codes that a thread samples, the range of those of the block, and bits in which these differ.
 */
template <typename K, unsigned Each = msd_sample_each<K>> struct msd_sampled {
    static constexpr uint32_t keys = MSD_PLAN_THREADS * Each;
    static constexpr K alike_parts = 2048; /* of the range: by chance two keys are in one of 1000 */
    K code[Each];
    code_range<K> range;
    K varying;

    /* `meanwhile` is called while keys are on their way. */
    template <typename Meanwhile>
    __device__ __forceinline__ msd_sampled(const msd_arguments &a, code_range<K> *warps,
                                           const Meanwhile &meanwhile)
    {
        msd_load_sample(a, a.seed, code);
        meanwhile();
        const codes<K> codec(a.codec);
        range.clear();
#pragma unroll
        for (unsigned i = 0; i < Each; i++) {
            code[i] = codec.encode(code[i]);
            range.add(code[i]);
        }
        range.join_block(warps);
        K differing = 0;
#pragma unroll
        for (unsigned i = 0; i < Each; i++)
            differing |= (K)(code[i] ^ range.low);
        varying = msd_block_or(differing, warps);
    }

    /* Whether the thread's first key is like that of the lane beside it, which lay beside it. */
    __device__ __forceinline__ bool is_like_neighbour() const
    {
        const K other =
            code_by_words(code[0], [](auto word) { return __shfl_xor_sync(0xffffffffu, word, 1); });
        const K distance = code_higher(code[0], other) - code_lower(code[0], other);
        return distance <= (K)(range.high - range.low) / alike_parts;
    }
};

/* Whether keys are floats that lie in memory as they are, and enough of them for two partitions. */
static __device__ __forceinline__ bool msd_orders_numbers(const msd_arguments &a)
{
    return (a.codec.magnitude[0] | a.codec.magnitude[1]) != 0 && !a.codec.swap && a.second_bits > 0;
}

/* The first blocks judge samples: one by codes, one by numbers if keys are, and one whether few
 * keys differ. */
static __device__ __forceinline__ uint32_t msd_judges(const msd_arguments &a)
{
    return msd_orders_numbers(a) ? 3 : 2;
}

/* By the sampling block: cells are ranges of numbers if that spreads the sampled keys. In a quarter
 * of the range of even keys, seldom half as many again are found as there should be, even if keys
 * are like their neighbours; and hardly ever are many in a cell. Not inlined, and keys are read
 * once more: else what counts keys would lack registers. So it finds its shared memory by itself,
 * as additions to what a pointer points to are slower. */
template <typename K>
__attribute__((noinline)) static __device__ void msd_choose_values(const msd_arguments &a, K low,
                                                                   K high, uint32_t most)
{
    SHARED_DYNAMIC(storage, msd_sample_storage<K>);
    msd_skew_storage &s = storage->skew;
    constexpr uint32_t samples = MSD_PLAN_THREADS * msd_sample_each<K>;
    msd_value_map<K> map;
    if (!msd_fit_block(a, low, high, s.fitted, &map))
        return;
    const uint32_t finer = a.cell_bits - min(a.cell_bits, (uint32_t)MSD_SAMPLE_BITS);
    for (unsigned i = threadIdx.x; i < MSD_SAMPLE_BINS + MSD_LOW_BINS; i += MSD_PLAN_THREADS)
        (i < MSD_SAMPLE_BINS ? s.bins[i] : s.low[i - MSD_SAMPLE_BINS]) = 0;
    if (threadIdx.x == 0)
        s.crowded = s.heavy = 0;
    __syncthreads();
    K key[msd_sample_each<K>];
    msd_load_sample(a, a.seed, key);
#pragma unroll
    for (unsigned i = 0; i < msd_sample_each<K>; i++) {
        const uint32_t cell = (uint32_t)map.place(key[i]) & (map.cells - 1);
        atomicAdd(&s.bins[cell >> finer], 1u);
        atomicAdd(&s.low[cell >> (a.cell_bits - MSD_DIGIT_BITS)], 1u);
    }
    __syncthreads();
    for (unsigned i = threadIdx.x; i < MSD_SAMPLE_BINS; i += MSD_PLAN_THREADS) {
        if (s.bins[i] > most)
            atomicAdd(&s.crowded, s.bins[i]);
        if (i < MSD_LOW_BINS && s.low[i] > samples / MSD_LOW_BINS / 2 * 3)
            atomicAdd(&s.heavy, s.low[i]);
    }
    __syncthreads();
    if (threadIdx.x == 0 && s.crowded <= samples / 8 && s.heavy <= samples / 4) {
        a.control->scale = msd_number<K>::bits(map.scale);
        a.control->offset = msd_number<K>::bits(map.offset);
        a.control->valued = 1;
    }
}

/* By a block that sampled, as its codes: what cells are, and whether keys crowd, which is returned.
 */
template <typename K, unsigned Each>
static __device__ __forceinline__ bool msd_look_at_codes(const msd_arguments &a,
                                                         const msd_sampled<K, Each> &sampled,
                                                         msd_sample_storage<K> &s)
{
    const msd_place<K> place = msd_place_cells(sampled.range.low, sampled.range.high);
    const bool crowd = msd_wants_passes<K, MSD_PLAN_THREADS, Each>(
        a, sampled.code, place.base, msd_scale_of<K, Each>(a, place), s.skew);
    if (threadIdx.x == 0)
        a.control->crowd = !msd_choose_cells(a, sampled.range, sampled.varying) && crowd;
    if (threadIdx.x == 0)
        a.control->dense = s.skew.crowded > msd_sampled<K, Each>::keys / 8;
    __syncthreads();
    return crowd;
}

/* By a block that sampled, as numbers, if they are: whether cells are ranges of these. The sample's
 * memory is where the block's begins. */
template <typename K, unsigned Each>
static __device__ __forceinline__ void msd_look_at_numbers(const msd_arguments &a,
                                                           const msd_sampled<K, Each> &sampled)
{
    const msd_place<K> place = msd_place_cells(sampled.range.low, sampled.range.high);
    if (msd_orders_numbers(a) && !msd_counted_by(a, place, sampled.varying))
        msd_choose_values<K>(a, sampled.range.low, sampled.range.high,
                             msd_scale_of<K, Each>(a, place).most);
    __syncthreads();
}

#endif
