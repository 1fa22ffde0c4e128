/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Key distributions: every benchmark and every test names its data from this table.
 *
 * A key depends only on (distribution, type, total, seed, index). So any slice can be made alone,
 * in any cut, by any number of threads, in O(1) memory, and a file is the same on every machine
 * up to its byte order. No libm and no floating-point arithmetic takes part.
 *
 * Keys cover the type in its own ascending order: integers from the minimum to the maximum, byte
 * strings likewise by memcmp, floats the values in [0, 1), or [−1, 1) where the table says
 * "centred". Only the last distributions hold infinities or NaNs. Those made against our own sorts
 * say bit patterns: of floats, those of numbers from 0 to 2.
 */
#ifndef CONSORT_CLI_DISTRIBUTIONS_H
#define CONSORT_CLI_DISTRIBUTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <consort.h>

struct distribution_method;

struct distribution {
    const char *name;
    const char *description; /* one line */
    bool integers;           /* what it can make */
    bool floats;
    bool byte_strings;
    const struct distribution_method *method;
};

/* Those that users' keys may be like; `*count` receives how many. */
const struct distribution *distribution_list(size_t *count);

/* Those made against our own sorts. */
const struct distribution *distribution_adversaries(size_t *count);

/* The index-th of both families; NULL past the last. */
const struct distribution *distribution_at(size_t index);

/* NULL if there is none of that name. */
const struct distribution *distribution_find(const char *name);

/* Can it make keys of `type`, in whatever byte order? */
bool distribution_supports(const struct distribution *distribution, consort_type type);

/*
 * Writes keys first … first + count − 1 of an array of `total` keys to `out`, which holds count
 * keys and needs no alignment. False, and nothing written, if the type is not supported or the
 * slice is not inside the array.
 */
bool distribution_fill(const struct distribution *distribution, consort_type type, void *out,
                       uint64_t first, uint64_t count, uint64_t total, uint64_t seed);

#endif
