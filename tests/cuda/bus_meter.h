/* SPDX-License-Identifier: Apache-2.0 */
/* How many bytes of pinned arrays cross the bus, by the copies that runs queue. */
#ifndef CONSORT_TESTS_BUS_METER_H
#define CONSORT_TESTS_BUS_METER_H

#include <stdint.h>

struct bus_meter {
    uint64_t up, down;
};

/* From here to the end, in all threads; one at a time. */
void bus_meter_begin(void);
struct bus_meter bus_meter_end(void);

#endif
