/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a distribution knows while it makes a slice, and the functions that make one key each:
 * generator_* as levels (any type), special_* as bit patterns (what levels cannot say).
 */
#ifndef CONSORT_CLI_GENERATOR_H
#define CONSORT_CLI_GENERATOR_H

#include <stdint.h>

#include "level.h"
#include "permutation.h"

enum {
    GENERATOR_STREAMS = 4,     /* independent random streams of one seed */
    GENERATOR_SHUFFLE = 8,     /* places that local-shuffle exchanges among themselves */
    GENERATOR_TEETH = 16,      /* of sawtooth */
    GENERATOR_FEW = 16,        /* values of few-unique */
    GENERATOR_ZIPF = 1000000,  /* at most so many values of zipf */
    GENERATOR_PROCESSORS = 128 /* p of bucket and staggered: a power of two, 7 bits */
};

struct generator {
    struct level_shape shape;
    uint64_t total; /* at least 1 */
    uint64_t streams[GENERATOR_STREAMS];
    uint64_t length; /* of the ramp, at least 1 */
    uint64_t step;
    uint64_t swaps;
    struct permutation permutation;
    uint64_t shuffled_block; /* the block of which `places` is the order; UINT64_MAX for none */
    uint8_t places[GENERATOR_SHUFFLE];
};

/* How many different positions the ramp of a distribution has. */
typedef uint64_t (*generator_length)(const struct generator *generator);

/* The level of key `index` < total. */
typedef uint64_t (*generator_level)(struct generator *generator, uint64_t index);

/* Writes key `index` < total. */
typedef void (*generator_key)(struct generator *generator, uint64_t index, unsigned char *out);

/* Needs shape and total; `length` may be NULL for a distribution without a ramp. */
void generator_init(struct generator *generator, uint64_t seed, generator_length length);

uint64_t generator_length_total(const struct generator *generator);
uint64_t generator_length_half(const struct generator *generator);
uint64_t generator_length_tooth(const struct generator *generator);
uint64_t generator_length_one(const struct generator *generator);
uint64_t generator_length_few(const struct generator *generator);
uint64_t generator_length_logarithm(const struct generator *generator);
uint64_t generator_length_zipf(const struct generator *generator);

uint64_t generator_uniform(struct generator *generator, uint64_t index);
uint64_t generator_gaussian(struct generator *generator, uint64_t index);
uint64_t generator_sorted(struct generator *generator, uint64_t index);
uint64_t generator_reverse(struct generator *generator, uint64_t index);
uint64_t generator_nearly_sorted(struct generator *generator, uint64_t index);
uint64_t generator_local_shuffle(struct generator *generator, uint64_t index);
uint64_t generator_draw(struct generator *generator, uint64_t index);
uint64_t generator_zipf(struct generator *generator, uint64_t index);
uint64_t generator_bucket(struct generator *generator, uint64_t index);
uint64_t generator_staggered(struct generator *generator, uint64_t index);
uint64_t generator_organ_pipe(struct generator *generator, uint64_t index);
uint64_t generator_sawtooth(struct generator *generator, uint64_t index);
uint64_t generator_low_entropy(struct generator *generator, uint64_t index);
uint64_t generator_one_outlier(struct generator *generator, uint64_t index);

void special_half_constant(struct generator *generator, uint64_t index, unsigned char *out);
void special_extremes(struct generator *generator, uint64_t index, unsigned char *out);
void special_subnormals(struct generator *generator, uint64_t index, unsigned char *out);
void special_zeros(struct generator *generator, uint64_t index, unsigned char *out);
void special_infinities(struct generator *generator, uint64_t index, unsigned char *out);
void special_nans(struct generator *generator, uint64_t index, unsigned char *out);

#endif
