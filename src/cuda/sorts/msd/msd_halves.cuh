/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Leaves of long lists, of which the second partition has written halves of keys. As in
 * msd_local.cuh bins put halves almost in place and rounds of transposition do the rest, but two
 * at a time: halves below 2^15 are one list, the others another, and a word holds a place of both.
 *
 * Other kernels finish leaves for which that does not suffice (msd_half_passes.cuh), and those too
 * large for it, whose keys become codes again.
 */
#ifndef CONSORT_MSD_HALVES_CUH
#define CONSORT_MSD_HALVES_CUH

#include "cuda/device/block_warp_scan.cuh"
#include "cuda/device/half_pair.cuh"
#include "cuda/sorts/msd/msd_half_cells.cuh"
#include "cuda/sorts/msd/msd_half_counts.cuh"
#include "cuda/sorts/msd/msd_local.cuh"
#include "cuda/sorts/msd/msd_tuning.h"

struct alignas(16) msd_halves_storage {
    uint32_t bin[MSD_HALVES_BINS]; /* zero between leaves */
    half_pair pair[MSD_HALVES_PAIRS];
    uint32_t warp_sums[MSD_HALVES_THREADS / 32];
    uint32_t next[2]; /* cells, in turns */
};

/* Halves in registers: words of two, and the last of an odd number. */
struct msd_half_keys {
    static constexpr unsigned words =
        (MSD_HALVES_KEYS / 2 + MSD_HALVES_THREADS - 1) / MSD_HALVES_THREADS;

    uint32_t word[words], last;

    __device__ __forceinline__ void load(const uint32_t *from, uint32_t count)
    {
#pragma unroll
        for (unsigned i = 0; i < words; i++)
            if (i * MSD_HALVES_THREADS + threadIdx.x < count / 2)
                word[i] = from[i * MSD_HALVES_THREADS + threadIdx.x];
        if (count % 2 && threadIdx.x == 0)
            last = ((const uint16_t *)from)[count - 1];
    }

    template <typename Visit>
    __device__ __forceinline__ void visit(uint32_t count, const Visit &half) const
    {
#pragma unroll
        for (unsigned i = 0; i < words; i++)
            if (i * MSD_HALVES_THREADS + threadIdx.x < count / 2) {
                half(word[i] & 0xffff);
                half(word[i] >> 16);
            }
        if (count % 2 && threadIdx.x == 0)
            half(last);
    }
};

template <typename Codes> struct msd_half_leaves {
    static constexpr unsigned threads = MSD_HALVES_THREADS;
    static constexpr unsigned each = MSD_HALVES_PAIRS / threads; /* pairs of a thread */
    static constexpr unsigned turns = 2;                         /* of which usually one suffices */
    static constexpr unsigned below_bin = MSD_HALF_BITS - MSD_HALVES_BIN_BITS;

    static_assert(MSD_HALVES_BINS == 8 * threads, "a thread owns a row of bins of each list");
    static_assert(each % 2 == 1, "threads meet in no bank, and rounds exchange with neighbours");

    const msd_arguments &a;
    msd_halves_storage &s;
    const Codes codes;
    msd_half_keys keys;
    uint32_t low_count, high_count; /* of the leaf's two lists */

    __device__ __forceinline__ msd_half_leaves(const msd_arguments &arguments,
                                               msd_halves_storage &memory)
        : a(arguments), s(memory), codes(arguments)
    {
    }

    __device__ __forceinline__ uint32_t *memory_of(const msd_half_cell &cell) const
    {
        return (uint32_t *)a.buffers[1] + cell.begin;
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

    static __device__ __forceinline__ uint32_t largest_of(uint4 bins)
    {
        return max(max(bins.x, bins.y), max(bins.z, bins.w));
    }

    static __device__ __forceinline__ uint4 places_of(uint4 size, uint32_t first)
    {
        return make_uint4(first, first + size.x, first + size.x + size.y,
                          first + size.x + size.y + size.z);
    }

    /* Holds a barrier; others have to wait for one more. Whether one of the thread's bins has so
     * many keys that turns hardly suffice. */
    __device__ __forceinline__ bool scan_bins()
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
        return max(largest_of(low_size), largest_of(high_size)) >
               MSD_CROWDED_BIN * (uint32_t)sizeof(half_pair);
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

    __device__ __forceinline__ void write(const msd_half_cell &cell) const
    {
        uint32_t *to = (uint32_t *)a.out + cell.begin;
        codes.write(cell, [this, to](const auto &decode) { this->write_as(to, decode); });
    }

    /* False if turns do not suffice: bins are crowded, or one list has too many of the keys. */
    template <typename Counted, typename Placed>
    __device__ __forceinline__ bool put_in_order(const msd_half_cell &cell, const Counted &counted,
                                                 const Placed &placed)
    {
        keys.visit(cell.count, [&](uint32_t written) { add_to_bin(codes.half_of(cell, written)); });
        counted();
        __syncthreads();
        const bool crowded = scan_bins();
        const uint32_t longer = max(low_count, high_count);
        const bool fits = !__syncthreads_or(crowded) && longer <= MSD_HALVES_PAIRS;
        if (fits) {
            keys.visit(cell.count, [&](uint32_t written) {
                const uint32_t half = codes.half_of(cell, written);
                *(uint16_t *)((char *)s.pair + add_to_bin(half)) = (uint16_t)half;
            });
            pad(longer);
        }
        placed();
        __syncthreads();
        clear_bins();
        const auto load = [this](half_pair(&loaded)[each], uint32_t own) {
#pragma unroll
            for (unsigned i = 0; i < each; i++)
                loaded[i] = s.pair[own + i];
        };
        for (unsigned turn = 0; fits && turn < turns; turn++)
            if (transposition_turn<each, TRANSPOSITION_MORE_ROUNDS>(s.pair, longer, load,
                                                                    half_pair_order()))
                return true;
        return false;
    }

    /* Halves become codes where they are, from the last on: a code lies farther than its half. */
    __device__ __forceinline__ void widen(const msd_half_cell &cell)
    {
        constexpr unsigned batch = 8;
        uint32_t *to = memory_of(cell);
        const uint16_t *from = (const uint16_t *)to;
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
                    to[end - 1 - back] = cell.code_of(codes.half_of(cell, half[i]));
            }
        }
    }

    /* A cell with a bin for each code: counts are all that is needed. */
    template <typename Counted, typename Placed>
    __device__ __forceinline__ void count_halves(const msd_half_cell &cell, const Counted &counted,
                                                 const Placed &placed)
    {
        constexpr uint32_t bins = MSD_HALVES_BINS;
        msd_half_counts counts(s.bin, (uint16_t *)s.pair, s.warp_sums);
        counts.clear_marks();
        keys.visit(cell.count, [&](uint32_t written) {
            atomicAdd(&s.bin[((written ^ cell.turn) - cell.from) % bins], 1u);
        });
        counted();
        __syncthreads();
        placed();
        uint32_t *to = (uint32_t *)a.out + cell.begin;
        const uint32_t lead = (uint32_t)((uintptr_t)to / sizeof *to % 32);
        counts.mark(lead);
        __syncthreads();
        counts.write(to, lead, cell.count,
                     [cell](uint32_t bin) { return (bin + cell.from) ^ cell.turn; });
        __syncthreads();
    }

    /* To the other leaves. */
    __device__ __forceinline__ void file(const msd_half_cell &cell) const
    {
        if (threadIdx.x == 0)
            a.leaves[atomicAdd(&a.control->small_leaves, 1u)] = {cell.begin, cell.count | 1u << 31};
    }

    /* Of a cell with keys its number is found again by its place. */
    __device__ __forceinline__ void file_crowded(const msd_half_cell &cell) const
    {
        if (threadIdx.x == 0)
            msd_cell_list(a)[atomicAdd(&a.control->crowded_cells, 1u)] = cell.begin;
    }

    /* Cells that are leaves already have whole keys, or get them. */
    __device__ __forceinline__ void pass_on(const msd_half_cell &cell)
    {
        if (cell.count > a.small_leaf && !cell.whole)
            widen(cell);
        else if (cell.count <= a.small_leaf && cell.count > 0)
            file(cell);
    }

    __device__ __forceinline__ bool is_leaf(const msd_half_cell &cell) const
    {
        return !cell.whole && cell.count > 0 && cell.count <= a.small_leaf;
    }

    __device__ __forceinline__ msd_half_cell fetch(uint32_t number)
    {
        if (number >= 1u << a.cell_bits)
            return {};
        const msd_half_cell cell = codes.cell(number);
        if (is_leaf(cell))
            keys.load(memory_of(cell), cell.count);
        return cell;
    }

    /* Blocks take cells as they come to them: some are faster. The number of the next cell is asked
     * for while keys are counted, and its keys while they are sorted. */
    __device__ __forceinline__ void sort_cells()
    {
        clear_bins();
        __syncthreads();
        uint32_t number = blockIdx.x;
        msd_half_cell next = fetch(number);
        for (unsigned turn = 0; number < 1u << a.cell_bits; turn = 1 - turn) {
            const msd_half_cell cell = next;
            uint32_t taken = 0;
            if (threadIdx.x == 0)
                taken = atomicAdd(&a.control->cells_taken, 1u);
            const auto tell_next = [&] {
                if (threadIdx.x == 0)
                    s.next[turn] = gridDim.x + taken;
            };
            const auto fetch_next = [&] {
                number = s.next[turn];
                next = fetch(number);
            };
            if (!is_leaf(cell)) {
                pass_on(cell);
                tell_next();
                __syncthreads();
                fetch_next();
            } else if (codes.few(cell)) {
                count_halves(cell, tell_next, fetch_next);
            } else if (put_in_order(cell, tell_next, fetch_next)) {
                write(cell);
                __syncthreads();
            } else {
                file_crowded(cell);
                __syncthreads();
            }
        }
    }
};

template <typename Codes>
static __device__ __forceinline__ void msd_sort_halves(const msd_arguments &a,
                                                       msd_halves_storage &s)
{
    if (msd_is_halved(a) && (a.control->mode == MSD_VALUED) == Codes::of_numbers)
        msd_half_leaves<Codes>(a, s).sort_cells();
}

#endif
