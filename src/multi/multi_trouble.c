/* SPDX-License-Identifier: Apache-2.0 */
/* Why one GPU failed. */
#include "multi/multi_trouble.h"

#include <stdio.h>

#include "core/status.h"

void multi_trouble_note(struct multi_trouble *trouble, consort_status status)
{
    const consort_error *error = consort_last_error();
    trouble->status = status;
    trouble->driver_error = error->driver_error;
    snprintf(trouble->message, sizeof trouble->message, "%s", error->message);
}

consort_status multi_trouble_tell(const struct multi_trouble *trouble, int32_t device)
{
    if (device < 0)
        return status_fail_driver(trouble->status, trouble->driver_error, "%s", trouble->message);
    return status_fail_driver(trouble->status, trouble->driver_error, "GPU %d: %s", device,
                              trouble->message);
}

bool multi_trouble_is_own(consort_status status)
{
    return status == CONSORT_ERROR_DEVICE_MEMORY || status == CONSORT_ERROR_NO_DEVICE ||
           status == CONSORT_ERROR_NO_KERNEL || status == CONSORT_ERROR_DRIVER ||
           status == CONSORT_ERROR_DEVICE_LOST;
}
