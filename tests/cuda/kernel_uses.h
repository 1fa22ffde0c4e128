/* SPDX-License-Identifier: Apache-2.0 */
/* Which kernels of the emulator in this process have run. */
#ifndef CONSORT_TESTS_KERNEL_USES_H
#define CONSORT_TESTS_KERNEL_USES_H

#include <stdbool.h>
#include <stdint.h>

#include "consort.h"

/* False if the driver is not the emulator. */
bool kernel_uses_find(void);

/* Whether a plan like that can be had, and has a kernel that has not run. */
bool kernel_uses_new(const consort_descriptor *descriptor);

/* Prints the kernels that are wanted and have not run, or the other way round: how many. */
uint64_t kernel_uses_unlike(bool (*wanted)(const char *name));

#endif
