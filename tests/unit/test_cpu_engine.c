/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random requests against the reference: every operation, type, order, form, algorithm, workspace
 * limit and number of threads. CONSORT_TEST_TRIALS sets how many, CONSORT_TEST_SEED the first.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cpu_reference.h"

enum {
    TRIAL_COLUMNS = 3,
    TRIAL_TRIALS = 3000
};

struct trial {
    uint64_t seed; /* what it was made from */
    uint64_t random;
    struct reference_order order;
    consort_type type;
    bool callback;
    uint64_t count;
    char *items; /* the input, never given to the library */
    char *columns[TRIAL_COLUMNS];
    uint64_t value_bytes[TRIAL_COLUMNS];
    uint32_t value_count;
    bool in_place;
    bool double_buffer;
    consort_options options;
    consort_context *context;
};

static consort_context *trial_contexts[3]; /* of 1, 2 and 5 threads */

static uint64_t trial_below(struct trial *trial, uint64_t bound)
{
    return reference_random(&trial->random) % bound;
}

static consort_type trial_type(struct trial *trial)
{
    static const consort_type types[] = {CONSORT_U8,   CONSORT_U16,  CONSORT_U32, CONSORT_U64,
                                         CONSORT_U128, CONSORT_I8,   CONSORT_I16, CONSORT_I32,
                                         CONSORT_I64,  CONSORT_I128, CONSORT_F16, CONSORT_F32,
                                         CONSORT_F64,  CONSORT_BF16};
    if (trial_below(trial, 5) == 0)
        return consort_type_bytes(1 + (uint32_t)trial_below(trial, trial_below(trial, 2) ? 8 : 60));
    consort_type type = types[trial_below(trial, sizeof types / sizeof *types)];
    consort_type swapped = consort_type_with_byte_order(type, CONSORT_BIG_ENDIAN);
    return swapped && trial_below(trial, 4) == 0 ? swapped : type;
}

static void trial_field(struct trial *trial, consort_field *field)
{
    *field = (consort_field){.type = trial_type(trial),
                             .direction = (int32_t)trial_below(trial, 2),
                             .float_order = (int32_t)trial_below(trial, 4)};
}

static int32_t trial_compare(void *context, const void *a, const void *b)
{
    return reference_compare(context, a, b);
}

static void trial_make_order(struct trial *trial)
{
    uint64_t shape = trial_below(trial, 8);
    struct reference_order *order = &trial->order;
    order->field_count = shape < 2 ? 1 + (uint32_t)trial_below(trial, 4) : 1;
    uint64_t end = 0;
    for (uint32_t i = 0; i < order->field_count; i++) {
        trial_field(trial, &order->fields[i]);
        order->fields[i].offset = shape < 2 ? trial_below(trial, 12) : 0;
        uint64_t last = order->fields[i].offset + consort_type_size(order->fields[i].type);
        end = last > end ? last : end;
    }
    order->item_bytes = end + (shape < 2 ? trial_below(trial, 3) * trial_below(trial, 50) : 0);
    trial->callback = shape == 1;
    trial->type = shape == 0   ? CONSORT_RECORD
                  : shape == 1 ? CONSORT_CALLBACK
                               : order->fields[0].type;
    if (shape >= 2) {
        trial->options.direction = order->fields[0].direction;
        trial->options.float_order = order->fields[0].float_order;
    }
}

/* Palettes give ties, and, for floats, zeros, infinities and NaNs. */
static void trial_fill(struct trial *trial)
{
    static const unsigned char special[] = {0x00, 0x80, 0x7f, 0xff, 0x01, 0x7c, 0xfc, 0xf0, 0x3f};
    uint64_t bytes = trial->order.item_bytes, style = trial_below(trial, 4);
    uint64_t palette = 1 + trial_below(trial, 12);
    for (uint64_t i = 0; i < trial->count; i++)
        for (uint64_t b = 0; b < bytes; b++) {
            unsigned char byte = (unsigned char)trial_below(trial, 256);
            if (style == 1)
                byte = special[trial_below(trial, sizeof special)];
            if (style == 2)
                byte = b % 4 == 3 ? special[trial_below(trial, 4)] : 0;
            if (style == 3 && i >= palette)
                byte = (unsigned char)trial->items[(i * 7919 % palette) * bytes + b];
            trial->items[i * bytes + b] = (char)byte;
        }
}

static void *trial_allocate(uint64_t bytes)
{
    void *memory = aligned_alloc(64, bytes / 64 * 64 + 64);
    assert_non_null(memory);
    memset(memory, 0xa5, bytes / 64 * 64 + 64);
    return memory;
}

static void *trial_clone(const void *from, uint64_t bytes)
{
    void *memory = trial_allocate(bytes);
    memcpy(memory, from, bytes);
    return memory;
}

/* Leaves every third array sorted already, or sorted backwards. */
static void trial_presort(struct trial *trial)
{
    uint64_t bytes = trial->order.item_bytes, style = trial_below(trial, 9);
    if (style > 2 || trial->count == 0)
        return;
    uint64_t *indices = malloc(trial->count * sizeof *indices);
    char *copy = trial_clone(trial->items, trial->count * bytes);
    reference_argsort(&trial->order, copy, indices, 0, trial->count);
    for (uint64_t i = 0; i < trial->count; i++)
        memcpy(trial->items + i * bytes,
               copy + indices[style == 1 ? trial->count - 1 - i : i] * bytes, bytes);
    if (style == 2)
        memcpy(trial->items, copy, bytes);
    free(copy);
    free(indices);
}

static void trial_make_values(struct trial *trial)
{
    static const uint64_t sizes[] = {1, 2, 3, 4, 8, 12, 16, 24, 100};
    trial->value_count =
        trial_below(trial, 2) ? (uint32_t)trial_below(trial, TRIAL_COLUMNS + 1) : 0;
    for (uint32_t c = 0; c < trial->value_count; c++) {
        trial->value_bytes[c] = sizes[trial_below(trial, sizeof sizes / sizeof *sizes)];
        uint64_t bytes = trial->value_bytes[c] * trial->count;
        trial->columns[c] = trial_allocate(bytes);
        for (uint64_t i = 0; i < bytes; i++)
            trial->columns[c][i] = (char)trial_below(trial, 256);
    }
}

static void trial_make(struct trial *trial, uint64_t seed)
{
    *trial = (struct trial){.seed = seed, .random = seed * 0x9e3779b97f4a7c15ULL + 1};
    consort_options_init(&trial->options);
    for (int i = 0; i < 8; i++)
        (void)reference_random(&trial->random);
    trial_make_order(trial);
    static const uint64_t most[] = {4, 40, 40, 300, 300, 3000, 70000};
    uint64_t bound = most[trial_below(trial, sizeof most / sizeof *most)];
    if (bound > 3000 && trial_below(trial, 4) != 0)
        bound = 3000;
    trial->count = trial_below(trial, bound + 1);
    trial->items = trial_allocate(trial->count * trial->order.item_bytes);
    trial_fill(trial);
    trial_presort(trial);
    trial_make_values(trial);
    trial->in_place = trial_below(trial, 2);
    trial->double_buffer = trial_below(trial, 4) == 0;
    trial->context = trial_contexts[trial_below(trial, 3)];
    trial->options.context = trial->context;
}

static void trial_free(struct trial *trial)
{
    free(trial->items);
    for (uint32_t c = 0; c < trial->value_count; c++)
        free(trial->columns[c]);
}

static void trial_describe(const struct trial *trial, consort_descriptor *descriptor,
                           int32_t operation)
{
    consort_descriptor_init(descriptor);
    descriptor->operation = operation;
    descriptor->type = trial->type;
    descriptor->maximum_count = trial->count;
    descriptor->record_bytes = trial->order.item_bytes;
    descriptor->fields = trial->order.fields;
    descriptor->field_count = trial->order.field_count;
    descriptor->compare = trial_compare;
    descriptor->compare_context = (void *)&trial->order;
    if (trial->type != CONSORT_RECORD)
        descriptor->field_count = 0, descriptor->fields = NULL;
    if (!trial->callback)
        descriptor->compare = NULL;
    if (trial->type != CONSORT_RECORD && !trial->callback)
        descriptor->record_bytes = 0;
    descriptor->options = &trial->options;
}

/* Makes a plan by a random algorithm of the operation, or the planner's choice, with or without a
 * workspace limit; false if there is none that can do it. */
static bool trial_plan(struct trial *trial, const consort_descriptor *descriptor,
                       consort_plan **plan)
{
    uint32_t choice = (uint32_t)trial_below(trial, consort_algorithm_count() * 3);
    consort_algorithm_info info;
    consort_algorithm_info_init(&info);
    trial->options.workspace_limit = trial_below(trial, 4) == 0 ? 0 : UINT64_MAX;
    if (choice < consort_algorithm_count() &&
        consort_algorithm_get_info(choice, &info) == CONSORT_OK &&
        info.operation == descriptor->operation)
        trial->options.algorithm = info.name;
    consort_status status = consort_plan_create(descriptor, plan);
    if (status == CONSORT_OK)
        return true;
    if (!trial->options.algorithm && getenv("CONSORT_TEST_STRICT"))
        fail_msg("seed %llu: %s", (unsigned long long)trial->seed, consort_last_error()->message);
    return false;
}

static const char *trial_words(const struct trial *trial, const consort_plan *plan)
{
    static char words[300];
    consort_plan_info info;
    consort_plan_info_init(&info);
    consort_plan_get_info(plan, &info);
    snprintf(words, sizeof words,
             "seed %llu: %s, type 0x%x, %llu items of %llu bytes, %u fields, %u columns, in place "
             "%d, double buffer %d, limit %d",
             (unsigned long long)trial->seed, info.algorithm, (unsigned)trial->type,
             (unsigned long long)trial->count, (unsigned long long)trial->order.item_bytes,
             trial->order.field_count, trial->value_count, trial->in_place, trial->double_buffer,
             trial->options.workspace_limit == 0);
    return words;
}

static void trial_expect(const struct trial *trial, const consort_plan *plan, const char *what,
                         const char *found, const char *from, const uint64_t *indices,
                         uint64_t count, uint64_t bytes)
{
    for (uint64_t i = 0; i < count; i++)
        if (memcmp(found + i * bytes, from + indices[i] * bytes, bytes) != 0)
            fail_msg("%s: %s %llu differs", trial_words(trial, plan), what, (unsigned long long)i);
}

static void *trial_workspace(const consort_plan *plan)
{
    return consort_plan_workspace(plan)
               ? aligned_alloc(64, (consort_plan_workspace(plan) + 63) / 64 * 64)
               : NULL;
}

static void trial_run(const struct trial *trial, const consort_plan *plan,
                      const consort_arguments *arguments)
{
    void *workspace = trial_workspace(plan);
    consort_status status = consort_plan_run(plan, arguments, workspace,
                                             workspace ? consort_plan_workspace(plan) : 0, NULL);
    if (status != CONSORT_OK)
        fail_msg("%s: %s", trial_words(trial, plan), consort_last_error()->message);
    free(workspace);
}

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
        cmocka_unit_test(test_sort),  cmocka_unit_test(test_argsort),
        cmocka_unit_test(test_merge), cmocka_unit_test(test_segmented_sort),
        cmocka_unit_test(test_top_k), cmocka_unit_test(test_is_sorted),
    };
    return cmocka_run_group_tests(tests, trials_begin, trials_end);
}
