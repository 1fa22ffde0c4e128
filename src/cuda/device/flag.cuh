/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Flags: how blocks of one grid tell each other something while they run. A word written with these
 * functions is touched by nothing else during the launch, unless a barrier of all blocks parts
 * them; the emulator shows it to other blocks late, on purpose.
 */
#ifndef CONSORT_FLAG_CUH
#define CONSORT_FLAG_CUH

#include "ptx.cuh"

/* The word is the whole message (a look-back word: status and count together). */
template <typename T> __device__ __forceinline__ void flag_publish(T *word, T value)
{
    store_relaxed(word, value);
}

template <typename T> __device__ __forceinline__ T flag_poll(const T *word)
{
    return load_relaxed(word);
}

/* In somebody else's place; false if the word has been published meanwhile. */
__device__ __forceinline__ bool flag_publish_unless_changed(uint32_t *word, uint32_t seen,
                                                            uint32_t value)
{
    return atomicCAS(word, seen, value) == seen;
}

__device__ __forceinline__ bool flag_publish_unless_changed(uint64_t *word, uint64_t seen,
                                                            uint64_t value)
{
    using number = unsigned long long;
    return atomicCAS((number *)word, (number)seen, (number)value) == seen;
}

/* The word says that other data is ready: writes before the publish are visible after the poll. */
template <typename T> __device__ __forceinline__ void flag_publish_release(T *word, T value)
{
    store_release(word, value);
}

template <typename T> __device__ __forceinline__ T flag_poll_acquire(const T *word)
{
    return load_acquire(word);
}

/* The same between warps of one block, for a word in shared memory. */
template <typename T> __device__ __forceinline__ void shared_flag_publish_release(T *word, T value)
{
    shared_store_release(word, value);
}

template <typename T> __device__ __forceinline__ T shared_flag_poll_acquire(const T *word)
{
    return shared_load_acquire(word);
}

#endif
