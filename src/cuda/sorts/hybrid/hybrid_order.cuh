/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How the words of a leaf are ordered. The top bits of their tags put them into bins, about one
 * word a bin; transposition of neighbours does the rest, and runs of equal tags are put in order by
 * their keys. Where a bin is large, keys are few or crowd: then all digits that differ are sorted
 * by, one after the other from the lowest, as passes over memory would, but in shared memory.
 */
#ifndef CONSORT_HYBRID_ORDER_CUH
#define CONSORT_HYBRID_ORDER_CUH

#include "cuda/device/bin_scan.cuh"
#include "cuda/device/transposition_rounds.cuh"
#include "cuda/device/warp_ranks.cuh"
#include "cuda/sorts/hybrid/hybrid_layout.h"
#include "cuda/sorts/hybrid/hybrid_tuning.h"

/* A word: a tag, and below it a position. */
template <typename K, unsigned PlaceBits = HYBRID_PLACE_BITS> struct hybrid_words {
    static constexpr unsigned bits = 8 * sizeof(K);
    static constexpr uint32_t places = (1u << PlaceBits) - 1;
    static constexpr uint32_t last = 0xffffffffu; /* no item has that position */

    /* The bits of a code below its bucket's number, from the top of a word on. */
    static __device__ __forceinline__ uint32_t tag(K code, uint32_t bucket_bits)
    {
        return (uint32_t)((K)(code << bucket_bits) >> (bits - 32)) & ~places;
    }

    static __device__ __forceinline__ uint32_t of(K code, uint32_t bucket_bits, uint32_t place)
    {
        return tag(code, bucket_bits) | place;
    }

    static __device__ __forceinline__ uint32_t place(uint32_t word)
    {
        return word & places;
    }

    /* Of a code whose bits all are in its bucket's number and in its tag. */
    static __device__ __forceinline__ K code(uint32_t word, uint32_t bucket, uint32_t bucket_bits)
    {
        const K below = (K)((K)(word & ~places) << (bits - 32)) >> bucket_bits;
        return (K)((K)bucket << (bits - bucket_bits)) | below;
    }
};

template <typename K, unsigned Threads, unsigned Items, bool Follow,
          unsigned PlaceBits = HYBRID_PLACE_BITS>
struct hybrid_order {
    static constexpr unsigned capacity = Threads * Items, warps = Threads / 32;
    /* Words of a bin, at most, that transposition shall bring in order. With one a bin on average
     * there are 12 in one bin of 10^9. Lists that repeat themselves 16 times have as many, and
     * their rounds take less time than passes over digits. Where keys follow, one thread compares
     * the keys of a bin, but does not move those that are equal. */
    static constexpr uint32_t most_in_bin = 32;
    static constexpr unsigned sum_words = 8;
    using words = hybrid_words<K, PlaceBits>;
    using binning = bin_scan<Threads, HYBRID_BIN_BITS>;
    using ranks = warp_ranks<Threads, Items>;

    struct alignas(16) storage {
        union {
            uint32_t bin[1u << HYBRID_BIN_BITS]; /* zero between leaves */
            typename ranks::bins_type warp_bins;
        };
        uint32_t word[capacity];
        typename binning::sums sums;
        uint32_t digit_sums[sum_words];
    };

    storage &s;
    const K *key; /* by position; read only if keys follow */
    uint32_t count;

    static_assert(Items % 2 == 1, "threads meet in no bank, and rounds exchange with neighbours");
    static_assert(PlaceBits < HYBRID_PLACE_BITS || capacity <= words::places,
                  "the highest position is nobody's");
    static_assert(sizeof(typename ranks::bins_type) <= 4u << HYBRID_BIN_BITS,
                  "the bins of warps take the place of those of words");

    /* Counts; returns whether a bin is too large. `each` visits the words of a thread. */
    template <typename Each> __device__ __forceinline__ bool count_bins(const Each &each) const
    {
        each([this](uint32_t word) { atomicAdd(&s.bin[word >> (32 - HYBRID_BIN_BITS)], 1u); });
        __syncthreads();
        const uint32_t largest = binning::scan(s.bin, s.sums);
        return __syncthreads_or(largest > most_in_bin);
    }

    /* In any order within a bin: words tell their own. */
    template <typename Each> __device__ __forceinline__ void put_in_bins(const Each &each) const
    {
        constexpr uint32_t stretch = 32 * Items;
        each([this](uint32_t word) {
            s.word[atomicAdd(&s.bin[word >> (32 - HYBRID_BIN_BITS)], 1u)] = word;
        });
        const uint32_t padded = (count + stretch - 1) / stretch * stretch;
        for (uint32_t i = count + threadIdx.x; i < padded; i += Threads)
            s.word[i] = words::last;
        __syncthreads();
    }

    __device__ __forceinline__ bool same_tag(uint32_t i, uint32_t j) const
    {
        return ((s.word[i] ^ s.word[j]) & ~words::places) == 0;
    }

    /* Whether the words number `i` and the next have the same tag, but keys out of order. */
    __device__ __forceinline__ bool descends(uint32_t i) const
    {
        return i + 1 < count && same_tag(i, i + 1) &&
               key[words::place(s.word[i + 1])] < key[words::place(s.word[i])];
    }

    /* Words with the same tag. */
    struct run {
        uint32_t begin, descent, end;
    };

    /* The run whose keys descend at number `i`, if they do not before; else none. */
    __device__ __forceinline__ run run_around(uint32_t i) const
    {
        run found = {i, i, i + 2};
        for (; found.begin > 0 && same_tag(found.begin - 1, i); found.begin--)
            if (descends(found.begin - 1))
                return {0, 0, 0};
        while (found.end < count && same_tag(i, found.end))
            found.end++;
        return found;
    }

    /* Insertion: a run is no longer than a bin. */
    __device__ __forceinline__ void sort_run(const run &unsorted) const
    {
        for (uint32_t next = unsorted.descent + 1; next < unsorted.end; next++) {
            const uint32_t moving = s.word[next];
            const K own = key[words::place(moving)];
            uint32_t at = next;
            for (; at > unsorted.begin && own < key[words::place(s.word[at - 1])]; at--)
                s.word[at] = s.word[at - 1];
            s.word[at] = moving;
        }
    }

    /* Runs that are in order, as those of equal keys are, take no thread's time: lists that repeat
     * themselves have no others. (H200, 2^22 u32 + 4 bytes, `sawtooth`, with each run's keys
     * compared by a thread 237 µs, so 137.) A thread sorts one in a round, in which nobody looks
     * at others meanwhile. */
    __device__ __forceinline__ void sort_runs() const
    {
        static_assert(Items <= 32, "a bit for each word of a thread");
        uint32_t descents = 0;
#pragma unroll
        for (unsigned i = 0; i < Items; i++)
            descents |= descends(i * Threads + threadIdx.x) ? 1u << i : 0;
        for (; __syncthreads_or(descents != 0); descents &= descents - 1) {
            const uint32_t i = ((uint32_t)__ffs((int)descents) - 1) * Threads + threadIdx.x;
            run unsorted = {0, 0, 0};
            if (descents && descends(i))
                unsorted = run_around(i);
            __syncthreads();
            if (unsorted.end)
                sort_run(unsorted);
        }
    }

    /* What digits are taken of: the key, or the word with the tag and no position. */
    __device__ __forceinline__ K digits_of(uint32_t word) const
    {
        if (word == words::last)
            return (K) ~(K)0;
        return Follow ? key[words::place(word)] : (K)(word & ~words::places);
    }

    __device__ __forceinline__ void sort_by_digit(uint32_t (&word)[Items], uint32_t shift) const
    {
        packed_digits<Items> digit;
        packed_places<Items> place;
#pragma unroll
        for (unsigned i = 0; i < Items; i++)
            digit.set(i, code_window(digits_of(word[i]), shift) & 0xff);
        const auto digit_of = [&digit](unsigned i) { return digit.at(i); };
        ranks::count(s.warp_bins, place, digit_of);
        __syncthreads();
        const uint32_t total = threadIdx.x < ranks::digits ? ranks::total(s.warp_bins) : 0;
        const uint32_t start = block_exclusive_sum_256(total, s.digit_sums);
        if (threadIdx.x < ranks::digits)
            ranks::starts(s.warp_bins, start);
        __syncthreads();
        ranks::places(s.warp_bins, place, digit_of);
#pragma unroll
        for (unsigned i = 0; i < Items; i++)
            s.word[place.at(i)] = word[i];
        __syncthreads();
#pragma unroll
        for (unsigned i = 0; i < Items; i++)
            word[i] = s.word[ranks::position(i)];
    }

    /* From the order of positions. Ends with the words in shared memory. */
    __device__ __forceinline__ void sort_by_digits(uint32_t (&word)[Items]) const
    {
        constexpr unsigned bits = 8 * sizeof(K);
#pragma unroll
        for (unsigned i = 0; i < Items; i++)
            s.word[i * Threads + threadIdx.x] = word[i];
        __syncthreads();
        const K first = digits_of(s.word[0]);
        K varying = 0;
#pragma unroll
        for (unsigned i = 0; i < Items; i++) {
            word[i] = s.word[ranks::position(i)];
            varying |= word[i] == words::last ? (K)0 : (K)(digits_of(word[i]) ^ first);
        }
#pragma unroll 1
        for (uint32_t shift = 0; shift < bits; shift += 8)
            if (__syncthreads_or(code_window(varying, shift) & 0xff))
                sort_by_digit(word, shift);
    }

    __device__ __forceinline__ void transpose() const
    {
        while (!transposition_turn<Items>(s.word, count)) {
        }
    }

    /* Takes words in the order of positions, strided by threads; leaves them sorted in s.word, for
     * threads that have passed one more barrier. */
    __device__ __forceinline__ void sort(uint32_t (&word)[Items]) const
    {
        const auto each = [&word](const auto &visit) {
#pragma unroll
            for (unsigned i = 0; i < Items; i++)
                if (word[i] != words::last)
                    visit(word[i]);
        };
        if (count_bins(each)) {
            sort_by_digits(word);
            return;
        }
        put_in_bins(each);
        transpose();
        if constexpr (Follow)
            sort_runs();
    }
};

#endif
