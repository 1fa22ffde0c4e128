/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Host side of `fused` as an argsort: which requests it takes, and the launches, which are the same
 * whatever the data: clear, sample, two partitions of words, levels, octaves, two kinds of leaves;
 * then those of `hybrid`, which find nothing to do if words were sorted. For short lists one.
 */
#include "cuda/sorts/fused/fused.h"

#include <stdlib.h>

#include "core/plan.h"
#include "core/status.h"
#include "cuda/codec_constants.h"
#include "cuda/launch.h"
#include "cuda/sorts/fused/fused_layout.h"
#include "cuda/sorts/fused/fused_short.h"
#include "cuda/sorts/fused/fused_tuning.h"
#include "cuda/sorts/hybrid/hybrid.h"
#include "cuda/sorts/msd/msd_kernels.h"
#include "cuda/sorts/msd/msd_workspace.h"

enum {
    FUSED_PARAMETER_LEAF = 0,
    FUSED_PARAMETER_LONG = 1,
    FUSED_PARAMETERS = 2,
    FUSED_TABLES = 256 /* bytes before the tables of words: whether words are sorted */
};

static const consort_parameter_info fused_parameters[FUSED_PARAMETERS] = {
    {"leaf", "most words of a bucket that a block sorts in shared memory with its smaller shape",
     64, 4352, 4352},
    {"long", "keys from which on larger tiles make words of them", 1, UINT32_MAX, FUSED_LONG},
};

/* Only kernels for short lists are found for a plan that has no others. */
struct fused_state {
    struct fused_short short_lists;
    struct msd_kernel front, first, long_first, small, large;
    struct msd_state words;
    struct consort_plan hybrid;
};

/* From the start of the workspace, in bytes; `words` from behind what is before tables. `hybrid`
 * has its workspace in the same place, when words are done with. */
struct fused_workspace {
    struct msd_workspace words;
    uint64_t moved, total;
};

static bool fused_has_floats(const struct request *request)
{
    return request->order.pieces[0].codec.magnitude != 0;
}

static bool fused_takes_short(uint64_t count, const int64_t *parameters)
{
    return fused_is_short(count, (uint32_t)parameters[FUSED_PARAMETER_LEAF]);
}

static const char *fused_refuses(const struct request *request)
{
    const char *refusal = hybrid_argsort.refuses(request);
    int64_t standard[FUSED_PARAMETERS];
    algorithm_standards(&fused_argsort, standard);
    if (refusal)
        return refusal;
    if (request->item_bytes != 4 || request->index_bytes != 4)
        return "the GPU's fused sorts numbers of 4 bytes and writes indices of 4";
    if (fused_has_floats(request) && !fused_takes_short(request->maximum_count, standard))
        return "the GPU's fused argsorts at most 1048831 floats";
    return NULL;
}

static struct request fused_words_of(const struct request *request)
{
    struct request words = *request;
    words.operation = CONSORT_OPERATION_SORT;
    words.memory = CONSORT_MEMORY_DEVICE;
    words.form = CONSORT_FORM_COPY;
    words.item_bytes = FUSED_WORD_BYTES;
    return words;
}

/* Those of `msd` for words. */
static void fused_words_parameters(const int64_t *parameters, int64_t *of_msd)
{
    of_msd[MSD_PARAMETER_LEAF] = parameters[FUSED_PARAMETER_LEAF];
    of_msd[MSD_PARAMETER_LONG] = UINT32_MAX;
    of_msd[MSD_PARAMETER_MIDDLING] = 0;
    of_msd[MSD_PARAMETER_ROOMS] = UINT32_MAX;
    of_msd[MSD_PARAMETER_PREFIXES] = 0;
    of_msd[MSD_PARAMETER_ALIKE] = 0;
}

static struct fused_workspace fused_lay_out(const struct request *request,
                                            const int64_t *parameters)
{
    const struct request words = fused_words_of(request);
    int64_t of_msd[MSD_PARAMETERS];
    fused_words_parameters(parameters, of_msd);
    struct fused_workspace w = {.words = msd_lay_out(&words, of_msd, false, false)};
    w.moved = FUSED_TABLES + launch_aligned(w.words.total);
    w.total = w.moved + launch_aligned(request->maximum_count * FUSED_WORD_BYTES);
    const uint64_t end = FUSED_TABLES + hybrid_unless_workspace(request);
    w.total = w.total > end ? w.total : end;
    return w;
}

/* Lists of a plan may be short, and others. */
static uint64_t fused_workspace_bytes(const struct request *request, const int64_t *parameters)
{
    if (request->maximum_count == 0)
        return 0;
    const uint64_t least = fused_short_lay_out(request, false).total;
    if (fused_takes_short(request->maximum_count, parameters))
        return least;
    const uint64_t bytes = fused_lay_out(request, parameters).total;
    return bytes > least ? bytes : least;
}

static uint64_t fused_shared(const struct request *request)
{
    const uint64_t hybrid = hybrid_argsort.shared(request);
    const uint64_t words = msd_most_shared(msd_shape_of(FUSED_WORD_BYTES));
    const uint64_t most = hybrid > words ? hybrid : words;
    return most > fused_short_shared() ? most : fused_short_shared();
}

/* H200, CUDA 13.0, 2026-11, even u32: 2^23 214 µs, 2^24 319, 2^26 1.07 ms, 2^28 4.11; `hybrid` 247,
 * 389, 1.28, 4.52. Of uneven keys it takes 34 µs more than `hybrid` (2^24 zipf 540, 506). */
static double fused_cost(const struct request *request)
{
    int64_t parameters[FUSED_PARAMETERS];
    algorithm_standards(&fused_argsort, parameters);
    if (fused_takes_short(request->maximum_count, parameters))
        return fused_short_cost(request);
    return 70e3 + (double)request->maximum_count / 66.0;
}

static bool fused_find_all(struct fused_state *state, const struct device *device)
{
    return msd_find(device, &state->front, "fused", "fused_front", MSD_PLAN_THREADS,
                    fused_front_bytes()) &&
           msd_find(device, &state->first, "fused", "fused_first", FUSED_THREADS,
                    msd_tile_bytes(FUSED_WORD_BYTES, FUSED_THREADS, FUSED_ITEMS)) &&
           msd_find(device, &state->long_first, "fused", "fused_long_first", FUSED_LONG_THREADS,
                    msd_tile_bytes(FUSED_WORD_BYTES, FUSED_LONG_THREADS, FUSED_ITEMS)) &&
           msd_find(device, &state->small, "fused", "fused_small", FUSED_SMALL_THREADS,
                    fused_small_bytes()) &&
           msd_find(device, &state->large, "fused", "fused_large", FUSED_LARGE_THREADS,
                    fused_large_bytes()) &&
           msd_find_all(device, msd_shape_of(FUSED_WORD_BYTES), false, &state->words);
}

static consort_status fused_prepare(struct consort_plan *plan, const struct device *device)
{
    struct fused_state *state = calloc(1, sizeof *state);
    if (!state)
        return status_fail(CONSORT_ERROR_MEMORY, "plan: out of memory");
    plan->state = state;
    if (!device->cooperative)
        return status_fail(CONSORT_ERROR_NO_KERNEL, "fused needs cooperative launches");
    if (!fused_short_find(device, &state->short_lists))
        return consort_last_error()->status;
    if (fused_takes_short(plan->request.maximum_count, plan->parameters))
        return CONSORT_OK;
    if (!fused_find_all(state, device))
        return consort_last_error()->status;
    state->hybrid.request = plan->request;
    state->hybrid.algorithm = &hybrid_argsort;
    state->hybrid.device = device->ordinal;
    algorithm_standards(&hybrid_argsort, state->hybrid.parameters);
    return hybrid_argsort.prepare(&state->hybrid, device);
}

static void fused_release(struct consort_plan *plan)
{
    struct fused_state *state = plan->state;
    plan_release_state(&state->hybrid);
}

static struct fused_arguments fused_arguments_of(const struct consort_plan *plan,
                                                 const struct run *run,
                                                 const struct fused_workspace *w)
{
    const struct fused_state *state = plan->state;
    const consort_arguments *arguments = run->arguments;
    const struct msd_shape *shape = msd_shape_of(FUSED_WORD_BYTES);
    const struct request words = fused_words_of(&plan->request);
    char *workspace = run->workspace, *tables = workspace + FUSED_TABLES;
    int64_t of_msd[MSD_PARAMETERS];
    fused_words_parameters(plan->parameters, of_msd);
    struct fused_arguments a = {
        .words = msd_arguments_within(&words, &w->words, tables, arguments->count, of_msd),
        .keys = arguments->in,
        .places = arguments->indices,
        .sorted = run->workspace,
        .shift = (uint32_t)__builtin_clz((unsigned)(arguments->count - 1) | 1),
        .codec = codec_constants_of(&plan->request.order.pieces[0].codec)};
    a.words.codec.identity = 1;
    a.words.buffers[0] = tables + w->words.keys;
    a.words.buffers[1] = workspace + w->moved;
    a.words.tile_keys = shape->threads * shape->items;
    a.words.outcome = arguments->outcome;
    msd_give_rooms(&a.words, &words, &w->words, tables, of_msd, state->words.second.blocks);
    return a;
}

static consort_status fused_sort_words(const struct consort_plan *plan, struct fused_arguments *a,
                                       consort_stream stream)
{
    struct lsd_arguments no_passes = {0};
    void *list[] = {a}, *words[] = {&a->words, &no_passes};
    const struct fused_state *state = plan->state;
    const struct msd_state *msd = &state->words;
    const bool longer = a->words.count >= (uint64_t)plan->parameters[FUSED_PARAMETER_LONG];
    const struct msd_kernel *first = longer ? &state->long_first : &state->first;
    consort_status status = launch_kernel(&state->front.launch, state->front.blocks, stream, list);
    if (status == CONSORT_OK)
        status = launch_kernel(&first->launch, first->blocks, stream, list);
    if (status == CONSORT_OK)
        status = launch_cooperative(&msd->second.launch, msd->second.blocks, stream, words);
    if (status == CONSORT_OK)
        status = launch_cooperative(&msd->levels.launch, msd->levels.blocks, stream, words);
    if (status == CONSORT_OK)
        status = launch_cooperative(&msd->octaves.launch, msd->octaves.blocks, stream, words);
    if (status == CONSORT_OK)
        status = launch_kernel(&state->small.launch, state->small.blocks, stream, list);
    return status == CONSORT_OK
               ? launch_kernel(&state->large.launch, state->large.blocks, stream, list)
               : status;
}

static consort_status fused_run(const struct consort_plan *plan, const struct run *run)
{
    const struct fused_state *state = plan->state;
    if (fused_takes_short(run->arguments->count, plan->parameters))
        return fused_short_run(&plan->request, &state->short_lists, run,
                               (uint32_t)plan->parameters[FUSED_PARAMETER_LEAF]);
    const struct fused_workspace w = fused_lay_out(&plan->request, plan->parameters);
    struct fused_arguments a = fused_arguments_of(plan, run, &w);
    struct run rest = *run;
    rest.workspace = (char *)run->workspace + FUSED_TABLES;
    if (!a.words.rooms)
        return hybrid_argsort.run(&state->hybrid, &rest);
    consort_status status = fused_sort_words(plan, &a, run->stream);
    return status == CONSORT_OK ? hybrid_run_unless(&state->hybrid, &rest, a.sorted) : status;
}

const struct algorithm fused_argsort = {
    .name = "fused",
    .summary =
        "even keys and their places in words, sorted as by `msd`; others by passes or `hybrid`",
    .operation = CONSORT_OPERATION_ARGSORT,
    .engine = CONSORT_ENGINE_CUDA,
    .stable = true,
    .parameters = fused_parameters,
    .parameter_count = FUSED_PARAMETERS,
    .refuses = fused_refuses,
    .workspace = fused_workspace_bytes,
    .shared = fused_shared,
    .cost = fused_cost,
    .prepare = fused_prepare,
    .release = fused_release,
    .run = fused_run,
};
