/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Elements of any size in the order of an index: neighbouring threads write neighbouring words, so
 * that writes are whole lines; reads are as scattered as the index, one line an element at best.
 */
#include "cuda/device/device.cuh"
#include "cuda/sorts/gather/gather_layout.h"

static __device__ __forceinline__ uint64_t gather_source(const gather_arguments &a, uint64_t item)
{
    if (!a.indices)
        return item;
    const uint64_t first = a.row_items ? item / a.row_items * a.row_length : 0;
    return first + (a.index_bytes == 4 ? ((const uint32_t *)a.indices)[item]
                                       : ((const uint64_t *)a.indices)[item]);
}

template <typename Word>
static __device__ __forceinline__ void gather_words(const gather_arguments &a)
{
    const uint64_t per_element = a.element_bytes / sizeof(Word);
    const uint64_t words = a.count * per_element;
    const uint64_t threads = (uint64_t)gridDim.x * blockDim.x;
    Word *out = (Word *)a.out;
    for (uint64_t word = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; word < words;
         word += threads) {
        const uint64_t item = per_element == 1 ? word : word / per_element;
        const uint64_t source = gather_source(a, item);
        const bool b = source >= a.a_count;
        const Word *in = (const Word *)(b ? a.in_b : a.in);
        out[word] =
            in[(b ? source - a.a_count : source) * per_element + (word - item * per_element)];
    }
}

KERNEL(gather_elements, GATHER_THREADS)(const __grid_constant__ gather_arguments arguments)
{
    if (arguments.refused && *arguments.refused != 0)
        return;
    switch (arguments.word_bytes) {
    case 1:
        return gather_words<uint8_t>(arguments);
    case 2:
        return gather_words<uint16_t>(arguments);
    case 4:
        return gather_words<uint32_t>(arguments);
    case 8:
        return gather_words<uint64_t>(arguments);
    default:
        return gather_words<uint4>(arguments);
    }
}
KERNEL_EXPORT(gather_elements);
