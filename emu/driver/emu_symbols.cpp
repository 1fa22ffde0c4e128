/* SPDX-License-Identifier: Apache-2.0 */
/* Names of errors, and of the calls themselves for cuGetProcAddress. */
#include "emu_driver.h"

#include <cstring>

struct entry {
    const char *name, *symbol;
    void *function;
};

#define ENTRY(name, symbol, arguments) {#name, #symbol, reinterpret_cast<void *>(symbol)},
static const entry entries[] = {CUDA_CALLS(ENTRY)};
#undef ENTRY

EMU_EXPORT cuGetProcAddress_v2(const char *symbol, void **function, int, uint64_t,
                               CUdriverProcAddressQueryResult *found)
{
    *function = nullptr;
    for (const entry &each : entries)
        if (std::strcmp(each.name, symbol) == 0 || std::strcmp(each.symbol, symbol) == 0)
            *function = each.function;
    if (found)
        *found = *function ? CU_GET_PROC_ADDRESS_SUCCESS : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
    return *function ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

static const struct {
    CUresult code;
    const char *name;
} errors[] = {
#define ERROR(code)                                                                                \
    {                                                                                              \
        code, #code                                                                                \
    }
    ERROR(CUDA_SUCCESS),
    ERROR(CUDA_ERROR_INVALID_VALUE),
    ERROR(CUDA_ERROR_OUT_OF_MEMORY),
    ERROR(CUDA_ERROR_NOT_INITIALIZED),
    ERROR(CUDA_ERROR_NO_DEVICE),
    ERROR(CUDA_ERROR_INVALID_DEVICE),
    ERROR(CUDA_ERROR_INVALID_IMAGE),
    ERROR(CUDA_ERROR_INVALID_CONTEXT),
    ERROR(CUDA_ERROR_NO_BINARY_FOR_GPU),
    ERROR(CUDA_ERROR_INVALID_HANDLE),
    ERROR(CUDA_ERROR_ILLEGAL_STATE),
    ERROR(CUDA_ERROR_NOT_FOUND),
    ERROR(CUDA_ERROR_NOT_READY),
    ERROR(CUDA_ERROR_ILLEGAL_ADDRESS),
    ERROR(CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES),
    ERROR(CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED),
    ERROR(CUDA_ERROR_PEER_ACCESS_NOT_ENABLED),
    ERROR(CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED),
    ERROR(CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED),
    ERROR(CUDA_ERROR_LAUNCH_FAILED),
    ERROR(CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE),
    ERROR(CUDA_ERROR_NOT_SUPPORTED),
    ERROR(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED),
    ERROR(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED),
    ERROR(CUDA_ERROR_STREAM_CAPTURE_MERGE),
    ERROR(CUDA_ERROR_STREAM_CAPTURE_UNMATCHED),
    ERROR(CUDA_ERROR_STREAM_CAPTURE_UNJOINED),
    ERROR(CUDA_ERROR_STREAM_CAPTURE_ISOLATION),
    ERROR(CUDA_ERROR_STREAM_CAPTURE_IMPLICIT),
    ERROR(CUDA_ERROR_CAPTURED_EVENT),
    ERROR(CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD),
    ERROR(CUDA_ERROR_INVALID_CLUSTER_SIZE),
    ERROR(CUDA_ERROR_UNKNOWN),
#undef ERROR
};

EMU_EXPORT cuGetErrorName(CUresult error, const char **text)
{
    *text = nullptr;
    for (const auto &each : errors)
        if (each.code == error)
            *text = each.name;
    return *text ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

EMU_EXPORT cuGetErrorString(CUresult error, const char **text)
{
    return cuGetErrorName(error, text);
}
