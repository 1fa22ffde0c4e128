/* SPDX-License-Identifier: Apache-2.0 */
/* One operation by the GPU, of items in any order, against the independent reference. */
#include "operation_data.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "device_array.h"
#include "device_run.h"
#include "support/random.h"
#include "trial_share.h"

/* Where the run's arrays are. */
struct places {
    unsigned char *in[OPERATION_ARRAYS], *in_b[OPERATION_ARRAYS], *out[OPERATION_ARRAYS];
    void *offsets, *indices, *outcome, *workspace;
};

static void trial_fails(const struct operation_trial *trial, const char *what, uint64_t place)
{
    fail_msg("%s at %llu: operation %d, type 0x%x, %llu bytes, counts %llu + %llu, %llu segments, "
             "%llu rows, k %llu, %u columns, memory %d, form %d, in place %d, captured %d, seed "
             "%llu",
             what, (unsigned long long)place, trial->operation, (unsigned)trial->order.type,
             (unsigned long long)trial->order.item_bytes, (unsigned long long)trial->count,
             (unsigned long long)trial->count_b, (unsigned long long)trial->segments,
             (unsigned long long)trial->rows, (unsigned long long)trial->k, trial->value_count,
             trial->memory, trial->form, trial->in_place, trial->captured,
             (unsigned long long)trial->seed);
}

static consort_plan *make_plan(const struct operation_trial *trial)
{
    consort_descriptor descriptor;
    consort_options options;
    consort_descriptor_init(&descriptor);
    consort_options_init(&options);
    random_order_describe(&trial->order, &descriptor, &options);
    options.engine = CONSORT_ENGINE_CUDA;
    options.algorithm = trial->algorithm;
    descriptor.operation = trial->operation;
    descriptor.maximum_count = trial->count + trial->count_b + trial->room;
    descriptor.value_bytes = trial->value_bytes;
    descriptor.value_count = trial->value_count;
    descriptor.index_type = trial->index_type;
    descriptor.offset_type = trial->offset_type;
    descriptor.maximum_segments = trial->segments + trial->room % 7;
    descriptor.maximum_k = trial->k + trial->room % 5;
    descriptor.maximum_rows = trial->rows + trial->room % 3;
    descriptor.memory = trial->memory;
    bool apart = trial->form == CONSORT_FORM_COPY && !trial->in_place && trial->seed % 2;
    descriptor.form = apart ? CONSORT_FORM_APART : trial->form;
    descriptor.replay = trial->captured && random_mix(trial->seed) % 2;
    descriptor.options = &options;
    return device_run_plan(&descriptor);
}

/* Memory of the trial's kind: a copy of `from`, or 0xa5 if that is NULL. */
static void *array_new(const struct operation_trial *trial, const void *from, uint64_t bytes,
                       uint64_t shift)
{
    if (trial->memory == CONSORT_MEMORY_DEVICE)
        return device_array_new(from, bytes, shift);
    unsigned char *array = (unsigned char *)operation_bytes(bytes + shift) + shift;
    from ? memcpy(array, from, bytes) : memset(array, 0xa5, bytes);
    return array;
}

static void array_free(const struct operation_trial *trial, void *array, uint64_t shift)
{
    if (trial->memory == CONSORT_MEMORY_DEVICE)
        device_array_free(array, shift);
    else
        free((unsigned char *)array - shift);
}

static unsigned char *array_read(const struct operation_trial *trial, const void *array,
                                 uint64_t bytes)
{
    unsigned char *found = operation_bytes(bytes);
    if (trial->memory == CONSORT_MEMORY_DEVICE)
        device_array_read(found, array, bytes);
    else
        memcpy(found, array, bytes);
    return found;
}

static uint64_t shift_of(const struct operation_trial *trial, uint32_t array)
{
    int32_t kind = trial->order.type >> 8 & 0xff;
    bool anywhere = array > 0 || kind == CONSORT_KIND_BYTES || kind == CONSORT_KIND_RECORD;
    return anywhere ? trial->shift : 0;
}

static bool gives_items(const struct operation_trial *trial)
{
    return trial->operation != CONSORT_OPERATION_IS_SORTED && !trial->no_keys;
}

static void places_make(const struct operation_trial *trial, const struct operation_data *d,
                        const consort_plan *plan, struct places *p)
{
    for (uint32_t i = 0; i < d->arrays; i++) {
        uint64_t first = trial->count * d->bytes[i], shift = shift_of(trial, i);
        p->in[i] = array_new(trial, d->given[i], first, shift);
        p->in_b[i] = array_new(trial, d->given[i] + first, d->total * d->bytes[i] - first, shift);
        p->out[i] =
            trial->in_place ? p->in[i] : array_new(trial, NULL, d->results * d->bytes[i], shift);
    }
    bool narrow = trial->offset_type == CONSORT_U32;
    const void *offsets = narrow ? (const void *)d->offsets32 : (const void *)d->offsets;
    p->offsets =
        array_new(trial, offsets, offsets ? (trial->segments + 1) * (narrow ? 4 : 8) : 0, 0);
    p->indices = array_new(trial, NULL, d->results * 8, 0);
    p->outcome = array_new(trial, &(consort_outcome){.status = -1}, sizeof(consort_outcome), 0);
    p->workspace = array_new(trial, NULL, consort_plan_workspace(plan), 0);
}

static void places_free(const struct operation_trial *trial, const struct operation_data *d,
                        struct places *p)
{
    for (uint32_t i = 0; i < d->arrays; i++) {
        if (p->out[i] != p->in[i])
            array_free(trial, p->out[i], shift_of(trial, i));
        array_free(trial, p->in_b[i], shift_of(trial, i));
        array_free(trial, p->in[i], shift_of(trial, i));
    }
    array_free(trial, p->offsets, 0);
    array_free(trial, p->indices, 0);
    array_free(trial, p->outcome, 0);
    array_free(trial, p->workspace, 0);
}

static void run(const struct operation_trial *trial, const struct operation_data *d,
                const consort_plan *plan, const struct places *p)
{
    bool merges = trial->operation == CONSORT_OPERATION_MERGE;
    consort_arguments a;
    consort_column columns[OPERATION_COLUMNS];
    consort_arguments_init(&a);
    a.count = trial->count;
    a.count_b = trial->count_b;
    a.in = p->in[0];
    a.in_b = merges ? p->in_b[0] : NULL;
    a.out = gives_items(trial) ? p->out[0] : NULL;
    a.values = columns;
    for (uint32_t i = 1; i < d->arrays; i++)
        columns[i - 1] = (consort_column){.in = p->in[i],
                                          .out = p->out[i],
                                          .in_b = merges ? p->in_b[i] : NULL,
                                          .element_bytes = d->bytes[i]};
    a.offsets = p->offsets;
    a.segment_count = trial->segments;
    a.indices = trial->index_type ? p->indices : NULL;
    a.k = trial->k;
    a.rows = trial->rows ? trial->rows : 1;
    a.outcome = p->outcome;
    if (trial->memory == CONSORT_MEMORY_DEVICE)
        device_run(plan, &a, p->workspace, trial->captured);
    else if (consort_plan_run(plan, &a, NULL, 0, NULL) != CONSORT_OK)
        fail_msg("%s", consort_last_error()->message);
}

static void check_moved(const struct operation_trial *trial, const struct operation_data *d,
                        const unsigned char *place, uint32_t array)
{
    uint64_t bytes = d->bytes[array], length = trial->rows ? trial->count / trial->rows : 0;
    uint64_t kept = trial->rows && d->results ? d->results / trial->rows : 1;
    unsigned char *found = array_read(trial, place, d->results * bytes);
    for (uint64_t j = 0; j < d->results; j++) {
        uint64_t at = trial->rows ? j / kept * length + j % kept : j;
        if (memcmp(found + j * bytes, d->given[array] + d->permutation[at] * bytes, bytes) != 0)
            trial_fails(trial, array ? "wrong value" : "wrong item", j);
    }
    free(found);
}

static void check_indices(const struct operation_trial *trial, const struct operation_data *d,
                          const void *place)
{
    uint64_t length = trial->count / trial->rows, kept = d->results / trial->rows;
    uint64_t bytes = consort_type_size(trial->index_type);
    unsigned char *found = array_read(trial, place, d->results * bytes);
    for (uint64_t j = 0; j < d->results; j++) {
        uint64_t row = j / kept * length, index = 0;
        memcpy(&index, found + j * bytes, bytes);
        if (index != d->permutation[row + j % kept] - row)
            trial_fails(trial, "wrong index", j);
    }
    free(found);
}

/* A permutation of both lists: the reference sorts what came out as it sorts what went in, columns
 * of numbers from 0 on say where each came from. */
static void check_permutation(const struct operation_trial *trial, const struct operation_data *d,
                              const struct places *p)
{
    uint64_t bytes = d->bytes[0];
    unsigned char *items = array_read(trial, p->out[0], d->total * bytes);
    unsigned char *column = array_read(trial, p->out[1], d->total * d->bytes[1]);
    unsigned char *seen = calloc(d->total + 1, 1);
    assert_non_null(seen);
    for (uint64_t j = 0; j < d->total; j++) {
        uint64_t from;
        memcpy(&from, column + j * d->bytes[1], sizeof from);
        if (from >= d->total || seen[from]++ ||
            memcmp(items + j * bytes, d->given[0] + from * bytes, bytes) != 0)
            trial_fails(trial, "no permutation", j);
    }
    free(seen);
    free(column);
    free(items);
}

static void check_untouched(const struct operation_trial *trial, const struct operation_data *d,
                            const struct places *p)
{
    for (uint32_t i = 0; i < d->arrays; i++) {
        uint64_t bytes = trial->count * d->bytes[i];
        unsigned char *found = array_read(trial, p->in[i], bytes);
        if (memcmp(found, d->given[i], bytes) != 0)
            trial_fails(trial, "input written", i);
        free(found);
    }
}

/* Bad offsets leave outputs as they were. */
static void check_refused(const struct operation_trial *trial, const struct operation_data *d,
                          const struct places *p, const consort_outcome *told)
{
    if (told->status != CONSORT_ERROR_OFFSETS || told->position != trial->bad_segment)
        trial_fails(trial, "bad offsets not told", told->position);
    check_untouched(trial, d, p);
    for (uint32_t i = 0; i < d->arrays && !trial->in_place; i++) {
        uint64_t bytes = trial->count * d->bytes[i];
        unsigned char *found = array_read(trial, p->out[i], bytes);
        for (uint64_t j = 0; j < bytes; j++)
            if (found[j] != 0xa5)
                trial_fails(trial, "output written", j);
        free(found);
    }
}

static void check(const struct operation_trial *trial, const struct operation_data *d,
                  struct places *p)
{
    consort_outcome *told = (void *)array_read(trial, p->outcome, sizeof *told);
    bool in_first = trial->form == CONSORT_FORM_DOUBLE_BUFFER && told->buffer == 0;
    if (trial->bad_segment > 0) {
        check_refused(trial, d, p, told);
    } else {
        if (told->status != CONSORT_OK)
            trial_fails(trial, "bad status", (uint64_t)told->status);
        if (trial->operation == CONSORT_OPERATION_IS_SORTED && told->position != d->disorder)
            trial_fails(trial, "wrong disorder", told->position);
        for (uint32_t i = 0; i < d->arrays && gives_items(trial) && !trial->unsorted; i++)
            check_moved(trial, d, in_first ? p->in[i] : p->out[i], i);
        if (trial->unsorted)
            check_permutation(trial, d, p);
        if (trial->index_type && d->results > 0)
            check_indices(trial, d, p->indices);
        if (!trial->in_place && trial->form == CONSORT_FORM_COPY)
            check_untouched(trial, d, p);
    }
    free(told);
}

void operation_trial_try(const struct operation_trial *trial)
{
    struct operation_data d;
    struct places p;
    if (!trial_share_takes_next())
        return;
    consort_plan *plan = make_plan(trial);
    operation_data_make(trial, &d);
    places_make(trial, &d, plan, &p);
    run(trial, &d, plan, &p);
    check(trial, &d, &p);
    places_free(trial, &d, &p);
    operation_data_free(&d);
    consort_plan_destroy(plan);
}
