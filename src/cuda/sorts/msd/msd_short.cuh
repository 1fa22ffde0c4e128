/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Short lists in one launch: those of one leaf by one block, others by blocks that meet at
 * barriers. Keys whose highest digits make even parts stay in registers until all blocks know where
 * each digit begins, move once, and are sorted in leaves. Of others those of 4 and 8 bytes take
 * passes over the bytes in which they differ; wider ones come to rest as codes, and are split by
 * levels from the whole list on.
 */
#ifndef CONSORT_MSD_SHORT_CUH
#define CONSORT_MSD_SHORT_CUH

#include "cuda/sorts/lsd/lsd_resident.cuh"
#include "cuda/sorts/msd/msd_leaves.cuh"
#include "cuda/sorts/msd/msd_prefixes.cuh"
#include "cuda/sorts/msd/msd_short_digits.cuh"
#include "cuda/sorts/msd/msd_short_numbers.cuh"

enum {
    MSD_WHOLE_SAMPLE = 8 /* keys a thread of the sampling block reads */
};

/* A list that is one leaf. */
template <typename K, typename Local>
static __device__ __forceinline__ void msd_alone(const msd_arguments &a, typename Local::storage &s)
{
    Local local(a, s);
    local.load((const K *)a.in, (uint32_t)a.count);
    local.encode();
    msd_sort_leaf(local, (K *)a.out, [] {});
    msd_tell_outcome(a);
}

/* Counts of the highest digits. */
template <typename K>
static __device__ __forceinline__ uint32_t *msd_whole_digits(const msd_arguments &a)
{
    return sizeof(K) <= MSD_WHOLE_HELD_KEY_BYTES ? a.control->cell_keys : a.cells;
}

/* Keys come to rest as codes; each block notes the range of its own, and all add up their highest
 * digits. */
template <typename K, unsigned Threads>
static __device__ __forceinline__ void msd_read_codes(const msd_arguments &a, uint32_t *bins,
                                                      code_range<K> *warp_ranges)
{
    constexpr unsigned loads = 4, below = 8 * sizeof(K) - MSD_DIGIT_BITS;
    if (threadIdx.x < MSD_DIGITS)
        bins[threadIdx.x] = 0;
    __syncthreads();
    const codes<K> codec(a.codec);
    const uint32_t count = (uint32_t)a.count, stride = gridDim.x * Threads;
    code_range<K> range;
    range.clear();
    for (uint32_t first = blockIdx.x * Threads + threadIdx.x; first < count;
         first += loads * stride) {
        K code[loads];
#pragma unroll
        for (unsigned i = 0; i < loads; i++)
            code[i] = ((const K *)a.in)[min(first + i * stride, count - 1)];
#pragma unroll
        for (unsigned i = 0; i < loads; i++) {
            code[i] = codec.encode(code[i]);
            range.add(code[i]);
            if (first + i * stride >= count)
                continue;
            ((K *)a.buffers[0])[first + i * stride] = code[i];
            atomicAdd(&bins[code_window(code[i], below)], 1u);
        }
    }
    range.join_block(warp_ranges);
    if (threadIdx.x == 0)
        ((code_range<K> *)a.extremes)[blockIdx.x] = range;
    if (threadIdx.x < MSD_DIGITS && bins[threadIdx.x])
        atomicAdd(&msd_whole_digits<K>(a)[threadIdx.x], bins[threadIdx.x]);
    __syncthreads();
}

/* The same as msd_read_codes() of keys that stay in registers, too; those of 4 bytes, which levels
 * will not split, stay there only. Returns where in each digit those of the block begin, for what
 * takes them there. `cleared`: of the barrier behind which the control block is zero. */
template <typename Tile, typename K>
static __device__ __forceinline__ uint32_t msd_hold_codes(const msd_arguments &a, Tile &tile,
                                                          const msd_linear_digit<K> &digit,
                                                          uint32_t cleared,
                                                          code_range<K> *warp_ranges)
{
    const msd_whole_share share = msd_whole_share::of((uint32_t)a.count);
    tile.load((const K *)a.in + share.first, share.count);
    tile.clear_bins();
    tile.encode(msd_codec<K>(a.codec));
    if constexpr (sizeof(K) > MSD_WHOLE_HELD_KEY_BYTES) {
        code_range<K> range;
        range.clear();
        tile.for_each([&](uint32_t at, K code) {
            range.add(code);
            ((K *)a.buffers[0])[share.first + at] = code;
        });
        range.join_block(warp_ranges);
        if (threadIdx.x == 0)
            ((code_range<K> *)a.extremes)[blockIdx.x] = range;
    }
    __syncthreads();
    tile.count_keys(digit);
    grid_wait(cleared);
    return tile.find_places(msd_whole_digits<K>(a));
}

/* Whether keys that the tile holds, of few different ones, were sorted. */
template <typename K, unsigned Threads, typename Tile>
static __device__ __forceinline__ bool msd_sort_few_whole(const msd_arguments &a, const Tile &tile,
                                                          msd_few_storage<K, Threads> &s)
{
    const bool sorted =
        msd_sort_few<K, Threads>(a, tile, msd_whole_share::of((uint32_t)a.count).first, s);
    if (sorted)
        msd_tell_outcome(a);
    return sorted;
}

/* Whether the whole list was sorted by one partition and leaves, or by few keys' counts. If not,
 * wide keys rest as codes, and their range and digits are noted. Not inlined: levels would spill
 * more registers. So it finds its shared memory by itself, as additions to what a pointer points to
 * are slower. */
template <typename K, unsigned Threads, unsigned Items, typename Local>
__attribute__((noinline)) static __device__ bool msd_whole_at_once(const msd_arguments &a,
                                                                   uint32_t cleared)
{
    SHARED_DYNAMIC(storage, msd_whole_storage<K, Threads, Items, Local>);
    msd_whole_storage<K, Threads, Items, Local> &s = *storage;
    const msd_linear_digit<K> digit = {0, 8 * (uint32_t)sizeof(K) - MSD_DIGIT_BITS, MSD_DIGITS - 1};
    const uint32_t leaf_bits = msd_leaf_digit_bits(a.count, a.small_leaf);
    msd_tile<K, Threads, Items> tile(s.levels.tile);
    K sampled = 0;
    if constexpr (sizeof(K) <= MSD_WHOLE_HELD_KEY_BYTES)
        sampled = msd_few_sample<K, Threads>(a);
    const uint32_t place = msd_hold_codes(a, tile, digit, cleared, s.ranges);
    grid_barrier(&a.control->arrivals);
    if (!msd_digits_are_even<Threads>(a.small_leaf, msd_whole_digits<K>(a), leaf_bits, s.begins,
                                      s.levels.warp_sums)) {
        if constexpr (sizeof(K) <= MSD_WHOLE_HELD_KEY_BYTES)
            return msd_keys_are_few<K, Threads>(a, sampled, s.few) &&
                   msd_sort_few_whole<K, Threads>(a, tile, s.few);
        return false;
    }
    tile.note_base(place + s.begins[threadIdx.x / (Threads / MSD_DIGITS)]);
    tile.put_in_order(digit);
    __syncthreads();
    tile.write_runs(digit, (K *)a.buffers[0], tile.filled);
    grid_barrier(&a.control->arrivals);
    msd_tell_outcome(a);
    const uint32_t below = 8 * sizeof(K) - MSD_DIGIT_BITS + leaf_bits;
    msd_sort_digits<K, Local>(a, leaf_bits, s.begins, s.leaf,
                              [&](Local &local, uint32_t leaf, K *to) {
                                  local.sort_within((K)((K)leaf << below), below, to, [] {});
                                  __syncthreads();
                              });
    return true;
}

/* The same of floats, whose highest digits, their exponents, are never even: few different ones. */
template <typename K, unsigned Threads, unsigned Items, typename Local>
__attribute__((noinline)) static __device__ bool msd_whole_of_few(const msd_arguments &a, K sampled)
{
    SHARED_DYNAMIC(storage, msd_whole_storage<K, Threads, Items, Local>);
    if (!msd_keys_are_few<K, Threads>(a, sampled, storage->few))
        return false;
    msd_tile<K, Threads, Items> tile(storage->levels.tile);
    const msd_whole_share share = msd_whole_share::of((uint32_t)a.count);
    tile.load((const K *)a.in + share.first, share.count);
    tile.encode(msd_codec<K>(a.codec));
    return msd_sort_few_whole<K, Threads>(a, tile, storage->few);
}

/* Whether the whole list of floats was sorted at once. */
template <typename K, unsigned Threads, unsigned Items, typename Local>
static __device__ __forceinline__ bool msd_whole_of_floats(const msd_arguments &a, uint32_t cleared)
{
    const K sampled = msd_few_sample<K, Threads>(a);
    grid_wait(cleared);
    if (msd_whole_of_few<K, Threads, Items, Local>(a, sampled))
        return true;
    return msd_whole_of_numbers<K, Threads, Items, Local>(a, sampled);
}

/* By one block: where keys fill their type's range, their highest digits are those that split the
 * list, and all is known for that. False if they do not, or crowd in few of the parts. */
template <typename K, unsigned Threads, unsigned Items>
static __device__ __forceinline__ bool msd_plan_whole(const msd_arguments &a,
                                                      const code_range<K> &range,
                                                      msd_levels_storage<K, Threads, Items> &s)
{
    const uint32_t count = threadIdx.x < MSD_DIGITS ? msd_whole_digits<K>(a)[threadIdx.x] : 0;
    const uint32_t crowd = count > 2 * a.small_leaf ? count : 0;
    const uint32_t before = block_exclusive_sum_256(crowd, s.warp_sums);
    const bool crowded =
        __syncthreads_or(threadIdx.x == MSD_DIGITS - 1 && before + crowd > a.count / 8);
    if (crowded || code_bit_length((K)(range.low ^ range.high)) < 8 * sizeof(K))
        return false;
    const msd_segment<K> all = {0, (K) ~(K)0, 0, (uint32_t)a.count, 0, 0};
    if (threadIdx.x == 0) {
        ((msd_segment<K> *)a.queue)[0] = all;
        a.control->queue_head = a.control->queue_tail = 1;
        a.control->mode = MSD_DIRECT;
    }
    __syncthreads();
    msd_divide_segment<false>(msd_batch<K>{a, 0, 1}, 0, all, count, range, s);
    return true;
}

/* The number-th of the keys of a short list that a thread samples. */
template <typename K, unsigned Threads>
static __device__ __forceinline__ K msd_sampled_code(const msd_arguments &a, unsigned number)
{
    const uint64_t at = msd_sample_place(a.count, a.seed, number * Threads + threadIdx.x,
                                         Threads * MSD_WHOLE_SAMPLE, 1);
    return ((const K *)a.buffers[0])[min(at, a.count - 1)];
}

/* By the block that sampled and filled bins: whether splits by 8 bits would peel a few of the
 * sampled keys off twice, and leave nearly all together. */
template <typename K, unsigned Threads>
static __device__ __forceinline__ bool msd_peels(const msd_arguments &a, K base, uint32_t shift,
                                                 msd_skew_storage &s)
{
    constexpr uint32_t samples = Threads * MSD_WHOLE_SAMPLE, most = samples / 8 * 7;
    const uint32_t together = threadIdx.x < MSD_DIGITS ? s.bins[threadIdx.x] : 0;
    const bool heavy = together > most && together < samples;
    if (!__syncthreads_or(heavy) || shift <= 2 * MSD_DIGIT_BITS)
        return false;
    if (heavy)
        s.heavy = threadIdx.x;
    if (threadIdx.x < MSD_DIGITS)
        s.low[threadIdx.x] = 0;
    __syncthreads();
    const uint32_t kept = s.bins[s.heavy];
    for (unsigned i = 0; i < MSD_WHOLE_SAMPLE; i++) {
        const K distance = msd_sampled_code<K, Threads>(a, i) - base;
        if (code_window(distance, shift) == s.heavy)
            atomicAdd(&s.low[code_window(distance, shift - MSD_DIGIT_BITS) % MSD_LOW_BINS], 1u);
    }
    __syncthreads();
    const uint32_t again = threadIdx.x < MSD_LOW_BINS ? s.low[threadIdx.x] : 0;
    return __syncthreads_or(again > most && again < kept) != 0;
}

/* By one block: the whole list is the first segment, or it is left to passes. Not inlined: it would
 * take registers from the rest. The sample's memory is where the block's begins. */
template <typename K, unsigned Threads>
__attribute__((noinline)) static __device__ void msd_file_whole(const msd_arguments &a,
                                                                const code_range<K> &range)
{
    SHARED_DYNAMIC(storage, msd_skew_storage);
    msd_skew_storage &skew = *storage;
    constexpr unsigned each = MSD_WHOLE_SAMPLE, samples = Threads * each;
    const uint32_t count = (uint32_t)a.count;
    K code[each];
#pragma unroll
    for (unsigned i = 0; i < each; i++)
        code[i] = msd_sampled_code<K, Threads>(a, i);
    const uint32_t bits = code_bit_length((K)(range.high - range.low));
    const msd_scale scale = {bits > MSD_DIGIT_BITS ? bits - MSD_DIGIT_BITS : 0,
                             (uint32_t)((uint64_t)2 * a.small_leaf * samples / count),
                             samples / 16 * 15};
    const bool passes = msd_wants_passes<K, Threads, each>(a, code, range.low, scale, skew) ||
                        msd_peels<K, Threads>(a, range.low, scale.shift, skew);
    if (threadIdx.x == 0 && passes)
        a.control->mode = MSD_PASSES;
    else if (threadIdx.x == 0)
        msd_file(a, 0, count, 0, range.low, range.high);
}

template <typename K, unsigned Threads, unsigned Items, typename Local>
static __device__ __forceinline__ void msd_whole(const msd_arguments &a,
                                                 const lsd_arguments &passes,
                                                 msd_whole_storage<K, Threads, Items, Local> &s)
{
    const bool floats = (a.codec.magnitude[0] | a.codec.magnitude[1]) != 0;
    const bool held = lsd_is_resident(passes, Threads * Items);
    const bool numbers = floats && held && sizeof(K) <= MSD_WHOLE_HELD_KEY_BYTES;
    grid_clear(a.control, sizeof(K) <= MSD_WHOLE_HELD_KEY_BYTES ? passes.lookback
                                                                : passes.lookback + MSD_DIGITS);
    const uint32_t cleared = grid_arrive();
    if (!floats && held) {
        if (msd_whole_at_once<K, Threads, Items, Local>(a, cleared))
            return;
    } else if (!numbers) {
        grid_wait(cleared);
    }
    if constexpr (sizeof(K) <= MSD_WHOLE_HELD_KEY_BYTES) {
        if (numbers && msd_whole_of_floats<K, Threads, Items, Local>(a, cleared))
            return;
        if (held) {
            lsd_resident<K, 0, Threads, Items>(passes, &a.control->arrivals, s.passes.tile)
                .sort([] {});
            return;
        }
    }
    if (floats || !held) {
        msd_read_codes<K, Threads>(a, s.levels.bins, s.ranges);
        grid_barrier(&a.control->arrivals);
    }
    if (blockIdx.x == 0) {
        const code_range<K> range = msd_range_of_blocks<K, Threads>(a, 0, gridDim.x, s.ranges);
        if (!msd_plan_whole<K, Threads, Items>(a, range, s.levels))
            msd_file_whole<K, Threads>(a, range);
    }
    grid_barrier(&a.control->arrivals);
    if (a.control->mode == MSD_PASSES) {
        msd_run_passes<K, Threads, Items>(passes, &a.control->arrivals, s.passes);
        if constexpr (sizeof(K) == MSD_CUT_KEY_BYTES)
            if (passes.control->cut) {
                grid_barrier(&a.control->arrivals);
                msd_finish_runs<K>(a, passes);
            }
        if (a.control->mode == MSD_PASSES)
            return;
    }
    msd_levels<false, K, Threads, Items>(a, a.control->mode == MSD_DIRECT, s.levels);
    msd_tell_outcome(a);
    __syncthreads();
    Local local(a, s.leaf);
    msd_sort_small<K>(a, local, msd_output<K>{(K *)a.out});
}

#endif
