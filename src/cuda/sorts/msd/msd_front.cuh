/* SPDX-License-Identifier: Apache-2.0 */
/*
 * All that precedes the first partition, in one launch whose blocks meet at barriers: the sample,
 * the histogram, once more if the sample was wrong, the plan; or the digits of passes.
 */
#ifndef CONSORT_MSD_FRONT_CUH
#define CONSORT_MSD_FRONT_CUH

#include "cuda/device/grid_barrier.cuh"
#include "cuda/sorts/msd/msd_guess.cuh"
#include "cuda/sorts/msd/msd_histogram.cuh"
#include "cuda/sorts/msd/msd_plan.cuh"
#include "cuda/sorts/msd/msd_rooms.cuh"
#include "cuda/sorts/msd/msd_sample.cuh"
#include "cuda/sorts/msd/msd_skew_passes.cuh"

template <typename K> union msd_front_storage {
    msd_sample_storage<K> sample;
    few_codes<K, MSD_PLAN_THREADS> few;
    msd_guess_storage<K> guess;
    msd_histogram_storage<K> histogram;
    lsd_digit_counters<K> digits;
    msd_plan_storage<K> plan;
    msd_separation_storage<K> separation;
};

template <typename K>
static __device__ __forceinline__ void msd_front_behind_sample(const msd_arguments &a,
                                                               const lsd_arguments &passes,
                                                               msd_front_storage<K> &s)
{
    static_assert(MSD_HISTOGRAM_THREADS == MSD_PLAN_THREADS, "blocks do both");
    msd_control *control = a.control;
    if constexpr (sizeof(K) <= MSD_PASSED_KEY_BYTES) {
        const uint32_t cut = sizeof(K) == MSD_PREFIX_KEY_BYTES ? msd_cut<K>(control) : 0;
        if ((control->crowd || cut) && !control->counted && !control->valued)
            return msd_prepare_passes<K>(passes, a.pass_keys, control->ahead, cut, control);
    }
    msd_histogram<K>(a, s.histogram);
    grid_barrier(&control->arrivals);
    if ((control->counted || control->valued) && control->strays > MSD_STRAYS) {
        msd_recount<K>(a, s.histogram);
        grid_barrier(&control->arrivals);
    }
    msd_plan<K>(a, s.plan);
}

/* Tables in device memory; all blocks see them empty behind the barrier at which they arrive then.
 * The first block empties what it writes to by itself, so that it need not wait there. */
static __device__ __forceinline__ uint32_t msd_clear_tables(const msd_arguments &a)
{
    if (blockIdx.x == 0)
        block_clear(a.control, a.cells);
    if (blockIdx.x > 0 || gridDim.x == 1)
        grid_clear_share(a.cells, a.cleared, gridDim.x - 1 - blockIdx.x, max(gridDim.x - 1, 1u));
    return grid_arrive();
}

/* By the judges: they clear tables, too. */
template <typename K>
static __device__ __forceinline__ void msd_judge(const msd_arguments &a, uint32_t judges,
                                                 msd_sample_storage<K> &s)
{
    const uint32_t number = min(1u, gridDim.x - 1), few = min(judges, gridDim.x) - 1;
    uint32_t cleared;
    if (blockIdx.x == 0 || (blockIdx.x == number && judges > 2)) {
        const msd_sampled<K> sampled(a, s.warps, [&] { cleared = msd_clear_tables(a); });
        if (blockIdx.x == 0) {
            const bool crowd = msd_look_at_codes<K>(a, sampled, s);
            if constexpr (sizeof(K) <= MSD_ROOMY_KEY_BYTES)
                msd_choose_rooms_of_codes<K>(a, sampled, crowd, s.skew);
        }
        if constexpr (sizeof(K) <= MSD_ROOMY_KEY_BYTES) {
            if (blockIdx.x == number && judges > 2) {
                grid_wait(cleared);
                msd_look_at_numbers<K>(a, sampled);
                msd_choose_rooms_of_numbers<K>(a, sampled, s.skew);
            }
        }
        __syncthreads();
    } else {
        cleared = msd_clear_tables(a);
    }
    if (blockIdx.x == few)
        msd_look_for_few<K>(a, cleared);
}

template <typename K>
static __device__ __forceinline__ void
msd_front(const msd_arguments &a, const lsd_arguments &passes, msd_front_storage<K> &s)
{
    const uint32_t judges = msd_judges(a);
    if (blockIdx.x < judges)
        msd_judge<K>(a, judges, s.sample);
    else
        msd_work_ahead<K>(
            a, passes, [&] { return msd_clear_tables(a); }, s.guess);
    grid_barrier(&a.control->arrivals);
    if (a.control->roomy) {
        if constexpr (sizeof(K) <= MSD_ROOMY_KEY_BYTES)
            if (a.control->valued)
                msd_find_bounds<K>(a);
        return;
    }
    msd_front_behind_sample<K>(a, passes, s);
}

#endif
