/* SPDX-License-Identifier: Apache-2.0 */
/* Seeded random numbers for tests: the same everywhere (splitmix64; Steele, Lea & Flood 2014). */
#ifndef CONSORT_TESTS_RANDOM_H
#define CONSORT_TESTS_RANDOM_H

#include <stdint.h>
#include <string.h>

static inline uint64_t random_mix(uint64_t x)
{
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

static inline uint64_t random_next(uint64_t *state)
{
    *state += 0x9e3779b97f4a7c15u;
    return random_mix(*state);
}

/* 0 … bound − 1; the bias of the remainder does not matter here. */
static inline uint64_t random_below(uint64_t *state, uint64_t bound)
{
    return random_next(state) % bound;
}

static inline void random_bytes(uint64_t *state, void *out, uint64_t bytes)
{
    unsigned char *next = out;
    for (uint64_t i = 0; i < bytes; i++)
        next[i] = (unsigned char)(random_next(state) >> 24);
}

/* Random words and-ed with `mask`; the last may be cut short. */
static inline void random_words(uint64_t *state, void *out, uint64_t bytes, uint64_t mask)
{
    for (uint64_t i = 0; i < bytes; i += 8) {
        uint64_t word = random_next(state) & mask;
        memcpy((unsigned char *)out + i, &word, bytes - i < 8 ? bytes - i : 8);
    }
}

#endif
