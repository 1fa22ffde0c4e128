/* SPDX-License-Identifier: Apache-2.0 */
/* Arguments for each array of a batch, in host memory. */
#include "bench_consort.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench_call.h"
#include "bench_clock.h"
#include "bench_fetch.h"
#include "bench_plan.h"

/* Does the operation move items, so that it can work in place? */
static bool in_place(const struct bench_consort *subject, enum bench_operation operation)
{
    return subject->form == BENCH_FORM_IN_PLACE &&
           (operation == BENCH_SORT || operation == BENCH_PAIRS || operation == BENCH_RECORDS ||
            operation == BENCH_SEGMENTED);
}

/* Outputs, and the workspace, at their final size. */
static bool make_room(struct bench_contender *contender, struct problem *problem)
{
    struct bench_place *place = contender->place;
    const struct bench_input *input = place->input;
    const struct bench_consort *subject = contender->subject;
    uint64_t items = input->items;
    if (!bench_memory_reserve(&place->keys, items * bench_case_stride(&input->shape)) ||
        !bench_memory_reserve(&place->values, items * input->shape.value_bytes) ||
        (!subject->one_call && !bench_memory_reserve(&place->workspace, contender->workspace))) {
        return problem_set(problem, "not enough memory");
    }
    return true;
}

static bool consort_open(struct bench_contender *contender, const struct bench_case *shape,
                         struct bench_place *place, struct problem *problem)
{
    struct bench_plan *state = calloc(1, sizeof *state);
    if (state == NULL) {
        return problem_set(problem, "not enough memory");
    }
    contender->state = state;
    contender->place = place;
    return bench_plan_open(state, contender, shape, problem) && make_room(contender, problem);
}

static bool consort_load(struct bench_contender *contender, struct problem *problem)
{
    (void)problem;
    const struct bench_plan *state = contender->state;
    if (!in_place(contender->subject, state->shape.operation)) {
        return true;
    }
    const struct bench_input *input = contender->place->input;
    uint64_t items = input->items;
    memcpy(contender->place->keys.memory, input->keys.memory,
           (size_t)(items * bench_case_stride(&input->shape)));
    memcpy(contender->place->values.memory, input->values.memory,
           (size_t)(items * input->shape.value_bytes));
    return true;
}

/* Bytes from one array of a batch to the next. */
static unsigned char *at(const struct bench_block *block, uint64_t array, uint64_t bytes)
{
    return (unsigned char *)block->memory + array * bytes;
}

static void bind_columns(const struct bench_input *input, const struct bench_place *place,
                         bool same, uint64_t array, struct bench_call *call)
{
    uint64_t stride = bench_case_stride(&input->shape);
    uint64_t value_bytes = input->shape.value_bytes;
    uint64_t key_step = input->length * stride;
    uint64_t value_step = input->length * value_bytes;
    const struct bench_block *key_source = same ? &place->keys : &input->keys;
    const struct bench_block *value_source = same ? &place->values : &input->values;
    call->in = at(key_source, array, key_step);
    call->out = at(&place->keys, array, key_step);
    call->values.in = at(value_source, array, value_step);
    call->values.out = at(&place->values, array, value_step);
    call->values.element_bytes = value_bytes;
    call->value_count = value_bytes > 0 ? 1 : 0;
    call->count = input->length;
    if (input->shape.operation == BENCH_MERGE) {
        uint64_t half = input->length - input->length / 2;
        call->count = half;
        call->count_b = input->length - half;
        call->in_b = (const unsigned char *)call->in + half * stride;
        call->values.in_b = (const unsigned char *)call->values.in + half * value_bytes;
    }
}

/* One call's worth of the case. Segments go in one call all together. */
static void bind(const struct bench_contender *contender, uint64_t array, struct bench_call *call)
{
    struct bench_plan *state = contender->state;
    const struct bench_input *input = contender->place->input;
    *call = (struct bench_call){
        .shape = &state->shape, .options = &state->options, .field = &state->field};
    bind_columns(input, contender->place, in_place(contender->subject, state->shape.operation),
                 array, call);
    switch (state->shape.operation) {
    case BENCH_ARGSORT:
        call->indices = call->values.out;
        call->value_count = 0;
        break;
    case BENCH_SEGMENTED:
        call->count = input->items;
        call->offsets = input->offsets.memory;
        call->segments = input->arrays;
        break;
    case BENCH_TOP_K:
        call->out =
            at(&contender->place->keys, array, state->shape.k * bench_case_stride(&state->shape));
        break;
    default:
        break;
    }
}

static bool consort_run(struct bench_contender *contender, double *seconds, struct problem *problem)
{
    struct bench_plan *state = contender->state;
    const struct bench_consort *subject = contender->subject;
    const struct bench_input *input = contender->place->input;
    consort_outcome outcome = {0};
    bool asks = bench_plan_asks(state, contender);
    struct bench_block *workspace = &contender->place->workspace;
    uint64_t calls = state->shape.operation == BENCH_SEGMENTED ? 1 : input->arrays;
    consort_status status = CONSORT_OK;
    double start = bench_clock_seconds();
    for (uint64_t i = 0; i < calls && status == CONSORT_OK; i++) {
        struct bench_call call;
        bind(contender, i, &call);
        call.outcome = asks ? &outcome : NULL;
        status = subject->one_call
                     ? bench_call_directly(&call)
                     : bench_call_plan(&call, state->plan, workspace->memory, workspace->bytes);
    }
    *seconds = bench_clock_seconds() - start;
    if (asks) {
        bench_plan_count(state, contender, &outcome);
    }
    return status == CONSORT_OK || problem_library(problem);
}

static bool consort_fetch(struct bench_contender *contender, struct problem *problem)
{
    const struct bench_plan *state = contender->state;
    return state->shape.operation != BENCH_ARGSORT || bench_fetch_gather(contender->place, problem);
}

static void consort_close(struct bench_contender *contender)
{
    struct bench_plan *state = contender->state;
    if (state != NULL) {
        bench_plan_close(state);
        free(state);
        contender->state = NULL;
    }
}

const struct bench_methods bench_consort_on_host = {
    .open = consort_open,
    .load = consort_load,
    .run = consort_run,
    .fetch = consort_fetch,
    .close = consort_close,
};
