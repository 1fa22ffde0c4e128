/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Long lists of keys that crowd, by passes over all digits: the launch that else counts cells
 * counts digits, the first partition, whose order is free, moves keys by the lowest digit, and the
 * launch that else splits segments does the stable passes over the others; of keys of 8 bytes a
 * launch of its own does, by tiles of `lsd`.
 *
 * A pass of the levels' launch is that of `lsd` for keys alone, fewer than look-back words count,
 * that are codes already; a block takes tile after tile, and the keys of its next one are on their
 * way while the present one is written.
 */
#ifndef CONSORT_MSD_SKEW_PASSES_CUH
#define CONSORT_MSD_SKEW_PASSES_CUH

#include "cuda/device/grid_barrier.cuh"
#include "cuda/sorts/lsd/lsd_finish.cuh"
#include "cuda/sorts/lsd/lsd_histogram.cuh"
#include "cuda/sorts/msd/msd_codes.cuh"
#include "cuda/sorts/msd/msd_tuning.h"

/* Counters of all digits, several each, which lanes use in turn: up to one for each lane. */
template <typename K> struct msd_digits_storage {
    static constexpr unsigned copies = MSD_CELLS / 2 / (sizeof(K) * LSD_BINS);

    union {
        uint32_t counts[sizeof(K)][LSD_BINS][copies];
        lsd_histogram_storage<K> plan;
    };
    uint32_t last;
};

/* Keys beyond the end repeat the last. */
template <typename K, unsigned Items>
static __device__ __forceinline__ void msd_load_stretch(const lsd_arguments &a, uint64_t first,
                                                        K (&key)[Items])
{
    const K *keys = (const K *)a.keys_in + first + threadIdx.x;
    if (first + MSD_HISTOGRAM_THREADS * Items <= a.count) {
#pragma unroll
        for (unsigned i = 0; i < Items; i++)
            key[i] = keys[i * MSD_HISTOGRAM_THREADS];
        return;
    }
    for (unsigned i = 0; i < Items; i++)
        key[i] = ((const K *)
                      a.keys_in)[min(first + i * MSD_HISTOGRAM_THREADS + threadIdx.x, a.count - 1)];
}

/* The next keys are on their way while these are counted. */
template <typename K>
static __device__ __forceinline__ void msd_count_digits(const lsd_arguments &a,
                                                        msd_digits_storage<K> &s)
{
    constexpr unsigned items = 32 / sizeof(K), copies = msd_digits_storage<K>::copies;
    const codes<K> codec(a.codec);
    const unsigned copy = threadIdx.x % copies;
    const uint64_t stretch = (uint64_t)MSD_HISTOGRAM_THREADS * items;
    K code[items], next[items];
    uint64_t first = blockIdx.x * stretch;
    if (first < a.count)
        msd_load_stretch(a, first, next);
    while (first < a.count) {
        const uint64_t here = first;
#pragma unroll
        for (unsigned i = 0; i < items; i++)
            code[i] = next[i];
        first += gridDim.x * stretch;
        if (first < a.count)
            msd_load_stretch(a, first, next);
        codec.encode_all(code);
        const uint64_t left = a.count - here;
#pragma unroll
        for (unsigned i = 0; i < items; i++) {
            if (i * MSD_HISTOGRAM_THREADS + threadIdx.x >= left)
                continue;
#pragma unroll
            for (unsigned pass = 0; pass < sizeof(K); pass++)
                atomicAdd(&s.counts[pass][(uint32_t)(code[i] >> (8 * pass)) % LSD_BINS][copy], 1u);
        }
    }
}

/* Lanes begin at different counters, which are in other banks. */
template <typename K>
static __device__ __forceinline__ void msd_add_up_digits(const lsd_arguments &a,
                                                         const msd_digits_storage<K> &s)
{
    constexpr unsigned copies = msd_digits_storage<K>::copies;
    for (unsigned i = threadIdx.x; i < sizeof(K) * LSD_BINS; i += MSD_HISTOGRAM_THREADS) {
        const unsigned pass = i / LSD_BINS, digit = i % LSD_BINS;
        uint32_t sum = 0;
        for (unsigned copy = 0; copy < copies; copy++)
            sum += s.counts[pass][digit][(copy + i) % copies];
        if (sum)
            atomicAdd((unsigned long long *)&a.control->bins[pass][0][digit],
                      (unsigned long long)sum);
    }
}

/* All blocks: empties look-back words for step 1, counts digits; the block that is done last plans
 * passes, of which the first partition will be one. (There are at least two: more bits of the
 * sampled keys differ than one digit has, or they would have been counted.) Not inlined, for the
 * sake of what counts cells. */
template <typename K, unsigned PassKeys>
__attribute__((noinline)) static __device__ void
msd_prepare_passes(const lsd_arguments &a, msd_control *control, msd_digits_storage<K> &s)
{
    uint32_t *flat = &s.counts[0][0][0];
    for (unsigned i = threadIdx.x; i < MSD_CELLS / 2; i += MSD_HISTOGRAM_THREADS)
        flat[i] = 0;
    const uint32_t words = (uint32_t)((a.count + PassKeys - 1) / PassKeys) * LSD_BINS;
    for (uint32_t i = blockIdx.x * MSD_HISTOGRAM_THREADS + threadIdx.x; i < words;
         i += gridDim.x * MSD_HISTOGRAM_THREADS)
        a.lookback[i] = lsd_status(1).empty << LSD_COUNT_BITS;
    __syncthreads();
    msd_count_digits<K>(a, s);
    __syncthreads();
    msd_add_up_digits<K>(a, s);
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0)
        s.last = atomicAdd(&a.control->finished_blocks, 1u) == gridDim.x - 1;
    __syncthreads();
    if (!s.last)
        return;
    __threadfence();
    lsd_plan_passes<K>(a, s.plan);
    __syncthreads();
    uint32_t pass = 0;
    while (a.control->step[pass] != 0)
        pass++;
    if (threadIdx.x < LSD_BINS)
        control->bucket_cursor[threadIdx.x] = (uint32_t)a.control->bins[pass][0][threadIdx.x];
    if (threadIdx.x == 0) {
        code_to_words((K)0, control->base);
        control->shift = LSD_DIGIT_BITS * pass;
    }
}

template <typename K, unsigned Threads, unsigned Items> struct alignas(16) msd_pass_storage {
    static constexpr unsigned copies = msd_copies(Items);

    union {
        typename warp_ranks<Threads, Items>::bins_type bins;
        K sorted[Threads * Items];
    };
    /* Zero between tiles: a digit's counters, as those of a partition's tile. */
    alignas(16) uint32_t counts[LSD_BINS][copies];
    uint32_t base[LSD_BINS]; /* where a digit's run goes, less its start in the tile */
    uint32_t warp_sums[8];
    uint32_t tile; /* this block's next */
};

/*
 * A tile that a pass moves. The keys come in the order of all lower digits: where the first and the
 * last of a tile agree in these, all do, and their order is free. Then ranks are what atomic
 * counters return, as in a partition; else they are stable.
 */
template <typename K, unsigned Threads, unsigned Items> struct msd_pass {
    static constexpr unsigned keys = Threads * Items;
    using storage = msd_pass_storage<K, Threads, Items>;
    using ranks = warp_ranks<Threads, Items>;

    storage &s;
    const uint32_t count;
    const code_byte<K> digit;
    const K lower; /* bits of lower digits */
    bool unordered;
    K code[Items];

    __device__ __forceinline__ msd_pass(const lsd_arguments &a, uint32_t pass, storage &memory)
        : s(memory), count((uint32_t)a.count), digit(pass),
          lower(msd_ones<K>(LSD_DIGIT_BITS * pass)), unordered(false)
    {
        clear_counts();
    }

    __device__ __forceinline__ uint32_t filled(uint32_t tile) const
    {
        return min(count - tile * keys, keys);
    }

    /* Places beyond the end get the highest code: they rank after every key. */
    __device__ __forceinline__ void load(const K *in, uint32_t tile)
    {
        const uint32_t here = filled(tile);
        in += tile * keys;
        unordered = here == keys && ((in[0] ^ in[keys - 1]) & lower) == 0;
        if (here == keys) {
#pragma unroll
            for (unsigned i = 0; i < Items; i++)
                code[i] = in[ranks::position(i)];
            return;
        }
#pragma unroll
        for (unsigned i = 0; i < Items; i++)
            code[i] = ranks::position(i) < here ? in[ranks::position(i)] : (K) ~(K)0;
    }

    __device__ __forceinline__ void clear_counts()
    {
        uint32_t *all = &s.counts[0][0];
        for (unsigned i = threadIdx.x; i < LSD_BINS * storage::copies; i += Threads)
            all[i] = 0;
    }

    /* Puts the tile in order and finds where its digits' runs go. `next()` is called by one thread
     * that has nothing else to do then. */
    template <unsigned Window, typename Next>
    __device__ __forceinline__ void place(const lsd_arguments &a, uint32_t pass, uint32_t tile,
                                          const lsd_status &status, const Next &next)
    {
        const auto digit_of = [this](unsigned i) { return digit(code[i]); };
        const bool owner = threadIdx.x < LSD_BINS;
        packed_places<Items> at;
        if (unordered)
            count_keys();
        else
            ranks::count(s.bins, at, digit_of);
        __syncthreads();
        uint32_t all = 0, own = 0;
        if (owner) {
            all = unordered ? sum_of_counts() : ranks::total(s.bins); /* with padding */
            own = all - (threadIdx.x == LSD_BINS - 1 ? keys - filled(tile) : 0);
            flag_publish(&a.lookback[tile * LSD_BINS + threadIdx.x],
                         (tile == 0 ? status.prefix : status.local) << LSD_COUNT_BITS | own);
        }
        const uint32_t start = block_exclusive_sum_256(all, s.warp_sums);
        if (owner && unordered)
            counts_to_places(start);
        else if (owner)
            ranks::starts(s.bins, start);
        __syncthreads();
        if (threadIdx.x == Threads - 1)
            s.tile = next();
        if (unordered) {
            put_in_order();
        } else {
            ranks::places(s.bins, at, digit_of);
            __syncthreads();
#pragma unroll
            for (unsigned i = 0; i < Items; i++)
                s.sorted[at.at(i)] = code[i];
        }
        if (owner)
            s.base[threadIdx.x] = (uint32_t)a.control->bins[pass][0][threadIdx.x] - start +
                                  lsd_look_back<Window>(a.lookback, tile, own, status);
    }

    template <typename Decode>
    __device__ __forceinline__ void write(K *out, uint32_t here, const Decode &decode) const
    {
        if (here == keys) {
#pragma unroll
            for (unsigned i = 0; i < Items; i++) {
                const uint32_t j = i * Threads + threadIdx.x;
                const K key = s.sorted[j];
                out[s.base[digit(key)] + j] = decode(key);
            }
            return;
        }
        for (uint32_t j = threadIdx.x; j < here; j += Threads) {
            const K key = s.sorted[j];
            out[s.base[digit(key)] + j] = decode(key);
        }
    }

  private:
    __device__ __forceinline__ uint32_t &counter(K key) const
    {
        return s.counts[digit(key)][(threadIdx.x + threadIdx.x / 32) % storage::copies];
    }

    /* So that lanes, each with a digit, meet in no bank. */
    static __device__ __forceinline__ unsigned in_turn(unsigned copy)
    {
        return (copy + threadIdx.x * storage::copies / 32) % storage::copies;
    }

    __device__ __forceinline__ void count_keys()
    {
#pragma unroll
        for (unsigned i = 0; i < Items; i++)
            atomicAdd(&counter(code[i]), 1u);
    }

    __device__ __forceinline__ uint32_t sum_of_counts() const
    {
        uint32_t sum = 0;
#pragma unroll
        for (unsigned i = 0; i < storage::copies; i++)
            sum += s.counts[threadIdx.x][in_turn(i)];
        return sum;
    }

    __device__ __forceinline__ void counts_to_places(uint32_t start)
    {
#pragma unroll
        for (unsigned i = 0; i < storage::copies; i++) {
            uint32_t &counted = s.counts[threadIdx.x][in_turn(i)];
            const uint32_t here = counted;
            counted = start;
            start += here;
        }
    }

    __device__ __forceinline__ void put_in_order()
    {
#pragma unroll
        for (unsigned i = 0; i < Items; i++)
            s.sorted[atomicAdd(&counter(code[i]), 1u)] = code[i];
    }
};

/* All blocks: one pass. */
template <typename K, unsigned Threads, unsigned Items>
static __device__ __forceinline__ void msd_run_pass(const lsd_arguments &a, uint32_t pass,
                                                    const lsd_route &route,
                                                    msd_pass_storage<K, Threads, Items> &s)
{
    using pass_type = msd_pass<K, Threads, Items>;
    const uint32_t tiles = (uint32_t)((a.count + pass_type::keys - 1) / pass_type::keys);
    const lsd_status status((unsigned)route.step % 2);
    const codes<K> codec(a.codec);
    const bool decode = route.last && !codec.identity;
    const K *in = (const K *)route.keys_in;
    K *out = (K *)route.keys_out;
    const auto ticket = [&] { return atomicAdd(&a.control->tickets[pass], 1u); };
    if (threadIdx.x == 0)
        s.tile = ticket();
    pass_type keys(a, pass, s);
    __syncthreads();
    uint32_t tile = s.tile;
    if (tile < tiles)
        keys.load(in, tile);
    while (tile < tiles) {
        const bool counted = keys.unordered;
        keys.template place<LSD_WINDOW>(a, pass, tile, status, ticket);
        __syncthreads();
        const uint32_t here = keys.filled(tile);
        tile = s.tile;
        if (tile < tiles)
            keys.load(in, tile);
        if (counted)
            keys.clear_counts();
        if (decode)
            keys.write(out, here, [&](K key) { return codec.decode(key); });
        else
            keys.write(out, here, [](K key) { return key; });
        __syncthreads();
    }
}

/* All blocks of a cooperative launch: what is left when the first partition has done the first
 * step. */
template <typename K, unsigned Threads, unsigned Items>
static __device__ __forceinline__ void msd_run_later_passes(const lsd_arguments &a,
                                                            uint32_t *arrivals,
                                                            msd_pass_storage<K, Threads, Items> &s)
{
    for (uint32_t pass = 0; pass < sizeof(K); pass++) {
        const lsd_route route = lsd_route_of(a, pass);
        if (route.step <= 0)
            continue;
        if (route.step > 1)
            grid_barrier(arrivals);
        msd_run_pass<K, Threads, Items>(a, pass, route, s);
    }
    if (lsd_shift(a, a.control->step_count))
        grid_barrier(arrivals);
    lsd_finish(a, sizeof(K), 0);
}

#endif
