/* SPDX-License-Identifier: Apache-2.0 */
/* Covering arrays of strength two, row by row. */
#include "operations/covering.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/random.h"

enum {
    COVERING_TRIES = 40,
    COVERING_SAMPLES = 12,
    COVERING_UNSET = UINT32_MAX
};

/* What no entry of the operation looks at has one level. */
static uint32_t covering_levels(enum factor factor)
{
    struct test_case probe = {0};
    uint32_t *entry = &probe.level[FACTOR_ENTRY];
    for (*entry = 0; *entry < factor_levels(FACTOR_ENTRY); ++*entry)
        if (factor_matters(&probe, factor))
            return factor_levels(factor);
    return 1;
}

void covering_begin(struct covering *covering, uint64_t seed)
{
    *covering = (struct covering){.random = seed};
    for (enum factor f = 0; f < FACTOR_COUNT; f++)
        covering->levels[f] = covering_levels(f);
    for (enum factor f = 0; f < FACTOR_COUNT; f++)
        for (enum factor g = f + 1; g < FACTOR_COUNT; g++) {
            covering->base[f][g] = covering->pairs;
            covering->pairs += covering->levels[f] * covering->levels[g];
        }
    covering->left = covering->pairs;
    covering->covered = calloc(covering->pairs, 1);
    if (!covering->covered) {
        perror("covering");
        exit(99);
    }
}

void covering_end(struct covering *covering)
{
    free(covering->covered);
}

static uint32_t covering_pair(const struct covering *covering, const uint32_t *level, enum factor f,
                              enum factor g)
{
    if (f > g)
        return covering_pair(covering, level, g, f);
    return covering->base[f][g] + level[f] * covering->levels[g] + level[g];
}

static void covering_mark(struct covering *covering, uint32_t pair)
{
    covering->left -= !covering->covered[pair];
    covering->covered[pair] = 1;
}

/* How many new pairs a level of factor f would cover with the levels already set. */
static uint32_t covering_gain(const struct covering *covering, const uint32_t *level, enum factor f)
{
    uint32_t gain = 0;
    for (enum factor g = 0; g < FACTOR_COUNT; g++)
        if (g != f && level[g] != COVERING_UNSET)
            gain += !covering->covered[covering_pair(covering, level, f, g)];
    return gain;
}

static void covering_choose(struct covering *covering, uint32_t *level, enum factor f)
{
    uint32_t best = 0, best_gain = 0;
    uint32_t samples =
        covering->levels[f] < COVERING_SAMPLES ? covering->levels[f] : COVERING_SAMPLES;
    uint32_t first = (uint32_t)random_below(&covering->random, covering->levels[f]);
    for (uint32_t i = 0; i < samples; i++) {
        level[f] = (first + i * 7919u) % covering->levels[f];
        uint32_t gain = covering_gain(covering, level, f);
        if (i == 0 || gain > best_gain) {
            best = level[f];
            best_gain = gain;
        }
    }
    level[f] = best;
}

static void covering_fill(struct covering *covering, uint32_t *level)
{
    enum factor start = (enum factor)random_below(&covering->random, FACTOR_COUNT);
    for (unsigned i = 0; i < FACTOR_COUNT; i++) {
        enum factor f = (start + i) % FACTOR_COUNT;
        if (level[f] == COVERING_UNSET)
            covering_choose(covering, level, f);
    }
}

/* Pairs with a factor that the row's operation does not look at count as covered. */
static void covering_mark_row(struct covering *covering, const uint32_t *level,
                              const struct test_case *row)
{
    for (enum factor f = 0; f < FACTOR_COUNT; f++)
        for (enum factor g = f + 1; g < FACTOR_COUNT; g++)
            if (factor_matters(row, f) && factor_matters(row, g))
                covering_mark(covering, covering_pair(covering, row->level, f, g));
            else
                covering_mark(covering, covering_pair(covering, level, f, g));
}

static void covering_split(const struct covering *covering, uint32_t pair, enum factor *f,
                           enum factor *g)
{
    for (*f = 0; *f < FACTOR_COUNT; ++*f)
        for (*g = *f + 1; *g < FACTOR_COUNT; ++*g)
            if (pair < covering->base[*f][*g] + covering->levels[*f] * covering->levels[*g])
                return;
}

static bool covering_try(struct covering *covering, uint32_t pair,
                         bool (*possible)(const struct test_case *test), struct test_case *row)
{
    enum factor f, g;
    uint32_t level[FACTOR_COUNT];
    covering_split(covering, pair, &f, &g);
    uint32_t inside = pair - covering->base[f][g];
    memset(level, 0xff, sizeof level);
    level[f] = inside / covering->levels[g];
    level[g] = inside % covering->levels[g];
    covering_fill(covering, level);
    memcpy(row->level, level, sizeof level);
    row->seed = random_next(&covering->random);
    factors_normalise(row);
    if (!possible(row))
        return false;
    covering_mark_row(covering, level, row);
    return true;
}

bool covering_next(struct covering *covering, bool (*possible)(const struct test_case *test),
                   struct test_case *row)
{
    for (; covering->left > 0; covering->next = (covering->next + 1) % covering->pairs) {
        if (covering->covered[covering->next])
            continue;
        for (int i = 0; i < COVERING_TRIES; i++)
            if (covering_try(covering, covering->next, possible, row)) {
                /* A stride spreads the rows over all factors, for those who stop early. */
                covering->next = (covering->next + 10007) % covering->pairs;
                return true;
            }
        covering_mark(covering, covering->next);
        covering->given_up++;
    }
    return false;
}
