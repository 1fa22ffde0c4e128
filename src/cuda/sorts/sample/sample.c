/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Host side of `sample`: sample sort (W. D. Frazer, A. C. McKellar, JACM 17, 1970; on GPUs
 * N. Leischner, V. Osipov, P. Sanders, IPDPS 2010). What it shares with other sorts by splitting,
 * and the launches, are in split/.
 */
#include "cuda/sorts/sample/sample.h"

#include "core/plan.h"
#include "cuda/sorts/sample/sample_layout.h"
#include "cuda/sorts/split/cuda_split.h"

enum {
    SAMPLE_WAYS,
    SAMPLE_OVERSAMPLING,
    SAMPLE_LEAF,
    SAMPLE_LEVELS,
    SAMPLE_PARAMETERS
};

static const consort_parameter_info sample_parameters[SAMPLE_PARAMETERS] = {
    {"ways", "parts of a segment, rounded down to a power of two", 4, SPLIT_MOST_PARTS, 256},
    {"oversampling", "samples for each splitter, as far as a block can sort them", 1, 64, 18},
    {"leaf", "most items that a block sorts in shared memory", 256, 8448, 8448},
    {"levels", "splits until a network takes a segment", 1, 64, 16},
};

static struct split_settings sample_settings(const int64_t *parameters)
{
    return (struct split_settings){
        .leaf = parameters[SAMPLE_LEAF],
        .levels = (uint32_t)parameters[SAMPLE_LEVELS],
        .row_words = SPLIT_MOST_PARTS,
        .row_counters = SPLIT_MOST_PARTS,
        .log_ways = 31 - (uint32_t)__builtin_clz((unsigned)parameters[SAMPLE_WAYS]),
        .oversampling = (uint32_t)parameters[SAMPLE_OVERSAMPLING]};
}

static uint64_t sample_workspace(const struct request *request, const int64_t *parameters)
{
    struct split_settings settings = sample_settings(parameters);
    return cuda_split_workspace(request, &settings);
}

static consort_status sample_prepare(struct consort_plan *plan, const struct device *device)
{
    const struct request *request = &plan->request;
    return cuda_split_prepare(
        plan, device, "sample",
        sample_shared_bytes(cuda_split_word_bytes(request), cuda_split_tile_items(request)));
}

static consort_status sample_run(const struct consort_plan *plan, const struct run *run)
{
    struct split_settings settings = sample_settings(plan->parameters);
    return cuda_split_run(plan, run, &settings);
}

const struct algorithm sample_sort = {
    .name = "sample",
    .summary = "sample sort: parts between splitters from a sample, finished in shared memory",
    .operation = CONSORT_OPERATION_SORT,
    .engine = CONSORT_ENGINE_CUDA,
    .stable = true,
    .parameters = sample_parameters,
    .parameter_count = SAMPLE_PARAMETERS,
    .counters = cuda_split_counters,
    .counter_count = SPLIT_COUNTERS,
    .refuses = cuda_items_refuses,
    .workspace = sample_workspace,
    .cost = cuda_split_cost,
    .prepare = sample_prepare,
    .run = sample_run,
};

const struct algorithm sample_argsort = {
    .name = "sample",
    .summary = "sample sort of codes and positions, finished in shared memory",
    .operation = CONSORT_OPERATION_ARGSORT,
    .engine = CONSORT_ENGINE_CUDA,
    .stable = true,
    .parameters = sample_parameters,
    .parameter_count = SAMPLE_PARAMETERS,
    .counters = cuda_split_counters,
    .counter_count = SPLIT_COUNTERS,
    .refuses = cuda_items_refuses,
    .workspace = sample_workspace,
    .cost = cuda_split_cost,
    .prepare = sample_prepare,
    .run = sample_run,
};
