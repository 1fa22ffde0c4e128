/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The kernels of `transposition`: odd-even transposition sort (A. N. Habermann 1972), one resident
 * grid that repeats rounds, an even and an odd phase each, until one exchanges nothing. Quadratic.
 */
#include "cuda/device/grid_barrier.cuh"
#include "cuda/device/item.cuh"
#include "cuda/sorts/items/items_kinds.h"
#include "cuda/sorts/transposition/transposition_layout.h"

/* Compares items 2i + odd and 2i + odd + 1 for all i. */
template <typename Array>
static __device__ __forceinline__ bool transposition_phase(const Array &array, uint64_t count,
                                                           unsigned odd)
{
    const uint64_t threads = (uint64_t)gridDim.x * blockDim.x;
    bool swapped = false;
    for (uint64_t first = 2 * ((uint64_t)blockIdx.x * blockDim.x + threadIdx.x) + odd;
         first + 1 < count; first += 2 * threads) {
        const typename Array::type low = array.load(first), high = array.load(first + 1);
        if (high.before(low)) {
            array.store(first, high);
            array.store(first + 1, low);
            swapped = true;
        }
    }
    return swapped;
}

template <typename K, typename I>
static __device__ __forceinline__ void transposition_rounds(const items &a,
                                                            transposition_control *control)
{
    const item_array<K, I> array{(K *)a.codes, (I *)a.indices};
    uint32_t seen[3] = {0, 0, 0};
    for (uint32_t round = 0;; round++) {
        bool mine = transposition_phase(array, a.count, 0);
        grid_barrier(&control->barrier);
        mine |= transposition_phase(array, a.count, 1);
        if (__syncthreads_or(mine) && threadIdx.x == 0)
            atomic_add_release(&control->exchanging[round % 3], 1u);
        grid_barrier(&control->barrier);
        const uint32_t exchanging = load_acquire(&control->exchanging[round % 3]);
        if (blockIdx.x == 0 && threadIdx.x == 0)
            control->rounds = round + 1;
        if (exchanging == seen[round % 3])
            return;
        seen[round % 3] = exchanging;
    }
}

#define TRANSPOSITION_KERNEL(code_bits, code, index_bits, index)                                   \
    KERNEL(transposition_rounds_##code_bits##_##index_bits, TRANSPOSITION_THREADS)                 \
    (items a, transposition_control * control)                                                     \
    {                                                                                              \
        transposition_rounds<code, index>(a, control);                                             \
    }                                                                                              \
    KERNEL_EXPORT(transposition_rounds_##code_bits##_##index_bits);
ITEMS_KINDS(TRANSPOSITION_KERNEL)

KERNEL(transposition_tell, 1)(const transposition_control *control, void *counters)
{
    *(uint64_t *)counters = control->rounds;
}
KERNEL_EXPORT(transposition_tell);
