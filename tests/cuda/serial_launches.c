/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CONSORT_TEST_SERIAL=1: one launch at a time, each waited for, whatever threads and streams there
 * are. Racecheck loses track of kernels that two threads launch at once, and then reports that
 * alone; races within a kernel do not depend on what runs beside it.
 */
#include <pthread.h>
#include <stdlib.h>

#include "cuda/driver/driver.h"

static struct driver real;
static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;

/* To wait would spoil a capture in global mode that somebody has begun on another stream. */
static CUresult serial_wait(CUstream stream)
{
    CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_RELAXED;
    real.cuThreadExchangeStreamCaptureMode(&mode);
    const CUresult result = real.cuStreamSynchronize(stream);
    real.cuThreadExchangeStreamCaptureMode(&mode);
    return result;
}

/* What a stream waits for was queued before; a stream that is being captured waits for nothing. */
static CUresult serial_end(CUresult result, CUstream stream)
{
    CUstreamCaptureStatus capture = CU_STREAM_CAPTURE_STATUS_NONE;
    if (result == CUDA_SUCCESS)
        result = real.cuStreamIsCapturing(stream, &capture);
    if (result == CUDA_SUCCESS && capture == CU_STREAM_CAPTURE_STATUS_NONE)
        result = serial_wait(stream);
    pthread_mutex_unlock(&one_at_a_time);
    return result;
}

static CUresult serial_kernel(CUfunction function, unsigned int grid_x, unsigned int grid_y,
                              unsigned int grid_z, unsigned int block_x, unsigned int block_y,
                              unsigned int block_z, unsigned int shared, CUstream stream,
                              void **parameters, void **extra)
{
    pthread_mutex_lock(&one_at_a_time);
    return serial_end(real.cuLaunchKernel(function, grid_x, grid_y, grid_z, block_x, block_y,
                                          block_z, shared, stream, parameters, extra),
                      stream);
}

static CUresult serial_cooperative(CUfunction function, unsigned int grid_x, unsigned int grid_y,
                                   unsigned int grid_z, unsigned int block_x, unsigned int block_y,
                                   unsigned int block_z, unsigned int shared, CUstream stream,
                                   void **parameters)
{
    pthread_mutex_lock(&one_at_a_time);
    return serial_end(real.cuLaunchCooperativeKernel(function, grid_x, grid_y, grid_z, block_x,
                                                     block_y, block_z, shared, stream, parameters),
                      stream);
}

static CUresult serial_configured(const CUlaunchConfig *config, CUfunction function,
                                  void **parameters, void **extra)
{
    pthread_mutex_lock(&one_at_a_time);
    return serial_end(real.cuLaunchKernelEx(config, function, parameters, extra), config->hStream);
}

static CUresult serial_graph(CUgraphExec graph, CUstream stream)
{
    pthread_mutex_lock(&one_at_a_time);
    return serial_end(real.cuGraphLaunch(graph, stream), stream);
}

/* Before main: tests know nothing of it. */
__attribute__((constructor)) static void serial_begin(void)
{
    struct driver *driver = getenv("CONSORT_TEST_SERIAL") ? (struct driver *)driver_get() : NULL;
    if (!driver)
        return;
    real = *driver;
    driver->cuLaunchKernel = serial_kernel;
    driver->cuLaunchCooperativeKernel = serial_cooperative;
    driver->cuLaunchKernelEx = serial_configured;
    driver->cuGraphLaunch = serial_graph;
}
