/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Jobs for a peer, one for each array. Segments are arrays that it sorts one after the other; an
 * argsort is a sort of pairs of key and index, which is how its user would do it.
 */
#include "bench_peer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench_clock.h"

struct peer_state {
    struct peer_job *jobs;
    uint64_t prepared;
};

const char *bench_peer_result_text(int32_t result)
{
    switch (result) {
    case PEER_UNSUPPORTED:
        return "cannot do this";
    case PEER_NO_MEMORY:
        return "not enough memory";
    default:
        return "failed";
    }
}

static bool refuse(const struct peer *peer, const struct bench_case *shape,
                   const struct bench_input *input, struct problem *problem)
{
    if (peer->unavailable != NULL) {
        return problem_set(problem, "%.200s", peer->unavailable);
    }
    if (peer->memory != PEER_HOST) {
        return problem_set(problem, "sorts device memory only");
    }
    if (input->has_nan) {
        return problem_set(problem, "the keys have NaNs, which < does not order");
    }
    int32_t operation = shape->value_bytes > 0 ? PEER_SORT_PAIRS : PEER_SORT;
    bool sorts = shape->operation != BENCH_TOP_K && shape->operation != BENCH_MERGE &&
                 shape->operation != BENCH_RECORDS;
    if (!sorts || !peer->supports(operation, shape->type, shape->value_bytes)) {
        return problem_set(problem, "cannot do this");
    }
    return true;
}

static void describe(struct peer_job *job, const struct bench_case *shape,
                     const struct bench_place *place, uint64_t array)
{
    const struct bench_view view =
        bench_input_view(place->input, place->keys.memory, place->values.memory, array);
    *job = (struct peer_job){
        .operation = shape->value_bytes > 0 ? PEER_SORT_PAIRS : PEER_SORT,
        .type = shape->type,
        .value_bytes = shape->value_bytes,
        .threads = (int32_t)shape->threads,
        .count = view.count,
        .keys = (void *)view.keys,
        .values = (void *)view.values,
    };
}

static bool peer_open(struct bench_contender *contender, const struct bench_case *shape,
                      struct bench_place *place, struct problem *problem)
{
    const struct peer *peer = contender->subject;
    const struct bench_input *input = place->input;
    if (!refuse(peer, shape, input, problem)) {
        return false;
    }
    struct peer_state *state = calloc(1, sizeof *state);
    contender->state = state;
    contender->place = place;
    contender->stable = peer->stable != 0;
    contender->zeros_equal = true;
    snprintf(contender->algorithm, sizeof contender->algorithm, "%s", peer->name);
    snprintf(contender->engine, sizeof contender->engine, "cpu");
    uint64_t items = input->items;
    if (state == NULL || (state->jobs = calloc(input->arrays + 1, sizeof *state->jobs)) == NULL ||
        !bench_memory_reserve(&place->keys, items * bench_case_stride(shape)) ||
        !bench_memory_reserve(&place->values, items * shape->value_bytes)) {
        return problem_set(problem, "not enough memory");
    }
    for (uint64_t i = 0; i < input->arrays; i++) {
        describe(&state->jobs[i], shape, place, i);
    }
    return true;
}

static bool finish_jobs(struct bench_contender *contender)
{
    struct peer_state *state = contender->state;
    const struct peer *peer = contender->subject;
    bool good = true;
    for (uint64_t i = 0; i < state->prepared; i++) {
        good = peer->finish(&state->jobs[i]) == PEER_OK && good;
    }
    state->prepared = 0;
    return good;
}

static bool peer_load(struct bench_contender *contender, struct problem *problem)
{
    struct peer_state *state = contender->state;
    const struct peer *peer = contender->subject;
    const struct bench_place *place = contender->place;
    const struct bench_input *input = place->input;
    uint64_t items = input->items;
    memcpy(place->keys.memory, input->keys.memory,
           (size_t)(items * bench_case_stride(&input->shape)));
    memcpy(place->values.memory, input->values.memory, (size_t)(items * input->shape.value_bytes));
    while (state->prepared < input->arrays) {
        int32_t result = peer->prepare(&state->jobs[state->prepared]);
        if (result != PEER_OK) {
            finish_jobs(contender);
            return problem_set(problem, "%s", bench_peer_result_text(result));
        }
        state->prepared++;
    }
    return true;
}

static bool peer_run(struct bench_contender *contender, double *seconds, struct problem *problem)
{
    struct peer_state *state = contender->state;
    const struct peer *peer = contender->subject;
    int32_t result = PEER_OK;
    double start = bench_clock_seconds();
    for (uint64_t i = 0; i < state->prepared && result == PEER_OK; i++) {
        result = peer->run(&state->jobs[i]);
    }
    *seconds = bench_clock_seconds() - start;
    if (result != PEER_OK) {
        finish_jobs(contender);
        return problem_set(problem, "%s", bench_peer_result_text(result));
    }
    return true;
}

static bool peer_fetch(struct bench_contender *contender, struct problem *problem)
{
    return finish_jobs(contender) ||
           problem_set(problem, "%s", bench_peer_result_text(PEER_FAILED));
}

static void peer_close(struct bench_contender *contender)
{
    struct peer_state *state = contender->state;
    if (state != NULL) {
        free(state->jobs);
        free(state);
        contender->state = NULL;
    }
}

const struct bench_methods bench_peer_on_host = {
    .open = peer_open,
    .load = peer_load,
    .run = peer_run,
    .fetch = peer_fetch,
    .close = peer_close,
};
