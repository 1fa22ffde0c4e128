/* SPDX-License-Identifier: Apache-2.0 */
/* Lists as people write them: items with commas between. */
#ifndef CONSORT_CLI_BENCH_PARSE_H
#define CONSORT_CLI_BENCH_PARSE_H

#include "bench_settings.h"

/* Cuts at commas; empty items and too many or too long ones are refused. */
bool bench_parse_names(const char *text, struct bench_names *names, struct problem *problem);

/* Whether it is one name, and that one: "all", "none". */
bool bench_names_only(const struct bench_names *names, const char *name);

/* Counts as size_parse.h has them. */
bool bench_parse_numbers(const char *text, struct bench_numbers *numbers, struct problem *problem);

/* One number of at least `minimum`. */
bool bench_parse_number(const char *text, uint64_t minimum, uint64_t *number,
                        struct problem *problem);

bool bench_parse_seconds(const char *text, double *seconds, struct problem *problem);

#endif
