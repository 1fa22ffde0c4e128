/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The first read of the keys: how many there are in each cell, the range of codes with the same top
 * bits; the block that finishes last decides, if none found keys uneven. If every bucket fits into
 * a leaf, the top digits are sorted by; else nothing is, and passes of `lsd` sort by all digits.
 *
 * Bits above the highest in which a few keys differ are taken for constant. A key that shows
 * otherwise makes the cells useless, like a bucket that is too large.
 */
#ifndef CONSORT_HYBRID_COUNT_CUH
#define CONSORT_HYBRID_COUNT_CUH

#include "cuda/device/block_scan.cuh"
#include "cuda/device/code_range.cuh"
#include "cuda/device/codes.cuh"
#include "cuda/device/flag.cuh"
#include "cuda/device/scattered.cuh"
#include "cuda/sorts/hybrid/hybrid_fit.cuh"
#include "cuda/sorts/hybrid/hybrid_tuning.h"

enum {
    HYBRID_SAMPLE = 2, /* keys a thread looks at before */
    HYBRID_SAMPLES = HYBRID_SAMPLE * HYBRID_COUNT_THREADS,
    HYBRID_CROWD_BITS = 5, /* by which the sample is counted */
    HYBRID_CROWDS = 1 << HYBRID_CROWD_BITS,
    HYBRID_WARPS = HYBRID_COUNT_THREADS / 32,
    HYBRID_UNEVEN_BLOCK = 1 << 16 /* added to the number of blocks that are done */
};

struct hybrid_count_storage {
    uint32_t pairs[HYBRID_CELLS / 2]; /* two 16-bit counters a word */
    uint32_t varying[4];
    uint32_t crowd[HYBRID_CROWDS];
    uint32_t warp_sums[HYBRID_WARPS];
    uint64_t digit_sums[8];
    uint32_t told;
};

/* Where a code's counter is found. */
template <typename K> struct hybrid_cells {
    static constexpr uint32_t bits = 8 * sizeof(K);
    K common; /* its bits above `lead` */
    uint32_t lead, shift;
    bool crowded; /* by what the sample shows, some buckets are too large */

    __device__ __forceinline__ uint32_t counter_of(K code) const
    {
        return code_window((K)(code << lead), shift);
    }

    /* Of the bits in which keys differ from `common`. */
    __device__ __forceinline__ bool strays(K apart) const
    {
        return lead > 0 && apart >> (bits - lead) != 0;
    }
};

/* Whether more keys of the sample share their top bits than if their buckets were full. Six
 * standard deviations of an even sample are 48 keys. */
template <typename K>
static __device__ __forceinline__ bool hybrid_crowded(const hybrid_arguments &a,
                                                      const uint32_t *crowd)
{
    const float full = (float)a.leaf * (float)(1u << hybrid_finest<K>(a)) / (float)a.sort.count;
    const float most = 1.25f * full * (HYBRID_SAMPLES / HYBRID_CROWDS) + 48;
    return __syncthreads_or(threadIdx.x < HYBRID_CROWDS && (float)crowd[threadIdx.x] > most);
}

/* Every block looks at the same keys, so that all find the same. */
template <typename K>
static __device__ __forceinline__ hybrid_cells<K> hybrid_find_cells(const hybrid_arguments &a,
                                                                    hybrid_count_storage &s)
{
    constexpr uint32_t bits = 8 * sizeof(K);
    const codes<K> codec(a.sort.codec);
    const K *keys = (const K *)a.sort.keys_in;
    const uint64_t stride = a.sort.count > HYBRID_SAMPLES ? a.sort.count / HYBRID_SAMPLES : 1;
    const K first = codec.encode(keys[0]);
    if (threadIdx.x < 4)
        s.varying[threadIdx.x] = 0;
    if (threadIdx.x < HYBRID_CROWDS)
        s.crowd[threadIdx.x] = 0;
    __syncthreads();
    K code[HYBRID_SAMPLE], varying = 0;
#pragma unroll
    for (unsigned i = 0; i < HYBRID_SAMPLE; i++) {
        const uint32_t number = i * HYBRID_COUNT_THREADS + threadIdx.x;
        const uint64_t at = number * stride + scattered_place(number, a.seed, stride);
        code[i] = codec.encode(keys[at < a.sort.count ? at : threadIdx.x % a.sort.count]);
        varying |= (K)(code[i] ^ first);
    }
#pragma unroll
    for (unsigned i = 0; i < sizeof(K) / 4; i++)
        if (code_window(varying, 32 * i))
            atomicOr(&s.varying[i], code_window(varying, 32 * i));
    __syncthreads();
    for (unsigned i = 0; i < sizeof(K) / 4; i++)
        varying |= (K)((K)s.varying[i] << (32 * i));
    const uint32_t length = code_bit_length(varying), lead = bits - max(length, 1u);
    const K common = lead > 0 ? (K)(first >> (bits - lead) << (bits - lead)) : (K)0;
#pragma unroll
    for (unsigned i = 0; i < HYBRID_SAMPLE; i++)
        atomicAdd(&s.crowd[code_window((K)(code[i] << lead), bits - HYBRID_CROWD_BITS)], 1u);
    __syncthreads();
    return {common, lead, bits - a.digit_bits, hybrid_crowded<K>(a, s.crowd)};
}

/*
 * Counts in shared memory. A block stops rounds after it meets a counter beyond a leaf; it looks at
 * one key in some only, so a counter may overflow all the same: the sum of all falls short then.
 */
template <typename K> struct hybrid_counter {
    static constexpr unsigned items = sizeof(K) == 4 ? 16 : sizeof(K) == 8 ? 8 : 4;
    const hybrid_arguments &a;
    const hybrid_cells<K> cells;
    const codes<K> codec;
    uint32_t *pairs;
    K apart; /* bits in which keys differ from the common ones */
    bool uneven;

    __device__ __forceinline__ hybrid_counter(const hybrid_arguments &arguments,
                                              const hybrid_cells<K> &where, uint32_t *counters)
        : a(arguments), cells(where), codec(a.sort.codec), pairs(counters), apart(0), uneven(false)
    {
    }

    __device__ __forceinline__ void add(uint32_t cell, uint32_t times) const
    {
        atomicAdd(&pairs[cell / 2], cell % 2 ? times << 16 : times);
    }

    __device__ __forceinline__ bool add_and_look(uint32_t cell) const
    {
        const uint32_t before = atomicAdd(&pairs[cell / 2], cell % 2 ? 1u << 16 : 1u);
        return (cell % 2 ? before >> 16 : before & 0xffff) >= a.leaf;
    }

    /* Warps own consecutive stretches, so that of sorted keys all may be in one cell. */
    static __device__ __forceinline__ uint32_t position(unsigned i)
    {
        return threadIdx.x / 32 * (32 * items) + i * 32 + threadIdx.x % 32;
    }

    __device__ __forceinline__ void load(K (&code)[items], uint64_t first) const
    {
        const K *keys = (const K *)a.sort.keys_in + first;
        const uint64_t left = a.sort.count - first;
        if (left >= items * HYBRID_COUNT_THREADS) {
#pragma unroll
            for (unsigned i = 0; i < items; i++)
                code[i] = keys[position(i)];
            return;
        }
#pragma unroll
        for (unsigned i = 0; i < items; i++)
            code[i] = position(i) < left ? keys[position(i)] : (K)0;
    }

    /* Sorted or equal keys would queue up at one counter: those of a warp are added at once. */
    __device__ __forceinline__ void count_whole(const K (&code)[items])
    {
        uint32_t cell[items];
        bool alike = true;
#pragma unroll
        for (unsigned i = 0; i < items; i++) {
            apart |= (K)(code[i] ^ cells.common);
            cell[i] = cells.counter_of(code[i]);
            alike &= cell[i] == cell[0];
        }
        const uint32_t first = __shfl_sync(0xffffffffu, cell[0], 0);
        if (__all_sync(0xffffffffu, alike && cell[0] == first)) {
            if (threadIdx.x % 32 == 0)
                add(first, 32 * items - 1);
            if (threadIdx.x % 32 == 0)
                uneven |= add_and_look(first);
            return;
        }
        uneven |= add_and_look(cell[0]);
#pragma unroll
        for (unsigned i = 1; i < items; i++)
            add(cell[i], 1);
    }

    __device__ __forceinline__ void count_keys(K (&code)[items], uint64_t first)
    {
        const uint64_t left = a.sort.count - first;
        codec.encode_all(code);
        if (left >= items * HYBRID_COUNT_THREADS) {
            count_whole(code);
            return;
        }
#pragma unroll
        for (unsigned i = 0; i < items; i++) {
            if (position(i) >= left)
                continue;
            apart |= (K)(code[i] ^ cells.common);
            uneven |= add_and_look(cells.counter_of(code[i]));
        }
    }

    /* False if keys turned out uneven. The next keys are on their way while some are counted. */
    __device__ __forceinline__ bool count()
    {
        const uint64_t round = (uint64_t)items * HYBRID_COUNT_THREADS, stride = gridDim.x * round;
        uint64_t first = blockIdx.x * round;
        K code[items], next[items];
        if (first < a.sort.count)
            load(code, first);
        for (uint32_t turn = 1; first < a.sort.count; first += stride, turn++) {
            const uint32_t told = threadIdx.x == 0 ? load_relaxed(&a.control->uneven) : 0;
            if (first + stride < a.sort.count)
                load(next, first + stride);
            count_keys(code, first);
#pragma unroll
            for (unsigned i = 0; i < items; i++)
                code[i] = next[i];
            if (turn % HYBRID_COUNT_ROUNDS == 0 &&
                __syncthreads_or(uneven || told || cells.strays(apart)))
                return false;
        }
        return !__syncthreads_or(uneven || cells.strays(apart));
    }
};

/* Counts become places. Every warp owns a stretch of cells and goes over it twice, all lanes on
 * neighbouring cells. False if keys are missing. */
static __device__ __forceinline__ bool hybrid_scan_cells(const hybrid_arguments &a,
                                                         hybrid_count_storage &s)
{
    constexpr unsigned batch = 8;
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const unsigned each = (1u << a.cell_bits) / HYBRID_WARPS;
    uint32_t *cells = a.control->cells + warp * each, sum = 0;
#pragma unroll batch
    for (unsigned cell = lane; cell < each; cell += 32)
        sum += load_relaxed(&cells[cell]);
    const uint32_t inclusive = warp_inclusive_sum(sum);
    if (lane == 31)
        s.warp_sums[warp] = inclusive;
    __syncthreads();
    uint32_t before = 0;
    for (unsigned other = 0; other < warp; other++)
        before += s.warp_sums[other];
    for (unsigned first = 0; first < each; first += 32 * batch) {
        uint32_t count[batch];
#pragma unroll
        for (unsigned i = 0; i < batch; i++) {
            const unsigned cell = first + i * 32 + lane;
            count[i] = cell < each ? load_relaxed(&cells[cell]) : 0;
        }
#pragma unroll
        for (unsigned i = 0; i < batch; i++) {
            const unsigned cell = first + i * 32 + lane;
            const uint32_t end = before + warp_inclusive_sum(count[i]);
            if (cell < each)
                cells[cell] = end - count[i];
            before = __shfl_sync(0xffffffffu, end, 31);
        }
    }
    if (threadIdx.x == 0)
        a.control->cells[1u << a.cell_bits] = (uint32_t)a.sort.count;
    return !__syncthreads_or(threadIdx.x == HYBRID_COUNT_THREADS - 1 && before != a.sort.count);
}

/* By one block, when all keys are counted: where each digit value of the steps goes. */
template <typename K>
static __device__ __forceinline__ void
hybrid_plan(const hybrid_arguments &a, const hybrid_cells<K> &where, hybrid_count_storage &s)
{
    lsd_control *control = a.sort.control;
    const unsigned top = sizeof(K) - 1;
    const bool twice = a.digit_bits > LSD_DIGIT_BITS;
    if (!hybrid_scan_cells(a, s))
        return;
    const uint32_t bits = hybrid_choose_bits<K>(a);
    if (bits > hybrid_finest<K>(a))
        return;
    const bool owner = threadIdx.x < LSD_BINS;
    const uint64_t low = block_exclusive_sum_256(
        owner ? (uint64_t)load_relaxed(&a.control->low_digit[threadIdx.x]) : 0, s.digit_sums);
    if (owner) {
        const unsigned below = a.cell_bits - LSD_DIGIT_BITS;
        control->bins[top][0][threadIdx.x] = a.control->cells[threadIdx.x << below];
        if (twice)
            control->bins[top - 1][0][threadIdx.x] = low;
    }
    if (threadIdx.x < sizeof(K))
        control->step[threadIdx.x] = LSD_SKIPPED;
    __syncthreads();
    if (threadIdx.x > 0)
        return;
    control->step[top - twice] = 0;
    control->step[top] = twice;
    control->step_count = 1 + twice;
    control->lead = where.lead;
    control->leaves = 1;
    a.control->bucket_bits = bits;
    code_to_words(where.common, a.control->common);
}

/* The sum of the counters in `words` pairs, a power of two; lanes of a warp begin in different
 * banks. */
static __device__ __forceinline__ uint32_t hybrid_sum_pairs(const uint32_t *pairs, uint32_t words)
{
    const uint32_t begin = threadIdx.x * words / 32;
    uint32_t sum = 0;
    for (uint32_t i = 0; i < words; i++) {
        const uint32_t pair = pairs[(begin + i) & (words - 1)];
        sum += (pair & 0xffff) + (pair >> 16);
    }
    return sum;
}

/* A cell is one counter, or a power of two of them. */
static __device__ __forceinline__ void hybrid_add_cells(const hybrid_arguments &a,
                                                        const uint32_t *pairs)
{
    const uint32_t cells = 1u << a.cell_bits, words = (1u << (a.digit_bits - a.cell_bits)) / 2;
    for (uint32_t i = threadIdx.x; i < cells; i += HYBRID_COUNT_THREADS) {
        const uint32_t sum = words > 0   ? hybrid_sum_pairs(pairs + i * words, words)
                             : i % 2 > 0 ? pairs[i / 2] >> 16
                                         : pairs[i / 2] & 0xffff;
        if (sum)
            atomicAdd(&a.control->cells[i], sum);
    }
}

/* A thread adds up a few counters of two neighbouring values of the lower digit. */
static __device__ __forceinline__ void hybrid_add_low_digit(const hybrid_arguments &a,
                                                            const uint32_t *pairs)
{
    constexpr unsigned row = LSD_BINS / 2;
    static_assert(HYBRID_COUNT_THREADS % row == 0, "a thread stays with its two values");
    uint32_t even = 0, odd = 0;
#pragma unroll 8
    for (unsigned i = threadIdx.x; i < HYBRID_CELLS / 2; i += HYBRID_COUNT_THREADS) {
        even += pairs[i] & 0xffff;
        odd += pairs[i] >> 16;
    }
    atomicAdd(&a.control->low_digit[2 * (threadIdx.x % row)], even);
    atomicAdd(&a.control->low_digit[2 * (threadIdx.x % row) + 1], odd);
}

template <typename K>
static __device__ __forceinline__ void hybrid_count(const hybrid_arguments &a,
                                                    hybrid_count_storage &s)
{
    for (uint32_t i = threadIdx.x; i < (1u << a.digit_bits) / 2; i += HYBRID_COUNT_THREADS)
        s.pairs[i] = 0;
    const hybrid_cells<K> cells = hybrid_find_cells<K>(a, s);
    hybrid_counter<K> counter(a, cells, s.pairs);
    const bool even = !cells.crowded && counter.count();
    if (even) {
        hybrid_add_cells(a, s.pairs);
        if (a.digit_bits == HYBRID_CELL_BITS)
            hybrid_add_low_digit(a, s.pairs);
    }
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) {
        if (!even)
            store_relaxed(&a.control->uneven, 1u);
        const uint32_t told = even ? 1 : 1 + HYBRID_UNEVEN_BLOCK;
        s.told = atomicAdd(&a.control->counted_blocks, told) + told;
    }
    __syncthreads();
    if (s.told != gridDim.x)
        return;
    __threadfence();
    hybrid_plan<K>(a, cells, s);
}

#endif
