/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The bus between host and GPU: what the driver needs to take an array in, and to take it out, each
 * alone. A sort of host arrays that hides everything else takes as long as both.
 */
#ifndef CONSORT_CLI_BENCH_BUS_H
#define CONSORT_CLI_BENCH_BUS_H

#include "bench_gpu.h"

/* Bytes a second, in and out one after the other, of an array of `bytes` bytes in memory of the
 * kind that bench_memory_pin asked for; 0: not measurable. */
double bench_bus_rate(const struct bench_gpu *gpu, uint64_t bytes);

#endif
