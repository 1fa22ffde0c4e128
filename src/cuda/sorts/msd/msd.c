/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Host side of `msd`: when it sorts, which kernels, and the launches, which are the same
 * whatever the data: sample and histogram and plan, two partitions, levels (of narrow keys with the
 * second partition), passes, two kinds of leaves, of long lists leaves of halves, too; for middling
 * lists partitions and levels in one, and one kind of leaves; for short ones everything.
 */
#include "cuda/sorts/msd/msd.h"

#include <stdlib.h>

#include "core/plan.h"
#include "core/status.h"
#include "cuda/codec_constants.h"
#include "cuda/launch.h"
#include "cuda/sorts/lsd/lsd_request.h"
#include "cuda/sorts/msd/msd_cost.h"
#include "cuda/sorts/msd/msd_kernels.h"
#include "cuda/sorts/msd/msd_layout.h"
#include "cuda/sorts/msd/msd_tuning.h"
#include "cuda/sorts/msd/msd_workspace.h"

static const consort_parameter_info msd_parameters[MSD_PARAMETERS] = {
    {"leaf", "most keys of a bucket that a block sorts in shared memory with its smaller shape", 64,
     4352, 4352},
    {"long",
     "keys of up to 8 bytes from which on larger tiles move them; leaves of those of 4 bytes are "
     "sorted by halves",
     1, UINT32_MAX, 1 << 26},
    {"middling",
     "most keys of 4 bytes that are moved to leaves at once, if they fit the blocks of one launch",
     0, UINT32_MAX, UINT32_MAX},
    {"rooms",
     "most keys of up to 8 bytes that move, uncounted, to rooms: memory for somewhat more of them "
     "than chance brings there",
     0, UINT32_MAX, UINT32_MAX},
    {"prefixes", "most keys of 8 bytes that passes by their upper bytes may sort", 0, UINT32_MAX,
     1 << 23},
    {"alike",
     "most of 8192 sampled keys of which another is alike in these bytes, but not the same, if "
     "passes by them sort",
     0, UINT32_MAX, 0},
};

/* Kernels round counts up to whole tiles in 32 bits; no tile has so many keys. */
static const uint64_t msd_most_keys = UINT32_MAX - 65535;

static const char *msd_refuses(const struct request *request)
{
    if (!request_is_plain(request) || !msd_shape_of(request->item_bytes))
        return "the GPU's msd sorts numbers and byte strings of 4, 8 or 16 bytes, not in NumPy's "
               "float order";
    if (request->value_count > 0)
        return "the GPU's msd sorts keys alone";
    if (request->maximum_count > msd_most_keys)
        return "the GPU's msd sorts at most 2^32 - 65536 keys";
    return NULL;
}

/* Lists that the blocks of one launch, but for one, hold in their registers. */
static bool msd_is_middling(const struct msd_state *state, uint64_t count,
                            const int64_t *parameters)
{
    const uint64_t tile = MSD_MIDDLING_THREADS * MSD_MIDDLING_ITEMS;
    return state->middling.blocks > 1 && count <= (state->middling.blocks - 1) * tile &&
           msd_may_be_middling(count, parameters);
}

static uint64_t msd_held_keys(const struct msd_state *state)
{
    return lsd_held_keys(state->whole.blocks, MSD_WHOLE_THREADS * MSD_WHOLE_ITEMS);
}

/* Short lists of narrow keys that the blocks of one launch hold, as its kernel finds, too. */
static bool msd_holds(const struct msd_state *state, const struct request *request, uint64_t count,
                      const int64_t *parameters)
{
    return request->item_bytes <= MSD_WHOLE_HELD_KEY_BYTES && msd_is_short(count, parameters) &&
           count <= msd_held_keys(state);
}

/* Short lists that blocks were to hold, but do not, go the way of longer ones. */
static bool msd_goes_at_once(const struct msd_state *state, const struct request *request,
                             uint64_t count, const int64_t *parameters)
{
    return count <= msd_small_leaf(parameters) ||
           (msd_is_short(count, parameters) &&
            (!state->holds_short || msd_holds(state, request, count, parameters)));
}

static struct msd_workspace msd_lay_out_run(const struct consort_plan *plan, uint64_t count)
{
    const struct msd_state *state = plan->state;
    const struct request *request = &plan->request;
    return msd_holds(state, request, count, plan->parameters)
               ? msd_lay_out_held(request, count, plan->parameters)
               : msd_lay_out(request, plan->parameters, true, state->holds_short);
}

static uint64_t msd_workspace_bytes(const struct request *request, const int64_t *parameters)
{
    return msd_is_held(request, parameters)
               ? msd_lay_out_held(request, request->maximum_count, parameters).total
               : msd_lay_out(request, parameters, true, msd_holds_short(request, parameters)).total;
}

/* A short piece that blocks were to hold, but do not, has no tables for the way of longer lists. */
uint64_t msd_workspace_for(const struct consort_plan *plan, uint64_t count)
{
    struct consort_plan piece = *plan;
    piece.request.maximum_count = count;
    return !msd_is_short(count, plan->parameters) ||
                   msd_goes_at_once(plan->state, &plan->request, count, plan->parameters)
               ? msd_lay_out_run(&piece, count).total
               : UINT64_MAX;
}

static double msd_cost(const struct request *request)
{
    const uint64_t count = request->maximum_count;
    int64_t standard[MSD_PARAMETERS];
    algorithm_standards(&msd_sort, standard);
    return msd_nanoseconds(request, count <= (uint64_t)standard[MSD_PARAMETER_LEAF],
                           msd_is_short(count, standard),
                           msd_may_have_rooms(request, count, standard));
}

static uint64_t msd_shared(const struct request *request)
{
    return msd_most_shared(msd_shape_of(request->item_bytes));
}

static consort_status msd_prepare(struct consort_plan *plan, const struct device *device)
{
    struct msd_state *state = calloc(1, sizeof *state);
    if (!state)
        return status_fail(CONSORT_ERROR_MEMORY, "plan: out of memory");
    plan->state = state;
    if (!device->cooperative)
        return status_fail(CONSORT_ERROR_NO_KERNEL, "msd needs cooperative launches");
    const struct request *request = &plan->request;
    bool longer = msd_is_long(request, request->maximum_count, plan->parameters);
    if (!msd_find_all(device, msd_shape_of(request->item_bytes), longer, state))
        return consort_last_error()->status;
    state->early = launch_can_wait(&state->levels.launch);
    state->holds_short = msd_holds_short(request, plan->parameters);
    return msd_is_held(request, plan->parameters)
               ? lsd_request_check_held(request, msd_held_keys(state))
               : CONSORT_OK;
}

/* Passes beat buckets that have to be split again and again: of keys of 4 bytes, and of 8-byte keys
 * between short lists and MSD_WIDE_PASSED, all that crowd; of other wide keys those that crowd in
 * their lowest byte, too; never those of longer lists of 16-byte keys (H200: low-entropy u128 of
 * 2^27 47.8 ms with passes, 20.4 without). */
static uint32_t msd_when_passes(const struct consort_plan *plan, uint64_t count)
{
    const struct request *request = &plan->request;
    bool is_short = msd_goes_at_once(plan->state, request, count, plan->parameters);
    if (request->maximum_count > MSD_MOST_PASSED || (request->item_bytes == 16 && !is_short))
        return MSD_NEVER;
    bool wide = request->item_bytes > MSD_LONG_KEY_BYTES;
    return !wide || (!is_short && count < MSD_WIDE_PASSED) ? MSD_CROWDED : MSD_BIASED;
}

/* Passes by a prefix leave runs in the result's place, which that of a double buffer need not be.
 */
static bool msd_asks(const struct consort_plan *plan, uint64_t count)
{
    return plan->request.item_bytes == MSD_PREFIX_KEY_BYTES &&
           plan->request.maximum_count <= MSD_MOST_PASSED &&
           !msd_uses_both_buffers(&plan->request) &&
           count <= (uint64_t)plan->parameters[MSD_PARAMETER_PREFIXES];
}

static struct msd_arguments msd_arguments_of(const struct consort_plan *plan, const struct run *run,
                                             const struct msd_workspace *w)
{
    const struct request *request = &plan->request;
    const consort_arguments *arguments = run->arguments;
    const struct msd_state *state = plan->state;
    const bool held = msd_holds(state, request, arguments->count, plan->parameters);
    bool both = msd_uses_both_buffers(request);
    bool halves = msd_has_halves(request, arguments->count, plan->parameters);
    bool middling = !halves && msd_is_middling(state, arguments->count, plan->parameters);
    const struct msd_shape *shape = msd_shape_of(request->item_bytes);
    struct msd_arguments a =
        msd_arguments_within(request, w, run->workspace, arguments->count, plan->parameters);
    a.in = arguments->in;
    a.out = arguments->out;
    a.buffers[0] = both || held ? arguments->out : launch_place(run->workspace, w->keys);
    a.buffers[1] = both ? (void *)arguments->in : arguments->out;
    a.tile_keys = halves ? MSD_LONG_THREADS * MSD_LONG_ITEMS : shape->threads * shape->items;
    a.pass_keys = middling ? MSD_MIDDLING_PASS_THREADS * MSD_MIDDLING_PASS_ITEMS
                           : msd_pass_keys(request, plan->parameters);
    a.halves = halves;
    a.histogram_blocks = middling ? state->middling.blocks : state->front.blocks;
    if (middling)
        a.large_leaf = a.small_leaf;
    a.passes = msd_when_passes(plan, arguments->count);
    a.asks = msd_asks(plan, arguments->count);
    a.most_alike = (uint32_t)plan->parameters[MSD_PARAMETER_ALIKE];
    a.outcome = arguments->outcome;
    a.codec = codec_constants_of(&request->order.pieces[0].codec);
    if (!middling)
        msd_give_rooms(&a, request, w, run->workspace, plan->parameters,
                       halves ? state->long_second.blocks : state->second.blocks);
    return a;
}

/* The same sort by passes. */
static struct lsd_arguments msd_passes_of(const struct consort_plan *plan, const struct run *run,
                                          const struct msd_workspace *w,
                                          const struct msd_arguments *a)
{
    const struct request *request = &plan->request;
    bool both = msd_uses_both_buffers(request);
    return (struct lsd_arguments){
        .keys_in = a->in,
        .keys_out = a->out,
        .keys_spare = {both ? a->buffers[1] : a->buffers[0]},
        .control = launch_place(run->workspace, w->passes),
        .lookback = launch_place(run->workspace, w->lookback),
        .count = a->count,
        .passes = (uint32_t)request->item_bytes,
        .cuttable = request->item_bytes == MSD_CUT_KEY_BYTES ? MSD_MOST_CUT : 0,
        .in_place = a->in == a->out,
        .first_done = !msd_goes_at_once(plan->state, request, a->count, plan->parameters),
        .double_buffer = both,
        .outcome = a->outcome,
        .codec = a->codec};
}

/* A list that is one leaf, or one of which the levels make small leaves alone. */
static consort_status msd_run_short(const struct msd_state *state, struct msd_arguments *a,
                                    struct lsd_arguments *passes, consort_stream stream)
{
    void *parameters[] = {a, passes};
    if (a->count <= a->small_leaf)
        return launch_kernel(&state->alone.launch, 1, stream, parameters);
    a->large_leaf = a->small_leaf;
    uint64_t useful = a->count / MSD_WHOLE_BLOCK_KEYS + 1;
    uint64_t blocks = useful < state->whole.blocks ? useful : state->whole.blocks;
    return launch_cooperative(&state->whole.launch, blocks, stream, parameters);
}

static consort_status msd_launch(const struct msd_kernel *kernel, consort_stream stream,
                                 void **parameters)
{
    return launch_kernel(&kernel->launch, kernel->blocks, stream, parameters);
}

/* All blocks live at the same time. */
static consort_status msd_launch_together(const struct msd_kernel *kernel, consort_stream stream,
                                          void **parameters)
{
    return launch_cooperative(&kernel->launch, kernel->blocks, stream, parameters);
}

/* Begins while the launch before ends: kernels that mostly find nothing to do. Others would gain
 * less than they lose: leaves take 5 µs longer so (H200, 2^24 u32), the first partition of keys
 * that crowd 4. */
static consort_status msd_launch_early(const struct msd_state *state,
                                       const struct msd_kernel *kernel, consort_stream stream,
                                       void **parameters)
{
    return launch_following(&kernel->launch, state->early, kernel->blocks, stream, parameters);
}

static consort_status msd_launch_early_together(const struct msd_state *state,
                                                const struct msd_kernel *kernel,
                                                consort_stream stream, void **parameters)
{
    return launch_cooperative_following(&kernel->launch, state->early, kernel->blocks, stream,
                                        parameters);
}

/* Leaves of both kinds. */
static consort_status msd_run_leaves(const struct msd_state *state, consort_stream stream,
                                     void **parameters)
{
    consort_status status = msd_launch(&state->small, stream, parameters);
    if (status == CONSORT_OK)
        status = msd_launch_early(state, &state->large, stream, parameters);
    return status;
}

/* Their cells hardly ever are too large for small leaves (of 2^22 even keys, one in 2^15): levels
 * split those. */
static consort_status msd_run_middling(const struct msd_state *state, consort_stream stream,
                                       void **parameters)
{
    consort_status status = msd_launch_together(&state->middling, stream, parameters);
    if (status == CONSORT_OK)
        status = msd_launch_early_together(state, &state->uneven, stream, parameters);
    if (status == CONSORT_OK)
        status = msd_launch_early_together(state, &state->middling_passes, stream, parameters);
    if (status == CONSORT_OK)
        status = msd_launch(&state->small, stream, parameters);
    return status;
}

static consort_status msd_run(const struct consort_plan *plan, const struct run *run)
{
    const struct msd_state *state = plan->state;
    const struct msd_workspace w = msd_lay_out_run(plan, run->arguments->count);
    struct msd_arguments a = msd_arguments_of(plan, run, &w);
    struct lsd_arguments passes = msd_passes_of(plan, run, &w, &a);
    void *parameters[] = {&a, &passes};
    if (msd_goes_at_once(state, &plan->request, a.count, plan->parameters))
        return msd_run_short(state, &a, &passes, run->stream);
    const bool longer = msd_is_long(&plan->request, a.count, plan->parameters);
    const bool halves = msd_has_halves(&plan->request, a.count, plan->parameters);
    const bool middling = !halves && msd_is_middling(state, a.count, plan->parameters);
    if (middling)
        return msd_run_middling(state, run->stream, parameters);
    consort_status status = msd_launch_together(&state->front, run->stream, parameters);
    if (status == CONSORT_OK)
        status = msd_launch(longer ? &state->long_first : &state->first, run->stream, parameters);
    const bool joined = !halves && plan->request.item_bytes <= MSD_JOINED_KEY_BYTES;
    if (status == CONSORT_OK) {
        const struct msd_kernel *second = halves ? &state->long_second : &state->second;
        status = a.rooms || joined ? msd_launch_together(second, run->stream, parameters)
                                   : msd_launch(second, run->stream, parameters);
    }
    if (status == CONSORT_OK && !joined)
        status = msd_launch_early_together(state, &state->levels, run->stream, parameters);
    const struct msd_kernel *by_digits =
        state->long_passes.launch.function ? &state->long_passes : &state->passes;
    if (status == CONSORT_OK && by_digits->launch.function)
        status = msd_launch_early_together(state, by_digits, run->stream, parameters);
    if (status == CONSORT_OK && state->octaves.launch.function)
        status = msd_launch_early_together(state, &state->octaves, run->stream, parameters);
    if (status == CONSORT_OK && halves)
        status = msd_launch(&state->halves, run->stream, parameters);
    if (status == CONSORT_OK && halves && msd_has_numbers(&plan->request))
        status = msd_launch(&state->numbers, run->stream, parameters);
    if (status == CONSORT_OK && halves)
        status = msd_launch_early(state, &state->crowded, run->stream, parameters);
    if (status == CONSORT_OK)
        status = msd_run_leaves(state, run->stream, parameters);
    return status;
}

const struct algorithm msd_sort = {
    .name = "msd",
    .summary = "radix sort from the top digit, buckets finished in shared memory; keys alone",
    .operation = CONSORT_OPERATION_SORT,
    .engine = CONSORT_ENGINE_CUDA,
    .stable = true,
    .parameters = msd_parameters,
    .parameter_count = MSD_PARAMETERS,
    .refuses = msd_refuses,
    .workspace = msd_workspace_bytes,
    .shared = msd_shared,
    .cost = msd_cost,
    .prepare = msd_prepare,
    .run = msd_run,
};
