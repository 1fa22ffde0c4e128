/* SPDX-License-Identifier: Apache-2.0 */
/* The guarded arrays of one attempt: laid out, filled, and compared afterwards. */
#include "operations/buffers.h"

#include <string.h>

bool buffers_keys_stay(const struct exercise *exercise)
{
    uint32_t place = exercise->test->level[FACTOR_PLACE];
    return place == PLACE_SAME || place == PLACE_SAME_KEYS;
}

bool buffers_values_stay(const struct exercise *exercise)
{
    uint32_t place = exercise->test->level[FACTOR_PLACE];
    return place == PLACE_SAME || place == PLACE_SAME_VALUES;
}

static bool buffers_has_out(const struct exercise *exercise)
{
    int32_t operation = exercise->entry->operation;
    return operation != CONSORT_OPERATION_ARGSORT && operation != CONSORT_OPERATION_IS_SORTED &&
           !(operation == CONSORT_OPERATION_TOP_K &&
             exercise->test->level[FACTOR_INDEX] == INDEX_ALONE);
}

static bool buffers_has_indices(const struct exercise *exercise)
{
    int32_t operation = exercise->entry->operation;
    return operation == CONSORT_OPERATION_ARGSORT ||
           (operation == CONSORT_OPERATION_TOP_K &&
            exercise->test->level[FACTOR_INDEX] != INDEX_ABSENT);
}

static void *buffers_copy(struct guarded *guarded, const void *source, uint64_t bytes,
                          uint64_t alignment)
{
    void *place = guarded_take(guarded, bytes, alignment);
    if (bytes > 0)
        memcpy(place, source, bytes);
    return place;
}

static void buffers_fill_columns(struct buffers *buffers, const struct exercise *exercise)
{
    for (uint32_t c = 0; c < exercise->columns; c++) {
        uint64_t bytes = exercise->column_bytes[c];
        uint64_t split = exercise->count_a * bytes;
        consort_column *column = &buffers->columns[c];
        *column = (consort_column){.element_bytes = bytes};
        column->in = buffers_copy(&buffers->value_in[c], exercise->column[c], split, 1);
        if (exercise->entry->operation == CONSORT_OPERATION_MERGE)
            column->in_b = buffers_copy(&buffers->value_in_b[c], exercise->column[c] + split,
                                        exercise->count * bytes - split, 1);
        column->out = buffers_values_stay(exercise)
                          ? buffers->value_in[c].first
                          : guarded_take(&buffers->value_out[c], exercise->count * bytes, 1);
    }
}

static void buffers_fill_offsets(struct buffers *buffers, const struct exercise *exercise,
                                 consort_arguments *arguments)
{
    uint64_t bytes = exercise->test->level[FACTOR_INDEX] % 2 == INDEX_U32 ? 4 : 8;
    char *offsets = guarded_take(&buffers->offsets, (exercise->segments + 1) * bytes, bytes);
    for (uint64_t s = 0; s <= exercise->segments; s++) /* little-endian: the low bytes come first */
        memcpy(offsets + s * bytes, &exercise->offsets[s], bytes);
    arguments->offsets = offsets;
    arguments->segment_count = exercise->segments;
}

void buffers_fill(struct buffers *buffers, const struct exercise *exercise,
                  consort_arguments *arguments)
{
    uint64_t bytes = exercise->order->item_bytes, alignment = exercise->order->alignment;
    uint64_t split = exercise->count_a * bytes;
    consort_arguments_init(arguments);
    arguments->count = exercise->count_a;
    arguments->rows = exercise->rows;
    arguments->k = exercise->k;
    arguments->in = buffers_copy(&buffers->in, exercise->items, split, alignment);
    if (exercise->entry->operation == CONSORT_OPERATION_MERGE) {
        arguments->count_b = exercise->count - exercise->count_a;
        arguments->in_b = buffers_copy(&buffers->in_b, exercise->items + split,
                                       arguments->count_b * bytes, alignment);
    }
    if (buffers_has_out(exercise))
        arguments->out =
            buffers_keys_stay(exercise)
                ? buffers->in.first
                : guarded_take(&buffers->out, exercise_selected(exercise) * bytes, alignment);
    if (buffers_has_indices(exercise)) {
        uint64_t index = exercise->test->level[FACTOR_INDEX] == INDEX_U64 ? 8 : 4;
        arguments->indices =
            guarded_take(&buffers->indices, exercise_selected(exercise) * index, index);
    }
    if (exercise->entry->operation == CONSORT_OPERATION_SEGMENTED_SORT)
        buffers_fill_offsets(buffers, exercise, arguments);
    buffers_fill_columns(buffers, exercise);
    arguments->values = exercise->columns ? buffers->columns : NULL;
    memset(&buffers->outcome, 0xa5, sizeof buffers->outcome);
    arguments->outcome = &buffers->outcome;
}

static bool buffers_keep_inputs(const struct exercise *exercise)
{
    return exercise->test->level[FACTOR_PLACE] != PLACE_DOUBLE;
}

void buffers_lock(struct buffers *buffers, const struct exercise *exercise)
{
    guarded_lock(&buffers->in_b);
    guarded_lock(&buffers->offsets);
    if (buffers_keep_inputs(exercise) && !buffers_keys_stay(exercise))
        guarded_lock(&buffers->in);
    for (uint32_t c = 0; c < exercise->columns; c++) {
        guarded_lock(&buffers->value_in_b[c]);
        if (buffers_keep_inputs(exercise) && !buffers_values_stay(exercise))
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

const char *buffers_damage(const struct buffers *buffers, const struct exercise *exercise)
{
    bool merge = exercise->entry->operation == CONSORT_OPERATION_MERGE;
    uint64_t split = exercise->count_a * exercise->order->item_bytes;
    if (!buffers_all_intact(buffers))
        return "wrote outside a buffer";
    if (buffers_keep_inputs(exercise) && !buffers_keys_stay(exercise) &&
        memcmp(buffers->in.first, exercise->items, split) != 0)
        return "changed its input";
    if (merge && memcmp(buffers->in_b.first, exercise->items + split, buffers->in_b.bytes) != 0)
        return "changed its second input";
    for (uint32_t c = 0; c < exercise->columns; c++) {
        uint64_t column_split = exercise->count_a * exercise->column_bytes[c];
        if (buffers_keep_inputs(exercise) && !buffers_values_stay(exercise) &&
            memcmp(buffers->value_in[c].first, exercise->column[c], column_split) != 0)
            return "changed its values' input";
        if (merge && memcmp(buffers->value_in_b[c].first, exercise->column[c] + column_split,
                            buffers->value_in_b[c].bytes) != 0)
            return "changed its values' second input";
    }
    return NULL;
}

bool buffers_are_whole(const struct buffers *buffers, const struct exercise *exercise)
{
    bool whole = memcmp(buffers->in.first, exercise->items, buffers->in.bytes) == 0;
    for (uint32_t c = 0; c < exercise->columns; c++)
        whole = whole && memcmp(buffers->value_in[c].first, exercise->column[c],
                                buffers->value_in[c].bytes) == 0;
    return whole;
}

bool buffers_are_unwritten(const struct buffers *buffers, const struct exercise *exercise)
{
    bool unwritten = !buffers_has_indices(exercise) || guarded_is_poison(&buffers->indices);
    if (buffers_has_out(exercise) && !buffers_keys_stay(exercise))
        unwritten = unwritten && guarded_is_poison(&buffers->out);
    for (uint32_t c = 0; c < exercise->columns; c++)
        if (!buffers_values_stay(exercise))
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
