/* SPDX-License-Identifier: Apache-2.0 */
/* Host side of the GPU's `scan`: clear the control block, one kernel. */
#include "cuda/sorts/scan/cuda_scan.h"

#include <stdio.h>
#include <stdlib.h>

#include "core/plan.h"
#include "core/status.h"
#include "cuda/codec_constants.h"
#include "cuda/launch.h"
#include "cuda/sorts/scan/scan_layout.h"

struct scan_state {
    struct launch kernel;
    uint32_t blocks;
};

static const char *cuda_scan_refuses(const struct request *request)
{
    return codec_constants_suffice(&request->order)
               ? NULL
               : "the GPU's scan reads numbers and byte strings of 1, 2, 4, 8 or 16 bytes";
}

static uint64_t cuda_scan_workspace(const struct request *request, const int64_t *parameters)
{
    (void)request, (void)parameters;
    return sizeof(struct scan_control);
}

/* A clear, a launch and one read at 4000 bytes a nanosecond (H200). */
static double cuda_scan_cost(const struct request *request)
{
    return 8e3 + (double)request->maximum_count * (double)request->item_bytes / 4000.0;
}

static consort_status cuda_scan_prepare(struct consort_plan *plan, const struct device *device)
{
    struct scan_state *state = calloc(1, sizeof *state);
    if (!state)
        return status_fail(CONSORT_ERROR_MEMORY, "plan: out of memory");
    plan->state = state;
    char name[16];
    snprintf(name, sizeof name, "scan_%u", 8 * (unsigned)plan->request.item_bytes);
    state->kernel = (struct launch){kernels_find(device, "scan", name, 0), SCAN_THREADS, 0};
    state->blocks = SCAN_BLOCKS * (uint32_t)device->processors;
    return state->kernel.function ? CONSORT_OK : consort_last_error()->status;
}

/* Short arrays need no more blocks than have something to read. */
static uint64_t cuda_scan_blocks(const struct scan_state *state, const struct request *request,
                                 uint64_t count)
{
    uint64_t tile = SCAN_THREADS * SCAN_UNROLL * 16 / request->item_bytes;
    uint64_t blocks = count / tile + 1;
    return blocks < state->blocks ? blocks : state->blocks;
}

static consort_status cuda_scan_run(const struct consort_plan *plan, const struct run *run)
{
    const struct scan_state *state = plan->state;
    struct scan_arguments a = {.in = run->arguments->in,
                               .count = run->arguments->count,
                               .control = run->workspace,
                               .outcome = run->outcome,
                               .codec = codec_constants_of(&plan->request.order.pieces[0].codec)};
    void *parameters[] = {&a};
    consort_status status = launch_clear(a.control, sizeof *a.control, run->stream);
    if (status != CONSORT_OK)
        return status;
    return launch_kernel(&state->kernel, cuda_scan_blocks(state, &plan->request, a.count),
                         run->stream, parameters);
}

const struct algorithm cuda_scan_is_sorted = {
    .name = "scan",
    .summary = "reads whole words in parallel until the first disorder",
    .operation = CONSORT_OPERATION_IS_SORTED,
    .engine = CONSORT_ENGINE_CUDA,
    .stable = true,
    .refuses = cuda_scan_refuses,
    .workspace = cuda_scan_workspace,
    .cost = cuda_scan_cost,
    .prepare = cuda_scan_prepare,
    .run = cuda_scan_run,
};
