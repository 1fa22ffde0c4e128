/* SPDX-License-Identifier: Apache-2.0 */
/* Normalised keys of a whole array: the codes that radix sorts take for items that are no codes. */
#ifndef CONSORT_CPU_ENCODE_H
#define CONSORT_CPU_ENCODE_H

#include "core/order.h"
#include "cpu/team.h"

/* The codec of normalised keys: codes already, as many bits as the order has, at most 128. */
struct codec encode_codec(const struct order *order);

/* codes[i] = the normalised key of item i, in order_code_bytes(order) bytes. */
void encode_items(struct team *team, const struct order *order, const void *items, uint64_t count,
                  void *codes);

#endif
