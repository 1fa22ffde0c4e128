/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Merging runs by four: two rounds in one, so that items go through memory half as often. A tile's
 * four stretches are merged in two pairs in shared memory, then the pairs.
 *
 * Where the first pair ends is in the middle of a thread's items. So threads merge pairs by
 * MERGE_FOUR_SLACK items more each than the tile has for them: the first pair's are rounded up to
 * whole threads, the second one's begin with the next thread, and what is left over is filled with
 * the highest code. An item's slot is its place, too.
 */
#ifndef CONSORT_MERGE_FOUR_CUH
#define CONSORT_MERGE_FOUR_CUH

#include "cuda/sorts/merge/merge_four_cut.cuh"
#include "cuda/sorts/merge/merge_output.cuh"

/* Where a tile's items come from, and their slots: those of stretch i begin at slot[i]; those of
 * the first pair end at pair_end. */
struct merge_four_window {
    uint64_t first[MERGE_FOUR]; /* in the array */
    uint64_t out_first;
    uint32_t slot[MERGE_FOUR], pair_end;
    uint32_t filled;

    __device__ __forceinline__ uint64_t index(uint32_t place) const
    {
        uint64_t from = first[0];
#pragma unroll
        for (unsigned i = 1; i < MERGE_FOUR; i++)
            from = place < slot[i] ? from : first[i] - slot[i];
        return from + place;
    }

    __device__ __forceinline__ bool in_b(uint32_t) const
    {
        return false;
    }

    template <typename T> struct sources {
        const T *from[MERGE_FOUR];
        uint32_t slot[MERGE_FOUR];

        __device__ __forceinline__ sources(const merge_four_window &w,
                                           const void *const (&lists)[2])
        {
#pragma unroll
            for (unsigned i = 0; i < MERGE_FOUR; i++) {
                slot[i] = w.slot[i];
                from[i] = (const T *)lists[0] + (w.first[i] - w.slot[i]);
            }
        }

        __device__ __forceinline__ T operator[](uint32_t place) const
        {
            const T *source = from[0];
#pragma unroll
            for (unsigned i = 1; i < MERGE_FOUR; i++)
                source = place < slot[i] ? source : from[i];
            return source[place];
        }
    };
};

/* Pairs are merged by `Items` items a thread. */
template <unsigned Items>
static __device__ __forceinline__ void
merge_four_find_window(const merge_arguments &a, uint32_t tile_keys, merge_four_window &window)
{
    const uint64_t tile = blockIdx.x;
    const merge_four_cuts *cuts = merge_cuts_of<merge_four_cuts>(a, tile, tile_keys);
    const merge_group group(a, tile, tile_keys);
    const uint64_t out_first = tile * tile_keys, left = group.first + group.items - out_first;
    uint32_t slot = 0;
    merge_ask_for_cuts(a, tile, tile_keys);
    window.out_first = out_first;
    window.filled = left < tile_keys ? (uint32_t)left : tile_keys;
#pragma unroll
    for (unsigned i = 0; i < MERGE_FOUR; i++) {
        const uint32_t begin = cuts->begin[i];
        const uint32_t end = left <= tile_keys ? (uint32_t)group.count(i) : cuts->end[i];
        window.first[i] = group.first + i * group.run + begin;
        window.slot[i] = slot;
        slot += end - begin;
        if (i == 1) {
            window.pair_end = slot;
            slot = (slot + Items - 1) / Items * Items;
        }
    }
}

/* Loads the tile into its slots. */
template <typename K, unsigned Threads, unsigned Items, typename Storage>
static __device__ __forceinline__ void
merge_load_four(const merge_arguments &a, const merge_four_window &window, Storage &storage)
{
    const merge_keys<K> keys(a);
    const uint32_t pair_end = window.pair_end, gap = window.slot[2] - pair_end;
    const merge_outputs<Threads> of_a(window.slot[1]), of_pair(pair_end),
        of_c(window.slot[3] - gap), of_tile(window.filled);
    const K *in = (const K *)a.keys[0] + threadIdx.x;
    const K *from[MERGE_FOUR] = {in + window.first[0], in + (window.first[1] - window.slot[1]),
                                 in + (window.first[2] - pair_end),
                                 in + (window.first[3] - (window.slot[3] - gap))};
    typename merge_keys<K>::word code[Items];
    const bool full = window.filled == Threads * Items;
#pragma unroll
    for (unsigned i = 0; i < Items; i++) {
        const K *source = of_a.has(i) ? from[0] : from[1];
        source = of_pair.has(i) ? source : of_c.has(i) ? from[2] : from[3];
        code[i] = 0;
        if (full || of_tile.has(i))
            code[i] = source[i * Threads];
    }
    if (keys.transforms())
        keys.compare_all(code);
#pragma unroll
    for (unsigned i = 0; i < Items; i++) {
        auto *codes = of_pair.has(i) ? storage.codes : storage.codes + gap;
        codes[merge_output<Threads>(i)] = full || of_tile.has(i) ? code[i] : keys.highest();
    }
    for (uint32_t i = threadIdx.x; i < gap; i += Threads)
        storage.codes[pair_end + i] = keys.highest();
    for (uint32_t i = Threads * Items + gap + threadIdx.x; i < MERGE_FOUR_SLOTS(Threads, Items);
         i += Threads)
        storage.codes[i] = keys.highest();
}

/* The next thread's cut, or `last` if this one ends its list. */
template <typename Block>
static __device__ __forceinline__ uint32_t merge_next_cut(Block &block, uint32_t own, bool ends,
                                                          uint32_t last)
{
    uint16_t *cuts = block.s.cuts;
    cuts[threadIdx.x] = (uint16_t)own;
    __syncthreads();
    return ends ? last : cuts[threadIdx.x + 1];
}

/* Merges both pairs: what a thread gets, its slots do. */
template <typename Block>
static __device__ __forceinline__ void merge_two_pairs(Block &block,
                                                       const merge_four_window &window)
{
    constexpr unsigned items = Block::keys / Block::threads;
    const uint32_t begins = window.slot[2] / items;
    const bool second = threadIdx.x >= begins;
    const uint32_t base = second ? window.slot[2] : 0;
    const uint32_t a_items = second ? window.slot[3] - window.slot[2] : window.slot[1];
    const uint32_t b = base + a_items, end = second ? Block::keys : window.slot[2];
    const uint32_t diagonal = threadIdx.x * items - base;
    const uint32_t own = block.cut_lists(base, a_items, b, end - b, diagonal);
    const bool ends = threadIdx.x + 1 == begins || threadIdx.x + 1 == Block::threads;
    const uint32_t next = merge_next_cut(block, own, ends, a_items);
    typename Block::item_type item[items];
    block.template merge<true>(item, base + own, b + diagonal - own, next - own);
    __syncthreads();
    block.store(item);
    __syncthreads();
}

/* Then merges the pairs. */
template <typename Block>
static __device__ __forceinline__ void merge_the_pairs(Block &block,
                                                       const merge_four_window &window)
{
    constexpr unsigned items = Block::keys / Block::threads;
    const uint32_t a_items = window.pair_end, b = window.slot[2];
    const uint32_t diagonal = threadIdx.x * items;
    const uint32_t own = block.cut_lists(0, a_items, b, Block::keys - a_items, diagonal);
    const bool ends = threadIdx.x + 1 == Block::threads;
    const uint32_t next = merge_next_cut(block, own, ends, a_items);
    typename Block::item_type item[items];
    block.template merge<false>(item, own, b + diagonal - own, next - own);
    __syncthreads();
    block.store(item);
    __syncthreads();
}

/* The window is kept in shared memory for the sake of registers. Not static, as merge_find_ends. */
template <typename K, bool Placed, unsigned Threads, unsigned Items>
__device__ __forceinline__ void
merge_four(const merge_arguments &a,
           typename block_merge<K, Placed, Threads, Items + MERGE_FOUR_SLACK>::storage &storage)
{
    constexpr unsigned slots = MERGE_FOUR_SLOTS(Threads, Items);
    using pairs_type = block_merge<K, Placed, Threads, slots / Threads>;
    using block_type = block_merge<K, Placed, Threads, Items, slots>;
    static_assert(Threads >= slots / Threads, "both pairs may be rounded up to whole threads");
    SHARED(window, merge_four_window);
    if (threadIdx.x == 0)
        merge_four_find_window<slots / Threads>(a, block_type::keys, window);
    __syncthreads();
    merge_load_four<K, Threads, Items>(a, window, storage);
    __syncthreads();
    pairs_type pairs(storage);
    merge_two_pairs(pairs, window);
    block_type block(storage);
    merge_the_pairs(block, window);
    merge_store_tile<K, Placed>(a, block, window);
}

#endif
