/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Host side of `fused`'s short lists: where things lie in the workspace, the launch; and `fused` as
 * a sort, which has short lists alone.
 */
#include "cuda/sorts/fused/fused_short.h"

#include <stdlib.h>

#include "core/status.h"
#include "cuda/carried_values.h"
#include "cuda/driver/driver.h"
#include "cuda/sorts/fused/fused.h"
#include "cuda/sorts/fused/fused_layout.h"
#include "cuda/sorts/fused/fused_tuning.h"
#include "cuda/sorts/gather/cuda_gather.h"
#include "cuda/sorts/hybrid/hybrid.h"
#include "cuda/sorts/hybrid/hybrid_tuning.h"
#include "cuda/sorts/msd/msd_workspace.h"

static uint32_t fused_alone_bytes(void)
{
    return hybrid_leaf_bytes(4, 4, HYBRID_ALONE_THREADS, HYBRID_ALONE_ITEMS);
}

uint32_t fused_short_shared(void)
{
    const uint32_t whole = fused_short_bytes(), alone = fused_alone_bytes();
    return whole > alone ? whole : alone;
}

bool fused_short_find(const struct device *device, struct fused_short *kernels)
{
    const uint32_t alone = fused_alone_bytes();
    kernels->alone = (struct launch){kernels_find(device, "hybrid", "hybrid_alone_32_4", alone),
                                     HYBRID_ALONE_THREADS, alone};
    return kernels->alone.function && msd_find(device, &kernels->whole, "fused", "fused_short_list",
                                               MSD_WHOLE_THREADS, fused_short_bytes());
}

bool fused_is_short(uint64_t count, uint32_t leaf)
{
    return count / leaf < MSD_WHOLE_LEAVES;
}

enum {
    FUSED_SHORT_TILE = MSD_WHOLE_THREADS * MSD_WHOLE_ITEMS
};

static uint64_t fused_short_tiles(const struct request *request)
{
    return (request->maximum_count + FUSED_SHORT_TILE - 1) / FUSED_SHORT_TILE;
}

/* Lists that blocks hold have no histogram. */
static uint64_t fused_short_controls(const struct request *request, bool held)
{
    const uint32_t rows = held ? 0 : (uint32_t)request->item_bytes;
    return launch_aligned(sizeof(struct fused_short_control)) +
           launch_aligned(lsd_control_bytes(rows, fused_short_tiles(request)));
}

/* Behind the control blocks a row for each tile: of counts if blocks hold it, else of look-back
 * words. */
static uint64_t fused_short_scratch(const struct request *request, bool held)
{
    const uint64_t word = held ? sizeof(lsd_held_count) : 4;
    return fused_short_controls(request, held) + fused_short_tiles(request) * LSD_BINS * word;
}

struct lsd_workspace fused_short_lay_out(const struct request *request, bool held)
{
    return lsd_request_lay_out(request, fused_short_scratch(request, held));
}

consort_status fused_short_run(const struct request *request, const struct fused_short *kernels,
                               const struct run *run, uint32_t leaf)
{
    const struct lsd_workspace w = fused_short_lay_out(request, kernels->held);
    const uint64_t control = launch_aligned(sizeof(struct fused_short_control));
    const uint64_t controls = fused_short_controls(request, kernels->held);
    struct fused_short_arguments a = {
        .list = lsd_request_arguments(request, run, &w), .control = run->workspace, .leaf = leaf};
    char *workspace = run->workspace;
    a.list.control = (struct lsd_control *)(workspace + control);
    a.list.lookback = (uint32_t *)(workspace + controls);
    a.words = (uint64_t *)(workspace + w.keys[0]);
    a.shift = (uint32_t)__builtin_clz((unsigned)(a.list.count - 1) | 1);
    void *alone[] = {&a.list}, *whole[] = {&a};
    if (a.list.count <= leaf)
        return launch_kernel(&kernels->alone, 1, run->stream, alone);
    const uint64_t useful = a.list.count / FUSED_SHORT_BLOCK_KEYS + 1;
    const uint64_t blocks = useful < kernels->whole.blocks ? useful : kernels->whole.blocks;
    return launch_cooperative(&kernels->whole.launch, blocks, run->stream, whole);
}

/* CUDA 13.0, 2026-11, u32 + 4 bytes, H100: even keys of 2^16 24 µs, 2^18 25, 2^20 46 (`hybrid` 46,
 * 45, 58); uneven ones 43, 48, 63 to 67 (60, 63, 77), floats, which take passes always, like them.
 * H200, replayed: even keys of 2^14 16, 2^16 17, 2^20 37 (32, 34, 44). */
double fused_short_cost(const struct request *request)
{
    const double count = (double)request->maximum_count;
    const bool floats = request->order.pieces[0].codec.magnitude != 0;
    if (request->replay)
        return (floats ? 36e3 : 15e3) + count / 48.0;
    return (floats ? 41e3 : 22e3) + count / 45.0;
}

enum {
    FUSED_SORT_LEAF = 0
};

static const consort_parameter_info fused_sort_parameters[] = {
    {"leaf", "most words of a bucket that a block sorts in shared memory", 64, 4352, 4352},
};

struct fused_sort_state {
    struct fused_short kernels;
    struct launch gather;
};

static const char *fused_sort_refuses(const struct request *request)
{
    const char *refusal = hybrid_sort.refuses(request);
    if (refusal)
        return refusal;
    if (request->item_bytes != 4 || lsd_request_value_bytes(request) != 4 ||
        carried_values_use_both_buffers(request))
        return "the GPU's fused sorts numbers of 4 bytes with values, without a double buffer";
    if (!fused_is_short(request->maximum_count, (uint32_t)fused_sort_parameters[0].standard))
        return "the GPU's fused sorts at most 1048831 items with values";
    return NULL;
}

/* Whether blocks of one launch hold every list of a plan for pairs. By what is known of its GPU
 * before kernels are, as lsd_request_held_keys() has it. */
static bool fused_short_is_held(const struct request *request)
{
    return request->maximum_count <=
           lsd_request_held_keys(request, FUSED_SHORT_TILE, fused_short_bytes());
}

static uint64_t fused_sort_workspace(const struct request *request, const int64_t *parameters)
{
    (void)parameters;
    const bool held = fused_short_is_held(request);
    return request->maximum_count == 0 ? 0 : fused_short_lay_out(request, held).total;
}

static uint64_t fused_sort_shared(const struct request *request)
{
    (void)request;
    return fused_short_shared();
}

static consort_status fused_sort_prepare(struct consort_plan *plan, const struct device *device)
{
    struct fused_sort_state *state = calloc(1, sizeof *state);
    if (!state)
        return status_fail(CONSORT_ERROR_MEMORY, "plan: out of memory");
    plan->state = state;
    if (!device->cooperative)
        return status_fail(CONSORT_ERROR_NO_KERNEL, "fused needs cooperative launches");
    if (!fused_short_find(device, &state->kernels))
        return consort_last_error()->status;
    consort_status status = CONSORT_OK;
    state->kernels.held = fused_short_is_held(&plan->request);
    if (state->kernels.held)
        status = lsd_request_check_held(
            &plan->request, lsd_held_keys(state->kernels.whole.blocks, FUSED_SHORT_TILE));
    return status == CONSORT_OK ? cuda_gather_prepare(&state->gather, device) : status;
}

static consort_status fused_sort_launch(const struct consort_plan *plan, const struct run *run,
                                        const struct lsd_workspace *w)
{
    (void)w;
    const struct fused_sort_state *state = plan->state;
    return fused_short_run(&plan->request, &state->kernels, run,
                           (uint32_t)plan->parameters[FUSED_SORT_LEAF]);
}

static consort_status fused_sort_run(const struct consort_plan *plan, const struct run *run)
{
    const struct fused_sort_state *state = plan->state;
    const struct lsd_workspace w = fused_short_lay_out(&plan->request, state->kernels.held);
    return lsd_request_run(plan, run, &w, &state->gather, fused_sort_launch);
}

const struct algorithm fused_sort = {
    .name = "fused",
    .summary = "even keys and their places in words, sorted in one launch, or by passes; pairs",
    .operation = CONSORT_OPERATION_SORT,
    .engine = CONSORT_ENGINE_CUDA,
    .stable = true,
    .steps = true,
    .parameters = fused_sort_parameters,
    .parameter_count = sizeof fused_sort_parameters / sizeof fused_sort_parameters[0],
    .refuses = fused_sort_refuses,
    .workspace = fused_sort_workspace,
    .shared = fused_sort_shared,
    .cost = fused_short_cost,
    .prepare = fused_sort_prepare,
    .run = fused_sort_run,
};
