/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Leaves that are parts of large segments: how many there are is known only when all have been
 * moved, so that no list has room for them. They are chains instead, one for whoever sorts leaves
 * of a class, or for as many as there is room for. A chain is the word of its first leaf, and with
 * each leaf the word of the next, or 0, in the memory that its items have been moved out of, where
 * nobody else looks, until the leaf is written. Links cost no workspace, then, however many parts
 * there are.
 */
#ifndef CONSORT_SEGMENTED_PARTS_CUH
#define CONSORT_SEGMENTED_PARTS_CUH

#include "cuda/sorts/segmented/segmented_buckets.cuh"
#include "cuda/sorts/segmented/segmented_scope.cuh"

/* Where items of a buffer go next, and came from. */
static __device__ __forceinline__ uint32_t segmented_other(uint32_t buffer)
{
    return buffer == 1 ? 2 : 1;
}

/* So many items have room for a link, wherever they begin. */
static __device__ __forceinline__ uint32_t segmented_link_items(uint32_t key_bytes)
{
    return key_bytes < sizeof(uint64_t) ? 2 * sizeof(uint64_t) / key_bytes - 1 : 1;
}

static __device__ __forceinline__ uint64_t *segmented_link(const segmented_arguments &a, int c,
                                                           uint64_t word)
{
    const uint64_t start =
        segmented_leaf_start(c == SEGMENTED_PAIRS ? segmented_of_pair(word, false) : word);
    const char *left = (const char *)a.keys[segmented_other(segmented_leaf_buffer(word))];
    return (uint64_t *)(((uintptr_t)left + start * a.key_bytes + 7) & ~(uintptr_t)7);
}

/* Of a class of parts; each class has room for twice as many as the next. */
static __device__ __forceinline__ uint64_t *segmented_chains(const segmented_arguments &a,
                                                             int part_class)
{
    constexpr uint32_t twice_the_first = SEGMENTED_CHAINS << SEGMENTED_PART_CLASSES;
    return a.chains + twice_the_first - (twice_the_first >> part_class);
}

/* Before there are parts. */
static __device__ __forceinline__ void segmented_clear_chains(const segmented_arguments &a)
{
    if (segmented_bucket_count(a, 0) == 0)
        return;
    for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < SEGMENTED_CHAINS_OF_ALL;
         i += gridDim.x * blockDim.x)
        a.chains[i] = 0;
}

/* Words of all chains of a class. */
static __device__ __forceinline__ uint32_t segmented_part_count(const segmented_arguments &a, int c)
{
    return a.control->part_count[c - SEGMENTED_PAIRS];
}

static __device__ __forceinline__ void segmented_add_part(const segmented_arguments &a, int c,
                                                          uint64_t word)
{
    const int part_class = c - SEGMENTED_PAIRS;
    const uint32_t number = atomicAdd(&a.control->part_count[part_class], 1u);
    uint64_t *first = segmented_chains(a, part_class) + number % a.chain_count[part_class];
    *segmented_link(a, c, word) = atomicExch((unsigned long long *)first, word);
}

/* The chain of one of several that sort leaves of a class, in shared memory, as registers are
 * short.
 */
struct segmented_chain {
    uint64_t word, next; /* 0: there is none */

    /* By one thread, of number `sorter`, before a barrier. */
    __device__ __forceinline__ void begin(const segmented_arguments &a, int c, uint32_t sorter)
    {
        const int part_class = c - SEGMENTED_PAIRS;
        next = 0;
        if (sorter < a.chain_count[part_class] && sorter < segmented_part_count(a, c))
            next = segmented_chains(a, part_class)[sorter];
    }

    /* The next word, or 0; all of the scope call it. The link behind it has been read then. */
    template <typename Scope>
    __device__ __forceinline__ uint64_t take(const segmented_arguments &a, int c)
    {
        const uint64_t taken = next;
        if (taken == 0)
            return 0;
        const uint64_t link = *segmented_link(a, c, taken);
        Scope::sync();
        if (threadIdx.x == Scope::memory_thread()) {
            word = taken;
            next = link;
        }
        Scope::sync();
        return taken;
    }
};

/* What a block sorts next, from the list or from the chain behind it; false if there is nothing. */
static __device__ __forceinline__ bool segmented_block_word(const segmented_arguments &a, int c,
                                                            uint32_t at, uint32_t count,
                                                            segmented_chain &chain, uint64_t &word)
{
    word = at < count ? segmented_get(a, c, at) : chain.take<segmented_block_scope>(a, c);
    return at < count || word != 0;
}

/* Parts smaller than what a warp sorts go with those. */
static __device__ __forceinline__ int segmented_class_of_part(const segmented_arguments &a,
                                                              uint32_t length)
{
    return length <= segmented_class_items(a, SEGMENTED_PAIRS) ? SEGMENTED_PAIRS
                                                               : segmented_class_of(a, length);
}

/* One word: `length` items and, if a warp sorts both, `second` behind them. */
static __device__ __forceinline__ void segmented_put_part(const segmented_arguments &a,
                                                          uint64_t start, uint32_t length,
                                                          uint32_t second, uint32_t buffer)
{
    const int c = segmented_class_of_part(a, length);
    segmented_add_part(a, c,
                       c == SEGMENTED_PAIRS ? segmented_pair(start, length, second, buffer)
                                            : segmented_leaf(start, length, buffer));
}

/* More equal items than the last class sorts: leaves of any length will do. Two share what is left
 * behind full ones, so that each has room for a link. */
static __device__ __forceinline__ void segmented_cut(const segmented_arguments &a, uint64_t start,
                                                     uint64_t length, uint32_t buffer)
{
    const uint32_t most = segmented_class_items(a, (int)a.classes - 1);
    for (; length >= 2 * (uint64_t)most; start += most, length -= most)
        segmented_put_part(a, start, most, 0, buffer);
    segmented_put_part(a, start, (uint32_t)(length / 2), 0, buffer);
    segmented_put_part(a, start + length / 2, (uint32_t)(length - length / 2), 0, buffer);
}

/* What is still large, and agrees in all digits so far. */
static __device__ __forceinline__ void segmented_settle(const segmented_arguments &a,
                                                        uint32_t level, uint64_t start,
                                                        uint64_t length, uint32_t buffer)
{
    if (level + 1 < a.levels)
        segmented_add_bucket(a, level + 1, start, length, buffer);
    else
        segmented_cut(a, start, length, buffer);
}

/* A bucket whose items agree in this digit, too. The whole block calls it. */
static __device__ __forceinline__ void segmented_stay(const segmented_arguments &a, uint32_t level,
                                                      uint32_t at, segmented_bucket &bucket)
{
    if (threadIdx.x == 0) {
        bucket.settled = 1;
        segmented_set_bucket(a, level, at, bucket);
        segmented_settle(a, level, bucket.start, bucket.length, bucket.buffer);
    }
    __syncthreads();
}

#endif
