/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Leaves of long lists, of which the second partition has written halves of keys. As in
 * msd_local.cuh bins put halves almost in place and rounds of transposition do the rest, but two
 * at a time: halves below 2^15 are one list, the others another, and a word holds a place of both.
 *
 * Leaves for which that does not suffice, and those too large for it, get their keys back as codes:
 * other kernels finish them.
 */
#ifndef CONSORT_MSD_HALVES_CUH
#define CONSORT_MSD_HALVES_CUH

#include "cuda/device/block_warp_scan.cuh"
#include "cuda/device/half_pair.cuh"
#include "cuda/sorts/msd/msd_local.cuh"
#include "cuda/sorts/msd/msd_tuning.h"

struct alignas(16) msd_halves_storage {
    uint32_t bin[MSD_HALVES_BINS]; /* zero between leaves */
    half_pair pair[MSD_HALVES_PAIRS];
    uint32_t warp_sums[MSD_HALVES_THREADS / 32];
};

/* A cell of `count` keys. */
struct msd_half_cell {
    uint32_t number, begin, count;
};

/* Halves in registers: whole vectors, and what is before the first and behind the last. */
struct msd_half_keys {
    static constexpr unsigned keys_of_vector = 8;
    static constexpr unsigned vectors =
        (MSD_HALVES_KEYS / keys_of_vector + MSD_HALVES_THREADS - 1) / MSD_HALVES_THREADS;

    uint4 vector[vectors];
    uint32_t vector_count, loose_count, loose;

    __device__ __forceinline__ void load(const uint16_t *from, uint32_t count)
    {
        const uint32_t head = min(count, (uint32_t)(-(uintptr_t)from % 16 / sizeof *from));
        const uint4 *whole = (const uint4 *)(from + head);
        vector_count = (count - head) / keys_of_vector;
        loose_count = count - vector_count * keys_of_vector;
#pragma unroll
        for (unsigned i = 0; i < vectors; i++)
            if (i * MSD_HALVES_THREADS + threadIdx.x < vector_count)
                vector[i] = whole[i * MSD_HALVES_THREADS + threadIdx.x];
        const uint32_t at = threadIdx.x + (threadIdx.x < head ? 0 : vector_count * keys_of_vector);
        loose = threadIdx.x < loose_count ? from[at] : (uint16_t)0;
    }

    template <typename Visit> __device__ __forceinline__ void visit(const Visit &half) const
    {
#pragma unroll
        for (unsigned i = 0; i < vectors; i++)
            if (i * MSD_HALVES_THREADS + threadIdx.x < vector_count) {
                const uint32_t words[] = {vector[i].x, vector[i].y, vector[i].z, vector[i].w};
#pragma unroll
                for (uint32_t word : words) {
                    half(word & 0xffff);
                    half(word >> 16);
                }
            }
        if (threadIdx.x < loose_count)
            half(loose);
    }
};

struct msd_half_leaves {
    static constexpr unsigned threads = MSD_HALVES_THREADS;
    static constexpr unsigned each = MSD_HALVES_PAIRS / threads; /* pairs of a thread */
    static constexpr unsigned below_bin = MSD_HALF_BITS - MSD_HALVES_BIN_BITS;

    static_assert(MSD_HALVES_BINS == 8 * threads, "a thread owns a row of bins of each list");
    static_assert(each % 2 == 1, "threads meet in no bank, and rounds exchange with neighbours");

    const msd_arguments &a;
    msd_halves_storage &s;
    const msd_codec<uint32_t> codec;
    const msd_linear_digit<uint32_t> cell_of;
    uint32_t low_count, high_count; /* of the leaf's two lists */

    __device__ __forceinline__ msd_half_leaves(const msd_arguments &arguments,
                                               msd_halves_storage &memory)
        : a(arguments), s(memory), codec(a.codec), cell_of(msd_cell_of<uint32_t>(a))
    {
    }

    __device__ __forceinline__ const uint16_t *halves_of(const msd_half_cell &cell) const
    {
        return (const uint16_t *)((const uint32_t *)a.buffers[1] + cell.begin);
    }

    __device__ __forceinline__ void clear_bins()
    {
#pragma unroll
        for (unsigned row = 0; row < 2; row++)
            ((uint4 *)s.bin)[row * threads + threadIdx.x] = make_uint4(0, 0, 0, 0);
    }

    /* Bins count bytes of pairs, so that they become the addresses of halves in shared memory. */
    __device__ __forceinline__ uint32_t add_to_bin(uint32_t half)
    {
        return atomicAdd(&s.bin[half >> below_bin], (uint32_t)sizeof(half_pair));
    }

    static __device__ __forceinline__ uint32_t sum_of(uint4 bins)
    {
        return bins.x + bins.y + bins.z + bins.w;
    }

    static __device__ __forceinline__ uint4 places_of(uint4 size, uint32_t first)
    {
        return make_uint4(first, first + size.x, first + size.x + size.y,
                          first + size.x + size.y + size.z);
    }

    /* Holds a barrier; others have to wait for one more. */
    __device__ __forceinline__ void scan_bins()
    {
        uint4 *low = (uint4 *)s.bin + threadIdx.x, *high = low + threads;
        const uint4 low_size = *low, high_size = *high;
        const uint32_t sum = sum_of(low_size) | sum_of(high_size) << 16;
        uint32_t all;
        const uint32_t inclusive = warp_inclusive_sum(sum);
        const uint32_t before =
            block_sum_of_lower_warps(__shfl_sync(0xffffffffu, inclusive, 31), s.warp_sums, &all) +
            inclusive - sum;
        *low = places_of(low_size, before & 0xffff);
        *high = places_of(high_size, (before >> 16) + (uint32_t)sizeof(uint16_t));
        low_count = (all & 0xffff) / (uint32_t)sizeof(half_pair);
        high_count = (all >> 16) / (uint32_t)sizeof(half_pair);
    }

    /* Behind the last half of each list, up to the end of the stretch of a warp. */
    __device__ __forceinline__ void pad(uint32_t longer)
    {
        constexpr unsigned stretch = 32 * each;
        uint16_t *halves = (uint16_t *)s.pair;
        const uint32_t padded = (longer + stretch - 1) / stretch * stretch;
        for (uint32_t i = low_count + threadIdx.x; i < padded; i += threads)
            halves[2 * i] = 0xffff;
        for (uint32_t i = high_count + threadIdx.x; i < padded; i += threads)
            halves[2 * i + 1] = 0xffff;
    }

    template <typename Decode>
    __device__ __forceinline__ void write_as(uint32_t *to, const Decode &decode) const
    {
#pragma unroll
        for (unsigned i = 0; i < each; i++) {
            const uint32_t at = i * threads + threadIdx.x, word = s.pair[at].word;
            if (at < low_count)
                to[at] = decode(word & 0xffff);
            if (at < high_count)
                to[low_count + at] = decode(word >> 16);
        }
    }

    /* The code of a half in a cell. */
    __device__ __forceinline__ auto code_of(const msd_half_cell &cell) const
    {
        const uint32_t low = cell_of.base + (cell.number << cell_of.shift);
        const uint32_t unused = MSD_HALF_BITS - cell_of.shift;
        return [=](uint32_t half) { return low + (half >> unused); };
    }

    __device__ __forceinline__ void write(const msd_half_cell &cell) const
    {
        uint32_t *to = (uint32_t *)a.out + cell.begin;
        const auto code = code_of(cell);
        if (codec.identity)
            write_as(to, code);
        else if (codec.flips)
            write_as(to, [this, code](uint32_t half) { return code(half) ^ codec.flip; });
        else
            write_as(to, [this, code](uint32_t half) { return codec.decode(code(half)); });
    }

    /* False if turns do not suffice: bins are crowded, or one list has too many of the keys. */
    __device__ __forceinline__ bool put_in_order(const msd_half_cell &cell)
    {
        msd_half_keys keys;
        keys.load(halves_of(cell), cell.count);
        keys.visit([this](uint32_t half) { add_to_bin(half); });
        __syncthreads();
        scan_bins();
        const uint32_t longer = max(low_count, high_count);
        const bool fits = longer <= MSD_HALVES_PAIRS;
        __syncthreads();
        if (fits) {
            keys.visit([this](uint32_t half) {
                *(uint16_t *)((char *)s.pair + add_to_bin(half)) = (uint16_t)half;
            });
            pad(longer);
        }
        __syncthreads();
        clear_bins();
        const auto load = [this](half_pair(&loaded)[each], uint32_t own) {
#pragma unroll
            for (unsigned i = 0; i < each; i++)
                loaded[i] = s.pair[own + i];
        };
        for (unsigned turn = 0; fits && turn < MSD_TURNS; turn++)
            if (transposition_turn<each, TRANSPOSITION_MORE_ROUNDS>(s.pair, longer, load,
                                                                    half_pair_order()))
                return true;
        return false;
    }

    /* Halves become codes where they are, from the last on: a code lies farther than its half. */
    __device__ __forceinline__ void widen(const msd_half_cell &cell)
    {
        constexpr unsigned batch = 8;
        const uint16_t *from = halves_of(cell);
        uint32_t *to = (uint32_t *)a.buffers[1] + cell.begin;
        const auto code = code_of(cell);
        for (uint32_t end = cell.count; end > 0; end -= min(end, batch * threads)) {
            uint32_t half[batch];
#pragma unroll
            for (unsigned i = 0; i < batch; i++) {
                const uint32_t back = i * threads + threadIdx.x;
                half[i] = back < end ? from[end - 1 - back] : 0;
            }
            __syncthreads();
#pragma unroll
            for (unsigned i = 0; i < batch; i++) {
                const uint32_t back = i * threads + threadIdx.x;
                if (back < end)
                    to[end - 1 - back] = code(half[i]);
            }
        }
    }

    __device__ __forceinline__ void sort_cells()
    {
        clear_bins();
        __syncthreads();
        for (uint32_t number = blockIdx.x; number < 1u << a.cell_bits; number += gridDim.x) {
            const uint32_t begin = a.singles[number];
            const msd_half_cell cell = {number, begin, a.cells[number] - begin};
            if (cell.count > a.small_leaf) { /* that is a leaf already */
                widen(cell);
            } else if (cell.count > 0 && put_in_order(cell)) {
                write(cell);
                __syncthreads();
            } else if (cell.count > 0) {
                widen(cell);
                if (threadIdx.x == 0)
                    a.leaves[atomicAdd(&a.control->small_leaves, 1u)] = {begin,
                                                                         cell.count | 1u << 31};
            }
        }
    }
};

static __device__ __forceinline__ void msd_sort_halves(const msd_arguments &a,
                                                       msd_halves_storage &s)
{
    if (a.control->halved)
        msd_half_leaves(a, s).sort_cells();
}

#endif
