/* SPDX-License-Identifier: Apache-2.0 */
/* What the command line of sort, check, gen and info says, and the options that say it. */
#ifndef CONSORT_CLI_SETTINGS_H
#define CONSORT_CLI_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

#include "consort.h"
#include "option.h"
#include "progress.h"

enum format_name {
    FORMAT_BY_EXTENSION = 0,
    FORMAT_RAW,
    FORMAT_NPY,
    FORMAT_TEXT,
    FORMAT_RECORD
};

enum {
    SETTINGS_MAXIMUM_KEYS = 64,
    SETTINGS_MAXIMUM_PARAMETERS = 16,
    SETTINGS_PARAMETER_NAME = 32
};

struct settings {
    consort_type type; /* 0 = not given */
    bool descending;
    const char *output; /* NULL = not given */
    int32_t engine;
    int32_t device;
    const char *algorithm;
    consort_parameter parameters[SETTINGS_MAXIMUM_PARAMETERS];
    char parameter_names[SETTINGS_MAXIMUM_PARAMETERS][SETTINGS_PARAMETER_NAME];
    uint32_t parameter_count;
    uint64_t memory; /* UINT64_MAX = not given */
    uint32_t threads;
    enum progress_wish progress;
    enum format_name format;
    int32_t byte_order; /* CONSORT_NATIVE = not given */
    int32_t float_order;
    bool float_order_given;
    uint64_t record_bytes; /* 0 = not given */
    const char *keys[SETTINGS_MAXIMUM_KEYS];
    uint32_t key_count;
    int64_t axis;
    bool axis_given;
    /* gen */
    uint64_t count;
    bool count_given;
    const char *distribution;
    uint64_t seed;
    bool list;
    /* info */
    bool json;
};

void settings_init(struct settings *settings);

/* Threads to use for reading, parsing and writing. */
unsigned settings_threads(const struct settings *settings);

/* The context and options for the library's calls. `context` is made if --threads wants it. */
bool settings_make_options(const struct settings *settings, consort_options *options,
                           struct problem *problem);

extern const struct option_spec option_type, option_reverse, option_output, option_device,
    option_algorithm, option_set, option_memory, option_temp, option_threads, option_progress,
    option_no_progress, option_format, option_endian, option_float_order, option_record, option_key,
    option_axis;

#endif
