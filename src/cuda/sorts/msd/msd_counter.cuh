/* SPDX-License-Identifier: Apache-2.0 */
/* How a block that counts keys finds their cells, of codes, numbers or single codes, and strays. */
#ifndef CONSORT_MSD_COUNTER_CUH
#define CONSORT_MSD_COUNTER_CUH

#include "cuda/sorts/msd/msd_bins.cuh"
#include "cuda/sorts/msd/msd_counted.cuh"
#include "cuda/sorts/msd/msd_values.cuh"

/* What a block counts by. */
template <typename K> struct msd_cells {
    K base;
    uint32_t shift, bits;
    uint32_t *totals;
    uint32_t taken; /* which work of blocks it is to count them */
};

template <typename K>
static __device__ __forceinline__ msd_cells<K> msd_range_cells(const msd_arguments &a,
                                                               uint32_t taken)
{
    return {code_from_words<K>(a.control->base), a.control->shift, a.cell_bits, a.cells, taken};
}

/* Where cells cover all codes, so that none needs care and bounds need not be found (a third of the
 * instructions): codes are keys, or keys with some bits flipped. */
enum {
    MSD_ALL = 0,
    MSD_FLIPPED = 3,
    MSD_NUMBERED = 4 /* cells are ranges of numbers; those beyond are found without bounds */
};

template <typename K> static __device__ constexpr bool msd_salts()
{
    return sizeof(K) <= 4;
}

template <typename K> struct msd_histogram_storage {
    uint32_t pairs[MSD_CELLS / 2];
    uint32_t next[2]; /* stretches of the block, in turns */
    uint32_t unused[2];
    code_range<K> warps[MSD_HISTOGRAM_THREADS / 32];
    K few[MSD_FEW]; /* different codes, in order */
};

/* How: these; MSD_GATHERED; MSD_RANKED; MSD_PLACED: distances to a base, clamped. */
template <typename K, unsigned How> struct msd_counter {
    static constexpr unsigned per_word = sizeof(uint4) / sizeof(K);
    static constexpr bool salted = msd_salts<K>();
    using values = typename msd_values_of<K, How == MSD_NUMBERED>::type;
    const msd_codec<K> codec;
    const K base, widest;
    const uint32_t shift;
    const msd_bins<salted> bins;
    const msd_gathered<K> gathered;
    const values map;
    const K *const few; /* in shared memory */
    msd_control *const control;
    code_range<K> range;
    K apart;       /* bits in which keys differ from the base, or from what cells hold */
    bool spoilt;   /* too many keys stray, or one is no number */
    uint32_t seen; /* bits of counters before they were added to */

    __device__ __forceinline__ msd_counter(const msd_arguments &a, const msd_cells<K> &cells,
                                           msd_histogram_storage<K> &s)
        : codec(a.codec), base(cells.base), widest(msd_ones<K>(cells.shift + cells.bits)),
          shift(cells.shift), bins(s.pairs, cells.totals, cells.bits, a.salt), gathered(a.control),
          map(values::of(a)), few(s.few), control(a.control), apart(0), spoilt(false), seen(0)
    {
        range.clear();
        if (How == MSD_ALL || How == MSD_FLIPPED || How == MSD_NUMBERED || How == MSD_RANKED)
            range = {0, (K) ~(K)0};
    }

    __device__ __forceinline__ uint32_t cell_of(K key)
    {
        if constexpr (How == MSD_ALL) {
            return code_window(key, shift);
        } else if constexpr (How == MSD_FLIPPED) {
            return code_window((K)(key ^ codec.flip), shift);
        } else if constexpr (How == MSD_NUMBERED) {
            const K place = map.place(key);
            apart |= map.beyond(place);
            return (uint32_t)place & (map.cells - 1);
        } else if constexpr (How == MSD_RANKED) {
            const K code = codec.encode(key);
            const uint32_t rank = few_code_rank(few, code);
            apart |= (K)(few[rank] ^ code);
            return rank;
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
        return How == MSD_NUMBERED || How == MSD_RANKED
                   ? apart != 0
                   : How == MSD_GATHERED && (apart & (K)~code_from_words<K>(control->varying)) != 0;
    }

    /* The same of ranges. */
    __device__ __forceinline__ bool exceeds() const
    {
        if (How == MSD_NUMBERED)
            return spoilt;
        return How == MSD_PLACED && range.low <= range.high &&
               (range.low < base || (K)(range.high - base) > widest);
    }

    /* Strays are noted instead. */
    __device__ __forceinline__ void add_key(K key)
    {
        apart = 0;
        const uint32_t cell = cell_of(key);
        if (!stray())
            add_cell(cell);
        else if constexpr (How == MSD_NUMBERED)
            add_outer(key);
        else
            spoilt = spoilt || !msd_note_stray(control, codec.encode(key));
    }

    /* A barrier of the block. */
    __device__ __forceinline__ void meet(uint32_t bits)
    {
        if constexpr (salted) {
            if (__syncthreads_or((seen & bins.full) != 0))
                bins.move_full(bits);
            seen = 0;
        } else {
            __syncthreads();
        }
    }

    /* All lanes call it. Sorted and equal keys would queue up at one counter: those of a word, and
     * of a warp, are added at once. */
    __device__ __forceinline__ void add_word(uint4 word)
    {
        if constexpr (salted)
            return add_places(word);
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
    /* The same of words of counters: two neighbours in turn share one. */
    __device__ __forceinline__ void add_places(uint4 word)
    {
        uint32_t place[per_word];
        bool alike = true;
        apart = 0;
#pragma unroll
        for (unsigned i = 0; i < per_word; i++) {
            place[i] = bins.place_of(cell_of(key_of(word, i)));
            alike &= bins.word_of(place[i]) == bins.word_of(place[0]);
        }
        const bool strayed = stray();
        alike &= !strayed;
        const uint32_t own = bins.word_of(place[0]), first = __shfl_sync(0xffffffffu, own, 0);
        const bool all_alike = __all_sync(0xffffffffu, alike && own == first);
        if (alike) {
            uint32_t sum = 0;
#pragma unroll
            for (unsigned i = 0; i < per_word; i++)
                sum += bins.one_of(place[i]);
            if (all_alike)
                sum = __reduce_add_sync(0xffffffffu, sum);
            if (!all_alike || threadIdx.x % 32 == 0)
                seen |= bins.add_to(own, sum);
        } else if (strayed) {
            for (unsigned i = 0; i < per_word; i++)
                add_key(key_of(word, i));
        } else {
#pragma unroll
            for (unsigned i = 0; i < per_word; i++)
                seen |= bins.add_to(bins.word_of(place[i]), bins.one_of(place[i]));
        }
    }

    __device__ __forceinline__ void add_cell(uint32_t cell)
    {
        const uint32_t place = bins.place_of(cell);
        if constexpr (salted)
            seen |= bins.add_to(bins.word_of(place), bins.one_of(place));
        else
            bins.add(cell, 1);
    }

    /* A number beyond all cells belongs to the first or the last. */
    __device__ __forceinline__ void add_outer(K key)
    {
        spoilt |= map.is_nan(key);
        control->outside = 1;
        add_cell((uint32_t)map.inner_place(key) & (map.cells - 1));
    }

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

#endif
