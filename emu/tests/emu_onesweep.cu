/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One stable radix pass with decoupled look-back, ranks by ballots: the yardstick for the
 * emulator's speed, about as many meetings a key as the real sort has.
 */
#include "flag.cuh"

static constexpr uint32_t pass_threads = 256, pass_items = 16, pass_warps = pass_threads / 32;
static constexpr uint32_t pass_tile = pass_threads * pass_items, pass_bins = 256;
static constexpr uint32_t word_sum = 1u << 30, word_prefix = 2u << 30, word_value = word_sum - 1;

struct pass_storage {
    uint32_t warp_bins[pass_warps][pass_bins];
    uint32_t first[pass_bins];
    uint32_t tile;
};

/* The lanes whose digit equals mine, by one ballot a bit. */
static __device__ __forceinline__ uint32_t digit_peers(uint32_t digit)
{
    uint32_t peers = 0xffffffffu;
    for (int bit = 0; bit < 8; bit++) {
        uint32_t ones = __ballot_sync(0xffffffffu, digit >> bit & 1);
        peers &= digit >> bit & 1 ? ones : ~ones;
    }
    return peers;
}

static __device__ uint32_t pass_look_back(uint32_t *words, uint32_t tile, uint32_t bin)
{
    uint32_t before = 0;
    while (tile-- > 0) {
        uint32_t word = flag_poll(&words[tile * pass_bins + bin]);
        for (; word == 0; word = flag_poll(&words[tile * pass_bins + bin]))
            spin_pause();
        before += word & word_value;
        if (word & word_prefix)
            break;
    }
    return before;
}

/* `starts` holds each digit's first place in the output; `state` is zero: ticket, then words. The
 * count is a multiple of the tile. */
KERNEL(sample_radix_pass, 256)
(const uint32_t *in, uint32_t *out, const uint32_t *starts, uint32_t *state, uint32_t shift)
{
    SHARED(storage, pass_storage);
    uint32_t thread = threadIdx.x, warp = thread / 32, lane = lane_id();
    uint32_t keys[pass_items], ranks[pass_items];
    if (thread == 0)
        storage.tile = atomic_add_relaxed(&state[0], 1u);
    for (uint32_t w = 0; w < pass_warps; w++)
        storage.warp_bins[w][thread] = 0;
    __syncthreads();
    uint32_t tile = storage.tile;
    const uint32_t *mine = in + static_cast<uint64_t>(tile) * pass_tile + warp * 32 * pass_items;
    for (uint32_t i = 0; i < pass_items; i++) {
        keys[i] = mine[i * 32 + lane];
        uint32_t digit = keys[i] >> shift & 255;
        uint32_t peers = digit_peers(digit);
        uint32_t seen = storage.warp_bins[warp][digit];
        __syncwarp();
        if ((peers & lanemask_gt()) == 0)
            storage.warp_bins[warp][digit] = seen + __popc(peers);
        __syncwarp();
        ranks[i] = seen + __popc(peers & lanemask_lt());
    }
    __syncthreads();
    uint32_t sum = 0;
    for (uint32_t w = 0; w < pass_warps; w++) {
        uint32_t count = storage.warp_bins[w][thread];
        storage.warp_bins[w][thread] = sum;
        sum += count;
    }
    uint32_t *words = state + 1;
    flag_publish(&words[tile * pass_bins + thread], (tile ? word_sum : word_prefix) | sum);
    uint32_t before = pass_look_back(words, tile, thread);
    if (tile)
        flag_publish(&words[tile * pass_bins + thread], word_prefix | (before + sum));
    storage.first[thread] = starts[thread] + before;
    __syncthreads();
    for (uint32_t i = 0; i < pass_items; i++) {
        uint32_t digit = keys[i] >> shift & 255;
        out[storage.first[digit] + storage.warp_bins[warp][digit] + ranks[i]] = keys[i];
    }
}
KERNEL_EXPORT(sample_radix_pass);
