/* SPDX-License-Identifier: Apache-2.0 */
/* Counting, before anything moves: the digits of each tile, or the ones of each bit. */
#ifndef CONSORT_RADIX_STEPS_COUNT_CUH
#define CONSORT_RADIX_STEPS_COUNT_CUH

#include "cuda/sorts/radix_steps/radix_steps_split.cuh"

/* This tile's column of the table. A tile is `coarsening` keys a thread. */
template <typename K>
__device__ __forceinline__ void radix_steps_count(const radix_steps_pass &p, uint32_t coarsening)
{
    SHARED(bins, uint32_t[1 << RADIX_STEPS_MOST_BITS]);
    const uint32_t values = 1u << p.bits;
    for (uint32_t d = threadIdx.x; d < values; d += blockDim.x)
        bins[d] = 0;
    __syncthreads();
    const K *codes = (const K *)p.from.codes;
    const uint64_t first = (uint64_t)blockIdx.x * blockDim.x * coarsening;
    for (uint32_t i = 0; i < coarsening; i++) {
        const uint64_t at = first + i * blockDim.x + threadIdx.x;
        if (at < p.from.count)
            atomicAdd(&bins[radix_steps_digit(p, codes[at])], 1u);
    }
    __syncthreads();
    for (uint32_t d = p.direct + threadIdx.x; d < values; d += blockDim.x)
        p.table[(d - p.direct) * p.tiles + blockIdx.x] = bins[d];
}

/* The ones of every bit, in one read: a lane keeps the counts of every 32nd bit. */
template <typename K>
static __device__ __forceinline__ void
radix_steps_count_ones(const items &a, radix_steps_control *control, uint32_t bits)
{
    constexpr unsigned mine = (8 * sizeof(K) + 31) / 32;
    const unsigned lane = threadIdx.x % 32;
    const uint64_t threads = (uint64_t)gridDim.x * blockDim.x;
    uint64_t ones[mine] = {};
    for (uint64_t first = (uint64_t)blockIdx.x * blockDim.x; first < a.count; first += threads) {
        const uint64_t at = first + threadIdx.x;
        const K code = at < a.count ? ((const K *)a.codes)[at] : (K)0;
#pragma unroll
        for (unsigned bit = 0; bit < 8 * sizeof(K); bit++) {
            const uint32_t set = __ballot_sync(0xffffffffu, (bool)(code >> bit & 1));
            ones[bit / 32] += bit % 32 == lane ? (uint32_t)__popc(set) : 0;
        }
    }
#pragma unroll
    for (unsigned i = 0; i < mine; i++)
        if (32 * i + lane < bits)
            atomicAdd((unsigned long long *)&control->ones[32 * i + lane],
                      (unsigned long long)ones[i]);
}

#endif
