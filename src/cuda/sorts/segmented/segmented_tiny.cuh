/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Segments that one thread sorts in registers. A warp takes 128 segments in order, 32 at a time,
 * copies what is tiny of them through shared memory in whole lines, and each lane sorts its own;
 * those of one length as in segmented_even.cuh, the shortest 128 at once. Where longer ones stand
 * among them they are left to segmented_runs.cuh and segmented_picks.cuh. Nothing is listed: at 10
 * items a segment a list would be half as large as the offsets.
 */
#ifndef CONSORT_SEGMENTED_TINY_CUH
#define CONSORT_SEGMENTED_TINY_CUH

#include "cuda/device/block_scan.cuh"
#include "cuda/sorts/segmented/segmented_even.cuh"

enum class segmented_found {
    sorted,
    together,
    apart
};

template <typename K, bool Paired, unsigned Items> struct segmented_tiny_warp {
    using item = sort_item<K, Paired>;
    using storage = segmented_tiny_storage<K, Paired, Items>;
    static constexpr int together = Items / 2;
    /* Whether there is a network for each length: for the commonest keys, because each takes time
     * to compile. */
    static constexpr bool each_length = sizeof(K) <= 8 && (sizeof(K) >= 4 || !Paired);
    /* Whether uneven ones are left to others (segmented_mix). */
    static constexpr bool collected = !Paired && sizeof(K) <= 4;

    const segmented_arguments &a;
    const codes<K> codec;
    storage &s;
    uint64_t first;  /* item of the tile, which is one stretch of the array */
    uint32_t total;  /* its items */
    uint32_t length; /* of this lane's segment */
    uint32_t place;  /* of the segment in the tile */

    __device__ __forceinline__ segmented_tiny_warp(const segmented_arguments &arguments,
                                                   storage &shared)
        : a(arguments), codec(arguments.codec), s(shared)
    {
    }

    /* Calls visit(place in shared memory, index in the array) for all items,
     * neighbours by neighbouring lanes. */
    template <typename Visit> __device__ __forceinline__ void each(Visit visit) const
    {
        const unsigned lane = threadIdx.x % 32;
        const uint64_t start = first + lane;
#pragma unroll 1
        for (uint32_t row = 0; row < (total + 31) / 32; row++)
            if (row * 32 + lane < total)
                visit(row * 33 + lane, start + row * 32);
    }

    /* A gap after every 32 places keeps lanes off each other's banks. A segment
     * meets at most one: its item i is `gap` places on or, from item `turn` on,
     * one more. All lanes read `Count` items, which takes fewer instructions than
     * not to. */
    template <unsigned Count> __device__ __forceinline__ void sort_own()
    {
        typename item::type x[Count];
        const uint32_t before = place + place / 32, turn = 32 - place % 32;
        const auto at = [&](unsigned i) { return before + i + (i >= turn); };
#pragma unroll
        for (unsigned i = 0; i < Count; i++) {
            const typename item::type found = item::make((K)s.words[at(i)], i);
            x[i] = i < length ? found : item::last();
        }
        odd_even_merge_sort(x);
        __syncwarp();
#pragma unroll
        for (unsigned i = 0; i < Count; i++) {
            if (i < length) {
                s.words[at(i)] = item::code(x[i]);
                if constexpr (Paired)
                    s.source[at(i)] = (uint16_t)at(item::index(x[i]));
            }
        }
    }

    /* With so many items at least as the longest segment has: 4, 8, 16, 24, 32, or as many as fit.
     */
    template <unsigned Count = 4> __device__ __forceinline__ void sort()
    {
        constexpr unsigned step = Count == 4 ? 4 : each_length ? 8 : Count, next = Count + step;
        if constexpr (Count < Items) {
            if (__any_sync(0xffffffffu, length > Count))
                return sort<(next < Items ? next : Items)>();
        }
        sort_own<Count>();
    }

    __device__ __forceinline__ void move_values()
    {
        if (sizeof(typename storage::word) >= 8 && segmented_values_are<uint64_t>(a))
            return move_rows<uint64_t, together>();
        if (segmented_values_are<uint32_t>(a))
            return move_rows<uint32_t, together>();
        const uint32_t planes = a.value_bytes / 4;
        for (uint32_t plane = 0; plane < planes; plane++) {
            each([&](uint32_t at, uint64_t index) {
                s.words[at] = segmented_value_word<uint32_t>(a, 0, index, planes, plane);
            });
            __syncwarp();
            const value_writer<4> out(a.values_out);
            each([&](uint32_t at, uint64_t index) {
                out.put(index * planes + plane, (uint32_t)s.words[s.source[at]]);
            });
            __syncwarp();
        }
    }

    /* One stretch of the array, so many rows at a time, which wait for memory together. */
    template <int Rows> __device__ __forceinline__ void load_rows()
    {
        const K *in = (const K *)a.keys[0] + first + threadIdx.x % 32;
        auto *to = s.words + threadIdx.x % 32;
#pragma unroll 1
        for (uint32_t done = 0; done < total; done += 32 * Rows) {
            const int32_t left = (int32_t)(total - done - threadIdx.x % 32);
            K key[Rows];
#pragma unroll
            for (int row = 0; row < Rows; row++)
                key[row] = row * 32 < left ? in[row * 32] : (K)0;
            codec.encode_all(key);
#pragma unroll
            for (int row = 0; row < Rows; row++)
                if (row * 32 < left)
                    to[row * 33] = key[row];
            in += 32 * Rows;
            to += 33 * Rows;
        }
    }

    template <int Rows> __device__ __forceinline__ void store_rows() const
    {
        K *out = (K *)a.keys_out + first + threadIdx.x % 32;
        const auto *from = s.words + threadIdx.x % 32;
#pragma unroll 1
        for (uint32_t done = 0; done < total; done += 32 * Rows) {
            const int32_t left = (int32_t)(total - done - threadIdx.x % 32);
            K key[Rows];
#pragma unroll
            for (int row = 0; row < Rows; row++)
                key[row] = row * 32 < left ? (K)from[row * 33] : (K)0;
            codec.decode_all(key);
#pragma unroll
            for (int row = 0; row < Rows; row++)
                if (row * 32 < left)
                    out[row * 32] = key[row];
            out += 32 * Rows;
            from += 33 * Rows;
        }
    }

    template <typename Word, int Rows> __device__ __forceinline__ void move_rows()
    {
        const uint32_t planes = a.value_bytes / sizeof(Word), lane = threadIdx.x % 32;
#pragma unroll 1
        for (uint32_t plane = 0; plane < planes; plane++) {
            const Word *in = (const Word *)a.values[0] + (first + lane) * planes + plane;
            Word *out = (Word *)a.values_out + (first + lane) * planes + plane;
#pragma unroll 1
            for (uint32_t done = 0; done < total; done += 32 * Rows) {
                const int32_t left = (int32_t)(total - done - lane);
                Word value[Rows];
#pragma unroll
                for (int row = 0; row < Rows; row++)
                    value[row] = row * 32 < left ? in[(done + row * 32) * planes] : (Word)0;
#pragma unroll
                for (int row = 0; row < Rows; row++)
                    if (row * 32 < left)
                        s.words[(done / 32 + row) * 33 + lane] = value[row];
            }
            __syncwarp();
#pragma unroll 4
            for (uint32_t row = 0; row * 32 < total; row++)
                if (row * 32 + lane < total)
                    out[row * 32 * planes] = (Word)s.words[s.source[row * 33 + lane]];
            __syncwarp();
        }
    }

    __device__ __forceinline__ bool few() const
    {
        return total <= 4 * 32;
    }

    /* One set, or several whose starts are in shared memory. */
    __device__ __forceinline__ void sort_mixed(unsigned sets)
    {
        few() ? load_rows<4>() : load_rows<together>();
        __syncwarp();
#pragma unroll 1
        for (unsigned set = 0; set < sets; set++) {
            if (sets > 1) {
                const uint16_t *own = s.starts + set * 32 + threadIdx.x % 32;
                place = own[0];
                length = own[1] - place;
            }
            sort();
        }
        __syncwarp();
        few() ? store_rows<4>() : store_rows<together>();
        __syncwarp();
        if constexpr (Paired)
            move_values();
    }

    /* This lane's segment, and those of the others, for sort_mixed. False if they are sorted
     * already, or not all tiny. */
    __device__ __forceinline__ bool find(uint64_t segment)
    {
        const uint64_t last = a.segment_count;
        const uint64_t begin = segmented_offset(a, min(segment, last));
        const uint64_t end = segmented_offset(a, min(segment + 1, last));
        if (!__all_sync(0xffffffffu, end - begin <= Items))
            return false;
        first = __shfl_sync(0xffffffffu, begin, 0);
        length = (uint32_t)(end - begin);
        place = (uint32_t)(begin - first);
        total = __shfl_sync(0xffffffffu, place + length, 31);
        return total > 0 && !(collected && segmented_uneven(length, segment < last));
    }

    /* Sorts the 128 segments from `segment` on, if they are of one length, or tells how sort_mixed
     * takes them. */
    __device__ __forceinline__ segmented_found find_together(uint64_t segment)
    {
        constexpr unsigned sets = segmented_even_sets, count = 32 * sets;
        if (a.segment_count - segment < count)
            return segmented_found::apart;
        const unsigned lane = threadIdx.x % 32;
        uint64_t start[sets];
#pragma unroll
        for (unsigned set = 0; set < sets; set++)
            start[set] = segmented_offset(a, segment + set * 32 + lane);
        const uint64_t end = segmented_offset(a, segment + count);
        first = __shfl_sync(0xffffffffu, start[0], 0);
        if (end - first > count * Items)
            return segmented_found::apart;
        total = (uint32_t)(end - first);
        if (total == 0)
            return segmented_found::sorted;
        const uint32_t each_has = total / count;
        bool even = total == each_has * count;
#pragma unroll
        for (unsigned set = 0; set < sets; set++)
            even &= (uint32_t)(start[set] - first) == (set * 32 + lane) * each_has;
        if (each_length && __all_sync(0xffffffffu, even)) {
            sort_even(each_has);
            return segmented_found::sorted;
        }
        if (total > 32 * Items)
            return segmented_found::apart;
#pragma unroll
        for (unsigned set = 0; set < sets; set++)
            s.starts[set * 32 + lane] = (uint16_t)(start[set] - first);
        if (lane == 0)
            s.starts[count] = (uint16_t)total;
        __syncwarp();
        return goes_together() ? segmented_found::together : segmented_found::apart;
    }

  private:
    /* 128 segments of so many items each, as many at a time as the tile has room for. */
    __device__ __forceinline__ void sort_even(uint32_t each_has)
    {
        if constexpr (each_length) {
            constexpr unsigned rows = storage::even_rows;
            if (each_has <= rows / 4)
                return segmented_sort_even<K, Paired, Items, 1, rows / 4, 4>(a, codec, s, first,
                                                                             each_has);
            if (each_has <= rows / 2)
                return sort_even_parts<rows / 4 + 1, rows / 2, 2>(each_has);
            sort_even_parts<rows / 2 + 1, Items, 1>(each_has);
        }
    }

    template <unsigned Low, unsigned High, unsigned Sets>
    __device__ __forceinline__ void sort_even_parts(uint32_t each_has)
    {
#pragma unroll 1
        for (unsigned set = 0; set < segmented_even_sets; set += Sets)
            segmented_sort_even<K, Paired, Items, Low, High, Sets>(
                a, codec, s, first + set * 32 * each_has, each_has);
    }

    /* Whether all of those whose starts are in shared memory are tiny, and none left to others. */
    __device__ __forceinline__ bool goes_together() const
    {
        bool tiny = true, uneven = false;
#pragma unroll
        for (unsigned set = 0; set < segmented_even_sets; set++) {
            const uint16_t *own = s.starts + set * 32 + threadIdx.x % 32;
            const uint32_t items = (uint32_t)own[1] - own[0];
            tiny &= items <= Items;
            uneven |= collected && segmented_uneven(items, true);
        }
        return __all_sync(0xffffffffu, tiny && !uneven);
    }
};

template <typename K, bool Paired, unsigned Items>
static __device__ __forceinline__ void
segmented_tiny(const segmented_arguments &a, segmented_tiny_storage<K, Paired, Items> *shared)
{
    if (segmented_idle(a, a.control->tiny))
        return;
    constexpr unsigned tile = 32 * segmented_even_sets;
    const unsigned warps = blockDim.x / 32, lane = threadIdx.x % 32;
    segmented_tiny_warp<K, Paired, Items> warp(a, shared[threadIdx.x / 32]);
    for (uint64_t segment = ((uint64_t)blockIdx.x * warps + threadIdx.x / 32) * tile;
         segment < a.segment_count; segment += (uint64_t)gridDim.x * warps * tile) {
        const auto found = warp.find_together(segment);
        if (found == segmented_found::sorted)
            continue;
        const bool together = found == segmented_found::together;
        const uint64_t end = min(segment + (together ? 32 : tile), a.segment_count);
        for (uint64_t set = segment; set < end; set += 32)
            if (together || warp.find(set + lane))
                warp.sort_mixed(together ? segmented_even_sets : 1);
    }
}

#endif
