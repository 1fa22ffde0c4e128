/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How many of the lowest bytes of wide keys need no passes, where leaves by cells are of no use: if
 * the bytes above, the prefix, tell nearly all different keys of a sample apart, the list is sorted
 * by these, and groups with the same prefix are put in order in shared memory. Equal keys may be as
 * many as they like, unless others share their prefix.
 */
#ifndef CONSORT_HYBRID_PREFIX_CUH
#define CONSORT_HYBRID_PREFIX_CUH

#include "cuda/device/codes.cuh"
#include "cuda/device/prefix_sample.cuh"
#include "cuda/sorts/hybrid/hybrid_layout.h"
#include "cuda/sorts/hybrid/hybrid_sample.cuh"

/* Of a block that counts, in the place of its counters. */
template <typename K> struct hybrid_prefix {
    using sample_type = prefix_sample<K, HYBRID_COUNT_THREADS, 65536 / sizeof(K)>;
    static constexpr unsigned samples = sample_type::samples, each = sample_type::each;
    static constexpr float usual = 0.625f; /* of the largest group an item's own, on average */

    const hybrid_arguments &a;
    const sample_type sample;

    __device__ __forceinline__ hybrid_prefix(const hybrid_arguments &arguments,
                                             hybrid_count_storage &memory)
        : a(arguments), sample{*(typename sample_type::storage *)memory.pairs, memory.varying,
                               &memory.told}
    {
        static_assert(sizeof(typename sample_type::storage) <= sizeof memory.pairs,
                      "in the place of counters");
    }

    __device__ __forceinline__ K key_at(uint32_t number) const
    {
        return hybrid_sampled_key<K, samples>(a, number);
    }

    /* Which of some numbers of bytes, `step` apart, may be left out, of which `saved` at least
     * differ: bits of a word. So many samples of one group, and of all, would say that groups are
     * larger. Rows of the sample come while those before them are looked at: all at once took 25 µs
     * (H200, 8192 lines from DRAM), and most prefixes that do not separate keys are known by the
     * first. */
    __device__ __forceinline__ uint32_t separating(uint32_t first, uint32_t step,
                                                   uint32_t saved) const
    {
        const codes<K> codec(a.sort.codec);
        const float share = (float)samples / (float)a.sort.count;
        const prefix_limits most = {4 + (uint32_t)(2 * share * (float)a.group),
                                    4 + samples * share * (float)a.group * usual / 2};
        const K code = codec.encode(key_at(threadIdx.x));
        K next = key_at(HYBRID_COUNT_THREADS + threadIdx.x);
        sample.keep(0, code);
        const prefix_cuts cuts = prefix_cuts_of(sample.differing(code ^ codec.encode(key_at(0))),
                                                saved, HYBRID_PREFIX_BYTES);
        unsigned kept = 1;
        const auto need = [&](unsigned row) {
            if (row < kept)
                return;
            sample.keep(row, codec.encode(next));
            next = key_at((row + 1) % each * HYBRID_COUNT_THREADS + threadIdx.x);
            kept = row + 1;
            __syncthreads();
        };
        uint32_t separating = 0;
        for (uint32_t cut = cuts.least + first; cut <= cuts.most; cut += step)
            separating |= sample.separates(cut, most, need) ? 1u << cut : 0;
        return separating;
    }

    /* Tells all blocks. */
    __device__ __forceinline__ void tell(uint32_t first, uint32_t step, uint32_t saved) const
    {
        const uint32_t some = separating(first, step, saved);
        if (threadIdx.x == 0 && some)
            atomicOr(&a.control->separating, some);
    }
};

/* By the last block: the shortest prefix that is known to separate keys, if any is; else, if others
 * did not know that keys are uneven, it looks at all. */
template <typename K>
static __device__ __forceinline__ void hybrid_choose_prefix(const hybrid_arguments &a, bool looked,
                                                            hybrid_count_storage &s)
{
    __syncthreads();
    if (!looked)
        hybrid_prefix<K>(a, s).tell(0, 1, a.late_saved);
    if (threadIdx.x > 0)
        return;
    const uint32_t separating = load_relaxed(&a.control->separating);
    if (separating == 0)
        return;
    a.sort.control->cut = 31 - (uint32_t)__clz((int)separating);
    a.sort.control->leaves = LSD_GROUPS;
}

#endif
