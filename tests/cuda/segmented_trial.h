/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One segmented sort in device memory beside the CPU engine's on the same bytes: what the tests of
 * segments vary.
 */
#ifndef CONSORT_TESTS_SEGMENTED_TRIAL_H
#define CONSORT_TESTS_SEGMENTED_TRIAL_H

#include <stdbool.h>
#include <stdint.h>

#include "consort.h"

enum {
    MOST_COLUMNS = 2
};

enum shape {
    SHAPE_EQUAL,       /* all of `length` */
    SHAPE_STEPS,       /* around the lengths where another kernel takes over */
    SHAPE_GEOMETRIC,   /* each twice as likely as the next power of two */
    SHAPE_ONE_HUGE,    /* tiny ones around one that takes most items */
    SHAPE_GAPS,        /* random, with items outside at both ends and empty segments between */
    SHAPE_ALTERNATE,   /* `length` on average: one less and one more in turns */
    SHAPE_COUNT,       /* of those that sweeps take; and */
    SHAPE_FIRST_EMPTY, /* tiny ones, but for each 32nd, which a warp's first lane looks at */
    SHAPE_FULL_TILE /* tiny ones around a long one, 32 of which are more than a tile has room for */
};

struct trial {
    consort_type type;
    consort_type offset_type;
    int32_t direction;
    int32_t form;
    enum shape shape;
    uint64_t length; /* the one, or the longest */
    uint64_t count;
    uint64_t value_bytes[MOST_COLUMNS]; /* 0: no such column */
    bool in_place;
    bool captured;
    uint64_t mask;      /* and-ed to each 8 bytes of keys: digits that agree */
    uint64_t outliers;  /* not 0: so many keys apart two neighbours have other bits than these, */
    uint64_t other;     /* all, or, if it is not 0, some; or none */
    uint64_t shift;     /* of values, in bytes past an aligned address */
    uint64_t key_shift; /* of keys; three times as many of sorted ones, if they are elsewhere */
    uint64_t crowd;  /* not 0: highest digits of so many keys of a segment and of `others` keys */
    uint64_t others; /* in turns, the lowest first */
    uint64_t room;   /* for so many segments more */
    uint64_t seed;
};

/* Column 0 holds the keys. */
struct table {
    unsigned char *in[MOST_COLUMNS + 1], *sorted[MOST_COLUMNS + 1];
    void *device_in[MOST_COLUMNS + 1], *device_out[MOST_COLUMNS + 1];
    uint64_t bytes[MOST_COLUMNS + 1];
    uint32_t columns; /* of values */
    uint64_t *offsets64;
    uint32_t *offsets32;
    uint64_t segments;
};

/* Host and device arrays for a trial, and its segments. */
void segmented_trial_make(const struct trial *trial, struct table *t);
void segmented_trial_free(const struct trial *trial, struct table *t);

/* Sorts the host arrays by the engine into t->sorted. */
void segmented_trial_expect(const struct trial *trial, struct table *t, int32_t engine);

/* Sorts the device arrays. */
consort_outcome segmented_trial_run(const struct trial *trial, struct table *t);

/* Fails, with the trial, unless the device array holds the same bytes. */
void segmented_trial_compare(const struct trial *trial, const void *device, const void *expected,
                             uint64_t bytes, const char *what, uint32_t column);

/* All of that. */
void segmented_trial(const struct trial *trial);

#endif
