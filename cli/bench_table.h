/* SPDX-License-Identifier: Apache-2.0 */
/* Results for people: an aligned table, row by row while the benchmark runs. */
#ifndef CONSORT_CLI_BENCH_TABLE_H
#define CONSORT_CLI_BENCH_TABLE_H

#include <stdio.h>

#include "bench_results.h"

void bench_table_head(FILE *file);

/* A row that says why there is none. */
void bench_table_left_out(FILE *file, const struct bench_case *shape, const char *reason);

/* A row for each score. */
void bench_table_rows(FILE *file, const struct bench_result *result);

#endif
