/* SPDX-License-Identifier: Apache-2.0 */
/* Draws lengths by inverting their distributions. */
#include "bench_lengths.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "splitmix.h"

static const char *const names[BENCH_LENGTHS_COUNT] = {
    [BENCH_LENGTHS_EQUAL] = "equal",         [BENCH_LENGTHS_UNIFORM] = "uniform",
    [BENCH_LENGTHS_ZIPF] = "zipf",           [BENCH_LENGTHS_POWER] = "power",
    [BENCH_LENGTHS_ONE_LARGE] = "one-large",
};

const char *bench_lengths_name(enum bench_lengths lengths)
{
    return names[lengths];
}

bool bench_lengths_parse(const char *name, enum bench_lengths *lengths)
{
    for (int i = 0; i < BENCH_LENGTHS_COUNT; i++) {
        if (strcmp(names[i], name) == 0) {
            *lengths = (enum bench_lengths)i;
            return true;
        }
    }
    return false;
}

/* The longest of lengths whose logarithms are uniform: their mean is (longest - 1) / ln longest. */
static double zipf_longest(double mean)
{
    double longest = mean + 1;
    for (int i = 0; i < 64; i++) {
        longest = 1 + mean * log(longest + 1);
    }
    return longest;
}

/* In (0, 1). */
static double fraction(uint64_t word)
{
    return ((double)(word >> 12) + 0.5) / (double)(UINT64_C(1) << 52);
}

static uint64_t length_of(const struct bench_lengths_of *what, double longest, uint64_t number)
{
    uint64_t word = splitmix_at(what->seed, number);
    double mean = (double)what->mean, most = (double)what->items, length = mean;
    switch (what->lengths) {
    case BENCH_LENGTHS_EQUAL:
        return what->mean;
    case BENCH_LENGTHS_ZIPF:
        length = pow(longest, fraction(word));
        break;
    case BENCH_LENGTHS_POWER:
        length = mean / 3 * pow(fraction(word), -1 / 1.5);
        break;
    case BENCH_LENGTHS_ONE_LARGE:
        if (number == 0) {
            return what->items / 2;
        }
        return splitmix_below(word, 2 * what->mean + 1);
    default:
        return splitmix_below(word, 2 * what->mean + 1);
    }
    return length < most ? (uint64_t)length : what->items;
}

uint64_t bench_lengths_draw(const struct bench_lengths_of *what, uint64_t *offsets)
{
    double longest = zipf_longest((double)what->mean);
    uint64_t number = 0;
    for (uint64_t at = 0; at < what->items; number++) {
        uint64_t length = length_of(what, longest, number);
        if (offsets != NULL) {
            offsets[number] = at;
        }
        at += length < what->items - at ? length : what->items - at;
    }
    if (offsets != NULL) {
        offsets[number] = what->items;
    }
    return number;
}
