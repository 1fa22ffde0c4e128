/* SPDX-License-Identifier: Apache-2.0 */
/* The kernels of `bucket`; the host side is bucket.c. */
#include "cuda/device/grid_barrier.cuh"
#include "cuda/sorts/bucket/bucket_leaves.cuh"
#include "cuda/sorts/bucket/bucket_merge.cuh"
#include "cuda/sorts/bucket/bucket_range.cuh"
#include "cuda/sorts/bucket/bucket_slices.cuh"
#include "cuda/sorts/items/items_kinds.h"

/* The buckets above M: batch after batch until none waits. Usually none does. */
template <typename K, typename I, typename P>
static __device__ __forceinline__ void
bucket_recurse(const bucket_arguments &a, bucket_range_storage<K, I> &range,
               bucket_merge_storage &merge, bucket_crowd &crowd)
{
    bucket_control *control = a.control;
    while (control->queue_head != control->queue_tail) {
        if (blockIdx.x == 0)
            bucket_take_batch(a, merge.warp_sums);
        grid_barrier(&control->arrivals);
        bucket_find_ranges(a, range);
        grid_barrier(&control->arrivals);
        bucket_plan(a, range);
        grid_barrier(&control->arrivals);
        bucket_count<K, I, P>(a, false, crowd);
        grid_barrier(&control->arrivals);
        bucket_sum_slices(a, merge.warp_sums);
        grid_barrier(&control->arrivals);
        if (blockIdx.x == 0)
            bucket_scan_tiles(a, merge.warp_sums);
        grid_barrier(&control->arrivals);
        bucket_merge_slices(a, merge);
        grid_barrier(&control->arrivals);
        bucket_move<K, I, P>(a);
        grid_barrier(&control->arrivals);
    }
}

/* One block: the list is the first part, or a bucket if it is short. */
KERNEL(bucket_begin, BUCKET_THREADS)(const __grid_constant__ bucket_arguments a)
{
    SHARED(warp_sums, uint64_t[BUCKET_THREADS / 32]);
    bucket_stamp(a, BUCKET_STAGE_RANGE);
    if (threadIdx.x == 0)
        bucket_file(a, {0, a.count, 0, 0});
    __syncthreads();
    bucket_take_batch(a, warp_sums);
}
KERNEL_EXPORT(bucket_begin);

KERNEL(bucket_sums, BUCKET_THREADS)(const __grid_constant__ bucket_arguments a)
{
    SHARED(warp_sums, uint64_t[BUCKET_THREADS / 32]);
    bucket_stamp(a, BUCKET_STAGE_MERGE);
    bucket_sum_slices(a, warp_sums);
}
KERNEL_EXPORT(bucket_sums);

KERNEL(bucket_scan, BUCKET_THREADS)(const __grid_constant__ bucket_arguments a)
{
    SHARED(warp_sums, uint64_t[BUCKET_THREADS / 32]);
    bucket_scan_tiles(a, warp_sums);
}
KERNEL_EXPORT(bucket_scan);

KERNEL(bucket_merge, BUCKET_THREADS)(const __grid_constant__ bucket_arguments a)
{
    SHARED(storage, bucket_merge_storage);
    bucket_merge_slices(a, storage);
}
KERNEL_EXPORT(bucket_merge);

/* counters: as bucket_counters of the host side names them. */
KERNEL(bucket_tell, 1)(const __grid_constant__ bucket_arguments a, uint64_t *counters)
{
    const bucket_control *control = a.control;
    uint64_t after = global_timer();
    counters[0] = control->queue_tail - (control->levels > 0); /* the list itself is none */
    counters[1] = control->leaves;
    counters[2] = control->levels;
    counters[3] = control->by_code;
    counters[4] = control->nearly_sorted;
    counters[5] = (uint64_t)control->degree;
    for (uint32_t stage = BUCKET_STAGES; stage-- > 0;) {
        const uint64_t begun = control->stamps[stage] ? control->stamps[stage] : after;
        counters[6 + stage] = after - begun;
        after = begun;
    }
}
KERNEL_EXPORT(bucket_tell);

#define BUCKET_SORT(name, code, index, wide)                                                       \
    KERNEL(name, BUCKET_MOST_THREADS)(const __grid_constant__ bucket_arguments a)                  \
    {                                                                                              \
        SHARED_DYNAMIC(shared, unsigned char);                                                     \
        bucket_stamp(a, BUCKET_STAGE_SORT);                                                        \
        bucket_sort_leaves<code, index, wide>(a, shared);                                          \
    }                                                                                              \
    KERNEL_EXPORT(name);

#define BUCKET_KERNELS(code_bits, code, index_bits, index)                                         \
    KERNEL(bucket_range_##code_bits##_##index_bits, BUCKET_THREADS)                                \
    (const __grid_constant__ bucket_arguments a)                                                   \
    {                                                                                              \
        SHARED(storage, bucket_range_storage<code, index>);                                        \
        bucket_find_ranges(a, storage);                                                            \
    }                                                                                              \
    KERNEL_EXPORT(bucket_range_##code_bits##_##index_bits);                                        \
    KERNEL(bucket_plan_##code_bits##_##index_bits, BUCKET_THREADS)                                 \
    (const __grid_constant__ bucket_arguments a)                                                   \
    {                                                                                              \
        SHARED(storage, bucket_range_storage<code, index>);                                        \
        bucket_plan(a, storage);                                                                   \
    }                                                                                              \
    KERNEL_EXPORT(bucket_plan_##code_bits##_##index_bits);                                         \
    KERNEL(bucket_disorder_##code_bits##_##index_bits, BUCKET_THREADS)                             \
    (const __grid_constant__ bucket_arguments a)                                                   \
    {                                                                                              \
        SHARED(warp_sums, double[BUCKET_THREADS / 32]);                                            \
        bucket_stamp(a, BUCKET_STAGE_DISORDER);                                                    \
        bucket_measure<code>(a, warp_sums);                                                        \
    }                                                                                              \
    KERNEL_EXPORT(bucket_disorder_##code_bits##_##index_bits);                                     \
    KERNEL(bucket_slices_##code_bits##_##index_bits, BUCKET_THREADS)                               \
    (const __grid_constant__ bucket_arguments a)                                                   \
    {                                                                                              \
        SHARED(crowd, bucket_crowd);                                                               \
        bucket_stamp(a, BUCKET_STAGE_SLICES);                                                      \
        bucket_count_list<code, index>(a, crowd);                                                  \
    }                                                                                              \
    KERNEL_EXPORT(bucket_slices_##code_bits##_##index_bits);                                       \
    KERNEL(bucket_move_##code_bits##_##index_bits, BUCKET_THREADS)                                 \
    (const __grid_constant__ bucket_arguments a)                                                   \
    {                                                                                              \
        bucket_stamp(a, BUCKET_STAGE_MOVE);                                                        \
        if (a.wide)                                                                                \
            bucket_move<code, index, uint64_t>(a);                                                 \
        else                                                                                       \
            bucket_move<code, index, uint32_t>(a);                                                 \
    }                                                                                              \
    KERNEL_EXPORT(bucket_move_##code_bits##_##index_bits);                                         \
    KERNEL(bucket_recurse_##code_bits##_##index_bits, BUCKET_THREADS)                              \
    (const __grid_constant__ bucket_arguments a)                                                   \
    {                                                                                              \
        SHARED(range, bucket_range_storage<code, index>);                                          \
        SHARED(merge, bucket_merge_storage);                                                       \
        SHARED(crowd, bucket_crowd);                                                               \
        bucket_stamp(a, BUCKET_STAGE_RECURSION);                                                   \
        if (a.wide)                                                                                \
            bucket_recurse<code, index, uint64_t>(a, range, merge, crowd);                         \
        else                                                                                       \
            bucket_recurse<code, index, uint32_t>(a, range, merge, crowd);                         \
    }                                                                                              \
    KERNEL_EXPORT(bucket_recurse_##code_bits##_##index_bits);                                      \
    BUCKET_SORT(bucket_sort_##code_bits##_##index_bits, code, index, false)                        \
    static_assert(sizeof(bucket_extremes<code, index>) <= bucket_extremes_bytes(code_bits / 8) &&  \
                      sizeof(bucket_items<code, index, false>::kind::type) <=                      \
                          bucket_item_bytes(code_bits / 8, index_bits / 8, false),                 \
                  "the host reserves what the kernels write");
ITEMS_KINDS(BUCKET_KERNELS)

/* Where indices need more than 32 bits. */
#define BUCKET_WIDE_SORT(code_bits, code)                                                          \
    BUCKET_SORT(bucket_sort_wide_##code_bits##_64, code, uint64_t, true)                           \
    static_assert(sizeof(bucket_items<code, uint64_t, true>::kind::type) <=                        \
                      bucket_item_bytes(code_bits / 8, 8, true),                                   \
                  "the host reserves what the kernels write");
BUCKET_WIDE_SORT(32, uint32_t)
BUCKET_WIDE_SORT(64, uint64_t)
BUCKET_WIDE_SORT(128, uint128)
