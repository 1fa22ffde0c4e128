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

void tenants_come(struct tenants *tenants, uint64_t most, uint64_t *random)
{
    for (int32_t d = 0; d < device_count() && d < TENANTS_DEVICES; d++) {
        const struct device *device = enter(d);
        uint64_t bytes = device->memory / 16 * (1 + random_below(random, most));
        assert_int_equal(driver_get()->cuMemAlloc(&tenants->memory[d], bytes), CUDA_SUCCESS);
        device_leave(device);
    }
}

void tenants_go(const struct tenants *tenants)
{
    for (int32_t d = 0; d < device_count() && d < TENANTS_DEVICES; d++) {
        const struct device *device = enter(d);
        driver_get()->cuMemFree(tenants->memory[d]);
        device_leave(device);
    }
}
