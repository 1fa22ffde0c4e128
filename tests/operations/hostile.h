/* SPDX-License-Identifier: Apache-2.0 */
/* Patterns that look for weak places of radix buckets, pass skipping, pivots and float codes. */
#ifndef CONSORT_TESTS_HOSTILE_H
#define CONSORT_TESTS_HOSTILE_H

#include <stdbool.h>

#include "consort.h"

struct hostile_pattern {
    const char *name;
    /* Writes key i of count, `bytes` long, most significant byte first. */
    void (*key)(unsigned char *key, unsigned bytes, uint64_t i, uint64_t count, uint64_t *random);
};

extern const struct hostile_pattern hostile_patterns[];
extern const uint32_t hostile_count;

/* Pattern 0 is random bits, and may be asked for type 0: `count` bytes. */
void hostile_fill(uint32_t pattern, consort_type type, void *keys, uint64_t count, uint64_t seed);

#endif
