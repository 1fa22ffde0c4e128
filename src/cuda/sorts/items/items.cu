/* SPDX-License-Identifier: Apache-2.0 */
/* Making items of keys and keys of items; the host side is cuda_items.c. */
#include "cuda/device/codes.cuh"
#include "cuda/sorts/items/items_layout.h"

/* A thread's share of `count` places. */
struct grid_stride {
    uint64_t at, step;

    __device__ __forceinline__ grid_stride()
        : at((uint64_t)blockIdx.x * blockDim.x + threadIdx.x),
          step((uint64_t)gridDim.x * blockDim.x)
    {
    }
};

template <typename K>
static __device__ __forceinline__ void items_encode(const K *keys, K *to, uint64_t count,
                                                    const code_constants &constants)
{
    const codes<K> codec(constants);
    for (grid_stride i; i.at < count; i.at += i.step)
        to[i.at] = codec.encode(keys[i.at]);
}

template <typename K>
static __device__ __forceinline__ void items_decode(K *keys, uint64_t count,
                                                    const code_constants &constants)
{
    const codes<K> codec(constants);
    for (grid_stride i; i.at < count; i.at += i.step)
        keys[i.at] = codec.decode(keys[i.at]);
}

#define ITEMS_CODES(bits, type)                                                                    \
    KERNEL(items_encode_##bits, ITEMS_THREADS)                                                     \
    (const void *keys, void *to, uint64_t count, const __grid_constant__ code_constants constants) \
    {                                                                                              \
        items_encode((const type *)keys, (type *)to, count, constants);                            \
    }                                                                                              \
    KERNEL_EXPORT(items_encode_##bits);                                                            \
    KERNEL(items_decode_##bits, ITEMS_THREADS)                                                     \
    (void *keys, uint64_t count, const __grid_constant__ code_constants constants)                 \
    {                                                                                              \
        items_decode((type *)keys, count, constants);                                              \
    }                                                                                              \
    KERNEL_EXPORT(items_decode_##bits);
ITEMS_CODES(8, uint8_t)
ITEMS_CODES(16, uint16_t)
ITEMS_CODES(32, uint32_t)
ITEMS_CODES(64, uint64_t)
ITEMS_CODES(128, uint128)

/* first, first + 1, … */
KERNEL(items_number, ITEMS_THREADS)
(void *indices, uint32_t index_bytes, uint64_t first, uint64_t count)
{
    for (grid_stride i; i.at < count; i.at += i.step) {
        if (index_bytes == 4)
            ((uint32_t *)indices)[i.at] = (uint32_t)(first + i.at);
        else
            ((uint64_t *)indices)[i.at] = first + i.at;
    }
}
KERNEL_EXPORT(items_number);

/* The result of a sort in place is always in `out`. */
KERNEL(items_tell, 1)(void *outcome)
{
    ((int32_t *)outcome)[0] = 0; /* CONSORT_OK */
    ((int32_t *)outcome)[1] = 1;
}
KERNEL_EXPORT(items_tell);
