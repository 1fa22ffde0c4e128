/* SPDX-License-Identifier: Apache-2.0 */
/* What a block that sorts items holds of them in shared memory, and how values come there: once, by
 * their positions, while keys are sorted. */
#ifndef CONSORT_HYBRID_VALUES_CUH
#define CONSORT_HYBRID_VALUES_CUH

#include "cuda/device/async_copy.cuh"
#include "cuda/device/values.cuh"

/* What a block sorts: words, and by their places the values and perhaps the keys. */
template <typename K, typename Order, typename Value, unsigned Values, unsigned Keys>
struct alignas(16) hybrid_block_storage {
    typename Order::storage order;
    alignas(16) Value value[Values];
    K key[Keys];
};

/* Item i of a thread. */
template <unsigned Threads> static __device__ __forceinline__ uint32_t hybrid_position(unsigned i)
{
    return i * Threads + threadIdx.x;
}

/* `count` values from number `begin` on. They are there after async_copy_wait and a barrier. */
template <unsigned ValueBytes, unsigned Threads, unsigned Items>
static __device__ __forceinline__ void
hybrid_load_values(const void *values, uint64_t begin, uint32_t count,
                   typename value_class<ValueBytes>::type *shared)
{
    const value_reader<ValueBytes> in(values);
    if (in.aligned) {
        const auto *from = (const typename value_class<ValueBytes>::type *)in.bytes + begin;
#pragma unroll
        for (unsigned i = 0; i < Items; i++)
            if (hybrid_position<Threads>(i) < count)
                async_copy(&shared[hybrid_position<Threads>(i)],
                           from + hybrid_position<Threads>(i));
        return;
    }
    for (unsigned i = 0; i < Items; i++)
        if (hybrid_position<Threads>(i) < count)
            shared[hybrid_position<Threads>(i)] = in.at(begin + hybrid_position<Threads>(i));
}

#endif
