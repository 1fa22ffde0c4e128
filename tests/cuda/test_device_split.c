/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `sample` and `quick` by force, with leaves so small that few keys are split often: the result of
 * the CPU engine, and what they count. No distribution needs the network at the end, equal keys
 * are split once, and where splits are forbidden the network sorts. Runs on the emulator and on a
 * GPU alike.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "consort.h"
#include "cuda/driver/driver.h"
#include "device_array.h"
#include "device_run.h"
#include "distributions.h"
#include "trial_share.h"

enum {
    COUNT = 6000,
    LEAF = 256,
    LEVELS = 0, /* counters */
    FALLBACK = 2
};

struct trial {
    const char *algorithm;
    const struct distribution *distribution;
    consort_type type;
    int64_t levels; /* 0: as many as the algorithm takes */
    bool indexed;
};

static const consort_type types[] = {CONSORT_U8, CONSORT_U32, CONSORT_F64};

static void describe(const struct trial *trial, consort_descriptor *descriptor)
{
    consort_descriptor_init(descriptor);
    descriptor->operation = trial->indexed ? CONSORT_OPERATION_ARGSORT : CONSORT_OPERATION_SORT;
    descriptor->type = trial->type;
    descriptor->index_type = trial->indexed ? CONSORT_U32 : 0;
    descriptor->maximum_count = COUNT;
}

static void expect(const struct trial *trial, const void *keys, void *sorted)
{
    consort_descriptor descriptor;
    consort_options options;
    consort_arguments arguments;
    describe(trial, &descriptor);
    consort_options_init(&options);
    options.engine = CONSORT_ENGINE_CPU;
    descriptor.options = &options;
    consort_plan *plan = device_run_plan(&descriptor);
    consort_arguments_init(&arguments);
    arguments.count = COUNT;
    arguments.in = keys;
    arguments.out = trial->indexed ? NULL : sorted;
    arguments.indices = trial->indexed ? sorted : NULL;
    assert_int_equal(consort_plan_run(plan, &arguments, NULL, 0, NULL), CONSORT_OK);
    consort_plan_destroy(plan);
}

static consort_plan *plan_of(const struct trial *trial)
{
    consort_descriptor descriptor;
    consort_options options;
    consort_parameter parameters[] = {{"leaf", LEAF}, {"levels", trial->levels}, {"ways", 4}};
    describe(trial, &descriptor);
    consort_options_init(&options);
    options.engine = CONSORT_ENGINE_CUDA;
    options.algorithm = trial->algorithm;
    options.parameters = parameters;
    options.parameter_count = !trial->levels ? 1 : strcmp(trial->algorithm, "sample") ? 2 : 3;
    descriptor.memory = CONSORT_MEMORY_DEVICE;
    descriptor.options = &options;
    return device_run_plan(&descriptor);
}

/* Sorts in place, and returns what was counted. */
static consort_outcome sort_and_compare(const struct trial *trial, const void *keys,
                                        const void *sorted)
{
    const uint64_t bytes = COUNT * consort_type_size(trial->type);
    const uint64_t out_bytes = trial->indexed ? COUNT * sizeof(uint32_t) : bytes;
    consort_plan *plan = plan_of(trial);
    consort_outcome told;
    memset(&told, 0, sizeof told);
    void *in = device_array_new(keys, bytes, 0);
    void *out = trial->indexed ? device_array_new(NULL, out_bytes, 0) : in;
    void *outcome = device_array_new(&told, sizeof told, 0);
    void *workspace = device_array_new(NULL, consort_plan_workspace(plan), 0);
    consort_arguments arguments;
    consort_arguments_init(&arguments);
    arguments.count = COUNT;
    arguments.in = in;
    arguments.out = trial->indexed ? NULL : out;
    arguments.indices = trial->indexed ? out : NULL;
    arguments.outcome = outcome;
    device_run(plan, &arguments, workspace, false);
    unsigned char *found = malloc(out_bytes);
    assert_non_null(found);
    device_array_read(found, out, out_bytes);
    device_array_read(&told, outcome, sizeof told);
    if (memcmp(found, sorted, out_bytes) != 0)
        fail_msg("%s: %s of type 0x%x, levels %lld, indexed %d", trial->algorithm,
                 trial->distribution->name, (unsigned)trial->type, (long long)trial->levels,
                 trial->indexed);
    free(found);
    device_array_free(workspace, 0);
    device_array_free(outcome, 0);
    if (trial->indexed)
        device_array_free(out, 0);
    device_array_free(in, 0);
    consort_plan_destroy(plan);
    return told;
}

static void try_distribution(struct trial trial)
{
    if (!distribution_supports(trial.distribution, trial.type) || !trial_share_takes_next())
        return;
    uint64_t bytes = (COUNT * consort_type_size(trial.type) + 63) / 64 * 64;
    void *keys = aligned_alloc(64, bytes), *sorted = aligned_alloc(64, 2 * bytes + 8 * COUNT);
    assert_non_null(keys);
    assert_non_null(sorted);
    assert_true(distribution_fill(trial.distribution, trial.type, keys, 0, COUNT, COUNT, 1));
    expect(&trial, keys, sorted);
    consort_outcome told = sort_and_compare(&trial, keys, sorted);
    bool equal = strcmp(trial.distribution->name, "equal") == 0;
    bool uniform = strcmp(trial.distribution->name, "uniform") == 0;
    if (!trial.levels && told.counters[FALLBACK] != 0)
        fail_msg("%s: the network sorted %llu keys of %s", trial.algorithm,
                 (unsigned long long)told.counters[FALLBACK], trial.distribution->name);
    if (equal && !trial.indexed)
        assert_int_equal(told.counters[LEVELS], 1);
    if (uniform && trial.levels == 1 && trial.type == CONSORT_U32)
        assert_true(told.counters[FALLBACK] > 0);
    free(sorted);
    free(keys);
}

static void try_algorithm(const char *name)
{
    size_t count;
    const struct distribution *list = distribution_list(&count);
    for (size_t i = 0; i < count; i++) {
        struct trial trial = {.algorithm = name, .distribution = &list[i]};
        trial.type = types[i % (sizeof types / sizeof types[0])];
        try_distribution(trial);
        trial.type = CONSORT_U32;
        trial.indexed = i % 3 == 0;
        try_distribution(trial);
        trial.levels = 1;
        if (i % 4 == 0)
            try_distribution(trial);
    }
}

static void test_sample(void **state)
{
    (void)state;
    try_algorithm("sample");
}

static void test_quick(void **state)
{
    (void)state;
    try_algorithm("quick");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sample),
        cmocka_unit_test(test_quick),
    };
    if (!device_array_begin()) {
        print_message("skipped: %s\n", driver_absence());
        return 77;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
