/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Moving a tile of keys to the buckets of a digit. Equal keys are the same bits, so their order is
 * free: a key's rank in its bucket is what an atomic counter in shared memory returns, and the
 * tile's place in a bucket what one atomic addition to the bucket's cursor returns. Nobody waits
 * for another tile. In shared memory the tile is put in order of digits first, so that it leaves in
 * runs.
 */
#ifndef CONSORT_MSD_TILE_CUH
#define CONSORT_MSD_TILE_CUH

#include "cuda/device/block_scan.cuh"
#include "cuda/device/digit_crowd.cuh"
#include "cuda/sorts/msd/msd_codes.cuh"

template <typename K, unsigned Threads, unsigned Items> struct msd_tile {
    static constexpr unsigned keys = Threads * Items;

    struct alignas(16) storage {
        K sorted[keys];
        uint32_t bins[MSD_DIGITS]; /* keys of a digit, then where they begin in the tile */
        uint32_t base[MSD_DIGITS]; /* where they go, less where they begin in the tile */
        uint32_t warp_sums[8];
    };

    storage &s;
    uint32_t filled;
    K code[Items];

    static_assert(keys <= 65536, "ranks are 16 bits");
    static_assert(Threads >= MSD_DIGITS, "a thread for each digit");

    __device__ __forceinline__ explicit msd_tile(storage &memory) : s(memory), filled(0)
    {
    }

    __device__ __forceinline__ void load(const K *from, uint32_t count)
    {
        filled = count;
        if (filled == keys) {
#pragma unroll
            for (unsigned i = 0; i < Items; i++)
                code[i] = from[i * Threads + threadIdx.x];
            return;
        }
#pragma unroll
        for (unsigned i = 0; i < Items; i++)
            if (i * Threads + threadIdx.x < filled)
                code[i] = from[i * Threads + threadIdx.x];
    }

    __device__ __forceinline__ void encode(const codes<K> &codec)
    {
        if (codec.identity)
            return;
#pragma unroll
        for (unsigned i = 0; i < Items; i++)
            code[i] = codec.encode(code[i]);
    }

    __device__ __forceinline__ void clear_bins()
    {
        if (threadIdx.x < MSD_DIGITS)
            s.bins[threadIdx.x] = 0;
    }

    template <typename Digit> __device__ __forceinline__ void count_keys(const Digit &digit)
    {
        if (filled != keys) {
#pragma unroll
            for (unsigned i = 0; i < Items; i++)
                if (i * Threads + threadIdx.x < filled)
                    atomicAdd(&s.bins[digit(code[i])], 1u);
        } else if (digit_crowds(digit(code[0]))) {
#pragma unroll
            for (unsigned i = 0; i < Items; i++)
                digit_place_in_crowd<MSD_DIGIT_BITS>(s.bins, digit(code[i]));
        } else {
#pragma unroll
            for (unsigned i = 0; i < Items; i++)
                atomicAdd(&s.bins[digit(code[i])], 1u);
        }
    }

    /* Between two barriers: counts become places, in the tile and in memory. */
    __device__ __forceinline__ void find_places(uint32_t *cursors)
    {
        uint32_t count = 0, place = 0;
        if (threadIdx.x < MSD_DIGITS) {
            count = s.bins[threadIdx.x];
            place = count ? atomicAdd(&cursors[threadIdx.x], count) : 0;
        }
        const uint32_t start = block_exclusive_sum_256(count, s.warp_sums);
        if (threadIdx.x < MSD_DIGITS) {
            s.bins[threadIdx.x] = start;
            s.base[threadIdx.x] = place - start;
        }
    }

    template <typename Digit> __device__ __forceinline__ void put_in_order(const Digit &digit)
    {
        if (filled != keys) {
#pragma unroll
            for (unsigned i = 0; i < Items; i++)
                if (i * Threads + threadIdx.x < filled)
                    s.sorted[atomicAdd(&s.bins[digit(code[i])], 1u)] = code[i];
        } else if (digit_crowds(digit(code[0]))) {
#pragma unroll
            for (unsigned i = 0; i < Items; i++)
                s.sorted[digit_place_in_crowd<MSD_DIGIT_BITS>(s.bins, digit(code[i]))] = code[i];
        } else {
#pragma unroll
            for (unsigned i = 0; i < Items; i++)
                s.sorted[atomicAdd(&s.bins[digit(code[i])], 1u)] = code[i];
        }
    }

    /* `count` keys, those of the tile in order: code[] may hold the next tile's already. */
    template <typename Digit>
    __device__ __forceinline__ void write_runs(const Digit &digit, K *to, uint32_t count) const
    {
        if (count == keys) {
#pragma unroll
            for (unsigned i = 0; i < Items; i++) {
                const uint32_t j = i * Threads + threadIdx.x;
                const K key = s.sorted[j];
                to[(uint32_t)(s.base[digit(key)] + j)] = key;
            }
            return;
        }
        for (uint32_t j = threadIdx.x; j < count; j += Threads) {
            const K key = s.sorted[j];
            to[(uint32_t)(s.base[digit(key)] + j)] = key;
        }
    }
};

/*
 * All tiles of a source, in strides of the grid. The keys of a block's next tile are on their way
 * while the present one is written. A source says how many tiles there are and what each is:
 *
 *   uint32_t tiles;
 *   uint32_t next(uint32_t tile): the first from there on, in strides of the grid, to be moved
 *   job at(uint32_t tile): from, count, to, cursors, digit
 *   void finish_load(tile &): codes from keys
 */
template <typename K, typename Digit> struct msd_job {
    const K *from;
    uint32_t count;
    K *to;
    uint32_t *cursors;
    Digit digit;
};

template <typename Tile, typename Source>
static __device__ __forceinline__ void msd_move_tiles(Tile &tile, const Source &source)
{
    uint32_t number = source.next(blockIdx.x);
    if (number >= source.tiles)
        return;
    auto job = source.at(number);
    tile.load(job.from, job.count);
    for (;;) {
        tile.clear_bins();
        __syncthreads();
        source.finish_load(tile);
        tile.count_keys(job.digit);
        __syncthreads();
        tile.find_places(job.cursors);
        __syncthreads();
        tile.put_in_order(job.digit);
        const auto moved = job;
        number = source.next(number + gridDim.x);
        const bool more = number < source.tiles;
        if (more) {
            job = source.at(number);
            tile.load(job.from, job.count);
        }
        __syncthreads();
        tile.write_runs(moved.digit, moved.to, moved.count);
        if (!more)
            return;
        __syncthreads();
    }
}

#endif
