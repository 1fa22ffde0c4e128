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
#include "sort_trial.h"
#include "support/random.h"
#include "trial_share.h"

static void make_key(unsigned char *key, uint64_t bytes, enum pattern pattern, uint64_t *seed)
{
    uint64_t random[2] = {random_next(seed), random_next(seed)};
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
    return device_run_options(engine, trial->direction, trial->float_order);
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
    a->keys = sort_trial_array(a->key_bytes);
    a->expected_keys = sort_trial_array(a->key_bytes);
    a->values = sort_trial_array(a->value_bytes);
    a->expected_values = sort_trial_array(a->value_bytes);
    for (uint64_t i = 0; i < a->count; i++)
        make_key(a->keys + i * bytes, bytes, trial->pattern, &seed);
    random_words(&seed, a->values, a->value_bytes, UINT64_MAX);
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
    consort_column column = {.in = a->values,
                             .in_b = a->values + trial->count * trial->value_bytes,
                             .out = a->expected_values,
                             .element_bytes = trial->value_bytes};
    const unsigned char *keys_b = a->keys + trial->count * consort_type_size(trial->type);
    assert_int_equal(consort_merge(a->keys, trial->count, keys_b, trial->count_b, a->expected_keys,
                                   &column, trial->value_bytes > 0, trial->type, &options),
                     CONSORT_OK);
}

const char *merge_trial_next(uint32_t *index)
{
    while (*index < cuda_algorithm_count) {
        const struct algorithm *algorithm = cuda_algorithms[(*index)++];
        if (algorithm->operation == CONSORT_OPERATION_MERGE)
            return algorithm->name;
    }
    return NULL;
}

consort_plan *merge_trial_plan(const struct merge_trial *trial, const char *algorithm)
{
    consort_options options = options_of(trial, CONSORT_ENGINE_CUDA);
    consort_descriptor descriptor;
    consort_descriptor_init(&descriptor);
    options.algorithm = algorithm;
    descriptor.operation = CONSORT_OPERATION_MERGE;
    descriptor.type = trial->type;
    descriptor.maximum_count =
        trial->count + trial->count_b + device_run_room(trial->count + trial->count_b);
    descriptor.memory = CONSORT_MEMORY_DEVICE;
    descriptor.replay = trial->captured && random_mix(trial->seed) % 2;
    descriptor.options = &options;
    descriptor.value_bytes = &trial->value_bytes;
    descriptor.value_count = trial->value_bytes > 0;
    return device_run_plan(&descriptor);
}

static void compare(const struct merge_trial *trial, const void *device, const void *expected,
                    uint64_t bytes, const char *algorithm, const char *what)
{
    unsigned char *found = sort_trial_array(bytes);
    device_array_read(found, device, bytes);
    if (memcmp(found, expected, bytes) != 0)
        fail_msg("%s: %s differ: type 0x%x, direction %d, float order %d, values %llu, counts %llu "
                 "+ %llu, pattern %d, seed %llu",
                 algorithm, what, (unsigned)trial->type, trial->direction, trial->float_order,
                 (unsigned long long)trial->value_bytes, (unsigned long long)trial->count,
                 (unsigned long long)trial->count_b, (int)trial->pattern,
                 (unsigned long long)trial->seed);
    free(found);
}

void merge_trial_arguments(const struct merge_trial *trial, consort_arguments *arguments,
                           consort_column *column, const void *keys, const void *values,
                           void *keys_out)
{
    consort_arguments_init(arguments);
    arguments->count = trial->count;
    arguments->count_b = trial->count_b;
    arguments->in = keys;
    arguments->in_b = (const char *)keys + trial->count * consort_type_size(trial->type);
    arguments->out = keys_out;
    arguments->values = column;
    column->in = values;
    column->in_b = (const char *)values + trial->count * trial->value_bytes;
    column->element_bytes = trial->value_bytes;
}

enum {
    BEHIND = 32 /* bytes behind an output array that are looked at */
};

static void expect_filled(const char *device, uint64_t bytes)
{
    unsigned char found[BEHIND];
    assert_true(bytes <= sizeof found);
    device_array_read(found, device, bytes);
    for (uint64_t i = 0; i < bytes; i++)
        assert_int_equal(found[i], 0xa5);
}

/* What lies before the output, wherever that begins, and behind it is not its own. */
static void expect_untouched(const char *out, uint64_t bytes, uint64_t shift)
{
    if (!device_array_is_filled())
        return;
    expect_filled(out - shift, shift);
    expect_filled(out + bytes, BEHIND);
}

static void run_and_compare(const struct merge_trial *trial, const struct merge_trial_arrays *a,
                            const char *algorithm)
{
    consort_plan *plan = merge_trial_plan(trial, algorithm);
    void *keys = device_array_new(a->keys, a->key_bytes, 0);
    void *values = device_array_new(a->values, a->value_bytes, trial->shift);
    const uint64_t key_shift = trial->shift * consort_type_size(trial->type);
    void *keys_out = device_array_new(NULL, a->key_bytes + BEHIND, key_shift);
    void *values_out = device_array_new(NULL, a->value_bytes + BEHIND, trial->shift);
    void *workspace = device_array_new(NULL, consort_plan_workspace(plan), 0);
    consort_column column = {.out = values_out};
    consort_arguments arguments;
    merge_trial_arguments(trial, &arguments, &column, keys, values, keys_out);
    device_run(plan, &arguments, workspace, trial->captured);
    compare(trial, keys_out, a->expected_keys, a->key_bytes, algorithm, "keys");
    compare(trial, values_out, a->expected_values, a->value_bytes, algorithm, "values");
    compare(trial, keys, a->keys, a->key_bytes, algorithm, "inputs");
    expect_untouched(keys_out, a->key_bytes, key_shift);
    expect_untouched(values_out, a->value_bytes, trial->shift);
    device_array_free(workspace, 0);
    device_array_free(values_out, trial->shift);
    device_array_free(keys_out, key_shift);
    device_array_free(values, trial->shift);
    device_array_free(keys, 0);
    consort_plan_destroy(plan);
}

static void try_sort(const struct merge_trial *trial, const unsigned char *keys)
{
    const int values = (int)trial->value_bytes;
    const struct sort_trial sort = {
        .algorithm = "merge",
        .type = trial->type,
        .direction = trial->direction,
        .float_order = trial->float_order,
        .form = trial->form,
        .values = trial->operation == CONSORT_OPERATION_ARGSORT ? -values : values,
        .count = trial->count,
        .in_place = trial->in_place,
        .captured = trial->captured,
        .shift = trial->shift,
        .seed = trial->seed};
    sort_trial_run(&sort, keys);
}

void merge_trial_try(const struct merge_trial *trial)
{
    if (!trial_share_takes_next())
        return;
    struct merge_trial_arrays a;
    merge_trial_make(trial, &a);
    if (trial->operation != CONSORT_OPERATION_MERGE) {
        try_sort(trial, a.keys);
    } else {
        expect(trial, &a);
        uint32_t index = 0;
        for (const char *name; (name = merge_trial_next(&index));)
            run_and_compare(trial, &a, name);
    }
    merge_trial_free(&a);
}
