/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How often each key occurs, in one read of the keys: a histogram per block in shared memory,
 * which goes to device memory at the end.
 *
 * 8-bit keys have a counter for each lane, in the lane's own bank: lanes never wait for each other,
 * whatever the keys are.
 *
 * 16-bit keys have 65536 bins; two 16-bit counters share a word, 128 KiB a block. Usually no
 * counter overflows, and the block adds without asking: one that did would spoil the sum of all,
 * and then the block counts again, with care. If the first stretch of keys says that it would come
 * to that, the block is careful at once. With care, the thread whose key takes a counter over its
 * half moves that half to device memory. Between two barriers a block counts at most 32768 keys, so
 * a counter below its half cannot overflow before the next barrier, and is below it again there.
 *
 * A word of 16 bytes whose keys of 16 bits are all equal is counted at once, so that sorted and
 * equal inputs do not queue up at one counter.
 */
#ifndef CONSORT_COUNTING_HISTOGRAM_CUH
#define CONSORT_COUNTING_HISTOGRAM_CUH

#include "cuda/device/device.cuh"
#include "cuda/device/grid_barrier.cuh"
#include "cuda/sorts/counting/counting_layout.h"
#include "cuda/sorts/counting/counting_rows.cuh"

/* Counts of all blocks, by the keys as they are: only where counts become ends it matters which
 * code a key stands for. They are wide if a key may occur 2³² times. */
struct counting_totals {
    void *const counts;
    const bool wide;

    __device__ __forceinline__ explicit counting_totals(const counting_arguments &a)
        : counts(a.counts), wide(a.wide != 0)
    {
    }

    __device__ __forceinline__ void add(uint32_t key, uint32_t times) const
    {
        if (wide)
            atomicAdd((unsigned long long *)counts + key, (unsigned long long)times);
        else
            atomicAdd((uint32_t *)counts + key, times);
    }

    /* Of keys 2i and 2i + 1, by one addition, which never carries. */
    __device__ __forceinline__ void add_pair(uint32_t i, uint32_t times, uint32_t next_times) const
    {
        if (!wide) {
            atomicAdd((unsigned long long *)counts + i,
                      (unsigned long long)next_times << 32 | times);
        } else {
            add(2 * i, times);
            add(2 * i + 1, next_times);
        }
    }

    __device__ __forceinline__ uint64_t of(uint32_t key) const
    {
        return wide ? ((const uint64_t *)counts)[key] : ((const uint32_t *)counts)[key];
    }
};

/* Counters of 8-bit keys: 32 bits each, one for every lane. */
struct counting_bins_8 {
    static constexpr bool may_overflow = false; /* no block ever counts 2³² keys */
    static constexpr bool may_queue = false;
    uint32_t bins[256][32];

    __device__ __forceinline__ void clear()
    {
        for (unsigned i = threadIdx.x; i < 256 * 32; i += COUNTING_THREADS)
            (&bins[0][0])[i] = 0;
    }

    __device__ __forceinline__ void add(uint32_t key, uint32_t times)
    {
        atomicAdd(&bins[key][threadIdx.x % 32], times);
    }

    /* A warp adds up key after key; then lanes with neighbouring ones tell all blocks' counts,
     * which begin at different ones. */
    __device__ __forceinline__ void flush(const counting_arguments &a)
    {
        for (unsigned key = threadIdx.x / 32; key < 256; key += COUNTING_THREADS / 32) {
            const uint32_t sum = __reduce_add_sync(0xffffffffu, bins[key][threadIdx.x % 32]);
            if (threadIdx.x % 32 == 0)
                bins[key][0] = sum;
        }
        __syncthreads();
        const uint32_t key = (threadIdx.x + 32 * blockIdx.x) % 256;
        if (threadIdx.x < 256 && bins[key][0])
            counting_totals(a).add(key, bins[key][0]);
    }
};

struct alignas(16) counting_bins_16 {
    static constexpr bool may_overflow = true;
    static constexpr bool may_queue = true;
    static constexpr uint32_t half = 0x8000;
    static constexpr unsigned fours = COUNTING_BINS / 8 / COUNTING_THREADS; /* of a thread */
    uint32_t pairs[COUNTING_BINS / 2];
    uint32_t sum, row;

    __device__ __forceinline__ void clear()
    {
#pragma unroll
        for (unsigned i = 0; i < fours; i++)
            ((uint4 *)pairs)[i * COUNTING_THREADS + threadIdx.x] = make_uint4(0, 0, 0, 0);
    }

    /* By each thread: its share of words that hold two counters. */
    template <typename Look> __device__ __forceinline__ void look_at_pairs(const Look &look) const
    {
#pragma unroll
        for (unsigned i = 0; i < fours; i++) {
            const uint4 four = ((const uint4 *)pairs)[i * COUNTING_THREADS + threadIdx.x];
            look(four.x);
            look(four.y);
            look(four.z);
            look(four.w);
        }
    }

    __device__ __forceinline__ void add(uint32_t key, uint32_t times)
    {
        atomicAdd(&pairs[key / 2], times << 16 * (key % 2));
    }

    __device__ __forceinline__ void move_half(const counting_totals &totals, uint32_t key)
    {
        atomicSub(&pairs[key / 2], half << 16 * (key % 2));
        totals.add(key, half);
    }

    __device__ __forceinline__ void add_with_care(const counting_totals &totals, uint32_t key,
                                                  uint32_t times)
    {
        const uint32_t shift = 16 * (key % 2);
        const uint32_t before = atomicAdd(&pairs[key / 2], times << shift) >> shift & 0xffff;
        if (before < half && before + times >= half)
            move_half(totals, key);
    }

    /* Whether a counter would come to its half if it went on like this for so many stretches. The
     * whole block calls it, between barriers. */
    __device__ __forceinline__ bool would_overflow(uint64_t stretches) const
    {
        uint32_t low = 0, high = 0;
        look_at_pairs([&](uint32_t pair) {
            low = max(low, pair & 0xffff);
            high = max(high, pair);
        });
        return __syncthreads_or(max(low, high >> 16) * stretches >= half) != 0;
    }

    __device__ __forceinline__ void move_halves(const counting_totals &totals)
    {
        for (unsigned i = threadIdx.x; i < COUNTING_BINS / 2; i += COUNTING_THREADS) {
            const uint32_t pair = pairs[i];
            if ((pair & 0xffff) >= half)
                move_half(totals, 2 * i);
            if (pair >> 16 >= half)
                move_half(totals, 2 * i + 1);
        }
        __syncthreads();
    }

    /* Of all counters: what was counted, unless one overflowed. The whole block calls it, after a
     * barrier. */
    __device__ __forceinline__ uint32_t sum_of_counters()
    {
        uint32_t own = 0;
        look_at_pairs([&](uint32_t pair) { own += (pair & 0xffff) + (pair >> 16); });
        if (threadIdx.x == 0)
            sum = 0;
        __syncthreads();
        own = __reduce_add_sync(0xffffffffu, own);
        if (threadIdx.x % 32 == 0)
            atomicAdd(&sum, own);
        __syncthreads();
        return sum;
    }

    /* Blocks begin at different counters: at the same ones they would queue up. */
    __device__ __forceinline__ void add_to(const counting_totals &totals) const
    {
        constexpr unsigned words = COUNTING_BINS / 2;
        const unsigned first = words / gridDim.x * blockIdx.x / 32 * 32;
        for (unsigned i = threadIdx.x; i < words; i += COUNTING_THREADS) {
            const unsigned at = (first + i) % words;
            const uint32_t pair = pairs[at];
            if (pair)
                totals.add_pair(at, pair & 0xffff, pair >> 16);
        }
    }

    /* Whether a good part of the words have counted something, by one of each thread's. */
    __device__ __forceinline__ bool is_dense() const
    {
        constexpr unsigned each = COUNTING_BINS / 2 / COUNTING_THREADS;
        const uint32_t pair = pairs[threadIdx.x * each + threadIdx.x % each];
        return __syncthreads_count(pair != 0) >= COUNTING_DENSE_WORDS;
    }

    /* If the place of the result is that of the keys, all blocks must have read theirs. */
    __device__ __forceinline__ void flush(const counting_arguments &a)
    {
        const counting_rows rows(a);
        if (rows.room == 0)
            return add_to(counting_totals(a));
        const bool dense = is_dense();
        if (threadIdx.x == 0)
            row = dense ? atomicAdd(&a.control->rows, 1u) : UINT32_MAX;
        if (a.in == a.out)
            grid_wait(grid_arrive());
        else
            __syncthreads();
        if (row < rows.room)
            rows.put(row, pairs);
        else
            add_to(counting_totals(a));
    }
};

/*
 * The keys of a block: stretches of 16-byte words, which blocks take in turn. Keys before the first
 * and after the last whole word of the array belong to the first block.
 */
template <typename K, typename Bins> struct counting_counter {
    static constexpr unsigned per_word = sizeof(uint4) / sizeof(K), unroll = 64 / sizeof(uint4);
    static constexpr uint64_t stretch = (uint64_t)COUNTING_THREADS * unroll; /* words */
    static_assert(!Bins::may_overflow || (stretch + 2) * per_word < 65536, "a stretch fits");
    static_assert(!Bins::may_overflow || stretch * per_word <= 32768, "half a counter");

    Bins &bins;
    const counting_totals totals;
    const K *keys;
    uint64_t count, head, words;

    __device__ __forceinline__ counting_counter(const counting_arguments &a, Bins &memory)
        : bins(memory), totals(a), keys((const K *)a.in), count(a.count)
    {
        const uint64_t misaligned = (0 - (uintptr_t)keys) % sizeof(uint4) / sizeof(K);
        head = misaligned < count ? misaligned : count;
        words = (count - head) / per_word;
    }

    template <bool Careful> __device__ __forceinline__ void add(uint32_t key, uint32_t times)
    {
        if constexpr (Careful)
            bins.add_with_care(totals, key, times);
        else
            bins.add(key, times);
    }

    template <bool Careful> __device__ __forceinline__ void add_word(uint4 word)
    {
        const uint32_t parts[4] = {word.x, word.y, word.z, word.w};
        if constexpr (Bins::may_queue) {
            const uint32_t first = parts[0] & 0xffff, repeated = first * 0x00010001u;
            if (parts[0] == repeated && parts[1] == repeated && parts[2] == repeated &&
                parts[3] == repeated) {
                add<Careful>(first, per_word);
                return;
            }
        }
#pragma unroll
        for (unsigned i = 0; i < per_word; i++) {
            const unsigned bit = i * 8 * sizeof(K);
            add<Careful>((K)(parts[bit / 32] >> (bit % 32)), 1);
        }
    }

    /* Keys outside whole words; returns how many they are. */
    __device__ __forceinline__ uint64_t add_ends()
    {
        const uint64_t tail = head + words * per_word;
        if (threadIdx.x < head)
            add<false>(keys[threadIdx.x], 1);
        if (tail + threadIdx.x < count)
            add<false>(keys[tail + threadIdx.x], 1);
        return count - words * per_word;
    }

    /* The last word instead of those behind it: one block alone sorts lists that may have none. */
    __device__ __forceinline__ void load(uint4 (&loaded)[unroll], uint64_t first) const
    {
        const uint4 *word = (const uint4 *)(keys + head);
#pragma unroll
        for (unsigned i = 0; i < unroll; i++) {
            const uint64_t at = first + i * COUNTING_THREADS + threadIdx.x;
            loaded[i] = __ldcs(&word[at < words ? at : words - 1]);
        }
    }

    /* The stretches at `first` and on, in strides of the grid, up to `end`; returns how many keys
     * they are. Words are on their way while those before are counted: those of the first when it
     * is called, those of the one behind the last when it returns. */
    template <bool Careful>
    __device__ __forceinline__ uint64_t add_stretches(uint4 (&loaded)[unroll], uint64_t first,
                                                      uint64_t end)
    {
        const uint64_t stride = gridDim.x * stretch;
        uint64_t counted = 0;
        uint4 next[unroll];
        for (; first < end; first += stride) {
            load(next, first + stride);
#pragma unroll
            for (unsigned i = 0; i < unroll; i++)
                if (first + i * COUNTING_THREADS + threadIdx.x < words)
                    add_word<Careful>(loaded[i]);
#pragma unroll
            for (unsigned i = 0; i < unroll; i++)
                loaded[i] = next[i];
            counted += min(words - first, stretch) * per_word;
            if (Careful)
                __syncthreads();
        }
        return counted;
    }

    /* As if nothing had been counted. */
    __device__ __forceinline__ void start_with_care()
    {
        uint4 loaded[unroll];
        __syncthreads();
        bins.clear();
        __syncthreads();
        if (blockIdx.x == 0)
            add_ends();
        __syncthreads();
        load(loaded, blockIdx.x * stretch);
        add_stretches<true>(loaded, blockIdx.x * stretch, words);
    }

    /* The stretches from the second on, of counters that may overflow. */
    __device__ __forceinline__ void add_watched(uint4 (&loaded)[unroll], uint64_t second,
                                                uint64_t counted)
    {
        if (bins.would_overflow(words / (gridDim.x * stretch) + 1)) {
            bins.move_halves(totals);
            add_stretches<true>(loaded, second, words);
            return;
        }
        counted += add_stretches<false>(loaded, second, words);
        __syncthreads();
        if (bins.sum_of_counters() != counted)
            start_with_care();
    }

    /* All of them. Before more than a stretch has been counted, and anything added to the totals,
     * the block waits for these to be empty. */
    template <typename Wait> __device__ __forceinline__ void add_all(const Wait &wait_for_totals)
    {
        const uint64_t first = blockIdx.x * stretch, second = first + gridDim.x * stretch;
        uint4 loaded[unroll];
        load(loaded, first);
        uint64_t counted = blockIdx.x == 0 ? add_ends() : 0;
        counted += add_stretches<false>(loaded, first, min(second, words));
        wait_for_totals();
        if constexpr (Bins::may_overflow) {
            if (second < words)
                add_watched(loaded, second, counted);
        } else {
            add_stretches<false>(loaded, second, words);
        }
    }
};

/* Blocks empty the totals, and what the scan uses, in shares. */
template <typename K, typename Bins>
static __device__ __forceinline__ void counting_histogram(const counting_arguments &a, Bins &bins)
{
    grid_clear(a.control, a.ends);
    const uint32_t cleared = grid_arrive();
    bins.clear();
    __syncthreads();
    counting_counter<K, Bins>(a, bins).add_all([&] { grid_wait(cleared); });
    __syncthreads();
    bins.flush(a);
}

#endif
