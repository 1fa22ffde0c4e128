/* SPDX-License-Identifier: Apache-2.0 */
/* Keys that fill rooms evenly, or seem to. */
#include "room_keys.h"

#include <stdbool.h>
#include <string.h>

#include "support/random.h"

/* The highest 6 bits of a code say in which room it is, at least as long as lists are short. */
static uint64_t with_top(uint64_t code, uint64_t top)
{
    return top << 58 | (code & ~(uint64_t)0 >> 6);
}

/* A room has twice its share: too small a part of all for the sample to see. */
static uint64_t one_too_full(uint64_t index, uint64_t count, uint64_t random)
{
    (void)count;
    return index % 64 == 3 ? with_top(random, 33) : random;
}

/* As many as no sampled key is among. */
static uint64_t last_too_full(uint64_t index, uint64_t count, uint64_t random)
{
    return index > count - count / 50 ? with_top(random, 63) : random;
}

static uint64_t empty_rooms(uint64_t index, uint64_t count, uint64_t random)
{
    (void)count;
    return random >> 58 == 20 ? with_top(random, random_mix(index + 3) % 19) : random;
}

/* Codes of a range that is no power of two, and of one far from zero. */
static uint64_t odd_range(uint64_t index, uint64_t count, uint64_t random)
{
    (void)index, (void)count;
    return random / 3 * 2;
}

static uint64_t short_range(uint64_t index, uint64_t count, uint64_t random)
{
    (void)index, (void)count;
    return 0x7400000000000000u | random >> 6;
}

/* One is far below or far above all others: in three lists of four no sampled key. */
static uint64_t low_outlier(uint64_t index, uint64_t count, uint64_t random)
{
    return index == count / 3 ? random >> 7 : short_range(index, count, random);
}

static uint64_t high_outlier(uint64_t index, uint64_t count, uint64_t random)
{
    return index == count / 3 ? ~(random >> 7) : short_range(index, count, random);
}

/* The same while a room has twice its share. */
static uint64_t low_and_full(uint64_t index, uint64_t count, uint64_t random)
{
    return low_outlier(index, count, one_too_full(index, count, random));
}

static uint64_t high_and_full(uint64_t index, uint64_t count, uint64_t random)
{
    return high_outlier(index, count, last_too_full(index, count, random));
}

/* One key in 64 is the same: their room has twice its share, and a segment none to divide. */
static uint64_t one_often(uint64_t index, uint64_t count, uint64_t random)
{
    (void)count;
    return index % 64 == 3 ? 0x123456789abcdef0u : random;
}

/* Some cells of each room hold one code, few, or such as one bin of a leaf takes. */
static uint64_t crowded_cells(uint64_t index, uint64_t count, uint64_t random)
{
    const uint64_t cell = random >> 46 & 0xfff;
    (void)index, (void)count;
    if (cell % 61 == 5)
        return random & ~(uint64_t)0 << 46;
    return cell % 61 == 7   ? random & ~(uint64_t)0 << 40
           : cell % 61 == 9 ? random >> 40 << 40
                            : random;
}

/* A twelfth of all keys are in cells of one room in eight too large for any leaf, or for small
 * ones. */
static uint64_t large_cells(uint64_t index, uint64_t count, uint64_t random)
{
    (void)index, (void)count;
    if (random >> 58 & 7)
        return random;
    const uint64_t within = random >> 55 & 7;
    return within < 5 ? random & ~((uint64_t)0x7 << 55) & ~((uint64_t)0xff << 47) : random;
}

/* The last room but one alone has one, which nobody knows of when most blocks have done their work.
 * (Without keys in the last cells there are no rooms.) */
static uint64_t late_cell(uint64_t index, uint64_t count, uint64_t random)
{
    (void)index, (void)count;
    return random >> 58 == 62 ? random & ~((uint64_t)0x7ff << 47) : random;
}

const struct room_maker room_makers[ROOM_MAKERS] = {
    {"one room too full", one_too_full, 1},
    {"the last room too full", last_too_full, 1},
    {"empty rooms", empty_rooms, 1},
    {"an odd range", odd_range, 1},
    {"a short range", short_range, 1},
    {"a range and one below", low_outlier, 4},
    {"a range and one above", high_outlier, 4},
    {"one below, a room too full", low_and_full, 2},
    {"one above, the last room too full", high_and_full, 2},
    {"one key often", one_often, 1},
    {"crowded cells", crowded_cells, 1},
    {"large cells", large_cells, 1},
    {"a large cell in a late room", late_cell, 1},
};

void room_make_keys(const struct room_maker *maker, unsigned char *keys, uint64_t count,
                    consort_type type, uint64_t seed)
{
    const size_t bytes = consort_type_size(type);
    const bool is_signed = type == CONSORT_I32 || type == CONSORT_I64;
    for (uint64_t i = 0; i < count; i++) {
        uint64_t code = maker->make(i, count, random_mix(seed * 0x10001 + i)) ^ (uint64_t)is_signed
                                                                                    << 63;
        const uint32_t high = (uint32_t)(code >> 32);
        memcpy(keys + i * bytes, bytes == 4 ? (const void *)&high : &code, bytes);
    }
}
