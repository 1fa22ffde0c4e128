/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Short segments among longer ones, of narrow keys alone: their networks of keys are faster than
 * words with places (segmented_runs.cuh), so that a lane sorts one, as in segmented_tiny.cuh, or
 * two lanes do, in registers. What a warp has collected goes through shared memory in whole lines.
 * Lanes without a segment, or with a short one beside long ones, take as long as others: so lanes
 * take the longest first, and networks are of 32, 16 or 8 keys.
 */
#ifndef CONSORT_SEGMENTED_PICKS_CUH
#define CONSORT_SEGMENTED_PICKS_CUH

#include "cuda/device/codes.cuh"
#include "cuda/device/placed_code.cuh"
#include "cuda/device/sort_network.cuh"
#include "cuda/device/sorting_network.cuh"
#include "cuda/sorts/segmented/segmented_collect.cuh"

static constexpr unsigned segmented_pick_items = 32; /* of a lane */
static_assert(SEGMENTED_PICK_MOST == 2 * segmented_pick_items, "two lanes sort the longest");

template <typename K> struct segmented_pick_storage {
    using word = typename compared_code<K>::type;
    word words[32 * segmented_pick_items + segmented_pick_items]; /* lanes read beyond their own */
    segmented_collect_storage<segmented_pick_items, SEGMENTED_PICK_SEGMENTS> collected;
    uint32_t eighth[SEGMENTED_PICK_SEGMENTS]; /* up to 8 keys: the place, and above it the length */
    uint32_t half[32 * segmented_pick_items / 9];   /* up to 16 keys */
    uint32_t whole[32 * segmented_pick_items / 17]; /* for a lane */
    uint32_t pair[32 * segmented_pick_items / 33];  /* for two lanes */
};

template <typename K> struct segmented_pick_warp {
    using word = typename segmented_pick_storage<K>::word;
    static constexpr bool reads_ahead = true;
    static constexpr unsigned place_bits = 16;
    static constexpr unsigned rows_at_once = 8;

    const segmented_arguments &a;
    const codes<K> codec;
    segmented_pick_storage<K> &s;
    segmented_collected<segmented_pick_items, SEGMENTED_PICK_SEGMENTS> collected;
    uint32_t eighths = 0, halves = 0, wholes = 0, pairs = 0;

    __device__ __forceinline__ segmented_pick_warp(const segmented_arguments &arguments,
                                                   segmented_pick_storage<K> &shared)
        : a(arguments), codec(arguments.codec), s(shared), collected(shared.collected)
    {
    }

    __device__ __forceinline__ uint32_t add(uint64_t begin, uint32_t length)
    {
        return collected.add(begin, length, [&](bool fits, uint32_t place) {
            const uint32_t segment = place | length << place_bits;
            note(s.eighth, eighths, fits && length <= 8, segment);
            note(s.half, halves, fits && length > 8 && length <= 16, segment);
            note(s.whole, wholes, fits && length > 16 && length <= 32, segment);
            note(s.pair, pairs, fits && length > 32, segment);
        });
    }

    /* What has been added. */
    __device__ __forceinline__ void sort()
    {
        if (collected.segments == 0)
            return;
        __syncwarp();
        const uint32_t begun = (uint32_t)__popc(s.collected.begins[threadIdx.x % 32]);
        const uint32_t before = warp_inclusive_sum(begun) - begun;
        const auto stretch = [](uint32_t) { return 0u; };
        const auto apart = [&](uint32_t row) {
            return collected.skipped(row, __shfl_sync(0xffffffffu, before, (int)row));
        };
        collected.whole ? load(stretch) : load(apart);
        sort_all();
        __syncwarp();
        collected.whole ? store(stretch) : store(apart);
        __syncwarp();
        collected.clear();
        eighths = halves = wholes = pairs = 0;
    }

  private:
    static __device__ __forceinline__ void note(uint32_t *list, uint32_t &count, bool mine,
                                                uint32_t segment)
    {
        const uint32_t those = __ballot_sync(0xffffffffu, mine);
        if (mine)
            list[count + (unsigned)__popc(those & lanemask_lt())] = segment;
        count += (unsigned)__popc(those);
    }

    /* `skipped_at(row)` says how many items of the array before this lane's item are not in the
     * tile.
     */
    template <typename SkippedAt> __device__ __forceinline__ void load(SkippedAt skipped_at)
    {
        const K *in = (const K *)a.keys[0] + collected.first;
#pragma unroll 1
        for (uint32_t done = 0; done * 32 < collected.items; done += rows_at_once) {
            K key[rows_at_once];
#pragma unroll
            for (unsigned j = 0; j < rows_at_once; j++) {
                const uint32_t place = (done + j) * 32 + threadIdx.x % 32;
                const uint32_t skipped = skipped_at(done + j);
                key[j] = place < collected.items ? in[skipped + place] : (K)0;
            }
            codec.encode_all(key);
#pragma unroll
            for (unsigned j = 0; j < rows_at_once; j++)
                s.words[(done + j) * 32 + threadIdx.x % 32] = key[j];
        }
    }

    template <typename SkippedAt> __device__ __forceinline__ void store(SkippedAt skipped_at) const
    {
        K *out = (K *)a.keys_out + collected.first;
#pragma unroll 1
        for (uint32_t done = 0; done * 32 < collected.items; done += rows_at_once) {
            K key[rows_at_once];
#pragma unroll
            for (unsigned j = 0; j < rows_at_once; j++)
                key[j] = (K)s.words[(done + j) * 32 + threadIdx.x % 32];
            codec.decode_all(key);
#pragma unroll
            for (unsigned j = 0; j < rows_at_once; j++) {
                const uint32_t place = (done + j) * 32 + threadIdx.x % 32;
                const uint32_t skipped = skipped_at(done + j);
                if (place < collected.items)
                    out[skipped + place] = key[j];
            }
        }
    }

    /* The longest first, so that few rounds have long ones. */
    __device__ __forceinline__ void sort_all()
    {
        const uint32_t longest = 2 * pairs + wholes, longer = longest + halves;
#pragma unroll 1
        for (uint32_t first = 0; first < longer + eighths; first += 32) {
            const uint32_t at = first + threadIdx.x % 32;
            uint32_t segment = 0;
            if (at < 2 * pairs)
                segment = s.pair[at / 2];
            else if (at < longest)
                segment = s.whole[at - 2 * pairs];
            else if (at < longer)
                segment = s.half[at - longest];
            else if (at < longer + eighths)
                segment = s.eighth[at - longer];
            if (first < longest)
                sort_one<segmented_pick_items>(segment, at < 2 * pairs ? 1 + at % 2 : 0);
            else if (first < longer)
                sort_one<16>(segment, 0);
            else
                sort_one<8>(segment, 0);
        }
    }

    /* One lane sorts the segment, or half of it, of which the other half is its neighbour's:
     * `part` is 0, or 1 and 2. */
    template <unsigned Count>
    __device__ __forceinline__ void sort_one(uint32_t segment, uint32_t part)
    {
        const uint32_t start = part == 2 ? Count : 0;
        const uint32_t place = (segment & ((1u << place_bits) - 1)) + start;
        const uint32_t length = segment >> place_bits, mine = length > start ? length - start : 0;
        word *own = s.words + place;
        word x[Count];
        __syncwarp();
#pragma unroll
        for (unsigned i = 0; i < Count; i++) {
            const word found = own[i];
            x[i] = i < mine ? found : ~(word)0;
        }
        odd_even_merge_sort(x);
        if constexpr (Count == segmented_pick_items)
            merge_pairs(x, part);
        __syncwarp();
#pragma unroll
        for (unsigned i = 0; i < Count; i++)
            if (i < mine)
                own[i] = x[i];
    }

    /* As in network_merge_lanes, for those lanes that have a part. */
    template <unsigned Count>
    static __device__ __forceinline__ void merge_pairs(word (&x)[Count], uint32_t part)
    {
        if (!__any_sync(0xffffffffu, part > 0))
            return;
#pragma unroll
        for (unsigned i = 0; i < Count / 2; i++) {
            const word mirrored = __shfl_xor_sync(0xffffffffu, x[Count - 1 - i], 1);
            const word other = __shfl_xor_sync(0xffffffffu, x[i], 1);
            if (part > 0) {
                x[i] = item_choose(x[i], mirrored, part == 2);
                x[Count - 1 - i] = item_choose(x[Count - 1 - i], other, part == 2);
            }
        }
        network_clean<Count / 2>(x);
    }
};

template <typename K>
static __device__ __forceinline__ void segmented_picks(const segmented_arguments &a,
                                                       segmented_pick_storage<K> *shared)
{
    if (segmented_idle(a, a.control->mixed))
        return;
    segmented_pick_warp<K> pick(a, shared[threadIdx.x / 32]);
    segmented_collect_share(a, pick);
}

#endif
