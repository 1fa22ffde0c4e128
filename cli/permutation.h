/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A seeded permutation of 0 … count − 1 that is computed per index, in both directions, in O(1)
 * memory: distributions that exchange distant keys need it to make any slice alone.
 */
#ifndef CONSORT_CLI_PERMUTATION_H
#define CONSORT_CLI_PERMUTATION_H

#include <stdint.h>

enum {
    PERMUTATION_ROUNDS = 4
};

struct permutation {
    uint64_t count;
    uint64_t mask; /* the smallest 2^b − 1 that is ≥ count − 1 */
    uint32_t shift;
    uint64_t add[PERMUTATION_ROUNDS];
    uint64_t factor[PERMUTATION_ROUNDS];
    uint64_t inverse[PERMUTATION_ROUNDS]; /* of factor, modulo 2⁶⁴ */
};

void permutation_init(struct permutation *permutation, uint64_t count, uint64_t seed);

/* Where `index` < count goes. */
uint64_t permutation_apply(const struct permutation *permutation, uint64_t index);

/* The index that permutation_apply sends to `image` < count. */
uint64_t permutation_invert(const struct permutation *permutation, uint64_t image);

#endif
