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

#include "cuda/device/early_launch.cuh"
#include "cuda/device/flag.cuh"
#include "cuda/device/grid_barrier.cuh"
#include "cuda/sorts/hybrid/hybrid_digits.cuh"
#include "cuda/sorts/hybrid/hybrid_few.cuh"
#include "cuda/sorts/hybrid/hybrid_plan.cuh"
#include "cuda/sorts/hybrid/hybrid_prefix.cuh"
#include "cuda/sorts/hybrid/hybrid_sample.cuh"

enum {
    HYBRID_UNEVEN_BLOCK = 1 << 16 /* added to the number of blocks that are done */
};

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

    /* Whether the counter is beyond a leaf then. */
    __device__ __forceinline__ bool add_and_look(uint32_t cell, uint32_t times) const
    {
        const uint32_t before = atomicAdd(&pairs[cell / 2], cell % 2 ? times << 16 : times);
        return (cell % 2 ? before >> 16 : before & 0xffff) + times > a.leaf;
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

    static __device__ __forceinline__ bool alike(uint32_t cell)
    {
        return __all_sync(0xffffffffu, cell == __shfl_sync(0xffffffffu, cell, 0));
    }

    /* Neighbours of sorted or equal keys would queue up at a counter: a warp adds them at once. */
    __device__ __forceinline__ void count_neighbours(const uint32_t (&cell)[items])
    {
        const uint32_t first = __shfl_sync(0xffffffffu, cell[0], 0);
        bool same = true;
#pragma unroll
        for (unsigned i = 0; i < items; i++)
            same &= cell[i] == first;
        if (__all_sync(0xffffffffu, same)) {
            if (threadIdx.x % 32 == 0)
                uneven |= add_and_look(first, 32 * items);
            return;
        }
#pragma unroll
        for (unsigned i = 0; i < items; i++) {
            if (!alike(cell[i]))
                add(cell[i], 1);
            else if (threadIdx.x % 32 == 0)
                uneven |= add_and_look(cell[i], 32);
        }
    }

    __device__ __forceinline__ void count_whole(const K (&code)[items])
    {
        uint32_t cell[items];
#pragma unroll
        for (unsigned i = 0; i < items; i++) {
            apart |= (K)(code[i] ^ cells.common);
            cell[i] = cells.counter_of(code[i]);
        }
        if (alike(cell[0]) || alike(cell[items / 2])) {
            count_neighbours(cell);
            return;
        }
        uneven |= add_and_look(cell[0], 1);
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
            uneven |= add_and_look(cells.counter_of(code[i]), 1);
        }
    }

    /* False if keys turned out uneven. The next keys are on their way while some are counted, the
     * first while the counters are made ready. */
    __device__ __forceinline__ bool count()
    {
        const uint64_t round = (uint64_t)items * HYBRID_COUNT_THREADS, stride = gridDim.x * round;
        uint64_t first = blockIdx.x * round;
        K code[items], next[items];
        if (first < a.sort.count)
            load(code, first);
        __syncthreads();
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

/* The sums of four cells of 2^finer counters, 2 or more: 16 bits each. One that takes more makes
 * the sum of all fall short. Lanes of a warp begin in different banks. */
static __device__ __forceinline__ uint64_t hybrid_sum_quad(const uint32_t *pairs, uint32_t finer)
{
    const uint32_t words = 2u << finer, begin = threadIdx.x * words / 32;
    uint64_t quad = 0;
    for (uint32_t first = begin; first < begin + words; first += 4) {
#pragma unroll
        for (uint32_t i = 0; i < 4; i++) {
            const uint32_t at = (first + i) & (words - 1), pair = pairs[at];
            quad += (uint64_t)((pair & 0xffff) + (pair >> 16)) << (at >> (finer - 1)) * 16;
        }
    }
    return quad;
}

/* A cell is one counter, or a power of two of them. */
static __device__ __forceinline__ void hybrid_add_cells(const hybrid_arguments &a,
                                                        const uint32_t *pairs)
{
    const uint32_t quads = (1u << a.cell_bits) / 4, finer = a.digit_bits - a.cell_bits;
    for (uint32_t i = threadIdx.x; i < quads; i += HYBRID_COUNT_THREADS) {
        const uint32_t quad = (i + blockIdx.x * 32) & (quads - 1); /* elsewhere in each block */
        const uint32_t *from = pairs + (quad << (finer + 1));
        const uint64_t sum =
            finer > 0 ? hybrid_sum_quad(from, finer) : (uint64_t)from[1] << 32 | from[0];
        if (sum)
            atomicAdd((unsigned long long *)&a.counts[quad], (unsigned long long)sum);
    }
}

/* A thread adds up a few counters of two neighbouring values of the lower digit. */
static __device__ __forceinline__ void hybrid_add_low_digit(const hybrid_arguments &a,
                                                            hybrid_count_storage &s)
{
    constexpr unsigned row = LSD_BINS / 2;
    static_assert(HYBRID_COUNT_THREADS % row == 0, "a thread stays with its two values");
    uint32_t even = 0, odd = 0;
#pragma unroll 8
    for (unsigned i = threadIdx.x; i < HYBRID_CELLS / 2; i += HYBRID_COUNT_THREADS) {
        even += s.pairs[i] & 0xffff;
        odd += s.pairs[i] >> 16;
    }
    atomicAdd(&s.low_digit[0][threadIdx.x % row], even);
    atomicAdd(&s.low_digit[1][threadIdx.x % row], odd);
    __syncthreads();
    for (unsigned value = threadIdx.x; value < LSD_BINS; value += HYBRID_COUNT_THREADS)
        atomicAdd(&a.low_digit[value], s.low_digit[value % 2][value / 2]);
}

static __device__ __forceinline__ void hybrid_clear(const hybrid_arguments &a,
                                                    hybrid_count_storage &s)
{
    for (uint32_t i = threadIdx.x; i < (1u << a.digit_bits) / 2; i += HYBRID_COUNT_THREADS)
        s.pairs[i] = 0;
    if (threadIdx.x < LSD_BINS)
        s.low_digit[threadIdx.x % 2][threadIdx.x / 2] = 0;
    if (threadIdx.x < HYBRID_CROWDS / 2)
        s.crowd[threadIdx.x] = 0;
    if (threadIdx.x < 4)
        s.varying[threadIdx.x] = 0;
    if (threadIdx.x == 0)
        s.unfit = 0;
}

enum hybrid_verdict {
    HYBRID_PENDING, /* the block is not the last */
    HYBRID_EVEN,
    HYBRID_UNEVEN
};

/* What blocks have found. The next launch may come while the last block plans. */
static __device__ __forceinline__ hybrid_verdict hybrid_all_counted(const hybrid_arguments &a,
                                                                    bool even,
                                                                    hybrid_count_storage &s)
{
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) {
        if (!even)
            store_relaxed(&a.control->uneven, 1u);
        const uint32_t told = even ? 1 : 1 + HYBRID_UNEVEN_BLOCK;
        s.told = atomicAdd(&a.control->counted_blocks, told) + told;
    }
    early_launch_release();
    __syncthreads();
    if (s.told % HYBRID_UNEVEN_BLOCK != gridDim.x)
        return HYBRID_PENDING;
    return s.told == gridDim.x ? HYBRID_EVEN : HYBRID_UNEVEN;
}

/* True if keys are few: where each goes is known then, or that some are others. `own` is a key that
 * the thread sampled. */
template <typename K>
static __device__ __forceinline__ bool hybrid_count_few(const hybrid_arguments &a, K own,
                                                        hybrid_count_storage &s)
{
    static_assert(sizeof(hybrid_few_storage<K>) <= sizeof s.pairs, "in the place of counters");
    hybrid_few<K> few(a, *(hybrid_few_storage<K> *)s.pairs);
    const uint32_t found = few.find(few.codec.encode(own));
    if (found == 0)
        return false;
    const bool all = few.count();
    if (all)
        few.add_counts();
    if (hybrid_all_counted(a, all, s) == HYBRID_EVEN)
        few.plan(found);
    return true;
}

/* Others find nothing to do. */
template <typename K>
static __device__ __forceinline__ void hybrid_tell_sorted(const hybrid_arguments &a)
{
    if (blockIdx.x > 0)
        return;
    if (a.clear > 0) {
        block_clear(a.control, a.sort.lookback);
        __syncthreads();
    }
    if (threadIdx.x < sizeof(K))
        a.sort.control->step[threadIdx.x] = LSD_SKIPPED;
    if (threadIdx.x == 0)
        a.sort.control->leaves = LSD_SORTED;
}

/* By all blocks, if all know that keys are uneven: some ask about prefixes, which they share out,
 * a quarter of them at most if the others count digits meanwhile. If one alone is there it does
 * both. */
template <typename K>
static __device__ __forceinline__ void hybrid_look_at_crowd(const hybrid_arguments &a,
                                                            hybrid_count_storage &s)
{
    uint32_t askers = 0;
    if constexpr (sizeof(K) >= HYBRID_PREFIX_KEY_BYTES) {
        const uint32_t most = a.digits ? max(gridDim.x / 4, 1u) : gridDim.x;
        askers = a.prefixes ? min(most, (uint32_t)sizeof(K)) : 0;
        if (blockIdx.x < askers)
            hybrid_prefix<K>(a, s).tell(blockIdx.x, askers, HYBRID_PREFIX_SAVED);
    }
    const uint32_t first = askers < gridDim.x ? askers : 0;
    if (a.digits && blockIdx.x >= first)
        hybrid_count_digits<K>(a, blockIdx.x - first, gridDim.x - first);
}

template <typename K>
static __device__ __forceinline__ void hybrid_count(const hybrid_arguments &a,
                                                    hybrid_count_storage &s)
{
    if (a.sorted && *a.sorted) {
        hybrid_tell_sorted<K>(a);
        return;
    }
    const hybrid_sample<K> sample(a); /* on its way while counters are cleared */
    hybrid_clear(a, s);
    uint32_t cleared = 0;
    if (a.clear > 0) {
        void *begin = a.low_digit ? (void *)a.low_digit : a.counts;
        grid_clear(begin, (char *)begin + a.clear);
        cleared = grid_arrive();
    }
    const hybrid_cells<K> cells = hybrid_find_cells(a, sample, s);
    if (a.clear > 0)
        grid_wait(cleared);
    if (cells.crowded && hybrid_count_few(a, sample.code[0], s))
        return;
    if (cells.crowded)
        hybrid_look_at_crowd<K>(a, s);
    hybrid_counter<K> counter(a, cells, s.pairs);
    const bool even = !cells.crowded && counter.count();
    if (even) {
        if (a.digit_bits == HYBRID_CELL_BITS)
            hybrid_add_low_digit(a, s);
        hybrid_add_cells(a, s.pairs);
    }
    const hybrid_verdict verdict = hybrid_all_counted(a, even, s);
    if (verdict == HYBRID_PENDING)
        return;
    __threadfence();
    if (verdict == HYBRID_EVEN && hybrid_plan<K>(a, cells, s))
        return;
    if constexpr (sizeof(K) >= HYBRID_PREFIX_KEY_BYTES)
        if (a.prefixes)
            hybrid_choose_prefix<K>(a, cells.crowded, s);
    if (cells.crowded && a.digits)
        hybrid_plan_digits<K>(a);
}

#endif
