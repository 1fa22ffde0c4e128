/* SPDX-License-Identifier: Apache-2.0 */
/* What the items of a file are and how they are ordered. */
#ifndef CONSORT_CLI_LAYOUT_H
#define CONSORT_CLI_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

#include "consort.h"
#include "problem.h"

enum {
    /* As many as the library takes. */
    LAYOUT_MAXIMUM_FIELDS = 1024,
    LAYOUT_LONGEST_BYTES = 255
};

struct layout {
    consort_type type; /* a scalar or byte-string type, or CONSORT_RECORD */
    uint64_t item_bytes;
    int32_t direction;   /* for all but records */
    int32_t float_order; /* for all but records */
    consort_field fields[LAYOUT_MAXIMUM_FIELDS];
    uint32_t field_count;
};

/* True if anything that orders the items is a float. */
bool layout_has_floats(const struct layout *layout);

/* Items of a plain type. */
void layout_set_type(struct layout *layout, consort_type type, int32_t direction,
                     int32_t float_order);

/* Records; fields are added after it. */
void layout_set_record(struct layout *layout, uint64_t record_bytes);

/* False: too many fields, or outside the record. `name` is for the message. */
bool layout_add_field(struct layout *layout, const char *name, consort_field field,
                      struct problem *problem);

/* Bytes compared as memcmp does, of any length: cut into fields of 255. */
bool layout_add_bytes(struct layout *layout, const char *name, uint64_t offset, uint64_t length,
                      int32_t direction, struct problem *problem);

/* Puts type, record and fields into a descriptor, direction and float order into its options. */
void layout_describe(const struct layout *layout, consort_descriptor *descriptor,
                     consort_options *options);

#endif
