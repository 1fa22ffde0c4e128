/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The calls of NVIDIA's driver library that the benchmark itself needs: memory, copies, events and
 * one kernel. Opened at run time as the library does it, and declared here a second time, because
 * the command sees nothing of the library but consort.h.
 */
#ifndef CONSORT_CLI_BENCH_DRIVER_H
#define CONSORT_CLI_BENCH_DRIVER_H

#include <stddef.h>
#include <stdint.h>

#include "problem.h"

/* X(name, symbol, arguments); handles are pointers to what only the driver knows. */
#define BENCH_DRIVER_CALLS(X)                                                                      \
    X(initialise, cuInit, (unsigned flags))                                                        \
    X(version, cuDriverGetVersion, (int *version))                                                 \
    X(error_name, cuGetErrorName, (int error, const char **name))                                  \
    X(device_count, cuDeviceGetCount, (int *count))                                                \
    X(device_get, cuDeviceGet, (int *device, int ordinal))                                         \
    X(device_name, cuDeviceGetName, (char *name, int length, int device))                          \
    X(device_attribute, cuDeviceGetAttribute, (int *value, int attribute, int device))             \
    X(device_memory, cuDeviceTotalMem_v2, (size_t * bytes, int device))                            \
    X(context_retain, cuDevicePrimaryCtxRetain, (void **context, int device))                      \
    X(context_release, cuDevicePrimaryCtxRelease_v2, (int device))                                 \
    X(context_set, cuCtxSetCurrent, (void *context))                                               \
    X(memory_allocate, cuMemAlloc_v2, (uint64_t * memory, size_t bytes))                           \
    X(memory_free, cuMemFree_v2, (uint64_t memory))                                                \
    X(copy_in, cuMemcpyHtoD_v2, (uint64_t to, const void *from, size_t bytes))                     \
    X(copy_out, cuMemcpyDtoH_v2, (void *to, uint64_t from, size_t bytes))                          \
    X(copy_up, cuMemcpyHtoDAsync_v2, (uint64_t to, const void *from, size_t bytes, void *stream))  \
    X(copy_down, cuMemcpyDtoHAsync_v2, (void *to, uint64_t from, size_t bytes, void *stream))      \
    X(copy_within, cuMemcpyDtoDAsync_v2, (uint64_t to, uint64_t from, size_t bytes, void *stream)) \
    X(copy_peer, cuMemcpyPeerAsync,                                                                \
      (uint64_t to, void *to_context, uint64_t from, void *from_context, size_t bytes,             \
       void *stream))                                                                              \
    X(peer_enable, cuCtxEnablePeerAccess, (void *context, unsigned flags))                         \
    X(fill, cuMemsetD8Async, (uint64_t memory, unsigned char byte, size_t bytes, void *stream))    \
    X(host_register, cuMemHostRegister_v2, (void *memory, size_t bytes, unsigned flags))           \
    X(host_unregister, cuMemHostUnregister, (void *memory))                                        \
    X(stream_create, cuStreamCreate, (void **stream, unsigned flags))                              \
    X(stream_destroy, cuStreamDestroy_v2, (void *stream))                                          \
    X(stream_wait, cuStreamSynchronize, (void *stream))                                            \
    X(event_create, cuEventCreate, (void **event, unsigned flags))                                 \
    X(event_destroy, cuEventDestroy_v2, (void *event))                                             \
    X(event_record, cuEventRecord, (void *event, void *stream))                                    \
    X(event_wait, cuEventSynchronize, (void *event))                                               \
    X(event_elapsed, cuEventElapsedTime, (float *milliseconds, void *start, void *stop))           \
    X(module_load, cuModuleLoadData, (void **module, const void *image))                           \
    X(module_unload, cuModuleUnload, (void *module))                                               \
    X(module_function, cuModuleGetFunction, (void **function, void *module, const char *name))     \
    X(launch, cuLaunchKernel,                                                                      \
      (void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,        \
       unsigned block_y, unsigned block_z, unsigned shared_bytes, void *stream, void **arguments,  \
       void **extra))

struct bench_driver {
#define BENCH_DRIVER_MEMBER(name, symbol, arguments) int(*name) arguments;
    BENCH_DRIVER_CALLS(BENCH_DRIVER_MEMBER)
#undef BENCH_DRIVER_MEMBER
};

/* NULL, and the problem says why, where there is no driver that starts. Stays open. */
const struct bench_driver *bench_driver_open(struct problem *problem);

/* True for 0; else the problem is "what: CUDA_ERROR_…". */
bool bench_driver_good(const struct bench_driver *driver, int result, const char *what,
                       struct problem *problem);

#endif
