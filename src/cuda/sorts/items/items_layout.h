/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the comparison sorts' host sides and kernels share: items to be sorted in place. Plain C,
 * included by both.
 */
#ifndef CONSORT_ITEMS_LAYOUT_H
#define CONSORT_ITEMS_LAYOUT_H

#include "cuda/device/code_constants.h"
#include "cuda/device/constant_function.h"

enum {
    ITEMS_THREADS = 256
};

/* Codes, and with them positions in the input or none. */
struct items {
    void *codes;
    void *indices; /* NULL: codes alone */
    uint64_t count;
};

/* Bytes of shared memory of a padded tile (device/item.cuh). */
CONSTANT_FUNCTION uint32_t items_shared_bytes(uint32_t code_bytes, uint32_t index_bytes,
                                              uint32_t count)
{
    return (count + count / 32) * (code_bytes + index_bytes);
}

#endif
