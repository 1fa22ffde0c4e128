/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The first look at the keys. A sample says which bits tell them apart; then one read counts the
 * keys of each cell, a range of codes, and finds the lowest and the highest code.
 */
#ifndef CONSORT_MSD_HISTOGRAM_CUH
#define CONSORT_MSD_HISTOGRAM_CUH

#include "cuda/sorts/msd/msd_bins.cuh"
#include "cuda/sorts/msd/msd_counted.cuh"
#include "cuda/sorts/msd/msd_skew.cuh"

enum {
    MSD_SAMPLE = 16 /* keys a thread of the sampling block reads */
};

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

/* By one thread. Keys that are to be counted one by one, and are not all found to be such, are
 * counted again by the same ranges as others. */
template <typename K>
static __device__ __forceinline__ void msd_choose_cells(const msd_arguments &a,
                                                        const code_range<K> &range, K varying)
{
    const msd_place<K> place = msd_place_cells(range.low, range.high);
    code_to_words(place.base, a.control->base);
    a.control->shift = place.bits > a.cell_bits ? place.bits - a.cell_bits : 0;
    if (msd_bit_count(varying) <= a.counted_bits) {
        a.control->counted = MSD_GATHERED;
        code_to_words((K)(range.low & (K)~varying), a.control->rest);
        code_to_words(varying, a.control->varying);
        msd_find_runs(a.control, varying);
    } else if (place.bits <= a.counted_bits) {
        a.control->counted = MSD_PLACED;
        code_to_words(place.base, a.control->rest);
    }
}

/* The bits that are set for any thread of the block. Holds two barriers. */
template <typename K> static __device__ __forceinline__ K msd_block_or(K bits, code_range<K> *warps)
{
#pragma unroll
    for (int mask = 16; mask > 0; mask /= 2)
        bits |= code_from_lane_xor(bits, mask);
    __syncthreads();
    if (threadIdx.x % 32 == 0)
        warps[threadIdx.x / 32].low = bits;
    __syncthreads();
    for (unsigned warp = 0; warp < blockDim.x / 32; warp++)
        bits |= warps[warp].low;
    return bits;
}

template <typename K> struct msd_sample_storage {
    code_range<K> warps[MSD_PLAN_THREADS / 32];
    msd_skew_storage skew;
};

template <typename K>
static __device__ __forceinline__ msd_scale msd_scale_of(const msd_arguments &a,
                                                         const msd_place<K> &place)
{
    const uint32_t bits = min(a.cell_bits, (uint32_t)MSD_SAMPLE_BITS);
    const uint64_t each = max(a.count / (MSD_PLAN_THREADS * MSD_SAMPLE), (uint64_t)1);
    const uint64_t most = ((uint64_t)a.large_leaf << (a.cell_bits - bits)) / each;
    return {place.bits > bits ? place.bits - bits : 0, (uint32_t)most,
            MSD_PLAN_THREADS * MSD_SAMPLE / 4 * 3};
}

template <typename K>
static __device__ __forceinline__ void msd_sample(const msd_arguments &a, msd_sample_storage<K> &s)
{
    code_range<K> *warps = s.warps;
    const codes<K> codec(a.codec);
    constexpr uint32_t samples = MSD_PLAN_THREADS * MSD_SAMPLE;
    K key[MSD_SAMPLE];
#pragma unroll
    for (unsigned i = 0; i < MSD_SAMPLE; i++) {
        const uint64_t at =
            msd_sample_place(i * blockDim.x + threadIdx.x, samples, 32 / sizeof(K), a.count);
        key[i] = ((const K *)a.in)[at < a.count ? at : a.count - 1];
    }
    code_range<K> range;
    range.clear();
#pragma unroll
    for (unsigned i = 0; i < MSD_SAMPLE; i++) {
        key[i] = codec.encode(key[i]);
        range.add(key[i]);
    }
    range.join_block(warps);
    K varying = 0;
#pragma unroll
    for (unsigned i = 0; i < MSD_SAMPLE; i++)
        varying |= (K)(key[i] ^ range.low);
    varying = msd_block_or(varying, warps);
    const msd_place<K> place = msd_place_cells(range.low, range.high);
    const bool passes = msd_wants_passes<K, MSD_PLAN_THREADS, MSD_SAMPLE>(
        a, key, place.base, msd_scale_of<K>(a, place), s.skew);
    if (threadIdx.x == 0)
        msd_choose_cells(a, range, varying);
    if (threadIdx.x == 0 && passes && !a.control->counted)
        a.control->mode = MSD_PASSES;
}

/* What a block counts by. */
template <typename K> struct msd_cells {
    K base;
    uint32_t shift, bits;
    uint32_t *totals;
};

template <typename K>
static __device__ __forceinline__ msd_cells<K> msd_range_cells(const msd_arguments &a)
{
    return {code_from_words<K>(a.control->base), a.control->shift, a.cell_bits, a.cells};
}

/* Where cells cover all codes, so that none needs care and bounds need not be found (a third of the
 * instructions): codes are keys, or keys with some bits flipped. */
enum {
    MSD_ALL = 0,
    MSD_FLIPPED = 3
};

/* How: these; MSD_GATHERED; MSD_PLACED: distances to a base, clamped. */
template <typename K, unsigned How> struct msd_counter {
    static constexpr unsigned per_word = sizeof(uint4) / sizeof(K);
    const msd_codec<K> codec;
    const K base, widest;
    const uint32_t shift;
    const msd_bins bins;
    const msd_gathered<K> gathered;
    msd_control *const control;
    code_range<K> range;
    K apart;     /* bits in which keys differ from the base */
    bool spoilt; /* too many keys stray */

    __device__ __forceinline__ msd_counter(const msd_arguments &a, const msd_cells<K> &cells,
                                           uint32_t *pairs)
        : codec(a.codec), base(cells.base), widest(msd_ones<K>(cells.shift + cells.bits)),
          shift(cells.shift), bins{pairs, cells.totals, msd_bins::copies_of(cells.bits)},
          gathered(a.control), control(a.control), apart(0), spoilt(false)
    {
        range.clear();
        if (How == MSD_ALL || How == MSD_FLIPPED)
            range = {0, (K) ~(K)0};
    }

    __device__ __forceinline__ uint32_t cell_of(K key)
    {
        if constexpr (How == MSD_ALL) {
            return code_window(key, shift);
        } else if constexpr (How == MSD_FLIPPED) {
            return code_window((K)(key ^ codec.flip), shift);
        } else {
            const K code = codec.encode(key);
            range.add(code);
            if constexpr (How == MSD_GATHERED) {
                apart |= (K)(code ^ base);
                return gathered.cell_of(code);
            } else {
                const K distance = code_higher(code, base) - base;
                return code_window(code_lower(distance, widest), shift);
            }
        }
    }

    /* Whether one of the keys that were asked about belongs to no cell. */
    __device__ __forceinline__ bool stray() const
    {
        return How == MSD_GATHERED && (apart & (K)~code_from_words<K>(control->varying)) != 0;
    }

    /* The same of ranges. */
    __device__ __forceinline__ bool exceeds() const
    {
        return How == MSD_PLACED && range.low <= range.high &&
               (range.low < base || (K)(range.high - base) > widest);
    }

    /* Strays are noted instead. */
    __device__ __forceinline__ void add_key(K key)
    {
        apart = 0;
        const uint32_t cell = cell_of(key);
        if (stray())
            spoilt = spoilt || !msd_note_stray(control, codec.encode(key));
        else
            bins.add(cell, 1);
    }

    /* All lanes call it. Sorted and equal keys would queue up at one counter: those of a word, and
     * of a warp, are added at once. */
    __device__ __forceinline__ void add_word(uint4 word)
    {
        uint32_t cell[per_word];
        bool alike = true;
        apart = 0;
#pragma unroll
        for (unsigned i = 0; i < per_word; i++) {
            cell[i] = cell_of(key_of(word, i));
            alike &= cell[i] == cell[0];
        }
        const bool strayed = stray();
        alike &= !strayed;
        const uint32_t first = __shfl_sync(0xffffffffu, cell[0], 0);
        if (__all_sync(0xffffffffu, alike && cell[0] == first)) {
            if (threadIdx.x % 32 == 0)
                bins.add(cell[0], 32 * per_word);
        } else if (alike) {
            bins.add(cell[0], per_word);
        } else if (strayed) {
            for (unsigned i = 0; i < per_word; i++)
                add_key(key_of(word, i));
        } else {
#pragma unroll
            for (unsigned i = 0; i < per_word; i++)
                bins.add(cell[i], 1);
        }
    }

  private:
    static __device__ __forceinline__ K key_of(uint4 word, unsigned i)
    {
        const uint32_t parts[4] = {word.x, word.y, word.z, word.w};
        if constexpr (sizeof(K) == 4)
            return parts[i];
        const uint64_t low = (uint64_t)parts[1] << 32 | parts[0];
        const uint64_t high = (uint64_t)parts[3] << 32 | parts[2];
        if constexpr (sizeof(K) == 8)
            return (K)(i ? high : low);
        return (K)((uint128)high << 64 | low);
    }
};

template <typename K> struct msd_histogram_storage {
    uint32_t pairs[MSD_CELLS / 2];
    code_range<K> warps[MSD_HISTOGRAM_THREADS / 32];
};

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
msd_count_words(const msd_arguments &a, const msd_cells<K> &cells, uint32_t *pairs)
{
    msd_counter<K, How> counter(a, cells, pairs);
    constexpr unsigned per_word = sizeof(uint4) / sizeof(K), unroll = 4;
    constexpr uint64_t stretch = (uint64_t)MSD_HISTOGRAM_THREADS * unroll;
    static_assert(stretch * per_word <= 32768, "a counter could overflow");
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
    const uint64_t whole = words / stretch * stretch, stride = gridDim.x * stretch;
    uint64_t first = blockIdx.x * stretch;
    uint4 loaded[unroll], next[unroll];
    if (first < whole)
        msd_load_words(loaded, word + first);
    for (; first < whole; first += stride) {
        if (first + stride < whole)
            msd_load_words(next, word + first + stride);
#pragma unroll
        for (unsigned i = 0; i < unroll; i++)
            counter.add_word(loaded[i]);
#pragma unroll
        for (unsigned i = 0; i < unroll; i++)
            loaded[i] = next[i];
        __syncthreads();
    }
    if (first == whole)
        for (uint64_t at = head + whole * per_word + threadIdx.x; at < head + words * per_word;
             at += MSD_HISTOGRAM_THREADS)
            counter.add_key(keys[at]);
    __syncthreads();
    if (counter.exceeds())
        a.control->strays = MSD_STRAYS + 1;
    return counter.range;
}

template <typename K>
static __device__ __forceinline__ code_range<K>
msd_count(const msd_arguments &a, const msd_cells<K> &cells, bool gathered, uint32_t *pairs)
{
    const msd_bins bins = {pairs, cells.totals, msd_bins::copies_of(cells.bits)};
    for (unsigned i = threadIdx.x; i < (bins.copies << cells.bits) / 2; i += MSD_HISTOGRAM_THREADS)
        pairs[i] = 0;
    __syncthreads();
    const bool covers_all = cells.base == 0 && cells.shift + cells.bits >= 8 * sizeof(K);
    const bool identity = a.codec.identity != 0, flips = msd_codec<K>(a.codec).flips;
    const code_range<K> range =
        gathered                 ? msd_count_words<K, MSD_GATHERED>(a, cells, pairs)
        : covers_all && identity ? msd_count_words<K, MSD_ALL>(a, cells, pairs)
        : covers_all && flips    ? msd_count_words<K, MSD_FLIPPED>(a, cells, pairs)
                                 : msd_count_words<K, MSD_PLACED>(a, cells, pairs);
    bins.flush(cells.bits);
    return range;
}

template <typename K>
static __device__ __forceinline__ void msd_histogram(const msd_arguments &a,
                                                     msd_histogram_storage<K> &s)
{
    const msd_control *control = a.control;
    const msd_cells<K> cells = control->counted ? msd_cells<K>{code_from_words<K>(control->rest), 0,
                                                               a.counted_bits, a.singles}
                                                : msd_range_cells<K>(a);
    code_range<K> range = msd_count(a, cells, control->counted == MSD_GATHERED, s.pairs);
    range.join_block(s.warps);
    if (threadIdx.x == 0)
        ((code_range<K> *)a.extremes)[blockIdx.x] = range;
}

/* By ranges, as if nothing else had been tried. */
template <typename K>
static __device__ __forceinline__ void msd_recount(const msd_arguments &a,
                                                   msd_histogram_storage<K> &s)
{
    msd_count(a, msd_range_cells<K>(a), false, s.pairs);
}

#endif
