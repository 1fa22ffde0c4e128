/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What `coded` asks of other algorithms, and where everything lies in the workspace.
 *
 * A code is the item's normalised key if that has at most 128 bits: equal codes are equal items. Of
 * longer keys it is the item's rank in a stable sort of all items, or for a merge its place in the
 * merged list: no two codes are equal then.
 */
#ifndef CONSORT_CUDA_CODED_REQUEST_H
#define CONSORT_CUDA_CODED_REQUEST_H

#include "core/algorithm.h"

/* The operation on the codes. It points into itself: not to be copied. */
struct coded_request {
    struct request request;
    struct order_piece piece;
};

/* Counted in bytes from the start. What the codes are made of rests where the operation on them
 * works later. */
struct coded_workspace {
    uint64_t codes;
    uint64_t order;    /* MERGE of long keys: its pieces */
    uint64_t chosen;   /* TOP_K: indices, where the caller wants none */
    uint64_t merged;   /* MERGE: codes, which nobody wants any more */
    uint64_t inner;    /* of the operation on the codes */
    uint64_t prefixes; /* MERGE of long keys: the first bytes of each */
    uint64_t sorted;   /* ranks: an argsort writes here, … */
    uint64_t argsort;  /* … and has its workspace here */
    uint64_t total;
};

/* True if codes are normalised keys. */
bool coded_by_key(const struct request *request);

/* True if codes are ranks. */
bool coded_by_rank(const struct request *request);

/* Bytes of a code: 4, 8 or 16. */
uint32_t coded_bytes(const struct request *request);

/* The algorithm for an operation on codes. */
const struct algorithm *coded_algorithm(int32_t operation);

void coded_request_make(struct coded_request *coded, const struct request *request);

/* The argsort that gives the ranks. It shares the request's order. */
struct request coded_argsort_of(const struct request *request);

struct coded_workspace coded_lay_out(const struct request *request);

#endif
