/* SPDX-License-Identifier: Apache-2.0 */
/* Trials of `merge-chunks`. */
#include "multi_trial.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/random.h"
#include "test_threads.h"

enum {
    RECORD = 12, /* a u32 of few values, a u64 of few values, both unaligned but for the first */
    INDEX = 4
};

static const uint64_t value_sizes[2] = {8, 3};

static const consort_field record_fields[2] = {
    {.offset = 8, .type = CONSORT_U32, .direction = CONSORT_DESCENDING},
    {.offset = 1, .type = CONSORT_U16},
};

struct multi_trial multi_trial_of(enum multi_kind kind, uint64_t count)
{
    return (struct multi_trial){.kind = kind,
                                .type = CONSORT_U32,
                                .distribution = distribution_find("uniform"),
                                .count = count,
                                .seed = count + 1,
                                .chunks = 3,
                                .workspace = PLACE_KINDS};
}

const char *multi_trial_name(const struct multi_trial *trial)
{
    static char text[256];
    static const char *const kinds[] = {"keys", "pairs", "argsort", "records"};
    char type[16] = "";
    consort_type_name(trial->type, type, sizeof type);
    snprintf(text, sizeof text,
             "%s %s %s direction %d order %d n=%llu seed=%llu chunks=%lld memory=%lld in place %d "
             "places %d %d %d",
             kinds[trial->kind], type, trial->distribution ? trial->distribution->name : "alone",
             trial->direction, trial->float_order, (unsigned long long)trial->count,
             (unsigned long long)trial->seed, (long long)trial->chunks, (long long)trial->memory,
             trial->in_place, trial->from, trial->to, trial->workspace);
    return text;
}

static void describe(const struct multi_trial *trial, consort_descriptor *descriptor,
                     consort_options *options)
{
    consort_descriptor_init(descriptor);
    consort_options_init(options);
    options->context = trial->context;
    descriptor->options = options;
    descriptor->operation =
        trial->kind == MULTI_ARGSORT ? CONSORT_OPERATION_ARGSORT : CONSORT_OPERATION_SORT;
    descriptor->type = trial->type;
    descriptor->maximum_count = trial->count;
    descriptor->form = trial->apart ? CONSORT_FORM_APART : CONSORT_FORM_COPY;
    if (trial->kind == MULTI_RECORDS) {
        descriptor->type = CONSORT_RECORD;
        descriptor->record_bytes = RECORD;
        descriptor->fields = record_fields;
        descriptor->field_count = 2;
        return;
    }
    options->direction = trial->direction;
    options->float_order = trial->float_order;
    if (trial->kind == MULTI_ARGSORT)
        descriptor->index_type = CONSORT_U32;
    if (trial->kind == MULTI_PAIRS) {
        descriptor->value_bytes = value_sizes;
        descriptor->value_count = 2;
    }
}

consort_plan *multi_trial_plan(const struct multi_trial *trial)
{
    consort_descriptor descriptor;
    consort_options options;
    consort_plan *plan;
    describe(trial, &descriptor, &options);
    const consort_parameter parameters[] = {{"memory", trial->memory}, {"chunks", trial->chunks}};
    options.engine = CONSORT_ENGINE_CUDA;
    options.device = CONSORT_DEVICE_ALL;
    if (!trial->auto_chosen) {
        options.algorithm = trial->algorithm ? trial->algorithm : "merge-chunks";
        options.parameters = parameters;
        options.parameter_count = trial->algorithm ? 1 : 2;
    }
    return consort_plan_create(&descriptor, &plan) == CONSORT_OK ? plan : NULL;
}

static void *take(uint64_t bytes)
{
    void *memory = calloc(1, bytes + 64);
    assert_non_null(memory);
    return memory;
}

static void point(const struct multi_trial *trial, consort_arguments *arguments, void *in,
                  void *out, const consort_column *columns)
{
    arguments->count = trial->count;
    arguments->in = in;
    arguments->values = columns;
    if (trial->kind == MULTI_ARGSORT)
        arguments->indices = out;
    else
        arguments->out = out;
}

static void expect(const struct multi_trial *trial, struct multi_arrays *a)
{
    consort_descriptor descriptor;
    consort_options options;
    consort_arguments arguments;
    consort_column columns[2];
    consort_plan *plan;
    describe(trial, &descriptor, &options);
    options.engine = CONSORT_ENGINE_CPU;
    options.threads = 1;
    for (uint32_t c = 0; c < a->columns; c++)
        columns[c] = (consort_column){
            .in = a->values[c], .out = a->sorted_values[c], .element_bytes = value_sizes[c]};
    consort_arguments_init(&arguments);
    point(trial, &arguments, a->keys, a->sorted_keys, columns);
    if (consort_plan_create(&descriptor, &plan) != CONSORT_OK ||
        consort_plan_run(plan, &arguments, NULL, 0, NULL) != CONSORT_OK)
        fail_msg("%s", consort_last_error()->message);
    consort_plan_destroy(plan);
}

static void fill(const struct multi_trial *trial, struct multi_arrays *a)
{
    uint64_t random = trial->seed;
    if (trial->kind == MULTI_RECORDS)
        for (uint64_t i = 0; i < a->key_bytes; i++)
            a->keys[i] = (unsigned char)random_below(&random, 3);
    else if (trial->distribution)
        assert_true(distribution_fill(trial->distribution, trial->type, a->keys, 0, trial->count,
                                      trial->count, trial->seed));
    else if (a->key_bytes > 0)
        a->keys[a->key_bytes - 1] = 1;
    for (uint32_t c = 0; c < a->columns; c++)
        random_bytes(&random, a->values[c], a->value_bytes[c]);
}

struct multi_arrays multi_arrays_of(const struct multi_trial *trial)
{
    uint64_t item = trial->kind == MULTI_RECORDS ? RECORD : consort_type_size(trial->type);
    struct multi_arrays a = {.key_bytes = trial->count * item,
                             .columns = trial->kind == MULTI_PAIRS ? 2 : 0};
    a.result_bytes = trial->kind == MULTI_ARGSORT ? trial->count * INDEX : a.key_bytes;
    a.keys = aligned_alloc(64, (a.key_bytes + 64) / 64 * 64);
    a.sorted_keys = aligned_alloc(64, (a.result_bytes + 64) / 64 * 64);
    assert_non_null(a.keys);
    assert_non_null(a.sorted_keys);
    memset(a.keys, 0, a.key_bytes);
    for (uint32_t c = 0; c < a.columns; c++) {
        a.value_bytes[c] = trial->count * value_sizes[c];
        a.values[c] = take(a.value_bytes[c]);
        a.sorted_values[c] = take(a.value_bytes[c]);
    }
    fill(trial, &a);
    expect(trial, &a);
    return a;
}

void multi_arrays_free(struct multi_arrays *a)
{
    free(a->keys);
    free(a->sorted_keys);
    for (uint32_t c = 0; c < a->columns; c++) {
        free(a->values[c]);
        free(a->sorted_values[c]);
    }
}

static void compare(const struct multi_trial *trial, enum place_kind kind, const void *place,
                    const void *wanted, uint64_t bytes, const char *what)
{
    unsigned char *read = take(bytes);
    place_read(kind, read, place, bytes);
    for (uint64_t i = 0; i < bytes; i++)
        if (read[i] != ((const unsigned char *)wanted)[i])
            fail_msg("%s differs at byte %llu: %s", what, (unsigned long long)i,
                     multi_trial_name(trial));
    free(read);
}

struct multi_copies multi_copies_of(const struct multi_trial *trial, const struct multi_arrays *a)
{
    bool same = trial->in_place && trial->kind != MULTI_ARGSORT;
    struct multi_copies copies = {0}, *c = &copies;
    c->in = place_new(trial->from, a->keys, a->key_bytes);
    c->out = same ? c->in : place_new(trial->to, NULL, a->result_bytes);
    for (uint32_t i = 0; i < a->columns; i++) {
        void *in = place_new(trial->from, a->values[i], a->value_bytes[i]);
        void *out = same ? in : place_new(trial->to, NULL, a->value_bytes[i]);
        c->columns[i] = (consort_column){.in = in, .out = out, .element_bytes = value_sizes[i]};
    }
    return copies;
}

void multi_copies_check(const struct multi_trial *trial, const struct multi_arrays *a,
                        const struct multi_copies *c, bool sorted, bool whole)
{
    bool same = c->in == c->out;
    whole |= !same;
    enum place_kind out = same ? trial->from : trial->to;
    if (sorted)
        compare(trial, out, c->out, a->sorted_keys, a->result_bytes, "result");
    if (whole)
        compare(trial, trial->from, c->in, a->keys, a->key_bytes, "input");
    for (uint32_t i = 0; i < a->columns; i++) {
        if (sorted)
            compare(trial, out, c->columns[i].out, a->sorted_values[i], a->value_bytes[i],
                    "values");
        if (whole)
            compare(trial, trial->from, c->columns[i].in, a->values[i], a->value_bytes[i],
                    "values before");
    }
}

static void compare_unset(const struct multi_trial *trial, const void *place, uint64_t bytes)
{
    unsigned char *unset = take(bytes);
    memset(unset, PLACE_UNSET, bytes);
    compare(trial, trial->to, place, unset, bytes, "output before");
    free(unset);
}

void multi_copies_check_untouched(const struct multi_trial *trial, const struct multi_arrays *a,
                                  const struct multi_copies *c)
{
    multi_copies_check(trial, a, c, false, true);
    if (c->in == c->out)
        return;
    compare_unset(trial, c->out, a->result_bytes);
    for (uint32_t i = 0; i < a->columns; i++)
        compare_unset(trial, c->columns[i].out, a->value_bytes[i]);
}

void multi_copies_free(const struct multi_trial *trial, const struct multi_arrays *a,
                       const struct multi_copies *c)
{
    bool same = c->in == c->out;
    for (uint32_t i = 0; i < a->columns; i++) {
        if (!same)
            place_free(trial->to, c->columns[i].out);
        place_free(trial->from, (void *)c->columns[i].in);
    }
    if (!same)
        place_free(trial->to, c->out);
    place_free(trial->from, c->in);
}

consort_status multi_copies_sort(struct multi_trial *trial, const consort_plan *plan,
                                 const struct multi_copies *c, void *workspace,
                                 const consort_arguments *with)
{
    consort_arguments arguments;
    consort_arguments_init(&arguments);
    if (with)
        arguments = *with;
    point(trial, &arguments, c->in, c->out, c->columns);
    arguments.outcome = trial->silent ? NULL : &trial->outcome;
    return consort_plan_run(plan, &arguments, workspace,
                            workspace ? consort_plan_workspace(plan) : 0, NULL);
}

consort_status multi_trial_run(struct multi_trial *trial, const consort_plan *plan,
                               const struct multi_arrays *a, const consort_arguments *with)
{
    struct multi_copies c = multi_copies_of(trial, a);
    bool own = trial->workspace != PLACE_KINDS;
    void *workspace = own ? place_new(trial->workspace, NULL, consort_plan_workspace(plan)) : NULL;
    consort_status status = multi_copies_sort(trial, plan, &c, workspace, with);
    bool whole = status != CONSORT_OK && consort_last_error()->input_whole;
    multi_copies_check(trial, a, &c, status == CONSORT_OK, whole);
    multi_copies_free(trial, a, &c);
    if (own)
        place_free(trial->workspace, workspace);
    return status;
}

void multi_trial_try(struct multi_trial *trial)
{
    struct multi_arrays a = multi_arrays_of(trial);
    consort_plan *plan = multi_trial_plan(trial);
    if (!plan)
        fail_msg("%s: %s", multi_trial_name(trial), consort_last_error()->message);
    if (multi_trial_run(trial, plan, &a, NULL) != CONSORT_OK)
        fail_msg("%s: %s", multi_trial_name(trial), consort_last_error()->message);
    consort_plan_destroy(plan);
    multi_arrays_free(&a);
}

struct stopped_trial {
    struct multi_trial *trial;
    const consort_plan *plan;
    struct multi_arrays arrays;
};

static consort_status stopped_run(void *context, const consort_arguments *with)
{
    struct stopped_trial *stopped = context;
    return multi_trial_run(stopped->trial, stopped->plan, &stopped->arrays, with);
}

struct progress_stops multi_trial_stops(struct multi_trial *trial)
{
    consort_plan *plan = multi_trial_plan(trial);
    struct stopped_trial stopped = {trial, plan, multi_arrays_of(trial)};
    struct progress_stops stops = progress_watch_stops(stopped_run, &stopped, UINT64_MAX);
    progress_watch_cancelled(stopped_run, &stopped);
    consort_plan_destroy(plan);
    multi_arrays_free(&stopped.arrays);
    return stops;
}

static void *try_in_a_thread(void *context)
{
    multi_trial_try(context);
    return NULL;
}

void multi_trials_together(struct multi_trial *trials, uint32_t count)
{
    consort_context *context = test_threads_context();
    for (uint32_t t = 0; t < count; t++)
        trials[t].context = context;
    test_threads_run(count, try_in_a_thread, trials, sizeof *trials);
    consort_context_destroy(context);
}
