/* SPDX-License-Identifier: Apache-2.0 */
/* Splits behind the moves, in launches or behind barriers of their own. */
#ifndef CONSORT_SEGMENTED_MOVED_CUH
#define CONSORT_SEGMENTED_MOVED_CUH

#include "cuda/device/codes.cuh"
#include "cuda/device/values.cuh"
#include "cuda/sorts/segmented/segmented_split.cuh"

/* Sorts items too few to hold a link, by one thread. */
template <typename K>
static __device__ __forceinline__ void
segmented_sort_few(const segmented_arguments &a, uint64_t start, uint32_t count, uint32_t buffer)
{
    K *code = (K *)a.keys[buffer] + start, *out = (K *)a.keys_out + start;
    const codes<K> codec(a.codec);
    const value_reader<4> value((const void *)a.values[buffer]);
    const value_writer<4> moved(a.values[buffer]), written(a.values_out);
    const uint32_t planes = a.value_bytes / 4;
#pragma unroll 1
    for (uint32_t i = 1; i < count; i++) {
#pragma unroll 1
        for (uint32_t j = i; j > 0 && code[j] < code[j - 1]; j--) {
            const K higher = code[j - 1];
            code[j - 1] = code[j];
            code[j] = higher;
#pragma unroll 1
            for (uint64_t word = (start + j) * planes; word < (start + j + 1) * planes; word++) {
                const uint32_t of_higher = value.at(word - planes);
                moved.put(word - planes, value.at(word));
                moved.put(word, of_higher);
            }
        }
    }
#pragma unroll 1
    for (uint32_t i = 0; i < count; i++)
        out[i] = codec.decode(code[i]);
#pragma unroll 1
    for (uint64_t word = start * planes; word < (start + count) * planes; word++)
        written.put(word, value.at(word));
}

/* Those that early splits have listed: a thread takes some. */
template <typename K>
static __device__ __forceinline__ void segmented_sort_listed(const segmented_arguments &a)
{
    const uint32_t count = a.control->few_count;
    const segmented_numbers few = segmented_few(a);
    for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
        segmented_sort_few<K>(a, few.get(i) & (((uint64_t)1 << a.start_bits) - 1),
                              (uint32_t)(few.get(i) >> a.start_bits), 1);
}

/* Where the digits of a bucket of one unit end, in the bucket, once it has moved: in what is left
 * of where it came from. */
static __device__ __forceinline__ segmented_bins segmented_ends_of(const segmented_arguments &a,
                                                                   const segmented_bucket &bucket)
{
    return segmented_bins_at(a, segmented_other(segmented_other(bucket.buffer)), bucket.start);
}

/* By the owner of `width` digits from `first` on, which are not told apart, whose items end before
 * `next`. */
static __device__ __forceinline__ void
segmented_note_ends(const segmented_arguments &a, uint32_t level, const segmented_bucket &bucket,
                    uint32_t first, uint32_t width, uint64_t next)
{
    if (segmented_splits_early(a, level) || segmented_has_units(a, bucket.length))
        return;
    const segmented_bins ends = segmented_ends_of(a, bucket);
    for (uint32_t d = first; d < first + width; d++)
        ends.put(d, next - bucket.start);
}

/* Where a digit's items end, or those of its group. */
static __device__ __forceinline__ uint64_t segmented_end_of(const segmented_arguments &a,
                                                            const segmented_bucket &bucket,
                                                            uint32_t d)
{
    if (!segmented_has_units(a, bucket.length))
        return segmented_ends_of(a, bucket).get(d);
    const uint32_t after = (d | ((1u << bucket.coarse) - 1)) + 1;
    return after < SEGMENTED_BINS ? segmented_bins_of(a, bucket, 0).get(after) : bucket.length;
}

/* All buckets of a level that no scan has split. */
template <typename K>
static __device__ __forceinline__ void
segmented_split_moved(const segmented_arguments &a, uint32_t level, segmented_split_storage &s)
{
    if (segmented_refused(a) || segmented_splits_early(a, level))
        return;
    for (uint32_t at = blockIdx.x; at < segmented_bucket_count(a, level); at += gridDim.x) {
        const segmented_bucket bucket = segmented_bucket_at(a, level, at);
        if (bucket.settled)
            continue;
        if (threadIdx.x < SEGMENTED_BINS)
            s.start[threadIdx.x + 1] = segmented_end_of(a, bucket, threadIdx.x);
        if (threadIdx.x == 0)
            s.start[0] = 0;
        __syncthreads();
        segmented_split(a, level, bucket, s, [&a](uint64_t start, uint32_t count, uint32_t buffer) {
            segmented_sort_few<K>(a, start, count, buffer);
        });
        __syncthreads();
    }
}

#endif
