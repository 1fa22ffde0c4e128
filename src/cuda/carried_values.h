/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which values move with the keys. Kernels move one column of 4, 8 or 16 bytes; anything else is
 * gathered by a sorted index, which moves in its place.
 */
#ifndef CONSORT_CUDA_CARRIED_VALUES_H
#define CONSORT_CUDA_CARRIED_VALUES_H

#include "core/request.h"

/* True if the columns follow an index. */
bool carried_values_are_indices(const struct request *request);

/* Bytes of what moves with a key: 0 (nothing), 4, 8, 16; of an index that the caller wants, 4 or 8.
 */
uint32_t carried_values_bytes(const struct request *request);

/* Bytes of the widest column that may have to be moved in place; if none may, 0. */
uint64_t carried_values_widest_column(const struct request *request);

/* True if the run may leave its result in the input. Host arrays are sorted in place in a device
 * copy, whatever form the caller asked for. */
bool carried_values_use_both_buffers(const struct request *request);

#endif
