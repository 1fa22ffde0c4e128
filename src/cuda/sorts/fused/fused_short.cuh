/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Short lists in one launch, whose blocks meet at barriers. Keys become words, which stay in
 * registers until all blocks know where each highest digit begins, move once, and are sorted in
 * leaves; values are fetched by their places as the result is written. Keys whose digits are
 * uneven, floats among them, take the passes of `lsd`, with their values.
 */
#ifndef CONSORT_FUSED_SHORT_CUH
#define CONSORT_FUSED_SHORT_CUH

#include "cuda/device/values.cuh"
#include "cuda/sorts/fused/fused_words.cuh"
#include "cuda/sorts/lsd/lsd_resident.cuh"
#include "cuda/sorts/msd/msd_short_digits.cuh"

enum {
    FUSED_VALUE_BYTES = 4 /* of a value, or an index */
};

template <unsigned Threads, unsigned Items, typename Leaf> struct fused_short_storage {
    union {
        typename msd_tile<uint64_t, Threads, Items>::storage tile;
        msd_passes_storage<uint32_t, Threads, Items, FUSED_VALUE_BYTES> passes;
        typename Leaf::storage leaf;
    };
    uint32_t begins[MSD_DIGITS + 1]; /* of digits */
    uint32_t warp_sums[Threads / 32];
};

/* Sorted words stay where they are: what is written is not they. */
struct fused_kept {
};

static __device__ __forceinline__ void msd_put(const fused_kept &, uint32_t, uint64_t)
{
}

/* Keys and values of a sorted leaf. Values that are written over where they are read, by other
 * blocks, are all read first: `together`, each block has one leaf. */
template <typename Leaf>
static __device__ __forceinline__ void
fused_write_list(const fused_short_arguments &a, const Leaf &leaf, uint32_t begin, bool together)
{
    constexpr unsigned threads = Leaf::keys / Leaf::items;
    const lsd_arguments &list = a.list;
    uint32_t code[Leaf::items], value[Leaf::items];
#pragma unroll
    for (unsigned i = 0; i < Leaf::items; i++) {
        const uint64_t word = leaf.s.key[i * threads + threadIdx.x];
        code[i] = (uint32_t)(word >> FUSED_KEY_BITS);
        value[i] = (uint32_t)word >> a.shift;
    }
    if (list.value_mode == LSD_VALUES_MOVED) {
        const value_reader<FUSED_VALUE_BYTES> in(list.values_in);
#pragma unroll
        for (unsigned i = 0; i < Leaf::items; i++)
            if (i * threads + threadIdx.x < leaf.count)
                value[i] = in.at(value[i]);
    }
    if (together)
        grid_barrier(&a.control->arrivals);
    const codes<uint32_t> codec(list.codec);
    const value_writer<FUSED_VALUE_BYTES> out(list.values_out);
    uint32_t *keys = (uint32_t *)list.keys_out;
#pragma unroll
    for (unsigned i = 0; i < Leaf::items; i++) {
        const uint32_t at = i * threads + threadIdx.x;
        if (at < leaf.count && keys)
            keys[begin + at] = codec.decode(code[i]);
        if (at < leaf.count)
            out.put(begin + at, value[i]);
    }
}

template <typename Leaf>
static __device__ __forceinline__ void fused_sort_digits(const fused_short_arguments &a,
                                                         uint32_t leaf_bits, const uint32_t *begins,
                                                         typename Leaf::storage &s)
{
    const uint32_t leaves = (uint32_t)MSD_DIGITS >> leaf_bits;
    const uint32_t below = 8 * sizeof(uint64_t) - MSD_DIGIT_BITS + leaf_bits;
    const bool together = a.list.in_place;
    code_constants as_they_are = {};
    as_they_are.identity = 1;
    Leaf leaf(as_they_are, s);
    for (uint32_t number = blockIdx.x; number < leaves; number += gridDim.x) {
        const uint32_t begin = begins[number << leaf_bits];
        leaf.load(a.words + begin, begins[(number + 1) << leaf_bits] - begin);
        leaf.sort_within((uint64_t)number << below, below, fused_kept(), [] {});
        fused_write_list(a, leaf, begin, together);
        __syncthreads();
    }
    if (together && blockIdx.x >= leaves)
        grid_barrier(&a.control->arrivals);
}

/* All blocks sample the same keys, a thread one. */
template <unsigned Threads>
static __device__ __forceinline__ uint32_t fused_sample(const fused_short_arguments &a)
{
    const uint64_t count = a.list.count;
    const uint64_t at = msd_sample_place(count, a.seed, threadIdx.x, Threads, 1);
    return ((const uint32_t *)a.list.keys_in)[min(at, count - 1)];
}

/* Whether their codes seem even. Behind a barrier since `parts` are zero. */
template <unsigned Threads>
static __device__ __forceinline__ bool fused_seem_even(uint32_t sampled, uint32_t *parts)
{
    atomicAdd(&parts[sampled / (0xffffffffu / MSD_SAMPLE_PARTS + 1)], 1u);
    return msd_parts_are_even<Threads>(parts);
}

/* Whether the list was sorted so. Not inlined, as its registers would be spilled elsewhere; so it
 * finds its shared memory by itself. `cleared`: of the barrier behind which the control blocks are
 * zero. */
template <unsigned Threads, unsigned Items, typename Leaf>
__attribute__((noinline)) static __device__ bool fused_short_words(const fused_short_arguments &a,
                                                                   uint32_t cleared)
{
    using shared = fused_short_storage<Threads, Items, Leaf>;
    SHARED_DYNAMIC(storage, shared);
    const msd_linear_digit<uint64_t> digit = {0, 8 * sizeof(uint64_t) - MSD_DIGIT_BITS,
                                              MSD_DIGITS - 1};
    const uint32_t leaf_bits = msd_leaf_digit_bits(a.list.count, a.leaf);
    const msd_whole_share share = msd_whole_share::of((uint32_t)a.list.count);
    const msd_codec<uint32_t> codec(a.list.codec);
    msd_tile<uint64_t, Threads, Items> tile(storage->tile);
    const uint32_t sampled = fused_sample<Threads>(a);
    tile.load(fused_input(a.list.keys_in, share.first, a.shift), share.count);
    if (threadIdx.x < MSD_SAMPLE_PARTS)
        storage->begins[threadIdx.x] = 0;
    tile.clear_bins();
    __syncthreads();
    bool even = fused_seem_even<Threads>(codec.encode(sampled), storage->begins);
    fused_encode(codec, tile.code);
    uint32_t place = 0;
    if (even)
        tile.count_keys(digit);
    grid_wait(cleared);
    if (even) {
        place = tile.find_places(a.control->digits);
        grid_barrier(&a.control->arrivals);
        even = msd_digits_are_even<Threads>(a.leaf, a.control->digits, leaf_bits, storage->begins,
                                            storage->warp_sums);
    }
    if (!even)
        return false;
    tile.note_base(place + storage->begins[threadIdx.x / (Threads / MSD_DIGITS)]);
    tile.put_in_order(digit);
    __syncthreads();
    tile.write_runs(digit, a.words, tile.filled);
    grid_barrier(&a.control->arrivals);
    fused_sort_digits<Leaf>(a, leaf_bits, storage->begins, storage->leaf);
    return true;
}

/* Whether words may sort a list that the blocks hold: its highest digits may be even, and values
 * are not written over before they are read. */
static __device__ __forceinline__ bool fused_may_have_words(const fused_short_arguments &a)
{
    const lsd_arguments &list = a.list;
    if ((list.codec.magnitude[0] | list.codec.magnitude[1]) != 0)
        return false;
    return !list.in_place ||
           gridDim.x >= (uint32_t)MSD_DIGITS >> msd_leaf_digit_bits(list.count, a.leaf);
}

template <unsigned Threads, unsigned Items, typename Leaf>
static __device__ __forceinline__ void fused_short(const fused_short_arguments &a,
                                                   fused_short_storage<Threads, Items, Leaf> &s)
{
    uint32_t *arrivals = &a.control->arrivals;
    const bool held = lsd_is_resident(a.list, Threads * Items);
    const bool words = held && fused_may_have_words(a);
    grid_clear(a.control, a.list.lookback);
    const uint32_t cleared = grid_arrive();
    if (words) {
        if (fused_short_words<Threads, Items, Leaf>(a, cleared)) {
            if (blockIdx.x == 0 && threadIdx.x == 0)
                lsd_tell_outcome(a.list, 1);
            return;
        }
    } else {
        grid_wait(cleared);
    }
    if (!held) {
        msd_run_passes<uint32_t, Threads, Items, FUSED_VALUE_BYTES>(a.list, arrivals, s.passes);
        return;
    }
    lsd_resident<uint32_t, FUSED_VALUE_BYTES, Threads, Items>(a.list, arrivals, s.passes.tile)
        .sort([] {});
}

#endif
