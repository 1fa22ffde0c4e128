/* SPDX-License-Identifier: Apache-2.0 */
/* Comparing what came out with what the reference says. */
#include "operations/verdict.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct verdict_text {
    char *text;
    size_t size;
};

static bool verdict_says(struct verdict_text *out, const char *what, uint64_t place)
{
    snprintf(out->text, out->size, "%s at place %llu", what, (unsigned long long)place);
    return false;
}

/* Place j of the result must hold item permutation[from(j)] of `source`. */
static bool verdict_moved(const struct exercise *exercise, const char *source, const char *result,
                          uint64_t bytes, const char *what, struct verdict_text *out)
{
    for (uint64_t j = 0; j < exercise->count; j++)
        if (memcmp(result + j * bytes, source + exercise->permutation[j] * bytes, bytes) != 0)
            return verdict_says(out, what, j);
    return true;
}

static uint64_t verdict_index(const struct exercise *exercise, const consort_arguments *arguments,
                              uint64_t place)
{
    uint64_t bytes = exercise->test->level[FACTOR_INDEX] == INDEX_U64 ? 8 : 4;
    uint64_t index = 0;
    memcpy(&index, (const char *)arguments->indices + place * bytes, bytes);
    return index;
}

static bool verdict_top_k(const struct exercise *exercise, const consort_arguments *arguments,
                          struct verdict_text *out)
{
    uint64_t row = exercise->count / exercise->rows, bytes = exercise->order->item_bytes;
    uint64_t width = exercise->k < row ? exercise->k : row;
    for (uint64_t r = 0; r < exercise->rows; r++) {
        for (uint64_t j = 0; j < width; j++) {
            uint64_t place = r * width + j, source = exercise->permutation[r * row + j];
            if (arguments->out && memcmp((char *)arguments->out + place * bytes,
                                         exercise->items + source * bytes, bytes) != 0)
                return verdict_says(out, "wrong key", place);
            if (arguments->indices && verdict_index(exercise, arguments, place) != source - r * row)
                return verdict_says(out, "wrong index", place);
        }
    }
    return true;
}

static bool verdict_argsort(const struct exercise *exercise, const consort_arguments *arguments,
                            bool exact, struct verdict_text *out)
{
    char *seen = calloc(exercise->count + 1, 1);
    bool right = seen != NULL;
    for (uint64_t j = 0; right && j < exercise->count; j++) {
        uint64_t index = verdict_index(exercise, arguments, j);
        if (index >= exercise->count || seen[index]++)
            right = verdict_says(out, "indices are no permutation", j);
        else if (exact && index != exercise->permutation[j])
            right = verdict_says(out, "wrong index", j);
        else if (reference_order(&exercise->reference, index, exercise->permutation[j]) != 0)
            right = verdict_says(out, "index of a wrong key", j);
    }
    free(seen);
    return right;
}

static uint64_t verdict_row_bytes; /* qsort has no context */

static int verdict_compare_rows(const void *a, const void *b)
{
    return memcmp(a, b, verdict_row_bytes);
}

/* One row for each place: the item and its values together. */
static char *verdict_rows(const struct exercise *exercise, const char *items,
                          const char *const *columns, const uint64_t *permutation)
{
    char *rows = malloc(exercise->count * verdict_row_bytes + 1), *next = rows;
    for (uint64_t j = 0; rows && j < exercise->count; j++) {
        uint64_t source = permutation ? permutation[j] : j, bytes = exercise->order->item_bytes;
        memcpy(next, items + source * bytes, bytes);
        next += bytes;
        for (uint32_t c = 0; c < exercise->columns; c++) {
            memcpy(next, columns[c] + source * exercise->column_bytes[c],
                   exercise->column_bytes[c]);
            next += exercise->column_bytes[c];
        }
    }
    return rows;
}

/* Sorts the rows of every run of equal items, of each segment alone, by their bytes. */
static void verdict_level_runs(const struct exercise *exercise, char *rows)
{
    uint64_t first = 0, segment = 0;
    for (uint64_t j = 1; j <= exercise->count; j++) {
        while (segment < exercise->segments && exercise->offsets[segment] < j)
            segment++;
        bool border = j == exercise->count ||
                      (exercise->offsets && exercise->offsets[segment] == j) ||
                      reference_order(&exercise->reference, exercise->permutation[first],
                                      exercise->permutation[j]) != 0;
        bool inside = !exercise->offsets || (first >= exercise->offsets[0] &&
                                             first < exercise->offsets[exercise->segments]);
        if (border && inside)
            qsort(rows + first * verdict_row_bytes, j - first, verdict_row_bytes,
                  verdict_compare_rows);
        if (border)
            first = j;
    }
}

/* Without stability: every run of equal items must hold the same rows, in any order. */
static bool verdict_loosely(const struct exercise *exercise, const char *items,
                            const char *const *columns, struct verdict_text *out)
{
    const char *sources[FACTOR_COLUMNS] = {0};
    verdict_row_bytes = exercise->order->item_bytes;
    for (uint32_t c = 0; c < exercise->columns; c++) {
        sources[c] = exercise->column[c];
        verdict_row_bytes += exercise->column_bytes[c];
    }
    char *got = verdict_rows(exercise, items, columns, NULL);
    char *wanted = verdict_rows(exercise, exercise->items, sources, exercise->permutation);
    bool right = got && wanted;
    if (right) {
        verdict_level_runs(exercise, got);
        verdict_level_runs(exercise, wanted);
    }
    for (uint64_t j = 0; right && j < exercise->count; j++)
        if (memcmp(got + j * verdict_row_bytes, wanted + j * verdict_row_bytes,
                   verdict_row_bytes) != 0)
            right = verdict_says(out, "wrong item or values (not stable)", j);
    free(got);
    free(wanted);
    return right;
}

/* Where the result is: in the double-buffer form the outcome says so, for keys and values alike. */
static bool verdict_sorted(const struct exercise *exercise, const struct buffers *buffers,
                           const consort_arguments *arguments, bool exact, struct verdict_text *out)
{
    const char *columns[FACTOR_COLUMNS] = {0};
    int32_t buffer = buffers->outcome.buffer;
    bool in_input = exercise->test->level[FACTOR_PLACE] == PLACE_DOUBLE && buffer == 0;
    if (buffer != 0 && buffer != 1)
        return verdict_says(out, "outcome.buffer is neither 0 nor 1", 0);
    const char *items = in_input ? arguments->in : arguments->out;
    for (uint32_t c = 0; c < exercise->columns; c++)
        columns[c] = in_input ? buffers->columns[c].in : buffers->columns[c].out;
    if (!exact)
        return verdict_loosely(exercise, items, columns, out);
    if (!verdict_moved(exercise, exercise->items, items, exercise->order->item_bytes, "wrong item",
                       out))
        return false;
    for (uint32_t c = 0; c < exercise->columns; c++)
        if (!verdict_moved(exercise, exercise->column[c], columns[c], exercise->column_bytes[c],
                           "wrong value", out))
            return false;
    return true;
}

bool verdict(const struct exercise *exercise, const struct buffers *buffers,
             const consort_arguments *arguments, bool stable, char *text, size_t size)
{
    struct verdict_text out = {text, size};
    bool unique = exercise->order->injective && exercise->columns == 0;
    switch (exercise->entry->operation) {
    case CONSORT_OPERATION_SORT:
    case CONSORT_OPERATION_SEGMENTED_SORT:
        return verdict_sorted(exercise, buffers, arguments, stable || unique, &out);
    case CONSORT_OPERATION_MERGE:
        return verdict_sorted(exercise, buffers, arguments, true, &out);
    case CONSORT_OPERATION_ARGSORT:
        return verdict_argsort(exercise, arguments, stable, &out);
    case CONSORT_OPERATION_TOP_K:
        return verdict_top_k(exercise, arguments, &out);
    default:
        if (buffers->outcome.position == exercise->disorder)
            return true;
        snprintf(text, size, "first disorder at %llu, not %llu",
                 (unsigned long long)buffers->outcome.position,
                 (unsigned long long)exercise->disorder);
        return false;
    }
}
