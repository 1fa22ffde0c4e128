/* SPDX-License-Identifier: Apache-2.0 */
/* Where the driver says an address lives. */
#include "cuda/driver/pointer.h"

enum {
    POINTER_ATTRIBUTES = 3
};

consort_status pointer_locate(const void *pointer, struct pointer_place *place)
{
    *place = (struct pointer_place){POINTER_PAGEABLE, -1};
    if (!pointer)
        return CONSORT_OK;
    const struct driver *driver = driver_get();
    unsigned int memory = 0;
    unsigned int managed = 0; /* the driver writes a bool: room for more */
    int device = -1;
    CUpointer_attribute wanted[POINTER_ATTRIBUTES] = {CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
                                                      CU_POINTER_ATTRIBUTE_IS_MANAGED,
                                                      CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL};
    void *values[POINTER_ATTRIBUTES] = {&memory, &managed, &device};
    CUresult result = driver->cuPointerGetAttributes(POINTER_ATTRIBUTES, wanted, values,
                                                     (CUdeviceptr)(uintptr_t)pointer);
    if (result != CUDA_SUCCESS)
        return driver_fail(driver, result, "cuPointerGetAttributes");
    if (managed)
        place->kind = POINTER_MANAGED;
    else if (memory == CU_MEMORYTYPE_DEVICE)
        *place = (struct pointer_place){POINTER_DEVICE, device};
    else if (memory == CU_MEMORYTYPE_HOST)
        place->kind = POINTER_PINNED;
    return CONSORT_OK;
}

/* What a driver says of memory of another device whose peer access is not enabled (H200, 580.159:
 * that it is accessible) is no answer. Memory of pools and mapped memory belong to no context. */
static bool pointer_meets_peer(CUdeviceptr pointer)
{
    const struct driver *driver = driver_get();
    CUcontext owner = NULL, current = NULL;
    if (driver->cuPointerGetAttribute(&owner, CU_POINTER_ATTRIBUTE_CONTEXT, pointer) !=
            CUDA_SUCCESS ||
        driver->cuCtxGetCurrent(&current) != CUDA_SUCCESS || !owner || owner == current)
        return true;
    CUresult result = driver->cuCtxEnablePeerAccess(owner, 0);
    return result == CUDA_SUCCESS || result == CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED;
}

bool pointer_is_writable(CUdeviceptr pointer)
{
    unsigned int access = 0;
    return pointer_meets_peer(pointer) &&
           driver_get()->cuPointerGetAttribute(&access, CU_POINTER_ATTRIBUTE_ACCESS_FLAGS,
                                               pointer) == CUDA_SUCCESS &&
           access == CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
}
