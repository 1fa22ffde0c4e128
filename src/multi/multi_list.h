/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The columns of a long list: its keys or records, then its values, or for an argsort the numbers
 * of the items. Each has three places: where it comes from, where the sorted chunks stand until
 * they are merged, and where the result goes.
 */
#ifndef CONSORT_MULTI_LIST_H
#define CONSORT_MULTI_LIST_H

#include "core/algorithm.h"

struct multi_column {
    uint64_t bytes;  /* of an element */
    const char *in;  /* NULL: the items' numbers, which are made on the GPU */
    char *runs;      /* in the workspace */
    char *out;       /* NULL: no part of the result */
    bool in_carried; /* memory that a GPU does not copy by itself */
    bool out_carried;
};

struct multi_list {
    uint64_t count;
    struct multi_column *columns;
    uint32_t column_count;
    bool runs_carried;
    bool in_place;  /* an output is an input */
    bool on_device; /* the caller's own work on some stream may still be writing an input */
};

/* How many columns a request has, and the bytes of an element of one. */
uint32_t multi_list_columns(const struct request *request);
uint64_t multi_list_bytes(const struct request *request, uint32_t column);

/* Bytes of the sorted chunks. */
uint64_t multi_list_workspace(const struct request *request);

/* CONSORT_OK, MEMORY, or what the driver says of a pointer. `workspace` may be NULL: there are no
 * runs then. Release in any case. */
consort_status multi_list_make(struct multi_list *list, const struct request *request,
                               const consort_arguments *arguments, void *workspace);
void multi_list_release(struct multi_list *list);

#endif
