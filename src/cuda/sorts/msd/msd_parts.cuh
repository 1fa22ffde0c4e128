/* SPDX-License-Identifier: Apache-2.0 */
/* Segments that the levels split together, and parts of one: the keys of those that are one code
 * each, and which others make a leaf together. */
#ifndef CONSORT_MSD_PARTS_CUH
#define CONSORT_MSD_PARTS_CUH

#include "cuda/sorts/msd/msd_codes.cuh"

/* What the blocks of the grid agree on for one batch. */
template <typename K> struct msd_batch {
    const msd_arguments &a;
    uint32_t head, count;

    __device__ __forceinline__ msd_segment<K> &segment(uint32_t i) const
    {
        return ((msd_segment<K> *)a.queue)[(head + i) % a.queue_capacity];
    }
};

/* Parts of a segment. */
struct msd_parts {
    uint32_t starts[MSD_DIGITS + 1];
    uint32_t further[MSD_DIGITS]; /* the part that begins a leaf so many leaves behind this one */
};

template <typename K> struct msd_part_key {
    const codes<K> codec;
    K low;

    __device__ __forceinline__ K operator()(uint32_t part) const
    {
        return codec.decode((K)(low + part));
    }
};

/* Neighbouring parts make a leaf together, as many as it holds. */
static __device__ __forceinline__ uint32_t msd_leaf_end(const uint32_t *starts, uint32_t part,
                                                        uint32_t most)
{
    uint32_t low = part + 1, high = MSD_DIGITS;
    while (low < high) {
        const uint32_t middle = (low + high + 1) / 2;
        if (starts[middle] - starts[part] <= most)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

/* Sets the flags of parts that begin a leaf: the first, and where each leaf ends. In each round
 * those marked mark others twice as far away as before. */
static __device__ __forceinline__ void msd_mark_leaves(uint32_t part, uint32_t next,
                                                       uint32_t *further, uint32_t *flags)
{
    if (part < MSD_DIGITS / 32)
        flags[part] = part == 0;
    for (;;) {
        if (part < MSD_DIGITS)
            further[part] = next;
        __syncthreads();
        const bool marked = part < MSD_DIGITS && (flags[part / 32] >> part % 32 & 1);
        const bool inside = next < MSD_DIGITS;
        const uint32_t beyond = inside ? further[next] : (uint32_t)MSD_DIGITS;
        if (!__syncthreads_or(inside))
            return;
        if (marked && inside)
            atomicOr(&flags[next / 32], 1u << next % 32);
        next = beyond;
    }
}

#endif
