/* SPDX-License-Identifier: Apache-2.0 */
/* Putting one test case to the library: describe, plan, run, judge. */
#include "operations/attempt.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "operations/description.h"
#include "operations/verdict.h"
#include "support/random.h"

enum {
    ATTEMPT_THREADS = 3,
    ATTEMPT_PARAMETERS = 8,
    ATTEMPT_ALIGNMENT = 64,
    ATTEMPT_LOCKED = 8
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

static consort_status attempt_create_once(struct description *plan, consort_plan **made,
                                          struct attempt_report *report)
{
    consort_status status = consort_plan_create(&plan->descriptor, made);
    uint64_t limit = plan->options.workspace_limit;
    if (status != CONSORT_OK || consort_plan_workspace(*made) <= limit)
        return status;
    attempt_fails(report, "the plan wants %llu bytes of workspace, the limit is %llu",
                  (unsigned long long)consort_plan_workspace(*made), (unsigned long long)limit);
    consort_plan_destroy(*made);
    *made = NULL;
    return CONSORT_ERROR_INTERNAL;
}

/* A limit that nothing fits must be answered by the least that works, and that must work. */
static consort_status attempt_create(struct description *plan, consort_plan **made,
                                     struct attempt_report *report)
{
    consort_status status = attempt_create_once(plan, made, report);
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
    return attempt_create_once(plan, made, report);
}

static consort_status attempt_run_plan(const consort_plan *plan, const struct exercise *exercise,
                                       const consort_arguments *arguments)
{
    uint64_t bytes = consort_plan_workspace(plan);
    uint32_t kind = exercise->test->level[FACTOR_WORKSPACE];
    bool own = kind != WORKSPACE_NULL && (kind == WORKSPACE_OWN || exercise->test->seed % 2 == 0);
    if (!own)
        return consort_plan_run(plan, arguments, NULL, 0, NULL);
    void *workspace = guarded_take(&attempt_buffers.workspace, bytes, ATTEMPT_ALIGNMENT);
    return consort_plan_run(plan, arguments, workspace, bytes, NULL);
}

static consort_status attempt_call(const struct description *plan, const struct exercise *exercise,
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
        if (exercise->columns == 0)
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

static enum attempt_result attempt_judge(const struct exercise *exercise, const consort_plan *plan,
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
    if (exercise->test->level[FACTOR_STABLE] == 0 && !info.stable &&
        (exercise->columns > 0 || !exercise->order->injective))
        return attempt_fails(report, "%s: the plan is not stable", info.algorithm);
    char text[256];
    if (!verdict(exercise, &attempt_buffers, arguments, info.stable, text, sizeof text))
        return attempt_fails(report, "%s: %s", info.algorithm, text);
    const char *damage = buffers_damage(&attempt_buffers, exercise);
    if (damage)
        return attempt_fails(report, "%s %s", info.algorithm, damage);
    return ATTEMPT_PASSED;
}

static int32_t attempt_progress(void *context, uint64_t done, uint64_t total)
{
    struct trouble *trouble = context;
    trouble->calls++;
    if (done > total)
        trouble->bad_progress = true;
    return trouble->calls == trouble->cancel_at ? -7 : 0;
}

/* A run that failed as it was made to fail. */
static enum attempt_result attempt_judge_failure(const struct exercise *exercise,
                                                 consort_status status,
                                                 struct attempt_report *report)
{
    const consort_error *error = consort_last_error();
    bool touching = status == CONSORT_ERROR_CANCELLED;
    bool may_damage = touching && (buffers_keys_stay(exercise) || buffers_values_stay(exercise) ||
                                   exercise->test->level[FACTOR_PLACE] == PLACE_DOUBLE);
    if (error->status != status || error->message[0] == '\0')
        return attempt_fails(report, "%s without an error record", consort_status_name(status));
    if (!error->input_whole && !may_damage)
        return attempt_fails(report, "%s: damaged its input", error->message);
    if (error->input_whole && !buffers_are_whole(&attempt_buffers, exercise))
        return attempt_fails(report, "%s: says the input is whole", error->message);
    if (!touching && !buffers_are_unwritten(&attempt_buffers, exercise))
        return attempt_fails(report, "%s: had written its output", error->message);
    const char *damage = buffers_damage(&attempt_buffers, exercise);
    return damage ? attempt_fails(report, "%s: %s", error->message, damage) : ATTEMPT_PASSED;
}

static consort_status attempt_execute(const struct description *described, const consort_plan *plan,
                                      const struct exercise *exercise, struct trouble *trouble,
                                      consort_arguments *arguments)
{
    buffers_fill(&attempt_buffers, exercise, arguments);
    if (trouble) {
        arguments->progress = attempt_progress;
        arguments->progress_context = trouble;
        arguments->cancel = trouble->cancel;
    }
    bool locked = exercise->test->seed % ATTEMPT_LOCKED == 0;
    if (locked)
        buffers_lock(&attempt_buffers, exercise);
    consort_status status = description_is_plain(exercise)
                                ? attempt_call(described, exercise, arguments)
                                : attempt_run_plan(plan, exercise, arguments);
    if (locked)
        buffers_unlock(&attempt_buffers);
    return status;
}

static enum attempt_result attempt_exercise(const struct exercise *exercise,
                                            struct trouble *trouble, struct attempt_report *report)
{
    struct description described;
    consort_plan *plan = NULL;
    consort_arguments arguments;
    bool own = trouble && trouble->context;
    description_make(&described, exercise, own ? trouble->context : attempt_threads());
    if (trouble && trouble->begin)
        trouble->begin();
    report->status = attempt_create(&described, &plan, report);
    bool planned = report->status == CONSORT_OK;
    if (planned)
        report->status = attempt_execute(&described, plan, exercise, trouble, &arguments);
    if (trouble && trouble->end)
        trouble->end();
    enum attempt_result result = ATTEMPT_PASSED;
    if (report->status == CONSORT_OK)
        result = attempt_judge(exercise, plan, &arguments, description_is_plain(exercise), report);
    else if (trouble && report->status == trouble->accepted)
        result = planned ? attempt_judge_failure(exercise, report->status, report) : ATTEMPT_PASSED;
    else if (!planned && report->status == CONSORT_ERROR_UNSUPPORTED && exercise->entry->algorithm)
        result = ATTEMPT_REFUSED;
    else if (report->text[0])
        result = ATTEMPT_FAILED;
    else
        result = attempt_fails(report, "%s: %s", consort_status_name(report->status),
                               consort_last_error()->message);
    if (result == ATTEMPT_PASSED && trouble && trouble->bad_progress)
        result = attempt_fails(report, "progress beyond its total");
    consort_plan_destroy(plan);
    return result;
}

enum attempt_result attempt(const struct test_case *test, struct trouble *trouble,
                            struct attempt_report *report)
{
    struct exercise exercise;
    *report = (struct attempt_report){0};
    if (trouble)
        trouble->calls = 0;
    exercise_make(&exercise, test);
    enum attempt_result result = attempt_exercise(&exercise, trouble, report);
    exercise_release(&exercise);
    return result;
}

bool attempt_is_possible(const struct test_case *test)
{
    struct exercise exercise = {.test = test,
                                .entry = entry_at(test->level[FACTOR_ENTRY]),
                                .order = factor_key_order(test),
                                .count = factor_length(test),
                                .rows = 1};
    struct description described;
    consort_plan *plan = NULL;
    if (!exercise.entry->algorithm)
        return true; /* the planner must find something */
    exercise.columns = factor_columns(test, exercise.column_bytes);
    description_make(&described, &exercise, attempt_threads());
    consort_status status = consort_plan_create(&described.descriptor, &plan);
    consort_plan_destroy(plan);
    return status != CONSORT_ERROR_UNSUPPORTED;
}
