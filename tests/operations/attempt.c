/* SPDX-License-Identifier: Apache-2.0 */
/* Putting one test case to the library: describe, plan, run, judge. */
#include "operations/attempt.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "operations/verdict.h"
#include "support/random.h"

enum {
    ATTEMPT_THREADS = 3,
    ATTEMPT_PARAMETERS = 8,
    ATTEMPT_ALIGNMENT = 64,
    ATTEMPT_LOCKED = 8
};

struct attempt_plan {
    consort_options options;
    consort_descriptor descriptor;
    consort_parameter parameters[ATTEMPT_PARAMETERS];
};

static struct buffers attempt_buffers;
static consort_context *attempt_context;

static enum attempt_result attempt_fails(struct attempt_report *report, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static enum attempt_result attempt_fails(struct attempt_report *report, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(report->text, sizeof report->text, format, arguments);
    va_end(arguments);
    return ATTEMPT_FAILED;
}

static consort_context *attempt_threads(void)
{
    consort_context_options options;
    consort_context_options_init(&options);
    options.threads = ATTEMPT_THREADS;
    if (!attempt_context && consort_context_create(&options, &attempt_context) != CONSORT_OK) {
        fprintf(stderr, "attempt: no context: %s\n", consort_last_error()->message);
        exit(99);
    }
    return attempt_context;
}

void attempt_finish(void)
{
    consort_context_destroy(attempt_context);
    attempt_context = NULL;
    buffers_release(&attempt_buffers);
}

static uint64_t attempt_limit(const struct test_case *test, uint64_t count, uint64_t item_bytes)
{
    switch (test->level[FACTOR_WORKSPACE]) {
    case WORKSPACE_NONE:
        return 0;
    case WORKSPACE_SMALL:
        return 4096;
    case WORKSPACE_PART:
        return count * item_bytes / 16;
    default:
        return UINT64_MAX;
    }
}

static int64_t attempt_parameter(const consort_parameter_info *info, uint32_t kind)
{
    if (kind == PARAMETERS_LEAST)
        return info->minimum;
    if (kind == PARAMETERS_MOST)
        return info->maximum;
    return info->minimum / 2 + info->maximum / 2;
}

static void attempt_set_options(struct attempt_plan *plan, const struct test_case *test,
                                const struct entry *entry, const struct key_order *order)
{
    consort_options *options = &plan->options;
    uint32_t kind = test->level[FACTOR_PARAMETERS];
    consort_options_init(options);
    options->context = attempt_threads();
    options->direction = order->direction;
    options->float_order = order->float_order;
    options->stable = test->level[FACTOR_STABLE] == 0;
    options->threads = test->level[FACTOR_THREADS] + 1;
    options->algorithm = entry->algorithm;
    options->engine = entry->algorithm ? CONSORT_ENGINE_CPU : CONSORT_ENGINE_AUTO;
    if (kind == PARAMETERS_STANDARD)
        return;
    options->parameters = plan->parameters;
    options->parameter_count = entry->parameter_count;
    for (uint32_t i = 0; i < entry->parameter_count; i++)
        plan->parameters[i] = (consort_parameter){entry->parameters[i].name,
                                                  attempt_parameter(&entry->parameters[i], kind)};
}

/* Through the one-call function, where there is one for this case. */
static bool attempt_calls_plainly(const struct problem *problem)
{
    const struct test_case *test = problem->test;
    bool records = problem->order->field_count > 0 && (problem->order->type == CONSORT_RECORD ||
                                                       problem->order->type == CONSORT_CALLBACK);
    bool sort = problem->entry->operation == CONSORT_OPERATION_SORT && problem->columns == 0;
    return test->level[FACTOR_CALL] == 1 && test->level[FACTOR_PLACE] != PLACE_DOUBLE &&
           problem->rows == 1 && (!records || sort);
}

/* Needs only the numbers of the problem: is_possible asks without data. */
static void attempt_describe(struct attempt_plan *plan, const struct problem *problem)
{
    const struct test_case *test = problem->test;
    consort_descriptor *descriptor = &plan->descriptor;
    uint64_t room = attempt_calls_plainly(problem) ? 0 : test->level[FACTOR_ROOM];
    uint32_t index = test->level[FACTOR_INDEX];
    attempt_set_options(plan, test, problem->entry, problem->order);
    plan->options.workspace_limit =
        attempt_limit(test, problem->count + room * 1000, problem->order->item_bytes);
    consort_descriptor_init(descriptor);
    descriptor->operation = problem->entry->operation;
    descriptor->type = problem->order->type;
    descriptor->maximum_count = problem->count + room * 1000;
    descriptor->value_bytes = problem->column_bytes;
    descriptor->value_count = problem->columns;
    descriptor->record_bytes = problem->order->item_bytes;
    if (problem->order->type == CONSORT_RECORD) {
        descriptor->fields = problem->order->fields;
        descriptor->field_count = problem->order->field_count;
    }
    descriptor->compare = problem->order->compare;
    descriptor->compare_context = &key_order_context;
    if (factor_matters(test, FACTOR_INDEX)) {
        descriptor->index_type = index == INDEX_U64 ? CONSORT_U64 : CONSORT_U32;
        descriptor->offset_type = index % 2 == INDEX_U32 ? CONSORT_U32 : CONSORT_U64;
        if (descriptor->operation == CONSORT_OPERATION_TOP_K && index == INDEX_ABSENT)
            descriptor->index_type = 0;
    }
    descriptor->maximum_segments = problem->segments + room * 7;
    descriptor->maximum_k = problem->k + room * 3;
    descriptor->maximum_rows = problem->rows + room;
    if (test->level[FACTOR_PLACE] == PLACE_DOUBLE)
        descriptor->form = CONSORT_FORM_DOUBLE_BUFFER;
    descriptor->options = &plan->options;
}

/* A limit that nothing fits must be answered by the least that works, and that must work. */
static consort_status attempt_create(struct attempt_plan *plan, consort_plan **made,
                                     struct attempt_report *report)
{
    consort_status status = consort_plan_create(&plan->descriptor, made);
    if (status != CONSORT_ERROR_WORKSPACE || plan->options.workspace_limit == UINT64_MAX)
        return status;
    const char *least = strstr(consort_last_error()->message, "at least ");
    uint64_t limit = plan->options.workspace_limit;
    if (least)
        plan->options.workspace_limit = strtoull(least + 9, NULL, 10);
    if (!least || plan->options.workspace_limit <= limit) {
        attempt_fails(report, "the message names no useful limit: %s",
                      consort_last_error()->message);
        return CONSORT_ERROR_INTERNAL;
    }
    return consort_plan_create(&plan->descriptor, made);
}

static consort_status attempt_run_plan(const consort_plan *plan, const struct problem *problem,
                                       const consort_arguments *arguments)
{
    uint64_t bytes = consort_plan_workspace(plan);
    uint32_t kind = problem->test->level[FACTOR_WORKSPACE];
    bool own = kind != WORKSPACE_NULL && (kind == WORKSPACE_OWN || problem->test->seed % 2 == 0);
    if (!own)
        return consort_plan_run(plan, arguments, NULL, 0, NULL);
    void *workspace = guarded_take(&attempt_buffers.workspace, bytes, ATTEMPT_ALIGNMENT);
    return consort_plan_run(plan, arguments, workspace, bytes, NULL);
}

static consort_status attempt_call(const struct attempt_plan *plan, const struct problem *problem,
                                   const consort_arguments *a)
{
    const consort_descriptor *d = &plan->descriptor;
    const consort_options *options = &plan->options;
    switch (d->operation) {
    case CONSORT_OPERATION_SORT:
        if (d->type == CONSORT_RECORD)
            return consort_sort_records(a->in, a->out, a->count, d->record_bytes, d->fields,
                                        d->field_count, options);
        if (d->type == CONSORT_CALLBACK)
            return consort_sort_by(a->in, a->out, a->count, d->record_bytes, d->compare,
                                   d->compare_context, options);
        if (problem->columns == 0)
            return consort_sort(a->in, a->out, a->count, d->type, options);
        return consort_sort_pairs(a->in, a->out, a->values, d->value_count, a->count, d->type,
                                  options);
    case CONSORT_OPERATION_ARGSORT:
        return consort_argsort(a->in, a->indices, d->index_type, a->count, d->type, options);
    case CONSORT_OPERATION_MERGE:
        return consort_merge(a->in, a->count, a->in_b, a->count_b, a->out, a->values,
                             d->value_count, d->type, options);
    case CONSORT_OPERATION_SEGMENTED_SORT:
        return consort_segmented_sort(a->in, a->out, a->count, a->offsets, d->offset_type,
                                      a->segment_count, a->values, d->value_count, d->type,
                                      options);
    case CONSORT_OPERATION_TOP_K:
        return consort_top_k(a->in, a->count, a->k, a->out, a->indices, d->index_type, d->type,
                             options);
    default:
        return consort_is_sorted(a->in, a->count, d->type, options,
                                 &attempt_buffers.outcome.position);
    }
}

static enum attempt_result attempt_judge(const struct problem *problem, const consort_plan *plan,
                                         const consort_arguments *arguments, bool called,
                                         struct attempt_report *report)
{
    consort_plan_info info;
    consort_plan_info_init(&info);
    consort_plan_get_info(plan, &info);
    report->algorithm = info.algorithm;
    if (called)
        attempt_buffers.outcome.buffer = 1;
    else if (attempt_buffers.outcome.status != CONSORT_OK)
        return attempt_fails(report, "%s: outcome.status is %d", info.algorithm,
                             attempt_buffers.outcome.status);
    if (problem->test->level[FACTOR_STABLE] == 0 && !info.stable &&
        (problem->columns > 0 || !problem->order->injective))
        return attempt_fails(report, "%s: the plan is not stable", info.algorithm);
    char text[256];
    if (!verdict(problem, &attempt_buffers, arguments, info.stable, text, sizeof text))
        return attempt_fails(report, "%s: %s", info.algorithm, text);
    const char *damage = buffers_damage(&attempt_buffers, problem);
    if (damage)
        return attempt_fails(report, "%s %s", info.algorithm, damage);
    return ATTEMPT_PASSED;
}

static enum attempt_result attempt_problem(const struct problem *problem,
                                           struct attempt_report *report)
{
    struct attempt_plan described;
    consort_plan *plan = NULL;
    consort_arguments arguments;
    attempt_describe(&described, problem);
    consort_status status = attempt_create(&described, &plan, report);
    if (status == CONSORT_ERROR_UNSUPPORTED && problem->entry->algorithm)
        return ATTEMPT_REFUSED;
    if (status != CONSORT_OK)
        return report->text[0]
                   ? ATTEMPT_FAILED
                   : attempt_fails(report, "no plan: %s", consort_last_error()->message);
    buffers_fill(&attempt_buffers, problem, &arguments);
    bool locked = problem->test->seed % ATTEMPT_LOCKED == 0;
    if (locked)
        buffers_lock(&attempt_buffers, problem);
    bool called = attempt_calls_plainly(problem);
    status = called ? attempt_call(&described, problem, &arguments)
                    : attempt_run_plan(plan, problem, &arguments);
    if (locked)
        buffers_unlock(&attempt_buffers);
    enum attempt_result result = status == CONSORT_OK
                                     ? attempt_judge(problem, plan, &arguments, called, report)
                                     : attempt_fails(report, "%s: %s", consort_status_name(status),
                                                     consort_last_error()->message);
    consort_plan_destroy(plan);
    return result;
}

enum attempt_result attempt(const struct test_case *test, struct attempt_report *report)
{
    struct problem problem;
    *report = (struct attempt_report){0};
    problem_make(&problem, test);
    enum attempt_result result = attempt_problem(&problem, report);
    problem_release(&problem);
    return result;
}

bool attempt_is_possible(const struct test_case *test)
{
    struct problem problem = {.test = test,
                              .entry = entry_at(test->level[FACTOR_ENTRY]),
                              .order = factor_key_order(test),
                              .count = factor_length(test),
                              .rows = 1};
    struct attempt_plan described;
    consort_plan *plan = NULL;
    if (!problem.entry->algorithm)
        return true; /* the planner must find something */
    problem.columns = factor_columns(test, problem.column_bytes);
    attempt_describe(&described, &problem);
    consort_status status = consort_plan_create(&described.descriptor, &plan);
    consort_plan_destroy(plan);
    return status != CONSORT_ERROR_UNSUPPORTED;
}
