/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The ceiling: how fast this machine copies as many bytes with as many threads. A sort that reads
 * and writes everything exactly once, and thinks for nothing, would take that long.
 */
#ifndef CONSORT_CLI_BENCH_CEILING_H
#define CONSORT_CLI_BENCH_CEILING_H

#include <stddef.h>
#include <stdint.h>

#include "bench_gpu.h"

struct bench_ceiling {
    uint32_t threads;        /* 0: within the GPU's memory */
    uint64_t bytes;          /* copied at once */
    double bytes_per_second; /* read and written, both counted; 0 = could not be measured */
};

enum {
    BENCH_CEILINGS = 128
};

struct bench_ceilings {
    struct bench_ceiling entries[BENCH_CEILINGS];
    size_t count;
};

/* For a case that moves `traffic` bytes, reads and writes together: measures it the first time, for
 * the power of two below, and remembers. Pin this thread as the case's runs are. With a GPU: copies
 * within its memory, and `threads` is 0. */
const struct bench_ceiling *bench_ceiling_of(struct bench_ceilings *ceilings,
                                             const struct bench_gpu *gpu, uint64_t traffic,
                                             uint32_t threads);

#endif
