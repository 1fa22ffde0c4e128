/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The ceiling: how fast this machine copies as many bytes with as many threads, within the GPU's
 * memory, or over the bus to the GPU and back. A sort that reads and writes everything exactly
 * once, and thinks for nothing, would take that long.
 */
#ifndef CONSORT_CLI_BENCH_CEILING_H
#define CONSORT_CLI_BENCH_CEILING_H

#include <stddef.h>
#include <stdint.h>

#include "bench_gpu.h"

enum bench_way {
    BENCH_WAY_HOST,   /* from memory to memory */
    BENCH_WAY_DEVICE, /* within the GPU's memory */
    BENCH_WAY_BUS,    /* from ordinary memory to the GPU and back, each way alone */
    BENCH_WAY_PINNED  /* the same from pinned memory */
};

struct bench_ceiling {
    enum bench_way way;
    uint32_t threads;        /* of BENCH_WAY_HOST */
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
 * the power of two below (over the bus, for just as many), and remembers. Pin this thread as the
 * case's runs are. `gpu` is for all ways but the first. */
const struct bench_ceiling *bench_ceiling_of(struct bench_ceilings *ceilings, enum bench_way way,
                                             const struct bench_gpu *gpu, uint64_t traffic,
                                             uint32_t threads);

#endif
