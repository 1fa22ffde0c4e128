/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The arrays of a case in device memory. The input is written once and restored from there before
 * every run; the output is poisoned, so that the result of the run before cannot pass for a new
 * one. A result that the host has checked in full is kept: whoever makes the same bytes is right.
 */
#ifndef CONSORT_CLI_BENCH_ARRAYS_H
#define CONSORT_CLI_BENCH_ARRAYS_H

#include "bench_gpu.h"
#include "bench_input.h"

/* Keys and values somewhere in device memory; 0 for what there is not. */
struct bench_pair {
    uint64_t keys;
    uint64_t values;
};

struct bench_arrays {
    struct bench_gpu gpu;
    const struct bench_input *input; /* what is loaded */
    uint64_t key_bytes;              /* of all keys */
    uint64_t value_bytes;
    struct bench_span keys[4]; /* as enum bench_array */
    struct bench_span values[4];
    struct bench_span offsets; /* u32: what fits no int is measured in no segments */
    struct bench_span workspace;
    struct bench_span outcome;
    bool known; /* there is a checked result */
};

enum bench_array {
    BENCH_ORIGINAL,
    BENCH_IN,
    BENCH_OUT,
    BENCH_KNOWN
};

/* Takes the memory and writes the input. */
bool bench_arrays_make(struct bench_arrays *arrays, const struct bench_input *input,
                       struct problem *problem);
void bench_arrays_release(struct bench_arrays *arrays);

struct bench_pair bench_arrays_at(const struct bench_arrays *arrays, enum bench_array which);

/* Makes ready for a run. */
bool bench_arrays_restore(struct bench_arrays *arrays, struct problem *problem);

/* *same = is the result at `at` one that was checked before? */
bool bench_arrays_is_known(const struct bench_arrays *arrays, struct bench_pair at, bool *same,
                           struct problem *problem);

/* The result at `at` was checked: remember it. */
bool bench_arrays_know(struct bench_arrays *arrays, struct bench_pair at, struct problem *problem);

/* Brings the result to host memory that has room for it. */
bool bench_arrays_fetch(const struct bench_arrays *arrays, struct bench_pair at, void *keys,
                        void *values, struct problem *problem);

#endif
