/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is left when the passes are done: copying where no pass moved anything, fetching an in-place
 * result from the spare buffers, and telling the outcome. Usually it finds nothing to do.
 */
#ifndef CONSORT_LSD_FINISH_CUH
#define CONSORT_LSD_FINISH_CUH

#include "cuda/sorts/lsd/lsd_pass.cuh"

static __device__ __forceinline__ void lsd_copy(const void *from, void *to, uint64_t bytes)
{
    if (!to || from == to)
        return;
    const uint64_t thread = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;
    const uint64_t threads = (uint64_t)gridDim.x * blockDim.x;
    uint64_t done = 0;
    if (((uintptr_t)from | (uintptr_t)to) % sizeof(uint4) == 0) {
        const uint64_t words = bytes / sizeof(uint4);
        for (uint64_t i = thread; i < words; i += threads)
            ((uint4 *)to)[i] = ((const uint4 *)from)[i];
        done = words * sizeof(uint4);
    }
    for (uint64_t i = done + thread; i < bytes; i += threads)
        ((unsigned char *)to)[i] = ((const unsigned char *)from)[i];
}

template <unsigned ValueBytes>
static __device__ __forceinline__ void lsd_number(const lsd_arguments &a)
{
    const value_writer<ValueBytes> out(a.values_out);
    const uint64_t threads = (uint64_t)gridDim.x * blockDim.x;
    for (uint64_t i = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; i < a.count; i += threads)
        out.put(i, value_class<ValueBytes>::of_index(i));
}

static __device__ __forceinline__ void lsd_finish(const lsd_arguments &a, uint32_t key_bytes,
                                                  uint32_t value_bytes)
{
    const int steps = a.control->step_count;
    const bool shifted = lsd_shift(a, steps);
    if (a.outcome && blockIdx.x == 0 && threadIdx.x == 0) {
        ((int32_t *)a.outcome)[0] = 0; /* CONSORT_OK */
        ((int32_t *)a.outcome)[1] = a.double_buffer && shifted && !a.control->leaves ? 0 : 1;
    }
    if (a.double_buffer || a.control->leaves)
        return;
    if (steps == 0) {
        lsd_copy(a.keys_in, a.keys_out, a.count * key_bytes);
        if (a.value_mode == LSD_VALUES_MOVED)
            lsd_copy(a.values_in, a.values_out, a.count * value_bytes);
        else if (value_bytes == 4)
            lsd_number<4>(a);
        else
            lsd_number<8>(a);
    } else if (shifted) {
        lsd_copy(a.keys_spare[0], a.keys_out, a.count * key_bytes);
        lsd_copy(a.values_spare, a.values_out, a.count * value_bytes);
    }
}

#endif
