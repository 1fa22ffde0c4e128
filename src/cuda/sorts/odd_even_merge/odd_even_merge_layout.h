/* SPDX-License-Identifier: Apache-2.0 */
/* What the host side and the kernels of `odd-even-merge` share. Plain C, included by both. */
#ifndef CONSORT_ODD_EVEN_MERGE_LAYOUT_H
#define CONSORT_ODD_EVEN_MERGE_LAYOUT_H

#include "cuda/sorts/items/items_layout.h"

enum {
    ODD_EVEN_MERGE_THREADS = 256,
    ODD_EVEN_MERGE_LOG_TILE = 11 /* items a block sorts in shared memory */
};

#endif
