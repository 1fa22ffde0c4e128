/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Keys for the radix tests and where each belongs: sorted by comparing values, never codes.
 */
#ifndef CONSORT_TESTS_RADIX_REFERENCE_H
#define CONSORT_TESTS_RADIX_REFERENCE_H

#include "core/codec.h"

enum order {
    UNSIGNED_UP,
    UNSIGNED_DOWN,
    SIGNED_UP,
    FLOAT_UP,
    ORDERS
};

enum distribution {
    UNIFORM,
    EQUAL,
    FEW,
    SORTED,
    REVERSE,
    NEARLY,
    LOW_ENTROPY,
    OUTLIER,
    CLUSTERS,
    HIGH_BITS,
    ZIPF,
    HIDDEN_BIT,    /* one key has a bit more than all others: a sample misses it */
    HIDDEN_DEEPER, /* the same, in one of three large buckets */
    DISTRIBUTIONS
};

/* The keys of one case, in `rank` the input position of each output place, and the sorted keys. */
struct sample {
    uint32_t width;
    enum order order;
    uint64_t count;
    unsigned char *keys;
    uint64_t *rank;
    unsigned char *sorted;
    bool ascending, falling, falling_repeats; /* falling: from the first two keys on */
};

/* False when there is no such order for that width. */
bool sample_make(struct sample *sample, uint32_t width, enum order order,
                 enum distribution distribution, uint64_t count);
void sample_free(struct sample *sample);

struct values {
    uint32_t bytes;
    bool index; /* no input: the output holds input positions */
    bool drop_keys;
};

/* Values of one class for a sample: as they come, and as they must leave. */
struct payload {
    struct values values;
    uint64_t bytes; /* of all of them */
    unsigned char *in;
    unsigned char *sorted;
};

void payload_make(struct payload *payload, const struct sample *sample, struct values values);
void payload_free(struct payload *payload);

struct codec codec_for(uint32_t width, enum order order);

#endif
