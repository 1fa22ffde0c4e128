/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every key a test sorts by: all types in all byte orders, directions and float orders, byte
 * strings of many lengths, records, and elements with a comparison function.
 */
#ifndef CONSORT_TESTS_KEY_ORDERS_H
#define CONSORT_TESTS_KEY_ORDERS_H

#include <stdbool.h>

#include "consort.h"

enum {
    KEY_ORDER_FIELDS = 5
};

struct key_order {
    char name[48];
    consort_type type;
    int32_t direction;   /* as in the options: 0 for records and callbacks */
    int32_t float_order; /* likewise */
    uint64_t item_bytes;
    uint32_t alignment;
    /* Plain keys: one field at offset 0. Callback elements: what the data is made of. */
    consort_field fields[KEY_ORDER_FIELDS];
    uint32_t field_count;
    consort_compare compare;
    bool injective; /* equal means equal bytes */
};

/* A key is a type, a record layout or a kind of callback element; an order is one of 8: bit 0 the
 * direction, bits 1 and 2 the float order. Records and callbacks ignore it. */
enum {
    KEY_ORDERS = 8
};

uint32_t key_count(void);
const struct key_order *key_order_at(uint32_t key, uint32_t order);

/* Does this order differ from those of lower number for this key? */
bool key_order_is_distinct(uint32_t key, uint32_t order);

/* What the comparison functions expect as their context; anything else makes them abort. */
extern int key_order_context;

#endif
