/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Keys that are counted one by one: where the bits in which they differ are few, wherever they
 * are, or their range is short, a cell of the histogram holds one code, and counts are all that is
 * needed to write the result. The sample tells; that no key differs elsewhere the histogram finds.
 */
#ifndef CONSORT_MSD_COUNTED_CUH
#define CONSORT_MSD_COUNTED_CUH

#include "cuda/device/expansion.cuh"
#include "cuda/sorts/msd/msd_codes.cuh"

/* Between codes and the bits in which they differ, moved together; two stretches of such bits stay
 * in registers. */
template <typename K> struct msd_gathered {
    const msd_control *control;
    const uint32_t runs;
    const msd_run first, second;

    __device__ __forceinline__ explicit msd_gathered(const msd_control *from)
        : control(from), runs(from->runs), first(from->run[0]), second(from->run[1])
    {
    }

    __device__ __forceinline__ uint32_t cell_of(K code) const
    {
        uint32_t cell = (code_window(code, first.shift) & first.mask) |
                        (code_window(code, second.shift) & second.mask);
        for (unsigned i = 2; i < runs; i++)
            cell |= code_window(code, control->run[i].shift) & control->run[i].mask;
        return cell;
    }

    __device__ __forceinline__ K bits_of(uint32_t cell) const
    {
        K bits = 0;
        for (unsigned i = 0; i < runs; i++)
            bits |= (K)((K)(cell & control->run[i].mask) << control->run[i].shift);
        return bits;
    }
};

/* By one thread: the stretches of `varying`, of which at most MSD_CELL_BITS bits are set. */
template <typename K>
static __device__ __forceinline__ void msd_find_runs(msd_control *control, K varying)
{
    uint32_t runs = 0, cell_bit = 0;
    msd_run run = {0, 0};
    for (uint32_t bit = 0; bit < 8 * sizeof(K); bit++, varying = (K)(varying >> 1)) {
        if (!(varying & 1))
            continue;
        const uint32_t shift = bit - cell_bit;
        if (run.mask == 0 || shift != run.shift)
            run = {shift, 0};
        runs += run.mask == 0;
        run.mask |= 1u << cell_bit++;
        control->run[runs - 1] = run;
    }
    control->runs = runs;
}

template <typename K> static __device__ __forceinline__ uint32_t msd_bit_count(K code)
{
    uint32_t bits = 0;
    for (; code; code &= (K)(code - 1))
        bits++;
    return bits;
}

template <typename K> struct msd_counted_key {
    const msd_gathered<K> gathered;
    const codes<K> codec;
    const K base;
    const bool scattered;

    __device__ __forceinline__ explicit msd_counted_key(const msd_arguments &a)
        : gathered(a.control), codec(a.codec), base(code_from_words<K>(a.control->rest)),
          scattered(a.control->counted == MSD_GATHERED)
    {
    }

    __device__ __forceinline__ K operator()(uint32_t cell) const
    {
        return codec.decode((K)(base + (scattered ? gathered.bits_of(cell) : (K)cell)));
    }
};

/* Counts have become places. */
template <typename K>
static __device__ __forceinline__ void msd_write_counted(const msd_arguments &a)
{
    const expansion<K, uint32_t, msd_counted_key<K>> all = {
        (K *)a.out, a.singles + 1, (1u << a.counted_bits) - 1, msd_counted_key<K>(a)};
    all.write_all(a.count);
}

#endif
