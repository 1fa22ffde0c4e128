/* SPDX-License-Identifier: Apache-2.0 */
/* Files that belong to the command's benchmark, wherever it was built, packed or installed. */
#ifndef CONSORT_CLI_BENCH_BESIDE_H
#define CONSORT_CLI_BENCH_BESIDE_H

#include <limits.h>
#include <stdbool.h>

/* The path of the first that can be read. */
bool bench_beside_find(char path[PATH_MAX], const char *file);

#endif
