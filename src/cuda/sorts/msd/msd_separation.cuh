/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether passes by a prefix sort wide keys that crowd: while others judge a sample, some blocks
 * ask one each about prefixes of one length, if a few keys, the same for all, show that it is of
 * use.
 */
#ifndef CONSORT_MSD_SEPARATION_CUH
#define CONSORT_MSD_SEPARATION_CUH

#include "cuda/device/prefix_sample.cuh"
#include "cuda/sorts/msd/msd_sample.cuh"

enum {
    MSD_PREFIX_SAMPLE =
        8 /* keys that a thread reads: of a sample as large as shared memory holds */
};

template <typename K>
using msd_prefix_sample = prefix_sample<K, MSD_PLAN_THREADS, MSD_PLAN_THREADS * MSD_PREFIX_SAMPLE>;

template <typename K, bool Asked = sizeof(K) == MSD_PREFIX_KEY_BYTES>
struct msd_separation_storage {
    typename msd_prefix_sample<K>::storage sample;
    uint32_t varying[4], told;
};
template <typename K> struct msd_separation_storage<K, false> {
};

/* Blocks behind those that judge: some for each number of bytes to leave out. */
template <typename K> static __device__ __forceinline__ uint32_t msd_askers(const msd_arguments &a)
{
    constexpr uint32_t cuts = sizeof(K) + 1 - MSD_PREFIX_KEPT - MSD_PREFIX_SAVED;
    const uint32_t judges = msd_judges(a);
    return a.asks && gridDim.x > judges ? min(cuts * MSD_PREFIX_VOTES, gridDim.x - judges) : 0;
}

/* Whether a prefix tells the keys of a sample apart, of which there is another for each vote. */
template <typename K>
static __device__ __forceinline__ bool msd_separates(const msd_arguments &a, uint32_t number)
{
    SHARED_DYNAMIC(storage, msd_separation_storage<K>);
    const msd_prefix_sample<K> sample = {storage->sample, storage->varying, &storage->told};
    const codes<K> codec(a.codec);
    K code[msd_prefix_sample<K>::each];
    __syncthreads();
    msd_load_sample(a, a.seed + number % MSD_PREFIX_VOTES, code);
    codec.encode_all(code);
    const K one = codec.encode(*(const K *)a.in);
    K varying = 0;
#pragma unroll
    for (unsigned i = 0; i < msd_prefix_sample<K>::each; i++) {
        sample.keep(i, code[i]);
        varying |= code[i] ^ one;
    }
    const prefix_cuts cuts =
        prefix_cuts_of(sample.differing(varying), MSD_PREFIX_SAVED, MSD_PREFIX_KEPT);
    const uint32_t cut = MSD_PREFIX_SAVED + number / MSD_PREFIX_VOTES;
    return cut >= cuts.least && cut <= cuts.most && sample.clashes(cut) <= a.most_alike;
}

/* Not inlined, for the sake of what counts. So it finds its shared memory by itself. */
template <typename K>
__attribute__((noinline)) static __device__ void
msd_ask_about_prefixes(const msd_arguments &a, uint32_t number, uint32_t askers)
{
    constexpr uint32_t cuts = sizeof(K) + 1 - MSD_PREFIX_KEPT - MSD_PREFIX_SAVED;
    for (; number < cuts * MSD_PREFIX_VOTES; number += askers)
        if (msd_separates<K>(a, number) && threadIdx.x == 0)
            atomicAdd(&a.control->votes[number / MSD_PREFIX_VOTES], 1u);
}

/* By all blocks, when the sample is judged: of how many of the lowest bytes passes need take none;
 * 0 if passes are not by a prefix. */
template <typename K> static __device__ __forceinline__ uint32_t msd_cut(const msd_control *control)
{
    uint32_t cut = 0;
    if (control->dense)
        for (uint32_t i = 0; i + MSD_PREFIX_KEPT + MSD_PREFIX_SAVED <= sizeof(K); i++)
            if (control->votes[i] == MSD_PREFIX_VOTES)
                cut = MSD_PREFIX_SAVED + i;
    return cut;
}

#endif
