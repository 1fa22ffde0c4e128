/* SPDX-License-Identifier: Apache-2.0 */
/* Columns to rows and back. */
#include "transpose.h"

#include <string.h>

enum {
    /* Squares of 32 × 32 items of up to 16 bytes fit the first-level cache twice. */
    TRANSPOSE_TILE = 32
};

static void transpose_tile(const unsigned char *in, unsigned char *out, uint64_t rows,
                           uint64_t columns, uint64_t row, uint64_t column, uint64_t item)
{
    uint64_t row_end = row + TRANSPOSE_TILE < rows ? row + TRANSPOSE_TILE : rows;
    uint64_t column_end = column + TRANSPOSE_TILE < columns ? column + TRANSPOSE_TILE : columns;
    for (uint64_t c = column; c < column_end; c++)
        for (uint64_t r = row; r < row_end; r++)
            memcpy(out + (c * rows + r) * item, in + (r * columns + c) * item, item);
}

static void transpose_matrix(const unsigned char *in, unsigned char *out, uint64_t rows,
                             uint64_t columns, uint64_t item)
{
    for (uint64_t row = 0; row < rows; row += TRANSPOSE_TILE)
        for (uint64_t column = 0; column < columns; column += TRANSPOSE_TILE)
            transpose_tile(in, out, rows, columns, row, column, item);
}

bool transpose_dataset(struct dataset *dataset, bool back, struct problem *problem)
{
    struct region result;
    uint64_t item = dataset->layout.item_bytes;
    uint64_t matrix = dataset->length * dataset->inner * item;
    if (dataset->inner <= 1 || dataset->length <= 1 || dataset->count == 0)
        return true;
    if (!region_allocate(&result, dataset->count * item, "the transposed array", problem))
        return false;
    for (uint64_t i = 0; i < dataset->outer; i++)
        transpose_matrix(dataset->items + i * matrix, result.bytes + i * matrix,
                         back ? dataset->inner : dataset->length,
                         back ? dataset->length : dataset->inner, item);
    region_release(&dataset->memory);
    dataset->memory = result;
    dataset->items = result.bytes;
    return true;
}
