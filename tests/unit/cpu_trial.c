/* SPDX-License-Identifier: Apache-2.0 */
/* Trials of the CPU engine: random types, orders, data and requests. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cpu_trial.h"

consort_context *trial_contexts[3];

uint64_t trial_below(struct trial *trial, uint64_t bound)
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

void *trial_allocate(uint64_t bytes)
{
    void *memory = aligned_alloc(64, bytes / 64 * 64 + 64);
    assert_non_null(memory);
    memset(memory, 0xa5, bytes / 64 * 64 + 64);
    return memory;
}

void *trial_clone(const void *from, uint64_t bytes)
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

void trial_make(struct trial *trial, uint64_t seed)
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

void trial_free(struct trial *trial)
{
    free(trial->items);
    for (uint32_t c = 0; c < trial->value_count; c++)
        free(trial->columns[c]);
}

void trial_describe(const struct trial *trial, consort_descriptor *descriptor, int32_t operation)
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
bool trial_plan(struct trial *trial, const consort_descriptor *descriptor, consort_plan **plan)
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

const char *trial_words(const struct trial *trial, const consort_plan *plan)
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

void trial_expect(const struct trial *trial, const consort_plan *plan, const char *what,
                  const char *found, const char *from, const uint64_t *indices, uint64_t count,
                  uint64_t bytes)
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

void trial_run(const struct trial *trial, const consort_plan *plan,
               const consort_arguments *arguments)
{
    void *workspace = trial_workspace(plan);
    consort_status status = consort_plan_run(plan, arguments, workspace,
                                             workspace ? consort_plan_workspace(plan) : 0, NULL);
    if (status != CONSORT_OK)
        fail_msg("%s: %s", trial_words(trial, plan), consort_last_error()->message);
    free(workspace);
}
