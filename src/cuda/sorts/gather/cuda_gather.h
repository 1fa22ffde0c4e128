/* SPDX-License-Identifier: Apache-2.0 */
/* Moving columns of values by a sorted index on the GPU. */
#ifndef CONSORT_CUDA_GATHER_H
#define CONSORT_CUDA_GATHER_H

#include "consort.h"
#include "cuda/launch.h"

/* Finds the kernel; the device must be entered. */
consort_status cuda_gather_prepare(struct launch *gather, const struct device *device);

/* Estimated nanoseconds of moving one element of so many bytes by an index in no order. */
double cuda_gather_cost(uint64_t bytes);

/* Queues column->out[i] = column->in[indices[i]] for `count` items. `spare` has room for the
 * column; it is used if the column is moved in place. */
consort_status cuda_gather_column(const struct launch *gather, const consort_column *column,
                                  const void *indices, uint32_t index_bytes, uint64_t count,
                                  void *spare, consort_stream stream);

/* The same, but nothing is moved if the word at `refused`, in device memory, is not 0 by then. */
consort_status cuda_gather_column_unless(const struct launch *gather, const uint64_t *refused,
                                         const consort_column *column, const void *indices,
                                         uint32_t index_bytes, uint64_t count, void *spare,
                                         consort_stream stream);

/* cuda_gather_column for a column in two parts: indices from `a_count` on mean column->in_b. Not in
 * place. */
consort_status cuda_gather_lists(const struct launch *gather, const consort_column *column,
                                 uint64_t a_count, const void *indices, uint32_t index_bytes,
                                 uint64_t count, consort_stream stream);

/* cuda_gather_column from rows of `row_length`: of each row, `row_items` items, whose indices count
 * within the row. Not in place. */
consort_status cuda_gather_rows(const struct launch *gather, const consort_column *column,
                                uint64_t rows, uint64_t row_items, uint64_t row_length,
                                const void *indices, uint32_t index_bytes, consort_stream stream);

#endif
