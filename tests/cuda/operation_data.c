/* SPDX-License-Identifier: Apache-2.0 */
/* What a trial of an operation works on, and what the reference makes of it. */
#include "operation_data.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/random.h"

void *operation_bytes(uint64_t bytes)
{
    void *memory = aligned_alloc(64, (bytes + 64) / 64 * 64);
    assert_non_null(memory);
    return memory;
}

static void refer(const struct operation_trial *trial, struct operation_data *d)
{
    struct reference_list list = {.items = d->given[0],
                                  .item_bytes = trial->order.item_bytes,
                                  .count = d->total,
                                  .fields = trial->order.fields,
                                  .field_count = trial->order.field_count};
    reference_release(&d->reference);
    assert_true(reference_make(&d->reference, &list));
}

static void sort_range(struct operation_data *d, uint64_t first, uint64_t last)
{
    assert_true(reference_sort(&d->reference, first, last, d->permutation));
}

/* The items in the order of the permutation. */
static void apply(const struct operation_trial *trial, struct operation_data *d)
{
    uint64_t bytes = trial->order.item_bytes;
    unsigned char *sorted = operation_bytes(d->total * bytes);
    for (uint64_t j = 0; j < d->total; j++)
        memcpy(sorted + j * bytes, d->given[0] + d->permutation[j] * bytes, bytes);
    free(d->given[0]);
    d->given[0] = sorted;
    refer(trial, d);
}

static void make_merge(const struct operation_trial *trial, struct operation_data *d)
{
    if (!trial->unsorted) {
        sort_range(d, 0, trial->count);
        sort_range(d, trial->count, d->total);
        apply(trial, d);
    }
    sort_range(d, 0, d->total);
}

static void make_segments(const struct operation_trial *trial, struct operation_data *d)
{
    uint64_t seed = ~trial->seed, count = trial->count, most = trial->segments + 1;
    d->offsets = operation_bytes(most * sizeof *d->offsets);
    d->offsets32 = operation_bytes(most * sizeof *d->offsets32);
    uint64_t next = count / 16, end = count - count / 32;
    for (uint64_t s = 0; s <= trial->segments; s++) {
        d->offsets[s] = next;
        uint64_t length = random_below(&seed, 2 * count / most + 2);
        next = random_below(&seed, 5) == 0 ? next : next + length < end ? next + length : end;
    }
    for (uint64_t i = 0; i < count; i++)
        d->permutation[i] = i;
    for (uint64_t s = 0; s < trial->segments; s++)
        sort_range(d, d->offsets[s], d->offsets[s + 1]);
    if (trial->bad_segment > 0)
        d->offsets[trial->bad_segment + 1] = d->offsets[trial->bad_segment] - 1;
    for (uint64_t s = 0; s <= trial->segments; s++)
        d->offsets32[s] = (uint32_t)d->offsets[s];
}

static void make_rows(const struct operation_trial *trial, struct operation_data *d)
{
    uint64_t length = trial->count / trial->rows;
    for (uint64_t r = 0; r < trial->rows; r++)
        sort_range(d, r * length, (r + 1) * length);
    d->results = trial->rows * (trial->k < length ? trial->k : length);
}

static void make_disorders(const struct operation_trial *trial, struct operation_data *d)
{
    uint64_t seed = ~trial->seed, bytes = trial->order.item_bytes;
    if (trial->disorders >= 0) {
        sort_range(d, 0, d->total);
        apply(trial, d);
    }
    unsigned char *item = operation_bytes(bytes);
    for (int i = 0; i < trial->disorders && d->total > 1; i++) {
        unsigned char *a = d->given[0] + random_below(&seed, d->total) * bytes;
        unsigned char *b = d->given[0] + random_below(&seed, d->total) * bytes;
        memcpy(item, a, bytes);
        memmove(a, b, bytes);
        memcpy(b, item, bytes);
    }
    free(item);
    refer(trial, d);
    d->disorder = reference_first_disorder(&d->reference);
}

void operation_data_make(const struct operation_trial *trial, struct operation_data *d)
{
    uint64_t seed = trial->seed;
    *d = (struct operation_data){.arrays = 1 + trial->value_count,
                                 .total = trial->count + trial->count_b};
    d->results = d->total;
    for (uint32_t i = 0; i < d->arrays; i++) {
        d->bytes[i] = i == 0 ? trial->order.item_bytes : trial->value_bytes[i - 1];
        d->given[i] = operation_bytes(d->total * d->bytes[i]);
        random_bytes(&seed, d->given[i], d->total * d->bytes[i]);
    }
    d->permutation = operation_bytes(d->total * sizeof *d->permutation);
    random_order_fill(&trial->order, d->given[0], d->total, trial->seed);
    for (uint64_t i = 0; trial->unsorted && i < d->total; i++)
        memcpy(d->given[1] + i * d->bytes[1], &i, sizeof i);
    refer(trial, d);
    if (trial->operation == CONSORT_OPERATION_MERGE)
        make_merge(trial, d);
    else if (trial->operation == CONSORT_OPERATION_SEGMENTED_SORT)
        make_segments(trial, d);
    else if (trial->operation == CONSORT_OPERATION_TOP_K)
        make_rows(trial, d);
    else
        make_disorders(trial, d);
}

void operation_data_free(struct operation_data *d)
{
    for (uint32_t i = 0; i < d->arrays; i++)
        free(d->given[i]);
    reference_release(&d->reference);
    free(d->permutation);
    free(d->offsets);
    free(d->offsets32);
}
