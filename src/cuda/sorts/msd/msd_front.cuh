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
#include "cuda/sorts/msd/msd_rooms.cuh"
#include "cuda/sorts/msd/msd_sample.cuh"
#include "cuda/sorts/msd/msd_skew_passes.cuh"

enum {
    MSD_LINE_BYTES = 128 /* of the cache */
};

template <typename K> union msd_front_storage {
    msd_sample_storage<K> sample;
    msd_histogram_storage<K> histogram;
    msd_digits_storage<K> digits;
    msd_plan_storage<K> plan;
};

/* By blocks that wait for the sample: what they will read first, a line each thread, comes to the
 * cache. */
template <typename K> static __device__ __forceinline__ void msd_read_ahead(const msd_arguments &a)
{
    const uint64_t line = (uint64_t)blockIdx.x * MSD_HISTOGRAM_THREADS + threadIdx.x;
    if (line * MSD_LINE_BYTES < a.count * sizeof(K))
        prefetch_line((const char *)a.in + line * MSD_LINE_BYTES);
}

template <typename K, unsigned PassKeys>
static __device__ __forceinline__ void msd_front_behind_sample(const msd_arguments &a,
                                                               const lsd_arguments &passes,
                                                               msd_front_storage<K> &s)
{
    static_assert(MSD_HISTOGRAM_THREADS == MSD_PLAN_THREADS, "blocks do both");
    msd_control *control = a.control;
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

/* The block that samples empties what it writes to before blocks meet. */
static __device__ __forceinline__ void msd_clear_tables(const msd_arguments &a,
                                                        const lsd_arguments &passes)
{
    if (blockIdx.x == 0)
        grid_clear(a.control, sizeof *a.control, 0, 1);
    grid_clear(passes.control, (uint64_t)((char *)a.bounds - (char *)passes.control), blockIdx.x,
               gridDim.x);
    __syncthreads();
}

template <typename K, unsigned PassKeys>
static __device__ __forceinline__ void
msd_front(const msd_arguments &a, const lsd_arguments &passes, msd_front_storage<K> &s)
{
    msd_clear_tables(a, passes);
    if (blockIdx.x == 0)
        msd_sample<K>(a, s.sample, [&](const code_range<K> &range, bool crowd) {
            if constexpr (sizeof(K) <= MSD_ROOMY_KEY_BYTES)
                msd_choose_rooms<K>(a, range, crowd, s.sample.skew);
        });
    else
        msd_read_ahead<K>(a);
    grid_wait(grid_arrive());
    if (a.control->roomy) {
        if constexpr (sizeof(K) <= MSD_ROOMY_KEY_BYTES)
            if (a.control->valued)
                msd_find_bounds<K>(a);
        return;
    }
    msd_front_behind_sample<K, PassKeys>(a, passes, s);
}

#endif
