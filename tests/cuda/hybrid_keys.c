/* SPDX-License-Identifier: Apache-2.0 */
/* Keys made against the cells, leaves, bins and tags of `hybrid`. */
#include "hybrid_keys.h"

#include <string.h>

#include "support/random.h"

/* Buckets of exactly `leaf` items each, and one that has one more. */
static uint64_t full_buckets(uint64_t index, uint64_t leaf, uint64_t random)
{
    return (index / leaf) << 56 | random >> 8;
}

static uint64_t one_too_many(uint64_t index, uint64_t leaf, uint64_t random)
{
    return (index > leaf ? (index - 1) / leaf : 0) << 56 | random >> 8;
}

/* The one that has more cannot be told apart by more bits. */
static uint64_t one_too_many_in_a_cell(uint64_t index, uint64_t leaf, uint64_t random)
{
    return (index > leaf ? (index - 1) / leaf : 0) << 56 | random >> 24;
}

/* Even buckets, within which keys are equal, or differ in some bits only. */
static uint64_t equal_in_bucket(uint64_t index, uint64_t leaf, uint64_t random)
{
    (void)index, (void)leaf;
    return random_mix(random % 997) & 0xffff000000000000u;
}

static uint64_t two_values_in_bucket(uint64_t index, uint64_t leaf, uint64_t random)
{
    (void)leaf;
    return (random & 0xffff000000000000u) | (index % 2 ? 0x7fff0000u : 1);
}

static uint64_t lowest_bits(uint64_t index, uint64_t leaf, uint64_t random)
{
    (void)leaf;
    return (random & 0xff00000000000000u) | (random_mix(index) & 0x7);
}

/* Tags agree in short runs; what is below does not. */
static uint64_t tags_in_runs(uint64_t index, uint64_t leaf, uint64_t random)
{
    (void)leaf;
    return random_mix(index % 509) >> 20 << 20 | (random & 0xfffff);
}

static uint64_t tags_in_falling_runs(uint64_t index, uint64_t leaf, uint64_t random)
{
    (void)leaf, (void)random;
    return random_mix(index % 2003) >> 20 << 20 | ((~index) & 0xfffff);
}

/* A bin holds as many as transposition takes, or more. */
static uint64_t crowded_bins(uint64_t index, uint64_t leaf, uint64_t random)
{
    (void)leaf;
    return (random & 0xfff0000000000000u) | (random_mix(index) & 0x3ff0000000u)
                                                << (index % 3 ? 0 : 10);
}

/* All but a few keys share their upper half: constant bits that are not. */
static uint64_t stray(uint64_t index, uint64_t leaf, uint64_t random)
{
    (void)leaf;
    return (index == 4321 ? (uint64_t)1 << 63 : 0) | random >> 7;
}

static uint64_t common_top(uint64_t index, uint64_t leaf, uint64_t random)
{
    (void)index, (void)leaf;
    return 0x5a50000000000000u | random >> 13;
}

static uint64_t sorted_keys(uint64_t index, uint64_t leaf, uint64_t random)
{
    (void)leaf;
    return index << 46 | (random & 3);
}

static uint64_t all_equal(uint64_t index, uint64_t leaf, uint64_t random)
{
    (void)index, (void)leaf, (void)random;
    return 0x123456789abcdef0u;
}

static uint64_t one_other(uint64_t index, uint64_t leaf, uint64_t random)
{
    (void)random;
    return index == leaf ? UINT64_MAX : 0x123456789abcdef0u;
}

static uint64_t highest(uint64_t index, uint64_t leaf, uint64_t random)
{
    (void)leaf;
    return index % 5 ? UINT64_MAX : random;
}

/* As many different keys as go by their ranks, one more, and a key that a sample hardly sees,
 * higher than all or between them. */
static uint64_t thirty_two(uint64_t index, uint64_t leaf, uint64_t random)
{
    (void)index, (void)leaf;
    return random_mix(random % 32);
}

static uint64_t thirty_three(uint64_t index, uint64_t leaf, uint64_t random)
{
    (void)index, (void)leaf;
    return random_mix(random % 33);
}

static uint64_t few_and_highest(uint64_t index, uint64_t leaf, uint64_t random)
{
    return index == 2 * leaf ? UINT64_MAX - 1 : random_mix(random % 20) >> 1;
}

static uint64_t few_and_one_between(uint64_t index, uint64_t leaf, uint64_t random)
{
    return index == 3 * leaf ? (uint64_t)1 << 62 : random_mix(random % 20);
}

const struct hybrid_maker hybrid_makers[HYBRID_MAKERS] = {
    {"full buckets", full_buckets},
    {"one too many", one_too_many},
    {"one too many in a cell", one_too_many_in_a_cell},
    {"equal in buckets", equal_in_bucket},
    {"two values in buckets", two_values_in_bucket},
    {"lowest bits", lowest_bits},
    {"tags in runs", tags_in_runs},
    {"tags in falling runs", tags_in_falling_runs},
    {"crowded bins", crowded_bins},
    {"stray", stray},
    {"common top", common_top},
    {"sorted", sorted_keys},
    {"all equal", all_equal},
    {"one other", one_other},
    {"highest", highest},
    {"thirty-two", thirty_two},
    {"thirty-three", thirty_three},
    {"few and the highest", few_and_highest},
    {"few and one between", few_and_one_between}};

/* Narrow keys take both halves; wide ones have the word on top and another below, or it below and
 * constant bits on top. */
void hybrid_make_keys(const struct hybrid_maker *maker, unsigned char *keys, uint64_t count,
                      size_t bytes, uint64_t leaf, uint64_t seed)
{
    for (uint64_t i = 0; i < count; i++) {
        uint64_t word = maker->make(i, leaf, random_mix(seed * 0x10001 + i));
        uint64_t words[2] = {random_mix(i) % 3, word};
        uint32_t narrow = (uint32_t)(word >> 32) ^ (uint32_t)word;
        if (seed % 3 == 0) {
            words[0] = word;
            words[1] = 77;
        }
        const void *from = bytes == 4 ? (void *)&narrow : bytes == 8 ? (void *)&word : words;
        memcpy(keys + bytes * i, from, bytes);
    }
}

void hybrid_make_full_halves(uint32_t *keys, uint64_t count, uint64_t each)
{
    const uint64_t buckets = (count + each - 1) / each, prime = 2147483647;
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t bucket = i * prime % count / each;
        const uint32_t lower = bucket % 3 ? (uint32_t)random_mix(i) & 0xffff : 77;
        keys[i] = (uint32_t)(bucket * 65536 / buckets) << 16 | lower;
    }
}
