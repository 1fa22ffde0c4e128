/* SPDX-License-Identifier: Apache-2.0 */
/* What the host side and the kernels of bitonic steps share. Plain C, included by both. */
#ifndef CONSORT_NETWORK_LAYOUT_H
#define CONSORT_NETWORK_LAYOUT_H

#include "cuda/sorts/items/items_layout.h"

enum {
    NETWORK_MOST_THREADS = 512,
    NETWORK_LOG_EACH = 3, /* items a thread of the fused kernels keeps in registers */
    NETWORK_GROUP_THREADS = 256
};

/* The steps of strides 2^(log_strides − 1) … 1 in blocks of 2^log_size items, for every log_size
 * from first to last; log_strides is log_size, or that of a tile if that is less. */
struct network_range {
    uint32_t log_tile;
    uint32_t log_first, log_last;
};

#endif
