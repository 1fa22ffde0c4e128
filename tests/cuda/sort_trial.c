/* SPDX-License-Identifier: Apache-2.0 */
/* One sort of keys, with a column of values or as an argsort, in device memory, against the CPU
 * engine on the same bytes. */
#include "sort_trial.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "device_array.h"
#include "device_run.h"
#include "distributions.h"
#include "support/random.h"
#include "trial_share.h"

struct sort_arrays {
    const unsigned char *keys;
    unsigned char *values, *sorted_keys, *sorted_values;
    uint64_t key_bytes, value_bytes;
};

static bool is_argsort(const struct sort_trial *trial)
{
    return trial->values < 0;
}

static consort_type index_type(const struct sort_trial *trial)
{
    return trial->values == SORT_TRIAL_U32 ? CONSORT_U32 : CONSORT_U64;
}

static uint64_t value_size(const struct sort_trial *trial)
{
    return (uint64_t)abs(trial->values);
}

unsigned char *sort_trial_array(uint64_t bytes)
{
    unsigned char *memory = aligned_alloc(64, (bytes + 64) / 64 * 64);
    assert_non_null(memory);
    return memory;
}

static consort_options options_of(const struct sort_trial *trial, int32_t engine)
{
    return device_run_options(engine, trial->direction, trial->float_order);
}

static void expect(const struct sort_trial *trial, struct sort_arrays *a)
{
    consort_options options = options_of(trial, CONSORT_ENGINE_CPU);
    consort_column column = {
        .in = a->values, .out = a->sorted_values, .element_bytes = value_size(trial)};
    if (is_argsort(trial))
        assert_int_equal(consort_argsort(a->keys, a->sorted_values, index_type(trial), trial->count,
                                         trial->type, &options),
                         CONSORT_OK);
    else
        assert_int_equal(consort_sort_pairs(a->keys, a->sorted_keys, &column, trial->values != 0,
                                            trial->count, trial->type, &options),
                         CONSORT_OK);
}

static consort_plan *plan_of(const struct sort_trial *trial)
{
    consort_parameter parameters[SORT_TRIAL_PARAMETERS];
    consort_descriptor descriptor;
    consort_options options = options_of(trial, CONSORT_ENGINE_CUDA);
    uint64_t bytes = value_size(trial);
    consort_descriptor_init(&descriptor);
    options.algorithm = trial->algorithm;
    options.parameters = parameters;
    for (int i = 0; i < SORT_TRIAL_PARAMETERS; i++)
        if (trial->parameters[i].value != 0 || (trial->zeros && trial->parameters[i].name))
            parameters[options.parameter_count++] = trial->parameters[i];
    descriptor.operation = is_argsort(trial) ? CONSORT_OPERATION_ARGSORT : CONSORT_OPERATION_SORT;
    descriptor.type = trial->type;
    descriptor.maximum_count = trial->count + device_run_room(trial->count);
    descriptor.memory = CONSORT_MEMORY_DEVICE;
    bool apart = trial->form == CONSORT_FORM_COPY && !trial->in_place && trial->seed % 2;
    descriptor.form = apart ? CONSORT_FORM_APART : trial->form;
    descriptor.replay = trial->captured && random_mix(trial->seed) % 2;
    descriptor.options = &options;
    descriptor.value_bytes = &bytes;
    descriptor.value_count = trial->values > 0;
    descriptor.index_type = is_argsort(trial) ? index_type(trial) : 0;
    return device_run_plan(&descriptor);
}

static void compare(const struct sort_trial *trial, const void *device, const void *expected,
                    uint64_t bytes, const char *what)
{
    unsigned char *found = sort_trial_array(bytes);
    device_array_read(found, device, bytes);
    if (memcmp(found, expected, bytes) != 0)
        fail_msg(
            "%s: %s differ: keys %s of type 0x%x, direction %d, float order %d, form %d, "
            "values %d, count %llu, parameters %lld %lld %lld %lld %lld, in place %d, seed %llu",
            trial->algorithm ? trial->algorithm : "planned", what, trial->keys ? trial->keys : "",
            (unsigned)trial->type, trial->direction, trial->float_order, trial->form, trial->values,
            (unsigned long long)trial->count, (long long)trial->parameters[0].value,
            (long long)trial->parameters[1].value, (long long)trial->parameters[2].value,
            (long long)trial->parameters[3].value, (long long)trial->parameters[4].value,
            trial->in_place, (unsigned long long)trial->seed);
    free(found);
}

static void compare_all(const struct sort_trial *trial, const struct sort_arrays *a,
                        const consort_arguments *arguments, const consort_outcome *told)
{
    const consort_column *column = arguments->values;
    bool in_first = trial->form == CONSORT_FORM_DOUBLE_BUFFER && told->buffer == 0;
    compare(trial, in_first ? column->in : column->out, a->sorted_values, a->value_bytes, "values");
    if (!is_argsort(trial))
        compare(trial, in_first ? arguments->in : arguments->out, a->sorted_keys, a->key_bytes,
                "keys");
    if (!trial->in_place && trial->form == CONSORT_FORM_COPY)
        compare(trial, arguments->in, a->keys, a->key_bytes, "inputs");
}

static consort_outcome sort_there(const struct sort_trial *trial, const struct sort_arrays *a)
{
    consort_plan *plan = plan_of(trial);
    void *keys = device_array_new(a->keys, a->key_bytes, trial->key_shift);
    void *values = device_array_new(a->values, a->value_bytes, trial->shift);
    void *keys_out =
        trial->in_place ? keys : device_array_new(NULL, a->key_bytes, 3 * trial->key_shift);
    void *values_out =
        trial->in_place ? values : device_array_new(NULL, a->value_bytes, trial->shift);
    consort_outcome told = {.status = -1, .buffer = -1};
    void *outcome = device_array_new(&told, sizeof told, 0);
    uint64_t bytes = consort_plan_workspace(plan);
    void *workspace = bytes > 0 ? device_array_new(NULL, bytes, 0) : NULL;
    consort_column column = {.in = values, .out = values_out, .element_bytes = value_size(trial)};
    consort_arguments arguments;
    consort_arguments_init(&arguments);
    arguments.count = trial->count;
    arguments.in = keys;
    arguments.out = is_argsort(trial) ? NULL : keys_out;
    arguments.values = &column;
    arguments.indices = is_argsort(trial) ? values_out : NULL;
    arguments.outcome = outcome;
    device_run(plan, &arguments, workspace, trial->captured);
    device_array_read(&told, outcome, sizeof told);
    assert_int_equal(told.status, CONSORT_OK);
    compare_all(trial, a, &arguments, &told);
    if (workspace)
        device_array_free(workspace, 0);
    device_array_free(outcome, 0);
    if (!trial->in_place) {
        device_array_free(values_out, trial->shift);
        device_array_free(keys_out, 3 * trial->key_shift);
    }
    device_array_free(values, trial->shift);
    device_array_free(keys, trial->key_shift);
    consort_plan_destroy(plan);
    return told;
}

consort_outcome sort_trial_run(const struct sort_trial *trial, const unsigned char *keys)
{
    struct sort_arrays a = {.keys = keys,
                            .key_bytes = trial->count * consort_type_size(trial->type),
                            .value_bytes = trial->count * value_size(trial)};
    uint64_t random = trial->seed;
    a.values = sort_trial_array(a.value_bytes);
    a.sorted_keys = sort_trial_array(a.key_bytes);
    a.sorted_values = sort_trial_array(a.value_bytes);
    random_words(&random, a.values, a.value_bytes, UINT64_MAX);
    expect(trial, &a);
    consort_outcome told = sort_there(trial, &a);
    free(a.values);
    free(a.sorted_keys);
    free(a.sorted_values);
    return told;
}

void sort_trial_try(const struct sort_trial *trial, const unsigned char *keys)
{
    if (trial_share_takes_next())
        sort_trial_run(trial, keys);
}

void sort_trial_try_random(const struct sort_trial *trial)
{
    static const uint64_t masks[] = {UINT64_MAX, 0, 0x00ff00ff00ff00ffu, 0xff000000ff000000u,
                                     0x0101010101010101u};
    uint64_t random = trial->seed, bytes = trial->count * consort_type_size(trial->type);
    unsigned char *keys = sort_trial_array(bytes);
    random_words(&random, keys, bytes, masks[trial->seed % 5]);
    sort_trial_try(trial, keys);
    free(keys);
}

void sort_trial_try_distribution(const struct sort_trial *trial,
                                 const struct distribution *distribution)
{
    if (!distribution_supports(distribution, trial->type))
        return;
    struct sort_trial named = *trial;
    unsigned char *keys = sort_trial_array(trial->count * consort_type_size(trial->type));
    named.keys = distribution->name;
    assert_true(distribution_fill(distribution, trial->type, keys, 0, trial->count, trial->count,
                                  trial->seed));
    sort_trial_try(&named, keys);
    free(keys);
}
