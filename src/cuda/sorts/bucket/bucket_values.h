/* SPDX-License-Identifier: Apache-2.0 */
/* What tells `bucket` the values of keys by their codes. */
#ifndef CONSORT_BUCKET_VALUES_H
#define CONSORT_BUCKET_VALUES_H

#include "core/order.h"
#include "cuda/sorts/bucket/bucket_layout.h"

/* For the codes of an order that cuda_items accepts. */
struct bucket_values bucket_values_of(const struct order *order);

#endif
