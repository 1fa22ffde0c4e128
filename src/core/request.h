/* SPDX-License-Identifier: Apache-2.0 */
/* Requests: a descriptor checked, completed and copied; what planner and algorithms work with. */
#ifndef CONSORT_CORE_REQUEST_H
#define CONSORT_CORE_REQUEST_H

#include "core/context.h"
#include "core/order.h"

struct request {
    int32_t operation;
    int32_t memory;
    int32_t form; /* of CONSORT_FORM_APART: CONSORT_FORM_COPY */
    bool apart;   /* in and out, also of columns, are never the same place */
    bool replay;  /* in device memory: runs come again */
    consort_type type;
    struct order order;
    uint64_t item_bytes; /* of a key, record or element */
    uint64_t maximum_count;
    uint64_t maximum_segments;
    uint64_t maximum_k;
    uint64_t maximum_rows;
    uint64_t *value_bytes; /* of each column; then item_bytes, as of one column more */
    uint32_t value_count;
    uint32_t index_bytes;  /* 0, 4 or 8 */
    uint32_t offset_bytes; /* 0, 4 or 8 */
    /* Stable, and stability can be seen: values, indices or bytes outside the key. */
    bool needs_stable;
    int32_t engine;
    int32_t device;
    int32_t *devices; /* CONSORT_MEMORY_SPREAD: of the parts */
    uint32_t device_count;
    uint32_t threads; /* most threads a run uses, at least 1 */
    uint64_t workspace_limit;
    char *algorithm; /* NULL: the planner's choice */
    struct request_parameter {
        char *name;
        int64_t value;
    } * parameters;
    uint64_t parameter_count;
    struct consort_context *context;
};

enum {
    REQUEST_MOST_PARTS = 16,
    REQUEST_MAXIMUM_COLUMNS = 1024,
    REQUEST_MAXIMUM_FIELDS = 1024
};

/* Fills a zeroed request. On failure it must be released all the same. */
consort_status request_make(struct request *request, const consort_descriptor *descriptor);

void request_release(struct request *request);

/* True if the addresses of the items are multiples of their size: byte strings and records may
 * stand anywhere. */
bool request_is_aligned(const struct request *request);

/* True if the items are, besides, an array of plain codes (core/order.h). */
bool request_is_plain(const struct request *request);

/* True if runs find input and output in two places: not of host arrays, which are sorted in place
 * in a device's copy. */
bool request_is_apart(const struct request *request);

/* a * b, or UINT64_MAX if that is more than an address space holds. */
uint64_t request_bytes(uint64_t a, uint64_t b);

#endif
