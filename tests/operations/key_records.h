/* SPDX-License-Identifier: Apache-2.0 */
/* Record layouts and comparison functions that tests sort by. */
#ifndef CONSORT_TESTS_KEY_RECORDS_H
#define CONSORT_TESTS_KEY_RECORDS_H

#include "operations/key_orders.h"

struct key_record {
    const char *name;
    uint64_t bytes;
    consort_field fields[KEY_ORDER_FIELDS]; /* ends with type 0 */
    consort_compare compare;
};

extern const struct key_record key_records[];
extern const uint32_t key_record_count;

#endif
