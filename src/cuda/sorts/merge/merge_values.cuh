/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What follows the places of a sorted or merged tile: values and, in NumPy's order, keys. They are
 * read straight from their arrays: the sources of neighbouring outputs lie in two stretches, so
 * that a warp reads few lines more than it needs, and values need no shared memory.
 */
#ifndef CONSORT_MERGE_VALUES_CUH
#define CONSORT_MERGE_VALUES_CUH

#include "cuda/device/values.cuh"
#include "cuda/sorts/merge/merge_layout.h"

/* Where a tile's items come from: places below a_items are list a's, the others list b's. */
struct merge_window {
    uint64_t a_first, b_first; /* in their arrays */
    uint64_t out_first;
    uint32_t a_items, filled;

    __device__ __forceinline__ uint64_t index(uint32_t place) const
    {
        return in_b(place) ? b_first + (place - a_items) : a_first + place;
    }

    __device__ __forceinline__ bool in_b(uint32_t place) const
    {
        return place >= a_items;
    }

    /* What lies at the places, read without a test of how. */
    template <typename T> struct sources {
        const T *from_a, *from_b;
        uint32_t a_items;

        __device__ __forceinline__ sources(const merge_window &w, const void *const (&lists)[2])
            : from_a((const T *)lists[0] + w.a_first),
              from_b((const T *)lists[1] + w.b_first - w.a_items), a_items(w.a_items)
        {
        }

        __device__ __forceinline__ T operator[](uint32_t place) const
        {
            return (place < a_items ? from_a : from_b)[place];
        }
    };
};

/* Output i of thread t, for whole lines. */
template <unsigned Threads> static __device__ __forceinline__ uint32_t merge_output(unsigned i)
{
    return i * Threads + threadIdx.x;
}

/* Which of thread t's outputs are among the first `count`: one comparison with a constant each. */
template <unsigned Threads> struct merge_outputs {
    const int32_t left;

    __device__ __forceinline__ explicit merge_outputs(uint32_t count)
        : left((int32_t)(count - threadIdx.x))
    {
    }

    __device__ __forceinline__ bool has(unsigned i) const
    {
        return (int32_t)(i * Threads) < left;
    }
};

/* The usual case apart, so that it carries no tests. So many values wait in registers at a time. */
template <unsigned Bytes, typename Block, typename Window>
static __device__ __forceinline__ void merge_move_full(const merge_arguments &a, const Block &block,
                                                       const Window &window)
{
    constexpr unsigned threads = Block::threads, items = Block::keys / threads;
    constexpr unsigned batch = Bytes == 4 ? items : Bytes == 8 ? (items + 1) / 2 : 4;
    using type = typename value_class<Bytes>::type;
    const typename Window::template sources<type> from(window, a.values);
    type *out = (type *)a.values_out + window.out_first;
#pragma unroll
    for (unsigned done = 0; done < items; done += batch) {
        type value[batch];
#pragma unroll
        for (unsigned i = 0; i < batch; i++) {
            if (done + i >= items)
                continue;
            value[i] = from[block.place(merge_output<threads>(done + i))];
        }
#pragma unroll
        for (unsigned i = 0; i < batch; i++)
            if (done + i < items)
                out[merge_output<threads>(done + i)] = value[i];
    }
}

template <unsigned Bytes, typename Block, typename Window>
static __device__ __forceinline__ void merge_move_values(const merge_arguments &a,
                                                         const Block &block, const Window &window)
{
    const value_reader<Bytes> from_a(a.values[0]), from_b(a.values[1]);
    const value_writer<Bytes> out(a.values_out);
    const bool index = a.value_mode == MERGE_VALUES_INDEX;
    const bool aligned = from_a.aligned && from_b.aligned && out.aligned;
    if (window.filled == Block::keys && aligned && !index)
        return merge_move_full<Bytes>(a, block, window);
    const uint64_t b_base = a.run_tiles == 0 ? a.a_count : 0;
    for (uint32_t j = threadIdx.x; j < window.filled; j += Block::threads) {
        const uint32_t place = block.place(j);
        const bool b = window.in_b(place);
        const uint64_t source = window.index(place);
        if (index)
            out.put(window.out_first + j,
                    value_class<Bytes>::of_index(b ? b_base + source : source));
        else
            out.put(window.out_first + j, b ? from_b.at(source) : from_a.at(source));
    }
}

template <typename Block, typename Window>
static __device__ __forceinline__ void merge_store_values(const merge_arguments &a,
                                                          const Block &block, const Window &window)
{
    switch (a.value_bytes) {
    case 4:
        return merge_move_values<4>(a, block, window);
    case 8:
        return merge_move_values<8>(a, block, window);
    case 16:
        return merge_move_values<16>(a, block, window);
    default:
        return;
    }
}

#endif
