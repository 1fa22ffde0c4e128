/* SPDX-License-Identifier: Apache-2.0 */
/*
 * All that precedes the first partition, in one launch whose blocks meet at barriers: the sample,
 * the histogram, once more if the sample was wrong, the plan; or the digits of passes. The last
 * block, which else would wait for the sample, looks whether different keys are few.
 */
#ifndef CONSORT_MSD_FRONT_CUH
#define CONSORT_MSD_FRONT_CUH

#include "cuda/device/grid_barrier.cuh"
#include "cuda/sorts/msd/msd_few.cuh"
#include "cuda/sorts/msd/msd_histogram.cuh"
#include "cuda/sorts/msd/msd_plan.cuh"
#include "cuda/sorts/msd/msd_rooms.cuh"
#include "cuda/sorts/msd/msd_sample.cuh"
#include "cuda/sorts/msd/msd_skew_passes.cuh"

enum {
    MSD_LINE_BYTES = 128 /* of the cache */
};

template <typename K> union msd_front_storage {
    msd_sample_storage<K> sample;
    few_codes<K, MSD_PLAN_THREADS> few;
    msd_histogram_storage<K> histogram;
    msd_digits_storage<K> digits;
    msd_plan_storage<K> plan;
};

/* By blocks that wait for a sample to be judged, when it has been read, which would else take
 * longer: what they will read first, a line each thread, comes to the cache. */
template <typename K> static __device__ __forceinline__ void msd_read_ahead(const msd_arguments &a)
{
    const uint64_t line = (uint64_t)blockIdx.x * MSD_HISTOGRAM_THREADS + threadIdx.x;
    if (line * MSD_LINE_BYTES < a.count * sizeof(K))
        prefetch_line((const char *)a.in + line * MSD_LINE_BYTES);
}

/* By all blocks, if keys crowd and no better way is known: whether passes will sort them. */
template <typename K>
static __device__ __forceinline__ bool msd_leaves_to_passes(const msd_arguments &a,
                                                            const lsd_arguments &passes)
{
    if constexpr (sizeof(K) <= MSD_PASSED_KEY_BYTES) {
        if (a.control->crowd && !a.control->valued) {
            msd_prepare_passes<K>(passes, a.pass_keys, a.control);
            return true;
        }
    }
    return false;
}

template <typename K>
static __device__ __forceinline__ void msd_front_behind_sample(const msd_arguments &a,
                                                               const lsd_arguments &passes,
                                                               msd_front_storage<K> &s)
{
    static_assert(MSD_HISTOGRAM_THREADS == MSD_PLAN_THREADS, "blocks do both");
    msd_control *control = a.control;
    const bool ranked = control->counted == MSD_RANKED;
    if (!ranked && msd_leaves_to_passes<K>(a, passes))
        return;
    msd_histogram<K>(a, s.histogram);
    grid_barrier(&control->arrivals);
    if ((control->counted || control->valued) && control->strays > MSD_STRAYS) {
        if (ranked && msd_leaves_to_passes<K>(a, passes))
            return;
        msd_recount<K>(a, s.histogram);
        grid_barrier(&control->arrivals);
    }
    msd_plan<K>(a, s.plan);
}

/* Tables in device memory; all blocks see them empty behind the barrier at which they arrive then.
 */
static __device__ __forceinline__ uint32_t msd_clear_tables(const msd_arguments &a)
{
    grid_clear(a.control, a.bounds);
    return grid_arrive();
}

/* By the first two blocks, if keys are numbers. */
template <typename K>
static __device__ __forceinline__ void msd_sample(const msd_arguments &a, msd_sample_storage<K> &s)
{
    const msd_sampled<K> sampled(a, s.warps, [&] { grid_wait(msd_clear_tables(a)); });
    if (blockIdx.x == 0) {
        const bool crowd = msd_look_at_codes<K>(a, sampled, s);
        if constexpr (sizeof(K) <= MSD_ROOMY_KEY_BYTES)
            msd_choose_rooms_of_codes<K>(a, sampled.range, crowd, s.skew);
    }
    if constexpr (sizeof(K) <= MSD_ROOMY_KEY_BYTES) {
        if (blockIdx.x != min(1u, gridDim.x - 1))
            return;
        __syncthreads();
        msd_look_at_numbers<K>(a, sampled);
        msd_choose_rooms_of_numbers<K>(a, sampled.range, s.skew);
    }
}

/* By a block: few different keys will be counted by their ranks, unless another way is found to
 * count each. Not inlined, for the sake of what counts. So it finds its shared memory by itself. */
template <typename K>
__attribute__((noinline)) static __device__ void msd_look_for_few(const msd_arguments &a)
{
    using few_type = few_codes<K, MSD_PLAN_THREADS>;
    SHARED_DYNAMIC(few, few_type);
    const codes<K> codec(a.codec);
    if (few->find(codec.encode(msd_few_sample<K, MSD_PLAN_THREADS>(a))) == 0)
        return;
    if (threadIdx.x < MSD_FEW)
        code_to_words(few->codes[threadIdx.x], a.control->few[threadIdx.x]);
    if (threadIdx.x == 0)
        atomicCAS(&a.control->counted, 0u, (uint32_t)MSD_RANKED);
}

template <typename K>
static __device__ __forceinline__ void
msd_front(const msd_arguments &a, const lsd_arguments &passes, msd_front_storage<K> &s)
{
    if (blockIdx.x <= (msd_orders_numbers(a) ? 1u : 0u)) {
        msd_sample<K>(a, s.sample);
    } else {
        grid_wait(msd_clear_tables(a));
        msd_read_ahead<K>(a);
    }
    if (blockIdx.x == gridDim.x - 1) {
        __syncthreads(); /* the only block has sampled, too */
        msd_look_for_few<K>(a);
    }
    grid_wait(grid_arrive());
    if (a.control->roomy) {
        if constexpr (sizeof(K) <= MSD_ROOMY_KEY_BYTES)
            if (a.control->valued)
                msd_find_bounds<K>(a);
        return;
    }
    msd_front_behind_sample<K>(a, passes, s);
}

#endif
