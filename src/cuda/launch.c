/* SPDX-License-Identifier: Apache-2.0 */
/* Queueing work on a stream: kernels and clears. */
#include "cuda/launch.h"

#include <string.h>

#include "core/status.h"

enum {
    LAUNCH_GRAPHS_KNOW_WAITS = 12030 /* the first driver whose graphs have edges for them */
};

consort_status launch_kernel(const struct launch *launch, uint64_t blocks, consort_stream stream,
                             void **arguments)
{
    const struct driver *driver = driver_get();
    if (blocks == 0)
        return CONSORT_OK;
    if (blocks > INT32_MAX)
        return status_fail(CONSORT_ERROR_INTERNAL, "a grid of %llu blocks",
                           (unsigned long long)blocks);
    CUresult result =
        driver->cuLaunchKernel(launch->function, (unsigned)blocks, 1, 1, launch->threads, 1, 1,
                               launch->shared, stream, arguments, NULL);
    return result == CUDA_SUCCESS ? CONSORT_OK : driver_fail(driver, result, "cuLaunchKernel");
}

static const CUlaunchAttribute launch_follows = {
    .id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION,
    .value.programmaticStreamSerializationAllowed = 1};
static const CUlaunchAttribute launch_together = {.id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE,
                                                  .value.cooperative = 1};

static consort_status launch_with(const struct launch *launch, uint64_t blocks,
                                  consort_stream stream, void **arguments,
                                  const CUlaunchAttribute *attributes, uint32_t count)
{
    const struct driver *driver = driver_get();
    CUlaunchAttribute own[2];
    memcpy(own, attributes, count * sizeof *own);
    CUlaunchConfig config = {.gridDimX = (unsigned)blocks,
                             .gridDimY = 1,
                             .gridDimZ = 1,
                             .blockDimX = launch->threads,
                             .blockDimY = 1,
                             .blockDimZ = 1,
                             .sharedMemBytes = launch->shared,
                             .hStream = stream,
                             .attrs = own,
                             .numAttrs = count};
    CUresult result = driver->cuLaunchKernelEx(&config, launch->function, arguments, NULL);
    return result == CUDA_SUCCESS ? CONSORT_OK : driver_fail(driver, result, "cuLaunchKernelEx");
}

consort_status launch_following(const struct launch *launch, bool early, uint64_t blocks,
                                consort_stream stream, void **arguments)
{
    if (!early || blocks == 0 || blocks > INT32_MAX)
        return launch_kernel(launch, blocks, stream, arguments);
    return launch_with(launch, blocks, stream, arguments, &launch_follows, 1);
}

bool launch_can_wait(const struct launch *launch)
{
    int version = 0;
    const struct driver *driver = driver_get();
    CUresult result =
        driver->cuFuncGetAttribute(&version, CU_FUNC_ATTRIBUTE_PTX_VERSION, launch->function);
    return result == CUDA_SUCCESS && version >= 90 && driver->version >= LAUNCH_GRAPHS_KNOW_WAITS;
}

consort_status launch_cooperative(const struct launch *launch, uint64_t blocks,
                                  consort_stream stream, void **arguments)
{
    const struct driver *driver = driver_get();
    CUresult result =
        driver->cuLaunchCooperativeKernel(launch->function, (unsigned)blocks, 1, 1, launch->threads,
                                          1, 1, launch->shared, stream, arguments);
    return result == CUDA_SUCCESS ? CONSORT_OK
                                  : driver_fail(driver, result, "cuLaunchCooperativeKernel");
}

consort_status launch_cooperative_following(const struct launch *launch, bool early,
                                            uint64_t blocks, consort_stream stream,
                                            void **arguments)
{
    const CUlaunchAttribute both[] = {launch_together, launch_follows};
    return early ? launch_with(launch, blocks, stream, arguments, both, 2)
                 : launch_cooperative(launch, blocks, stream, arguments);
}

uint32_t launch_resident(const struct launch *launch)
{
    const struct driver *driver = driver_get();
    int blocks = 0;
    CUresult result = driver->cuOccupancyMaxActiveBlocksPerMultiprocessor(
        &blocks, launch->function, (int)launch->threads, launch->shared);
    if (result != CUDA_SUCCESS)
        driver_fail(driver, result, "cuOccupancyMaxActiveBlocksPerMultiprocessor");
    else if (blocks <= 0)
        status_fail(CONSORT_ERROR_NO_KERNEL, "a kernel does not fit this GPU");
    return blocks > 0 ? (uint32_t)blocks : 0;
}

consort_status launch_fill(void *memory, uint32_t word, uint64_t bytes, consort_stream stream)
{
    const struct driver *driver = driver_get();
    CUresult result =
        driver->cuMemsetD32Async((CUdeviceptr)(uintptr_t)memory, word, bytes / 4, stream);
    return result == CUDA_SUCCESS ? CONSORT_OK : driver_fail(driver, result, "cuMemsetD32Async");
}

consort_status launch_outcome(consort_outcome *outcome, consort_stream stream)
{
    consort_status status = outcome ? launch_clear(outcome, sizeof *outcome, stream) : CONSORT_OK;
    return status == CONSORT_OK && outcome
               ? launch_fill(&outcome->buffer, 1, sizeof outcome->buffer, stream)
               : status;
}
