/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random words that are a pure function of (stream, index): any slice of a data set can be made
 * alone, in parallel, with the same bytes everywhere. Not for cryptography.
 */
#ifndef CONSORT_CLI_SPLITMIX_H
#define CONSORT_CLI_SPLITMIX_H

#include <stdint.h>

__extension__ typedef unsigned __int128 splitmix_wide;

/* 2⁶⁴ divided by the golden ratio, made odd: steps by it visit the 64-bit words evenly. */
#define SPLITMIX_GOLDEN UINT64_C(0x9E3779B97F4A7C15)

/* The finaliser of SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number
 * generators", OOPSLA 2014; constants: variant 13 of Stafford's mixers): a bijection. */
static inline uint64_t splitmix_mix(uint64_t x)
{
    x = (x ^ (x >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94D049BB133111EB);
    return x ^ (x >> 31);
}

/* The index-th word of SplitMix64 started at `stream`. splitmix_at(seed, k) also serves as the k-th
 * independent stream of a seed. */
static inline uint64_t splitmix_at(uint64_t stream, uint64_t index)
{
    return splitmix_mix(stream + (index + 1) * SPLITMIX_GOLDEN);
}

/* A uniform word scaled to 0 … bound − 1 by a multiplication (Lemire, "Fast random integer
 * generation in an interval", 2019), without his rejection step: each value's share is off by less
 * than bound / 2⁶⁴, which no data set here can show. */
static inline uint64_t splitmix_below(uint64_t word, uint64_t bound)
{
    return (uint64_t)(((splitmix_wide)word * bound) >> 64);
}

#endif
