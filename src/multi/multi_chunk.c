/* SPDX-License-Identifier: Apache-2.0 */
/* The plan by which one GPU sorts chunks. */
#include "multi/multi_chunk.h"

#include <stdlib.h>

#include "core/status.h"
#include "cuda/sorts/items/items_layout.h"

enum {
    CHUNK_NUMBER_BLOCKS = 1 << 14
};

consort_status multi_chunk_plan_within(struct multi_chunk *chunk, const struct request *whole,
                                       int32_t device, uint64_t count, uint64_t workspace_limit)
{
    multi_chunk_release(chunk);
    *chunk = (struct multi_chunk){.index_bytes = whole->index_bytes};
    struct request *request = &chunk->plan.request;
    *request = *whole;
    request->operation = CONSORT_OPERATION_SORT;
    request->memory = CONSORT_MEMORY_DEVICE;
    request->apart = false;
    request->engine = CONSORT_ENGINE_CUDA;
    request->device = device;
    request->maximum_count = count;
    request->workspace_limit = workspace_limit;
    request->algorithm = NULL;
    request->parameter_count = 0;
    if (whole->operation == CONSORT_OPERATION_ARGSORT) {
        request->index_bytes = 0;
        request->value_bytes = &chunk->index_bytes;
        request->value_count = 1;
    }
    consort_status status = planner_choose(&chunk->plan);
    chunk->plan.device = device;
    return status;
}

consort_status multi_chunk_plan(struct multi_chunk *chunk, const struct request *whole,
                                int32_t device, uint64_t count)
{
    return multi_chunk_plan_within(chunk, whole, device, count, UINT64_MAX);
}

consort_status multi_chunk_prepare(struct multi_chunk *chunk, const struct device *device)
{
    chunk->number =
        (struct launch){kernels_find(device, "items", "items_number", 0), ITEMS_THREADS, 0};
    if (!chunk->number.function)
        return consort_last_error()->status;
    return chunk->plan.algorithm->prepare(&chunk->plan, device);
}

void multi_chunk_release(struct multi_chunk *chunk)
{
    plan_release_state(&chunk->plan);
    chunk->plan.state = NULL;
}

consort_status multi_chunk_sort(const struct multi_chunk *chunk, const void *in, void *out,
                                const consort_column *columns, uint64_t count, void *workspace,
                                consort_stream stream)
{
    consort_arguments arguments;
    bool input_whole;
    consort_arguments_init(&arguments);
    arguments.count = count;
    arguments.in = in;
    arguments.out = out;
    arguments.values = columns;
    const struct run run = {.arguments = &arguments,
                            .workspace = workspace,
                            .stream = stream,
                            .input_whole = &input_whole};
    return chunk->plan.algorithm->run(&chunk->plan, &run);
}

consort_status multi_chunk_number(const struct multi_chunk *chunk, void *indices, uint64_t first,
                                  uint64_t count, consort_stream stream)
{
    uint32_t index_bytes = (uint32_t)chunk->index_bytes;
    uint64_t blocks = (count + ITEMS_THREADS - 1) / ITEMS_THREADS;
    void *arguments[] = {&indices, &index_bytes, &first, &count};
    return launch_kernel(&chunk->number,
                         blocks < CHUNK_NUMBER_BLOCKS ? blocks : CHUNK_NUMBER_BLOCKS, stream,
                         arguments);
}
