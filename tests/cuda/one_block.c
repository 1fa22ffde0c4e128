/* SPDX-License-Identifier: Apache-2.0 */
#include "one_block.h"

#include <stddef.h>

#include "cuda/driver/driver.h"

static cuOccupancyMaxActiveBlocksPerMultiprocessor_call *kept;

static CUresult one_block(int *blocks, CUfunction function, int threads, size_t shared)
{
    (void)function;
    (void)threads;
    (void)shared;
    *blocks = 1;
    return CUDA_SUCCESS;
}

void one_block_begin(void)
{
    struct driver *driver = (struct driver *)driver_get();
    kept = driver->cuOccupancyMaxActiveBlocksPerMultiprocessor;
    driver->cuOccupancyMaxActiveBlocksPerMultiprocessor = one_block;
}

void one_block_end(void)
{
    ((struct driver *)driver_get())->cuOccupancyMaxActiveBlocksPerMultiprocessor = kept;
}
