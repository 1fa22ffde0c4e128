/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A pass of shellsort: thread t sorts the items t, t + increment, t + 2 · increment, … in place, as
 * far as a window of registers reaches: it holds the least items that are not written yet, and for
 * every item read writes the least. Exact if no item stands `Window` places late or more.
 *
 * The paper keeps the window as a heap. Registers cannot be indexed by what a thread computes, so
 * the window is a sorted row here, which an item enters by one exchange with each.
 */
#ifndef CONSORT_SHELL_PASS_CUH
#define CONSORT_SHELL_PASS_CUH

#include "cuda/device/network.cuh"

template <unsigned Window, typename Array>
static __device__ __forceinline__ void shell_pass(const Array &array, uint64_t count,
                                                  uint64_t increment)
{
    using Item = typename Array::type;
    /* Reads go so far ahead of the writes, to have several under way: less far where the window
     * takes all registers (2^22 u128 + 8 bytes: 24.7 ms, by 8 items 47.2; H200, 2026-11). */
    constexpr unsigned batch = Window > 21 && sizeof(Item) > 8 ? 2 : 8;
    const uint64_t thread = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (thread >= increment)
        return;
    const uint64_t length = (count - thread - 1) / increment + 1;
    Item window[Window];
    /* The first `Window` that leave are not items; an item like them leaves later, and is alike. */
#pragma unroll
    for (unsigned j = 0; j < Window; j++) {
        window[j] = Item::highest();
        window[j].flip(0xffffffffu);
    }
    for (uint64_t i = 0; i < length + Window; i += batch) {
        Item read[batch];
#pragma unroll
        for (unsigned j = 0; j < batch; j++)
            read[j] = i + j < length ? array.load(thread + (i + j) * increment) : Item::highest();
#pragma unroll
        for (unsigned j = 0; j < batch; j++) {
            if (i + j >= Window && i + j < length + Window)
                array.store(thread + (i + j - Window) * increment, window[0]);
            window[0] = read[j];
#pragma unroll
            for (unsigned k = 0; k + 1 < Window; k++)
                network_exchange(window[k], window[k + 1]);
        }
    }
}

#endif
