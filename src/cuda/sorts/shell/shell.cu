/* SPDX-License-Identifier: Apache-2.0 */
/* The kernels of `shell`; the host side is shell.c. */
#include "cuda/sorts/items/items_kinds.h"
#include "cuda/sorts/shell/shell_layout.h"
#include "cuda/sorts/shell/shell_pass.cuh"

/* Every block of 2^log_block items, by itself, in ascending order. */
template <typename K, typename I>
static __device__ __forceinline__ void shell_blocks(const items &a, uint32_t log_block,
                                                    unsigned char *shared)
{
    const uint32_t size = 1u << log_block;
    const uint64_t first = (uint64_t)blockIdx.x << log_block;
    const uint32_t filled = a.count - first < size ? (uint32_t)(a.count - first) : size;
    const item_array<K, I> array{(K *)a.codes, (I *)a.indices};
    const padded_item_array<K, I> tile(shared, size);
    network_copy(array, first, tile, 0, filled);
    __syncthreads();
    for (uint32_t log_size = 1; log_size <= log_block; log_size++)
        network_merge_tile(tile, log_block, filled, 0, filled, log_size, log_size);
    network_copy(tile, 0, array, first, filled);
}

/* The first step of merging two ascending halves: the second is read from its end. */
template <typename Tile>
static __device__ __forceinline__ void shell_exchange_mirrored(const Tile &tile, uint32_t half,
                                                               uint32_t filled)
{
    for (uint32_t i = threadIdx.x; i < half; i += blockDim.x) {
        const uint32_t mirrored = 2 * half - 1 - i;
        if (mirrored >= filled)
            continue;
        typename Tile::type low = tile.load(i), high = tile.load(mirrored);
        if (high.before(low)) {
            tile.store(i, high);
            tile.store(mirrored, low);
        }
    }
    __syncthreads();
}

/*
 * Half a round of odd-even transposition whose items are blocks: merges blocks 2p + odd and
 * 2p + odd + 1. Nothing to do where they are in order already, or if the round before found all so.
 */
template <typename K, typename I>
static __device__ __forceinline__ void shell_merge(const items &a, uint32_t log_block, uint32_t odd,
                                                   uint32_t round, shell_control *control,
                                                   unsigned char *shared)
{
    const uint32_t half = 1u << log_block;
    const uint64_t first = (2 * (uint64_t)blockIdx.x + odd) << log_block;
    if (first + half >= a.count || (round > 0 && control->exchanged[round - 1] == 0))
        return;
    const item_array<K, I> array{(K *)a.codes, (I *)a.indices};
    if (!array.load(first + half).before(array.load(first + half - 1)))
        return;
    const uint32_t filled = a.count - first < 2 * half ? (uint32_t)(a.count - first) : 2 * half;
    const padded_item_array<K, I> tile(shared, 2 * half);
    network_copy(array, first, tile, 0, filled);
    __syncthreads();
    shell_exchange_mirrored(tile, half, filled);
    network_merge_tile(tile, log_block + 1, filled, 0, filled, log_block + 1, log_block);
    network_copy(tile, 0, array, first, filled);
    if (threadIdx.x == 0)
        control->exchanged[round] = 1;
}

#define SHELL_PASS(window, code_bits, code, index_bits, index)                                     \
    KERNEL(shell_pass_##window##_##code_bits##_##index_bits, SHELL_PASS_THREADS)                   \
    (items a, uint64_t increment)                                                                  \
    {                                                                                              \
        const item_array<code, index> array{(code *)a.codes, (index *)a.indices};                  \
        shell_pass<window>(array, a.count, increment);                                             \
    }                                                                                              \
    KERNEL_EXPORT(shell_pass_##window##_##code_bits##_##index_bits);

#define SHELL_KERNELS(code_bits, code, index_bits, index)                                          \
    SHELL_WINDOWS(SHELL_PASS, code_bits, code, index_bits, index)                                  \
    KERNEL(shell_blocks_##code_bits##_##index_bits, SHELL_THREADS)(items a, uint32_t log_block)    \
    {                                                                                              \
        SHARED_DYNAMIC(shared, unsigned char);                                                     \
        shell_blocks<code, index>(a, log_block, shared);                                           \
    }                                                                                              \
    KERNEL_EXPORT(shell_blocks_##code_bits##_##index_bits);                                        \
    KERNEL(shell_merge_##code_bits##_##index_bits, SHELL_THREADS)                                  \
    (items a, uint32_t log_block, uint32_t odd, uint32_t round, shell_control * control)           \
    {                                                                                              \
        SHARED_DYNAMIC(shared, unsigned char);                                                     \
        shell_merge<code, index>(a, log_block, odd, round, control, shared);                       \
    }                                                                                              \
    KERNEL_EXPORT(shell_merge_##code_bits##_##index_bits);
ITEMS_KINDS(SHELL_KERNELS)

/* counters: passes, rounds, whether the network had to finish. */
KERNEL(shell_tell, 1)
(const shell_control *control, uint32_t passes, uint32_t most_rounds, uint64_t *counters)
{
    uint32_t rounds = 0;
    while (rounds < most_rounds && control->exchanged[rounds] != 0)
        rounds++;
    counters[0] = passes;
    counters[1] = rounds < most_rounds ? rounds + 1 : rounds;
    counters[2] = rounds == most_rounds;
}
KERNEL_EXPORT(shell_tell);
