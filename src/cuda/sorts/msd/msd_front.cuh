/* SPDX-License-Identifier: Apache-2.0 */
/*
 * All that precedes the first partition, in one launch whose blocks meet at barriers: the sample,
 * the histogram, once more if the sample was wrong, the plan; or the digits of passes.
 */
#ifndef CONSORT_MSD_FRONT_CUH
#define CONSORT_MSD_FRONT_CUH

#include "cuda/device/grid_barrier.cuh"
#include "cuda/sorts/msd/msd_histogram.cuh"
#include "cuda/sorts/msd/msd_plan.cuh"
#include "cuda/sorts/msd/msd_sample.cuh"
#include "cuda/sorts/msd/msd_skew_passes.cuh"

template <typename K> union msd_front_storage {
    msd_sample_storage<K> sample;
    msd_histogram_storage<K> histogram;
    msd_digits_storage<K> digits;
    msd_plan_storage<K> plan;
};

template <typename K, unsigned PassKeys>
static __device__ __forceinline__ void
msd_front(const msd_arguments &a, const lsd_arguments &passes, msd_front_storage<K> &s)
{
    static_assert(MSD_HISTOGRAM_THREADS == MSD_PLAN_THREADS, "blocks do both");
    msd_control *control = a.control;
    if (blockIdx.x == 0)
        msd_sample<K>(a, s.sample);
    grid_barrier(&control->arrivals);
    if constexpr (sizeof(K) <= 8) {
        if (control->mode == MSD_PASSES) {
            msd_prepare_passes<K, PassKeys>(passes, control, s.digits);
            return;
        }
    }
    msd_histogram<K>(a, s.histogram);
    grid_barrier(&control->arrivals);
    if ((control->counted || control->valued) && control->strays > MSD_STRAYS) {
        msd_recount<K>(a, s.histogram);
        grid_barrier(&control->arrivals);
    }
    msd_plan<K>(a, s.plan);
}

#endif
