/* SPDX-License-Identifier: Apache-2.0 */
/* Memory that somebody else holds on the GPUs while a test runs. */
#ifndef CONSORT_TESTS_TENANTS_H
#define CONSORT_TESTS_TENANTS_H

#include <stdint.h>

#include "cuda/driver/device.h"

enum {
    TENANTS_DEVICES = 16
};

/* So much memory of one GPU. */
CUdeviceptr tenant_comes(int32_t ordinal, uint64_t bytes);
void tenant_goes(int32_t ordinal, CUdeviceptr memory);

struct tenants {
    CUdeviceptr memory[TENANTS_DEVICES];
};

/* On every GPU `most` sixteenths of its memory or less, drawn; *random goes on. */
void tenants_come(struct tenants *tenants, uint64_t most, uint64_t *random);
void tenants_go(const struct tenants *tenants);

#endif
