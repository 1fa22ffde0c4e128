/* SPDX-License-Identifier: Apache-2.0 */
/* Patterns that look for weak places of radix buckets, pass skipping, pivots and float codes. */
#include "operations/hostile.h"

#include <string.h>

#include "support/random.h"

static void hostile_random(unsigned char *key, unsigned bytes, uint64_t i, uint64_t count,
                           uint64_t *random)
{
    (void)i, (void)count;
    random_bytes(random, key, bytes);
}

/* Every byte is all zeros or all ones. */
static void hostile_extremes(unsigned char *key, unsigned bytes, uint64_t i, uint64_t count,
                             uint64_t *random)
{
    (void)i, (void)count;
    uint64_t bits = random_next(random);
    for (unsigned b = 0; b < bytes; b++)
        key[b] = bits >> b % 64 & 1 ? 0xff : 0;
}

/* 0 and all ones, nothing else: what padding and sentinels may be confused with. */
static void hostile_ends(unsigned char *key, unsigned bytes, uint64_t i, uint64_t count,
                         uint64_t *random)
{
    (void)i, (void)count;
    memset(key, random_below(random, 2) ? 0xff : 0, bytes);
}

/* All keys share every digit but the lowest. */
static void hostile_low_digit(unsigned char *key, unsigned bytes, uint64_t i, uint64_t count,
                              uint64_t *random)
{
    (void)i, (void)count;
    memset(key, 0x5a, bytes);
    key[bytes - 1] = (unsigned char)random_next(random);
}

/* One digit in the middle varies; one key alone differs at the top, anywhere in the list. */
static void hostile_one_outlier(unsigned char *key, unsigned bytes, uint64_t i, uint64_t count,
                                uint64_t *random)
{
    memset(key, 0x80, bytes);
    key[bytes / 2] = (unsigned char)random_next(random);
    if (i == count * 2 / 3)
        key[0] = 0x7f;
}

/* Three low bits vary, and one key alone has a higher one: a sample of the keys may miss it. */
static void hostile_hidden_bit(unsigned char *key, unsigned bytes, uint64_t i, uint64_t count,
                               uint64_t *random)
{
    memset(key, 0x40, bytes);
    key[bytes - 1] |= (unsigned char)random_below(random, 8);
    if (i == count * 2 / 3 + 1)
        key[bytes - 1] |= 0x20;
}

/* A few top prefixes, and below them runs that differ in the last bit only: a sort that stops
 * early, at the digits that separate most keys, leaves these in disorder. */
static void hostile_clusters(unsigned char *key, unsigned bytes, uint64_t i, uint64_t count,
                             uint64_t *random)
{
    (void)i, (void)count;
    memset(key, (int)(0x11 * random_below(random, 3)), bytes);
    key[bytes - 1] ^= (unsigned char)random_below(random, 2);
}

/* Sorted but for the very last key, which belongs to the front. */
static void hostile_last_first(unsigned char *key, unsigned bytes, uint64_t i, uint64_t count,
                               uint64_t *random)
{
    (void)random;
    memset(key, 0, bytes);
    uint64_t value = i + 1 == count ? 0 : i + 1;
    for (unsigned b = 0; b < bytes && b < 8; b++)
        key[bytes - 1 - b] = (unsigned char)(value >> 8 * b);
}

/* The alternation that gives a median-of-three quicksort its worst pivots (Musser 1997). */
static void hostile_killer(unsigned char *key, unsigned bytes, uint64_t i, uint64_t count,
                           uint64_t *random)
{
    (void)random;
    uint64_t half = count / 2;
    uint64_t value = i < half ? (i % 2 == 0 ? i + 1 : half + i) : 2 * (i - half + 1);
    memset(key, 0, bytes);
    for (unsigned b = 0; b < bytes && b < 8; b++)
        key[bytes - 1 - b] = (unsigned char)(value >> 8 * b);
}

/* Floats near everything special: the top bits of zeros, infinities, NaNs and subnormals. */
static void hostile_specials(unsigned char *key, unsigned bytes, uint64_t i, uint64_t count,
                             uint64_t *random)
{
    static const unsigned char tops[][2] = {{0x00, 0x00}, {0x80, 0x00}, {0x7f, 0x80}, {0xff, 0x80},
                                            {0x7f, 0xf0}, {0xff, 0xf0}, {0x7c, 0x00}, {0xfc, 0x00},
                                            {0x7f, 0xff}, {0xff, 0xff}, {0x3f, 0x80}, {0xbf, 0xf0}};
    (void)i, (void)count;
    const unsigned char *top = tops[random_below(random, sizeof tops / sizeof *tops)];
    memset(key, 0, bytes);
    key[0] = top[0];
    if (bytes > 1)
        key[1] = top[1];
    key[bytes - 1] ^= (unsigned char)random_below(random, 3);
}

const struct hostile_pattern hostile_patterns[] = {
    {"random-bits", hostile_random},         {"byte-extremes", hostile_extremes},
    {"zeros-and-ones", hostile_ends},        {"low-digit", hostile_low_digit},
    {"middle-outlier", hostile_one_outlier}, {"clusters", hostile_clusters},
    {"last-first", hostile_last_first},      {"median-killer", hostile_killer},
    {"specials", hostile_specials},          {"hidden-bit", hostile_hidden_bit},
};

const uint32_t hostile_count = sizeof hostile_patterns / sizeof *hostile_patterns;

void hostile_fill(uint32_t pattern, consort_type type, void *keys, uint64_t count, uint64_t seed)
{
    uint64_t random = seed;
    unsigned bytes = type ? (unsigned)type & 0xff : 1;
    bool string = (type >> 8 & 0xff) == CONSORT_KIND_BYTES;
    bool reversed = !string && type >> 16 != CONSORT_BIG_ENDIAN;
    for (uint64_t i = 0; i < count; i++) {
        unsigned char key[256];
        unsigned char *out = (unsigned char *)keys + i * bytes;
        hostile_patterns[pattern].key(key, bytes, i, count, &random);
        for (unsigned b = 0; b < bytes; b++)
            out[b] = key[reversed ? bytes - 1 - b : b];
    }
}
