/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Keys for the radix tests and where each belongs.
 */
#include "radix_reference.h"

#include <stdlib.h>
#include <string.h>

#include "support/random.h"

static uint64_t random_state = 20261120;

static uint128 random_wide(void)
{
    uint128 high = random_next(&random_state);
    return high << 64 | random_next(&random_state);
}

static uint128 draw(enum distribution distribution, uint64_t i, uint64_t count, uint32_t bits)
{
    const uint128 one = 1;
    switch (distribution) {
    case EQUAL:
        return 42;
    case FEW:
        return (one << (bits - 1) | 77) * (random_next(&random_state) % 16);
    case SORTED:
        return bits == 8 ? i * 256 / count : bits == 16 ? i * 65536 / count : i;
    case REVERSE:
        return bits < 32 ? count - 1 - i : (uint128)(count - i) << (bits - 24);
    case NEARLY:
        return random_next(&random_state) % 50 == 0 ? random_next(&random_state) % (count + 1) : i;
    case LOW_ENTROPY:
        return random_wide() & random_wide() & random_wide();
    case OUTLIER:
        return i == count / 2 ? one << (bits - 1) : random_next(&random_state) % 100;
    case CLUSTERS: /* a geometric ladder: each power of two has as many keys as the next */
        return random_wide() >> (128 - 1 - random_next(&random_state) % bits);
    case HIGH_BITS:
        return (uint128)(random_next(&random_state) % 1000) << (bits > 10 ? bits - 10 : 0);
    case HIDDEN_BIT:
        return i == count / 3 ? 4096 : random_next(&random_state) % 4096;
    case HIDDEN_DEEPER:
        return (uint128)(i % 3) << (bits - 2) | draw(HIDDEN_BIT, i, count, bits);
    case ZIPF:
        return random_next(&random_state) % (1 + random_next(&random_state) % 1000) *
               (random_next(&random_state) % 3);
    default:
        return random_wide();
    }
}

static uint128 load(const unsigned char *bytes, uint32_t width)
{
    uint128 x = 0;
    memcpy(&x, bytes, width); /* little-endian hosts */
    return x;
}

static int compare_unsigned(uint128 a, uint128 b)
{
    return a < b ? -1 : a > b;
}

/* Numbers, −0 before +0, then NaN: positive ones by payload, negative ones by falling payload. */
static int compare_float(uint128 a, uint128 b, uint32_t width)
{
    const uint128 sign = (uint128)1 << (8 * width - 1);
    const uint32_t mantissa = width == 2 ? 10 : width == 4 ? 23 : 52;
    const uint128 infinity = sign - ((uint128)1 << mantissa);
    uint128 x = a & (sign - 1), y = b & (sign - 1);
    bool a_nan = x > infinity, b_nan = y > infinity, a_negative = a & sign, b_negative = b & sign;
    if (a_nan != b_nan)
        return a_nan ? 1 : -1;
    if (a_negative != b_negative)
        return a_negative == a_nan ? 1 : -1;
    return a_negative ? compare_unsigned(y, x) : compare_unsigned(x, y);
}

static const struct sample *comparing;

struct ranked {
    uint128 key;
    uint64_t place;
};

static int compare_ranked(const void *left, const void *right)
{
    const struct ranked *i = left, *j = right;
    uint128 a = i->key, b = j->key;
    uint32_t width = comparing->width;
    const uint128 sign = (uint128)1 << (8 * width - 1);
    int order = comparing->order == UNSIGNED_UP     ? compare_unsigned(a, b)
                : comparing->order == UNSIGNED_DOWN ? compare_unsigned(b, a)
                : comparing->order == SIGNED_UP     ? compare_unsigned(a ^ sign, b ^ sign)
                                                    : compare_float(a, b, width);
    return order ? order : i->place < j->place ? -1 : 1;
}

/* Keys travel beside their places: a sanitizer checks each look into the sample. */
static void rank_all(struct sample *sample)
{
    uint32_t width = sample->width;
    struct ranked *ranked = malloc(sample->count * sizeof *ranked + !sample->count);
    for (uint64_t i = 0; i < sample->count; i++)
        ranked[i] = (struct ranked){load(sample->keys + i * width, width), i};
    comparing = sample;
    qsort(ranked, sample->count, sizeof *ranked, compare_ranked);
    for (uint64_t i = 0; i < sample->count; i++) {
        sample->rank[i] = ranked[i].place;
        memcpy(sample->sorted + i * width, &ranked[i].key, width);
    }
    free(ranked);
}

static bool equals_previous(const struct sample *sample, uint64_t i)
{
    return memcmp(sample->keys + i * sample->width, sample->keys + (i - 1) * sample->width,
                  sample->width) == 0;
}

static bool is_ascending(const struct sample *sample)
{
    uint64_t i = 0;
    while (i < sample->count && sample->rank[i] == i)
        i++;
    return i == sample->count;
}

static bool is_falling(const struct sample *sample, bool may_repeat)
{
    uint64_t *place = calloc(sample->count + 1, sizeof *place);
    bool falling = place && sample->count > 1 && !equals_previous(sample, 1);
    for (uint64_t i = 0; i < sample->count && falling; i++)
        place[sample->rank[i]] = i;
    for (uint64_t i = 1; i < sample->count && falling; i++)
        falling = equals_previous(sample, i) ? may_repeat : place[i] < place[i - 1];
    free(place);
    return falling;
}

bool sample_make(struct sample *sample, uint32_t width, enum order order,
                 enum distribution distribution, uint64_t count)
{
    if (order == FLOAT_UP && (width == 1 || width == 16))
        return false;
    sample->width = width;
    sample->order = order;
    sample->count = count;
    sample->keys = malloc(count * width + !count);
    sample->rank = malloc(count * sizeof *sample->rank + !count);
    sample->sorted = malloc(count * width + !count);
    for (uint64_t i = 0; i < count; i++) {
        uint128 key = draw(distribution, i, count, 8 * width);
        memcpy(sample->keys + i * width, &key, width);
    }
    rank_all(sample);
    sample->ascending = is_ascending(sample);
    sample->falling = is_falling(sample, false);
    sample->falling_repeats = is_falling(sample, true);
    return true;
}

void sample_free(struct sample *sample)
{
    free(sample->keys);
    free(sample->rank);
    free(sample->sorted);
}

/* A value that its position gives away. */
static void value_at(uint64_t i, const struct values *values, bool index, unsigned char *value)
{
    uint128 x = index ? i : (uint128)(i * UINT64_C(0x9e3779b97f4a7c15)) << 64 | i;
    memcpy(value, &x, values->bytes);
}

void payload_make(struct payload *payload, const struct sample *sample, struct values values)
{
    payload->values = values;
    payload->bytes = sample->count * values.bytes;
    payload->in = malloc(payload->bytes + 1);
    payload->sorted = malloc(payload->bytes + 1);
    for (uint64_t i = 0; i < sample->count; i++) {
        value_at(i, &values, false, payload->in + i * values.bytes);
        value_at(sample->rank[i], &values, values.index, payload->sorted + i * values.bytes);
    }
}

void payload_free(struct payload *payload)
{
    free(payload->in);
    free(payload->sorted);
}

struct codec codec_for(uint32_t width, enum order order)
{
    const uint128 sign = (uint128)1 << (8 * width - 1);
    struct codec codec = {.width = width, .stored = width, .bits = 8 * width};
    if (order == UNSIGNED_DOWN)
        codec.flip = sign | (sign - 1);
    if (order == SIGNED_UP || order == FLOAT_UP)
        codec.flip = sign;
    if (order == FLOAT_UP) {
        codec.magnitude = sign - 1;
        codec.bias = ((uint128)1 << (width == 2 ? 10 : width == 4 ? 23 : 52)) - 1;
    }
    return codec;
}
