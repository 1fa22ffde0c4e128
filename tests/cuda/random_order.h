/* SPDX-License-Identifier: Apache-2.0 */
/* Orders beyond plain keys, and items that tie in them at every depth: what tests of orders draw.
 */
#ifndef CONSORT_TESTS_RANDOM_ORDER_H
#define CONSORT_TESTS_RANDOM_ORDER_H

#include <stdint.h>

#include "consort.h"

enum {
    RANDOM_ORDER_FIELDS = 8
};

struct random_order {
    consort_type type; /* CONSORT_RECORD: by the fields */
    uint64_t item_bytes;
    consort_field fields[RANDOM_ORDER_FIELDS]; /* of a key type: one, of that type */
    uint32_t field_count;
};

struct random_order random_order_of_type(consort_type type, int32_t direction, int32_t float_order);

/* A record of up to 300 bytes with random fields of every type and order. */
struct random_order random_order_of_records(uint64_t *random);

/* Bytes of few values, and beginnings and wholes of earlier items; special floats. */
void random_order_fill(const struct random_order *order, unsigned char *items, uint64_t count,
                       uint64_t seed);

/* Sets what says the order in a descriptor and its options. The order must stay. */
void random_order_describe(const struct random_order *order, consort_descriptor *descriptor,
                           consort_options *options);

#endif
