/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Leaves of halves that bins do not put in order: too many of them agree in the bits that bins tell
 * apart. Two stable passes over 8 bits take the same time whatever keys are.
 */
#ifndef CONSORT_MSD_HALF_PASSES_CUH
#define CONSORT_MSD_HALF_PASSES_CUH

#include "cuda/device/block_scan.cuh"
#include "cuda/device/warp_ranks.cuh"
#include "cuda/sorts/msd/msd_half_cells.cuh"

struct alignas(16) msd_crowded_storage {
    uint16_t sorted[MSD_CROWDED_ITEMS * MSD_HALVES_THREADS];
    warp_ranks<MSD_HALVES_THREADS, MSD_CROWDED_ITEMS>::bins_type bins;
    uint32_t warp_sums[MSD_HALVES_THREADS / 32];
};

template <typename Codes> struct msd_half_passes {
    static constexpr unsigned threads = MSD_HALVES_THREADS, items = MSD_CROWDED_ITEMS;
    using ranks = warp_ranks<threads, items>;

    const msd_arguments &a;
    msd_crowded_storage &s;
    const Codes codes;
    uint32_t half[items]; /* beyond the last as high as can be */

    __device__ __forceinline__ msd_half_passes(const msd_arguments &arguments,
                                               msd_crowded_storage &memory)
        : a(arguments), s(memory), codes(arguments)
    {
    }

    __device__ __forceinline__ void load(const msd_half_cell &cell)
    {
        const uint16_t *from = (const uint16_t *)((const uint32_t *)a.buffers[1] + cell.begin);
#pragma unroll
        for (unsigned i = 0; i < items; i++) {
            const uint32_t at = ranks::position(i);
            half[i] = at < cell.count ? codes.half_of(cell, from[at]) : (1u << MSD_HALF_BITS) - 1;
        }
    }

    /* Holds three barriers; behind the last, halves in shared memory are in order of the digit. */
    __device__ __forceinline__ void pass(uint32_t shift)
    {
        const auto digit_of = [this, shift](unsigned i) { return half[i] >> shift & 0xff; };
        packed_places<items> place;
        ranks::count(s.bins, place, digit_of);
        __syncthreads();
        ranks::starts(s.bins, block_exclusive_sum_256(ranks::total(s.bins), s.warp_sums));
        __syncthreads();
        ranks::places(s.bins, place, digit_of);
#pragma unroll
        for (unsigned i = 0; i < items; i++)
            s.sorted[place.at(i)] = (uint16_t)half[i];
        __syncthreads();
    }

    __device__ __forceinline__ void sort(const msd_half_cell &cell)
    {
        load(cell);
        pass(0);
#pragma unroll
        for (unsigned i = 0; i < items; i++)
            half[i] = s.sorted[ranks::position(i)];
        pass(8);
        uint32_t *to = (uint32_t *)a.out + cell.begin;
        codes.write(cell, [&](const auto &decode) {
            for (uint32_t i = threadIdx.x; i < cell.count; i += threads)
                to[i] = decode(s.sorted[i]);
        });
        __syncthreads();
    }
};

/* The only cell that begins there and has keys. */
static __device__ __forceinline__ uint32_t msd_cell_at(const msd_arguments &a, uint32_t begin)
{
    uint32_t low = 0, high = (1u << a.cell_bits) - 1;
    while (low < high) {
        const uint32_t middle = (low + high + 1) / 2;
        if (a.singles[middle] <= begin)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

/* All cells listed, from where the second partition has written their halves. */
template <typename Codes>
static __device__ __forceinline__ void msd_pass_cells(const msd_arguments &a,
                                                      msd_crowded_storage &s)
{
    msd_half_passes<Codes> passes(a, s);
    for (uint32_t i = blockIdx.x; i < a.control->crowded_cells; i += gridDim.x)
        passes.sort(passes.codes.cell(msd_cell_at(a, msd_cell_list(a)[i])));
}

static __device__ __forceinline__ void msd_sort_crowded(const msd_arguments &a,
                                                        msd_crowded_storage &s)
{
    if (a.control->mode == MSD_VALUED)
        msd_pass_cells<msd_half_numbers>(a, s);
    else
        msd_pass_cells<msd_half_codes>(a, s);
}

#endif
