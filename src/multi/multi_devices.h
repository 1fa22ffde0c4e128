/* SPDX-License-Identifier: Apache-2.0 */
/* Which GPUs a request may use, and the way to one. */
#ifndef CONSORT_MULTI_DEVICES_H
#define CONSORT_MULTI_DEVICES_H

#include "core/request.h"
#include "cuda/driver/device.h"

enum {
    MULTI_MOST_DEVICES = 16
};

/* Their ordinals; returns how many, 0 without a driver. */
uint32_t multi_devices(const struct request *request, int32_t ordinals[MULTI_MOST_DEVICES]);

/* Opens a GPU and enters it; *device is NULL if it does not open. */
consort_status multi_device_enter(int32_t ordinal, const struct device **device);

#endif
