/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Large segments, first two thirds of a level: count each unit's digits, then scan them for each
 * bucket and say what its parts become: buckets of the next level, or leaves. Buckets are split
 * from the most significant digit on, as in E. Stehle and H.-A. Jacobsen, "A Memory
 * Bandwidth-Efficient Hybrid Radix Sort on GPUs", SIGMOD 2017; here every segment is a bucket to
 * begin with.
 */
#ifndef CONSORT_SEGMENTED_COUNT_CUH
#define CONSORT_SEGMENTED_COUNT_CUH

#include "cuda/device/block_scan.cuh"
#include "cuda/device/codes.cuh"
#include "cuda/sorts/segmented/segmented_lists.cuh"
#include "cuda/sorts/segmented/segmented_tuning.h"

enum {
    SEGMENTED_COUNT_COPIES = 8 /* of the bins, so that warps meet less often in one */
};

/* The items of a unit: consecutive tiles of one bucket. */
struct segmented_unit {
    uint64_t start;
    uint32_t length;
    uint32_t bucket;
};

static __device__ __forceinline__ segmented_unit segmented_unit_of(const segmented_arguments &a,
                                                                   uint32_t level, uint32_t unit)
{
    const uint32_t at = a.units[level % 2][unit];
    const segmented_bucket &bucket = a.buckets[level % 2][at];
    const uint64_t skipped = (uint64_t)(unit - bucket.first_unit) * bucket.unit_items;
    const uint64_t left = bucket.length - skipped;
    return {bucket.start + skipped, (uint32_t)min(left, (uint64_t)bucket.unit_items), at};
}

/* A unit's items of each digit, then where they go in the bucket: 32 bits where they suffice. */
struct segmented_bins {
    void *first;
    bool wide;

    __device__ __forceinline__ uint64_t get(uint64_t at) const
    {
        return wide ? ((const uint64_t *)first)[at] : ((const uint32_t *)first)[at];
    }

    __device__ __forceinline__ void put(uint64_t at, uint64_t value) const
    {
        if (wide)
            ((uint64_t *)first)[at] = value;
        else
            ((uint32_t *)first)[at] = (uint32_t)value;
    }
};

/* A bucket's unit `number`: its bins. Those of a bucket of one unit lie where the bucket is going
 * to, which nobody else uses, and from where the one block that moves it has read them before it
 * writes. */
static __device__ __forceinline__ segmented_bins segmented_bins_of(const segmented_arguments &a,
                                                                   const segmented_bucket &bucket,
                                                                   uint32_t number)
{
    const bool wide = a.bin_bytes == 8;
    if (segmented_has_units(a, bucket.length)) {
        const uint64_t before = ((uint64_t)bucket.first_bins + number) * SEGMENTED_BINS;
        return {(char *)a.bins + before * a.bin_bytes, wide};
    }
    char *target = (char *)a.keys[bucket.buffer == 1 ? 2 : 1] + bucket.start * a.key_bytes;
    return {(void *)(((uintptr_t)target + 7) & ~(uintptr_t)7), wide};
}

template <typename K>
static __device__ __forceinline__ K segmented_code(const segmented_arguments &a,
                                                   const codes<K> &codec, uint32_t buffer,
                                                   uint64_t at)
{
    const K key = ((const K *)a.keys[buffer])[at];
    return buffer == 0 ? codec.encode(key) : key;
}

static __device__ __forceinline__ void segmented_clear_counts(uint32_t (*bins)[SEGMENTED_BINS])
{
    for (unsigned i = threadIdx.x; i < SEGMENTED_COUNT_COPIES * SEGMENTED_BINS; i += blockDim.x)
        bins[i / SEGMENTED_BINS][i % SEGMENTED_BINS] = 0;
}

static __device__ __forceinline__ void segmented_put_counts(const segmented_bins &sums,
                                                            uint32_t (*bins)[SEGMENTED_BINS])
{
    for (unsigned d = threadIdx.x; d < SEGMENTED_BINS; d += blockDim.x) {
        uint32_t sum = 0;
#pragma unroll
        for (unsigned copy = 0; copy < SEGMENTED_COUNT_COPIES; copy++)
            sum += bins[copy][d];
        sums.put(d, sum);
    }
}

template <typename K>
static __device__ __forceinline__ void segmented_count(const segmented_arguments &a, uint32_t level,
                                                       uint32_t (*bins)[SEGMENTED_BINS])
{
    if (segmented_refused(a))
        return;
    constexpr unsigned items = 8;
    const codes<K> codec(a.codec);
    const code_byte<K> digit(a.levels - 1 - level);
    uint32_t *mine = bins[threadIdx.x / 32 % SEGMENTED_COUNT_COPIES];
    for (uint32_t unit = blockIdx.x; unit < a.control->unit_count[level]; unit += gridDim.x) {
        const segmented_unit u = segmented_unit_of(a, level, unit);
        const segmented_bucket &bucket = a.buckets[level % 2][u.bucket];
        const uint32_t buffer = bucket.buffer;
        const segmented_bins sums = segmented_bins_of(a, bucket, unit - bucket.first_unit);
        segmented_clear_counts(bins);
        __syncthreads();
        for (uint32_t first = 0; first < u.length; first += items * blockDim.x) {
            K code[items];
#pragma unroll
            for (unsigned i = 0; i < items; i++) {
                const uint32_t at = first + i * blockDim.x + threadIdx.x;
                code[i] = at < u.length ? segmented_code(a, codec, buffer, u.start + at) : (K)0;
            }
#pragma unroll
            for (unsigned i = 0; i < items; i++)
                if (first + i * blockDim.x + threadIdx.x < u.length)
                    atomicAdd(&mine[digit(code[i])], 1u);
        }
        __syncthreads();
        segmented_put_counts(sums, bins);
        __syncthreads();
    }
}

struct segmented_scan_storage {
    uint64_t start[SEGMENTED_BINS + 1]; /* of each digit's items, in the bucket */
    uint64_t warp_sums[8];
    uint16_t next[SEGMENTED_BINS + 1]; /* a step, or several, of the walk over leaves */
    uint8_t begins[SEGMENTED_BINS];    /* 1: a leaf begins with this digit */
};

static __device__ __forceinline__ int segmented_class_of_part(const segmented_arguments &a,
                                                              uint32_t length)
{
    return length <= segmented_class_items(a, SEGMENTED_PAIRS) ? SEGMENTED_PAIRS
                                                               : segmented_class_of(a, length);
}

/* Equal items: leaves of any length will do. Full ones are listed at once, as one thread lists all.
 */
static __device__ __forceinline__ void segmented_cut(const segmented_arguments &a, uint64_t start,
                                                     uint64_t length, uint32_t buffer)
{
    const int last = (int)a.classes - 1;
    const uint32_t most = segmented_class_items(a, last);
    const uint64_t full = length / most;
    const uint32_t rest = (uint32_t)(length % most);
    const uint64_t first = segmented_reserve(a, last, full);
    for (uint64_t i = 0; i < full; i++)
        segmented_put(a, last, first + i, segmented_leaf(start + i * most, most, buffer));
    if (rest == 0)
        return;
    const int c = segmented_class_of_part(a, rest);
    segmented_add(a, c, segmented_word_of(c, start + full * most, rest, buffer));
}

static __device__ __forceinline__ void segmented_settle(const segmented_arguments &a,
                                                        uint32_t level, uint64_t start,
                                                        uint64_t length, uint32_t buffer)
{
    if (level + 1 < a.levels)
        segmented_add_bucket(a, level + 1, start, length, buffer);
    else
        segmented_cut(a, start, length, buffer);
}

/* The digit that begins the leaf after the one that begins with this thread's digit, whose items
 * are more than 0: neighbours share a leaf up to what is best for them, or what a larger one's
 * class sorts. */
static __device__ __forceinline__ uint32_t segmented_next_leaf(const segmented_arguments &a,
                                                               const segmented_scan_storage &s)
{
    const uint32_t d = threadIdx.x;
    const uint64_t length = s.start[d + 1] - s.start[d];
    uint64_t end = s.start[d] + a.shared_items;
    if (length > segmented_class_items(a, (int)a.classes - 1))
        end = s.start[d + 1];
    else if (length > a.shared_items)
        end = s.start[d] + segmented_class_items(a, segmented_class_of(a, (uint32_t)length));
    uint32_t next = d + 1; /* what lies before it fits */
#pragma unroll 1
    for (uint32_t step = SEGMENTED_BINS / 2; step > 0; step /= 2)
        if (next + step <= SEGMENTED_BINS && s.start[next + step] <= end)
            next += step;
    return next;
}

/* The digit after two leaves, of which the second begins with digit `next`, if a warp sorts each of
 * them, so that they share a word; else `next`. The whole block calls it. */
static __device__ __forceinline__ uint32_t segmented_after_pair(const segmented_arguments &a,
                                                                segmented_scan_storage &s,
                                                                uint32_t next)
{
    const uint32_t d = threadIdx.x, warp = segmented_class_items(a, SEGMENTED_PAIRS);
    if (d < SEGMENTED_BINS)
        s.next[d] = (uint16_t)next;
    __syncthreads();
    uint32_t after = next;
    if (d < SEGMENTED_BINS && next < SEGMENTED_BINS) {
        const uint32_t second = s.next[next];
        const bool pair =
            s.start[next] - s.start[d] <= warp && s.start[second] - s.start[next] <= warp;
        after = pair ? second : next;
    }
    __syncthreads();
    return after;
}

/* Marks the digits that begin words of leaves: those that a walk from the first one on, from word
 * to word, steps on. Steps are doubled until all of them lead to the end. The whole block calls it.
 */
static __device__ __forceinline__ void segmented_mark_leaves(segmented_scan_storage &s,
                                                             uint32_t next)
{
    const uint32_t d = threadIdx.x;
    const bool owner = d < SEGMENTED_BINS;
    if (d == 0)
        s.next[SEGMENTED_BINS] = SEGMENTED_BINS;
    if (owner) {
        s.begins[d] = d == 0;
        s.next[d] = (uint16_t)next;
    }
    __syncthreads();
    for (;;) {
        const bool begins = owner && s.begins[d];
        const uint32_t to = s.next[min(d, (uint32_t)SEGMENTED_BINS)], beyond = s.next[to];
        if (!__syncthreads_or(to < SEGMENTED_BINS))
            return;
        if (begins && to < SEGMENTED_BINS)
            s.begins[to] = 1;
        if (owner)
            s.next[d] = (uint16_t)beyond;
        __syncthreads();
    }
}

/* What the digits of a bucket become. The whole block calls it. */
static __device__ __forceinline__ void segmented_split(const segmented_arguments &a, uint32_t level,
                                                       const segmented_bucket &bucket,
                                                       segmented_scan_storage &s)
{
    const bool owner = threadIdx.x < SEGMENTED_BINS;
    uint32_t next = SEGMENTED_BINS;
    if (owner)
        next = segmented_next_leaf(a, s);
    const uint32_t after = segmented_after_pair(a, s, next);
    segmented_mark_leaves(s, after);
    if (!owner || !s.begins[threadIdx.x])
        return;
    const uint32_t buffer = bucket.buffer == 1 ? 2 : 1;
    const uint64_t start = bucket.start + s.start[threadIdx.x];
    const uint64_t length = s.start[next] - s.start[threadIdx.x];
    if (length > segmented_class_items(a, (int)a.classes - 1))
        segmented_settle(a, level, start, length, buffer);
    else if (after > next)
        segmented_add(a, SEGMENTED_PAIRS,
                      segmented_pair(start, length, s.start[after] - s.start[next], buffer));
    else if (length > 0) {
        const int c = segmented_class_of_part(a, (uint32_t)length);
        segmented_add(a, c, segmented_word_of(c, start, length, buffer));
    }
}

/* One bucket: the places of all its units' digits. Threads 0…255 own a digit each. */
static __device__ __forceinline__ void segmented_scan_bucket(const segmented_arguments &a,
                                                             uint32_t level,
                                                             segmented_bucket &bucket,
                                                             segmented_scan_storage &s)
{
    const bool owner = threadIdx.x < SEGMENTED_BINS;
    const uint32_t own_units = owner ? segmented_units(bucket.length, bucket.unit_items) : 0;
    const segmented_bins bins = segmented_bins_of(a, bucket, 0);
    uint64_t count = 0;
#pragma unroll 16
    for (uint32_t unit = 0; unit < own_units; unit++)
        count += bins.get((uint64_t)unit * SEGMENTED_BINS + threadIdx.x);
    const bool settled = __syncthreads_or(count == bucket.length);
    uint64_t place = block_exclusive_sum_256(count, s.warp_sums);
    if (settled) {
        if (threadIdx.x == 0) {
            bucket.settled = 1;
            segmented_settle(a, level, bucket.start, bucket.length, bucket.buffer);
        }
        __syncthreads();
        return;
    }
    if (owner)
        s.start[threadIdx.x] = place;
    if (threadIdx.x == 0)
        s.start[SEGMENTED_BINS] = bucket.length;
#pragma unroll 16
    for (uint32_t unit = 0; unit < own_units; unit++) {
        const uint64_t at = (uint64_t)unit * SEGMENTED_BINS + threadIdx.x;
        const uint64_t more = bins.get(at);
        bins.put(at, place);
        place += more;
    }
    __syncthreads();
    segmented_split(a, level, bucket, s);
    __syncthreads();
}

static __device__ __forceinline__ void segmented_scan(const segmented_arguments &a, uint32_t level,
                                                      segmented_scan_storage &s)
{
    if (segmented_refused(a))
        return;
    for (uint32_t at = blockIdx.x; at < a.control->bucket_count[level]; at += gridDim.x)
        segmented_scan_bucket(a, level, a.buckets[level % 2][at], s);
}

#endif
