/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The arrays of a case in the memory of several GPUs: each has a share of the items, as
 * bench_arrays has all, and the result of the list is that of the shares one after the other. GPU 0
 * is current before and after.
 */
#ifndef CONSORT_CLI_BENCH_SPREAD_H
#define CONSORT_CLI_BENCH_SPREAD_H

#include "bench_arrays.h"

enum {
    BENCH_GPUS = 16 /* parts that a spread list has at most */
};

struct bench_spread {
    uint32_t open; /* GPUs that are */
    uint32_t count;
    struct bench_arrays parts[BENCH_GPUS];
    struct bench_input inputs[BENCH_GPUS]; /* views of the input's memory */
};

/* Takes memory on the first `gpus` GPUs and writes the input. */
bool bench_spread_make(struct bench_spread *spread, const struct bench_input *input, uint32_t gpus,
                       struct problem *problem);
void bench_spread_release(struct bench_spread *spread);
void bench_spread_close(struct bench_spread *spread);

/* As the functions of bench_arrays, for all shares; results are in their outputs. */
bool bench_spread_restore(struct bench_spread *spread, struct problem *problem);
bool bench_spread_is_known(const struct bench_spread *spread, bool *same, struct problem *problem);
bool bench_spread_know(struct bench_spread *spread, struct problem *problem);
bool bench_spread_fetch(const struct bench_spread *spread, void *keys, void *values,
                        struct problem *problem);

/* Bytes a second that each GPU gets if all copy a share of their keys from each other at once; 0:
 * there is one GPU, or it is not measurable. Writes over outputs. */
double bench_spread_exchange_rate(const struct bench_spread *spread);

#endif
