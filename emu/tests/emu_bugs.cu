/* SPDX-License-Identifier: Apache-2.0 */
/* Seeded bugs: each kernel is wrong in one way that the emulator must report. */
#include "flag.cuh"

KERNEL(bug_barrier_in_branch, 64)(uint32_t *out)
{
    if (threadIdx.x < 32)
        __syncthreads();
    else
        __syncthreads();
    out[threadIdx.x] = 1;
}
KERNEL_EXPORT(bug_barrier_in_branch);

KERNEL(bug_exit_before_barrier, 64)(uint32_t *out)
{
    if (threadIdx.x == 5)
        return;
    __syncthreads();
    out[threadIdx.x] = 1;
}
KERNEL_EXPORT(bug_exit_before_barrier);

KERNEL(bug_exit_before_ballot, 32)(uint32_t *out)
{
    if (threadIdx.x == 5)
        return;
    out[threadIdx.x] = __ballot_sync(0xffffffffu, 1);
}
KERNEL_EXPORT(bug_exit_before_ballot);

KERNEL(bug_divergent_shuffle, 32)(uint32_t *out)
{
    if (threadIdx.x & 1)
        out[threadIdx.x] = __shfl_xor_sync(0xffffffffu, threadIdx.x, 1);
    else
        out[threadIdx.x] = __shfl_xor_sync(0xffffffffu, threadIdx.x, 1) + 1;
}
KERNEL_EXPORT(bug_divergent_shuffle);

KERNEL(bug_not_in_own_mask, 32)(uint32_t *out)
{
    out[threadIdx.x] = __ballot_sync(0xffffu, 1);
}
KERNEL_EXPORT(bug_not_in_own_mask);

KERNEL(bug_shuffle_from_absent_lane, 32)(uint32_t *out)
{
    if (threadIdx.x < 8)
        out[threadIdx.x] = __shfl_sync(0xffu, threadIdx.x, 8);
}
KERNEL_EXPORT(bug_shuffle_from_absent_lane);

/* Half the warp waits for a ballot of all, the other half at the barrier. */
KERNEL(bug_deadlock, 32)(uint32_t *out)
{
    if (threadIdx.x < 16)
        out[threadIdx.x] = __ballot_sync(0xffffffffu, 1);
    else
        __syncthreads();
}
KERNEL_EXPORT(bug_deadlock);

KERNEL(bug_missing_barrier, 64)(uint32_t *out)
{
    SHARED(values, uint32_t[64]);
    values[threadIdx.x] = threadIdx.x;
    out[threadIdx.x] = values[63 - threadIdx.x];
}
KERNEL_EXPORT(bug_missing_barrier);

KERNEL(bug_missing_syncwarp, 32)(uint32_t *out)
{
    SHARED(values, uint32_t[32]);
    values[threadIdx.x] = threadIdx.x;
    __ballot_sync(0xffffffffu, 1);
    out[threadIdx.x] = values[31 - threadIdx.x];
}
KERNEL_EXPORT(bug_missing_syncwarp);

/* Readers of one round and the writers of the next are not separated. */
KERNEL(bug_reuse_without_barrier, 64)(uint32_t *out)
{
    SHARED(values, uint32_t[64]);
    for (uint32_t round = 0; round < 2; round++) {
        values[threadIdx.x] = threadIdx.x + round;
        __syncthreads();
        out[threadIdx.x] = values[(threadIdx.x + 32) % 64];
    }
}
KERNEL_EXPORT(bug_reuse_without_barrier);

KERNEL(bug_not_atomic, 64)(uint32_t *out)
{
    SHARED(count, uint32_t);
    if (threadIdx.x == 0)
        count = 0;
    __syncthreads();
    count += 1;
    __syncthreads();
    out[threadIdx.x] = count;
}
KERNEL_EXPORT(bug_not_atomic);

KERNEL(bug_global_write_behind, 32)(uint8_t *out, uint64_t index)
{
    if (threadIdx.x == 0)
        out[index] = 1;
}
KERNEL_EXPORT(bug_global_write_behind);

KERNEL(bug_shared_write_behind, 32)(uint32_t *out, uint32_t index)
{
    SHARED_DYNAMIC(values, uint32_t);
    values[index] = 7;
    out[threadIdx.x] = values[0];
}
KERNEL_EXPORT(bug_shared_write_behind);

KERNEL(bug_deep_stack, 32)(uint32_t *out)
{
    volatile uint32_t large[1 << 17];
    large[0] = out[0];
    large[threadIdx.x] = 1;
    out[threadIdx.x] = large[0];
}
KERNEL_EXPORT(bug_deep_stack);

KERNEL(bug_waits_for_nobody, 32)(uint32_t *flag)
{
    while (flag_poll(flag) == 0)
        spin_pause();
}
KERNEL_EXPORT(bug_waits_for_nobody);

/* Its lanes meet for ever. */
KERNEL(bug_never_ends, 32)(uint32_t *flag)
{
    while (flag_poll(flag) == 0)
        __syncwarp();
}
KERNEL_EXPORT(bug_never_ends);

KERNEL(bug_polls_without_pause, 32)(uint32_t *flag)
{
    while (flag_poll(flag) == 0) {
    }
}
KERNEL_EXPORT(bug_polls_without_pause);

/* Waits for its left neighbour by blockIdx: right only if blocks start in order. */
KERNEL(bug_tile_from_block_index, 32)(uint32_t *flags)
{
    if (threadIdx.x == 0) {
        while (blockIdx.x > 0 && flag_poll(&flags[blockIdx.x - 1]) == 0)
            spin_pause();
        flag_publish(&flags[blockIdx.x], 1u);
    }
}
KERNEL_EXPORT(bug_tile_from_block_index);

/* Says that data is ready before it is written: another block may come between. */
KERNEL(bug_publish_too_early, 32)(uint32_t *flag, uint32_t *data, uint32_t *ticket, uint32_t *out)
{
    if (threadIdx.x != 0)
        return;
    if (atomic_add_relaxed(ticket, 1u) == 0) {
        flag_publish(flag, 1u);
        __threadfence();
        data[0] = 42;
        return;
    }
    while (flag_poll(flag) == 0)
        spin_pause();
    out[0] = data[0];
}
KERNEL_EXPORT(bug_publish_too_early);

KERNEL(bug_bulk_load_not_awaited, 32)(const uint32_t *in, uint32_t *out)
{
    SHARED(loaded, uint4[8]);
    SHARED(barrier, uint64_t);
    if (threadIdx.x == 0) {
        bulk_barrier_init(&barrier, 1);
        bulk_barrier_arrive(&barrier, 128);
        bulk_load(loaded, in, 128, &barrier);
    }
    __syncthreads();
    out[threadIdx.x] = reinterpret_cast<uint32_t *>(loaded)[threadIdx.x];
}
KERNEL_EXPORT(bug_bulk_load_not_awaited);

KERNEL(bug_bulk_store_left_behind, 32)(uint32_t *out)
{
    SHARED(row, uint4[8]);
    reinterpret_cast<uint32_t *>(row)[threadIdx.x] = threadIdx.x;
    bulk_store_fence();
    __syncthreads();
    if (threadIdx.x == 0) {
        bulk_store(out, row, 128);
        bulk_store_commit();
    }
}
KERNEL_EXPORT(bug_bulk_store_left_behind);

KERNEL(bug_bulk_wrong_size, 32)(const uint32_t *in)
{
    SHARED(loaded, uint4[8]);
    SHARED(barrier, uint64_t);
    if (threadIdx.x == 0) {
        bulk_barrier_init(&barrier, 1);
        bulk_barrier_arrive(&barrier, 64);
        bulk_load(loaded, in, 128, &barrier);
        bulk_barrier_wait(&barrier, 0);
    }
}
KERNEL_EXPORT(bug_bulk_wrong_size);
