/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is left when the passes are done: copying where no pass moved anything, fetching an in-place
 * result from the spare buffers, and telling the outcome. Usually it finds nothing to do.
 */
#ifndef CONSORT_LSD_FINISH_CUH
#define CONSORT_LSD_FINISH_CUH

#include "cuda/sorts/lsd/lsd_pass.cuh"

/* A thread asks for so many words at once: few threads need several. */
template <unsigned Batch, typename Word>
static __device__ __forceinline__ void lsd_copy_words(const Word *from, Word *to, uint64_t begin,
                                                      uint64_t end)
{
    const uint64_t threads = (uint64_t)gridDim.x * blockDim.x;
    uint64_t first = begin + (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;
    for (; first < end; first += Batch * threads) {
        Word word[Batch];
#pragma unroll
        for (unsigned i = 0; i < Batch; i++)
            word[i] = from[first + i * threads < end ? first + i * threads : first];
#pragma unroll
        for (unsigned i = 0; i < Batch; i++)
            if (first + i * threads < end)
                to[first + i * threads] = word[i];
    }
}

template <unsigned Batch>
static __device__ __forceinline__ void lsd_copy(const void *from, void *to, uint64_t bytes)
{
    if (!to || from == to)
        return;
    uint64_t done = 0;
    if (((uintptr_t)from | (uintptr_t)to) % sizeof(uint4) == 0) {
        const uint64_t words = bytes / sizeof(uint4);
        lsd_copy_words<Batch>((const uint4 *)from, (uint4 *)to, 0, words);
        done = words * sizeof(uint4);
    }
    lsd_copy_words<Batch>((const unsigned char *)from, (unsigned char *)to, done, bytes);
}

template <unsigned ValueBytes>
static __device__ __forceinline__ void lsd_number(const lsd_arguments &a)
{
    const value_writer<ValueBytes> out(a.values_out);
    const uint64_t threads = (uint64_t)gridDim.x * blockDim.x;
    for (uint64_t i = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; i < a.count; i += threads)
        out.put(i, value_class<ValueBytes>::of_index(i));
}

/* By one thread: that all went well, and where the result is, 1 for `out`, 0 for the spare of a
 * double buffer. */
static __device__ __forceinline__ void lsd_tell_outcome(const lsd_arguments &a, int32_t buffer)
{
    if (!a.outcome)
        return;
    ((int32_t *)a.outcome)[0] = 0; /* CONSORT_OK */
    ((int32_t *)a.outcome)[1] = buffer;
}

/* What so many steps have left. */
template <unsigned Batch = 1>
static __device__ __forceinline__ void lsd_finish_steps(const lsd_arguments &a, int steps,
                                                        uint32_t key_bytes, uint32_t value_bytes)
{
    const bool shifted = lsd_shift(a, steps);
    if (blockIdx.x == 0 && threadIdx.x == 0)
        lsd_tell_outcome(a, a.double_buffer && shifted ? 0 : 1);
    if (a.double_buffer)
        return;
    if (steps == 0) {
        lsd_copy<Batch>(a.keys_in, a.keys_out, a.count * key_bytes);
        if (a.value_mode == LSD_VALUES_MOVED)
            lsd_copy<Batch>(a.values_in, a.values_out, a.count * value_bytes);
        else if (value_bytes == 4)
            lsd_number<4>(a);
        else
            lsd_number<8>(a);
    } else if (shifted) {
        lsd_copy<Batch>(a.keys_spare[0], a.keys_out, a.count * key_bytes);
        lsd_copy<Batch>(a.values_spare, a.values_out, a.count * value_bytes);
    }
}

template <unsigned Batch = 1>
static __device__ __forceinline__ void lsd_finish(const lsd_arguments &a, uint32_t key_bytes,
                                                  uint32_t value_bytes)
{
    lsd_finish_steps<Batch>(a, a.control->step_count, key_bytes, value_bytes);
}

#endif
