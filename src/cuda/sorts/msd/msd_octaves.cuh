/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Segments that peel: split by their highest bits twice, nearly all keys stayed together, as most
 * keys are close to each other and a few far away, at all scales. They are split by octaves: by how
 * many bits the distance to one of the keys, about the median, has. That tells apart at once what
 * would take as many splits as a key has bytes.
 */
#ifndef CONSORT_MSD_OCTAVES_CUH
#define CONSORT_MSD_OCTAVES_CUH

#include "cuda/device/scattered.cuh"
#include "cuda/sorts/msd/msd_parts.cuh"

enum {
    MSD_FIRST_ABOVE = MSD_DIGITS / 2 /* the octave of the pivot and of the code above it */
};

/* Code to digit: the octave of the distance to a pivot, of codes below it downwards. */
template <typename K> struct msd_octave_digit {
    static constexpr bool of_keys = false;
    K pivot;

    __device__ __forceinline__ uint32_t operator()(K code) const
    {
        const K distance = code - pivot;
        const bool below = code < pivot;
        const uint32_t bits = code_bit_length((K)((below ? (K)~distance : distance) | 1));
        return below ? MSD_FIRST_ABOVE - bits : MSD_FIRST_ABOVE - 1 + bits;
    }

    __device__ __forceinline__ K moved(K code) const
    {
        return code;
    }
};

/* By what a segment is split. */
template <bool Octaves, typename K>
static __device__ __forceinline__ auto msd_split_of(const msd_segment<K> &segment)
{
    if constexpr (Octaves)
        return msd_octave_digit<K>{segment.low};
    else
        return msd_digit_of(segment);
}

/* What codes the parts from `part` to below `next` may have, if there are any. */
template <typename K>
static __device__ __forceinline__ code_range<K> msd_codes_of(const msd_linear_digit<K> &digit,
                                                             uint32_t part, uint32_t next)
{
    const K end = (K)(digit.base + (K)((K)next << digit.shift));
    return {(K)(digit.base + (K)((K)part << digit.shift)),
            next == MSD_DIGITS ? (K) ~(K)0 : (K)(end - 1)};
}

/* Octaves of no code, beyond the lowest or the highest, may be among the parts at both ends. */
template <typename K>
static __device__ __forceinline__ code_range<K> msd_codes_of(const msd_octave_digit<K> &digit,
                                                             uint32_t part, uint32_t next)
{
    const K pivot = digit.pivot;
    code_range<K> codes;
    if (part < MSD_FIRST_ABOVE) {
        const K reach = msd_ones<K>(MSD_FIRST_ABOVE - part);
        codes.low = pivot > reach ? (K)(pivot - 1 - reach) : (K)0;
    } else {
        codes.low = pivot + (part > MSD_FIRST_ABOVE ? msd_ones<K>(part - MSD_FIRST_ABOVE) + 1 : 0);
    }
    if (next < MSD_FIRST_ABOVE)
        codes.high = pivot - 2 - msd_ones<K>(MSD_FIRST_ABOVE - next);
    else
        codes.high =
            pivot + code_lower(msd_ones<K>(next - MSD_FIRST_ABOVE), (K)((K) ~(K)0 - pivot));
    return codes;
}

static __device__ __forceinline__ bool msd_is_nearly_all(uint32_t count, uint32_t of)
{
    return count > of / 8 * 7;
}

/* By a warp: about the median of a segment's keys, one of them. */
template <typename K>
static __device__ __forceinline__ K msd_choose_pivot(const msd_arguments &a,
                                                     const msd_segment<K> &segment)
{
    const uint64_t at = scattered_place(threadIdx.x, a.seed + segment.begin, segment.count);
    const K code = ((const K *)a.buffers[segment.buffer])[segment.begin + at];
    const auto from = [code](unsigned lane) {
        return code_by_words(code,
                             [=](auto word) { return __shfl_sync(0xffffffffu, word, (int)lane); });
    };
    uint32_t rank = 0;
    for (unsigned lane = 0; lane < 32; lane++) {
        const K other = from(lane);
        rank += other < code || (other == code && lane < threadIdx.x);
    }
    return from((unsigned)__ffs((int)__ballot_sync(0xffffffffu, rank == 16)) - 1);
}

/* By a block: whether the segment, whose digits are counted, waits for a split by octaves: it peels
 * once more, and one of its keys in the part that has nearly all is found. (Of 32 hardly ever half
 * are others.) */
template <typename K>
__attribute__((noinline)) static __device__ bool msd_wait_for_octaves(const msd_batch<K> &batch,
                                                                      uint32_t i)
{
    const msd_arguments &a = batch.a;
    const msd_segment<K> segment = batch.segment(i);
    bool waits = false;
    if (threadIdx.x < 32 && msd_digit_of(segment).shift > MSD_DIGIT_BITS) {
        const K pivot = msd_choose_pivot(a, segment);
        const uint32_t part = msd_digit_of(segment)(pivot);
        const uint32_t there = a.counters[i * MSD_DIGITS + part];
        waits = threadIdx.x == 0 && msd_is_nearly_all(there, segment.count) &&
                there < segment.count; /* else exact bounds help */
        if (waits) {
            a.moves[i] = MSD_WAIT;
            msd_file(a, segment.begin, segment.count, segment.buffer, pivot, pivot, MSD_OCTAVES);
            atomicOr(&a.control->octaves, 1u);
        }
    }
    return __syncthreads_or(waits) != 0;
}

#endif
