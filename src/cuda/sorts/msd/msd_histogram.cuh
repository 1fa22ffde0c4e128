/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One read counts the keys of each cell, a range of codes or of numbers, and finds the lowest and
 * the highest code.
 */
#ifndef CONSORT_MSD_HISTOGRAM_CUH
#define CONSORT_MSD_HISTOGRAM_CUH

#include "cuda/device/grid_barrier.cuh"
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
            a.control->whole[cell >> msd_second_bits(a)] = 1;
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
