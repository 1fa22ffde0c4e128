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
#pragma unroll 1
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

/* A key without a cell of its own; false if there are too many of them. */
template <typename K>
static __device__ __forceinline__ bool msd_note_stray(msd_control *control, K code)
{
    if (load_relaxed(&control->strays) > MSD_STRAYS)
        return false;
    const uint32_t at = atomicAdd(&control->strays, 1u);
    if (at < MSD_STRAYS)
        code_to_words(code, control->found[at].code);
    return at < MSD_STRAYS;
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

/* By a block, when counts have become places: the order of strays, and where they belong. */
template <typename K>
static __device__ __forceinline__ void msd_place_strays(const msd_arguments &a)
{
    msd_control *control = a.control;
    const uint32_t strays = control->strays;
    if (threadIdx.x >= strays)
        return;
    const msd_gathered<K> gathered(control);
    const K base = code_from_words<K>(control->rest);
    const K code = code_from_words<K>(control->found[threadIdx.x].code);
    const uint32_t bits = msd_bit_count(code_from_words<K>(control->varying));
    uint32_t rank = 0, low = 0, high = 1u << bits; /* later cells repeat the codes of these */
    for (uint32_t i = 0; i < strays; i++) {
        const K other = code_from_words<K>(control->found[i].code);
        rank += other < code || (other == code && i < threadIdx.x);
    }
    while (low < high) {
        const uint32_t middle = (low + high) / 2;
        if ((K)(base | gathered.bits_of(middle)) > code)
            high = middle;
        else
            low = middle + 1;
    }
    control->stray[rank].place = a.singles[low];
    code_to_words(code, control->stray[rank].code);
}

/* Counts have become places; strays stand between, each of which moves those behind by one. */
template <typename K>
static __device__ __forceinline__ void msd_write_counted(const msd_arguments &a)
{
    const msd_control *control = a.control;
    const uint32_t strays = control->strays;
    const uint32_t warps = blockDim.x / 32, warp = blockIdx.x * warps + threadIdx.x / 32;
    expansion<K, uint32_t, msd_counted_key<K>> all = {
        (K *)a.out, a.singles + 1, (1u << a.counted_bits) - 1, msd_counted_key<K>(a)};
    uint32_t from = 0;
    for (uint32_t i = 0; i <= strays; i++, all.keys++) {
        const uint32_t to = i < strays ? control->stray[i].place : (uint32_t)a.count - strays;
        all.write(from, to, warp, gridDim.x * warps);
        if (i < strays && blockIdx.x == 0 && threadIdx.x == 0)
            all.keys[to] = all.key_of.codec.decode(code_from_words<K>(control->stray[i].code));
        from = to;
    }
}

#endif
