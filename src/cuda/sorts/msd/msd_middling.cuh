/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Middling lists of 4-byte keys, in the launch that else samples, counts and plans. Floats are
 * asked first whether their numbers are even, or few (msd_middling_numbers.cuh). While one block
 * samples, the others hold all keys in their registers and count the highest bits of their codes,
 * as many as tell cells apart. If cells are even keys move there at once, by one partition, and
 * leaves are all that is left; if few keys differ, their counts are; if passes are to sort, the
 * first of them moves keys at once, too. If nothing of that, nothing has moved, the sample is
 * known, and all goes on as in longer lists.
 *
 * Up to 2^22 keys are one tile for each multiprocessor of an H200 but one.
 */
#ifndef CONSORT_MSD_MIDDLING_CUH
#define CONSORT_MSD_MIDDLING_CUH

#include "cuda/sorts/msd/msd_middling_numbers.cuh"
#include "cuda/sorts/msd/msd_middling_passes.cuh"

/* By the block without keys: where cells end, and which wait for large leaves. */
template <typename K>
static __device__ __forceinline__ void msd_note_cells(const msd_arguments &a,
                                                      const msd_linear_digit<K> &digit,
                                                      const msd_middling_cell &cell)
{
    const uint32_t number = threadIdx.x;
    if (number < 1u << a.cell_bits) {
        a.cells[number] = cell.begin + cell.count;
        const K low = (K)((K)number << digit.shift);
        if (cell.count > a.small_leaf)
            msd_file(a, cell.begin, cell.count, 1, low, (K)(low + msd_ones<K>(digit.shift)));
    }
    if (threadIdx.x == 0) {
        code_to_words(digit.base, a.control->base);
        a.control->shift = digit.shift;
        a.control->mode = MSD_MOVED;
    }
}

/* By the block without keys, of a larger sample: whether cells are to hold one code each, and
 * whether keys are few. Any others that are uneven passes sort. (H200, 2^22 u32: Gaussian keys by
 * cells of their range 129 µs, by passes 106.) */
template <typename K>
static __device__ __forceinline__ void
msd_look_at_middling(const msd_arguments &a, uint32_t cleared, msd_middling_storage<K> &s)
{
    const msd_sampled<K> sampled(a, s.front.sample.warps, [] {});
    grid_wait(cleared);
    const bool few = s.few.few.seem_few(sampled.code[0]);
    if (threadIdx.x == 0) {
        const bool counted = msd_choose_cells(a, sampled.range, sampled.varying) && !few;
        a.control->crowd = !counted && a.passes != MSD_NEVER;
        a.control->many = a.control->crowd && !few;
        if (!counted)
            a.control->counted = 0;
    }
}

/* What a few keys, the same for all blocks, say of all. */
template <typename K> struct msd_middling_guess {
    bool uneven;     /* cells are, of codes, and it takes passes */
    uint32_t lowest; /* digit in which keys differ */

    /* A 16th of all codes has nearly twice as many of them as it should have, or it is known
     * already; but where they differ in few bits cells will have one code each. */
    static __device__ __forceinline__ msd_middling_guess of(const msd_arguments &a, K code,
                                                            bool known,
                                                            msd_middling_guess_storage<K> &s)
    {
        constexpr unsigned parts = MSD_SAMPLE_PARTS, part_bits = 4;
        static_assert(1u << part_bits == parts, "by so many bits");
        if (threadIdx.x < parts)
            s.parts[threadIdx.x] = 0;
        if (threadIdx.x < sizeof(K) / 4)
            s.varying[threadIdx.x] = 0;
        __syncthreads();
        atomicAdd(&s.parts[code >> (8 * sizeof(K) - part_bits)], 1u);
        const K first =
            code_by_words(code, [](auto word) { return __shfl_sync(0xffffffffu, word, 0); });
        const uint32_t varying = (uint32_t)code_any_of_block((K)(code ^ first), s.varying);
        const bool uneven = !msd_parts_are_even<MSD_MIDDLING_THREADS>(s.parts) || known;
        return {uneven && (uint32_t)__popc(varying) > a.counted_bits,
                varying ? ((uint32_t)__ffs((int)varying) - 1) / LSD_DIGIT_BITS : 0};
    }
};

/* By all blocks, which know what all have counted: by their counts if they are few, by passes, or
 * as longer lists. `digit`, by which the tile is in order if digits were counted: of the first
 * pass. */
template <typename K>
static __device__ __forceinline__ void
msd_sort_uneven_tile(const msd_arguments &a, const lsd_arguments &passes,
                     msd_middling_tile<K> &tile, msd_linear_digit<K> digit, uint32_t place,
                     msd_middling_storage<K> &s)
{
    constexpr uint32_t threads = MSD_MIDDLING_THREADS;
    msd_control *control = a.control;
    if (!control->many && msd_keys_are_few<K, threads>(a, msd_few_sample<K, threads>(a), s.few) &&
        msd_sort_few_middling(a, tile, s))
        return;
    if (control->many && control->uneven) {
        digit.shift = LSD_DIGIT_BITS * (control->uneven - 1); /* the block without keys hears it */
        msd_begin_passes<K>(a, passes, tile, digit, place, s.front.digits);
    } else {
        msd_front_behind_sample<K>(a, passes, s.front);
    }
}

template <typename K>
static __device__ __forceinline__ void
msd_middling(const msd_arguments &a, const lsd_arguments &passes, msd_middling_storage<K> &s)
{
    constexpr uint32_t threads = MSD_MIDDLING_THREADS;
    static_assert(threads == MSD_HISTOGRAM_THREADS && threads == MSD_MIDDLING_CELLS,
                  "a thread for each cell");
    const msd_linear_digit<K> cell_of = {0, 8 * (uint32_t)sizeof(K) - a.cell_bits,
                                         (1u << a.cell_bits) - 1};
    msd_control *control = a.control;
    uint32_t cleared = msd_clear_tables(a);
    const bool numbers = msd_are_held_numbers(a);
    if (numbers) {
        const msd_seen_numbers<K> seen = msd_seen_numbers<K>::of(a, s);
        if ((seen.few || seen.even) && msd_middling_of_numbers<K>(a, seen, &cleared))
            return;
    }
    msd_linear_digit<K> digit = {0, 0, LSD_BINS - 1}; /* of the first pass */
    msd_middling_tile<K> tile(s.tile);
    uint32_t place = 0;
    bool uneven = false;
    if (blockIdx.x == 0) {
        msd_look_at_middling<K>(a, cleared, s);
    } else {
        const msd_middling_share share = msd_middling_share::of(a);
        tile.load((const K *)a.in + share.first, share.count);
        const K sampled = msd_few_sample<K, threads>(a);
        const msd_codec<K> codec(a.codec);
        const msd_middling_guess<K> guess =
            msd_middling_guess<K>::of(a, codes<K>(a.codec).encode(sampled), numbers, s.guess);
        digit.shift = LSD_DIGIT_BITS * guess.lowest;
        uneven = guess.uneven;
        tile.encode(codec);
        if (uneven) {
            place = msd_count_passes<K>(a, tile, digit, cleared, s.front.digits);
            if (threadIdx.x == 0)
                store_relaxed(&control->uneven, guess.lowest + 1);
        } else {
            tile.clear_bins();
            __syncthreads();
            tile.count_keys(cell_of);
            grid_wait(cleared);
            place = tile.find_places(control->cell_keys);
        }
    }
    const uint32_t counted = grid_arrive(&control->arrivals);
    if (uneven)
        tile.put_in_order(digit);
    grid_wait(&control->arrivals, counted);
    msd_middling_cell cell;
    if (control->counted)
        return msd_front_behind_sample<K>(a, passes, s.front);
    if (control->uneven || !msd_cells_are_even(a, cell, s.tile.warp_sums))
        return msd_sort_uneven_tile<K>(a, passes, tile, digit, place, s);
    if (blockIdx.x == 0)
        return msd_note_cells(a, cell_of, cell);
    tile.note_base(place + cell.begin);
    tile.put_in_order(cell_of);
    __syncthreads();
    tile.write_runs(cell_of, (K *)a.buffers[1], tile.filled);
}

#endif
