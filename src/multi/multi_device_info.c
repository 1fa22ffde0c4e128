/* SPDX-License-Identifier: Apache-2.0 */
/* What the public API tells of GPUs: facts that need no context on them. */
#include "core/sized.h"
#include "core/status.h"
#include "cuda/driver/device.h"
#include "multi/multi_devices.h"

uint32_t consort_device_count(void)
{
    return (uint32_t)device_count();
}

void consort_device_info_init(consort_device_info *info)
{
    if (info)
        *info = (consort_device_info){.size = sizeof *info};
}

static bool device_info_in_all(int32_t ordinal)
{
    const struct request request = {.device = CONSORT_DEVICE_ALL};
    int32_t ordinals[MULTI_MOST_DEVICES];
    uint32_t count = multi_devices(&request, ordinals);
    for (uint32_t i = 0; i < count; i++)
        if (ordinals[i] == ordinal)
            return true;
    return false;
}

consort_status consort_device_get_info(int32_t device, consort_device_info *info)
{
    if (!info)
        return status_fail(CONSORT_ERROR_ARGUMENT, "consort_device_get_info: info is NULL");
    const struct device *described = device_describe(device);
    if (!described)
        return consort_last_error()->status;
    const consort_device_info found = {.name = described->name,
                                       .capability = described->capability,
                                       .processors = described->processors,
                                       .memory = described->memory,
                                       .in_all = device_info_in_all(device)};
    return sized_write(info, &found, sizeof found, "consort_device_info") ? CONSORT_OK
                                                                          : CONSORT_ERROR_ARGUMENT;
}

int32_t consort_device_reaches(int32_t device, int32_t peer)
{
    int can = 0;
    int32_t count = device_count();
    if (device < 0 || peer < 0 || device >= count || peer >= count)
        return 0;
    const struct device *from = device_describe(device), *to = device_describe(peer);
    bool asked =
        from && to &&
        driver_get()->cuDeviceCanAccessPeer(&can, from->handle, to->handle) == CUDA_SUCCESS;
    return device == peer || (asked && can != 0);
}
