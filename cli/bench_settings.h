/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What `consort bench` is asked to do: lists whose product are the cases. A suite is several of
 * these, written as the options that one would type.
 */
#ifndef CONSORT_CLI_BENCH_SETTINGS_H
#define CONSORT_CLI_BENCH_SETTINGS_H

#include "bench_consort.h"
#include "bench_measure.h"
#include "bench_parameters.h"
#include "option.h"

enum {
    BENCH_LIST = 48
};

struct bench_names {
    char items[BENCH_LIST][BENCH_NAME];
    size_t count;
};

struct bench_numbers {
    uint64_t items[BENCH_LIST];
    size_t count;
};

struct bench_settings {
    consort_type types[BENCH_LIST];
    size_t type_count;
    const struct distribution *distributions[BENCH_LIST];
    size_t distribution_count;
    enum bench_operation operations[BENCH_OPERATION_COUNT];
    size_t operation_count;
    struct bench_numbers counts;  /* none given: 10^6 */
    struct bench_numbers values;  /* none given: the operation's own habit */
    struct bench_numbers threads; /* none given: 1, or all for a GPU that sorts host arrays */
    struct bench_names algorithms;
    struct bench_parameters parameters; /* of every algorithm named */
    struct bench_names peers;           /* "all", "none" or names */
    bool plans;
    bool one_calls;
    bool separate; /* arrays in host memory */
    bool device_memory;
    bool pinned; /* arrays in pinned host memory */
    bool memory_given;
    bool every_gpu;
    bool spread;   /* arrays in the memory of several GPUs; set by bench_settings_complete */
    uint32_t gpus; /* as many of all GPUs; 0: all */
    int32_t gpu;   /* -1: the CPU */
    bool forms[BENCH_FORM_COUNT]; /* arrays in device memory: which of ours */
    bool unstable;
    bool huge_pages;
    bool list;
    bool lenient; /* suites: peers and algorithms that are not there are no errors */
    struct bench_effort effort;
    uint64_t seed;
    uint64_t k;
    struct bench_numbers segments;
    enum bench_lengths lengths[BENCH_LENGTHS_COUNT];
    size_t lengths_count;
    uint64_t record_bytes;
    const char *json; /* path, "-", "none" or NULL */
    const char *plot; /* folder, "none" or NULL */
    const char *plot_formats;
    const char *suite; /* name or NULL */
    const char *study; /* name or NULL */
};

extern const struct option_spec *const bench_settings_options[];

void bench_settings_init(struct bench_settings *settings);

/* Puts what was given besides a suite's name in place of what its line says: number of items,
 * number of timings, seconds, GPU; and seed and pages, of which lines say nothing. Separate arrays
 * are for all lines or for those that say so. */
void bench_settings_override(struct bench_settings *line, const struct bench_settings *given);

/* Is it a GPU that is measured, by option or by suite? */
bool bench_settings_on_gpu(const struct bench_settings *settings);

/* Fills in what follows from the device; false: some options contradict each other. */
bool bench_settings_complete(struct bench_settings *settings, struct problem *problem);

#endif
