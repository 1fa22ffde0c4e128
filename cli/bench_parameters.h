/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Parameters of algorithms by force: each name with one or more values. Their product are variants
 * of an algorithm, each a contender of its own, side by side at the same case.
 */
#ifndef CONSORT_CLI_BENCH_PARAMETERS_H
#define CONSORT_CLI_BENCH_PARAMETERS_H

#include <stddef.h>

#include "bench_contender.h"

enum {
    BENCH_PARAMETERS = 8,
    BENCH_PARAMETER_VALUES = 16
};

struct bench_parameter {
    char name[BENCH_NUMBER_NAME];
    int64_t values[BENCH_PARAMETER_VALUES];
    size_t value_count;
};

struct bench_parameters {
    struct bench_parameter items[BENCH_PARAMETERS];
    size_t count;
};

/* Adds NAME=VALUE[,VALUE…]; a name given again gets the new values. */
bool bench_parameters_parse(const char *text, struct bench_parameters *parameters,
                            struct problem *problem);

/* Does the algorithm of that engine have them all, with these values, for the operation? An
 * algorithm that there is not has none. */
bool bench_parameters_check(const struct bench_parameters *parameters, const char *algorithm,
                            int32_t engine, int32_t operation, struct problem *problem);

/* How many combinations of values there are: 1 without parameters. */
size_t bench_parameters_variants(const struct bench_parameters *parameters);

/* The index-th combination; the last parameter changes fastest. */
void bench_parameters_variant(const struct bench_parameters *parameters, size_t index,
                              struct bench_number_list *variant);

#endif
