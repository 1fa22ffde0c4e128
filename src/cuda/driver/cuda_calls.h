/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every driver call consort uses, once: CUDA_CALLS(X) expands X(name, symbol, arguments), where
 * `name` is the documented name and `symbol` what libcuda exports for the ABI we mean (a plain
 * dlsym of "cuMemAlloc" would find the 32-bit call of CUDA 2). Included by cuda_api.h only.
 */
#ifndef CONSORT_CUDA_CALLS_H
#define CONSORT_CUDA_CALLS_H

/* clang-format off */
#define CUDA_CALLS(X)                                                                              \
    X(cuInit, cuInit, (unsigned int flags))                                                        \
    X(cuDriverGetVersion, cuDriverGetVersion, (int *version))                                      \
    X(cuGetErrorName, cuGetErrorName, (CUresult error, const char **text))                         \
    X(cuGetErrorString, cuGetErrorString, (CUresult error, const char **text))                     \
    X(cuGetProcAddress, cuGetProcAddress_v2, (const char *symbol, void **function, int version,    \
        uint64_t flags, CUdriverProcAddressQueryResult *found))                                    \
    /* devices and contexts */                                                                     \
    X(cuDeviceGetCount, cuDeviceGetCount, (int *count))                                            \
    X(cuDeviceGet, cuDeviceGet, (CUdevice *device, int ordinal))                                   \
    X(cuDeviceGetName, cuDeviceGetName, (char *name, int length, CUdevice device))                 \
    X(cuDeviceGetUuid, cuDeviceGetUuid_v2, (CUuuid *uuid, CUdevice device))                        \
    X(cuDeviceGetPCIBusId, cuDeviceGetPCIBusId, (char *id, int length, CUdevice device))           \
    X(cuDeviceGetAttribute, cuDeviceGetAttribute,                                                  \
        (int *value, CUdevice_attribute attribute, CUdevice device))                               \
    X(cuDeviceTotalMem, cuDeviceTotalMem_v2, (size_t *bytes, CUdevice device))                     \
    X(cuDeviceCanAccessPeer, cuDeviceCanAccessPeer, (int *can, CUdevice device, CUdevice peer))    \
    X(cuDeviceGetDefaultMemPool, cuDeviceGetDefaultMemPool, (CUmemoryPool *pool, CUdevice device)) \
    X(cuDevicePrimaryCtxRetain, cuDevicePrimaryCtxRetain, (CUcontext *context, CUdevice device))   \
    X(cuDevicePrimaryCtxRelease, cuDevicePrimaryCtxRelease_v2, (CUdevice device))                  \
    X(cuDevicePrimaryCtxReset, cuDevicePrimaryCtxReset_v2, (CUdevice device))                      \
    X(cuDevicePrimaryCtxGetState, cuDevicePrimaryCtxGetState,                                      \
        (CUdevice device, unsigned int *flags, int *active))                                       \
    X(cuCtxPushCurrent, cuCtxPushCurrent_v2, (CUcontext context))                                  \
    X(cuCtxPopCurrent, cuCtxPopCurrent_v2, (CUcontext *context))                                   \
    X(cuCtxGetCurrent, cuCtxGetCurrent, (CUcontext *context))                                      \
    X(cuCtxSetCurrent, cuCtxSetCurrent, (CUcontext context))                                       \
    X(cuCtxGetDevice, cuCtxGetDevice, (CUdevice *device))                                          \
    X(cuCtxSynchronize, cuCtxSynchronize, (void))                                                  \
    X(cuCtxEnablePeerAccess, cuCtxEnablePeerAccess, (CUcontext peer, unsigned int flags))          \
    X(cuCtxDisablePeerAccess, cuCtxDisablePeerAccess, (CUcontext peer))                            \
    /* kernels */                                                                                  \
    X(cuModuleLoadData, cuModuleLoadData, (CUmodule *module, const void *image))                   \
    X(cuModuleUnload, cuModuleUnload, (CUmodule module))                                           \
    X(cuModuleGetFunction, cuModuleGetFunction,                                                    \
        (CUfunction *function, CUmodule module, const char *name))                                 \
    X(cuLibraryLoadData, cuLibraryLoadData, (CUlibrary *library, const void *image,                \
        void *jit_options, void **jit_values, unsigned int jit_count,                              \
        void *library_options, void **library_values, unsigned int library_count))                 \
    X(cuLibraryUnload, cuLibraryUnload, (CUlibrary library))                                       \
    X(cuLibraryGetKernel, cuLibraryGetKernel,                                                      \
        (CUkernel *kernel, CUlibrary library, const char *name))                                   \
    X(cuKernelGetFunction, cuKernelGetFunction, (CUfunction *function, CUkernel kernel))           \
    X(cuFuncGetAttribute, cuFuncGetAttribute,                                                      \
        (int *value, CUfunction_attribute attribute, CUfunction function))                         \
    X(cuFuncSetAttribute, cuFuncSetAttribute,                                                      \
        (CUfunction function, CUfunction_attribute attribute, int value))                          \
    X(cuOccupancyMaxActiveBlocksPerMultiprocessor, cuOccupancyMaxActiveBlocksPerMultiprocessor,    \
        (int *blocks, CUfunction function, int threads, size_t dynamic_shared))                    \
    X(cuOccupancyMaxActiveClusters, cuOccupancyMaxActiveClusters,                                  \
        (int *clusters, CUfunction function, const CUlaunchConfig *config))                        \
    X(cuLaunchKernel, cuLaunchKernel, (CUfunction function, unsigned int grid_x,                   \
        unsigned int grid_y, unsigned int grid_z, unsigned int block_x, unsigned int block_y,      \
        unsigned int block_z, unsigned int dynamic_shared, CUstream stream, void **parameters,     \
        void **extra))                                                                             \
    X(cuLaunchCooperativeKernel, cuLaunchCooperativeKernel, (CUfunction function,                  \
        unsigned int grid_x, unsigned int grid_y, unsigned int grid_z, unsigned int block_x,       \
        unsigned int block_y, unsigned int block_z, unsigned int dynamic_shared, CUstream stream,  \
        void **parameters))                                                                        \
    X(cuLaunchKernelEx, cuLaunchKernelEx, (const CUlaunchConfig *config, CUfunction function,      \
        void **parameters, void **extra))                                                          \
    X(cuLaunchHostFunc, cuLaunchHostFunc, (CUstream stream, CUhostFn function, void *user_data))   \
    /* memory */                                                                                   \
    X(cuMemGetInfo, cuMemGetInfo_v2, (size_t *free_bytes, size_t *total_bytes))                    \
    X(cuMemAlloc, cuMemAlloc_v2, (CUdeviceptr *pointer, size_t bytes))                             \
    X(cuMemFree, cuMemFree_v2, (CUdeviceptr pointer))                                              \
    X(cuMemAllocManaged, cuMemAllocManaged,                                                        \
        (CUdeviceptr *pointer, size_t bytes, unsigned int flags))                                  \
    X(cuMemAllocAsync, cuMemAllocAsync, (CUdeviceptr *pointer, size_t bytes, CUstream stream))     \
    X(cuMemAllocFromPoolAsync, cuMemAllocFromPoolAsync,                                            \
        (CUdeviceptr *pointer, size_t bytes, CUmemoryPool pool, CUstream stream))                  \
    X(cuMemFreeAsync, cuMemFreeAsync, (CUdeviceptr pointer, CUstream stream))                      \
    X(cuMemPoolCreate, cuMemPoolCreate, (CUmemoryPool *pool, const CUmemPoolProps *properties))    \
    X(cuMemPoolDestroy, cuMemPoolDestroy, (CUmemoryPool pool))                                     \
    X(cuMemPoolSetAttribute, cuMemPoolSetAttribute,                                                \
        (CUmemoryPool pool, CUmemPool_attribute attribute, void *value))                           \
    X(cuMemPoolGetAttribute, cuMemPoolGetAttribute,                                                \
        (CUmemoryPool pool, CUmemPool_attribute attribute, void *value))                           \
    X(cuMemPoolSetAccess, cuMemPoolSetAccess,                                                      \
        (CUmemoryPool pool, const CUmemAccessDesc *map, size_t count))                             \
    X(cuMemPoolTrimTo, cuMemPoolTrimTo, (CUmemoryPool pool, size_t bytes))                         \
    X(cuMemAllocHost, cuMemAllocHost_v2, (void **pointer, size_t bytes))                           \
    X(cuMemHostAlloc, cuMemHostAlloc, (void **pointer, size_t bytes, unsigned int flags))          \
    X(cuMemFreeHost, cuMemFreeHost, (void *pointer))                                               \
    X(cuMemHostRegister, cuMemHostRegister_v2, (void *pointer, size_t bytes, unsigned int flags))  \
    X(cuMemHostUnregister, cuMemHostUnregister, (void *pointer))                                   \
    X(cuPointerGetAttribute, cuPointerGetAttribute,                                                \
        (void *value, CUpointer_attribute attribute, CUdeviceptr pointer))                         \
    X(cuPointerGetAttributes, cuPointerGetAttributes, (unsigned int count,                         \
        CUpointer_attribute *attributes, void **values, CUdeviceptr pointer))                      \
    X(cuMemcpyAsync, cuMemcpyAsync,                                                                \
        (CUdeviceptr target, CUdeviceptr source, size_t bytes, CUstream stream))                   \
    X(cuMemcpyHtoD, cuMemcpyHtoD_v2, (CUdeviceptr target, const void *source, size_t bytes))       \
    X(cuMemcpyDtoH, cuMemcpyDtoH_v2, (void *target, CUdeviceptr source, size_t bytes))             \
    X(cuMemcpyDtoD, cuMemcpyDtoD_v2, (CUdeviceptr target, CUdeviceptr source, size_t bytes))       \
    X(cuMemcpyHtoDAsync, cuMemcpyHtoDAsync_v2,                                                     \
        (CUdeviceptr target, const void *source, size_t bytes, CUstream stream))                   \
    X(cuMemcpyDtoHAsync, cuMemcpyDtoHAsync_v2,                                                     \
        (void *target, CUdeviceptr source, size_t bytes, CUstream stream))                         \
    X(cuMemcpyDtoDAsync, cuMemcpyDtoDAsync_v2,                                                     \
        (CUdeviceptr target, CUdeviceptr source, size_t bytes, CUstream stream))                   \
    X(cuMemcpyPeerAsync, cuMemcpyPeerAsync, (CUdeviceptr target, CUcontext target_context,         \
        CUdeviceptr source, CUcontext source_context, size_t bytes, CUstream stream))              \
    X(cuMemsetD8, cuMemsetD8_v2, (CUdeviceptr target, unsigned char value, size_t count))          \
    X(cuMemsetD8Async, cuMemsetD8Async,                                                            \
        (CUdeviceptr target, unsigned char value, size_t count, CUstream stream))                  \
    X(cuMemsetD32Async, cuMemsetD32Async,                                                          \
        (CUdeviceptr target, unsigned int value, size_t count, CUstream stream))                   \
    /* streams, events, graphs */                                                                  \
    X(cuStreamCreate, cuStreamCreate, (CUstream *stream, unsigned int flags))                      \
    X(cuStreamCreateWithPriority, cuStreamCreateWithPriority,                                      \
        (CUstream *stream, unsigned int flags, int priority))                                      \
    X(cuStreamDestroy, cuStreamDestroy_v2, (CUstream stream))                                      \
    X(cuStreamGetCtx, cuStreamGetCtx, (CUstream stream, CUcontext *context))                       \
    X(cuStreamSynchronize, cuStreamSynchronize, (CUstream stream))                                 \
    X(cuStreamQuery, cuStreamQuery, (CUstream stream))                                             \
    X(cuStreamWaitEvent, cuStreamWaitEvent,                                                        \
        (CUstream stream, CUevent event, unsigned int flags))                                      \
    X(cuStreamBeginCapture, cuStreamBeginCapture_v2, (CUstream stream, CUstreamCaptureMode mode))  \
    X(cuStreamIsCapturing, cuStreamIsCapturing, (CUstream stream, CUstreamCaptureStatus *status))  \
    X(cuStreamEndCapture, cuStreamEndCapture, (CUstream stream, CUgraph *graph))                   \
    X(cuThreadExchangeStreamCaptureMode, cuThreadExchangeStreamCaptureMode,                        \
        (CUstreamCaptureMode *mode))                                                               \
    X(cuEventCreate, cuEventCreate, (CUevent *event, unsigned int flags))                          \
    X(cuEventDestroy, cuEventDestroy_v2, (CUevent event))                                          \
    X(cuEventRecord, cuEventRecord, (CUevent event, CUstream stream))                              \
    X(cuEventSynchronize, cuEventSynchronize, (CUevent event))                                     \
    X(cuEventQuery, cuEventQuery, (CUevent event))                                                 \
    X(cuEventElapsedTime, cuEventElapsedTime, (float *milliseconds, CUevent start, CUevent end))   \
    X(cuGraphInstantiate, cuGraphInstantiateWithFlags,                                             \
        (CUgraphExec *executable, CUgraph graph, unsigned long long flags))                        \
    X(cuGraphLaunch, cuGraphLaunch, (CUgraphExec executable, CUstream stream))                     \
    X(cuGraphGetNodes, cuGraphGetNodes, (CUgraph graph, CUgraphNode *nodes, size_t *count))        \
    X(cuGraphDestroy, cuGraphDestroy, (CUgraph graph))                                             \
    X(cuGraphExecDestroy, cuGraphExecDestroy, (CUgraphExec executable))
/* clang-format on */

#define CUDA_CALL_TYPE(name, symbol, arguments) typedef CUresult name##_call arguments;
CUDA_CALLS(CUDA_CALL_TYPE)
#undef CUDA_CALL_TYPE

#endif
