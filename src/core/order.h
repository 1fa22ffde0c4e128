/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Orders: how two items compare. Scalars, byte strings and records all become a list of pieces,
 * each a code of at most 128 bits at an offset; a callback order calls the caller's function.
 */
#ifndef CONSORT_CORE_ORDER_H
#define CONSORT_CORE_ORDER_H

#include "core/codec.h"

struct order_piece {
    uint64_t offset;
    struct codec codec;
};

struct order {
    uint64_t item_bytes;
    uint32_t piece_count; /* 0 for a callback order */
    struct order_piece *pieces;
    consort_compare compare;
    void *compare_context;
    uint64_t total_bits; /* of all pieces' codes together */
    bool injective;      /* items that compare equal are the same bytes: stability cannot be seen */
};

/* Compiles the order of a scalar or byte-string type. Returns false when memory runs out. */
bool order_of_type(struct order *order, consort_type type, int32_t direction, int32_t float_order);

/* Compiles the order of records. The fields must be valid. */
bool order_of_fields(struct order *order, uint64_t record_bytes, const consort_field *fields,
                     uint32_t field_count);

void order_of_callback(struct order *order, uint64_t item_bytes, consort_compare compare,
                       void *compare_context);

void order_release(struct order *order);

/* Negative, 0 or positive, as item `a` comes before, with or after item `b`. */
int order_compare(const struct order *order, const void *a, const void *b);

/* True if the items are an array of plain codes: one scalar piece, naturally aligned, that radix
 * and network kernels can load directly through codec_uN_encode, store through codec_uN_decode. */
bool order_is_plain(const struct order *order);

/* Bytes of the smallest code (4, 8 or 16) that holds a normalised key, or 16 for its prefix. */
uint32_t order_code_bytes(const struct order *order);

/* True if 128 bits hold the whole normalised key: equal codes mean equal items. */
bool order_code_is_complete(const struct order *order);

/*
 * The normalised key of an item: its pieces' codes one after the other, the first in the highest
 * bits. Shorter than 128 bits, it is right-aligned (total_bits bits); longer, its first 128 bits.
 * Not for callback orders.
 */
uint128 order_code(const struct order *order, const void *item);

#endif
