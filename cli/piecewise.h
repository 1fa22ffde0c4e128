/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sorting a large file while it is read and written, piece by piece: one regular file of numbers,
 * on the CPU. Memory holds the items once, and the sort hides behind the disk.
 */
#ifndef CONSORT_CLI_PIECEWISE_H
#define CONSORT_CLI_PIECEWISE_H

#include <stdatomic.h>

#include "dataset.h"
#include "io_pieces.h"
#include "io_read.h"

struct piecewise {
    const struct dataset *dataset;
    struct io_reader reader;
    uint64_t items_from; /* in the input */
    uint64_t count;
    struct io_pieces output;
    consort_options options;
    consort_plan *plan;
    struct region workspace;
    struct region buffers; /* of each worker, for what lies in files as it cannot in memory */
    atomic_bool failed;    /* a worker set the problem */
    struct problem *problem;
};

/* After dataset_open, with the target open. False: this is not for pieces (the input is small or
 * no file, the order or the engine is another, memory is short, …); nothing has changed. */
bool piecewise_begin(struct piecewise *piecewise, const struct dataset *dataset,
                     const struct source_list *sources, struct target *target,
                     const struct settings *settings, struct problem *problem);

/* Reads, sorts and writes everything. To be ended all the same. */
bool piecewise_sort(struct piecewise *piecewise);

void piecewise_end(struct piecewise *piecewise);

#endif
