/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Host side of `quick`: GPU quicksort after D. Cederman, P. Tsigas, "GPU-Quicksort" (ACM JEA 14,
 * 2009). What it shares with other sorts by splitting, and the launches, are in split/.
 */
#include "cuda/sorts/quick/quick.h"

#include "core/plan.h"
#include "cuda/sorts/quick/quick_layout.h"
#include "cuda/sorts/split/cuda_split.h"

enum {
    QUICK_SAMPLE,
    QUICK_LEAF,
    QUICK_LEVELS,
    QUICK_PARAMETERS
};

static const consort_parameter_info quick_parameters[QUICK_PARAMETERS] = {
    {"sample", "items whose median is the pivot", 1, QUICK_MOST_SAMPLE, 255},
    {"leaf", "most items that a block sorts in shared memory", 256, 8448, 8448},
    {"levels", "splits until a network takes a segment", 1, 64, 40},
};

static struct split_settings quick_settings(const int64_t *parameters)
{
    return (struct split_settings){.leaf = parameters[QUICK_LEAF],
                                   .levels = (uint32_t)parameters[QUICK_LEVELS],
                                   .row_words = 1,
                                   .row_counters = QUICK_COUNTERS,
                                   .oversampling = (uint32_t)parameters[QUICK_SAMPLE]};
}

static uint64_t quick_workspace(const struct request *request, const int64_t *parameters)
{
    struct split_settings settings = quick_settings(parameters);
    return cuda_split_workspace(request, &settings);
}

/* Measured as cuda_split_cost was: u32 2^16 96 µs, 2^20 193 µs, 2^24 1.19 ms, 2^28 19.3 ms; u64 133
 * µs, 275 µs, 2.10 ms, 35.7 ms; pairs of u32 2.8 ms at 2^24. */
static double quick_cost(const struct request *request)
{
    return 2.1 * cuda_split_cost(request);
}

static consort_status quick_prepare(struct consort_plan *plan, const struct device *device)
{
    const struct request *request = &plan->request;
    return cuda_split_prepare(
        plan, device, "quick",
        quick_shared_bytes(cuda_split_word_bytes(request), cuda_split_tile_items(request)));
}

static consort_status quick_run(const struct consort_plan *plan, const struct run *run)
{
    struct split_settings settings = quick_settings(plan->parameters);
    return cuda_split_run(plan, run, &settings);
}

const struct algorithm quick_sort = {
    .name = "quick",
    .summary = "quicksort, split three ways around the median of a sample (Cederman, Tsigas 2009)",
    .operation = CONSORT_OPERATION_SORT,
    .engine = CONSORT_ENGINE_CUDA,
    .stable = true,
    .parameters = quick_parameters,
    .parameter_count = QUICK_PARAMETERS,
    .counters = cuda_split_counters,
    .counter_count = SPLIT_COUNTERS,
    .refuses = cuda_items_refuses,
    .workspace = quick_workspace,
    .cost = quick_cost,
    .prepare = quick_prepare,
    .run = quick_run,
};

const struct algorithm quick_argsort = {
    .name = "quick",
    .summary = "quicksort of codes and positions (Cederman, Tsigas 2009)",
    .operation = CONSORT_OPERATION_ARGSORT,
    .engine = CONSORT_ENGINE_CUDA,
    .stable = true,
    .parameters = quick_parameters,
    .parameter_count = QUICK_PARAMETERS,
    .counters = cuda_split_counters,
    .counter_count = SPLIT_COUNTERS,
    .refuses = cuda_items_refuses,
    .workspace = quick_workspace,
    .cost = quick_cost,
    .prepare = quick_prepare,
    .run = quick_run,
};
