/* SPDX-License-Identifier: Apache-2.0 */
/* Which GPUs a request may use, and the way to one. */
#include "multi/multi_devices.h"

#include <stdio.h>
#include <string.h>

#include "core/status.h"
#include "cuda/driver/pointer.h"

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

consort_status multi_device_holds(const struct device *device, const char *what, const void *array)
{
    struct pointer_place place;
    consort_status status = pointer_locate(array, &place);
    if (status != CONSORT_OK || !array || place.kind == POINTER_MANAGED ||
        (place.kind == POINTER_DEVICE && place.device == device->ordinal))
        return status;
    return status_fail(CONSORT_ERROR_ARGUMENT, "%s of a part is not in the memory of its GPU, %d",
                       what, device->ordinal);
}

static CUresult devices_wait(const struct staging_lane *lane)
{
    return lane ? staging_lane_wait(lane) : driver_get()->cuCtxSynchronize();
}

static bool devices_lost(const struct device *device, const struct staging_lane *lane)
{
    if (!device_enter_again(device))
        return true;
    bool lost = devices_wait(lane) != CUDA_SUCCESS && devices_wait(lane) != CUDA_SUCCESS;
    device_leave(device);
    return lost;
}

void multi_losses_look(struct multi_losses *losses, const struct device *device,
                       const struct staging_lane *lane)
{
    bool known = false;
    for (uint32_t i = 0; i < losses->count; i++)
        known |= losses->devices[i] == device;
    if (devices_lost(device, lane) && !known)
        losses->devices[losses->count++] = device;
}

/* "1", "1 and 2", "1, 2 and 3" */
struct devices_text {
    char text[8 * MULTI_MOST_DEVICES];
};

static struct devices_text devices_list(const int32_t *ordinals, uint32_t count)
{
    struct devices_text list = {""};
    for (uint32_t i = 0; i < count; i++) {
        size_t length = strlen(list.text);
        const char *before = i == 0 ? "" : i + 1 < count ? ", " : " and ";
        snprintf(list.text + length, sizeof list.text - length, "%s%d", before, ordinals[i]);
    }
    return list;
}

consort_status multi_devices_blame(int32_t first, const int32_t *others, uint32_t count)
{
    struct status_kept error;
    consort_status status = device_blame(first);
    if (count == 0 || !status_blames_device(status))
        return status;
    status_keep(&error);
    return status_fail_driver(status, error.driver_error, "%s; GPU%s %s fail%s, too", error.message,
                              count > 1 ? "s" : "", devices_list(others, count).text,
                              count > 1 ? "" : "s");
}

/* Of several the names would leave no room for the reason. */
consort_status multi_losses_report(const struct multi_losses *losses)
{
    const struct device *first = losses->devices[0];
    int32_t ordinals[MULTI_MOST_DEVICES];
    struct status_kept error;
    status_keep(&error);
    if (losses->count == 1)
        return status_fail_driver(CONSORT_ERROR_DEVICE_LOST, error.driver_error,
                                  "GPU %d (%s) is lost, and what was in its memory: %s",
                                  first->ordinal, first->name, error.message);
    for (uint32_t i = 0; i < losses->count; i++)
        ordinals[i] = losses->devices[i]->ordinal;
    return status_fail_driver(CONSORT_ERROR_DEVICE_LOST, error.driver_error,
                              "GPUs %s are lost, and what was in their memory: %s",
                              devices_list(ordinals, losses->count).text, error.message);
}
