/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Small correct kernels, one per feature of the emulator. They also compile with nvcc, which shows
 * that the rules of emu/README.md are enough for both.
 */
#include "flag.cuh"
#include "grid_barrier.cuh"

KERNEL(sample_vector_add, 256)(const float *a, const float *b, float *sum, uint64_t count)
{
    uint64_t i = static_cast<uint64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i < count)
        sum[i] = __ldg(&a[i]) + b[i];
}
KERNEL_EXPORT(sample_vector_add);

static __device__ __forceinline__ uint32_t warp_inclusive_scan(uint32_t value)
{
    for (int delta = 1; delta < 32; delta *= 2) {
        uint32_t below = __shfl_up_sync(0xffffffffu, value, delta);
        if (lane_id() >= static_cast<uint32_t>(delta))
            value += below;
    }
    return value;
}

/* Inclusive over the block; every thread also gets the block's total. */
static __device__ __forceinline__ uint32_t block_inclusive_scan(uint32_t value, uint32_t *total)
{
    SHARED(warp_sums, uint32_t[32]);
    uint32_t warp = threadIdx.x / 32, warps = blockDim.x / 32;
    value = warp_inclusive_scan(value);
    if (lane_id() == 31)
        warp_sums[warp] = value;
    __syncthreads();
    if (warp == 0) {
        uint32_t sum = lane_id() < warps ? warp_sums[lane_id()] : 0;
        warp_sums[lane_id()] = warp_inclusive_scan(sum);
    }
    __syncthreads();
    *total = warp_sums[warps - 1];
    return value + (warp ? warp_sums[warp - 1] : 0);
}

KERNEL(sample_block_scan, 1024)(const uint32_t *in, uint32_t *out)
{
    uint32_t total;
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = block_inclusive_scan(in[i], &total);
}
KERNEL_EXPORT(sample_block_scan);

/* Prefix sum in one pass over memory: tiles from a ticket, decoupled look-back over words that hold
 * status and value together. `state` is zero before: the ticket, then a word a tile. */
static constexpr uint64_t tile_sum = 1ull << 62, tile_prefix = 2ull << 62,
                          tile_value = ~(3ull << 62);

static __device__ uint64_t look_back(const uint64_t *words, uint32_t tile)
{
    uint64_t before = 0;
    while (tile-- > 0) {
        uint64_t word = flag_poll(&words[tile]);
        for (; word == 0; word = flag_poll(&words[tile]))
            spin_pause();
        before += word & tile_value;
        if (word & tile_prefix)
            break;
    }
    return before;
}

KERNEL(sample_prefix_sum, 256)(const uint32_t *in, uint64_t *out, uint64_t count, uint64_t *state)
{
    SHARED(tile_shared, uint32_t);
    SHARED(before_shared, uint64_t);
    uint32_t total;
    if (threadIdx.x == 0)
        tile_shared = static_cast<uint32_t>(atomic_add_relaxed(&state[0], 1));
    __syncthreads();
    uint32_t tile = tile_shared;
    uint64_t i = static_cast<uint64_t>(tile) * blockDim.x + threadIdx.x;
    uint32_t scanned = block_inclusive_scan(i < count ? in[i] : 0, &total);
    if (threadIdx.x == 0) {
        flag_publish(&state[1 + tile], (tile ? tile_sum : tile_prefix) | total);
        before_shared = look_back(&state[1], tile);
        if (tile)
            flag_publish(&state[1 + tile], tile_prefix | (before_shared + total));
    }
    __syncthreads();
    if (i < count)
        out[i] = before_shared + scanned;
}
KERNEL_EXPORT(sample_prefix_sum);

KERNEL(sample_histogram, 256)(const uint8_t *in, uint64_t count, unsigned long long *bins)
{
    SHARED_DYNAMIC(counts, uint32_t);
    for (uint32_t bin = threadIdx.x; bin < 256; bin += blockDim.x)
        counts[bin] = 0;
    __syncthreads();
    uint64_t stride = static_cast<uint64_t>(gridDim.x) * blockDim.x;
    for (uint64_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += stride)
        atomicAdd(&counts[in[i]], 1u);
    __syncthreads();
    for (uint32_t bin = threadIdx.x; bin < 256; bin += blockDim.x)
        atomicAdd(&bins[bin], static_cast<unsigned long long>(counts[bin]));
}
KERNEL_EXPORT(sample_histogram);

/* Every block adds up its neighbour's value of the round before: wrong unless all blocks wait. */
KERNEL(sample_grid_rounds, 64)(uint32_t *values, uint32_t *barrier, uint32_t rounds)
{
    for (uint32_t round = 0; round < rounds; round++) {
        uint32_t next = values[(blockIdx.x + 1) % gridDim.x];
        grid_barrier(barrier);
        if (threadIdx.x == 0)
            values[blockIdx.x] += next;
        grid_barrier(barrier);
    }
}
KERNEL_EXPORT(sample_grid_rounds);

/* Each block writes into the shared memory of the next block of its cluster. */
KERNEL(sample_cluster_shift, 32)(const uint32_t *in, uint32_t *out)
{
    SHARED(received, uint32_t[32]);
    uint32_t i = blockIdx.x * 32 + threadIdx.x;
    uint32_t *next = cluster_shared(&received[0], (cluster_rank() + 1) % cluster_count());
    cluster_barrier();
    next[threadIdx.x] = in[i];
    cluster_barrier();
    out[i] = received[threadIdx.x];
}
KERNEL_EXPORT(sample_cluster_shift);

/* Warps of one block hand a value on through flags in shared memory. */
KERNEL(sample_warp_chain, 1024)(uint32_t *out)
{
    SHARED(payload, uint32_t[32]);
    SHARED(ready, uint32_t[32]);
    uint32_t warp = threadIdx.x / 32;
    if (threadIdx.x < 32)
        ready[threadIdx.x] = 0;
    __syncthreads();
    if (lane_id() == 0) {
        while (warp > 0 && shared_flag_poll_acquire(&ready[warp - 1]) == 0)
            spin_pause();
        payload[warp] = warp ? payload[warp - 1] + warp : 0;
        shared_flag_publish_release(&ready[warp], 1u);
    }
    __syncthreads();
    out[threadIdx.x] = payload[warp];
}
KERNEL_EXPORT(sample_warp_chain);

struct sample_parameters {
    uint16_t *out;
    uint8_t factor;
    uint64_t offset;
};

/* Arguments of several sizes, a struct by value, a three-dimensional grid. */
KERNEL(sample_arguments, 1024, 1)(uint8_t a, sample_parameters by_value, uint16_t b, uint128 wide)
{
    uint32_t block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    uint32_t thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    uint32_t i = block * blockDim.x * blockDim.y * blockDim.z + thread;
    by_value.out[by_value.offset + i] =
        static_cast<uint16_t>(a + by_value.factor * i + b + static_cast<uint32_t>(wide >> 100));
}
KERNEL_EXPORT(sample_arguments);

/* Reverses blocks of 128 words: in by a bulk load, out by a bulk store, twice for both parities. */
KERNEL(sample_bulk_reverse, 128)(const uint32_t *in, uint32_t *out)
{
    SHARED(loaded, uint4[32]);
    SHARED(turned, uint4[32]);
    SHARED(barrier, uint64_t);
    uint32_t *from = reinterpret_cast<uint32_t *>(loaded);
    uint32_t *to = reinterpret_cast<uint32_t *>(turned);
    if (threadIdx.x == 0)
        bulk_barrier_init(&barrier, 1);
    __syncthreads();
    for (uint32_t turn = 0; turn < 2; turn++) {
        uint32_t start = (blockIdx.x * 2 + turn) * 128;
        if (threadIdx.x == 0) {
            bulk_barrier_arrive(&barrier, 512);
            bulk_load(loaded, in + start, 512, &barrier);
            bulk_store_wait<0>();
        }
        bulk_barrier_wait(&barrier, turn);
        __syncthreads();
        to[threadIdx.x] = from[127 - threadIdx.x];
        bulk_store_fence();
        __syncthreads();
        if (threadIdx.x == 0) {
            bulk_store(out + start, turned, 512);
            bulk_store_commit();
        }
    }
    if (threadIdx.x == 0)
        bulk_store_wait<0>();
}
KERNEL_EXPORT(sample_bulk_reverse);
