/* SPDX-License-Identifier: Apache-2.0 */
/* Options of `consort bench` that say which cases: what is sorted. */
#include "bench_options.h"

#include <string.h>

#include "bench_parse.h"
#include "bench_settings.h"

/* What "-t all" means. */
static const consort_type all_types[] = {
    CONSORT_U8,  CONSORT_U16, CONSORT_U32,  CONSORT_U64, CONSORT_U128, CONSORT_I8,  CONSORT_I16,
    CONSORT_I32, CONSORT_I64, CONSORT_I128, CONSORT_F16, CONSORT_BF16, CONSORT_F32, CONSORT_F64,
};

static bool apply_types(void *context, const char *value, struct problem *problem)
{
    struct bench_settings *settings = context;
    struct bench_names names;
    if (!bench_parse_names(value, &names, problem)) {
        return false;
    }
    if (bench_names_only(&names, "all")) {
        memcpy(settings->types, all_types, sizeof all_types);
        settings->type_count = sizeof all_types / sizeof all_types[0];
        return true;
    }
    for (size_t i = 0; i < names.count; i++) {
        if (consort_type_parse(names.items[i], &settings->types[i]) != CONSORT_OK) {
            return problem_library(problem);
        }
        if (settings->types[i] >> 16 != CONSORT_NATIVE) {
            return problem_set(problem, "%s: only native byte order is measured", names.items[i]);
        }
    }
    settings->type_count = names.count;
    return true;
}

const struct option_spec bench_option_types = {
    "type",     't',
    "TYPES",    "types of the keys: u8 ... f64, bytes:N, or all",
    NULL,       OPTION_COMPLETES_NOTHING,
    apply_types};

static bool apply_counts(void *context, const char *value, struct problem *problem)
{
    struct bench_settings *settings = context;
    return bench_parse_numbers(value, &settings->counts, problem);
}

const struct option_spec bench_option_counts = {
    "count",     'n', "COUNTS", "items: 1000, 1e8, 2^20, 10M", NULL, OPTION_COMPLETES_NOTHING,
    apply_counts};

static void take_distributions(struct bench_settings *settings, const struct distribution *list,
                               size_t count)
{
    settings->distribution_count = count < BENCH_LIST ? count : BENCH_LIST;
    for (size_t i = 0; i < settings->distribution_count; i++) {
        settings->distributions[i] = &list[i];
    }
}

static bool apply_distributions(void *context, const char *value, struct problem *problem)
{
    struct bench_settings *settings = context;
    struct bench_names names;
    size_t count;
    if (!bench_parse_names(value, &names, problem)) {
        return false;
    }
    if (bench_names_only(&names, "all")) {
        const struct distribution *list = distribution_list(&count);
        take_distributions(settings, list, count);
        return true;
    }
    if (bench_names_only(&names, "adversarial")) {
        const struct distribution *list = distribution_adversaries(&count);
        take_distributions(settings, list, count);
        return true;
    }
    for (size_t i = 0; i < names.count; i++) {
        settings->distributions[i] = distribution_find(names.items[i]);
        if (settings->distributions[i] == NULL) {
            return problem_set(problem, "there is no distribution \"%s\"; --list names them",
                               names.items[i]);
        }
    }
    settings->distribution_count = names.count;
    return true;
}

const struct option_spec bench_option_distributions = {
    "distribution",
    'd',
    "NAMES",
    "distributions of the keys, all, or adversarial: "
    "those made against our own sorts",
    NULL,
    OPTION_COMPLETES_NOTHING,
    apply_distributions};

static const char *operation_choice(size_t index)
{
    return index < BENCH_OPERATION_COUNT ? bench_operation_name((enum bench_operation)index) : NULL;
}

static bool apply_operations(void *context, const char *value, struct problem *problem)
{
    struct bench_settings *settings = context;
    struct bench_names names;
    if (!bench_parse_names(value, &names, problem)) {
        return false;
    }
    if (names.count > BENCH_OPERATION_COUNT) {
        return problem_set(problem, "an operation is named twice");
    }
    for (size_t i = 0; i < names.count; i++) {
        if (!bench_operation_parse(names.items[i], &settings->operations[i])) {
            return problem_set(problem, "there is no operation \"%s\"; --list names them",
                               names.items[i]);
        }
    }
    settings->operation_count = names.count;
    return true;
}

const struct option_spec bench_option_operations = {
    "operation",     0, "NAMES", "what to measure", operation_choice, OPTION_COMPLETES_NOTHING,
    apply_operations};

static bool apply_values(void *context, const char *value, struct problem *problem)
{
    struct bench_settings *settings = context;
    if (!bench_parse_numbers(value, &settings->values, problem)) {
        return false;
    }
    for (size_t i = 0; i < settings->values.count; i++) {
        if (settings->values.items[i] < BENCH_VALUE_MINIMUM ||
            settings->values.items[i] > BENCH_VALUE_MAXIMUM) {
            return problem_set(problem, "values have %d to %d bytes", BENCH_VALUE_MINIMUM,
                               BENCH_VALUE_MAXIMUM);
        }
    }
    return true;
}

const struct option_spec bench_option_values = {
    "values",
    0,
    "BYTES",
    "bytes of the values that move with the keys (pairs: 8; segmented, merge: none) or of the "
    "index (argsort: 4)",
    NULL,
    OPTION_COMPLETES_NOTHING,
    apply_values};

static bool apply_threads(void *context, const char *value, struct problem *problem)
{
    struct bench_settings *settings = context;
    return bench_parse_numbers(value, &settings->threads, problem);
}

const struct option_spec bench_option_threads = {
    "threads",    0,
    "NUMBERS",    "threads; runs on one are pinned to a processor",
    NULL,         OPTION_COMPLETES_NOTHING,
    apply_threads};

static bool apply_k(void *context, const char *value, struct problem *problem)
{
    struct bench_settings *settings = context;
    return bench_parse_number(value, 1, &settings->k, problem);
}

const struct option_spec bench_option_k = {
    "k", 0, "K", "top-k: how many", NULL, OPTION_COMPLETES_NOTHING, apply_k};

static bool apply_segments(void *context, const char *value, struct problem *problem)
{
    struct bench_settings *settings = context;
    return bench_parse_numbers(value, &settings->segments, problem);
}

const struct option_spec bench_option_segments = {
    "segment",     0, "NUMBERS", "segmented: items of a segment", NULL, OPTION_COMPLETES_NOTHING,
    apply_segments};

static const char *lengths_choice(size_t index)
{
    return index < BENCH_LENGTHS_COUNT ? bench_lengths_name((enum bench_lengths)index) : NULL;
}

static bool apply_lengths(void *context, const char *value, struct problem *problem)
{
    struct bench_settings *settings = context;
    struct bench_names names;
    if (!bench_parse_names(value, &names, problem)) {
        return false;
    }
    for (size_t i = 0; i < names.count; i++) {
        if (i == BENCH_LENGTHS_COUNT ||
            !bench_lengths_parse(names.items[i], &settings->lengths[i])) {
            return problem_set(problem, "\"%s\" is none of: equal uniform zipf power one-large",
                               names.items[i]);
        }
    }
    settings->lengths_count = names.count;
    return true;
}

const struct option_spec bench_option_lengths = {
    "lengths",      0,
    "NAMES",        "segmented: equal (default), or mixes with that many items on average",
    lengths_choice, OPTION_COMPLETES_NOTHING,
    apply_lengths};

static bool apply_record(void *context, const char *value, struct problem *problem)
{
    struct bench_settings *settings = context;
    return bench_parse_number(value, 1, &settings->record_bytes, problem);
}

const struct option_spec bench_option_record = {
    "record",    0,
    "BYTES",     "records: bytes of one, of which the first are the key",
    NULL,        OPTION_COMPLETES_NOTHING,
    apply_record};

static bool apply_seed(void *context, const char *value, struct problem *problem)
{
    struct bench_settings *settings = context;
    return bench_parse_number(value, 0, &settings->seed, problem);
}

const struct option_spec bench_option_seed = {
    "seed", 0, "SEED", "seed of the keys", NULL, OPTION_COMPLETES_NOTHING, apply_seed};
