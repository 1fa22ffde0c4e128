/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Host side of the GPU's `counting`: count, then write; short lists in one launch.
 */
#include "cuda/sorts/counting/cuda_counting.h"

#include <stdlib.h>

#include "core/plan.h"
#include "core/status.h"
#include "cuda/codec_constants.h"
#include "cuda/launch.h"
#include "cuda/sorts/counting/counting_layout.h"

struct counting_state {
    struct launch histogram, expand, alone;
    uint32_t histogram_blocks, expand_blocks;
    bool early; /* launches follow each other early */
};

static const char *cuda_counting_refuses(const struct request *request)
{
    if (!request_is_plain(request) || request->item_bytes > 2)
        return "counting sorts keys of 8 and 16 bits, not in NumPy's float order";
    return request->value_count > 0 ? "counting sorts keys alone" : NULL;
}

static uint32_t cuda_counting_bins(const struct request *request)
{
    return 1u << 8 * request->item_bytes;
}

/* The longest list that one launch sorts. */
static uint64_t cuda_counting_alone_keys(const struct request *request)
{
    return request->item_bytes == 1 ? COUNTING_ALONE_KEYS : COUNTING_SPARSE_KEYS;
}

/* Where everything lies in the workspace, counted in bytes from its start. */
struct counting_workspace {
    uint64_t counts, ends, present, total;
};

/* Counts need 64 bits if a key may occur so often. */
static bool cuda_counting_is_wide(const struct request *request)
{
    return request->maximum_count > UINT32_MAX;
}

static uint64_t cuda_counting_counted_bytes(const struct request *request)
{
    return cuda_counting_bins(request) *
           (cuda_counting_is_wide(request) ? sizeof(uint64_t) : sizeof(uint32_t));
}

static struct counting_workspace cuda_counting_lay_out(const struct request *request)
{
    const bool scanned = request->item_bytes == 2;
    struct counting_workspace w = {.counts = launch_aligned(sizeof(struct counting_control))};
    w.ends = w.counts + launch_aligned(cuda_counting_counted_bytes(request));
    w.present = w.ends + (scanned ? launch_aligned(COUNTING_BINS * sizeof(uint64_t)) : 0);
    w.total = w.present + (scanned ? launch_aligned(COUNTING_BINS * sizeof(uint16_t)) : 0);
    return w;
}

static uint64_t cuda_counting_workspace(const struct request *request, const int64_t *parameters)
{
    (void)parameters;
    return request->maximum_count <= cuda_counting_alone_keys(request)
               ? 0
               : cuda_counting_lay_out(request).total;
}

/* H200, CUDA 13.0, 2026-11: 8-bit keys 17 µs + 2^28 in 0.13 ms, 2^14 17 µs; 16-bit keys 20 to 38 µs
 * (65536 counters of each block to empty, add up and scan) + 2^28 in 0.27 ms, 2^12 11 µs,
 * 2^13 13.5. In between, as far as blocks of one launch of lsd hold them, 2^20, they sort faster by
 * that: in 26 µs. */
static double cuda_counting_cost(const struct request *request)
{
    double count = (double)request->maximum_count;
    bool alone = request->maximum_count <= cuda_counting_alone_keys(request);
    if (request->item_bytes == 2)
        return alone ? 8.8e3 + count * 0.55 : 35e3 + count / 990.0;
    return alone ? 8e3 + count * 0.55 : 17e3 + count / 2050.0;
}

static uint64_t cuda_counting_shared(const struct request *request)
{
    return request->item_bytes == 1 ? COUNTING_SHARED_8 : COUNTING_SHARED_SPARSE;
}

static bool cuda_counting_find(const struct device *device, struct launch *launch, const char *name,
                               uint32_t threads, uint32_t shared)
{
    *launch = (struct launch){kernels_find(device, "counting", name, shared), threads, shared};
    return launch->function != NULL;
}

static consort_status cuda_counting_prepare(struct consort_plan *plan, const struct device *device)
{
    struct counting_state *state = calloc(1, sizeof *state);
    if (!state)
        return status_fail(CONSORT_ERROR_MEMORY, "plan: out of memory");
    plan->state = state;
    if (!device->cooperative)
        return status_fail(CONSORT_ERROR_NO_KERNEL, "counting needs cooperative launches");
    bool bytes = plan->request.item_bytes == 1;
    uint32_t processors = (uint32_t)device->processors;
    state->histogram_blocks = processors;
    state->expand_blocks = COUNTING_EXPAND_BLOCKS * processors;
    bool found =
        cuda_counting_find(device, &state->histogram,
                           bytes ? "counting_histogram_8" : "counting_histogram_16",
                           COUNTING_THREADS, bytes ? COUNTING_SHARED_8 : COUNTING_SHARED_16) &&
        cuda_counting_find(device, &state->expand,
                           bytes ? "counting_expand_8" : "counting_expand_16",
                           COUNTING_EXPAND_THREADS, 0) &&
        cuda_counting_find(device, &state->alone, bytes ? "counting_alone_8" : "counting_alone_16",
                           COUNTING_THREADS,
                           bytes ? COUNTING_SHARED_ALONE : COUNTING_SHARED_SPARSE);
    if (!found)
        return consort_last_error()->status;
    if (launch_resident(&state->histogram) == 0)
        return consort_last_error()->status;
    state->early = launch_can_wait(&state->expand);
    return CONSORT_OK;
}

static struct counting_arguments cuda_counting_arguments(const struct consort_plan *plan,
                                                         const struct run *run)
{
    const struct request *request = &plan->request;
    const struct counting_workspace w = cuda_counting_lay_out(request);
    return (struct counting_arguments){.in = run->arguments->in,
                                       .out = run->arguments->out,
                                       .control = run->workspace,
                                       .counts = launch_place(run->workspace, w.counts),
                                       .ends = launch_place(run->workspace, w.ends),
                                       .present = launch_place(run->workspace, w.present),
                                       .count = run->arguments->count,
                                       .wide = cuda_counting_is_wide(request),
                                       .outcome = run->outcome,
                                       .codec =
                                           codec_constants_of(&request->order.pieces[0].codec)};
}

static consort_status cuda_counting_run(const struct consort_plan *plan, const struct run *run)
{
    const struct counting_state *state = plan->state;
    struct counting_arguments a = cuda_counting_arguments(plan, run);
    void *parameters[] = {&a};
    if (a.count <= cuda_counting_alone_keys(&plan->request))
        return launch_kernel(&state->alone, 1, run->stream, parameters);
    consort_status status =
        launch_cooperative(&state->histogram, state->histogram_blocks, run->stream, parameters);
    if (status == CONSORT_OK)
        status = launch_following(&state->expand, state->early, state->expand_blocks, run->stream,
                                  parameters);
    return status;
}

const struct algorithm cuda_counting_sort = {
    .name = "counting",
    .summary = "histogram and expansion: one read and one write of 8- or 16-bit keys (Seward 1954)",
    .operation = CONSORT_OPERATION_SORT,
    .engine = CONSORT_ENGINE_CUDA,
    .stable = true,
    .refuses = cuda_counting_refuses,
    .workspace = cuda_counting_workspace,
    .shared = cuda_counting_shared,
    .cost = cuda_counting_cost,
    .prepare = cuda_counting_prepare,
    .run = cuda_counting_run,
};
