/* SPDX-License-Identifier: Apache-2.0 */
/* Windows on normalised keys: from an order to what kernels take. */
#ifndef CONSORT_CUDA_NORMALISED_WINDOWS_H
#define CONSORT_CUDA_NORMALISED_WINDOWS_H

#include "core/order.h"
#include "cuda/sorts/normalised/normalised_layout.h"

/* Bytes `first` … `first + bytes` − 1 of the normalised key; bytes beyond its end are 0. */
struct normalised_window normalised_windows_of(const struct order *order, uint64_t first,
                                               uint32_t bytes);

/* The pieces of an order from number `first` on, as many as a window has room for. */
struct normalised_window normalised_windows_pieces(const struct order *order, uint32_t first);

#endif
