/* SPDX-License-Identifier: Apache-2.0 */
/* Arrays in device memory for tests, by the driver table that the library itself opened. */
#ifndef CONSORT_TESTS_DEVICE_ARRAY_H
#define CONSORT_TESTS_DEVICE_ARRAY_H

#include <stdbool.h>
#include <stdint.h>

/* Makes device 0 current on this thread; false if there is none. */
int device_array_begin(void);

/* Device memory holding a copy of `bytes` bytes at `host`, `shift` bytes past an aligned address.
 * NULL: filled with 0xa5, or left as it is if CONSORT_TEST_UNSET is set, so that a tool sees who
 * reads what nobody wrote: then not even a test may look at what is to stay untouched. */
bool device_array_is_filled(void);
void *device_array_new(const void *host, uint64_t bytes, uint64_t shift);
void device_array_read(void *host, const void *device, uint64_t bytes);
void device_array_free(void *device, uint64_t shift);

#endif
