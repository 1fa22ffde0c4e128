/* SPDX-License-Identifier: Apache-2.0 */
/* The guarded arrays of one attempt: laid out, filled, and compared afterwards. */
#include "operations/buffers.h"

#include <string.h>

bool buffers_keys_stay(const struct problem *problem)
{
    uint32_t place = problem->test->level[FACTOR_PLACE];
    return place == PLACE_SAME || place == PLACE_SAME_KEYS;
}

bool buffers_values_stay(const struct problem *problem)
{
    uint32_t place = problem->test->level[FACTOR_PLACE];
    return place == PLACE_SAME || place == PLACE_SAME_VALUES;
}

static bool buffers_has_out(const struct problem *problem)
{
    int32_t operation = problem->entry->operation;
    return operation != CONSORT_OPERATION_ARGSORT && operation != CONSORT_OPERATION_IS_SORTED &&
           !(operation == CONSORT_OPERATION_TOP_K &&
             problem->test->level[FACTOR_INDEX] == INDEX_ALONE);
}

static bool buffers_has_indices(const struct problem *problem)
{
    int32_t operation = problem->entry->operation;
    return operation == CONSORT_OPERATION_ARGSORT ||
           (operation == CONSORT_OPERATION_TOP_K &&
            problem->test->level[FACTOR_INDEX] != INDEX_ABSENT);
}

static void *buffers_copy(struct guarded *guarded, const void *source, uint64_t bytes,
                          uint64_t alignment)
{
    void *place = guarded_take(guarded, bytes, alignment);
    if (bytes > 0)
        memcpy(place, source, bytes);
    return place;
}

static void buffers_fill_columns(struct buffers *buffers, const struct problem *problem)
{
    for (uint32_t c = 0; c < problem->columns; c++) {
        uint64_t bytes = problem->column_bytes[c];
        uint64_t split = problem->count_a * bytes;
        consort_column *column = &buffers->columns[c];
        *column = (consort_column){.element_bytes = bytes};
        column->in = buffers_copy(&buffers->value_in[c], problem->column[c], split, 1);
        if (problem->entry->operation == CONSORT_OPERATION_MERGE)
            column->in_b = buffers_copy(&buffers->value_in_b[c], problem->column[c] + split,
                                        problem->count * bytes - split, 1);
        column->out = buffers_values_stay(problem)
                          ? buffers->value_in[c].first
                          : guarded_take(&buffers->value_out[c], problem->count * bytes, 1);
    }
}

static void buffers_fill_offsets(struct buffers *buffers, const struct problem *problem,
                                 consort_arguments *arguments)
{
    uint64_t bytes = problem->test->level[FACTOR_INDEX] % 2 == INDEX_U32 ? 4 : 8;
    char *offsets = guarded_take(&buffers->offsets, (problem->segments + 1) * bytes, bytes);
    for (uint64_t s = 0; s <= problem->segments; s++) /* little-endian: the low bytes come first */
        memcpy(offsets + s * bytes, &problem->offsets[s], bytes);
    arguments->offsets = offsets;
    arguments->segment_count = problem->segments;
}

void buffers_fill(struct buffers *buffers, const struct problem *problem,
                  consort_arguments *arguments)
{
    uint64_t bytes = problem->order->item_bytes, alignment = problem->order->alignment;
    uint64_t split = problem->count_a * bytes;
    consort_arguments_init(arguments);
    arguments->count = problem->count_a;
    arguments->rows = problem->rows;
    arguments->k = problem->k;
    arguments->in = buffers_copy(&buffers->in, problem->items, split, alignment);
    if (problem->entry->operation == CONSORT_OPERATION_MERGE) {
        arguments->count_b = problem->count - problem->count_a;
        arguments->in_b = buffers_copy(&buffers->in_b, problem->items + split,
                                       arguments->count_b * bytes, alignment);
    }
    if (buffers_has_out(problem))
        arguments->out =
            buffers_keys_stay(problem)
                ? buffers->in.first
                : guarded_take(&buffers->out, problem_selected(problem) * bytes, alignment);
    if (buffers_has_indices(problem)) {
        uint64_t index = problem->test->level[FACTOR_INDEX] == INDEX_U64 ? 8 : 4;
        arguments->indices =
            guarded_take(&buffers->indices, problem_selected(problem) * index, index);
    }
    if (problem->entry->operation == CONSORT_OPERATION_SEGMENTED_SORT)
        buffers_fill_offsets(buffers, problem, arguments);
    buffers_fill_columns(buffers, problem);
    arguments->values = problem->columns ? buffers->columns : NULL;
    memset(&buffers->outcome, 0xa5, sizeof buffers->outcome);
    arguments->outcome = &buffers->outcome;
}

static bool buffers_keep_inputs(const struct problem *problem)
{
    return problem->test->level[FACTOR_PLACE] != PLACE_DOUBLE;
}

void buffers_lock(struct buffers *buffers, const struct problem *problem)
{
    guarded_lock(&buffers->in_b);
    guarded_lock(&buffers->offsets);
    if (buffers_keep_inputs(problem) && !buffers_keys_stay(problem))
        guarded_lock(&buffers->in);
    for (uint32_t c = 0; c < problem->columns; c++) {
        guarded_lock(&buffers->value_in_b[c]);
        if (buffers_keep_inputs(problem) && !buffers_values_stay(problem))
            guarded_lock(&buffers->value_in[c]);
    }
}

void buffers_unlock(struct buffers *buffers)
{
    guarded_unlock(&buffers->in);
    guarded_unlock(&buffers->in_b);
    guarded_unlock(&buffers->offsets);
    for (uint32_t c = 0; c < FACTOR_COLUMNS; c++) {
        guarded_unlock(&buffers->value_in[c]);
        guarded_unlock(&buffers->value_in_b[c]);
    }
}

static bool buffers_all_intact(const struct buffers *buffers)
{
    bool intact = guarded_intact(&buffers->in) && guarded_intact(&buffers->in_b) &&
                  guarded_intact(&buffers->out) && guarded_intact(&buffers->indices) &&
                  guarded_intact(&buffers->offsets) && guarded_intact(&buffers->workspace);
    for (uint32_t c = 0; c < FACTOR_COLUMNS; c++)
        intact = intact && guarded_intact(&buffers->value_in[c]) &&
                 guarded_intact(&buffers->value_in_b[c]) && guarded_intact(&buffers->value_out[c]);
    return intact;
}

const char *buffers_damage(const struct buffers *buffers, const struct problem *problem)
{
    bool merge = problem->entry->operation == CONSORT_OPERATION_MERGE;
    uint64_t split = problem->count_a * problem->order->item_bytes;
    if (!buffers_all_intact(buffers))
        return "wrote outside a buffer";
    if (buffers_keep_inputs(problem) && !buffers_keys_stay(problem) &&
        memcmp(buffers->in.first, problem->items, split) != 0)
        return "changed its input";
    if (merge && memcmp(buffers->in_b.first, problem->items + split, buffers->in_b.bytes) != 0)
        return "changed its second input";
    for (uint32_t c = 0; c < problem->columns; c++) {
        uint64_t column_split = problem->count_a * problem->column_bytes[c];
        if (buffers_keep_inputs(problem) && !buffers_values_stay(problem) &&
            memcmp(buffers->value_in[c].first, problem->column[c], column_split) != 0)
            return "changed its values' input";
        if (merge && memcmp(buffers->value_in_b[c].first, problem->column[c] + column_split,
                            buffers->value_in_b[c].bytes) != 0)
            return "changed its values' second input";
    }
    return NULL;
}

bool buffers_are_whole(const struct buffers *buffers, const struct problem *problem)
{
    bool whole = memcmp(buffers->in.first, problem->items, buffers->in.bytes) == 0;
    for (uint32_t c = 0; c < problem->columns; c++)
        whole = whole && memcmp(buffers->value_in[c].first, problem->column[c],
                                buffers->value_in[c].bytes) == 0;
    return whole;
}

bool buffers_are_unwritten(const struct buffers *buffers, const struct problem *problem)
{
    bool unwritten = !buffers_has_indices(problem) || guarded_is_poison(&buffers->indices);
    if (buffers_has_out(problem) && !buffers_keys_stay(problem))
        unwritten = unwritten && guarded_is_poison(&buffers->out);
    for (uint32_t c = 0; c < problem->columns; c++)
        if (!buffers_values_stay(problem))
            unwritten = unwritten && guarded_is_poison(&buffers->value_out[c]);
    return unwritten;
}

void buffers_release(struct buffers *buffers)
{
    guarded_free(&buffers->in);
    guarded_free(&buffers->in_b);
    guarded_free(&buffers->out);
    guarded_free(&buffers->indices);
    guarded_free(&buffers->offsets);
    guarded_free(&buffers->workspace);
    for (uint32_t c = 0; c < FACTOR_COLUMNS; c++) {
        guarded_free(&buffers->value_in[c]);
        guarded_free(&buffers->value_in_b[c]);
        guarded_free(&buffers->value_out[c]);
    }
}
