/* SPDX-License-Identifier: Apache-2.0 */
/* Plans for the cases, and arguments for each array of a batch. */
#include "bench_consort.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench_call.h"
#include "bench_clock.h"

struct consort_state {
    struct bench_case shape;
    consort_context *context;
    consort_options options;
    consort_plan *plan; /* NULL for one-call */
    consort_field field;
    uint64_t value_bytes;
};

/* Does the operation move items, so that it can work in place? */
static bool in_place(const struct bench_consort *subject, enum bench_operation operation)
{
    return !subject->separate && (operation == BENCH_SORT || operation == BENCH_PAIRS ||
                                  operation == BENCH_RECORDS || operation == BENCH_SEGMENTED);
}

static bool make_context(struct consort_state *state, const struct bench_consort *subject,
                         struct problem *problem)
{
    consort_context_options context_options;
    consort_context_options_init(&context_options);
    context_options.threads = state->shape.threads;
    if (consort_context_create(&context_options, &state->context) != CONSORT_OK) {
        return problem_library(problem);
    }
    consort_options_init(&state->options);
    state->options.context = state->context;
    state->options.engine = CONSORT_ENGINE_CPU;
    state->options.stable = !subject->unstable;
    if (strcmp(subject->algorithm, "auto") != 0) {
        state->options.algorithm = subject->algorithm;
    }
    return true;
}

static void describe(struct consort_state *state, const struct bench_input *input,
                     consort_descriptor *descriptor)
{
    const struct bench_case *shape = &state->shape;
    consort_descriptor_init(descriptor);
    descriptor->operation = bench_operation_number(shape->operation);
    descriptor->type = shape->type;
    descriptor->maximum_count =
        shape->operation == BENCH_SEGMENTED ? input->arrays * input->length : input->length;
    descriptor->options = &state->options;
    if (shape->operation == BENCH_RECORDS) {
        state->field.type = shape->type;
        descriptor->type = CONSORT_RECORD;
        descriptor->record_bytes = shape->record_bytes;
        descriptor->fields = &state->field;
        descriptor->field_count = 1;
    } else if (shape->operation == BENCH_ARGSORT) {
        descriptor->index_type = shape->value_bytes == 4 ? CONSORT_U32 : CONSORT_U64;
    } else if (shape->value_bytes > 0) {
        state->value_bytes = shape->value_bytes;
        descriptor->value_bytes = &state->value_bytes;
        descriptor->value_count = 1;
    }
    if (shape->operation == BENCH_SEGMENTED) {
        descriptor->offset_type = CONSORT_U64;
        descriptor->maximum_segments = input->arrays;
    } else if (shape->operation == BENCH_TOP_K) {
        descriptor->maximum_k = shape->k;
    }
}

/* Also for one-call runs, whose plan is the same: it names algorithm and workspace. */
static bool make_plan(struct bench_contender *contender, struct consort_state *state,
                      struct problem *problem)
{
    consort_descriptor descriptor;
    consort_plan_info info;
    consort_plan_info_init(&info);
    describe(state, contender->place->input, &descriptor);
    if (consort_plan_create(&descriptor, &state->plan) != CONSORT_OK ||
        consort_plan_get_info(state->plan, &info) != CONSORT_OK) {
        return problem_library(problem);
    }
    snprintf(contender->algorithm, sizeof contender->algorithm, "%s", info.algorithm);
    snprintf(contender->engine, sizeof contender->engine, "%s", consort_engine_name(info.engine));
    contender->stable = info.stable != 0;
    contender->workspace = info.workspace;
    return true;
}

/* Outputs, and the workspace, at their final size. */
static bool make_room(struct bench_contender *contender, struct problem *problem)
{
    struct bench_place *place = contender->place;
    const struct bench_input *input = place->input;
    const struct bench_consort *subject = contender->subject;
    uint64_t items = input->arrays * input->length;
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
    struct consort_state *state = calloc(1, sizeof *state);
    if (state == NULL) {
        return problem_set(problem, "not enough memory");
    }
    contender->state = state;
    contender->place = place;
    state->shape = *shape;
    return make_context(state, contender->subject, problem) &&
           make_plan(contender, state, problem) && make_room(contender, problem);
}

static bool consort_load(struct bench_contender *contender, struct problem *problem)
{
    (void)problem;
    const struct consort_state *state = contender->state;
    if (!in_place(contender->subject, state->shape.operation)) {
        return true;
    }
    const struct bench_input *input = contender->place->input;
    uint64_t items = input->arrays * input->length;
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
    struct consort_state *state = contender->state;
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
        call->count = input->arrays * input->length;
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
    const struct consort_state *state = contender->state;
    const struct bench_consort *subject = contender->subject;
    const struct bench_input *input = contender->place->input;
    struct bench_block *workspace = &contender->place->workspace;
    uint64_t calls = state->shape.operation == BENCH_SEGMENTED ? 1 : input->arrays;
    consort_status status = CONSORT_OK;
    double start = bench_clock_seconds();
    for (uint64_t i = 0; i < calls && status == CONSORT_OK; i++) {
        struct bench_call call;
        bind(contender, i, &call);
        status = subject->one_call
                     ? bench_call_directly(&call)
                     : bench_call_plan(&call, state->plan, workspace->memory, workspace->bytes);
    }
    *seconds = bench_clock_seconds() - start;
    return status == CONSORT_OK || problem_library(problem);
}

/* Keys in the order of the indices; an index that points nowhere is a wrong result. */
static bool gather(const struct bench_contender *contender, struct problem *problem)
{
    const struct bench_input *input = contender->place->input;
    uint32_t index_bytes = input->shape.value_bytes;
    uint64_t stride = bench_case_stride(&input->shape);
    unsigned char *key = contender->place->keys.memory;
    const unsigned char *index = contender->place->values.memory;
    for (uint64_t i = 0; i < input->arrays * input->length; i++) {
        uint32_t narrow;
        uint64_t position;
        memcpy(&narrow, index, sizeof narrow);
        memcpy(&position, index, index_bytes == 8 ? 8 : 4);
        position = index_bytes == 8 ? position : narrow;
        if (position >= input->length) {
            return problem_set(problem, "index past the end");
        }
        uint64_t first = i / input->length * input->length;
        memcpy(key, (const unsigned char *)input->keys.memory + (first + position) * stride,
               stride);
        key += stride;
        index += index_bytes;
    }
    return true;
}

static bool consort_fetch(struct bench_contender *contender, struct problem *problem)
{
    const struct consort_state *state = contender->state;
    return state->shape.operation != BENCH_ARGSORT || gather(contender, problem);
}

static void consort_close(struct bench_contender *contender)
{
    struct consort_state *state = contender->state;
    if (state != NULL) {
        consort_plan_destroy(state->plan);
        consort_context_destroy(state->context);
        free(state);
        contender->state = NULL;
    }
}

static const struct bench_methods consort_methods = {
    .open = consort_open,
    .load = consort_load,
    .run = consort_run,
    .fetch = consort_fetch,
    .close = consort_close,
};

struct bench_contender bench_consort_contender(const struct bench_consort *subject)
{
    struct bench_contender contender = {.methods = &consort_methods, .subject = subject};
    bool forced = strcmp(subject->algorithm, "auto") != 0;
    snprintf(contender.name, sizeof contender.name, "consort%s%s%s%s", forced ? ":" : "",
             forced ? subject->algorithm : "", subject->unstable ? "/unstable" : "",
             subject->one_call ? "/one-call" : "");
    return contender;
}
