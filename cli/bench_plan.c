/* SPDX-License-Identifier: Apache-2.0 */
/* Descriptors from cases. */
#include "bench_plan.h"

#include <stdio.h>
#include <string.h>

static bool make_context(struct bench_plan *plan, const struct bench_consort *subject,
                         struct problem *problem)
{
    consort_context_options context_options;
    consort_context_options_init(&context_options);
    context_options.threads = plan->shape.threads;
    if (consort_context_create(&context_options, &plan->context) != CONSORT_OK) {
        return problem_library(problem);
    }
    consort_options_init(&plan->options);
    plan->options.context = plan->context;
    plan->options.engine = plan->shape.gpu >= 0 ? CONSORT_ENGINE_CUDA : CONSORT_ENGINE_CPU;
    if (!plan->shape.spread) {
        plan->options.device = plan->shape.every_gpu ? CONSORT_DEVICE_ALL : plan->shape.gpu;
    }
    plan->options.stable = !subject->unstable;
    if (strcmp(subject->algorithm, "auto") != 0) {
        plan->options.algorithm = subject->algorithm;
    }
    for (uint32_t i = 0; i < subject->parameters.count; i++) {
        plan->parameters[i] = (consort_parameter){subject->parameters.items[i].name,
                                                  subject->parameters.items[i].value};
    }
    plan->options.parameters = plan->parameters;
    plan->options.parameter_count = subject->parameters.count;
    return true;
}

static void describe(struct bench_plan *plan, const struct bench_input *input,
                     consort_descriptor *descriptor)
{
    const struct bench_case *shape = &plan->shape;
    consort_descriptor_init(descriptor);
    descriptor->operation = bench_operation_number(shape->operation);
    descriptor->type = shape->type;
    descriptor->maximum_count = shape->operation == BENCH_SEGMENTED ? input->items : input->length;
    descriptor->options = &plan->options;
    descriptor->memory = shape->on_device ? CONSORT_MEMORY_DEVICE : CONSORT_MEMORY_HOST;
    if (shape->spread) {
        for (uint32_t i = 0; i < shape->gpus; i++) {
            plan->devices[i] = (int32_t)i;
        }
        descriptor->memory = CONSORT_MEMORY_SPREAD;
        descriptor->devices = plan->devices;
        descriptor->device_count = shape->gpus;
    }
    if (shape->operation == BENCH_RECORDS) {
        plan->field.type = shape->type;
        descriptor->type = CONSORT_RECORD;
        descriptor->record_bytes = shape->record_bytes;
        descriptor->fields = &plan->field;
        descriptor->field_count = 1;
    } else if (shape->operation == BENCH_ARGSORT) {
        descriptor->index_type = shape->value_bytes == 4 ? CONSORT_U32 : CONSORT_U64;
    } else if (shape->value_bytes > 0) {
        plan->value_bytes = shape->value_bytes;
        descriptor->value_bytes = &plan->value_bytes;
        descriptor->value_count = 1;
    }
    if (shape->operation == BENCH_SEGMENTED) {
        descriptor->offset_type = shape->on_device ? CONSORT_U32 : CONSORT_U64;
        descriptor->maximum_segments = input->arrays;
    } else if (shape->operation == BENCH_TOP_K) {
        descriptor->maximum_k = shape->k;
    }
}

/* Also for one-call runs, whose plan is the same: it names algorithm and workspace. */
static bool make_plan(struct bench_contender *contender, struct bench_plan *plan,
                      struct problem *problem)
{
    const struct bench_consort *subject = contender->subject;
    static const int32_t forms[BENCH_FORM_COUNT] = {[BENCH_FORM_IN_PLACE] = CONSORT_FORM_COPY,
                                                    [BENCH_FORM_COPY] = CONSORT_FORM_APART,
                                                    [BENCH_FORM_DOUBLE] =
                                                        CONSORT_FORM_DOUBLE_BUFFER,
                                                    [BENCH_FORM_LAUNCHES] = CONSORT_FORM_APART};
    consort_descriptor descriptor;
    consort_plan_info info;
    consort_plan_info_init(&info);
    describe(plan, contender->place->input, &descriptor);
    descriptor.form = forms[subject->form];
    descriptor.replay = subject->form != BENCH_FORM_LAUNCHES;
    if (consort_plan_create(&descriptor, &plan->plan) != CONSORT_OK ||
        consort_plan_get_info(plan->plan, &info) != CONSORT_OK) {
        problem_library(problem);
        return problem_prefix(problem, "not available");
    }
    snprintf(contender->algorithm, sizeof contender->algorithm, "%s", info.algorithm);
    snprintf(contender->engine, sizeof contender->engine, "%s", consort_engine_name(info.engine));
    contender->stable = info.stable != 0;
    contender->workspace = info.workspace;
    contender->parameters = subject->parameters;
    plan->counts = info.counter_count > 0 && !subject->one_call;
    return true;
}

bool bench_plan_open(struct bench_plan *plan, struct bench_contender *contender,
                     const struct bench_case *shape, struct problem *problem)
{
    *plan = (struct bench_plan){.shape = *shape};
    return make_context(plan, contender->subject, problem) && make_plan(contender, plan, problem);
}

bool bench_plan_asks(const struct bench_plan *plan, const struct bench_contender *contender)
{
    return plan->counts && contender->counting;
}

void bench_plan_count(const struct bench_plan *plan, struct bench_contender *contender,
                      const consort_outcome *outcome)
{
    struct bench_number_list *counters = &contender->counters;
    for (counters->count = 0; counters->count < BENCH_NUMBERS; counters->count++) {
        const char *name = consort_plan_counter_name(plan->plan, counters->count);
        struct bench_number *counter = &counters->items[counters->count];
        if (name == NULL) {
            return;
        }
        snprintf(counter->name, sizeof counter->name, "%s", name);
        counter->value = (int64_t)outcome->counters[counters->count];
    }
}

void bench_plan_close(struct bench_plan *plan)
{
    consort_plan_destroy(plan->plan);
    consort_context_destroy(plan->context);
    *plan = (struct bench_plan){0};
}
