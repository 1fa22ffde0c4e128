/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One stable pass over one digit: every tile ranks its keys in shared memory, learns from the tiles
 * before it where each digit value goes on (decoupled look-back), and writes them there in runs.
 * After A. Adinets and D. Merrill, "Onesweep: A Faster Least Significant Digit Radix Sort for
 * GPUs", arXiv 2206.01784.
 */
#ifndef CONSORT_LSD_PASS_CUH
#define CONSORT_LSD_PASS_CUH

#include "cuda/device/block_scan.cuh"
#include "cuda/sorts/lsd/lsd_lookback.cuh"
#include "cuda/sorts/lsd/lsd_tile.cuh"
#include "cuda/sorts/lsd/lsd_tuning.h"

/* Which launch of a pass this is, of how many, each over another portion of the keys. */
struct lsd_portion {
    uint32_t number, count;
    uint64_t first, end;

    __device__ __forceinline__ lsd_portion(const lsd_arguments &a, uint32_t portion,
                                           uint32_t portions)
        : number(portion), count(portions), first(portion * LSD_PORTION_KEYS),
          end(min(a.count, first + LSD_PORTION_KEYS))
    {
    }
};

/* The number of the next tile nobody works on. The whole block calls it, and has left *shared.
 * Holds a barrier. */
static __device__ __forceinline__ uint32_t lsd_next_tile(const lsd_arguments &a, uint32_t pass,
                                                         const lsd_portion &portion,
                                                         uint32_t *shared)
{
    if (threadIdx.x == 0)
        *shared = atomicAdd(&a.control->tickets[pass][portion.number % 2], 1u);
    __syncthreads();
    return *shared;
}

/* The number of the tile of a block that has but one. Blocks start in the order of their numbers,
 * in fact though not by promise; to ask for a ticket takes a tile 1 µs (2^24 u32 + 4 bytes, two
 * passes: 404 µs with tickets, 391 without), but the many tiles of long lists read memory in better
 * order then (2^26 u64 + 4 3 %, 2^27 u64 + 8 1.5 % sooner). */
static __device__ __forceinline__ uint32_t lsd_own_tile(const lsd_arguments &a, uint32_t pass,
                                                        const lsd_portion &portion,
                                                        uint32_t *shared)
{
    return gridDim.x > LSD_TICKETED_TILES ? lsd_next_tile(a, pass, portion, shared) : blockIdx.x;
}

/* Where the keys of each value of a pass's digit go, of the portions so far. The next portion gets
 * tickets, too, that nobody has taken. */
struct lsd_places {
    const lsd_arguments &a;
    uint32_t pass;
    const lsd_portion &portion;

    __device__ __forceinline__ uint64_t of(uint32_t digit) const
    {
        return a.control->bins[portion.number % 2 * a.passes + pass][digit];
    }

    __device__ __forceinline__ void leave(uint32_t digit, uint64_t next) const
    {
        a.control->bins[(portion.number + 1) % 2 * a.passes + pass][digit] = next;
        if (digit == 0)
            a.control->tickets[pass][(portion.number + 1) % 2] = 0;
    }
};

/* The sum of `count` over the digit values below a thread's own. */
template <typename Tile>
static __device__ __forceinline__ uint32_t lsd_starts(uint32_t count, typename Tile::storage &s)
{
    if constexpr (Tile::bins == LSD_BINS)
        return block_exclusive_sum_256(count, s.warp_sums);
    uint32_t total;
    return block_exclusive_sum<Tile::bins / 32>(count, s.warp_sums, &total);
}

/* What the thread's word counts of the keys of a whole tile, from the first on. Not inlined, for
 * the sake of what is usual. */
template <typename Tile, typename Words>
__attribute__((noinline)) static __device__ typename Words::type
lsd_count_for(const typename Tile::origin from, uint64_t first)
{
    const Tile tile(from);
    typename Words::type counts = 0;
    for (uint32_t i = 0; i < Tile::keys; i++)
        counts += Words::one_of(tile.digit_at(first + i));
    return counts;
}

/* Where keys of a sorted tile begin whose digits are not below this one. */
template <typename Tile>
static __device__ __forceinline__ uint32_t lsd_run_begin(const typename Tile::storage &s,
                                                         uint32_t pass, uint32_t value)
{
    const typename Tile::digit_type digit(pass);
    uint32_t low = 0, high = Tile::keys;
    while (low < high) {
        const uint32_t middle = (low + high) / 2;
        if (digit(s.buffer.keys_sorted[middle]) < value)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Puts each run of a tile in order whose runs are where they belong: by what earlier steps have
 * sorted the list by, then by all bits, so that padding comes last. A thread inserts the keys of a
 * digit one by one, which are out of place by a few. Not inlined, so that registers are as if it
 * were not there. */
template <typename Tile>
__attribute__((noinline)) static __device__ void lsd_order_runs(typename Tile::storage &s,
                                                                uint32_t pass, uint32_t cut)
{
    using K = typename Tile::key_type;
    K *keys = s.buffer.keys_sorted;
    const uint32_t above = 8 * (uint32_t)(sizeof(K) - 1 - pass), below = above + 8 * cut;
    const auto lower = [above, below](K key) { return (K)((K)(key << above) >> below); };
    const bool owner = threadIdx.x < Tile::bins;
    const uint32_t begin = owner ? lsd_run_begin<Tile>(s, pass, threadIdx.x) : 0;
    const uint32_t end = owner ? lsd_run_begin<Tile>(s, pass, threadIdx.x + 1) : 0;
    __syncthreads();
    for (uint32_t i = begin + 1; i < end; i++) {
        const K key = keys[i], own = lower(key);
        uint32_t to = i;
        for (; to > begin; to--) {
            const K other = keys[to - 1], its = lower(other);
            if (its < own || (its == own && other <= key))
                break;
            keys[to] = other;
        }
        keys[to] = key;
    }
    __syncthreads();
}

/* Behind the barrier that follows put_in_order(). Holds another. */
template <typename Tile> static __device__ __forceinline__ void lsd_fetch_sorted(Tile &tile)
{
    if (__syncthreads_and(tile.fetch_sorted()))
        return;
    lsd_order_runs<Tile>(tile.s, tile.pass, tile.left_out());
    tile.fetch_sorted();
}

/* `tile` is number `number` of a portion; `places` are lsd_places or the like; `Begun` as in
 * lsd_sum_before(). */
template <typename Tile, typename Words, bool Begun = false, typename Places>
static __device__ __forceinline__ void lsd_move_tile(Tile &tile, const lsd_portion &portion,
                                                     uint32_t number, const Places &places)
{
    static_assert(Tile::bins == (unsigned)Words::bins, "a number for each digit value");
    typename Tile::storage &s = tile.s;
    const lsd_arguments &a = tile.a;
    tile.first = portion.first + (uint64_t)number * Tile::keys;
    const uint64_t left = portion.end - tile.first;
    tile.filled = left < Tile::keys ? (uint32_t)left : Tile::keys;

    tile.load_keys();
    if constexpr (Tile::ahead)
        tile.fetch_values();
    tile.rank_in_warps();
    __syncthreads();

    const bool owner = threadIdx.x < Tile::bins;
    const bool row = Words::last_too || tile.first + tile.filled < portion.end;
    const lsd_status status(portion.count == 1 ? (tile.route.step + a.first_done) % 2 : 0);
    uint32_t count = 0, padding = 0;
    if (owner) {
        count = Tile::ranks::total(s.buffer.warp_bins); /* with padding */
        padding = threadIdx.x == Tile::bins - 1 ? Tile::keys - tile.filled : 0;
        lsd_publish<Words>(a.lookback, number, row, count - padding, status);
    }
    const uint32_t start = lsd_starts<Tile>(count, s);
    if (owner)
        Tile::ranks::starts(s.buffer.warp_bins, start);
    __syncthreads();
    tile.put_in_order();
    if (owner) {
        uint64_t run = places.of(threadIdx.x);
        run += lsd_look_back<Words, Begun>(
            a.lookback, number, row, count - padding, status, [&](uint32_t other) {
                return lsd_count_for<Tile, Words>(tile.whence(),
                                                  portion.first + (uint64_t)other * Tile::keys);
            });
        s.base[threadIdx.x] = (uint32_t)(run - start);
        s.base_high[threadIdx.x] = (uint32_t)((run - start) >> 32);
        if (portion.count > 1 && tile.first + tile.filled == portion.end)
            places.leave(threadIdx.x, run + count - padding);
    }
    __syncthreads();
    if constexpr (Tile::alone)
        lsd_fetch_sorted(tile);
    tile.store_keys();
    tile.move();
}

/* Of kernels whose blocks take tile after tile, by tickets or as all live, if not told otherwise.
 */
template <typename K, unsigned ValueBytes, unsigned Threads, unsigned Items,
          typename Words = lsd_words<LSD_WINDOW>, bool Ahead = false, bool Halves = false,
          bool Begun = true>
static __device__ __forceinline__ void
lsd_sort_tile(const lsd_arguments &a, uint32_t pass, const lsd_route &route,
              const lsd_portion &portion, uint32_t number,
              typename lsd_tile<K, ValueBytes, Threads, Items, Ahead, Halves>::storage &s)
{
    using tile_type = lsd_tile<K, ValueBytes, Threads, Items, Ahead, Halves>;
    tile_type tile(a, s, route, pass);
    lsd_move_tile<tile_type, Words, Begun>(tile, portion, number, lsd_places{a, pass, portion});
}

/* With values, a pass that is skipped is left before its route is worked out, which takes a warp 81
 * instructions: 44 µs instead of 77 for the 47 663 blocks of 2^28 u32 + 16 bytes, 21 instead of 39
 * for the 22 795 of u32 + 4. Of keys alone that would make passes that have work 2 % longer. */
template <typename K, unsigned ValueBytes, unsigned Threads, unsigned Items, typename Words,
          bool Ahead = false, bool Halves = false>
static __device__ __forceinline__ void
lsd_pass(const lsd_arguments &a, uint32_t pass, uint32_t portion, uint32_t portions,
         typename lsd_tile<K, ValueBytes, Threads, Items, Ahead, Halves>::storage &s)
{
    if constexpr (ValueBytes > 0)
        if (a.control->step[pass] == LSD_SKIPPED)
            return;
    const lsd_route route = lsd_route_of(a, pass);
    if (route.step == LSD_SKIPPED)
        return;
    const lsd_portion part(a, portion, portions);
    const uint32_t number = lsd_own_tile(a, pass, part, &s.tile);
    lsd_sort_tile<K, ValueBytes, Threads, Items, Words, Ahead, Halves, false>(a, pass, route, part,
                                                                              number, s);
}

#endif
