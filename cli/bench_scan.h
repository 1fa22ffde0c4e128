/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The checks of bench_verify.h on all processors that this thread may use: inputs and results of
 * a GPU take longer to look at than to sort.
 */
#ifndef CONSORT_CLI_BENCH_SCAN_H
#define CONSORT_CLI_BENCH_SCAN_H

#include "bench_verify.h"
#include "distributions.h"

/* As bench_verify_scan. */
void bench_scan(const struct bench_view *view, bool zeros_equal, struct bench_findings *findings);

/* As bench_verify_has_nan. */
bool bench_scan_has_nan(const struct bench_view *view);

/* Calls `block` for arrays [first, last) in pieces of a suitable size, on several threads. */
bool bench_scan_arrays(uint64_t arrays, uint64_t length,
                       bool (*block)(void *context, uint64_t first, uint64_t last), void *context);

/* As distribution_fill of a whole array. */
bool bench_scan_fill(const struct distribution *distribution, consort_type type, void *keys,
                     uint64_t count, uint64_t seed);

/* Gives every item of the view the value of its place. */
void bench_scan_write_values(const struct bench_view *view);

/* Keys in the order of the indices, which have 4 or 8 bytes; false if one points past the end. */
bool bench_scan_gather(void *keys, const void *source, uint64_t stride, const void *indices,
                       uint32_t index_bytes, uint64_t count);

#endif
