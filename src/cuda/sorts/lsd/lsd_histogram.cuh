/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The histograms of all digits in one read of the keys; the block that finishes last turns them
 * into places and decides which passes move keys at all.
 */
#ifndef CONSORT_LSD_HISTOGRAM_CUH
#define CONSORT_LSD_HISTOGRAM_CUH

#include "cuda/device/block_scan.cuh"
#include "cuda/device/codes.cuh"
#include "cuda/device/ptx.cuh"
#include "cuda/sorts/lsd/lsd_route.cuh"

enum {
    LSD_PLAN_WARPS = 32 /* of a block that plans, at most */
};

template <typename K> struct lsd_histogram_storage {
    uint32_t bins[sizeof(K)][LSD_BINS];
    uint64_t warp_sums[LSD_PLAN_WARPS];
    float warp_shares[LSD_PLAN_WARPS];
    float likeness[sizeof(K)];
    uint32_t agreed;
    uint32_t last;
};

/* A thread asks for so many keys at once. */
template <typename K, unsigned Items>
static __device__ __forceinline__ void lsd_count_keys(const lsd_arguments &a,
                                                      uint32_t (*bins)[LSD_BINS])
{
    const codes<K> codec(a.codec);
    const K *keys = (const K *)a.keys_in;
    const uint64_t tile = (uint64_t)blockDim.x * Items;
    for (uint64_t first = blockIdx.x * tile; first < a.count; first += gridDim.x * tile) {
        K code[Items];
#pragma unroll
        for (unsigned i = 0; i < Items; i++) {
            const uint64_t at = first + i * blockDim.x + threadIdx.x;
            code[i] = at < a.count ? keys[at] : (K)0;
        }
#pragma unroll
        for (unsigned i = 0; i < Items; i++) {
            if (first + i * blockDim.x + threadIdx.x >= a.count)
                continue;
            const K key = codec.encode(code[i]);
#pragma unroll
            for (unsigned pass = 0; pass < sizeof(K); pass++)
                if (pass < a.passes)
                    atomicAdd(&bins[pass][(uint32_t)(key >> (8 * pass)) & (LSD_BINS - 1)], 1u);
        }
    }
}

/* The number of lowest passes to leave out: the fewest of the others after which, were digits
 * independent, at most one key in 64 would agree with another. */
static __device__ __forceinline__ uint32_t lsd_cut(const lsd_arguments &a, const float *likeness)
{
    float alike = (float)a.count;
    for (unsigned pass = a.passes; pass > a.cuttable; pass--)
        alike *= likeness[pass - 1];
    uint32_t cut = a.cuttable;
    for (; cut > 0 && alike > 1.0f / 64; cut--)
        alike *= likeness[cut - 1];
    return cut;
}

static __device__ __forceinline__ void lsd_number_steps(const lsd_arguments &a, uint32_t agreed,
                                                        uint32_t cut)
{
    int32_t steps = 0;
    for (unsigned pass = 0; pass < a.passes; pass++) {
        const bool skipped = (agreed >> pass & 1) || pass < cut;
        a.control->step[pass] = skipped ? LSD_SKIPPED : steps;
        steps += !skipped;
    }
    a.control->step_count = steps;
    a.control->cut = cut;
}

/* Replaces a digit's counts by places, one for each of 256 threads; tells whether all keys agree in
 * it, and how likely two are to. The whole block calls it. */
template <typename K>
static __device__ __forceinline__ void lsd_plan_digit(const lsd_arguments &a, uint32_t pass,
                                                      bool active, lsd_histogram_storage<K> &s)
{
    constexpr unsigned warps = LSD_BINS / 32;
    const unsigned warp = threadIdx.x / 32, first = warp / warps * warps;
    uint64_t *bin = &a.control->bins[active ? pass : 0][threadIdx.x % LSD_BINS];
    const uint64_t count = active ? load_relaxed(bin) : 0;
    const float share = (float)count / (float)max(a.count, (uint64_t)1);
    const uint64_t inclusive = warp_inclusive_sum(count);
    const float shares = a.cuttable ? warp_inclusive_sum(share * share) : 0.0f;
    if (threadIdx.x % 32 == 31) {
        s.warp_sums[warp] = inclusive;
        s.warp_shares[warp] = shares;
    }
    if (active && count == a.count)
        atomicOr(&s.agreed, 1u << pass);
    __syncthreads();
    uint64_t before = 0;
    float likeness = 0;
#pragma unroll
    for (unsigned i = 0; i < warps; i++) {
        before += first + i < warp ? s.warp_sums[first + i] : (uint64_t)0;
        likeness += s.warp_shares[first + i];
    }
    if (active)
        *bin = before + inclusive - count;
    if (active && threadIdx.x % LSD_BINS == 0)
        s.likeness[pass] = likeness;
    __syncthreads();
}

/* As many digits at once as the block has 256 threads for. */
template <typename K>
static __device__ __forceinline__ void lsd_plan_passes(const lsd_arguments &a,
                                                       lsd_histogram_storage<K> &s)
{
    const uint32_t groups = min(blockDim.x, 32u * LSD_PLAN_WARPS) / LSD_BINS;
    const uint32_t group = threadIdx.x / LSD_BINS;
    if (threadIdx.x == 0)
        s.agreed = 0;
    __syncthreads();
    for (uint32_t first = 0; first < a.passes; first += groups)
        lsd_plan_digit(a, first + group, group < groups && first + group < a.passes, s);
    if (threadIdx.x == 0)
        lsd_number_steps(a, s.agreed, a.cuttable ? lsd_cut(a, s.likeness) : a.control->cut);
}

/* What a block has counted. Blocks begin at different bins: those that end together would queue up
 * at each. */
template <typename K>
static __device__ __forceinline__ void lsd_add_bins(const lsd_arguments &a,
                                                    const lsd_histogram_storage<K> &s)
{
    const uint32_t *flat = &s.bins[0][0];
    const uint32_t bins = a.passes * LSD_BINS;
    const uint32_t begin = blockIdx.x * (LSD_BINS / 4) % bins;
    for (uint32_t i = threadIdx.x; i < bins; i += blockDim.x) {
        const uint32_t at = begin + i < bins ? begin + i : begin + i - bins;
        if (flat[at])
            atomicAdd((unsigned long long *)&a.control->bins[at / LSD_BINS][at % LSD_BINS],
                      (unsigned long long)flat[at]);
    }
}

template <typename K, unsigned Items = (sizeof(K) < 4 ? 16 / sizeof(K) : 4)>
static __device__ __forceinline__ void lsd_histogram(const lsd_arguments &a,
                                                     lsd_histogram_storage<K> &s)
{
    if (lsd_others_sort(a.control->leaves) || a.control->planned)
        return;
    uint32_t *flat = &s.bins[0][0];
    for (unsigned i = threadIdx.x; i < a.passes * LSD_BINS; i += blockDim.x)
        flat[i] = 0;
    __syncthreads();
    lsd_count_keys<K, Items>(a, s.bins);
    __syncthreads();
    lsd_add_bins(a, s);
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0)
        s.last = atomicAdd(&a.control->finished_blocks, 1u) == gridDim.x - 1;
    __syncthreads();
    if (s.last) {
        __threadfence();
        lsd_plan_passes<K>(a, s);
    }
}

#endif
