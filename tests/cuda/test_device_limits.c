/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The planner under workspace limits, over the whole registry of the GPU: what it picks fits, is
 * the cheapest of those that fit, and sorts; it gives up only where nothing fits, and names the
 * least that does. Plain keys, values, argsorts and structures, stable and not. Runs on the
 * emulator and on a GPU alike.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "consort.h"
#include "core/plan.h"
#include "cuda/driver/driver.h"
#include "device_array.h"
#include "device_run.h"
#include "support/random.h"
#include "trial_share.h"

enum {
    MOST_ALGORITHMS = 64,
    FIELDS = 2
};

struct trial {
    consort_type type; /* CONSORT_RECORD: 12 bytes, two fields of 4 */
    uint64_t value_bytes;
    int32_t operation;
    consort_type index_type;
    int32_t stable;
    uint64_t count;
};

/* What one algorithm would take. */
struct offer {
    const char *name;
    uint64_t workspace;
    double cost;
};

static uint64_t key_bytes(const struct trial *t)
{
    return t->type == CONSORT_RECORD ? 12 : consort_type_size(t->type);
}

static uint64_t index_bytes(const struct trial *t)
{
    return t->operation == CONSORT_OPERATION_ARGSORT ? consort_type_size(t->index_type) : 0;
}

static consort_status plan_of(const struct trial *t, const char *algorithm, int32_t engine,
                              uint64_t limit, consort_plan **plan)
{
    static const consort_field fields[FIELDS] = {{4, CONSORT_F32, CONSORT_DESCENDING, 0, 0},
                                                 {0, CONSORT_U32, CONSORT_ASCENDING, 0, 0}};
    consort_descriptor descriptor;
    consort_options options;
    consort_descriptor_init(&descriptor);
    consort_options_init(&options);
    options.algorithm = algorithm;
    options.engine = engine;
    options.workspace_limit = limit;
    options.stable = t->stable;
    descriptor.operation = t->operation;
    descriptor.type = t->type;
    descriptor.index_type = t->operation == CONSORT_OPERATION_ARGSORT ? t->index_type : 0;
    descriptor.maximum_count = t->count;
    descriptor.value_bytes = &t->value_bytes;
    descriptor.value_count = t->value_bytes > 0;
    descriptor.record_bytes = t->type == CONSORT_RECORD ? 12 : 0;
    descriptor.fields = t->type == CONSORT_RECORD ? fields : NULL;
    descriptor.field_count = t->type == CONSORT_RECORD ? FIELDS : 0;
    descriptor.memory = engine == CONSORT_ENGINE_CUDA ? CONSORT_MEMORY_DEVICE : CONSORT_MEMORY_HOST;
    descriptor.options = &options;
    return consort_plan_create(&descriptor, plan);
}

static uint32_t offers_for(const struct trial *t, struct offer *offers)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < consort_algorithm_count(); i++) {
        consort_algorithm_info info;
        consort_plan *plan;
        consort_algorithm_info_init(&info);
        assert_int_equal(consort_algorithm_get_info(i, &info), CONSORT_OK);
        if (info.engine != CONSORT_ENGINE_CUDA || info.operation != t->operation || info.quadratic)
            continue;
        consort_status status = plan_of(t, info.name, CONSORT_ENGINE_CUDA, UINT64_MAX, &plan);
        if (status == CONSORT_ERROR_UNSUPPORTED)
            continue;
        assert_int_equal(status, CONSORT_OK);
        assert_true(found < MOST_ALGORITHMS);
        offers[found++] = (struct offer){info.name, consort_plan_workspace(plan),
                                         plan->algorithm->cost(&plan->request)};
        consort_plan_destroy(plan);
    }
    return found;
}

static void run(const consort_plan *plan, const struct trial *t, const void *keys,
                const void *values, void *out, void *values_out, bool device)
{
    consort_arguments arguments;
    consort_column column = {.in = values, .out = values_out, .element_bytes = t->value_bytes};
    consort_arguments_init(&arguments);
    arguments.count = t->count;
    arguments.in = keys;
    arguments.out = index_bytes(t) ? NULL : out;
    arguments.indices = index_bytes(t) ? out : NULL;
    arguments.values = &column;
    if (!device) {
        assert_int_equal(consort_plan_run(plan, &arguments, NULL, 0, NULL), CONSORT_OK);
        return;
    }
    void *workspace = device_array_new(NULL, consort_plan_workspace(plan), 0);
    device_run(plan, &arguments, workspace, false);
    device_array_free(workspace, 0);
}

/* With the same bytes as the CPU's stable result; where stability was not asked for, the planner's
 * choice of this data may be stable or have distinct keys only. */
static void expect_sorts(const consort_plan *plan, const struct trial *t)
{
    uint64_t bytes = t->count * key_bytes(t), values_bytes = t->count * t->value_bytes;
    uint64_t out_bytes = index_bytes(t) ? t->count * index_bytes(t) : bytes, seed = t->count;
    uint64_t *keys = malloc(bytes + 8), *values = malloc(values_bytes + 8);
    char *expected = malloc(out_bytes + 1), *expected_values = malloc(values_bytes + 1);
    char *found = malloc(out_bytes + 1), *found_values = malloc(values_bytes + 1);
    assert_true(keys && values && expected && expected_values && found && found_values);
    random_bytes(&seed, keys, bytes);
    random_bytes(&seed, values, values_bytes);
    consort_plan *reference;
    assert_int_equal(plan_of(t, NULL, CONSORT_ENGINE_CPU, UINT64_MAX, &reference), CONSORT_OK);
    run(reference, t, keys, values, expected, expected_values, false);
    consort_plan_destroy(reference);
    void *in = device_array_new(keys, bytes, 0), *out = device_array_new(NULL, out_bytes, 0);
    void *values_in = device_array_new(values, values_bytes, 0);
    void *values_out = device_array_new(NULL, values_bytes, 0);
    run(plan, t, in, values_in, out, values_out, true);
    device_array_read(found, out, out_bytes);
    device_array_read(found_values, values_out, values_bytes);
    assert_memory_equal(found, expected, out_bytes);
    assert_memory_equal(found_values, expected_values, values_bytes);
    void *arrays[] = {in, out, values_in, values_out};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++)
        device_array_free(arrays[i], 0);
    void *memory[] = {keys, values, expected, expected_values, found, found_values};
    for (size_t i = 0; i < sizeof memory / sizeof memory[0]; i++)
        free(memory[i]);
}

/* The first of the cheapest offers within the limit, NULL if none is. */
static const struct offer *best_within(const struct offer *offers, uint32_t count, uint64_t limit)
{
    const struct offer *best = NULL;
    for (uint32_t i = 0; i < count; i++)
        if (offers[i].workspace <= limit && (!best || offers[i].cost < best->cost))
            best = &offers[i];
    return best;
}

static void try_limit(const struct trial *t, const struct offer *offers, uint32_t count,
                      uint64_t limit, const char **last)
{
    const struct offer *best = best_within(offers, count, limit);
    consort_plan *plan = NULL;
    consort_status status = plan_of(t, NULL, CONSORT_ENGINE_CUDA, limit, &plan);
    if (!best) {
        uint64_t least = UINT64_MAX;
        char words[64];
        for (uint32_t i = 0; i < count; i++)
            least = offers[i].workspace < least ? offers[i].workspace : least;
        snprintf(words, sizeof words, "at least %llu bytes", (unsigned long long)least);
        assert_int_equal(status, CONSORT_ERROR_WORKSPACE);
        assert_non_null(strstr(consort_last_error()->message, words));
        return;
    }
    if (status != CONSORT_OK)
        fail_msg("type 0x%x, limit %llu: %s fits and was not taken: %s", (unsigned)t->type,
                 (unsigned long long)limit, best->name, consort_last_error()->message);
    assert_true(consort_plan_workspace(plan) <= limit);
    assert_string_equal(plan->algorithm->name, best->name);
    if (*last == NULL || strcmp(*last, best->name) != 0)
        expect_sorts(plan, t);
    *last = best->name;
    consort_plan_destroy(plan);
}

/* Every limit at which the choice could change. */
static void try_limits(const struct trial *t)
{
    struct offer offers[MOST_ALGORITHMS];
    if (!trial_share_takes_next())
        return;
    uint32_t count = offers_for(t, offers);
    const char *last = NULL;
    assert_true(count >= 5);
    try_limit(t, offers, count, UINT64_MAX, &last);
    for (uint32_t i = 0; i < count; i++) {
        try_limit(t, offers, count, offers[i].workspace, &last);
        if (offers[i].workspace > 0)
            try_limit(t, offers, count, offers[i].workspace - 1, &last);
    }
    try_limit(t, offers, count, 0, &last);
}

static void test_keys(void **state)
{
    (void)state;
    static const consort_type types[] = {CONSORT_U8, CONSORT_F16, CONSORT_U32, CONSORT_F64,
                                         CONSORT_U128};
    for (int i = 0; i < 5; i++)
        for (uint64_t count = 1; count < 20000; count = count * 9 + 1) {
            struct trial t = {.type = types[i], .stable = i % 2, .count = count};
            t.operation = CONSORT_OPERATION_SORT;
            try_limits(&t);
        }
}

static void test_values(void **state)
{
    (void)state;
    static const consort_type types[] = {CONSORT_U16, CONSORT_U32, CONSORT_F64, CONSORT_U128,
                                         CONSORT_RECORD};
    static const uint64_t value_bytes[] = {4, 8, 24};
    for (uint64_t i = 0; i < 10; i++) {
        struct trial t = {.type = types[i % 5], .value_bytes = value_bytes[i % 3]};
        t.operation = CONSORT_OPERATION_SORT;
        t.stable = true;
        t.count = i < 5 ? 4100 : 900;
        try_limits(&t);
    }
}

/* Keys of 8 bytes and more are distinct here, so that the result is one. */
static void test_unstable_values(void **state)
{
    (void)state;
    static const consort_type types[] = {CONSORT_U64, CONSORT_I128};
    for (int i = 0; i < 2; i++) {
        struct trial t = {.type = types[i], .value_bytes = 4, .count = 4100};
        t.operation = CONSORT_OPERATION_SORT;
        try_limits(&t);
    }
}

static void test_argsorts(void **state)
{
    (void)state;
    static const consort_type types[] = {CONSORT_U8, CONSORT_F32, CONSORT_I64, CONSORT_U128,
                                         CONSORT_RECORD};
    for (int i = 0; i < 10; i++) {
        struct trial t = {.type = types[i % 5], .operation = CONSORT_OPERATION_ARGSORT};
        t.index_type = i % 2 ? CONSORT_U64 : CONSORT_U32;
        t.stable = true;
        t.count = i < 5 ? 3000 : 9000;
        try_limits(&t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_keys),
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_unstable_values),
        cmocka_unit_test(test_argsorts),
    };
    if (!device_array_begin()) {
        print_message("skipped: %s\n", driver_absence());
        return 77;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
