/* SPDX-License-Identifier: Apache-2.0 */
/* Memory that somebody else holds on the GPUs while a test runs. */
#include "tenants.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "support/random.h"

static const struct device *enter(int32_t ordinal)
{
    const struct device *device = device_open(ordinal);
    assert_non_null(device);
    assert_int_equal(device_enter(device), CONSORT_OK);
    return device;
}

CUdeviceptr tenant_comes(int32_t ordinal, uint64_t bytes)
{
    CUdeviceptr memory = 0;
    const struct device *device = enter(ordinal);
    if (bytes > 0)
        assert_int_equal(driver_get()->cuMemAlloc(&memory, bytes), CUDA_SUCCESS);
    device_leave(device);
    return memory;
}

void tenant_goes(int32_t ordinal, CUdeviceptr memory)
{
    const struct device *device = enter(ordinal);
    if (memory)
        driver_get()->cuMemFree(memory);
    device_leave(device);
}

void tenants_come(struct tenants *tenants, uint64_t most, uint64_t *random)
{
    for (int32_t d = 0; d < device_count() && d < TENANTS_DEVICES; d++) {
        uint64_t sixteenths = 1 + random_below(random, most);
        tenants->memory[d] = tenant_comes(d, device_describe(d)->memory / 16 * sixteenths);
    }
}

void tenants_go(const struct tenants *tenants)
{
    for (int32_t d = 0; d < device_count() && d < TENANTS_DEVICES; d++)
        tenant_goes(d, tenants->memory[d]);
}
