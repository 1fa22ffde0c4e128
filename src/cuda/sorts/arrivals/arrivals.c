/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `merge-arrivals`: the list comes in pieces, each half as long as the one before. A piece is
 * sorted while the next is on the bus, and merged with all before it; after the last, which is
 * short, only its own sort and one merge are left.
 *
 * Two arrays hold it: the result's, and a spare one in the workspace. What is merged so far is a
 * run at the start of one, and each merge takes it to the other. So a piece arrives where the run
 * will lie when it is there, behind it. Until the merge the other array is free up to the
 * next piece's place: there the sort of a piece has its workspace.
 */
#include "cuda/sorts/arrivals/arrivals.h"

#include <stdlib.h>

#include "core/plan.h"
#include "core/status.h"
#include "cuda/cuda_engine.h"
#include "cuda/launch.h"
#include "cuda/sorts/merge/cuda_merge_path.h"
#include "cuda/sorts/msd/msd.h"

enum {
    ARRIVALS_PIECES, /* the parameter */
    ARRIVALS_MOST = 9,
    ARRIVALS_STANDARD = 5,
    ARRIVALS_GRAIN = 64, /* items: pieces begin where vectors may */
    ARRIVALS_ALIGNMENT = 256
};

/* Queueing a piece, and the bus between two of them: 2^24 pinned u32 keys take 2.73 ms, 2.77 in one
 * piece, 2^26 10.1 and 10.6 (H200, 2026-11). */
static const double arrivals_turn_ns = 15e3;

static const consort_parameter_info arrivals_parameters[] = {
    [ARRIVALS_PIECES] = {"pieces", "pieces that a list arrives in; of even numbers one more", 1,
                         ARRIVALS_MOST, ARRIVALS_STANDARD},
};

struct arrivals_state {
    struct consort_plan sort, merge;
};

/* How one run's list is cut; piece p is what begins at p and ends where p + 1 begins. */
struct arrivals {
    const struct arrivals_state *state;
    const struct run *run;
    uint64_t item_bytes;
    uint64_t begins[ARRIVALS_MOST + 1];
    uint32_t pieces; /* odd, so that the last merge ends in the result's array */
    char *arrays[2]; /* the result's, the spare one */
    uint64_t slack;  /* bytes that the spare one is longer; its pieces stand so much further back */
    void *cuts;      /* the merges' workspace */
};

static const char *arrivals_refuses(const struct request *request)
{
    if (request->memory != CONSORT_MEMORY_HOST)
        return "it is for arrays in host memory";
    return msd_sort.refuses(request);
}

static uint64_t arrivals_shared(const struct request *request)
{
    return msd_sort.shared(request);
}

static struct request arrivals_request(const struct request *whole, int32_t operation)
{
    struct request request = *whole;
    request.operation = operation;
    request.memory = CONSORT_MEMORY_DEVICE;
    request.form = CONSORT_FORM_COPY;
    request.device = cuda_engine_device(whole);
    return request;
}

/* The spare array holds the keys once more, and the workspace of a sort in one piece, which mostly
 * is larger. */
static uint64_t arrivals_spare_bytes(const struct request *whole)
{
    int64_t parameters[ALGORITHM_MAXIMUM_PARAMETERS];
    const struct request request = arrivals_request(whole, CONSORT_OPERATION_SORT);
    const uint64_t keys = launch_aligned(whole->maximum_count * whole->item_bytes);
    algorithm_standards(&msd_sort, parameters);
    const uint64_t sort = launch_aligned(msd_sort.workspace(&request, parameters));
    return sort > keys ? sort : keys;
}

static uint64_t arrivals_workspace(const struct request *request, const int64_t *parameters)
{
    struct request merge = arrivals_request(request, CONSORT_OPERATION_MERGE);
    (void)parameters;
    return request->maximum_count == 0
               ? 0
               : arrivals_spare_bytes(request) + cuda_merge_path.workspace(&merge, NULL);
}

/* What the bus does not hide. */
static double arrivals_cost(const struct request *request)
{
    struct request last = *request;
    last.maximum_count >>= ARRIVALS_STANDARD - 1;
    return ARRIVALS_STANDARD * arrivals_turn_ns + msd_sort.cost(&last) +
           cuda_merge_path.cost(request);
}

static consort_status arrivals_prepare_one(struct consort_plan *part, const struct request *whole,
                                           const struct algorithm *algorithm,
                                           const struct device *device)
{
    part->request = arrivals_request(whole, algorithm->operation);
    part->algorithm = algorithm;
    part->device = device->ordinal;
    algorithm_standards(algorithm, part->parameters);
    return algorithm->prepare(part, device);
}

static consort_status arrivals_prepare(struct consort_plan *plan, const struct device *device)
{
    struct arrivals_state *state = calloc(1, sizeof *state);
    if (!state)
        return status_fail(CONSORT_ERROR_MEMORY, "plan: out of memory");
    plan->state = state;
    consort_status status = arrivals_prepare_one(&state->sort, &plan->request, &msd_sort, device);
    return status == CONSORT_OK
               ? arrivals_prepare_one(&state->merge, &plan->request, &cuda_merge_path, device)
               : status;
}

static void arrivals_release(struct consort_plan *plan)
{
    struct arrivals_state *state = plan->state;
    plan_release_state(&state->sort);
    plan_release_state(&state->merge);
}

/* The result's array has pieces 0 and 1, and all odd ones. */
static bool arrivals_is_spare(uint32_t piece)
{
    return piece >= 2 && piece % 2 == 0;
}

static uint64_t arrivals_count(const struct arrivals *a, uint32_t piece)
{
    return a->begins[piece + 1] - a->begins[piece];
}

/* Bytes of the array that a piece does not lie in that are free while the piece is sorted. The
 * result's may begin anywhere. */
static uint64_t arrivals_room(const struct arrivals *a, uint32_t piece)
{
    uint64_t bytes = a->begins[piece == 0 ? 2 : piece + 1] * a->item_bytes;
    if (!arrivals_is_spare(piece))
        return a->slack + bytes;
    return bytes < ARRIVALS_ALIGNMENT ? 0 : bytes - ARRIVALS_ALIGNMENT;
}

/* False: a piece is so short that what its sort counts is more than its keys. */
static bool arrivals_cut(struct arrivals *a, uint32_t pieces)
{
    uint64_t count = a->run->arguments->count;
    a->pieces = pieces;
    for (uint32_t p = 0; p < pieces; p++)
        a->begins[p] = (count - (count >> p)) / ARRIVALS_GRAIN * ARRIVALS_GRAIN;
    a->begins[pieces] = count;
    bool fits = pieces > 1;
    for (uint32_t p = 0; p < pieces && fits; p++)
        fits = arrivals_count(a, p) > 0 &&
               msd_workspace_for(&a->state->sort, arrivals_count(a, p)) <= arrivals_room(a, p);
    return fits;
}

static char *arrivals_place(const struct arrivals *a, uint32_t piece)
{
    bool spare = arrivals_is_spare(piece);
    return a->arrays[spare] + (spare ? a->slack : 0) + a->begins[piece] * a->item_bytes;
}

static void *arrivals_sort_workspace(const struct arrivals *a, uint32_t piece)
{
    uintptr_t at = (uintptr_t)a->arrays[arrivals_is_spare(piece) ? 0 : 1];
    uintptr_t over = at % ARRIVALS_ALIGNMENT;
    return (void *)(over > 0 ? at + ARRIVALS_ALIGNMENT - over : at);
}

/* A plan of msd for fewer items has the same kernels. */
static consort_status arrivals_sort_piece(const struct arrivals *a, uint32_t piece)
{
    struct consort_plan plan = a->state->sort;
    consort_arguments arguments = *a->run->arguments;
    struct run run = *a->run;
    arguments.count = arrivals_count(a, piece);
    arguments.in = arguments.out = arrivals_place(a, piece);
    run.arguments = &arguments;
    run.workspace = arrivals_sort_workspace(a, piece);
    run.steps = NULL;
    if (a->pieces > 1)
        plan.request.maximum_count = arguments.count;
    return plan.algorithm->run(&plan, &run);
}

static consort_status arrivals_merge_piece(const struct arrivals *a, uint32_t piece)
{
    const struct consort_plan *plan = &a->state->merge;
    consort_arguments arguments = *a->run->arguments;
    struct run run = *a->run;
    arguments.count = a->begins[piece];
    arguments.count_b = arrivals_count(a, piece);
    arguments.in = a->arrays[arrivals_is_spare(piece)];
    arguments.in_b = arrivals_place(a, piece);
    arguments.out = a->arrays[!arrivals_is_spare(piece)];
    run.arguments = &arguments;
    run.workspace = a->cuts;
    run.steps = NULL;
    return plan->algorithm->run(plan, &run);
}

static consort_status arrivals_take(const struct arrivals *a, uint32_t piece)
{
    consort_status status = run_wants_items(a->run, a->begins[piece], arrivals_count(a, piece),
                                            arrivals_place(a, piece));
    if (status == CONSORT_OK)
        status = arrivals_sort_piece(a, piece);
    return status == CONSORT_OK && piece > 0 ? arrivals_merge_piece(a, piece) : status;
}

/* Nothing to wait for: one sort, from where the keys are. */
static consort_status arrivals_run_here(const struct arrivals_state *state, const struct run *run)
{
    struct run whole = *run;
    whole.steps = NULL;
    return state->sort.algorithm->run(&state->sort, &whole);
}

static consort_status arrivals_run(const struct consort_plan *plan, const struct run *run)
{
    if (run->steps && run->steps->here)
        return arrivals_run_here(plan->state, run);
    const struct request *request = &plan->request;
    uint64_t spare = arrivals_spare_bytes(request);
    struct arrivals a = {.state = plan->state,
                         .run = run,
                         .item_bytes = request->item_bytes,
                         .arrays = {run->arguments->out, run->workspace},
                         .slack =
                             spare - launch_aligned(request->maximum_count * request->item_bytes),
                         .cuts = (char *)run->workspace + spare};
    consort_status status = CONSORT_OK;
    if (!arrivals_cut(&a, (uint32_t)plan->parameters[ARRIVALS_PIECES] | 1))
        arrivals_cut(&a, 1);
    for (uint32_t p = 0; p < a.pieces && status == CONSORT_OK; p++)
        status = arrivals_take(&a, p);
    return status;
}

const struct algorithm arrivals_sort = {
    .name = "merge-arrivals",
    .summary = "host arrays of keys alone, sorted by `msd` and merged by `merge-path` piece by "
               "piece while they arrive",
    .operation = CONSORT_OPERATION_SORT,
    .engine = CONSORT_ENGINE_CUDA,
    .stable = true,
    .arrives = true,
    .parameters = arrivals_parameters,
    .parameter_count = sizeof arrivals_parameters / sizeof arrivals_parameters[0],
    .refuses = arrivals_refuses,
    .workspace = arrivals_workspace,
    .shared = arrivals_shared,
    .cost = arrivals_cost,
    .prepare = arrivals_prepare,
    .release = arrivals_release,
    .run = arrivals_run,
};
