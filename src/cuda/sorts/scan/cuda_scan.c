/* SPDX-License-Identifier: Apache-2.0 */
/* Host side of the GPU's `scan`: clear the control block, one kernel; before it, for orders that
 * are more than one key's constants, the order itself to device memory. */
#include "cuda/sorts/scan/cuda_scan.h"

#include <stdio.h>
#include <stdlib.h>

#include "core/plan.h"
#include "core/status.h"
#include "cuda/codec_constants.h"
#include "cuda/launch.h"
#include "cuda/sorts/normalised/normalised_order.h"
#include "cuda/sorts/scan/scan_layout.h"

struct scan_state {
    struct launch kernel, put;
    uint32_t blocks;
};

/* Keys that are read as whole words. */
static bool cuda_scan_reads_words(const struct request *request)
{
    return codec_constants_suffice(&request->order);
}

static const char *cuda_scan_refuses(const struct request *request)
{
    return request->order.compare ? "a GPU cannot call the caller's comparison" : NULL;
}

static uint64_t cuda_scan_workspace(const struct request *request, const int64_t *parameters)
{
    (void)parameters;
    if (cuda_scan_reads_words(request))
        return sizeof(struct scan_control);
    return launch_aligned(sizeof(struct scan_control)) + normalised_order_bytes(&request->order);
}

/* A clear, a launch and one read at 4000 bytes a nanosecond (H200). Comparing a piece takes longer
 * than reading it: 2^26 strings of 12 bytes take 0.95 ms, 2^24 records of 100 with keys of 10 bytes
 * 0.39 ms (H200, 2026-11). */
static double cuda_scan_cost(const struct request *request)
{
    double count = (double)request->maximum_count, bytes = (double)request->item_bytes;
    if (cuda_scan_reads_words(request))
        return 8e3 + count * bytes / 4000.0;
    return 12e3 + count * (bytes / 4000.0 + 0.012);
}

static consort_status cuda_scan_prepare(struct consort_plan *plan, const struct device *device)
{
    struct scan_state *state = calloc(1, sizeof *state);
    if (!state)
        return status_fail(CONSORT_ERROR_MEMORY, "plan: out of memory");
    plan->state = state;
    bool words = cuda_scan_reads_words(&plan->request);
    char name[24] = "scan_all_orders";
    if (words)
        snprintf(name, sizeof name, "scan_%u", 8 * (unsigned)plan->request.item_bytes);
    state->kernel = (struct launch){kernels_find(device, "scan", name, 0), SCAN_THREADS, 0};
    state->blocks = SCAN_BLOCKS * (uint32_t)device->processors;
    if (!state->kernel.function)
        return consort_last_error()->status;
    return words ? CONSORT_OK : normalised_order_prepare(&state->put, device);
}

/* Short arrays need no more blocks than have something to read. */
static uint64_t cuda_scan_blocks(const struct scan_state *state, uint64_t count, uint64_t tile)
{
    uint64_t blocks = count / tile + 1;
    return blocks < state->blocks ? blocks : state->blocks;
}

static consort_status cuda_scan_run_words(const struct consort_plan *plan, const struct run *run)
{
    const struct scan_state *state = plan->state;
    struct scan_arguments a = {.in = run->arguments->in,
                               .count = run->arguments->count,
                               .control = run->workspace,
                               .outcome = run->outcome,
                               .codec = codec_constants_of(&plan->request.order.pieces[0].codec)};
    void *parameters[] = {&a};
    uint64_t tile = SCAN_THREADS * SCAN_UNROLL * 16 / plan->request.item_bytes;
    return launch_kernel(&state->kernel, cuda_scan_blocks(state, a.count, tile), run->stream,
                         parameters);
}

static consort_status cuda_scan_run_items(const struct consort_plan *plan, const struct run *run)
{
    const struct scan_state *state = plan->state;
    const struct order *order = &plan->request.order;
    void *pieces = (char *)run->workspace + launch_aligned(sizeof(struct scan_control));
    struct scan_items_arguments a = {.items = {.items = run->arguments->in,
                                               .item_bytes = plan->request.item_bytes,
                                               .count = run->arguments->count},
                                     .order = normalised_order_at(order, pieces),
                                     .control = run->workspace,
                                     .outcome = run->outcome};
    void *parameters[] = {&a};
    consort_status status = normalised_order_put(&state->put, order, pieces, run->stream);
    if (status != CONSORT_OK)
        return status;
    return launch_kernel(&state->kernel, cuda_scan_blocks(state, a.items.count, SCAN_THREADS),
                         run->stream, parameters);
}

static consort_status cuda_scan_run(const struct consort_plan *plan, const struct run *run)
{
    consort_status status = launch_clear(run->workspace, sizeof(struct scan_control), run->stream);
    if (status != CONSORT_OK)
        return status;
    return cuda_scan_reads_words(&plan->request) ? cuda_scan_run_words(plan, run)
                                                 : cuda_scan_run_items(plan, run);
}

const struct algorithm cuda_scan_is_sorted = {
    .name = "scan",
    .summary =
        "reads whole words, or compares neighbouring items, in parallel until the first disorder",
    .operation = CONSORT_OPERATION_IS_SORTED,
    .engine = CONSORT_ENGINE_CUDA,
    .stable = true,
    .refuses = cuda_scan_refuses,
    .workspace = cuda_scan_workspace,
    .cost = cuda_scan_cost,
    .prepare = cuda_scan_prepare,
    .run = cuda_scan_run,
};
