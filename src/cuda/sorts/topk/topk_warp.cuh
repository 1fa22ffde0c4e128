/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Short rows of keys of at most 32 bits, a warp each, in registers: item i × 32 + lane of the row
 * is in register i of a lane. Up to 32 wanted are found by halving the range of codes until as many
 * as wanted lie below, which takes about log2(length) counts; then only they are sorted. More are
 * found by sorting the row.
 */
#ifndef CONSORT_TOPK_WARP_CUH
#define CONSORT_TOPK_WARP_CUH

#include "cuda/device/warp_bitonic.cuh"
#include "cuda/sorts/topk/topk_row.cuh"

/* Code and position in one word that sorts like them. */
enum {
    TOPK_POSITION_BITS = 10
};

template <typename K, unsigned Items> struct topk_warp {
    const topk_arguments &a;
    const topk_source<K> source;
    const uint64_t row;
    uint64_t *slots; /* 32 in shared memory */
    uint32_t code[Items];

    __device__ __forceinline__ topk_warp(const topk_arguments &arguments, uint64_t of_row,
                                         uint64_t *memory)
        : a(arguments),
          source((const unsigned char *)arguments.in + of_row * arguments.length * sizeof(K),
                 arguments.length, arguments.codec),
          row(of_row), slots(memory)
    {
        K key[Items];
#pragma unroll
        for (unsigned i = 0; i < Items; i++)
            key[i] = is_real(i) ? source.keys.at(position(i)) : (K)0;
        source.codec.encode_all(key);
        /* What lies past the end is never taken: it comes after the row's own highest codes. */
#pragma unroll
        for (unsigned i = 0; i < Items; i++)
            code[i] = is_real(i) ? (uint32_t)key[i] : (uint32_t)(K) ~(K)0;
    }

    static __device__ __forceinline__ uint32_t position(unsigned i)
    {
        return i * 32 + threadIdx.x % 32;
    }

    __device__ __forceinline__ bool is_real(unsigned i) const
    {
        return position(i) < a.length;
    }

    __device__ __forceinline__ uint64_t word(unsigned i) const
    {
        return (uint64_t)code[i] << TOPK_POSITION_BITS | position(i);
    }

    __device__ __forceinline__ void emit(uint64_t j, uint64_t item) const
    {
        if (j < a.kept)
            topk_emit(a, source, row, j, (K)(item >> TOPK_POSITION_BITS),
                      item & ((1u << TOPK_POSITION_BITS) - 1));
    }

    __device__ __forceinline__ uint32_t count_up_to(uint32_t limit) const
    {
        uint32_t count = 0;
#pragma unroll
        for (unsigned i = 0; i < Items; i++)
            count += code[i] <= limit;
        return __reduce_add_sync(0xffffffffu, count);
    }

    /* The least code with at least `kept` codes up to it, or one with exactly so many. */
    __device__ __forceinline__ uint32_t threshold() const
    {
        uint32_t low = code[0], high = code[0];
#pragma unroll
        for (unsigned i = 1; i < Items; i++) {
            low = min(low, code[i]);
            high = max(high, code[i]);
        }
        low = __reduce_min_sync(0xffffffffu, low);
        high = __reduce_max_sync(0xffffffffu, high);
        while (low < high) {
            const uint32_t middle = low + (high - low) / 2;
            const uint32_t count = count_up_to(middle);
            if (count == a.kept)
                return middle;
            if (count > a.kept)
                high = middle;
            else
                low = middle + 1;
        }
        return low;
    }

    /* Codes below the threshold, then as many equal to it as are missing, by position. */
    __device__ __forceinline__ void take(uint32_t limit) const
    {
        uint32_t below = limit > 0 ? count_up_to(limit - 1) : 0, at = 0;
#pragma unroll
        for (unsigned i = 0; i < Items; i++) {
            const uint32_t less = __ballot_sync(0xffffffffu, code[i] < limit);
            const uint32_t equal = __ballot_sync(0xffffffffu, code[i] == limit);
            const uint32_t mine = code[i] < limit ? less : equal;
            const uint32_t place =
                (code[i] < limit ? at : below) + (uint32_t)__popc(mine & lanemask_lt());
            if (code[i] <= limit && place < a.kept)
                slots[place] = word(i);
            at += (uint32_t)__popc(less);
            below += (uint32_t)__popc(equal);
        }
    }

    __device__ __forceinline__ void select() const
    {
        const unsigned lane = threadIdx.x % 32;
        take(threshold());
        __syncwarp();
        uint64_t item[1] = {lane < a.kept ? slots[lane] : UINT64_MAX};
        warp_bitonic_sort<1>(item);
        emit(lane, item[0]);
        __syncwarp();
    }

    __device__ __forceinline__ void sort() const
    {
        uint64_t item[Items];
#pragma unroll
        for (unsigned i = 0; i < Items; i++)
            item[i] = is_real(i) ? word(i) : UINT64_MAX;
        warp_bitonic_sort<Items>(item);
#pragma unroll
        for (unsigned i = 0; i < Items; i++)
            emit(threadIdx.x % 32 * Items + i, item[i]);
    }
};

template <typename K, unsigned Items>
static __device__ __forceinline__ void topk_warp_rows(const topk_arguments &a, uint64_t *slots)
{
    const uint64_t warps = (uint64_t)gridDim.x * (TOPK_SHORT_THREADS / 32);
    const uint64_t warp = blockIdx.x * (TOPK_SHORT_THREADS / 32) + threadIdx.x / 32;
    for (uint64_t row = warp; row < a.rows; row += warps) {
        const topk_warp<K, Items> work(a, row, slots + threadIdx.x / 32 * 32);
        if (Items > 1 && a.kept <= TOPK_SELECTED)
            work.select();
        else if constexpr (Items * 32 <= TOPK_SHORT)
            work.sort();
    }
}

/* Rows of up to TOPK_SHORT keys; up to TOPK_SELECTED_SHORT if at most TOPK_SELECTED are wanted. */
template <typename K>
static __device__ __forceinline__ void topk_warp_kernel(const topk_arguments &a, uint64_t *slots)
{
    if (a.length <= 32)
        topk_warp_rows<K, 1>(a, slots);
    else if (a.length <= 64)
        topk_warp_rows<K, 2>(a, slots);
    else if (a.length <= 128)
        topk_warp_rows<K, 4>(a, slots);
    else if (a.length <= 256)
        topk_warp_rows<K, 8>(a, slots);
    else if (a.length <= 512)
        topk_warp_rows<K, 16>(a, slots);
    else
        topk_warp_rows<K, 32>(a, slots);
}

#endif
