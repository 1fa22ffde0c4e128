/* SPDX-License-Identifier: Apache-2.0 */
/* Copying what lies outside all segments, and telling the outcome. */
#ifndef CONSORT_SEGMENTED_FINISH_CUH
#define CONSORT_SEGMENTED_FINISH_CUH

#include "cuda/sorts/segmented/segmented_tile.cuh"

/* The layout of consort_outcome that the public header pins. */
struct segmented_outcome {
    int32_t status, buffer;
    uint64_t position;
};

enum {
    SEGMENTED_ERROR_OFFSETS = 8
};

static __device__ __forceinline__ void segmented_tell(const segmented_arguments &a)
{
    segmented_outcome *outcome = (segmented_outcome *)a.outcome;
    const uint64_t bad = a.control->bad;
    outcome->status = bad ? SEGMENTED_ERROR_OFFSETS : 0;
    outcome->buffer = 1;
    outcome->position = bad ? ~bad : a.count;
}

static __device__ __forceinline__ void segmented_copy_bytes(const void *from, void *to,
                                                            uint64_t first, uint64_t last)
{
    const uint64_t threads = (uint64_t)gridDim.x * blockDim.x;
    for (uint64_t i = first + (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; i < last;
         i += threads)
        ((unsigned char *)to)[i] = ((const unsigned char *)from)[i];
}

static __device__ __forceinline__ void segmented_copy_values(const segmented_arguments &a,
                                                             uint64_t first, uint64_t last)
{
    const uint32_t planes = a.value_bytes / 4;
    const value_writer<4> out(a.values_out);
    const uint64_t threads = (uint64_t)gridDim.x * blockDim.x;
    for (uint64_t i = first + (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; i < last;
         i += threads)
        for (uint32_t plane = 0; plane < planes; plane++)
            out.put(i * planes + plane, segmented_value_word<uint32_t>(a, 0, i, planes, plane));
}

static __device__ __forceinline__ void segmented_copy(const segmented_arguments &a, uint64_t first,
                                                      uint64_t last)
{
    if (a.keys[0] != a.keys_out)
        segmented_copy_bytes(a.keys[0], a.keys_out, first * a.key_bytes, last * a.key_bytes);
    if (a.values[0] != a.values_out)
        segmented_copy_values(a, first, last);
}

/* Any time after the offsets have been checked. */
static __device__ __forceinline__ void segmented_finish(const segmented_arguments &a)
{
    if (a.outcome && blockIdx.x == 0 && threadIdx.x == 0)
        segmented_tell(a);
    if (segmented_refused(a))
        return;
    const bool some = a.segment_count > 0;
    const uint64_t first = some ? segmented_offset(a, 0) : a.count;
    const uint64_t last = some ? segmented_offset(a, a.segment_count) : a.count;
    segmented_copy(a, 0, first);
    segmented_copy(a, last, a.count);
}

#endif
