/* SPDX-License-Identifier: Apache-2.0 */
/* Keys that fill rooms of `msd` evenly, whatever cells they are in then, or seem to. */
#ifndef CONSORT_TESTS_ROOM_KEYS_H
#define CONSORT_TESTS_ROOM_KEYS_H

#include <stdint.h>

#include "consort.h"

enum {
    ROOM_MAKERS = 13
};

/* `make`: a code of 64 bits of one that is random; keys of 4 bytes have the upper half. `trials`:
 * so many seeds are enough for the sample to miss what it may. */
struct room_maker {
    const char *name;
    uint64_t (*make)(uint64_t index, uint64_t count, uint64_t random);
    unsigned trials;
};

extern const struct room_maker room_makers[ROOM_MAKERS];

/* Integers of 4 or 8 bytes. */
void room_make_keys(const struct room_maker *maker, unsigned char *keys, uint64_t count,
                    consort_type type, uint64_t seed);

#endif
