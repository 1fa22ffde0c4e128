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

bool pointer_is_writable(CUdeviceptr pointer)
{
    unsigned int access = 0;
    return driver_get()->cuPointerGetAttribute(&access, CU_POINTER_ATTRIBUTE_ACCESS_FLAGS,
                                               pointer) == CUDA_SUCCESS &&
           access == CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
}
