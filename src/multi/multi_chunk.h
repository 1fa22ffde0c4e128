/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How one GPU sorts one chunk: a plan of its own for device memory, made by the planner like any
 * other. An argsort sorts its keys with the items' numbers as values.
 */
#ifndef CONSORT_MULTI_CHUNK_H
#define CONSORT_MULTI_CHUNK_H

#include "core/plan.h"
#include "cuda/driver/device.h"
#include "cuda/launch.h"

struct multi_chunk {
    struct consort_plan plan; /* its request borrows what the whole one owns */
    uint64_t index_bytes;
    struct launch number; /* writes the items' numbers */
};

/* Chooses an algorithm for chunks of so many items. Release in any case; a chunk must not move. */
consort_status multi_chunk_plan(struct multi_chunk *chunk, const struct request *whole,
                                int32_t device, uint64_t count);

/* The same, with the fastest that needs no more workspace. */
consort_status multi_chunk_plan_within(struct multi_chunk *chunk, const struct request *whole,
                                       int32_t device, uint64_t count, uint64_t workspace_limit);

/* Loads the kernels; the device is entered. */
consort_status multi_chunk_prepare(struct multi_chunk *chunk, const struct device *device);

void multi_chunk_release(struct multi_chunk *chunk);

/* Queues the sort of a chunk, in place or apart; so are `columns`, its values. */
consort_status multi_chunk_sort(const struct multi_chunk *chunk, const void *in, void *out,
                                const consort_column *columns, uint64_t count, void *workspace,
                                consort_stream stream);

/* Queues what writes the numbers first, first + 1, … */
consort_status multi_chunk_number(const struct multi_chunk *chunk, void *indices, uint64_t first,
                                  uint64_t count, consort_stream stream);

#endif
