/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Keys that are counted one by one: where the bits in which they differ are few, wherever they
 * are, or their range is short, or they are few different ones, a cell of the histogram holds one
 * code, and counts are all that is needed to write the result. The sample tells; that no key is
 * another the histogram finds.
 */
#ifndef CONSORT_MSD_COUNTED_CUH
#define CONSORT_MSD_COUNTED_CUH

#include "cuda/device/expansion.cuh"
#include "cuda/device/few_codes.cuh"
#include "cuda/device/flag.cuh"
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

/* A key without a cell of its own; false if there are too many codes of such. Most often there is
 * one: of f32 with a constant upper half one code in 65 536 has more than 16 other bits, and 2^24
 * keys have it 256 times. */
template <typename K>
static __device__ __forceinline__ bool msd_note_stray(msd_control *control, K code)
{
    if (load_relaxed(&control->strays) > MSD_STRAYS)
        return false;
    for (unsigned i = 0; i < MSD_STRAYS; i++) {
        msd_stray &stray = control->found[i];
        if (atomicCAS(&stray.known, 0u, (uint32_t)MSD_STRAY_TAKEN) == 0) {
            atomicAdd(&control->strays, 1u);
            code_to_words(code, stray.code);
            flag_publish_release(&stray.known, (uint32_t)MSD_STRAY_KNOWN);
        }
        while (flag_poll_acquire(&stray.known) != MSD_STRAY_KNOWN)
            spin_pause(32);
        if (code_from_words<K>(stray.code) == code) {
            atomicAdd(&stray.keys, 1u);
            return true;
        }
    }
    atomicAdd(&control->strays, (uint32_t)MSD_STRAYS + 1);
    return false;
}

/* Bits of a cell's number. */
static __device__ __forceinline__ uint32_t msd_single_bits(const msd_arguments &a)
{
    return a.control->counted == MSD_RANKED ? (uint32_t)FEW_CODE_BITS : a.counted_bits;
}

/* The code that a cell holds. */
template <typename K> struct msd_counted_code {
    const msd_gathered<K> gathered;
    const K base;
    const uint32_t how;

    __device__ __forceinline__ explicit msd_counted_code(const msd_control *control)
        : gathered(control), base(code_from_words<K>(control->rest)), how(control->counted)
    {
    }

    __device__ __forceinline__ K operator()(uint32_t cell) const
    {
        if (how == MSD_RANKED)
            return code_from_words<K>(gathered.control->few[cell]);
        return (K)(base + (how == MSD_GATHERED ? gathered.bits_of(cell) : (K)cell));
    }
};

template <typename K> struct msd_counted_key {
    const msd_counted_code<K> code_of;
    const codes<K> codec;

    __device__ __forceinline__ explicit msd_counted_key(const msd_arguments &a)
        : code_of(a.control), codec(a.codec)
    {
    }

    __device__ __forceinline__ K operator()(uint32_t cell) const
    {
        return codec.decode(code_of(cell));
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
    const msd_counted_code<K> code_of(control);
    const K code = code_from_words<K>(control->found[threadIdx.x].code);
    const uint32_t bits = control->counted == MSD_RANKED
                              ? (uint32_t)FEW_CODE_BITS
                              : msd_bit_count(code_from_words<K>(control->varying));
    uint32_t rank = 0, low = 0, high = 1u << bits; /* later cells repeat the codes of these */
    for (uint32_t i = 0; i < strays; i++)
        rank += code_from_words<K>(control->found[i].code) < code;
    while (low < high) {
        const uint32_t middle = (low + high) / 2;
        if (code_of(middle) > code)
            high = middle;
        else
            low = middle + 1;
    }
    control->stray[rank] = control->found[threadIdx.x];
    control->stray[rank].place = a.singles[low];
}

/* By all threads of the grid. */
template <typename K>
static __device__ __forceinline__ void msd_write_repeated(K *out, uint32_t count, K key)
{
    for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
        out[i] = key;
}

/* Counts have become places; strays stand between, and move those behind. `near`: EXPANSION_NEAR
 * words of shared memory for each warp. */
template <typename K>
static __device__ __forceinline__ void msd_write_counted(const msd_arguments &a, uint32_t *near)
{
    const msd_control *control = a.control;
    const uint32_t cells = 1u << msd_single_bits(a), strays = control->strays;
    const uint32_t warps = blockDim.x / 32, warp = blockIdx.x * warps + threadIdx.x / 32;
    expansion<K, uint32_t, msd_counted_key<K>> all = {(K *)a.out, a.singles + 1, cells - 1,
                                                      msd_counted_key<K>(a), near};
    uint32_t from = 0;
    for (uint32_t i = 0; i < strays; i++) {
        const msd_stray &stray = control->stray[i];
        all.write(from, stray.place, warp, gridDim.x * warps);
        from = stray.place;
        msd_write_repeated(all.keys + from, stray.keys,
                           all.key_of.codec.decode(code_from_words<K>(stray.code)));
        all.keys += stray.keys;
    }
    all.write(from, a.singles[cells], warp, gridDim.x * warps);
}

#endif
