/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A permutation of 2^b words from steps that can each be undone (add, multiply by an odd number,
 * xor the upper half into the lower), cut down to `count` by cycle walking (Black and Rogaway,
 * "Ciphers with arbitrary finite domains", 2002). 2^b < 2 · count, so that takes under two tries
 * on average.
 */
#include "permutation.h"
#include "splitmix.h"

/* The inverse of an odd number modulo 2⁶⁴: Newton's iteration doubles the correct bits, and an odd
 * number is its own inverse in the lowest three. */
static uint64_t permutation_odd_inverse(uint64_t odd)
{
    uint64_t inverse = odd;
    for (int bits = 3; bits < 64; bits *= 2) {
        inverse *= 2 - odd * inverse;
    }
    return inverse;
}

void permutation_init(struct permutation *permutation, uint64_t count, uint64_t seed)
{
    uint32_t bits = count > 2 ? 64 - (uint32_t)__builtin_clzll(count - 1) : 1;
    permutation->count = count;
    permutation->mask = UINT64_MAX >> (64 - bits);
    permutation->shift = (bits + 1) / 2;
    for (int round = 0; round < PERMUTATION_ROUNDS; round++) {
        uint64_t index = (uint64_t)round * 2;
        permutation->add[round] = splitmix_at(seed, index);
        permutation->factor[round] = splitmix_at(seed, index + 1) | 1;
        permutation->inverse[round] = permutation_odd_inverse(permutation->factor[round]);
    }
}

uint64_t permutation_apply(const struct permutation *permutation, uint64_t index)
{
    uint64_t x = index;
    do {
        for (int round = 0; round < PERMUTATION_ROUNDS; round++) {
            x = ((x + permutation->add[round]) * permutation->factor[round]) & permutation->mask;
            x ^= x >> permutation->shift;
        }
    } while (x >= permutation->count);
    return x;
}

uint64_t permutation_invert(const struct permutation *permutation, uint64_t image)
{
    uint64_t x = image;
    do {
        for (int round = PERMUTATION_ROUNDS - 1; round >= 0; round--) {
            /* The shift is at least half the bits, so this step is its own inverse. */
            x ^= x >> permutation->shift;
            x = (x * permutation->inverse[round] - permutation->add[round]) & permutation->mask;
        }
    } while (x >= permutation->count);
    return x;
}
