/* SPDX-License-Identifier: Apache-2.0 */
/* Queueing work on a stream: kernels and clears. The device must be entered. */
#ifndef CONSORT_CUDA_LAUNCH_H
#define CONSORT_CUDA_LAUNCH_H

#include "cuda/driver/kernels.h"

/* A kernel with the shape it is launched in. */
struct launch {
    CUfunction function;
    uint32_t threads;
    uint32_t shared; /* dynamic shared memory, bytes */
};

/* `arguments` points to one pointer for each kernel parameter, as cuLaunchKernel wants. */
consort_status launch_kernel(const struct launch *launch, uint64_t blocks, consort_stream stream,
                             void **arguments);

/* The same of a kernel that reads and writes nothing before early_launch_wait(): if `early`, it is
 * started while the one before it on the stream still runs. */
consort_status launch_following(const struct launch *launch, bool early, uint64_t blocks,
                                consort_stream stream, void **arguments);

/* Whether the kernel was compiled for GPUs that have such a wait, and a graph can hold it. */
bool launch_can_wait(const struct launch *launch);

/* launch_kernel with all blocks resident at once, so that they may wait for each other. */
consort_status launch_cooperative(const struct launch *launch, uint64_t blocks,
                                  consort_stream stream, void **arguments);

/* The same of a kernel that waits as one of launch_following() does. */
consort_status launch_cooperative_following(const struct launch *launch, bool early,
                                            uint64_t blocks, consort_stream stream,
                                            void **arguments);

/* How many blocks of the kernel are resident on one multiprocessor of the device that is entered;
 * 0, with the error recorded, if the driver does not tell. */
uint32_t launch_resident(const struct launch *launch);

/* The bytes of a part of a run's workspace, such that what lies behind it is aligned for anything:
 * device workspace itself is aligned to 256 bytes. */
static inline uint64_t launch_aligned(uint64_t bytes)
{
    return (bytes + 255) / 256 * 256;
}

/* Takes a part of so many bytes from a workspace that reaches to `end` so far; returns its place.
 */
static inline uint64_t launch_take(uint64_t *end, uint64_t bytes)
{
    uint64_t begin = *end;
    *end += launch_aligned(bytes);
    return begin;
}

/* The part of a workspace that begins so many bytes behind its start; NULL where a run needs none
 * and comes without. */
static inline void *launch_place(void *workspace, uint64_t offset)
{
    return workspace ? (char *)workspace + offset : NULL;
}

/* Sets `bytes` bytes, a multiple of 4, to copies of a word. */
consort_status launch_fill(void *memory, uint32_t word, uint64_t bytes, consort_stream stream);

static inline consort_status launch_clear(void *memory, uint64_t bytes, consort_stream stream)
{
    return launch_fill(memory, 0, bytes, stream);
}

/* For a run whose kernels do not tell it themselves: that it worked and its result is in `out`.
 * NULL: nobody asks. */
consort_status launch_outcome(consort_outcome *outcome, consort_stream stream);

#endif
