/* SPDX-License-Identifier: Apache-2.0 */
/* Memory that the GPU cannot copy by itself: threads carry it through pinned buffers. */
#ifndef CONSORT_CUDA_STAGING_PAGEABLE_H
#define CONSORT_CUDA_STAGING_PAGEABLE_H

#include "cuda/staging/staging_copy.h"

/* Moves all of it. An upload is queued when this returns, a download has arrived. The lane has at
 * least one pinned buffer. */
consort_status staging_pageable_move(struct staging_copier *copier, struct staging_move *move);

/* Pinned buffers that moving `bytes` bytes by `threads` threads makes use of. */
uint32_t staging_pageable_slots(uint64_t bytes, uint32_t threads);

#endif
