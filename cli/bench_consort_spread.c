/* SPDX-License-Identifier: Apache-2.0 */
/* This library on lists in the memory of several GPUs, timed by the host: such runs block. */
#include <stdlib.h>

#include "bench_clock.h"
#include "bench_consort.h"
#include "bench_plan.h"
#include "bench_spread.h"

static void *pointer(uint64_t memory)
{
    return (void *)(uintptr_t)memory;
}

static bool spread_open(struct bench_contender *contender, const struct bench_case *shape,
                        struct bench_place *place, struct problem *problem)
{
    struct bench_plan *state = calloc(1, sizeof *state);
    if (state == NULL) {
        return problem_set(problem, "not enough memory");
    }
    contender->state = state;
    contender->place = place;
    return bench_plan_open(state, contender, shape, problem);
}

static bool spread_load(struct bench_contender *contender, struct problem *problem)
{
    return bench_spread_restore(contender->place->spread, problem);
}

static void bind(const struct bench_spread *spread, consort_part parts[BENCH_GPUS],
                 consort_column columns[BENCH_GPUS])
{
    for (uint32_t p = 0; p < spread->count; p++) {
        const struct bench_arrays *arrays = &spread->parts[p];
        struct bench_pair in = bench_arrays_at(arrays, BENCH_IN);
        struct bench_pair out = bench_arrays_at(arrays, BENCH_OUT);
        columns[p] = (consort_column){.in = pointer(in.values),
                                      .out = pointer(out.values),
                                      .element_bytes = arrays->input->shape.value_bytes};
        parts[p] = (consort_part){.device = (int32_t)p,
                                  .count = arrays->input->length,
                                  .in = pointer(in.keys),
                                  .out = pointer(out.keys),
                                  .values = in.values != 0 ? &columns[p] : NULL};
    }
}

static bool spread_run(struct bench_contender *contender, double *seconds, struct problem *problem)
{
    const struct bench_plan *state = contender->state;
    bool asks = bench_plan_asks(state, contender);
    consort_part parts[BENCH_GPUS];
    consort_column columns[BENCH_GPUS];
    consort_outcome outcome = {0};
    consort_arguments arguments;
    consort_arguments_init(&arguments);
    bind(contender->place->spread, parts, columns);
    arguments.count = contender->place->input->length;
    arguments.parts = parts;
    arguments.outcome = asks ? &outcome : NULL;
    double start = bench_clock_seconds();
    consort_status status = consort_plan_run(state->plan, &arguments, NULL, 0, NULL);
    *seconds = bench_clock_seconds() - start;
    if (status != CONSORT_OK) {
        return problem_library(problem);
    }
    if (asks) {
        bench_plan_count(state, contender, &outcome);
    }
    return true;
}

static bool spread_fetch(struct bench_contender *contender, struct problem *problem)
{
    struct bench_place *place = contender->place;
    const struct bench_input *input = place->input;
    if (!bench_memory_reserve(&place->keys, input->length * bench_case_stride(&input->shape)) ||
        !bench_memory_reserve(&place->values, input->length * input->shape.value_bytes)) {
        return problem_set(problem, "not enough memory");
    }
    return bench_spread_fetch(place->spread, place->keys.memory, place->values.memory, problem);
}

static void spread_close(struct bench_contender *contender)
{
    struct bench_plan *state = contender->state;
    if (state != NULL) {
        bench_plan_close(state);
        free(state);
        contender->state = NULL;
    }
}

const struct bench_methods bench_consort_on_gpus = {
    .open = spread_open,
    .load = spread_load,
    .run = spread_run,
    .fetch = spread_fetch,
    .close = spread_close,
};
