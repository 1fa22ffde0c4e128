/* SPDX-License-Identifier: Apache-2.0 */
/* This library on arrays in device memory, timed by events on the stream that it works on. */
#include <stdlib.h>

#include "bench_call.h"
#include "bench_consort.h"
#include "bench_fetch.h"
#include "bench_plan.h"

static void *pointer(uint64_t memory)
{
    return (void *)(uintptr_t)memory;
}

static bool device_open(struct bench_contender *contender, const struct bench_case *shape,
                        struct bench_place *place, struct problem *problem)
{
    struct bench_plan *state = calloc(1, sizeof *state);
    struct bench_arrays *arrays = place->device;
    if (state == NULL) {
        return problem_set(problem, "not enough memory");
    }
    contender->state = state;
    contender->place = place;
    return bench_plan_open(state, contender, shape, problem) &&
           bench_gpu_reserve(&arrays->gpu, &arrays->workspace, contender->workspace, problem);
}

static bool device_load(struct bench_contender *contender, struct problem *problem)
{
    return bench_arrays_restore(contender->place->device, problem);
}

static void bind_merge(const struct bench_input *input, struct bench_call *call)
{
    uint64_t first = input->length - input->length / 2;
    call->count = first;
    call->count_b = input->length - first;
    call->in_b = (const unsigned char *)call->in + first * bench_case_stride(&input->shape);
    if (call->values.in)
        call->values.in_b =
            (const unsigned char *)call->values.in + first * input->shape.value_bytes;
}

static void bind(struct bench_contender *contender, struct bench_call *call)
{
    struct bench_plan *state = contender->state;
    const struct bench_consort *subject = contender->subject;
    const struct bench_arrays *arrays = contender->place->device;
    const struct bench_input *input = arrays->input;
    bool in_place = subject->form == BENCH_FORM_IN_PLACE;
    struct bench_pair in = bench_arrays_at(arrays, BENCH_IN);
    struct bench_pair out = bench_arrays_at(arrays, in_place ? BENCH_IN : BENCH_OUT);
    contender->result = out;
    *call = (struct bench_call){
        .shape = &state->shape,
        .in = pointer(in.keys),
        .out = pointer(out.keys),
        .count = input->items,
        .values = {.in = pointer(in.values),
                   .out = pointer(out.values),
                   .element_bytes = state->value_bytes},
        .value_count = state->value_bytes > 0,
        .stream = arrays->gpu.stream,
    };
    switch (state->shape.operation) {
    case BENCH_ARGSORT:
        call->indices = call->values.out;
        break;
    case BENCH_SEGMENTED:
        call->offsets = pointer(arrays->offsets.memory);
        call->segments = input->arrays;
        break;
    case BENCH_MERGE:
        bind_merge(input, call);
        break;
    default:
        break;
    }
    if (subject->form == BENCH_FORM_DOUBLE || bench_plan_asks(state, contender)) {
        call->outcome = pointer(arrays->outcome.memory);
    }
}

/* Only the device knows in which of the two buffers its passes ended, and what it counted. */
static bool read_outcome(struct bench_contender *contender, struct problem *problem)
{
    const struct bench_consort *subject = contender->subject;
    const struct bench_arrays *arrays = contender->place->device;
    const struct bench_plan *state = contender->state;
    bool asks = bench_plan_asks(state, contender);
    consort_outcome outcome;
    if (subject->form != BENCH_FORM_DOUBLE && !asks) {
        return true;
    }
    if (!bench_gpu_read(&arrays->gpu, &outcome, arrays->outcome.memory, sizeof outcome, problem)) {
        return false;
    }
    if (asks) {
        bench_plan_count(state, contender, &outcome);
    }
    if (subject->form == BENCH_FORM_DOUBLE && outcome.buffer == 0) {
        contender->result = bench_arrays_at(arrays, BENCH_IN);
    }
    return outcome.status == CONSORT_OK ||
           problem_set(problem, "the device reports: %s", consort_status_string(outcome.status));
}

static bool queue(const struct bench_contender *contender, const struct bench_call *call,
                  struct problem *problem)
{
    const struct bench_plan *state = contender->state;
    const struct bench_span *workspace = &contender->place->device->workspace;
    return bench_call_plan(call, state->plan, pointer(workspace->memory), workspace->bytes) ==
               CONSORT_OK ||
           problem_library(problem);
}

static bool device_run(struct bench_contender *contender, double *seconds, struct problem *problem)
{
    const struct bench_gpu *gpu = &contender->place->device->gpu;
    struct bench_call call;
    bind(contender, &call);
    return bench_gpu_clock_start(gpu, problem) && queue(contender, &call, problem) &&
           bench_gpu_clock_stop(gpu, seconds, problem) && read_outcome(contender, problem);
}

static void device_close(struct bench_contender *contender)
{
    struct bench_plan *state = contender->state;
    if (state != NULL) {
        bench_plan_close(state);
        free(state);
        contender->state = NULL;
    }
}

const struct bench_methods bench_consort_on_device = {
    .open = device_open,
    .load = device_load,
    .run = device_run,
    .fetch = bench_fetch_device,
    .close = device_close,
};
