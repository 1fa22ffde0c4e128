/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bitonic steps on items in device memory: what the algorithms built on Batcher's bitonic merge
 * share. Tiles of `threads` × 8 items take all their steps in shared memory, those between tiles
 * three at a time in registers.
 */
#ifndef CONSORT_CUDA_NETWORK_H
#define CONSORT_CUDA_NETWORK_H

#include "core/request.h"
#include "cuda/launch.h"
#include "cuda/sorts/network/network_layout.h"

struct cuda_network {
    struct launch tile, group, step;
    uint32_t log_tile;
};

/* The least log with 2^log ≥ count, and the greatest with 2^log ≤ count > 0. */
uint32_t cuda_network_log(uint64_t count);
uint32_t cuda_network_log_down(uint64_t count);

/* Finds the kernels for tiles of `threads` (a power of two, at most NETWORK_MOST_THREADS) × 8. */
consort_status cuda_network_prepare(struct cuda_network *n, const struct request *request,
                                    const struct device *device, uint32_t threads);

/* Merges blocks of 2^(log_first − 1) items, which are sorted in turn descending and ascending (the
 * last ascending), until one is left. With log_first 1: sorts. `wanted`: NULL, or a word in device
 * memory; where it is 0 the kernels do nothing. */
consort_status cuda_network_merge(const struct cuda_network *n, struct items *items,
                                  uint32_t log_first, const void *wanted, consort_stream stream);

/* The same with a launch for each step, a thread for each item. */
consort_status cuda_network_merge_unfused(const struct cuda_network *n, struct items *items,
                                          uint32_t log_first, consort_stream stream);

/* Estimated nanoseconds of cuda_network_merge from blocks of 2^(log_first − 1) items on. */
double cuda_network_cost(const struct request *request, uint32_t log_first);

#endif
