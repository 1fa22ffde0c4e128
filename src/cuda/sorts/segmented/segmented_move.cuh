/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Large segments, last third of a level: each unit's items go to their digits' places in the other
 * buffer, in order, tile after tile. A block knows all places from the scan, so that nothing is
 * waited for.
 */
#ifndef CONSORT_SEGMENTED_MOVE_CUH
#define CONSORT_SEGMENTED_MOVE_CUH

#include "cuda/device/digit_match.cuh"
#include "cuda/device/packed_places.cuh"
#include "cuda/sorts/segmented/segmented_count.cuh"
#include "cuda/sorts/segmented/segmented_moved.cuh"
#include "cuda/sorts/segmented/segmented_tile.cuh"

template <typename K, bool Paired, unsigned Threads, unsigned Items> struct segmented_mover {
    static constexpr unsigned warps = Threads / 32;
    static constexpr unsigned keys = Threads * Items;
    using plane_type = uint64_t;

    union shared {
        uint32_t warp_bins[warps][SEGMENTED_BINS];
        K codes_sorted[keys];
        plane_type words_sorted[Paired ? keys : 1];
    };

    struct alignas(16) storage {
        shared buffer;
        uint64_t base[SEGMENTED_BINS]; /* where a digit's run goes, less its start in the tile */
        uint32_t warp_sums[8];
    };

    const segmented_arguments &a;
    storage &s;
    const codes<K> codec;
    const code_byte<K> digit;
    uint32_t from, to; /* buffers */
    uint64_t first;    /* index of the tile's first item */
    uint32_t filled;
    K code[Items];
    packed_places<Items> place;
    packed_digits<Items> sorted_digit;

    __device__ __forceinline__ segmented_mover(const segmented_arguments &arguments,
                                               storage &memory, uint32_t level)
        : a(arguments), s(memory), codec(arguments.codec), digit(arguments.levels - 1 - level)
    {
    }

    /* Item i of a thread: warps own consecutive stretches, lanes consecutive items. */
    static __device__ __forceinline__ uint32_t position(unsigned i)
    {
        return threadIdx.x / 32 * (32 * Items) + i * 32 + threadIdx.x % 32;
    }

    /* Places beyond the end rank after every item and are dropped. */
    __device__ __forceinline__ void load()
    {
#pragma unroll
        for (unsigned i = 0; i < Items; i++)
            code[i] = position(i) < filled ? segmented_code(a, codec, from, first + position(i))
                                           : (K) ~(K)0;
    }

    __device__ __forceinline__ void rank_in_warps()
    {
        uint32_t *bins = s.buffer.warp_bins[threadIdx.x / 32];
        const unsigned lane = threadIdx.x % 32;
#pragma unroll
        for (unsigned i = 0; i < SEGMENTED_BINS / 32; i++)
            bins[i * 32 + lane] = 0;
        __syncwarp();
#pragma unroll
        for (unsigned i = 0; i < Items; i++) {
            const uint32_t d = digit(code[i]);
            const uint32_t peers = digit_match<SEGMENTED_DIGIT_BITS>(d);
            const unsigned rank = __popc(peers & lanemask_lt());
            const unsigned leader = 31 - __clz((int)peers);
            uint32_t before = 0;
            if (lane == leader)
                before = atomicAdd(&bins[d], rank + 1);
            before = __shfl_sync(0xffffffffu, before, (int)leader);
            place.set(i, before + rank);
        }
    }

    /* Turns counts of warps into places in the tile; threads 0…255 own one digit each, whose next
     * free place in the array is `next`. */
    __device__ __forceinline__ void scan(uint64_t &next)
    {
        const unsigned d = threadIdx.x;
        uint32_t count = 0;
        if (d < SEGMENTED_BINS) {
#pragma unroll
            for (unsigned warp = 0; warp < warps; warp++)
                count += s.buffer.warp_bins[warp][d];
        }
        uint32_t start = block_exclusive_sum_256(count, s.warp_sums);
        if (d < SEGMENTED_BINS) {
            s.base[d] = next - start;
            next += count - (d == SEGMENTED_BINS - 1 ? keys - filled : 0);
#pragma unroll
            for (unsigned warp = 0; warp < warps; warp++) {
                const uint32_t of_warp = s.buffer.warp_bins[warp][d];
                s.buffer.warp_bins[warp][d] = start;
                start += of_warp;
            }
        }
        __syncthreads();
        const uint32_t *bins = s.buffer.warp_bins[threadIdx.x / 32];
#pragma unroll
        for (unsigned i = 0; i < Items; i++)
            place.add(i, bins[digit(code[i])]);
        __syncthreads();
    }

    __device__ __forceinline__ void store()
    {
#pragma unroll
        for (unsigned i = 0; i < Items; i++)
            s.buffer.codes_sorted[place.at(i)] = code[i];
        __syncthreads();
        K *out = (K *)a.keys[to];
#pragma unroll
        for (unsigned i = 0; i < Items; i++) {
            const uint32_t j = i * Threads + threadIdx.x;
            const K key = s.buffer.codes_sorted[j];
            const uint32_t d = digit(key);
            if (j < filled)
                out[s.base[d] + j] = key;
            if constexpr (Paired)
                sorted_digit.set(i, d);
        }
        __syncthreads();
    }

    template <typename Word> __device__ __forceinline__ void move_values()
    {
        Word *words = (Word *)s.buffer.words_sorted;
        const value_writer<sizeof(Word)> out(a.values[to]);
        const uint32_t planes = a.value_bytes / sizeof(Word);
        for (uint32_t plane = 0; plane < planes; plane++) {
#pragma unroll
            for (unsigned i = 0; i < Items; i++)
                if (position(i) < filled)
                    words[place.at(i)] =
                        segmented_value_word<Word>(a, from, first + position(i), planes, plane);
            __syncthreads();
#pragma unroll
            for (unsigned i = 0; i < Items; i++) {
                const uint32_t j = i * Threads + threadIdx.x;
                if (j < filled)
                    out.put((s.base[sorted_digit.at(i)] + j) * planes + plane, words[j]);
            }
            __syncthreads();
        }
    }

    __device__ __forceinline__ void tile(uint64_t &next)
    {
        load();
        rank_in_warps();
        __syncthreads();
        scan(next);
        store();
        if constexpr (Paired) {
            if (a.value_bytes == 4)
                move_values<uint32_t>();
            else
                move_values<uint64_t>();
        }
    }
};

template <typename Mover>
static __device__ __forceinline__ void segmented_move(const segmented_arguments &a, uint32_t level,
                                                      typename Mover::storage &s)
{
    if (segmented_idle(a, segmented_unit_count(a, level)))
        return;
    Mover mover(a, s, level);
    for (uint32_t unit = blockIdx.x; unit < segmented_unit_count(a, level); unit += gridDim.x) {
        const segmented_unit u = segmented_unit_of(a, level, unit);
        const segmented_bucket &bucket = u.bucket;
        if (bucket.settled)
            continue;
        mover.from = bucket.buffer;
        mover.to = segmented_other(bucket.buffer);
        uint64_t next = 0;
        if (threadIdx.x < SEGMENTED_BINS)
            next = bucket.start + segmented_bins_of(a, bucket, u.number).get(threadIdx.x);
        mover.first = u.start;
        for (uint32_t left = u.length; left > 0; left -= mover.filled) {
            mover.filled = min(left, (uint32_t)mover.keys);
            mover.tile(next);
            mover.first += mover.filled;
        }
        if (threadIdx.x < SEGMENTED_BINS)
            segmented_note_ends(a, level, segmented_unit_of(a, level, unit).bucket, threadIdx.x, 1,
                                next); /* read again, as registers are short */
    }
}

#endif
