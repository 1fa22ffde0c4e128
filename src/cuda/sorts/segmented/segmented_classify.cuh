/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One read of the offsets: checks them all, before anything is written, and lists the segments that
 * take more than one thread by class. The order within a list varies from run to run, which nothing
 * shows, as segments do not touch each other.
 */
#ifndef CONSORT_SEGMENTED_CLASSIFY_CUH
#define CONSORT_SEGMENTED_CLASSIFY_CUH

#include "cuda/sorts/segmented/segmented_lists.cuh"

enum {
    SEGMENTED_CLASSIFY_ITEMS = 4
};

struct segmented_classify_storage {
    uint32_t count[SEGMENTED_CLASSES];
    uint64_t first[SEGMENTED_CLASSES];
};

/* The class, −1 for what is not listed here, SEGMENTED_CLASSES for large segments. */
static __device__ __forceinline__ int
segmented_classify_one(const segmented_arguments &a, uint64_t segment, uint64_t begin, uint64_t end)
{
    if (end < begin || end > a.count) {
        atomicMax((unsigned long long *)&a.control->bad, (unsigned long long)~segment);
        return -1;
    }
    const uint64_t length = end - begin;
    if (length <= a.tiny_items)
        return -1;
    if (length > segmented_class_items(a, (int)a.classes - 1))
        return SEGMENTED_CLASSES;
    return segmented_class_of(a, (uint32_t)length);
}

static __device__ __forceinline__ void segmented_classify(const segmented_arguments &a,
                                                          segmented_classify_storage &s)
{
    constexpr unsigned items = SEGMENTED_CLASSIFY_ITEMS;
    const uint64_t tile = (uint64_t)blockDim.x * items;
    for (uint64_t first = blockIdx.x * tile; first < a.segment_count; first += gridDim.x * tile) {
        uint64_t begin[items], length[items];
        int which[items];
        uint32_t place[items];
        if (threadIdx.x < SEGMENTED_CLASSES)
            s.count[threadIdx.x] = 0;
        bool any = false;
#pragma unroll
        for (unsigned i = 0; i < items; i++) {
            const uint64_t segment = first + i * blockDim.x + threadIdx.x;
            which[i] = -1;
            place[i] = 0;
            if (segment >= a.segment_count)
                continue;
            begin[i] = segmented_offset(a, segment);
            const uint64_t end = segmented_offset(a, segment + 1);
            length[i] = end - begin[i];
            which[i] = segmented_classify_one(a, segment, begin[i], end);
            if (which[i] == SEGMENTED_CLASSES)
                segmented_add_bucket(a, 0, begin[i], length[i], 0);
            any |= which[i] >= 0;
        }
        if (!__syncthreads_or(any))
            continue;
#pragma unroll
        for (unsigned i = 0; i < items; i++)
            if (which[i] >= 0 && which[i] < SEGMENTED_CLASSES)
                place[i] = atomicAdd(&s.count[which[i]], 1u);
        __syncthreads();
        if (threadIdx.x < SEGMENTED_CLASSES && s.count[threadIdx.x] > 0)
            s.first[threadIdx.x] =
                atomicAdd((unsigned long long *)&a.control->leaf_count[threadIdx.x],
                          (unsigned long long)s.count[threadIdx.x]);
        __syncthreads();
#pragma unroll
        for (unsigned i = 0; i < items; i++)
            if (which[i] >= 0 && which[i] < SEGMENTED_CLASSES)
                segmented_put_leaf(a, which[i], s.first[which[i]] + place[i],
                                   segmented_leaf(begin[i], length[i], 0));
        __syncthreads();
    }
}

#endif
