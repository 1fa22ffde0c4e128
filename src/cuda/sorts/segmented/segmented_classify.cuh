/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One read of the offsets: checks them all, before anything is written, and lists the segments that
 * take more than one thread by class. The order within a list varies from run to run, which nothing
 * shows, as segments do not touch each other.
 */
#ifndef CONSORT_SEGMENTED_CLASSIFY_CUH
#define CONSORT_SEGMENTED_CLASSIFY_CUH

#include "cuda/sorts/segmented/segmented_buckets.cuh"

enum {
    SEGMENTED_CLASSIFY_ITEMS = 4
};

struct segmented_classify_storage {
    uint32_t count[SEGMENTED_CLASSES];
    uint64_t first[SEGMENTED_CLASSES];
    uint32_t tiny, mixed; /* 1: the block has seen some */
};

/* The class, −1 for what is not listed, SEGMENTED_CLASSES for large segments. */
static __device__ __forceinline__ int
segmented_classify_one(const segmented_arguments &a, uint64_t length, const segmented_mix &mix)
{
    if (length <= mix.most)
        return -1;
    if (length > segmented_class_items(a, (int)a.classes - 1))
        return SEGMENTED_CLASSES;
    return segmented_class_of(a, (uint32_t)length);
}

/* Whether the warp's segments, `Count` a lane, are all tiny, of one length, and where they may be:
 * then none is bad, listed or collected. */
template <unsigned Count>
static __device__ __forceinline__ bool segmented_alike_tiny(const segmented_arguments &a,
                                                            const uint64_t (&begin)[Count],
                                                            const uint64_t (&end)[Count])
{
    const uint64_t length = __shfl_sync(0xffffffffu, end[0] - begin[0], 0);
    bool alike = length <= a.tiny_items;
#pragma unroll
    for (unsigned i = 0; i < Count; i++)
        alike &= end[i] - begin[i] == length && begin[i] <= end[i] && end[i] <= a.count;
    return __all_sync(0xffffffffu, alike);
}

/* Lists what has a class of the block's segments, from number `first` on. The whole block calls it,
 * behind a barrier. */
template <unsigned Count>
static __device__ __forceinline__ void
segmented_classify_list(const segmented_arguments &a, segmented_classify_storage &s,
                        const int (&which)[Count], uint64_t first)
{
    uint32_t place[Count] = {};
#pragma unroll
    for (unsigned i = 0; i < Count; i++)
        if (which[i] >= 0 && which[i] < SEGMENTED_CLASSES)
            place[i] = atomicAdd(&s.count[which[i]], 1u);
    __syncthreads();
    if (threadIdx.x < SEGMENTED_CLASSES && s.count[threadIdx.x] > 0)
        s.first[threadIdx.x] = segmented_reserve(a, (int)threadIdx.x, s.count[threadIdx.x]);
    __syncthreads();
#pragma unroll
    for (unsigned i = 0; i < Count; i++)
        if (which[i] >= 0 && which[i] < SEGMENTED_CLASSES)
            segmented_put(a, which[i], s.first[which[i]] + place[i],
                          first + i * blockDim.x + threadIdx.x);
    __syncthreads();
}

static __device__ __forceinline__ void segmented_classify(const segmented_arguments &a,
                                                          segmented_classify_storage &s)
{
    constexpr unsigned items = SEGMENTED_CLASSIFY_ITEMS;
    if (threadIdx.x == 0)
        s.tiny = s.mixed = 0;
    __syncthreads();
    const uint64_t tile = (uint64_t)blockDim.x * items;
    for (uint64_t first = blockIdx.x * tile; first < a.segment_count; first += gridDim.x * tile) {
        uint64_t begin[items], end[items], length[items];
        int which[items];
        if (threadIdx.x < SEGMENTED_CLASSES)
            s.count[threadIdx.x] = 0;
        bool any = false, some_tiny = false, some_mixed = false;
        const uint32_t there = (uint32_t)min(a.segment_count - first, tile);
#pragma unroll
        for (unsigned i = 0; i < items; i++) {
            const uint32_t segment = i * blockDim.x + threadIdx.x;
            begin[i] = segmented_offset(a, first + min(segment, there));
            end[i] = segmented_offset(a, first + min(segment + 1, there));
        }
        const bool alike = segmented_alike_tiny(a, begin, end);
        const bool first_lane = threadIdx.x % 32 == 0;
        if (alike && first_lane && end[0] > begin[0])
            atomicOr(&s.tiny, 1u);
#pragma unroll
        for (unsigned i = 0; i < items; i++) {
            const uint64_t segment = first + i * blockDim.x + threadIdx.x;
            which[i] = -1;
            if (alike)
                continue;
            const bool bad = end[i] < begin[i] || end[i] > a.count;
            if (bad)
                atomicMax((unsigned long long *)&a.control->bad, (unsigned long long)~segment);
            length[i] = bad ? 0 : end[i] - begin[i];
            const segmented_mix mix(a, length[i], segment < a.segment_count);
            some_tiny |= length[i] > 0 && length[i] <= a.tiny_items;
            some_mixed |= mix.mixed;
            which[i] = segmented_classify_one(a, length[i], mix);
            if (which[i] == SEGMENTED_CLASSES)
                segmented_add_bucket(a, 0, begin[i], length[i], 0);
            any |= which[i] >= 0;
        }
        if (__any_sync(0xffffffffu, some_tiny) && first_lane)
            atomicOr(&s.tiny, 1u);
        if (some_mixed && first_lane)
            atomicOr(&s.mixed, 1u);
        if (!__syncthreads_or(any))
            continue;
        segmented_classify_list(a, s, which, first);
    }
    __syncthreads();
    if (threadIdx.x == 0 && s.tiny)
        a.control->tiny = 1;
    if (threadIdx.x == 0 && s.mixed)
        a.control->mixed = 1;
}

#endif
