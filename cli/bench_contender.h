/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A contender: something that can do a case, and is measured at it. This library, algorithm by
 * algorithm, and each peer are contenders; whatever sorts somewhere else, on a GPU for instance,
 * becomes one by these five functions. The clock is the contender's, so that work queued on a
 * device can be timed by the device's own events.
 *
 *     open, then as often as wanted: load, run (timed), fetch; then close.
 */
#ifndef CONSORT_CLI_BENCH_CONTENDER_H
#define CONSORT_CLI_BENCH_CONTENDER_H

#include <stdbool.h>
#include <stdint.h>

#include "bench_arrays.h"
#include "bench_input.h"
#include "problem.h"

struct bench_spread;

/* Memory that contenders use in turn: each finds it touched, none finds it sorted. */
struct bench_place {
    const struct bench_input *input;
    struct bench_arrays *device; /* for cases in device memory; host memory is for checks then */
    struct bench_spread *spread; /* the same in the memory of several GPUs */
    struct bench_block keys;
    struct bench_block values; /* also for indices */
    struct bench_block workspace;
    uint64_t idlings; /* how often GPUs idled, while the host checked a result */
};

struct bench_contender;

struct bench_methods {
    /* Makes ready for the case of `place->input` with `shape->threads` threads. False: it cannot,
     * and the problem says why. */
    bool (*open)(struct bench_contender *contender, const struct bench_case *shape,
                 struct bench_place *place, struct problem *problem);
    /* Puts the input where it will be sorted. */
    bool (*load)(struct bench_contender *contender, struct problem *problem);
    /* Does the whole case once; *seconds = how long that took. */
    bool (*run)(struct bench_contender *contender, double *seconds, struct problem *problem);
    /* Brings the result into `place`: keys and values, laid out as the input is; argsort: keys in
     * the order of the indices, and these as values; top-k: k keys of each array. */
    bool (*fetch)(struct bench_contender *contender, struct problem *problem);
    /* After open, whatever it said. */
    void (*close)(struct bench_contender *contender);
};

enum {
    BENCH_NAME = 48,
    BENCH_NUMBERS = 14, /* as many as an outcome has counters */
    BENCH_NUMBER_NAME = 32
};

/* Named numbers: parameters that were set, counters that were read. */
struct bench_number {
    char name[BENCH_NUMBER_NAME];
    int64_t value;
};

struct bench_number_list {
    struct bench_number items[BENCH_NUMBERS];
    uint32_t count;
};

struct bench_contender {
    char name[2 * BENCH_NAME];
    bool peer;
    const struct bench_methods *methods;
    const void *subject; /* what it stands for: the methods know */
    /* From here on filled by open. */
    bool stable;      /* claims it, and is held to it */
    bool zeros_equal; /* its order holds −0 and +0 for equal */
    char algorithm[BENCH_NAME];
    char engine[16];
    uint64_t workspace; /* bytes that it was given */
    struct bench_number_list parameters;
    struct bench_number_list counters; /* filled by a run while `counting` */
    bool counting;                     /* the run may tell counters: it does not count itself */
    uint64_t idlings;                  /* of the place, when this one ran last */
    struct bench_place *place;
    struct bench_pair result; /* cases in device memory: where it is after a run */
    void *state;
};

#endif
