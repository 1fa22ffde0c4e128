/* SPDX-License-Identifier: Apache-2.0 */
/* Which GPUs a request may use, and the way to one. */
#ifndef CONSORT_MULTI_DEVICES_H
#define CONSORT_MULTI_DEVICES_H

#include "core/request.h"
#include "cuda/driver/device.h"
#include "cuda/staging/staging_lane.h"

enum {
    MULTI_MOST_DEVICES = 16
};

/* Their ordinals; returns how many, 0 without a driver. */
uint32_t multi_devices(const struct request *request, int32_t ordinals[MULTI_MOST_DEVICES]);

/* Opens a GPU and enters it; *device is NULL if it does not open. */
consort_status multi_device_enter(int32_t ordinal, const struct device **device);

/* An array of a part of a spread list must be where its GPU's kernels and sorts reach it; NULL is
 * fine. */
consort_status multi_device_holds(const struct device *device, const char *what, const void *array);

/* Records the thread's last error with the name of that GPU, as device_blame does; and that others
 * fail, too. */
consort_status multi_devices_blame(int32_t first, const int32_t *others, uint32_t count);

/* Devices that are lost, each of them once. */
struct multi_losses {
    const struct device *devices[MULTI_MOST_DEVICES];
    uint32_t count;
};

/* Waits for what is queued on a lane, or, without one, on the device. One that cannot even say that
 * it is over is lost. */
void multi_losses_look(struct multi_losses *losses, const struct device *device,
                       const struct staging_lane *lane);

/* Records the thread's last error as the reason why they and what was on them are lost. */
consort_status multi_losses_report(const struct multi_losses *losses);

#endif
