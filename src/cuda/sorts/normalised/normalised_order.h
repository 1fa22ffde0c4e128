/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A whole order in device memory, for kernels that compare items piece by piece: an order may have
 * more pieces than a launch has parameters.
 */
#ifndef CONSORT_CUDA_NORMALISED_ORDER_H
#define CONSORT_CUDA_NORMALISED_ORDER_H

#include "core/order.h"
#include "cuda/launch.h"
#include "cuda/sorts/normalised/normalised_layout.h"

/* Bytes of device memory that the order's pieces take. */
uint64_t normalised_order_bytes(const struct order *order);

/* Finds the kernel; the device must be entered. */
consort_status normalised_order_prepare(struct launch *put, const struct device *device);

/* Queues what writes the pieces to `memory`. */
consort_status normalised_order_put(const struct launch *put, const struct order *order,
                                    void *memory, consort_stream stream);

/* The order whose pieces lie at `memory` by then. */
struct normalised_order normalised_order_at(const struct order *order, const void *memory);

#endif
