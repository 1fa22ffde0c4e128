/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Long segments of single bytes, keys alone: counted, and written by their counts, so that each is
 * read and written once. What is less than two units is one block's work from end to end. Of longer
 * ones a block counts a unit, a scan adds up what all have counted, and a block writes a unit. Keys
 * are counted as they are, and put in order where counters are added up.
 */
#ifndef CONSORT_SEGMENTED_LONG_BYTES_CUH
#define CONSORT_SEGMENTED_LONG_BYTES_CUH

#include "cuda/device/block_scan.cuh"
#include "cuda/device/codes.cuh"
#include "cuda/sorts/segmented/segmented_count.cuh"
#include "cuda/sorts/segmented_long/segmented_long_tuning.h"

struct segmented_long_bytes_storage {
    uint32_t bins[SEGMENTED_LONG_BYTES_THREADS / 32][SEGMENTED_BINS]; /* of each warp */
    uint32_t ends[SEGMENTED_BINS]; /* of each code's keys, in what the block writes */
    uint32_t warp_sums[8];
};

/* One block's work: the whole block calls each function. */
struct segmented_long_bytes {
    using storage = segmented_long_bytes_storage;
    static constexpr unsigned threads = SEGMENTED_LONG_BYTES_THREADS, warps = threads / 32;
    static constexpr unsigned per_word = sizeof(uint4);
    static constexpr unsigned at_once = 2; /* words that a thread waits for together */
    static_assert(threads == SEGMENTED_BINS, "a thread for each code");

    storage &s;
    const codes<uint8_t> codec;

    __device__ __forceinline__ segmented_long_bytes(const segmented_arguments &a, storage &memory)
        : s(memory), codec(a.codec)
    {
    }

    __device__ __forceinline__ void count(const uint8_t *keys, uint32_t length) const
    {
#pragma unroll
        for (unsigned copy = 0; copy < warps; copy++)
            s.bins[copy][threadIdx.x] = 0;
        __syncthreads();
        const uint32_t head = before_words(keys, length), words = (length - head) / per_word;
        const uint32_t tail = head + words * per_word;
        if (threadIdx.x < head)
            add(keys[threadIdx.x], 1);
        if (threadIdx.x < length - tail)
            add(keys[tail + threadIdx.x], 1);
        const uint4 *word = (const uint4 *)(keys + head);
#pragma unroll 1
        for (uint32_t first = threadIdx.x; first < words; first += at_once * threads) {
            uint4 loaded[at_once];
#pragma unroll
            for (unsigned i = 0; i < at_once; i++)
                loaded[i] = word[min(first + i * threads, words - 1)];
#pragma unroll
            for (unsigned i = 0; i < at_once; i++)
                if (first + i * threads < words)
                    add_word(loaded[i]);
        }
        __syncthreads();
    }

    /* How often this thread's code has been counted. */
    __device__ __forceinline__ uint32_t keys_of_code() const
    {
        const uint8_t key = codec.decode((uint8_t)threadIdx.x);
        uint32_t sum = 0;
#pragma unroll
        for (unsigned copy = 0; copy < warps; copy++)
            sum += s.bins[copy][key];
        return sum;
    }

    /* `end` is where keys of this thread's code end. Ends are free after a barrier. */
    __device__ __forceinline__ void write(uint8_t *keys, uint32_t length, uint32_t end) const
    {
        s.ends[threadIdx.x] = end;
        __syncthreads();
        const uint32_t head = before_words(keys, length), words = (length - head) / per_word;
        const uint32_t tail = head + words * per_word;
        if (threadIdx.x < head)
            keys[threadIdx.x] = key_at(threadIdx.x);
        if (threadIdx.x < length - tail)
            keys[tail + threadIdx.x] = key_at(tail + threadIdx.x);
        uint4 *word = (uint4 *)(keys + head);
#pragma unroll 1
        for (uint32_t i = threadIdx.x; i < words; i += threads)
            word[i] = word_at(head + i * per_word);
    }

    __device__ __forceinline__ void sort(const uint8_t *from, uint8_t *to, uint32_t length) const
    {
        count(from, length);
        const uint32_t keys = keys_of_code();
        write(to, length, block_exclusive_sum_256(keys, s.warp_sums) + keys);
    }

  private:
    static __device__ __forceinline__ uint32_t before_words(const uint8_t *keys, uint32_t length)
    {
        return min((uint32_t)(0 - (uintptr_t)keys) % per_word, length);
    }

    __device__ __forceinline__ void add(uint32_t key, uint32_t times) const
    {
        atomicAdd(&s.bins[threadIdx.x / 32][key], times);
    }

    /* Sorted and equal keys would queue up at one counter. */
    __device__ __forceinline__ void add_word(uint4 word) const
    {
        const uint32_t parts[4] = {word.x, word.y, word.z, word.w};
        const uint32_t key = parts[0] & 0xff, repeated = key * 0x01010101u;
        if (parts[0] == repeated && parts[1] == repeated && parts[2] == repeated &&
            parts[3] == repeated) {
            add(key, per_word);
            return;
        }
#pragma unroll
        for (unsigned i = 0; i < per_word; i++)
            add(parts[i / 4] >> 8 * (i % 4) & 0xff, 1);
    }

    /* The code whose key is at a place: the first whose keys end behind it. */
    __device__ __forceinline__ uint32_t code_at(uint32_t place) const
    {
        uint32_t code = 0;
#pragma unroll
        for (uint32_t step = SEGMENTED_BINS / 2; step > 0; step /= 2)
            code += s.ends[code + step - 1] <= place ? step : 0;
        return code;
    }

    __device__ __forceinline__ uint8_t key_at(uint32_t place) const
    {
        return codec.decode((uint8_t)code_at(place));
    }

    /* A word of keys from a place on: all of the first one's code, then from where these end on all
     * of the next one's, until the word does. */
    __device__ __forceinline__ uint4 word_at(uint32_t place) const
    {
        uint32_t code = code_at(place), parts[4] = {0, 0, 0, 0};
        for (uint32_t from = place;;) {
            const uint32_t key = codec.decode((uint8_t)code) * 0x01010101u;
#pragma unroll
            for (int i = 0; i < 4; i++) {
                const int kept = max(8 * (int)(from - place) - 32 * i, 0); /* bits */
                const uint32_t beyond = kept < 32 ? ~0u << kept : 0;
                parts[i] = (parts[i] & ~beyond) | (key & beyond);
            }
            from = s.ends[code];
            if (from - place >= per_word)
                return make_uint4(parts[0], parts[1], parts[2], parts[3]);
            code++;
            if (s.ends[code] <= from) /* it has no keys */
                code = code_at(from);
        }
    }
};

/* All classes that take a block. */
static __device__ __forceinline__ void segmented_long_bytes_leaves(const segmented_arguments &a,
                                                                   segmented_long_bytes_storage &s)
{
    if (segmented_refused(a))
        return;
    const segmented_long_bytes bytes(a, s);
    for (int c = (int)a.classes - 1; c >= SEGMENTED_WARP_CLASSES; c--) {
        const uint32_t leaves = (uint32_t)a.control->leaf_count[c];
#pragma unroll 1
        for (uint32_t at = blockIdx.x; at < leaves; at += gridDim.x) {
            const uint64_t leaf = segmented_get(a, c, at), start = segmented_leaf_start(leaf);
            bytes.sort((const uint8_t *)a.keys[0] + start, (uint8_t *)a.keys_out + start,
                       segmented_leaf_length(leaf));
        }
    }
}

/* Units of large segments. What is one unit is sorted at once. */
static __device__ __forceinline__ void segmented_long_bytes_count(const segmented_arguments &a,
                                                                  segmented_long_bytes_storage &s)
{
    if (segmented_idle(a, segmented_unit_count(a, 0)))
        return;
    const segmented_long_bytes bytes(a, s);
    for (uint32_t unit = blockIdx.x; unit < segmented_unit_count(a, 0); unit += gridDim.x) {
        const segmented_unit u = segmented_unit_of(a, 0, unit);
        const segmented_bucket &bucket = u.bucket;
        const uint8_t *keys = (const uint8_t *)a.keys[0] + u.start;
        if (!segmented_has_units(a, bucket.length)) {
            bytes.sort(keys, (uint8_t *)a.keys_out + u.start, u.length);
            continue;
        }
        bytes.count(keys, u.length);
        segmented_bins_of(a, bucket, u.number).put(threadIdx.x, bytes.keys_of_code());
        __syncthreads();
    }
}

/* The first of several units of a large segment gets the ends of its codes. */
static __device__ __forceinline__ void segmented_long_bytes_scan(const segmented_arguments &a,
                                                                 uint64_t *warp_sums)
{
    if (segmented_idle(a, a.control->shared_count[0]))
        return;
    for (uint32_t at = blockIdx.x; at < a.control->shared_count[0]; at += gridDim.x) {
        const segmented_bucket &bucket = a.shared[0][at];
        const uint32_t units = segmented_units(a, bucket.length);
        const segmented_bins bins = segmented_bins_of(a, bucket, 0);
        uint64_t keys = 0;
#pragma unroll 16
        for (uint32_t unit = 0; unit < units; unit++)
            keys += bins.get((uint64_t)unit * SEGMENTED_BINS + threadIdx.x);
        bins.put(threadIdx.x, block_exclusive_sum_256(keys, warp_sums) + keys);
        __syncthreads();
    }
}

static __device__ __forceinline__ void segmented_long_bytes_write(const segmented_arguments &a,
                                                                  segmented_long_bytes_storage &s)
{
    if (segmented_idle(a, a.control->unit_count[0]))
        return;
    const segmented_long_bytes bytes(a, s);
    for (uint32_t unit = blockIdx.x; unit < a.control->unit_count[0]; unit += gridDim.x) {
        const segmented_unit u = segmented_unit_of(a, 0, unit);
        const segmented_bucket &bucket = u.bucket;
        const uint64_t end = segmented_bins_of(a, bucket, 0).get(threadIdx.x);
        const uint64_t before = u.start - bucket.start;
        const uint64_t own = end > before ? end - before : 0;
        bytes.write((uint8_t *)a.keys_out + u.start, u.length,
                    (uint32_t)min(own, (uint64_t)u.length));
        __syncthreads();
    }
}

#endif
