/* SPDX-License-Identifier: Apache-2.0 */
/* What can be benchmarked: the answer to --list. */
#ifndef CONSORT_CLI_BENCH_CATALOGUE_H
#define CONSORT_CLI_BENCH_CATALOGUE_H

#include "bench_plugin.h"

/* To standard output. */
void bench_catalogue_print(const struct bench_plugins *plugins);

#endif
