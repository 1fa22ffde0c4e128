/* SPDX-License-Identifier: Apache-2.0 */
/* One sort by `merge`, or a merge by every algorithm, in device memory, against the CPU engine. */
#include "merge_trial.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cuda/cuda_algorithms.h"
#include "device_array.h"
#include "device_run.h"
#include "trial_share.h"

static uint64_t next_random(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u; /* splitmix64, S. Vigna */
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static void make_key(unsigned char *key, uint64_t bytes, enum pattern pattern, uint64_t *seed)
{
    uint64_t random[2] = {next_random(seed), next_random(seed)};
    if (pattern == EQUAL)
        memset(random, 0x41, sizeof random);
    if (pattern == FEW)
        memset(random, (int)(random[0] % 5), sizeof random);
    memcpy(key, random, bytes);
    if (pattern != SPECIAL)
        return;
    uint64_t kind = random[1] >> 32 & 7;
    if (kind < 2)
        memset(key, 0, bytes);
    else if (kind < 4)
        key[bytes - 1] = 0x7f;
    else if (kind < 5)
        memset(key, 0xff, bytes);
    if (kind < 5)
        key[bytes - 1] ^= (unsigned char)(random[1] & 0x80);
}

static consort_options options_of(const struct merge_trial *trial, int32_t engine)
{
    consort_options options;
    consort_options_init(&options);
    options.engine = engine;
    options.direction = trial->direction;
    options.float_order = trial->float_order;
    return options;
}

void merge_trial_sort(const struct merge_trial *trial, unsigned char *keys, uint64_t count)
{
    consort_options options = options_of(trial, CONSORT_ENGINE_CPU);
    assert_int_equal(consort_sort(keys, keys, count, trial->type, &options), CONSORT_OK);
}

static void reverse(unsigned char *keys, uint64_t count, uint64_t bytes)
{
    unsigned char key[16];
    for (uint64_t i = 0; i < count / 2; i++) {
        memcpy(key, keys + i * bytes, bytes);
        memcpy(keys + i * bytes, keys + (count - 1 - i) * bytes, bytes);
        memcpy(keys + (count - 1 - i) * bytes, key, bytes);
    }
}

void merge_trial_make(const struct merge_trial *trial, struct merge_trial_arrays *a)
{
    uint64_t bytes = consort_type_size(trial->type), seed = trial->seed;
    a->count = trial->count + trial->count_b;
    a->key_bytes = a->count * bytes;
    a->value_bytes = a->count * trial->value_bytes;
    a->keys = aligned_alloc(64, (a->key_bytes + 64) / 64 * 64);
    a->expected_keys = aligned_alloc(64, (a->key_bytes + 64) / 64 * 64);
    a->values = malloc(a->value_bytes + 1);
    a->expected_values = aligned_alloc(64, (a->value_bytes + 64) / 64 * 64);
    for (uint64_t i = 0; i < a->count; i++)
        make_key(a->keys + i * bytes, bytes, trial->pattern, &seed);
    for (uint64_t i = 0; i < a->value_bytes; i++)
        a->values[i] = (unsigned char)next_random(&seed);
    if (trial->operation == CONSORT_OPERATION_MERGE || trial->presorted)
        merge_trial_sort(trial, a->keys, trial->count);
    if (trial->operation == CONSORT_OPERATION_MERGE)
        merge_trial_sort(trial, a->keys + trial->count * bytes, trial->count_b);
    if (trial->presorted < 0)
        reverse(a->keys, trial->count, bytes);
}

void merge_trial_free(struct merge_trial_arrays *a)
{
    free(a->keys);
    free(a->values);
    free(a->expected_keys);
    free(a->expected_values);
}

static void expect(const struct merge_trial *trial, struct merge_trial_arrays *a)
{
    consort_options options = options_of(trial, CONSORT_ENGINE_CPU);
    uint64_t first = trial->count * trial->value_bytes;
    consort_column column = {.in = a->values,
                             .out = a->expected_values,
                             .in_b = trial->operation == CONSORT_OPERATION_MERGE ? a->values + first
                                                                                 : NULL,
                             .element_bytes = trial->value_bytes};
    uint32_t columns = trial->value_bytes > 0;
    consort_type index = trial->value_bytes == 4 ? CONSORT_U32 : CONSORT_U64;
    consort_status status;
    if (trial->operation == CONSORT_OPERATION_ARGSORT)
        status = consort_argsort(a->keys, a->expected_values, index, trial->count, trial->type,
                                 &options);
    else if (trial->operation == CONSORT_OPERATION_SORT)
        status = consort_sort_pairs(a->keys, a->expected_keys, &column, columns, trial->count,
                                    trial->type, &options);
    else
        status = consort_merge(
            a->keys, trial->count, a->keys + trial->count * consort_type_size(trial->type),
            trial->count_b, a->expected_keys, &column, columns, trial->type, &options);
    assert_int_equal(status, CONSORT_OK);
}

const char *merge_trial_next(const struct merge_trial *trial, uint32_t *index)
{
    if (trial->operation != CONSORT_OPERATION_MERGE)
        return (*index)++ == 0 ? "merge" : NULL;
    while (*index < cuda_algorithm_count) {
        const struct algorithm *algorithm = cuda_algorithms[(*index)++];
        if (algorithm->operation == CONSORT_OPERATION_MERGE)
            return algorithm->name;
    }
    return NULL;
}

consort_plan *merge_trial_plan(const struct merge_trial *trial, const char *algorithm,
                               uint64_t count)
{
    consort_options options = options_of(trial, CONSORT_ENGINE_CUDA);
    consort_descriptor descriptor;
    consort_descriptor_init(&descriptor);
    bool argsort = trial->operation == CONSORT_OPERATION_ARGSORT;
    options.algorithm = algorithm;
    descriptor.operation = trial->operation;
    descriptor.type = trial->type;
    descriptor.maximum_count = count;
    descriptor.memory = CONSORT_MEMORY_DEVICE;
    descriptor.form = trial->form;
    descriptor.options = &options;
    descriptor.value_bytes = &trial->value_bytes;
    descriptor.value_count = trial->value_bytes > 0 && !argsort;
    if (argsort)
        descriptor.index_type = trial->value_bytes == 4 ? CONSORT_U32 : CONSORT_U64;
    return device_run_plan(&descriptor);
}

static void compare(const struct merge_trial *trial, const void *device, const void *expected,
                    uint64_t bytes, const char *algorithm, const char *what)
{
    unsigned char *found = malloc(bytes + 1);
    device_array_read(found, device, bytes);
    if (memcmp(found, expected, bytes) != 0)
        fail_msg(
            "%s: %s differ: operation %d, type 0x%x, direction %d, float order %d, form %d, "
            "values %llu, counts %llu + %llu, pattern %d, in place %d, presorted %d, seed %llu",
            algorithm, what, trial->operation, (unsigned)trial->type, trial->direction,
            trial->float_order, trial->form, (unsigned long long)trial->value_bytes,
            (unsigned long long)trial->count, (unsigned long long)trial->count_b,
            (int)trial->pattern, trial->in_place, trial->presorted,
            (unsigned long long)trial->seed);
    free(found);
}

void merge_trial_arguments(const struct merge_trial *trial, consort_arguments *arguments,
                           consort_column *column, void *keys, void *values, void *keys_out)
{
    bool merge = trial->operation == CONSORT_OPERATION_MERGE;
    consort_arguments_init(arguments);
    arguments->count = trial->count;
    arguments->count_b = trial->count_b;
    arguments->in = keys;
    arguments->in_b = merge ? (char *)keys + trial->count * consort_type_size(trial->type) : NULL;
    arguments->out = trial->operation == CONSORT_OPERATION_ARGSORT ? NULL : keys_out;
    arguments->values = column;
    arguments->indices = column->out;
    column->in = values;
    column->in_b = merge ? (char *)values + trial->count * trial->value_bytes : NULL;
    column->element_bytes = trial->value_bytes;
}

static void run_and_compare(const struct merge_trial *trial, const struct merge_trial_arrays *a,
                            const char *algorithm)
{
    consort_plan *plan = merge_trial_plan(trial, algorithm, a->count);
    void *keys = device_array_new(a->keys, a->key_bytes, 0);
    void *values = device_array_new(a->values, a->value_bytes, trial->shift);
    void *keys_out = trial->in_place ? keys : device_array_new(NULL, a->key_bytes, 0);
    void *values_out =
        trial->in_place ? values : device_array_new(NULL, a->value_bytes, trial->shift);
    void *outcome = device_array_new(NULL, sizeof(consort_outcome), 0);
    void *workspace = device_array_new(NULL, consort_plan_workspace(plan), 0);
    consort_column column = {.out = values_out};
    consort_arguments arguments;
    merge_trial_arguments(trial, &arguments, &column, keys, values, keys_out);
    arguments.outcome = outcome;
    device_run(plan, &arguments, workspace, trial->captured);
    consort_outcome told;
    device_array_read(&told, outcome, sizeof told);
    bool in_first = trial->form == CONSORT_FORM_DOUBLE_BUFFER && told.buffer == 0;
    if (trial->operation != CONSORT_OPERATION_ARGSORT)
        compare(trial, in_first ? keys : keys_out, a->expected_keys, a->key_bytes, algorithm,
                "keys");
    compare(trial, in_first ? values : values_out, a->expected_values, a->value_bytes, algorithm,
            "values");
    if (!trial->in_place && trial->form == CONSORT_FORM_COPY)
        compare(trial, keys, a->keys, a->key_bytes, algorithm, "inputs");
    device_array_free(workspace, 0);
    device_array_free(outcome, 0);
    if (!trial->in_place) {
        device_array_free(values_out, trial->shift);
        device_array_free(keys_out, 0);
    }
    device_array_free(values, trial->shift);
    device_array_free(keys, 0);
    consort_plan_destroy(plan);
}

void merge_trial_try(const struct merge_trial *trial)
{
    if (!trial_share_takes_next())
        return;
    struct merge_trial_arrays a;
    merge_trial_make(trial, &a);
    expect(trial, &a);
    uint32_t index = 0;
    for (const char *name; (name = merge_trial_next(trial, &index));)
        run_and_compare(trial, &a, name);
    merge_trial_free(&a);
}
