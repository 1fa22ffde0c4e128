/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Allocation calls, pointer attributes, copies and fills. Copies from or to pageable host memory
 * wait for the stream and happen at once, as NVIDIA documents; pinned memory is read and written
 * late.
 */
#include "emu_driver.h"

#include <cstring>

using namespace emu;

/* A few frees may still be queued: run everything before giving up. */
static CUresult allocate_async(CUcontext context, int device, size_t bytes, CUmemoryPool pool,
                               CUdeviceptr *pointer)
{
    CUresult status = memory_allocate(device, bytes, context, pool, pointer);
    if (status != CUDA_ERROR_OUT_OF_MEMORY)
        return status;
    if ((status = context_drain(context)))
        return status;
    return memory_allocate(device, bytes, context, pool, pointer);
}

EMU_EXPORT cuMemGetInfo_v2(size_t *free_bytes, size_t *total_bytes)
{
    EMU_ENTER(query);
    *total_bytes = configuration().memory;
    *free_bytes = *total_bytes - memory_used(call.context->device);
    return CUDA_SUCCESS;
}

EMU_EXPORT cuMemAlloc_v2(CUdeviceptr *pointer, size_t bytes)
{
    EMU_ENTER(alloc);
    return allocate_async(call.context, call.context->device, bytes, nullptr, pointer);
}

EMU_EXPORT cuMemFree_v2(CUdeviceptr pointer)
{
    EMU_ENTER(sync);
    if (!pointer)
        return CUDA_SUCCESS;
    CUresult status = context_drain(call.context);
    return status ? status : memory_free(pointer);
}

EMU_EXPORT cuMemAllocManaged(CUdeviceptr *pointer, size_t bytes, unsigned int)
{
    EMU_ENTER(alloc);
    void *memory = nullptr;
    CUresult status = host_allocate(bytes, memory_type::managed, call.context, &memory);
    *pointer = reinterpret_cast<CUdeviceptr>(memory);
    return status;
}

EMU_EXPORT cuMemAllocFromPoolAsync(CUdeviceptr *pointer, size_t bytes, CUmemoryPool pool,
                                   CUstream stream)
{
    EMU_ENTER(alloc);
    if (!pool)
        return CUDA_ERROR_INVALID_VALUE;
    if (stream_resolve(call.context, stream)->capturing)
        return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
    return allocate_async(call.context, pool->device, bytes, pool, pointer);
}

EMU_EXPORT cuMemAllocAsync(CUdeviceptr *pointer, size_t bytes, CUstream stream)
{
    CUdevice device;
    CUmemoryPool pool;
    CUresult status = cuCtxGetDevice(&device);
    if (status == CUDA_SUCCESS)
        status = cuDeviceGetDefaultMemPool(&pool, device);
    return status ? status : cuMemAllocFromPoolAsync(pointer, bytes, pool, stream);
}

EMU_EXPORT cuMemFreeAsync(CUdeviceptr pointer, CUstream stream)
{
    EMU_ENTER(other);
    const allocation *memory = memory_find(pointer);
    if (!memory || memory->start != pointer || memory->type != memory_type::device)
        return CUDA_ERROR_INVALID_VALUE;
    return stream_push(stream_resolve(call.context, stream), 0,
                       [pointer] { return memory_free(pointer); });
}

EMU_EXPORT cuMemPoolCreate(CUmemoryPool *pool, const CUmemPoolProps *properties)
{
    EMU_ENTER_ANYWHERE(alloc);
    if (properties->allocType != CU_MEM_ALLOCATION_TYPE_PINNED ||
        properties->location.type != CU_MEM_LOCATION_TYPE_DEVICE ||
        !device_valid(properties->location.id))
        return CUDA_ERROR_INVALID_VALUE;
    *pool = new CUmemPoolHandle_st{properties->location.id, 0, 0};
    return CUDA_SUCCESS;
}

EMU_EXPORT cuMemPoolDestroy(CUmemoryPool pool)
{
    EMU_ENTER_ANYWHERE(other);
    if (!pool || pool_used(pool))
        return CUDA_ERROR_INVALID_VALUE;
    delete pool;
    return CUDA_SUCCESS;
}

EMU_EXPORT cuMemPoolSetAttribute(CUmemoryPool pool, CUmemPool_attribute attribute, void *value)
{
    EMU_ENTER_ANYWHERE(other);
    if (attribute == CU_MEMPOOL_ATTR_RELEASE_THRESHOLD)
        std::memcpy(&pool->release_threshold, value, sizeof(uint64_t));
    else if (attribute == CU_MEMPOOL_ATTR_USED_MEM_HIGH)
        pool->high = pool_used(pool);
    else if (attribute > CU_MEMPOOL_ATTR_RELEASE_THRESHOLD)
        return CUDA_ERROR_INVALID_VALUE;
    return CUDA_SUCCESS;
}

EMU_EXPORT cuMemPoolGetAttribute(CUmemoryPool pool, CUmemPool_attribute attribute, void *value)
{
    EMU_ENTER_ANYWHERE(query);
    uint64_t answer = 0;
    if (attribute < CU_MEMPOOL_ATTR_RELEASE_THRESHOLD) {
        const int yes = 1;
        std::memcpy(value, &yes, sizeof(yes));
        return CUDA_SUCCESS;
    }
    if (attribute == CU_MEMPOOL_ATTR_RELEASE_THRESHOLD)
        answer = pool->release_threshold;
    else if (attribute == CU_MEMPOOL_ATTR_USED_MEM_HIGH ||
             attribute == CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH)
        answer = pool->high;
    else
        answer = pool_used(pool);
    std::memcpy(value, &answer, sizeof(answer));
    return CUDA_SUCCESS;
}

EMU_EXPORT cuMemPoolSetAccess(CUmemoryPool pool, const CUmemAccessDesc *, size_t)
{
    EMU_ENTER_ANYWHERE(other);
    return pool ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

EMU_EXPORT cuMemPoolTrimTo(CUmemoryPool pool, size_t)
{
    EMU_ENTER_ANYWHERE(other);
    return pool ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

EMU_EXPORT cuMemHostAlloc(void **pointer, size_t bytes, unsigned int)
{
    EMU_ENTER(alloc);
    return host_allocate(bytes, memory_type::pinned, call.context, pointer);
}

EMU_EXPORT cuMemAllocHost_v2(void **pointer, size_t bytes)
{
    return cuMemHostAlloc(pointer, bytes, 0);
}

EMU_EXPORT cuMemFreeHost(void *pointer)
{
    EMU_ENTER(sync);
    CUresult status = context_drain(call.context);
    return status ? status : host_free(pointer, memory_type::pinned);
}

EMU_EXPORT cuMemHostRegister_v2(void *pointer, size_t bytes, unsigned int)
{
    EMU_ENTER(alloc);
    return host_register(pointer, bytes, call.context);
}

EMU_EXPORT cuMemHostUnregister(void *pointer)
{
    EMU_ENTER(sync);
    CUresult status = context_drain(call.context);
    return status ? status : host_free(pointer, memory_type::registered);
}

/* ------ pointer attributes ------ */

static bool on_device(const allocation &memory)
{
    return memory.type == memory_type::device || memory.type == memory_type::managed;
}

static CUresult attribute_write(void *value, CUpointer_attribute attribute,
                                const allocation &memory, CUdeviceptr pointer)
{
    uint64_t address = pointer;
    int number = 0;
    switch (attribute) {
    case CU_POINTER_ATTRIBUTE_CONTEXT:
        std::memcpy(value, &memory.context, sizeof(memory.context));
        return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_HOST_POINTER:
        address = memory.type == memory_type::device ? 0 : pointer;
        break;
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
        break;
    case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
        address = memory.start;
        break;
    case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
        address = memory.bytes;
        break;
    case CU_POINTER_ATTRIBUTE_IS_MANAGED:
        *static_cast<unsigned char *>(value) = memory.type == memory_type::managed;
        return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_MAPPED:
        *static_cast<unsigned char *>(value) = 1;
        return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_ACCESS_FLAGS:
        *static_cast<unsigned int *>(value) =
            context_reaches(current_context(), memory) ? CU_MEM_ACCESS_FLAGS_PROT_READWRITE : 0;
        return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
        number = on_device(memory) ? CU_MEMORYTYPE_DEVICE : CU_MEMORYTYPE_HOST;
        std::memcpy(value, &number, sizeof(number));
        return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
        std::memcpy(value, &memory.device, sizeof(memory.device));
        return CUDA_SUCCESS;
    default:
        return CUDA_ERROR_INVALID_VALUE;
    }
    std::memcpy(value, &address, sizeof(address));
    return CUDA_SUCCESS;
}

EMU_EXPORT cuPointerGetAttribute(void *value, CUpointer_attribute attribute, CUdeviceptr pointer)
{
    EMU_ENTER(query);
    const allocation *memory = memory_find(pointer);
    return memory ? attribute_write(value, attribute, *memory, pointer) : CUDA_ERROR_INVALID_VALUE;
}

/* For pointers unknown to the driver this succeeds with zeros (and device −2), says NVIDIA. */
static void attribute_clear(void *value, CUpointer_attribute attribute)
{
    const int no_device = -2;
    if (attribute == CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL)
        std::memcpy(value, &no_device, sizeof(no_device));
    else if (attribute == CU_POINTER_ATTRIBUTE_MEMORY_TYPE)
        std::memset(value, 0, sizeof(int));
    else if (attribute == CU_POINTER_ATTRIBUTE_IS_MANAGED ||
             attribute == CU_POINTER_ATTRIBUTE_MAPPED)
        std::memset(value, 0, 1);
    else
        std::memset(value, 0, sizeof(uint64_t));
}

EMU_EXPORT cuPointerGetAttributes(unsigned int count, CUpointer_attribute *attributes,
                                  void **values, CUdeviceptr pointer)
{
    EMU_ENTER_ANYWHERE(query);
    const allocation *memory = memory_find(pointer);
    for (unsigned int i = 0; i < count; i++) {
        attribute_clear(values[i], attributes[i]);
        if (memory)
            if (CUresult status = attribute_write(values[i], attributes[i], *memory, pointer))
                return status;
    }
    return CUDA_SUCCESS;
}

/* ------ copies and fills ------ */

struct side {
    uintptr_t address;
    bool pageable;
    uint32_t devices;
};

/* False: the range leaves its allocation, or names device memory that does not exist. */
static bool side_of(uintptr_t address, size_t bytes, side *found)
{
    const allocation *memory = memory_find(address);
    if (memory && bytes > memory->start + memory->bytes - address)
        return false;
    if (!memory && fault_is_device_address(reinterpret_cast<void *>(address)))
        return false;
    bool device = memory && memory->type == memory_type::device;
    *found = {address, memory == nullptr, device ? 1u << memory->device : 0};
    return true;
}

static CUresult copy(CUcontext context, uintptr_t target, uintptr_t source, size_t bytes,
                     CUstream stream, bool wait)
{
    side to, from;
    if (bytes == 0)
        return wait ? stream_drain(stream) : CUDA_SUCCESS;
    if (!side_of(target, bytes, &to) || !side_of(source, bytes, &from)) {
        say("a copy leaves its allocation\n");
        return CUDA_ERROR_INVALID_VALUE;
    }
    if (target < source + bytes && source < target + bytes) {
        say("the two sides of a copy overlap\n");
        return CUDA_ERROR_INVALID_VALUE;
    }
    bool now = wait || to.pageable || from.pageable;
    if (now && stream->capturing) {
        capture_break(stream->capturing);
        return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
    }
    CUresult status = stream_push(stream, device_mask(context) | to.devices | from.devices,
                                  [target, source, bytes] {
                                      std::memcpy(reinterpret_cast<void *>(target),
                                                  reinterpret_cast<const void *>(source), bytes);
                                      return CUDA_SUCCESS;
                                  });
    return status || !now ? status : stream_drain(stream);
}

static uintptr_t address_of(const void *pointer)
{
    return reinterpret_cast<uintptr_t>(pointer);
}

EMU_EXPORT cuMemcpyAsync(CUdeviceptr target, CUdeviceptr source, size_t bytes, CUstream stream)
{
    EMU_ENTER(copy);
    return copy(call.context, target, source, bytes, stream_resolve(call.context, stream), false);
}

EMU_EXPORT cuMemcpyHtoDAsync_v2(CUdeviceptr target, const void *source, size_t bytes,
                                CUstream stream)
{
    return cuMemcpyAsync(target, address_of(source), bytes, stream);
}

EMU_EXPORT cuMemcpyDtoHAsync_v2(void *target, CUdeviceptr source, size_t bytes, CUstream stream)
{
    return cuMemcpyAsync(address_of(target), source, bytes, stream);
}

EMU_EXPORT cuMemcpyDtoDAsync_v2(CUdeviceptr target, CUdeviceptr source, size_t bytes,
                                CUstream stream)
{
    return cuMemcpyAsync(target, source, bytes, stream);
}

EMU_EXPORT cuMemcpyPeerAsync(CUdeviceptr target, CUcontext, CUdeviceptr source, CUcontext,
                             size_t bytes, CUstream stream)
{
    return cuMemcpyAsync(target, source, bytes, stream);
}

EMU_EXPORT cuMemcpyHtoD_v2(CUdeviceptr target, const void *source, size_t bytes)
{
    EMU_ENTER(copy);
    return copy(call.context, target, address_of(source), bytes, &call.context->legacy, true);
}

EMU_EXPORT cuMemcpyDtoH_v2(void *target, CUdeviceptr source, size_t bytes)
{
    EMU_ENTER(copy);
    return copy(call.context, address_of(target), source, bytes, &call.context->legacy, true);
}

EMU_EXPORT cuMemcpyDtoD_v2(CUdeviceptr target, CUdeviceptr source, size_t bytes)
{
    EMU_ENTER(copy);
    return copy(call.context, target, source, bytes, &call.context->legacy, false);
}

template <typename T>
static CUresult fill(CUcontext context, CUdeviceptr target, T value, size_t count, CUstream stream)
{
    side to;
    if (target % sizeof(T) || count > SIZE_MAX / sizeof(T) ||
        !side_of(target, count * sizeof(T), &to) || to.pageable)
        return CUDA_ERROR_INVALID_VALUE;
    return stream_push(stream, device_mask(context) | to.devices, [target, value, count] {
        std::fill_n(reinterpret_cast<T *>(target), count, value);
        return CUDA_SUCCESS;
    });
}

EMU_EXPORT cuMemsetD8_v2(CUdeviceptr target, unsigned char value, size_t count)
{
    EMU_ENTER(copy);
    return fill(call.context, target, value, count, &call.context->legacy);
}

EMU_EXPORT cuMemsetD8Async(CUdeviceptr target, unsigned char value, size_t count, CUstream stream)
{
    EMU_ENTER(copy);
    return fill(call.context, target, value, count, stream_resolve(call.context, stream));
}

EMU_EXPORT cuMemsetD32Async(CUdeviceptr target, unsigned int value, size_t count, CUstream stream)
{
    EMU_ENTER(copy);
    return fill(call.context, target, value, count, stream_resolve(call.context, stream));
}
