/* SPDX-License-Identifier: Apache-2.0 */
/* One segmented sort in device memory beside the CPU engine's on the same bytes. */
#include "segmented_trial.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/plan.h"
#include "cuda/sorts/segmented/cuda_segmented.h"
#include "cuda/sorts/segmented/segmented_workspace.h"
#include "device_array.h"
#include "device_run.h"
#include "support/random.h"
#include "trial_share.h"

static uint64_t next_length(const struct trial *trial, uint64_t segment, uint64_t *random)
{
    static const int64_t steps[] = {-1, 0, 1};
    uint64_t draw = random_next(random);
    switch (trial->shape) {
    case SHAPE_EQUAL:
        return trial->length;
    case SHAPE_STEPS:
        return ((uint64_t)1 << (segment / 3 % 16)) + (uint64_t)steps[segment % 3];
    case SHAPE_GEOMETRIC:
        return draw % ((uint64_t)1 << (__builtin_ctzll(draw >> 32 | 1u << 13) + 1));
    case SHAPE_ONE_HUGE:
        return segment == 20 ? trial->count * 3 / 4 : draw % 12;
    case SHAPE_ALTERNATE:
        return segment % 2 ? trial->length - 1 : trial->length + 1;
    case SHAPE_FIRST_EMPTY:
        return segment % 32 == 0 ? 0 : 1 + draw % trial->length;
    case SHAPE_FULL_TILE:
        return segment % 32 == 3 ? 300 : trial->length - draw % 4;
    default:
        return draw % 3 ? draw / 3 % trial->length : 0;
    }
}

static const void *offsets_of(const struct trial *trial, const struct table *t)
{
    return trial->offset_type == CONSORT_U32 ? (const void *)t->offsets32
                                             : (const void *)t->offsets64;
}

static void make_segments(const struct trial *trial, struct table *t)
{
    uint64_t random = trial->seed, most = 2 * trial->count + 2;
    bool gaps = trial->shape == SHAPE_GAPS;
    uint64_t next = gaps ? trial->count / 7 : 0, end = trial->count - (gaps ? trial->count / 9 : 0);
    t->offsets64 = malloc((most + 1) * sizeof *t->offsets64);
    t->offsets32 = malloc((most + 1) * sizeof *t->offsets32);
    t->offsets64[0] = next;
    t->segments = 0;
    while (t->segments < most) {
        uint64_t length = next_length(trial, t->segments, &random);
        if (length > end - next)
            break;
        next += length;
        t->offsets64[++t->segments] = next;
        if (trial->shape == SHAPE_EQUAL && length == 0 && t->segments == 1000)
            break;
    }
    for (uint64_t s = 0; s <= t->segments; s++)
        t->offsets32[s] = (uint32_t)t->offsets64[s];
}

static unsigned char *host_array(uint64_t bytes)
{
    unsigned char *memory = aligned_alloc(64, (bytes + 64) / 64 * 64);
    assert_non_null(memory);
    return memory;
}

/* Two neighbours each: different keys that a tag may not tell apart. */
static void put_outliers(const struct trial *trial, struct table *t)
{
    uint64_t key = consort_type_size(trial->type), random = trial->seed + 99;
    uint64_t other = trial->other ? trial->other : UINT64_MAX;
    for (uint64_t at = trial->outliers / 2; at + 2 <= trial->count; at += trial->outliers)
        random_words(&random, t->in[0] + at * key, 2 * key, at % 3 ? other : 0);
}

/* Among the keys of a segment, not in this order; what is left has the last digit. */
static void put_digits(const struct trial *trial, struct table *t)
{
    uint64_t key = consort_type_size(trial->type), turn = trial->crowd + trial->others;
    for (uint64_t at = 0; at < trial->count; at++) {
        uint64_t rank = at % trial->length * 7919 % trial->length;
        uint64_t digit = 2 * (rank / turn) + (rank % turn < trial->others ? 0 : 1);
        t->in[0][(at + 1) * key - 1] = (unsigned char)(digit < 255 ? digit : 255);
    }
}

static uint64_t shift_of(const struct trial *trial, uint32_t column, bool sorted)
{
    if (column > 0)
        return trial->shift;
    return sorted ? 3 * trial->key_shift : trial->key_shift;
}

void segmented_trial_make(const struct trial *trial, struct table *t)
{
    t->columns = 0;
    while (t->columns < MOST_COLUMNS && trial->value_bytes[t->columns])
        t->columns++;
    for (uint32_t c = 0; c <= t->columns; c++) {
        uint64_t element = c ? trial->value_bytes[c - 1] : consort_type_size(trial->type);
        uint64_t seed = trial->seed + c, mask = c ? UINT64_MAX : trial->mask;
        t->bytes[c] = trial->count * element;
        t->in[c] = host_array(t->bytes[c]);
        t->sorted[c] = host_array(t->bytes[c]);
        random_words(&seed, t->in[c], t->bytes[c], mask);
        if (c == 0 && trial->outliers)
            put_outliers(trial, t);
        if (c == 0 && trial->crowd)
            put_digits(trial, t);
        t->device_in[c] = device_array_new(t->in[c], t->bytes[c], shift_of(trial, c, false));
        t->device_out[c] = trial->in_place
                               ? t->device_in[c]
                               : device_array_new(NULL, t->bytes[c], shift_of(trial, c, true));
    }
    make_segments(trial, t);
}

void segmented_trial_free(const struct trial *trial, struct table *t)
{
    for (uint32_t c = 0; c <= t->columns; c++) {
        if (!trial->in_place)
            device_array_free(t->device_out[c], shift_of(trial, c, true));
        device_array_free(t->device_in[c], shift_of(trial, c, false));
        free(t->in[c]);
        free(t->sorted[c]);
    }
    free(t->offsets64);
    free(t->offsets32);
}

static void set_options(const struct trial *trial, int32_t engine, consort_options *options)
{
    consort_options_init(options);
    options->engine = engine;
    options->direction = trial->direction;
}

void segmented_trial_expect(const struct trial *trial, struct table *t, int32_t engine)
{
    consort_options options;
    set_options(trial, engine, &options);
    consort_column columns[MOST_COLUMNS] = {{0}};
    for (uint32_t c = 0; c < t->columns; c++)
        columns[c] = (consort_column){
            .in = t->in[c + 1], .out = t->sorted[c + 1], .element_bytes = trial->value_bytes[c]};
    if (consort_segmented_sort(t->in[0], t->sorted[0], trial->count, offsets_of(trial, t),
                               trial->offset_type, t->segments, columns, t->columns, trial->type,
                               &options) != CONSORT_OK)
        fail_msg("%s", consort_last_error()->message);
}

static consort_plan *make_plan(const struct trial *trial, const struct table *t)
{
    consort_descriptor descriptor;
    consort_options options;
    consort_descriptor_init(&descriptor);
    set_options(trial, CONSORT_ENGINE_CUDA, &options);
    descriptor.operation = CONSORT_OPERATION_SEGMENTED_SORT;
    descriptor.type = trial->type;
    descriptor.maximum_count = trial->count + device_run_room(trial->seed);
    descriptor.maximum_segments = t->segments + trial->room + device_run_room(trial->seed + 1);
    descriptor.offset_type = trial->offset_type;
    descriptor.memory = CONSORT_MEMORY_DEVICE;
    bool apart = trial->form == CONSORT_FORM_COPY && !trial->in_place && trial->seed % 2;
    descriptor.form = apart ? CONSORT_FORM_APART : trial->form;
    descriptor.replay = trial->captured && random_mix(trial->seed) % 2;
    descriptor.value_bytes = trial->value_bytes;
    descriptor.value_count = t->columns;
    descriptor.options = &options;
    return device_run_plan(&descriptor);
}

/* Parts too few for a link are no more than there is room for, which the last run has counted. */
static void expect_room(const consort_plan *plan, const void *workspace)
{
    struct segmented_control control;
    if (plan->algorithm != &cuda_segmented_sort)
        return;
    device_array_read(&control, workspace, sizeof control);
    assert_true(control.few_count <= 2 * segmented_lay_out(&plan->request).bucket_room);
}

consort_outcome segmented_trial_run(const struct trial *trial, struct table *t)
{
    consort_plan *plan = make_plan(trial, t);
    uint64_t offset_bytes = (t->segments + 1) * consort_type_size(trial->offset_type);
    void *offsets = device_array_new(offsets_of(trial, t), offset_bytes, 0);
    void *outcome = device_array_new(&(consort_outcome){.status = -1}, sizeof(consort_outcome), 0);
    void *workspace = device_array_new(NULL, consort_plan_workspace(plan), 0);
    consort_column columns[MOST_COLUMNS] = {{0}};
    for (uint32_t c = 0; c < t->columns; c++)
        columns[c] = (consort_column){.in = t->device_in[c + 1],
                                      .out = t->device_out[c + 1],
                                      .element_bytes = trial->value_bytes[c]};
    consort_arguments arguments;
    consort_arguments_init(&arguments);
    arguments.count = trial->count;
    arguments.in = t->device_in[0];
    arguments.out = t->device_out[0];
    arguments.values = columns;
    arguments.offsets = offsets;
    arguments.segment_count = t->segments;
    arguments.outcome = outcome;
    device_run(plan, &arguments, workspace, trial->captured);
    expect_room(plan, workspace);
    consort_outcome told;
    device_array_read(&told, outcome, sizeof told);
    device_array_free(workspace, 0);
    device_array_free(outcome, 0);
    device_array_free(offsets, 0);
    consort_plan_destroy(plan);
    return told;
}

void segmented_trial_compare(const struct trial *trial, const void *device, const void *expected,
                             uint64_t bytes, const char *what, uint32_t column)
{
    unsigned char *found = malloc(bytes + 1);
    device_array_read(found, device, bytes);
    if (memcmp(found, expected, bytes) != 0) {
        uint64_t at = 0;
        while (found[at] == ((const unsigned char *)expected)[at])
            at++;
        fail_msg(
            "%s of column %u differ from byte %llu on: type 0x%x, direction %d, form %d, shape "
            "%d of %llu, values %llu %llu, count %llu, in place %d, mask 0x%llx, seed %llu",
            what, column, (unsigned long long)at, (unsigned)trial->type, trial->direction,
            trial->form, (int)trial->shape, (unsigned long long)trial->length,
            (unsigned long long)trial->value_bytes[0], (unsigned long long)trial->value_bytes[1],
            (unsigned long long)trial->count, trial->in_place, (unsigned long long)trial->mask,
            (unsigned long long)trial->seed);
    }
    free(found);
}

void segmented_trial(const struct trial *trial)
{
    if (!trial_share_takes_next())
        return;
    struct table t;
    segmented_trial_make(trial, &t);
    segmented_trial_expect(trial, &t, CONSORT_ENGINE_CPU);
    consort_outcome told = segmented_trial_run(trial, &t);
    assert_int_equal(told.status, CONSORT_OK);
    for (uint32_t c = 0; c <= t.columns; c++) {
        bool in_first = trial->form == CONSORT_FORM_DOUBLE_BUFFER && told.buffer == 0;
        segmented_trial_compare(trial, in_first ? t.device_in[c] : t.device_out[c], t.sorted[c],
                                t.bytes[c], "results", c);
        if (!trial->in_place && trial->form == CONSORT_FORM_COPY)
            segmented_trial_compare(trial, t.device_in[c], t.in[c], t.bytes[c], "inputs", c);
    }
    segmented_trial_free(trial, &t);
}
