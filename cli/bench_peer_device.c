/* SPDX-License-Identifier: Apache-2.0 */
/* A peer that sorts device memory: one job for the case, on the benchmark's stream. */
#include <stdio.h>
#include <stdlib.h>

#include "bench_fetch.h"
#include "bench_peer.h"

struct device_state {
    struct peer_job job;
    bool prepared;
};

static void *pointer(uint64_t memory)
{
    return (void *)(uintptr_t)memory;
}

/* −1: no peer has it. An argsort is a sort of pairs of key and index. */
static int32_t operation_of(const struct bench_case *shape)
{
    switch (shape->operation) {
    case BENCH_SORT:
        return PEER_SORT;
    case BENCH_PAIRS:
    case BENCH_ARGSORT:
        return PEER_SORT_PAIRS;
    case BENCH_SEGMENTED:
        return shape->count <= INT32_MAX ? PEER_SEGMENTED_SORT : -1;
    case BENCH_MERGE:
        return PEER_MERGE;
    case BENCH_TOP_K:
        return PEER_TOP_K;
    default:
        return -1;
    }
}

static bool refuse(const struct peer *peer, const struct bench_case *shape,
                   const struct bench_input *input, struct problem *problem)
{
    if (peer->unavailable != NULL) {
        return problem_set(problem, "%.200s", peer->unavailable);
    }
    if (peer->memory == PEER_HOST) {
        return problem_set(problem, "sorts host memory only");
    }
    if (input->has_nan) {
        return problem_set(problem, "the keys have NaNs, which < does not order");
    }
    int32_t operation = operation_of(shape);
    if (operation < 0 || !peer->supports(operation, shape->type, shape->value_bytes)) {
        return problem_set(problem, "cannot do this");
    }
    return true;
}

static void describe(struct peer_job *job, const struct peer *peer,
                     const struct bench_arrays *arrays)
{
    const struct bench_input *input = arrays->input;
    const struct bench_case *shape = &input->shape;
    bool in_place = peer->memory == PEER_DEVICE_IN_PLACE;
    struct bench_pair in = bench_arrays_at(arrays, BENCH_IN);
    struct bench_pair out = bench_arrays_at(arrays, in_place ? BENCH_IN : BENCH_OUT);
    *job = (struct peer_job){
        .operation = operation_of(shape),
        .type = shape->type,
        .value_bytes = shape->value_bytes,
        .threads = 1,
        .count = input->items,
        .keys = pointer(out.keys),
        .values = pointer(out.values),
        .in = pointer(in.keys),
        .values_in = pointer(in.values),
        .stream = arrays->gpu.stream,
        .k = shape->k,
    };
    if (shape->operation == BENCH_MERGE) {
        job->count_b = input->length / 2;
        job->count -= job->count_b;
    } else if (shape->operation == BENCH_SEGMENTED) {
        job->offsets = pointer(arrays->offsets.memory);
        job->segments = input->arrays;
    }
}

static bool device_open(struct bench_contender *contender, const struct bench_case *shape,
                        struct bench_place *place, struct problem *problem)
{
    const struct peer *peer = contender->subject;
    struct bench_arrays *arrays = place->device;
    if (!refuse(peer, shape, place->input, problem)) {
        return false;
    }
    struct device_state *state = calloc(1, sizeof *state);
    if (state == NULL) {
        return problem_set(problem, "not enough memory");
    }
    contender->state = state;
    contender->place = place;
    contender->stable = peer->stable != 0;
    contender->zeros_equal = true;
    snprintf(contender->algorithm, sizeof contender->algorithm, "%s", peer->name);
    snprintf(contender->engine, sizeof contender->engine, "cuda");
    describe(&state->job, peer, arrays);
    contender->workspace = peer->workspace != NULL ? peer->workspace(&state->job) : 0;
    state->prepared = peer->prepare(&state->job) == PEER_OK;
    return (state->prepared || problem_set(problem, "not enough memory")) &&
           bench_gpu_reserve(&arrays->gpu, &arrays->workspace, contender->workspace, problem);
}

static bool device_load(struct bench_contender *contender, struct problem *problem)
{
    return bench_arrays_restore(contender->place->device, problem);
}

static bool device_run(struct bench_contender *contender, double *seconds, struct problem *problem)
{
    struct device_state *state = contender->state;
    const struct peer *peer = contender->subject;
    const struct bench_arrays *arrays = contender->place->device;
    state->job.workspace = pointer(arrays->workspace.memory);
    state->job.workspace_bytes = contender->workspace;
    if (!bench_gpu_clock_start(&arrays->gpu, problem)) {
        return false;
    }
    int32_t result = peer->run(&state->job);
    if (result != PEER_OK) {
        return problem_set(problem, "%s", bench_peer_result_text(result));
    }
    bool in = peer->memory == PEER_DEVICE_IN_PLACE ||
              (peer->memory == PEER_DEVICE_DOUBLE && state->job.buffer == 0);
    contender->result = bench_arrays_at(arrays, in ? BENCH_IN : BENCH_OUT);
    return bench_gpu_clock_stop(&arrays->gpu, seconds, problem);
}

static void device_close(struct bench_contender *contender)
{
    struct device_state *state = contender->state;
    const struct peer *peer = contender->subject;
    if (state == NULL) {
        return;
    }
    if (state->prepared) {
        contender->workspace += state->job.own_bytes;
        (void)peer->finish(&state->job);
    }
    free(state);
    contender->state = NULL;
}

const struct bench_methods bench_peer_on_device = {
    .open = device_open,
    .load = device_load,
    .run = device_run,
    .fetch = bench_fetch_device,
    .close = device_close,
};
