/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What blocks have counted of 16-bit keys: rows of 65536 counters, in the place of the result,
 * where nothing else is needed yet, as many as there is room for. 132 blocks of an H200 add them up
 * in device memory in 36 000 cycles, if most have counted something, and leave them in 13 000, from
 * where it takes 4000 more to read them (docs/performance.md). If few have, they are added up
 * sooner.
 */
#ifndef CONSORT_COUNTING_ROWS_CUH
#define CONSORT_COUNTING_ROWS_CUH

#include "cuda/device/device.cuh"
#include "cuda/sorts/counting/counting_layout.h"

struct counting_rows {
    uint16_t *counters;
    uint32_t room;

    /* None for keys in reversed byte order: those of neighbouring codes lie apart in a row. */
    __device__ __forceinline__ explicit counting_rows(const counting_arguments &a)
        : counters((uint16_t *)a.out + (0 - (uintptr_t)a.out) % sizeof(uint4) / sizeof *counters)
    {
        const uint64_t most = (uint64_t)((uint16_t *)a.out + a.count - counters) / COUNTING_BINS;
        room = a.codec.swap ? 0 : (uint32_t)min(most, (uint64_t)gridDim.x);
    }

    /* By the block that has taken this row: its counters, two in a word. */
    __device__ __forceinline__ void put(uint32_t row, const uint32_t *pairs) const
    {
        constexpr unsigned loads = COUNTING_BINS / 8 / COUNTING_THREADS;
        const uint4 *from = (const uint4 *)pairs + threadIdx.x;
        uint4 *to = (uint4 *)(counters + (uint64_t)row * COUNTING_BINS) + threadIdx.x;
#pragma unroll
        for (unsigned i = 0; i < loads; i++)
            to[i * COUNTING_THREADS] = from[i * COUNTING_THREADS];
    }

    /* The sum of what some rows of so many, from `first` on by `step`, have for a key. */
    __device__ __forceinline__ uint32_t sum(uint32_t key, uint32_t first, uint32_t count,
                                            uint32_t step) const
    {
        constexpr unsigned loads = 37; /* at once: twice, for 148 blocks and a step of 2 */
        const uint16_t *own = counters + key;
        uint32_t all = 0;
        for (uint32_t row = first; row < count; row += loads * step) {
            uint32_t counter[loads];
#pragma unroll
            for (unsigned i = 0; i < loads; i++)
                counter[i] =
                    row + i * step < count ? own[(uint64_t)(row + i * step) * COUNTING_BINS] : 0u;
#pragma unroll
            for (unsigned i = 0; i < loads; i++)
                all += counter[i];
        }
        return all;
    }
};

#endif
