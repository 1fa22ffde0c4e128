/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Splitters: a sorted sample of a segment's items, of which every so many-th one is taken. A part
 * begins with a splitter and ends before the next. Where two in a row are equal the second becomes
 * the next greater word, so that a part between them holds nothing but repetitions of one item:
 * buckets of equality, for no more comparisons, and only where items repeat.
 */
#ifndef CONSORT_SAMPLE_SPLITTERS_CUH
#define CONSORT_SAMPLE_SPLITTERS_CUH

#include "cuda/sorts/split/split_sample.cuh"

/* Parts of a segment, as a logarithm: so many that the levels which are needed until leaves are
 * half full split alike. A level more costs more than leaves that are fuller. At least 4: three
 * splitters from the segment leave no part with everything, unless that is all equal. */
static __device__ __forceinline__ uint32_t sample_log_ways(const split_arguments &a, uint64_t count)
{
    const uint64_t target = a.leaf / 2;
    uint32_t needed = 0;
    while (target << needed < count)
        needed++;
    const uint32_t levels = max((needed + a.log_ways - 2) / a.log_ways, 1u);
    return max(min((needed + levels - 1) / levels, a.log_ways), 2u);
}

/* One block: the splitters of one segment, and counters of zero. */
template <typename K, typename I, typename Block>
static __device__ __forceinline__ void
sample_choose(const split_arguments &a, const split_batch &batch, uint32_t owner, Block &block)
{
    using kind = split_kind<K, I>;
    using words = typename kind::words;
    using word = typename kind::word;
    const split_segment segment = batch.segment(owner);
    if (segment.state & SPLIT_EQUAL)
        return;
    const uint32_t ways = 1u << sample_log_ways(a, segment.count);
    const uint32_t most = (uint32_t)min((uint64_t)Block::keys, segment.count);
    const uint32_t count = min(ways * a.oversampling, most);
    split_sort_sample<K, I>(a, segment, count, block);
    word *splitters = (word *)a.rows + (uint64_t)owner * SPLIT_MOST_PARTS;
    for (uint32_t i = threadIdx.x; i < ways; i += SPLIT_THREADS) {
        const word own = block.code(i * count / ways);
        const bool repeated = i > 1 && !(block.code((i - 1) * count / ways) < own);
        splitters[i] = repeated ? words::next(own) : own;
        a.counters[owner * SPLIT_MOST_PARTS + i] = 0;
    }
    __syncthreads();
}

/* Whether part `i` has room for one value only. Part 0 begins with 0. */
template <typename Words, typename W>
static __device__ __forceinline__ bool sample_part_is_equal(const W *splitters, uint32_t i,
                                                            uint32_t ways)
{
    if constexpr (Words::alone) {
        const W begin = i > 0 ? splitters[i] : (W)0;
        return i + 1 < ways ? splitters[i + 1] == Words::next(begin) : begin == Words::highest();
    } else {
        return false;
    }
}

/*
 * Splitters as a search tree, level by level, as in super scalar sample sort (P. Sanders,
 * S. Winkel, ESA 2004): node j has children 2j and 2j + 1. The lanes of a warp read different banks
 * on the first levels, which a sorted row would not let them.
 */
template <typename W> struct sample_tree {
    W *node; /* in shared memory; SPLIT_MOST_PARTS */
    uint32_t log_ways;

    __device__ __forceinline__ void load(const W *splitters, uint32_t log)
    {
        log_ways = log;
        for (uint32_t j = threadIdx.x; j < 1u << log; j += SPLIT_THREADS) {
            if (j == 0)
                continue;
            const uint32_t level = 31 - (uint32_t)__clz((int)j);
            node[j] = splitters[(2 * (j - (1u << level)) + 1) << (log - level - 1)];
        }
    }

    /* The parts of several items, whose searches do not wait for each other. */
    template <unsigned Items>
    __device__ __forceinline__ void find(const W *item, uint32_t (&part)[Items]) const
    {
#pragma unroll
        for (unsigned i = 0; i < Items; i++)
            part[i] = 1;
#pragma unroll 1
        for (uint32_t level = 0; level < log_ways; level++)
#pragma unroll
            for (unsigned i = 0; i < Items; i++)
                part[i] = 2 * part[i] + (item[i] < node[part[i]] ? 0 : 1);
#pragma unroll
        for (unsigned i = 0; i < Items; i++)
            part[i] -= 1u << log_ways;
    }
};

#endif
