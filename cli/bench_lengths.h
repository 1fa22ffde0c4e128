/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lengths of segments: all equal, or mixes that are drawn, with about the same mean. They follow
 * from the seed and the segment's number alone, and add up to the number of items: the last one is
 * cut off.
 */
#ifndef CONSORT_CLI_BENCH_LENGTHS_H
#define CONSORT_CLI_BENCH_LENGTHS_H

#include <stdbool.h>
#include <stdint.h>

enum bench_lengths {
    BENCH_LENGTHS_EQUAL,
    BENCH_LENGTHS_UNIFORM,   /* 0 to twice the mean */
    BENCH_LENGTHS_ZIPF,      /* from 1 on, each length k as often as 1 / k */
    BENCH_LENGTHS_POWER,     /* Pareto's, of exponent 1.5: few long ones hold much of it all */
    BENCH_LENGTHS_ONE_LARGE, /* the first has half of all items, the others are as `uniform` */
    BENCH_LENGTHS_COUNT
};

const char *bench_lengths_name(enum bench_lengths lengths);
bool bench_lengths_parse(const char *name, enum bench_lengths *lengths);

struct bench_lengths_of {
    enum bench_lengths lengths;
    uint64_t mean; /* at least 1 */
    uint64_t items;
    uint64_t seed;
};

/* How many segments they are; their offsets, one more, go to `offsets` unless that is NULL. */
uint64_t bench_lengths_draw(const struct bench_lengths_of *what, uint64_t *offsets);

#endif
