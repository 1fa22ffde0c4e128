/* SPDX-License-Identifier: Apache-2.0 */
/* Making the data of a test case and asking the reference. */
#include "operations/problem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "operations/datasets.h"
#include "support/random.h"

static void *problem_allocate(uint64_t bytes)
{
    void *memory = malloc(bytes + 1);
    if (!memory) {
        perror("problem");
        exit(99);
    }
    return memory;
}

static void problem_sort_range(struct problem *problem, uint64_t first, uint64_t last)
{
    if (!reference_sort(&problem->reference, first, last, problem->permutation)) {
        perror("problem");
        exit(99);
    }
}

static void problem_refer(struct problem *problem)
{
    const struct key_order *order = problem->order;
    struct reference_list list = {.items = problem->items,
                                  .item_bytes = order->item_bytes,
                                  .count = problem->count,
                                  .fields = order->fields,
                                  .field_count = order->compare ? 0 : order->field_count,
                                  .compare = order->compare,
                                  .compare_context = &key_order_context};
    reference_release(&problem->reference);
    if (!reference_make(&problem->reference, &list)) {
        perror("problem");
        exit(99);
    }
}

/* Puts the items in the order of the permutation: sorted input for merge and is-sorted. */
static void problem_apply(struct problem *problem)
{
    uint64_t bytes = problem->order->item_bytes;
    char *sorted = problem_allocate(problem->count * bytes);
    for (uint64_t j = 0; j < problem->count; j++)
        memcpy(sorted + j * bytes, problem->items + problem->permutation[j] * bytes, bytes);
    free(problem->items);
    problem->items = sorted;
    problem_refer(problem);
}

static void problem_make_merge(struct problem *problem, uint64_t *random)
{
    const uint64_t splits[FACTOR_SHAPES] = {problem->count / 2,
                                            0,
                                            problem->count,
                                            problem->count > 0,
                                            random_below(random, problem->count + 1),
                                            random_below(random, problem->count + 1)};
    problem->count_a = splits[problem->test->level[FACTOR_SHAPE]];
    problem_sort_range(problem, 0, problem->count_a);
    problem_sort_range(problem, problem->count_a, problem->count);
    problem_apply(problem);
    problem_sort_range(problem, 0, problem->count);
}

static uint64_t problem_segment_length(uint32_t shape, uint64_t count, uint64_t *random)
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
static void problem_make_segments(struct problem *problem, uint64_t *random)
{
    uint32_t shape = problem->test->level[FACTOR_SHAPE];
    uint64_t most = problem->count + 20;
    problem->offsets = problem_allocate((most + 1) * sizeof *problem->offsets);
    uint64_t next = shape == 3 ? problem->count / 5 : 0;
    uint64_t end = shape == 3 ? problem->count - problem->count / 7 : problem->count;
    problem->offsets[0] = next;
    while (shape != 4 && problem->segments < most) {
        uint64_t length = problem_segment_length(shape, problem->count, random);
        next = length < end - next ? next + length : end;
        problem->offsets[++problem->segments] = next;
        if (next == end && (shape == 0 || random_below(random, 3) == 0))
            break;
    }
    for (uint64_t i = 0; i < problem->count; i++)
        problem->permutation[i] = i;
    for (uint64_t s = 0; s < problem->segments; s++)
        problem_sort_range(problem, problem->offsets[s], problem->offsets[s + 1]);
}

static void problem_make_top_k(struct problem *problem)
{
    uint32_t shape = problem->test->level[FACTOR_SHAPE];
    uint64_t row = problem->count / problem->rows;
    const uint64_t k[FACTOR_SHAPES] = {row / 3 + 1, 0, 1, row, row + 5, row / 2};
    problem->k = k[shape];
    for (uint64_t r = 0; r < problem->rows; r++)
        problem_sort_range(problem, r * row, (r + 1) * row);
}

/* Shapes: 0 as it comes, 1 sorted, 2 … sorted but for two items exchanged. */
static void problem_make_disorder(struct problem *problem, uint64_t *random)
{
    uint32_t shape = problem->test->level[FACTOR_SHAPE];
    uint64_t bytes = problem->order->item_bytes;
    problem_sort_range(problem, 0, problem->count);
    if (shape > 0)
        problem_apply(problem);
    if (shape > 1 && problem->count > 1) {
        uint64_t i = shape == 2 ? problem->count - 2 : random_below(random, problem->count - 1);
        char *item = problem->items + i * bytes;
        for (uint64_t b = 0; b < bytes; b++) {
            char byte = item[b];
            item[b] = item[b + bytes];
            item[b + bytes] = byte;
        }
        problem_refer(problem);
    }
    problem->disorder = reference_first_disorder(&problem->reference);
}

static void problem_make_values(struct problem *problem, uint64_t *random)
{
    problem->columns = factor_columns(problem->test, problem->column_bytes);
    for (uint32_t c = 0; c < problem->columns; c++) {
        uint64_t bytes = problem->column_bytes[c];
        problem->column[c] = problem_allocate(problem->count * bytes);
        random_bytes(random, problem->column[c], problem->count * bytes);
        for (uint64_t i = 0; i < problem->count && bytes >= 8; i++)
            memcpy(problem->column[c] + i * bytes, &i, sizeof i);
    }
}

static void problem_expect(struct problem *problem, uint64_t *random)
{
    switch (problem->entry->operation) {
    case CONSORT_OPERATION_MERGE:
        problem_make_merge(problem, random);
        break;
    case CONSORT_OPERATION_SEGMENTED_SORT:
        problem_make_segments(problem, random);
        break;
    case CONSORT_OPERATION_TOP_K:
        problem_make_top_k(problem);
        break;
    case CONSORT_OPERATION_IS_SORTED:
        problem_make_disorder(problem, random);
        break;
    default:
        problem_sort_range(problem, 0, problem->count);
    }
}

void problem_make(struct problem *problem, const struct test_case *test)
{
    uint64_t random = test->seed;
    *problem = (struct problem){.test = test,
                                .entry = entry_at(test->level[FACTOR_ENTRY]),
                                .order = factor_key_order(test),
                                .count = factor_length(test),
                                .rows = 1};
    if (problem->entry->operation == CONSORT_OPERATION_TOP_K && test->level[FACTOR_SHAPE] == 5) {
        problem->rows = 3;
        problem->count -= problem->count % 3;
    }
    problem->count_a = problem->count;
    problem->items = problem_allocate(problem->count * problem->order->item_bytes);
    problem->permutation = problem_allocate(problem->count * sizeof *problem->permutation);
    dataset_fill(test->level[FACTOR_DATASET], problem->order, problem->items, problem->count,
                 random_next(&random));
    problem_refer(problem);
    problem_expect(problem, &random);
    problem_make_values(problem, &random);
}

void problem_release(struct problem *problem)
{
    reference_release(&problem->reference);
    for (uint32_t c = 0; c < problem->columns; c++)
        free(problem->column[c]);
    free(problem->offsets);
    free(problem->permutation);
    free(problem->items);
}

uint64_t problem_selected(const struct problem *problem)
{
    if (problem->entry->operation != CONSORT_OPERATION_TOP_K)
        return problem->count;
    uint64_t row = problem->count / problem->rows;
    return problem->rows * (problem->k < row ? problem->k : row);
}
