/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The bus bound of a case whose arrays are in pinned host memory: how long copying alone takes, of
 * as many bytes, by as many GPUs, up, down, and both at once. A sort whose data fits the GPUs
 * needs up and down at least; one that brings everything twice, both twice.
 */
#ifndef CONSORT_CLI_BENCH_LINKS_H
#define CONSORT_CLI_BENCH_LINKS_H

#include "bench_gpu.h"

struct bench_links {
    uint32_t gpus; /* 0: not measured */
    double up, down, both;
};

/* Copies between two pinned arrays of so many bytes and all GPUs, or `gpu` alone; each takes every
 * so manieth piece. The content of `to` is lost. False: not measured, and the problem says why. */
bool bench_links_measure(struct bench_links *bus, const struct bench_gpu *gpu, bool every_gpu,
                         const void *from, void *to, uint64_t bytes, struct problem *problem);

#endif
