/* SPDX-License-Identifier: Apache-2.0 */
/* Whether the passes sort, and from where to where a step of theirs moves keys and values. */
#ifndef CONSORT_LSD_ROUTE_CUH
#define CONSORT_LSD_ROUTE_CUH

#include "cuda/device/device.cuh"
#include "cuda/sorts/lsd/lsd_layout.h"

/* Whether leaves say that others sort: steps over bytes, and their histogram, have nothing to do.
 */
static __device__ __forceinline__ bool lsd_others_sort(uint32_t leaves)
{
    return leaves != 0 && leaves != LSD_GROUPS;
}

/* Where a step reads and writes, decided on the device because skipped passes change the parity. */
struct lsd_route {
    int step; /* LSD_SKIPPED: the pass moves nothing, and nothing else is told */
    const void *keys_in, *values_in;
    void *keys_out, *values_out;
    bool first, last, halves; /* keys come as they are; leave as they are, or their lower halves */
    uint32_t lead;
};

/* Buffer number `turn` counted back from the end: 0 = out, 1 = spare, 2 = out, … */
static __device__ __forceinline__ void *lsd_keys_at(const lsd_arguments &a, int turn)
{
    if (a.keys_out)
        return turn % 2 == 0 ? a.keys_out : a.keys_spare[0];
    return a.keys_spare[turn % 2];
}

static __device__ __forceinline__ void *lsd_values_at(const lsd_arguments &a, int turn)
{
    return turn % 2 == 0 ? a.values_out : a.values_spare;
}

/* A first step must not write over what it reads. In place, with an odd number of steps, all turns
 * shift by one and the result ends in the spare buffers, from where lsd_finish fetches it. With a
 * double buffer, whose spare is the input, the same happens with an even number, and stays. */
static __device__ __forceinline__ int lsd_shift(const lsd_arguments &a, int steps)
{
    return (a.in_place && steps % 2 == 1) || (a.double_buffer && steps % 2 == 0);
}

/* Of so many steps this one, if leaves follow them or not. */
static __device__ __forceinline__ lsd_route lsd_route_among(const lsd_arguments &a, int steps,
                                                            int step, uint32_t leaves,
                                                            uint32_t lead)
{
    const int turn = steps - 1 - step + lsd_shift(a, steps);
    lsd_route route;
    route.step = step;
    route.first = step == 0;
    route.last = step == steps - 1 && !leaves;
    route.halves = step == steps - 1 && leaves && a.halves;
    route.lead = route.first ? lead : 0;
    route.keys_in = route.first ? a.keys_in : lsd_keys_at(a, turn + 1);
    route.values_in = route.first ? a.values_in : lsd_values_at(a, turn + 1);
    route.keys_out = route.last && !a.keys_out ? nullptr : lsd_keys_at(a, turn);
    route.values_out = lsd_values_at(a, turn);
    return route;
}

/* What stands in memory is read at once, not where it is first needed. */
static __device__ __forceinline__ lsd_route lsd_route_of_step(const lsd_arguments &a, int step)
{
    const int steps = a.control->step_count;
    const uint32_t leaves = a.control->leaves, lead = a.control->lead;
    return lsd_route_among(a, steps, step, leaves, lead);
}

static __device__ __forceinline__ lsd_route lsd_route_of(const lsd_arguments &a, uint32_t pass)
{
    return lsd_route_of_step(a, a.control->step[pass]);
}

#endif
