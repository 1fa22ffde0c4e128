/* SPDX-License-Identifier: Apache-2.0 */
/* Keys made against the cells, leaves, bins and tags of `hybrid`. */
#ifndef CONSORT_TESTS_HYBRID_KEYS_H
#define CONSORT_TESTS_HYBRID_KEYS_H

#include <stddef.h>
#include <stdint.h>

enum {
    HYBRID_MAKERS = 19
};

/* `make`: the 64 bits of a key that count; `leaf` is how many items a bucket may hold. */
struct hybrid_maker {
    const char *name;
    uint64_t (*make)(uint64_t index, uint64_t leaf, uint64_t random);
};

extern const struct hybrid_maker hybrid_makers[HYBRID_MAKERS];

/* `bytes` a key: 4, 8 or 16. */
void hybrid_make_keys(const struct hybrid_maker *maker, unsigned char *keys, uint64_t count,
                      size_t bytes, uint64_t leaf, uint64_t seed);

/* Keys of 4 bytes in no order, `each` of each of as few upper halves as that takes, for what needs
 * as many buckets as there are: empty ones cost the emulator nothing. Every third bucket's are
 * equal. Buckets of odd size begin at even and at odd places. */
void hybrid_make_full_halves(uint32_t *keys, uint64_t count, uint64_t each);

#endif
