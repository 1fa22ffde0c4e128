/* SPDX-License-Identifier: Apache-2.0 */
/* Making the data of a test case and asking the reference. */
#include "operations/exercise.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "operations/datasets.h"
#include "support/random.h"

static void *exercise_allocate(uint64_t bytes)
{
    void *memory = malloc(bytes + 1);
    if (!memory) {
        perror("exercise");
        exit(99);
    }
    return memory;
}

static void exercise_sort_range(struct exercise *exercise, uint64_t first, uint64_t last)
{
    if (!reference_sort(&exercise->reference, first, last, exercise->permutation)) {
        perror("exercise");
        exit(99);
    }
}

static void exercise_refer(struct exercise *exercise)
{
    const struct key_order *order = exercise->order;
    struct reference_list list = {.items = exercise->items,
                                  .item_bytes = order->item_bytes,
                                  .count = exercise->count,
                                  .fields = order->fields,
                                  .field_count = order->compare ? 0 : order->field_count,
                                  .compare = order->compare,
                                  .compare_context = &key_order_context};
    reference_release(&exercise->reference);
    if (!reference_make(&exercise->reference, &list)) {
        perror("exercise");
        exit(99);
    }
}

/* Puts the items in the order of the permutation: sorted input for merge and is-sorted. */
static void exercise_apply(struct exercise *exercise)
{
    uint64_t bytes = exercise->order->item_bytes;
    char *sorted = exercise_allocate(exercise->count * bytes);
    for (uint64_t j = 0; j < exercise->count; j++)
        memcpy(sorted + j * bytes, exercise->items + exercise->permutation[j] * bytes, bytes);
    free(exercise->items);
    exercise->items = sorted;
    exercise_refer(exercise);
}

static void exercise_make_merge(struct exercise *exercise, uint64_t *random)
{
    const uint64_t splits[FACTOR_SHAPES] = {exercise->count / 2,
                                            0,
                                            exercise->count,
                                            exercise->count > 0,
                                            random_below(random, exercise->count + 1),
                                            random_below(random, exercise->count + 1)};
    exercise->count_a = splits[exercise->test->level[FACTOR_SHAPE]];
    exercise_sort_range(exercise, 0, exercise->count_a);
    exercise_sort_range(exercise, exercise->count_a, exercise->count);
    exercise_apply(exercise);
    exercise_sort_range(exercise, 0, exercise->count);
}

static uint64_t exercise_segment_length(uint32_t shape, uint64_t count, uint64_t *random)
{
    switch (shape) {
    case 0:
        return count;
    case 1:
        return random_below(random, 4);
    case 5:
        return random_below(random, 8) ? random_below(random, 2) : count / 2 + 1;
    default:
        return random_below(random, (uint64_t)2 << random_below(random, 14));
    }
}

/* Shapes: 0 one segment, 1 tiny, 2 mixed, 3 mixed with items outside at both ends, 4 none at all,
 * 5 huge among tiny and empty. */
static void exercise_make_segments(struct exercise *exercise, uint64_t *random)
{
    uint32_t shape = exercise->test->level[FACTOR_SHAPE];
    uint64_t most = exercise->count + 20;
    exercise->offsets = exercise_allocate((most + 1) * sizeof *exercise->offsets);
    uint64_t next = shape == 3 ? exercise->count / 5 : 0;
    uint64_t end = shape == 3 ? exercise->count - exercise->count / 7 : exercise->count;
    exercise->offsets[0] = next;
    while (shape != 4 && exercise->segments < most) {
        uint64_t length = exercise_segment_length(shape, exercise->count, random);
        next = length < end - next ? next + length : end;
        exercise->offsets[++exercise->segments] = next;
        if (next == end && (shape == 0 || random_below(random, 3) == 0))
            break;
    }
    for (uint64_t i = 0; i < exercise->count; i++)
        exercise->permutation[i] = i;
    for (uint64_t s = 0; s < exercise->segments; s++)
        exercise_sort_range(exercise, exercise->offsets[s], exercise->offsets[s + 1]);
}

static void exercise_make_top_k(struct exercise *exercise)
{
    uint32_t shape = exercise->test->level[FACTOR_SHAPE];
    uint64_t row = exercise->count / exercise->rows;
    const uint64_t k[FACTOR_SHAPES] = {row / 3 + 1, 0, 1, row, row + 5, row / 2};
    exercise->k = k[shape];
    for (uint64_t r = 0; r < exercise->rows; r++)
        exercise_sort_range(exercise, r * row, (r + 1) * row);
}

/* Shapes: 0 as it comes, 1 sorted, 2 … sorted but for two items exchanged. */
static void exercise_make_disorder(struct exercise *exercise, uint64_t *random)
{
    uint32_t shape = exercise->test->level[FACTOR_SHAPE];
    uint64_t bytes = exercise->order->item_bytes;
    exercise_sort_range(exercise, 0, exercise->count);
    if (shape > 0)
        exercise_apply(exercise);
    if (shape > 1 && exercise->count > 1) {
        uint64_t i = shape == 2 ? exercise->count - 2 : random_below(random, exercise->count - 1);
        char *item = exercise->items + i * bytes;
        for (uint64_t b = 0; b < bytes; b++) {
            char byte = item[b];
            item[b] = item[b + bytes];
            item[b + bytes] = byte;
        }
        exercise_refer(exercise);
    }
    exercise->disorder = reference_first_disorder(&exercise->reference);
}

static void exercise_make_values(struct exercise *exercise, uint64_t *random)
{
    exercise->columns = factor_columns(exercise->test, exercise->column_bytes);
    for (uint32_t c = 0; c < exercise->columns; c++) {
        uint64_t bytes = exercise->column_bytes[c];
        exercise->column[c] = exercise_allocate(exercise->count * bytes);
        random_bytes(random, exercise->column[c], exercise->count * bytes);
        for (uint64_t i = 0; i < exercise->count && bytes >= 8; i++)
            memcpy(exercise->column[c] + i * bytes, &i, sizeof i);
    }
}

static void exercise_expect(struct exercise *exercise, uint64_t *random)
{
    switch (exercise->entry->operation) {
    case CONSORT_OPERATION_MERGE:
        exercise_make_merge(exercise, random);
        break;
    case CONSORT_OPERATION_SEGMENTED_SORT:
        exercise_make_segments(exercise, random);
        break;
    case CONSORT_OPERATION_TOP_K:
        exercise_make_top_k(exercise);
        break;
    case CONSORT_OPERATION_IS_SORTED:
        exercise_make_disorder(exercise, random);
        break;
    default:
        exercise_sort_range(exercise, 0, exercise->count);
    }
}

void exercise_make(struct exercise *exercise, const struct test_case *test)
{
    uint64_t random = test->seed;
    *exercise = (struct exercise){.test = test,
                                  .entry = entry_at(test->level[FACTOR_ENTRY]),
                                  .order = factor_key_order(test),
                                  .count = factor_length(test),
                                  .rows = 1};
    if (exercise->entry->operation == CONSORT_OPERATION_TOP_K && test->level[FACTOR_SHAPE] == 5) {
        exercise->rows = 3;
        exercise->count -= exercise->count % 3;
    }
    exercise->count_a = exercise->count;
    exercise->items = exercise_allocate(exercise->count * exercise->order->item_bytes);
    exercise->permutation = exercise_allocate(exercise->count * sizeof *exercise->permutation);
    uint64_t data_seed = random_next(&random);
    if (test->bytes)
        memcpy(exercise->items, test->bytes, exercise->count * exercise->order->item_bytes);
    else
        dataset_fill(test->level[FACTOR_DATASET], exercise->order, exercise->items, exercise->count,
                     data_seed);
    exercise_refer(exercise);
    exercise_expect(exercise, &random);
    exercise_make_values(exercise, &random);
}

void exercise_release(struct exercise *exercise)
{
    reference_release(&exercise->reference);
    for (uint32_t c = 0; c < exercise->columns; c++)
        free(exercise->column[c]);
    free(exercise->offsets);
    free(exercise->permutation);
    free(exercise->items);
}

uint64_t exercise_selected(const struct exercise *exercise)
{
    if (exercise->entry->operation != CONSORT_OPERATION_TOP_K)
        return exercise->count;
    uint64_t row = exercise->count / exercise->rows;
    return exercise->rows * (exercise->k < row ? exercise->k : row);
}
