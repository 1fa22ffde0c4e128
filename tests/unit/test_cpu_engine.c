/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random requests against the reference: every operation, type, order, form, algorithm, workspace
 * limit and number of threads. CONSORT_TEST_TRIALS sets how many, CONSORT_TEST_SEED the first.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cpu_trial.h"

enum {
    TRIAL_TRIALS = 2000
};

/* Sort and segmented sort: `indices` is the expected permutation. */
static void trial_sort(struct trial *trial, consort_descriptor *descriptor,
                       consort_arguments *arguments, const uint64_t *indices)
{
    uint64_t count = trial->count, bytes = trial->order.item_bytes;
    consort_plan *plan;
    descriptor->value_bytes = trial->value_bytes;
    descriptor->value_count = trial->value_count;
    descriptor->form = trial->double_buffer ? CONSORT_FORM_DOUBLE_BUFFER : CONSORT_FORM_COPY;
    if (!trial_plan(trial, descriptor, &plan))
        return;
    bool in_place = trial->in_place && !trial->double_buffer;
    consort_column columns[TRIAL_COLUMNS];
    for (uint32_t c = 0; c < trial->value_count; c++) {
        void *in = trial_clone(trial->columns[c], count * trial->value_bytes[c]);
        void *out = in_place ? in : trial_allocate(count * trial->value_bytes[c]);
        columns[c] = (consort_column){.in = in, .out = out, .element_bytes = trial->value_bytes[c]};
    }
    void *in = trial_clone(trial->items, count * bytes);
    consort_outcome outcome;
    arguments->in = in;
    arguments->out = in_place ? in : trial_allocate(count * bytes);
    arguments->values = columns;
    arguments->outcome = &outcome;
    trial_run(trial, plan, arguments);
    bool in_result = trial->double_buffer && outcome.buffer == 0;
    trial_expect(trial, plan, "item", in_result ? in : arguments->out, trial->items, indices, count,
                 bytes);
    if (!in_place && !trial->double_buffer)
        assert_memory_equal(in, trial->items, count * bytes);
    for (uint32_t c = 0; c < trial->value_count; c++) {
        trial_expect(trial, plan, "value", in_result ? columns[c].in : columns[c].out,
                     trial->columns[c], indices, count, trial->value_bytes[c]);
        if (columns[c].out != columns[c].in)
            free(columns[c].out);
        free((void *)columns[c].in);
    }
    if (arguments->out != in)
        free(arguments->out);
    free(in);
    consort_plan_destroy(plan);
}

static void trial_do_sort(struct trial *trial)
{
    consort_descriptor descriptor;
    consort_arguments arguments;
    trial_describe(trial, &descriptor, CONSORT_OPERATION_SORT);
    consort_arguments_init(&arguments);
    arguments.count = trial->count;
    uint64_t *indices = malloc((trial->count + 1) * sizeof *indices);
    reference_argsort(&trial->order, trial->items, indices, 0, trial->count);
    trial_sort(trial, &descriptor, &arguments, indices);
    free(indices);
}

static void trial_do_segmented(struct trial *trial)
{
    consort_descriptor descriptor;
    consort_arguments arguments;
    trial_describe(trial, &descriptor, CONSORT_OPERATION_SEGMENTED_SORT);
    consort_arguments_init(&arguments);
    uint64_t segments = trial_below(trial, 1 + trial_below(trial, trial->count + 3));
    uint64_t *offsets = malloc((segments + 1) * sizeof *offsets);
    uint64_t *indices = malloc((trial->count + 1) * sizeof *indices);
    uint64_t at = trial_below(trial, 3) ? 0 : trial_below(trial, trial->count + 1);
    uint64_t step = 1 + 3 * trial->count / (segments + 1);
    for (uint64_t s = 0; s <= segments; s++) {
        offsets[s] = at;
        at += trial_below(trial, step);
        at = at > trial->count ? trial->count : at;
    }
    for (uint64_t i = 0; i < trial->count; i++)
        indices[i] = i;
    for (uint64_t s = 0; s < segments; s++)
        reference_argsort(&trial->order, trial->items, indices, offsets[s], offsets[s + 1]);
    bool narrow = trial_below(trial, 2);
    for (uint64_t s = 0; narrow && s <= segments; s++)
        ((uint32_t *)offsets)[s] = (uint32_t)offsets[s];
    descriptor.offset_type = narrow ? CONSORT_U32 : CONSORT_U64;
    descriptor.maximum_segments = segments;
    arguments.count = trial->count;
    arguments.offsets = offsets;
    arguments.segment_count = segments;
    trial_sort(trial, &descriptor, &arguments, indices);
    free(offsets);
    free(indices);
}

static uint64_t trial_index(const void *indices, bool narrow, uint64_t i)
{
    return narrow ? ((const uint32_t *)indices)[i] : ((const uint64_t *)indices)[i];
}

static void trial_do_argsort(struct trial *trial)
{
    consort_descriptor descriptor;
    consort_arguments arguments;
    consort_plan *plan;
    trial_describe(trial, &descriptor, CONSORT_OPERATION_ARGSORT);
    bool narrow = trial_below(trial, 2);
    descriptor.index_type = narrow ? CONSORT_U32 : CONSORT_U64;
    if (!trial_plan(trial, &descriptor, &plan))
        return;
    uint64_t *expected = malloc((trial->count + 1) * sizeof *expected);
    reference_argsort(&trial->order, trial->items, expected, 0, trial->count);
    consort_arguments_init(&arguments);
    arguments.count = trial->count;
    arguments.in = trial_clone(trial->items, trial->count * trial->order.item_bytes);
    arguments.indices = trial_allocate(trial->count * 8);
    trial_run(trial, plan, &arguments);
    for (uint64_t i = 0; i < trial->count; i++)
        if (trial_index(arguments.indices, narrow, i) != expected[i])
            fail_msg("%s: index %llu differs", trial_words(trial, plan), (unsigned long long)i);
    assert_memory_equal(arguments.in, trial->items, trial->count * trial->order.item_bytes);
    free((void *)arguments.in);
    free(arguments.indices);
    free(expected);
    consort_plan_destroy(plan);
}

static char *trial_sorted(const char *items, const uint64_t *indices, uint64_t first, uint64_t last,
                          uint64_t bytes)
{
    char *sorted = trial_allocate((last - first) * bytes);
    for (uint64_t i = first; i < last; i++)
        memcpy(sorted + (i - first) * bytes, items + indices[i] * bytes, bytes);
    return sorted;
}

static void trial_do_merge(struct trial *trial)
{
    consort_descriptor descriptor;
    consort_arguments arguments;
    consort_plan *plan;
    uint64_t count = trial->count, bytes = trial->order.item_bytes;
    trial_describe(trial, &descriptor, CONSORT_OPERATION_MERGE);
    descriptor.value_bytes = trial->value_bytes;
    descriptor.value_count = trial->value_count;
    if (!trial_plan(trial, &descriptor, &plan))
        return;
    uint64_t cut = trial_below(trial, count + 1);
    uint64_t *expected = malloc((count + 1) * sizeof *expected);
    uint64_t *parts = malloc((count + 1) * sizeof *parts);
    reference_argsort(&trial->order, trial->items, expected, 0, count);
    reference_argsort(&trial->order, trial->items, parts, 0, cut);
    reference_argsort(&trial->order, trial->items, parts, cut, count);
    consort_column columns[TRIAL_COLUMNS];
    for (uint32_t c = 0; c < trial->value_count; c++)
        columns[c] = (consort_column){
            .in = trial_sorted(trial->columns[c], parts, 0, cut, trial->value_bytes[c]),
            .in_b = trial_sorted(trial->columns[c], parts, cut, count, trial->value_bytes[c]),
            .out = trial_allocate(count * trial->value_bytes[c]),
            .element_bytes = trial->value_bytes[c]};
    consort_arguments_init(&arguments);
    arguments.count = cut;
    arguments.count_b = count - cut;
    arguments.in = trial_sorted(trial->items, parts, 0, cut, bytes);
    arguments.in_b = trial_sorted(trial->items, parts, cut, count, bytes);
    arguments.out = trial_allocate(count * bytes);
    arguments.values = columns;
    trial_run(trial, plan, &arguments);
    trial_expect(trial, plan, "item", arguments.out, trial->items, expected, count, bytes);
    for (uint32_t c = 0; c < trial->value_count; c++) {
        trial_expect(trial, plan, "value", columns[c].out, trial->columns[c], expected, count,
                     trial->value_bytes[c]);
        free((void *)columns[c].in);
        free((void *)columns[c].in_b);
        free(columns[c].out);
    }
    free((void *)arguments.in);
    free((void *)arguments.in_b);
    free(arguments.out);
    free(expected);
    free(parts);
    consort_plan_destroy(plan);
}

static void trial_do_top_k(struct trial *trial)
{
    consort_descriptor descriptor;
    consort_arguments arguments;
    consort_plan *plan;
    uint64_t bytes = trial->order.item_bytes, rows = 1 + trial_below(trial, 4);
    if (trial_below(trial, 4) == 0)
        rows = 1 + trial_below(trial, 100);
    uint64_t row = trial->count / rows, k = trial_below(trial, trial->count + 3);
    if (trial_below(trial, 2))
        k = trial_below(trial, 20);
    uint64_t kept = k < row ? k : row;
    uint32_t wanted = 1 + (uint32_t)trial_below(trial, 3); /* keys, indices, both */
    bool narrow = trial_below(trial, 2);
    trial_describe(trial, &descriptor, CONSORT_OPERATION_TOP_K);
    descriptor.index_type = (wanted & 2) == 0 ? 0 : narrow ? CONSORT_U32 : CONSORT_U64;
    descriptor.maximum_k = k + trial_below(trial, 2);
    descriptor.maximum_rows = rows + trial_below(trial, 2);
    if (!trial_plan(trial, &descriptor, &plan))
        return;
    uint64_t *expected = malloc((trial->count + 1) * sizeof *expected);
    consort_arguments_init(&arguments);
    arguments.count = row * rows;
    arguments.rows = rows;
    arguments.k = k;
    arguments.in = trial_clone(trial->items, arguments.count * bytes);
    arguments.out = wanted & 1 ? trial_allocate(kept * rows * bytes) : NULL;
    arguments.indices = wanted & 2 ? trial_allocate(kept * rows * 8) : NULL;
    trial_run(trial, plan, &arguments);
    for (uint64_t r = 0; r < rows; r++) {
        reference_argsort(&trial->order, trial->items, expected, r * row, (r + 1) * row);
        if (wanted & 1)
            trial_expect(trial, plan, "item", (char *)arguments.out + r * kept * bytes,
                         trial->items, expected + r * row, kept, bytes);
        for (uint64_t i = 0; (wanted & 2) && i < kept; i++)
            if (trial_index(arguments.indices, narrow, r * kept + i) !=
                expected[r * row + i] - r * row)
                fail_msg("%s, k %llu, rows %llu: index %llu differs", trial_words(trial, plan),
                         (unsigned long long)k, (unsigned long long)rows, (unsigned long long)i);
    }
    assert_memory_equal(arguments.in, trial->items, arguments.count * bytes);
    free((void *)arguments.in);
    free(arguments.out);
    free(arguments.indices);
    free(expected);
    consort_plan_destroy(plan);
}

static void trial_do_is_sorted(struct trial *trial)
{
    consort_descriptor descriptor;
    consort_arguments arguments;
    consort_outcome outcome;
    consort_plan *plan;
    uint64_t bytes = trial->order.item_bytes, expected = trial->count;
    trial_describe(trial, &descriptor, CONSORT_OPERATION_IS_SORTED);
    if (!trial_plan(trial, &descriptor, &plan))
        return;
    for (uint64_t i = trial->count; i-- > 1;)
        if (reference_compare(&trial->order, trial->items + i * bytes,
                              trial->items + (i - 1) * bytes) < 0)
            expected = i;
    consort_arguments_init(&arguments);
    arguments.count = trial->count;
    arguments.in = trial->items;
    arguments.outcome = &outcome;
    trial_run(trial, plan, &arguments);
    if (outcome.position != expected)
        fail_msg("%s: disorder at %llu, not %llu", trial_words(trial, plan),
                 (unsigned long long)outcome.position, (unsigned long long)expected);
    consort_plan_destroy(plan);
}

static void trials_of(void (*run)(struct trial *trial))
{
    const char *trials = getenv("CONSORT_TEST_TRIALS"), *seed = getenv("CONSORT_TEST_SEED");
    uint64_t first = seed ? strtoull(seed, NULL, 10) : 1;
    uint64_t count = trials ? strtoull(trials, NULL, 10) : TRIAL_TRIALS;
    for (uint64_t i = first; i < first + count; i++) {
        struct trial trial;
        trial_make(&trial, i);
        run(&trial);
        trial_free(&trial);
    }
}

static void test_sort(void **state)
{
    (void)state;
    trials_of(trial_do_sort);
}

static void test_argsort(void **state)
{
    (void)state;
    trials_of(trial_do_argsort);
}

static void test_merge(void **state)
{
    (void)state;
    trials_of(trial_do_merge);
}

static void test_segmented_sort(void **state)
{
    (void)state;
    trials_of(trial_do_segmented);
}

static void test_top_k(void **state)
{
    (void)state;
    trials_of(trial_do_top_k);
}

static void test_is_sorted(void **state)
{
    (void)state;
    trials_of(trial_do_is_sorted);
}

/* A comparison that contradicts itself: any permutation will do, but nothing else. */
static int32_t contradict(void *context, const void *a, const void *b)
{
    const unsigned char *x = a, *y = b;
    (void)context;
    return (int32_t)((x[0] * 31u + y[0] * 17u + x[1] + y[1]) % 3) - 1;
}

static void test_contradiction(void **state)
{
    static uint32_t items[50000], sorted[50000];
    const uint64_t count = sizeof items / sizeof *items;
    (void)state;
    for (uint32_t i = 0; i < count; i++)
        items[i] = i * 2654435761u;
    for (uint64_t n = 0; n <= count; n = n * 3 + 1)
        for (int limited = 0; limited < 2; limited++) {
            consort_options options;
            consort_options_init(&options);
            options.context = trial_contexts[1];
            options.workspace_limit = limited ? 0 : UINT64_MAX;
            assert_int_equal(
                consort_sort_by(items, sorted, n, sizeof *items, contradict, NULL, &options),
                CONSORT_OK);
            uint64_t sum = 0, product = 0;
            for (uint64_t i = 0; i < n; i++) {
                sum += sorted[i] - (uint64_t)items[i];
                product += (uint64_t)sorted[i] * sorted[i] - (uint64_t)items[i] * items[i];
            }
            assert_true(sum == 0 && product == 0);
        }
}

static int trials_begin(void **state)
{
    static const uint32_t threads[] = {1, 2, 5};
    (void)state;
    for (int i = 0; i < 3; i++) {
        consort_context_options options;
        consort_context_options_init(&options);
        options.threads = threads[i];
        if (consort_context_create(&options, &trial_contexts[i]) != CONSORT_OK)
            return -1;
    }
    return 0;
}

static int trials_end(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++)
        consort_context_destroy(trial_contexts[i]);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sort),          cmocka_unit_test(test_argsort),
        cmocka_unit_test(test_merge),         cmocka_unit_test(test_segmented_sort),
        cmocka_unit_test(test_top_k),         cmocka_unit_test(test_is_sorted),
        cmocka_unit_test(test_contradiction),
    };
    return cmocka_run_group_tests(tests, trials_begin, trials_end);
}
