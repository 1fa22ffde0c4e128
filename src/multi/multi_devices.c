/* SPDX-License-Identifier: Apache-2.0 */
/* Which GPUs a request may use, and the way to one. */
#include "multi/multi_devices.h"

#include "core/status.h"

uint32_t multi_devices(const struct request *request, int32_t ordinals[MULTI_MOST_DEVICES])
{
    int32_t present = device_count();
    if (present == 0)
        return 0;
    if (request->device != CONSORT_DEVICE_ALL) {
        ordinals[0] = request->device > 0 ? request->device : 0;
        return 1;
    }
    uint32_t count = 0;
    while (count < MULTI_MOST_DEVICES && (int32_t)count < present) {
        ordinals[count] = (int32_t)count;
        count++;
    }
    return count;
}

consort_status multi_device_enter(int32_t ordinal, const struct device **device)
{
    *device = device_open(ordinal);
    return *device ? device_enter(*device) : consort_last_error()->status;
}
