/* SPDX-License-Identifier: Apache-2.0 */
/* What GPUs copy by themselves has a call of its own: what is carried through buffers, and counts
 * that a run reads, have others. */
#include "bus_meter.h"

#include <stdatomic.h>

#include "cuda/driver/driver.h"
#include "cuda/driver/pointer.h"

static struct driver real;
static _Atomic uint64_t bytes_up, bytes_down;

static CUresult metered_copy(CUdeviceptr target, CUdeviceptr source, size_t bytes, CUstream stream)
{
    struct pointer_place place;
    if (pointer_locate((const void *)(uintptr_t)target, &place) == CONSORT_OK)
        atomic_fetch_add(place.kind == POINTER_DEVICE ? &bytes_up : &bytes_down, bytes);
    return real.cuMemcpyAsync(target, source, bytes, stream);
}

void bus_meter_begin(void)
{
    struct driver *driver = (struct driver *)driver_get();
    real = *driver;
    atomic_store(&bytes_up, 0);
    atomic_store(&bytes_down, 0);
    driver->cuMemcpyAsync = metered_copy;
}

struct bus_meter bus_meter_end(void)
{
    *(struct driver *)driver_get() = real;
    return (struct bus_meter){atomic_load(&bytes_up), atomic_load(&bytes_down)};
}
